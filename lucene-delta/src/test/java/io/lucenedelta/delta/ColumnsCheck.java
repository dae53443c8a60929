// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.PageHistory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.BytesRef;

/** Compares what orders the pages with the entries of the page store. */
final class ColumnsCheck {
  private ColumnsCheck() {}

  /** Fails when a page has another history in the columns than in the store, or is in one alone. */
  static void compare(Measurer measurer, String when) throws IOException {
    List<String> pages = new ArrayList<>();
    PageEntry entry = new PageEntry();
    StoredHistories histories = measurer.histories();
    histories.forEach(
        page -> {
          pages.add(page.page());
          assertThat(entryOf(measurer, page, entry)).as("%s, %s", page.page(), when).isTrue();
          assertThat(describe(page)).as("%s, %s", page.page(), when).isEqualTo(describe(entry));
        });
    assertThat(pages).as("pages in columns, %s", when).doesNotHaveDuplicates();
    assertThat((long) pages.size()).as("pages in columns, %s", when).isEqualTo(histories.size());
  }

  private static boolean entryOf(Measurer measurer, PageHistory page, PageEntry entry) {
    try {
      return measurer.page(new BytesRef(page.page()), entry) && entry.present;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Everything but the key that columns hold. */
  static String describe(PageHistory page) {
    return "%s %d %d %s %s %s %s %s"
        .formatted(
            page.lastRefresh(),
            page.refreshes(),
            page.changes(),
            page.totalDays(),
            page.sumOfRates(),
            page.totalGain(),
            page.totalRootGain(),
            page.usefulness());
  }
}
