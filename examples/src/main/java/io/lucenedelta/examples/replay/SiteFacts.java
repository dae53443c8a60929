// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.TopPages;

/**
 * Facts of all pages beside their visits, the same for all runs. Immutable.
 *
 * <p>A share of the pages publishes its changes, the way sitemaps do; which ones, a hash of seed
 * and page decides. Half of those also publish how likely they are to change.
 */
final class SiteFacts {
  private final String[] site;
  private final double[] expectedViews;
  private final float[] importance;
  private final PageFacts.Provider[] provider;

  private SiteFacts(
      String[] site, double[] expectedViews, float[] importance, PageFacts.Provider[] provider) {
    this.site = site;
    this.expectedViews = expectedViews;
    this.importance = importance;
    this.provider = provider;
  }

  /**
   * Facts of a corpus.
   *
   * @param publishingShare share of the pages that publish their changes, in [0, 1]
   */
  static SiteFacts of(
      ReplayCorpus corpus,
      double[] expectedViews,
      float[] importance,
      double publishingShare,
      long seed) {
    int pages = corpus.pageCount();
    String[] site = new String[pages];
    PageFacts.Provider[] provider = new PageFacts.Provider[pages];
    for (int page = 0; page < pages; page++) {
      String key = corpus.page(page);
      site[page] = PageFacts.siteOf(key).intern();
      boolean publishes = TopPages.fraction(seed ^ 0x51E5, key) < publishingShare;
      boolean predicts = TopPages.fraction(seed ^ 0x50BE, key) < 0.5;
      provider[page] =
          publishes
              ? (predicts ? PageFacts.Provider.SUPER : PageFacts.Provider.SMART)
              : PageFacts.Provider.NORMAL;
    }
    return new SiteFacts(site, expectedViews, importance, provider);
  }

  String site(int page) {
    return site[page];
  }

  double expectedViews(int page) {
    return expectedViews[page];
  }

  double importance(int page) {
    return importance[page];
  }

  PageFacts.Provider provider(int page) {
    return provider[page];
  }
}
