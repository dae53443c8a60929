// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

/**
 * Parameters of the online policies of the 2008 paper.
 *
 * @param threshold T, the utility in divergence × days at which a page is refreshed, positive and
 *     finite
 * @param profiles h, change profiles kept a page, at least 1
 * @param learningDays l, days by which the longest period grows with each visit, positive and
 *     finite
 * @param risk ρ, at least 1 and finite: no period exceeds ρ·T
 */
public record UtilitySettings(double threshold, int profiles, double learningDays, double risk) {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is outside its range
   */
  public UtilitySettings {
    boolean inRange = threshold > 0 && profiles >= 1 && learningDays > 0 && risk >= 1;
    boolean finite =
        Double.isFinite(threshold) && Double.isFinite(learningDays) && Double.isFinite(risk);
    if (!inRange || !finite) {
      throw new IllegalArgumentException(
          "threshold and learningDays must be positive, profiles and risk at least 1, and all finite; were %s, %s, %d, %s"
              .formatted(threshold, learningDays, profiles, risk));
    }
  }

  /** h = 5, the paper's; ρ = 10, which it gives for {@link BoundBased} alone; l = 28 days. */
  public static UtilitySettings ofThreshold(double threshold) {
    return new UtilitySettings(threshold, 5, 28, 10);
  }

  /** The longest period the risk bound allows, in days (section 4.5, with D at most 1). */
  double riskCap() {
    return risk * threshold;
  }
}
