// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * What users get from pages of which that is not known yet: those that were in the index before
 * there were rank functions. It tells most of what a change of a page is worth that was never seen
 * to change, and most pages are fetched again late or never.
 *
 * <p>A refresh that says nothing of a visit is written for each of them, so that it lasts, in the
 * order of their keys, which is that of the index.
 *
 * <p>Guarded by the measurer's lock.
 */
final class FirstUsefulness {
  private static final int TOLD_EVERY = 10_000;

  private final DeltaConfig config;
  private final CommittedIndex index;
  private final Directory files;
  private final Manifest manifest;
  private final CurrentPages pages;
  private final RankSchedule ranks;
  private final Costs costs;
  private long foundAt; // builds of rank functions when all pages were asked

  FirstUsefulness(
      DeltaConfig config,
      CommittedIndex index,
      Directory files,
      Manifest manifest,
      CurrentPages pages,
      RankSchedule ranks,
      Costs costs) {
    this.config = config;
    this.index = index;
    this.files = files;
    this.manifest = manifest;
    this.pages = pages;
    this.ranks = ranks;
    this.costs = costs;
  }

  /**
   * Finds it if rank functions were built since it was found last. The pages must stand for the
   * index's latest commit. What fails waits for the next time.
   */
  void find() {
    if (foundAt == ranks.builds()) {
      return;
    }
    long begin = costs.begin();
    try (DirectoryReader reader = index.openLatest()) {
      String name = StateFiles.newRefreshes(manifest);
      int found = find(reader, name);
      if (found > 0) {
        manifest.addRefreshFile(name);
        manifest.write(files);
        pages.learned(1 + found);
      }
      foundAt = ranks.builds();
    } catch (Throwable t) {
      config
          .listener()
          .trouble(
              "what users get from pages indexed before could not be found; it will be later", t);
    }
    costs.end(Costs.Step.RANKS, begin);
  }

  /** Writes it to a file, durably, and to the store; there is no file if there are no pages. */
  private int find(DirectoryReader reader, String name) throws IOException {
    int unknown = unknown();
    Terms keys = unknown == 0 ? null : MultiTerms.getTerms(reader, config.keyField());
    if (keys == null) {
      return 0;
    }
    PageMeasure measure =
        new PageMeasure(ranks.ranks(), ranks.ranks().scores(), config, costs.loop());
    PageEntry page = new PageEntry();
    int found = 0;
    try (RefreshFile.Writer file = new RefreshFile.Writer(files, name)) {
      TermsEnum cursor = keys.iterator();
      for (BytesRef key = cursor.next(); key != null; key = cursor.next()) {
        if (pages.store().get(key, page) && isUnknown(page)) {
          page.page = PageKeys.name(key);
          float useful = (float) measure.usefulness(page, page.vector);
          if (Float.isFinite(useful)) {
            file.page(key, List.of(Refresh.useful(manifest.generation, useful)));
            page.usefulness = useful;
            pages.store().put(key, page);
            found++;
            if (found % TOLD_EVERY == 0) {
              config.listener().progress("finding what users get from pages", found, unknown);
            }
          }
        }
      }
      if (found > 0) {
        file.finish();
      }
    }
    return found;
  }

  private static boolean isUnknown(PageEntry page) {
    return page.present && page.usefulness < 0;
  }

  private int unknown() throws IOException {
    int[] unknown = new int[1];
    pages.store().forEach((key, page) -> unknown[0] += isUnknown(page) ? 1 : 0);
    return unknown[0];
  }
}
