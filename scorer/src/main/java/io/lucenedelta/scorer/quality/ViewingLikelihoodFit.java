// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.workload.ClickCounts;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The viewing likelihood fitted to the ranks of clicked results (2005, section 3: "by monitoring
 * user behavior and fitting a curve"), taking clicks for views.
 *
 * <p>A click falls on rank r with probability I(r) / Σ I over the ranks 1 … R. R is the deepest
 * rank with a click once the deepest clicks are left out, one in a thousand, or one of fewer, as
 * long as clicks at two ranks are left: a single line with a wild rank would decide the fit
 * otherwise. The parameter maximises the likelihood; its interval holds the values whose likelihood
 * ratio is not rejected at 5 %. The scale makes I(r) the expected number of clicks at rank r a
 * query, with an interval that takes the number of clicks as Poisson and adds the parameter's
 * uncertainty. Goodness of fit: Pearson's chi-square over ranks, neighbouring ranks pooled until
 * five clicks are expected; and the largest deviation of the distribution functions
 * (Kolmogorov–Smirnov), which unlike the former does not reject every curve when there are many
 * clicks. Intervals and chi-square take clicks as independent; those of one session or query are
 * not, so both are too sure.
 *
 * @param curve which kind: {@code power law}, {@code geometric} or {@code logarithmic}
 * @param views the fitted curve
 * @param parameter exponent or persistence; NaN for the logarithmic curve, which has none
 * @param parameterRange 95 % interval of it
 * @param scale I(1)
 * @param scaleRange 95 % interval of it
 * @param clicks number of clicks behind the fit, those down to R
 * @param deepestRank R, from 2
 * @param logLikelihood natural logarithm of the likelihood of the ranks; greater is better
 * @param chiSquare Pearson's statistic
 * @param degreesOfFreedom of it; 0 when too few clicks to judge
 * @param pValue probability of so great a statistic if the curve were right; NaN without degrees
 * @param largestDeviation between the distributions of clicks and curve, from 0 to 1
 */
public record ViewingLikelihoodFit(
    String curve,
    ViewingLikelihood views,
    double parameter,
    Range parameterRange,
    double scale,
    Range scaleRange,
    long clicks,
    int deepestRank,
    double logLikelihood,
    double chiSquare,
    int degreesOfFreedom,
    double pValue,
    double largestDeviation) {

  /**
   * An interval.
   *
   * @param low its lower end
   * @param high its upper end
   */
  public record Range(double low, double high) {
    /** Whether a value lies in it. */
    public boolean contains(double value) {
      return low <= value && value <= high;
    }
  }

  /**
   * Fits I(r) = c·r^-a, the paper's curve.
   *
   * @param clicks at least two ranks with clicks
   * @param queries how many queries were asked, over 0 and finite
   * @throws IllegalArgumentException if there are clicks at fewer ranks, or {@code queries} is out
   *     of range
   */
  public static ViewingLikelihoodFit powerLaw(ClickCounts clicks, double queries) {
    return new ClickFit(clicks, queries, ClickFit.POWER_LAW).fit();
  }

  /** Fits I(r) = c·p^(r-1); arguments as for {@link #powerLaw}. */
  public static ViewingLikelihoodFit geometric(ClickCounts clicks, double queries) {
    return new ClickFit(clicks, queries, ClickFit.GEOMETRIC).fit();
  }

  /** Fits I(r) = c/log₂(1 + r), of which only c is free; arguments as for {@link #powerLaw}. */
  public static ViewingLikelihoodFit logarithmic(ClickCounts clicks, double queries) {
    return new ClickFit(clicks, queries, ClickFit.LOGARITHMIC).fit();
  }

  /**
   * All curves, the one with the least {@link #aic} first; arguments as for {@link #powerLaw}.
   *
   * @throws IllegalArgumentException if there are clicks at fewer than two ranks, or {@code
   *     queries} is not over 0 and finite
   */
  public static List<ViewingLikelihoodFit> all(ClickCounts clicks, double queries) {
    return Stream.of(
            powerLaw(clicks, queries), geometric(clicks, queries), logarithmic(clicks, queries))
        .sorted(Comparator.comparingDouble(ViewingLikelihoodFit::aic))
        .toList();
  }

  /** Akaike's information criterion, 2·parameters − 2·log-likelihood: less is better. */
  public double aic() {
    return (Double.isNaN(parameter) ? 0 : 2) - 2 * logLikelihood;
  }
}
