// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The complete result of one query: every page with a positive score, in descending order of score,
 * ties in page order. Pages are numbered from 0 in page order. Immutable.
 */
public final class RankedResults {
  private final int[] pages;
  private final int[] rank; // by page, 0 when not in the result

  private RankedResults(int[] pages, int[] rank) {
    this.pages = pages;
    this.rank = rank;
  }

  /** Ranks pages by their scores; element p is the score of page p, 0 for not in the result. */
  public static RankedResults of(double[] scores) {
    int[] pages =
        IntStream.range(0, scores.length)
            .filter(page -> scores[page] > 0)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer page) -> -scores[page]))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] rank = new int[scores.length];
    for (int i = 0; i < pages.length; i++) {
      rank[pages[i]] = i + 1;
    }
    return new RankedResults(pages, rank);
  }

  /** Number of results. */
  public int size() {
    return pages.length;
  }

  /** The page at a rank, {@code 1 <= rank <= size()}. */
  public int pageAt(int rank) {
    return pages[rank - 1];
  }

  /** R(p, a): the rank of a page, from 1; infinite when the page is not in the result. */
  public double rankOf(int page) {
    return rank[page] == 0 ? Double.POSITIVE_INFINITY : rank[page];
  }

  @Override
  public String toString() {
    return "results " + Arrays.toString(pages);
  }
}
