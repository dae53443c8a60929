// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import java.util.Arrays;
import java.util.Objects;

/**
 * The exact change of one query's quality when one page's score moves and all others stay: the
 * numerator of equation 6 (2005) for a query asked once, by equation 7, from the scores of the
 * other pages in the result.
 *
 * <p>Every page is worth its own score, the moving one its score after. That is {@link
 * ExactQuality#change} where nothing but this page is out of date; a page that changed unnoticed is
 * worth what its known version is, not what it became.
 *
 * <p>Cost: one comparison an offered page; the pages that are passed are sorted. Reusable, for one
 * thread.
 */
public final class ExactShift {
  private final ViewingLikelihood views;
  private double before;
  private double after;
  private int ahead; // pages that stay ahead of the moving one
  private double[] passed = new double[64];
  private int count;

  /**
   * Measures with I(r).
   *
   * @throws NullPointerException if there is none
   */
  public ExactShift(ViewingLikelihood views) {
    this.views = Objects.requireNonNull(views, PowerLawViews.NONE_GIVEN);
  }

  /**
   * Starts a query: the page moves from one score to another, 0 standing for not in the result.
   *
   * @throws IllegalArgumentException if a score is negative or not finite
   */
  public void begin(double scoreBefore, double scoreAfter) {
    double greater = Math.max(scoreBefore, scoreAfter);
    if (!(scoreBefore >= 0 && scoreAfter >= 0 && greater <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "scores must be 0 or more and finite, were %s and %s".formatted(scoreBefore, scoreAfter));
    }
    before = scoreBefore;
    after = scoreAfter;
    ahead = 0;
    count = 0;
  }

  /** Whether another page's score is the moving page's, before or after, so that order decides. */
  public boolean ties(double score) {
    return score == before || score == after;
  }

  /**
   * Offers another page of the result, in any order.
   *
   * @param score its score, over 0
   * @param first whether it comes before the moving page when their scores are equal
   */
  public void other(double score, boolean first) {
    if (isAhead(score, first, Math.max(before, after))) {
      ahead++;
    } else if (isAhead(score, first, Math.min(before, after))) {
      passed = count == passed.length ? Arrays.copyOf(passed, 2 * count) : passed;
      passed[count++] = score;
    }
  }

  private static boolean isAhead(double score, boolean first, double moving) {
    return score > moving || (score == moving && first);
  }

  /** The change: 0 or more, since the page moves to where its score belongs. */
  public double change() {
    if (before == after) {
      return 0;
    }
    Arrays.sort(passed, 0, count);
    boolean rises = after > before;
    int upper = ahead + 1;
    int lower = ahead + count + 1;
    double viewsBefore = before > 0 ? views.at(rises ? lower : upper) : 0;
    double viewsAfter = after > 0 ? views.at(rises ? upper : lower) : 0;
    double sum = (viewsAfter - viewsBefore) * after;
    for (int i = 0; i < count; i++) {
      double fall = views.at(upper + i) - views.at(upper + i + 1);
      sum += (rises ? -fall : fall) * passed[count - 1 - i];
    }
    return sum;
  }
}
