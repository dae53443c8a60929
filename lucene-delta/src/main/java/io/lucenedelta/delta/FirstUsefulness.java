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
 */
final class FirstUsefulness {
  private static final int TOLD_EVERY = 10_000;

  private final DeltaConfig config;
  private final PageStore pages;
  private final Ranks ranks;
  private final Costs costs;

  FirstUsefulness(DeltaConfig config, PageStore pages, Ranks ranks, Costs costs) {
    this.config = config;
    this.pages = pages;
    this.ranks = ranks;
    this.costs = costs;
  }

  /**
   * Finds it for all pages and writes it to a file, durably, and to the store.
   *
   * @param reader of the commit that the store stands for
   * @param generation the batch of that commit
   * @return how many pages; there is no file if there are none
   */
  int find(DirectoryReader reader, Directory files, String name, long generation)
      throws IOException {
    int unknown = unknown();
    Terms keys = unknown == 0 ? null : MultiTerms.getTerms(reader, config.keyField());
    if (keys == null) {
      return 0;
    }
    PageMeasure measure = new PageMeasure(ranks, ranks.scores(), config, costs.loop());
    PageEntry page = new PageEntry();
    int found = 0;
    try (RefreshFile.Writer file = new RefreshFile.Writer(files, name)) {
      TermsEnum cursor = keys.iterator();
      for (BytesRef key = cursor.next(); key != null; key = cursor.next()) {
        if (pages.get(key, page) && isUnknown(page)) {
          page.page = PageKeys.name(key);
          float useful = (float) measure.usefulness(page, page.vector);
          if (Float.isFinite(useful)) {
            file.page(key, List.of(Refresh.useful(generation, useful)));
            page.usefulness = useful;
            pages.put(key, page);
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
    pages.forEach((key, page) -> unknown[0] += isUnknown(page) ? 1 : 0);
    return unknown[0];
  }
}
