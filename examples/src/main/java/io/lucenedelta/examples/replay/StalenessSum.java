// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

/**
 * D(𝒫), the mean fragment staleness of a repository (2008, equation 1 with all weights 1), kept up
 * to date page by page. Not safe for use by several threads.
 *
 * <p>Summed in whole multiples of 2^-24, the precision of the parts, so that the order of updates
 * cannot show.
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

  /** Takes note that a page changed or was refreshed. */
  void update(int page) {
    double part = divergences.between(page, repository.held(page), repository.live(page));
    int rounded = (int) Math.rint(part * UNIT);
    sum += rounded - parts[page];
    parts[page] = rounded;
  }

  double mean() {
    return sum / UNIT / parts.length;
  }
}
