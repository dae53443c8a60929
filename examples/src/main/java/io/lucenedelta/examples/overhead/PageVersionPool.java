// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts that pages of a crawl had over time, in memory, so that reading and parsing files stay
 * out of what is measured. Immutable after {@link #read}.
 */
final class PageVersionPool {
  /** A page's address and its different texts in time order, at least one. */
  record Versions(String key, List<String> texts) {}

  private final List<Versions> all;
  private final List<Versions> changing;

  private PageVersionPool(List<Versions> all) {
    this.all = all;
    this.changing = all.stream().filter(page -> page.texts().size() > 1).toList();
  }

  /**
   * Reads a crawl: pages until their first texts have so many characters, and what becomes of them
   * until all texts have twice as many.
   *
   * @param mostFirst in characters, over 0
   * @throws IllegalArgumentException if it has no page, or none of those read ever changes
   */
  static PageVersionPool read(SnapshotArchive archive, long mostFirst) {
    Map<String, List<String>> texts = new LinkedHashMap<>();
    long[] chars = {0};
    for (int week = 0; week < archive.size() && chars[0] < 2 * mostFirst; week++) {
      archive.read(
          week,
          page -> {
            long most = texts.containsKey(page.key()) ? 2 * mostFirst : mostFirst;
            if (chars[0] < most) {
              chars[0] += add(texts, page);
            }
          });
    }
    List<Versions> all = new ArrayList<>();
    texts.forEach((key, versions) -> all.add(new Versions(key, versions)));
    if (all.isEmpty()) {
      throw new IllegalArgumentException(SnapshotArchive.NO_PAGE);
    }
    PageVersionPool pool = new PageVersionPool(all);
    if (pool.changing.isEmpty()) {
      throw new IllegalArgumentException(
          (all.size() == 1
                  ? "the crawl's only page never changes its text"
                  : "none of the crawl's " + all.size() + " pages ever changes its text")
              + ", so there is nothing to measure: take a crawl of several weeks");
    }
    return pool;
  }

  private static long add(Map<String, List<String>> texts, CrawledPage page) {
    String text = PageAnalysis.body(page);
    List<String> versions = texts.computeIfAbsent(page.key(), key -> new ArrayList<>(1));
    if (!versions.isEmpty() && versions.get(versions.size() - 1).equals(text)) {
      return 0;
    }
    versions.add(text);
    return text.length();
  }

  /** All pages. */
  List<Versions> all() {
    return all;
  }

  /** The pages with at least two texts. */
  List<Versions> changing() {
    return changing;
  }
}
