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
  private final Costs costs;
  private final MeasuringThreads threads;
  private final FaultPoints faults;
  private final PageEntry entry = new PageEntry();
  private final VectorBuffer before = new VectorBuffer();
  private final int[] pendingForRanks; // candidates that the ranks are still to be told of
  private int pendingCount;
  private Costs.Loop loop;
  private int refreshes;
  private int rejected;
  private int pagesWithOtherVector;
  private int exchanged;
  private double qualityChange;

  BatchResult(
      Batch batch,
      Settlement settlement,
      PageStore pages,
      FoundPages found,
      RankUpkeep ranks,
      MeasuringThreads threads,
      Costs costs,
      FaultPoints faults) {
    this.batch = batch;
    this.settlement = settlement;
    this.pages = pages;
    this.found = found;
    this.ranks = ranks;
    this.threads = threads;
    this.costs = costs;
    this.loop = costs.loop();
    this.pendingForRanks = new int[ranks == null ? 0 : batch.pageCount()];
    this.faults = faults;
  }

  /** Applies the batch; {@code deleted} are pages without a copy in it that left the index. */
  void apply(Set<BytesRef> deleted) throws IOException {
    pages.expect(pages.size() + settlement.arrived());
    Batch.Pages cursor = batch.pages();
    while (cursor.next()) {
      faults.at(FaultPoints.APPLY);
      loop.round();
      int chosen = settlement.chosen(cursor.page());
      rejected += cursor.count();
      if (chosen >= 0) {
        rejected--;
        applyLive(cursor, chosen);
      } else if (chosen == Settlement.GONE && batch.wasPresent[cursor.page()]) {
        applyGone(cursor.key());
      }
    }
    for (BytesRef key : deleted) {
      loop.round();
      applyGone(key);
    }
    loop.end(Costs.Step.STORE_PUT);
    if (ranks != null) {
      ranks.arrived(pendingForRanks, pendingCount, threads, costs);
      long begin = costs.begin();
      ranks.finish();
      costs.end(Costs.Step.FOLLOW, begin);
    }
  }

  private void applyLive(Batch.Pages cursor, int copy) throws IOException {
    int candidate = cursor.candidate(copy);
    boolean tell = batch.vectorDiffers[candidate] && ranks != null;
    boolean compared = tell && !ranks.knows(candidate);
    boolean here = !compared && found.get(cursor.page(), pages, entry);
    if (!here) {
      pages.get(cursor.key(), entry);
      before.copyFrom(entry.vector);
    }
    entry.present = true;
    entry.add(
        batch.measured[candidate],
        batch.fetched[candidate],
        batch.interval[candidate],
        batch.qualityChange[candidate],
        batch.usefulness[candidate]);
    boolean sameVector = here && !batch.vectorDiffers[candidate]; // as the one in the store
    if (!sameVector || !pages.putHead(cursor.key(), entry, loop)) {
      cursor.segment(copy).vector(cursor.entry(copy), entry.vector);
      pages.put(cursor.key(), entry, loop);
    }
    if (compared) {
      flushPendingToRanks();
      ranks.arrived(before, entry.vector);
      loop.step(Costs.Step.FOLLOW);
    } else if (tell) {
      pendingForRanks[pendingCount++] = candidate;
    }
    refreshes++;
    pagesWithOtherVector += batch.vectorDiffers[candidate] ? 1 : 0;
    exchanged += batch.wasPresent[cursor.page()] ? 0 : 1;
    qualityChange += batch.qualityChange[candidate];
  }

  /**
   * Tells the ranks of the pages before one of which they are told in another way: they are told of
   * pages in order, whatever shifts were kept, which depends on the threads.
   */
  private void flushPendingToRanks() throws IOException {
    if (pendingCount > 0) {
      loop.end(Costs.Step.STORE_PUT);
      ranks.arrived(pendingForRanks, pendingCount, threads, costs);
      pendingCount = 0;
      loop = costs.loop();
      loop.round();
    }
  }

  private void applyGone(BytesRef key) throws IOException {
    if (pages.get(key, entry)) {
      if (ranks != null) {
        flushPendingToRanks();
        ranks.pageLeftIndex(entry.vector);
        loop.step(Costs.Step.FOLLOW);
      }
      entry.present = false;
      entry.vector.clear();
      pages.put(key, entry, loop);
      pagesWithOtherVector++;
      exchanged++;
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
  int pagesWithOtherVector() {
    return pagesWithOtherVector;
  }

  /** Pages that came to the index or left it. */
  int exchanged() {
    return exchanged;
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
  double qualityChange() {
    return qualityChange;
  }
}
