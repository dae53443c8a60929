// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.divergence.Eagerness;

/**
 * D(𝒫, t1, t2), the fragment staleness of a repository averaged over pages and time (2008,
 * equations 1 and 2 with all weights 1), kept up to date page by page. All pages of the crawl
 * count: one without a copy as 1, one that is not there yet as 0. Not safe for use by several
 * threads.
 *
 * <p>Between two weeks a page's divergence from its copy is interpolated by its eagerness (appendix
 * B), so even a repository refreshed every week is a little stale. Summed in whole multiples of
 * 2^-24, the precision of the parts, so that the order of updates cannot show.
 */
final class StalenessSum {
  private static final double UNIT = 0x1.0p24;

  private final Divergences divergences;
  private final Repository repository;
  private final int[] parts;
  private long sum;

  StalenessSum(Divergences divergences, Repository repository) {
    this.divergences = divergences;
    this.repository = repository;
    this.parts = new int[divergences.pageCount()];
  }

  /** Takes note that a page was refreshed. */
  void update(int page) {
    int rounded = now(page);
    sum += rounded - parts[page];
    parts[page] = rounded;
  }

  private int now(int page) {
    double part = divergences.between(page, repository.held(page), repository.live(page));
    return (int) Math.rint(part * UNIT);
  }

  /**
   * Takes note that the live Web moved on to the next week.
   *
   * @param changed the pages that changed
   * @return mean staleness between the last week's refreshes and now
   */
  double advance(int[] changed) {
    long between = 0;
    for (int page : changed) {
      double eagerness = divergences.eagerness(page);
      between += Math.round(Eagerness.interpolate(eagerness, 0, now(page) - parts[page]));
    }
    double mean = (sum + between) / UNIT / parts.length;
    for (int page : changed) {
      update(page);
    }
    return mean;
  }
}
