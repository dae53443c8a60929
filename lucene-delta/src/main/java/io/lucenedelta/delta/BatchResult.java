// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** Brings the live copies of a settled batch into page store and rank functions; used once. */
final class BatchResult {
  private final Batch batch;
  private final Settlement settlement;
  private final PageStore pages;
  private final FoundPages found;
  private final RankUpkeep ranks; // null when they are not brought up to date
  private final Costs.Loop costs;
  private final FaultPoints faults;
  private final PageEntry entry = new PageEntry();
  private final VectorBuffer before = new VectorBuffer();
  private int refreshes;
  private int rejected;
  private int changed;
  private double change;

  BatchResult(
      Batch batch,
      Settlement settlement,
      PageStore pages,
      FoundPages found,
      RankUpkeep ranks,
      Costs.Loop costs,
      FaultPoints faults) {
    this.batch = batch;
    this.settlement = settlement;
    this.pages = pages;
    this.found = found;
    this.ranks = ranks;
    this.costs = costs;
    this.faults = faults;
  }

  /** Applies the batch; {@code deleted} are pages without a copy in it that left the index. */
  void apply(Set<BytesRef> deleted) throws IOException {
    pages.expect(pages.size() + settlement.arrived());
    Batch.Pages cursor = batch.pages();
    int candidate = 0;
    for (int page = 0; cursor.next(); page++) {
      faults.at(FaultPoints.APPLY);
      costs.round();
      int chosen = settlement.chosen(page);
      rejected += cursor.count();
      if (chosen >= 0) {
        rejected--;
        arrive(cursor, page, chosen, candidate + chosen);
      } else if (chosen == Settlement.GONE && batch.wasPresent[page]) {
        leave(cursor.key());
      }
      candidate += cursor.count();
    }
    for (BytesRef key : deleted) {
      costs.round();
      leave(key);
    }
    if (ranks != null) {
      ranks.finish();
    }
    costs.end(Costs.Step.STORE_PUT);
  }

  private void arrive(Batch.Pages cursor, int page, int copy, int candidate) throws IOException {
    boolean told = batch.changed[candidate] && ranks != null;
    boolean compared = told && !ranks.knows(candidate);
    if (compared || !found.get(page, pages, entry)) {
      pages.get(cursor.key(), entry);
      before.copyFrom(entry.vector);
    }
    entry.present = true;
    entry.add(
        batch.measured[candidate],
        batch.fetched[candidate],
        batch.interval[candidate],
        batch.change[candidate],
        batch.usefulness[candidate]);
    cursor.segment(copy).vector(cursor.entry(copy), entry.vector);
    pages.put(cursor.key(), entry);
    costs.step(Costs.Step.STORE_PUT);
    if (told) {
      tellRanks(candidate, compared);
    }
    refreshes++;
    changed += batch.changed[candidate] ? 1 : 0;
    change += batch.change[candidate];
  }

  private void tellRanks(int candidate, boolean compared) {
    if (compared) {
      ranks.arrived(before, entry.vector);
    } else {
      ranks.arrived(candidate);
    }
    costs.step(Costs.Step.FOLLOW);
  }

  private void leave(BytesRef key) throws IOException {
    if (pages.get(key, entry)) {
      if (ranks != null) {
        ranks.left(entry.vector);
        costs.step(Costs.Step.FOLLOW);
      }
      entry.present = false;
      entry.vector.clear();
      pages.put(key, entry);
      changed++;
      costs.step(Costs.Step.STORE_PUT);
    }
  }

  /** Writes the live candidates to a file of their own, durably; returns its name. */
  String write(Directory files, Manifest manifest) throws IOException {
    String name = StateFiles.newRefreshes(manifest);
    try (RefreshFile.Reader all = new RefreshFile.Reader(files, batch.file);
        RefreshFile.Writer live = new RefreshFile.Writer(files, name)) {
      for (int page = 0; all.next(); page++) {
        int chosen = settlement.chosen(page);
        if (chosen >= 0) {
          live.page(all.key(), List.of(all.refreshes().get(chosen).settled()));
        }
      }
      live.finish();
    }
    return name;
  }

  /** Pages that came with another vector than before, new ones and those that left included. */
  int changed() {
    return changed;
  }

  /** Refreshes recorded. */
  int refreshes() {
    return refreshes;
  }

  /** Candidates that turned out not to be live. */
  int rejected() {
    return rejected;
  }

  /** The sum of ΔQ_A. */
  double change() {
    return change;
  }
}
