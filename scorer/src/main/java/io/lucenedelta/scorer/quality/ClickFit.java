// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.quality.ViewingLikelihoodFit.Range;
import io.lucenedelta.workload.ClickCounts;
import java.util.stream.IntStream;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/** Maximum-likelihood fit of a one-parameter family of curves to clicks by rank. */
final class ClickFit {
  /**
   * A family of curves.
   *
   * @param domain the least and the greatest parameter; NaN where there is none
   * @param logWeight ln I(rank) up to a constant
   */
  record Family(String name, Range domain, LogWeight logWeight, Curve curve) {
    interface LogWeight {
      double at(int rank, double parameter);
    }

    interface Curve {
      ViewingLikelihood of(double scale, double parameter);
    }
  }

  static final Family POWER_LAW =
      new Family(
          "power law",
          new Range(1e-3, PowerLawViews.STEEPEST),
          (rank, exponent) -> -exponent * Math.log(rank),
          PowerLawViews::new);
  static final Family GEOMETRIC =
      new Family(
          "geometric",
          new Range(1e-6, 1 - 1e-9),
          (rank, persistence) -> (rank - 1) * Math.log(persistence),
          GeometricViews::new);
  static final Family LOGARITHMIC =
      new Family(
          "logarithmic",
          new Range(Double.NaN, Double.NaN),
          (rank, none) -> -Math.log(Math.log1p(rank)),
          (scale, none) -> new LogarithmicViews(scale));

  /** 95 % points of the chi-square distribution with one degree of freedom, and of the normal. */
  private static final double CHI_SQUARE_95 = 3.841458820694124;

  private static final double NORMAL_95 = 1.959963984540054;
  private static final double ACCURACY = 1e-10;
  private static final int EVALUATIONS = 10_000;
  private static final double LEAST_EXPECTED = 5;

  /** One of so many clicks may be left out, and one of fewer. */
  private static final int CLICKS_A_WILD_ONE = 1_000;

  private final ClickCounts clicks;
  private final double queries;
  private final Family family;
  private final int depth;
  private final long total;

  ClickFit(ClickCounts clicks, double queries, Family family) {
    this.clicks = clicks;
    this.queries = queries;
    this.family = family;
    this.depth = depth(clicks);
    this.total = IntStream.rangeClosed(1, depth).mapToLong(clicks::at).sum();
    if (clicks.clickedRanks() < 2) {
      throw new IllegalArgumentException(
          "a viewing likelihood needs clicks at two ranks at least, there are "
              + total
              + " clicks down to rank "
              + depth
              + "; use a log with clicked ranks");
    }
    if (!(queries > 0 && queries <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("queries must be over 0 and finite, were " + queries);
    }
  }

  /**
   * The deepest rank that the fit takes in: one click in a thousand may lie deeper, or one of fewer
   * clicks, as far as two ranks are left. The curve is summed down to there, so that one line with
   * a wild rank would decide the fit. Whether or not they are wild, what lies less deep is
   * distributed as the curve is down to that rank.
   */
  private static int depth(ClickCounts clicks) {
    long most = Math.max(1, clicks.total() / CLICKS_A_WILD_ONE);
    int depth = clicks.deepestRank();
    long deeper = 0;
    for (int ranks = clicks.clickedRanks(); ranks > 2; ranks--) {
      deeper += clicks.at(depth);
      if (deeper > most) {
        break;
      }
      do {
        depth--;
      } while (clicks.at(depth) == 0);
    }
    return depth;
  }

  ViewingLikelihoodFit fit() {
    boolean free = !Double.isNaN(family.domain().low());
    double parameter = free ? mostLikely() : Double.NaN;
    Range range = free ? interval(parameter) : new Range(Double.NaN, Double.NaN);
    double[] probability = probabilities(parameter);
    double scale = scale(parameter);
    double relativeError = Math.sqrt(1.0 / total + (free ? scaleVariance(range) : 0));
    PearsonTest test = new PearsonTest(probability, free ? 1 : 0);
    return new ViewingLikelihoodFit(
        family.name(),
        family.curve().of(scale, parameter),
        parameter,
        range,
        scale,
        new Range(
            scale * Math.exp(-NORMAL_95 * relativeError),
            scale * Math.exp(NORMAL_95 * relativeError)),
        total,
        depth,
        logLikelihood(parameter),
        test.statistic,
        test.degrees,
        test.pValue(),
        largestDeviation(probability));
  }

  private double mostLikely() {
    return new BrentOptimizer(ACCURACY, ACCURACY)
        .optimize(
            new MaxEval(EVALUATIONS),
            new UnivariateObjectiveFunction(this::logLikelihood),
            GoalType.MAXIMIZE,
            new SearchInterval(family.domain().low(), family.domain().high()))
        .getPoint();
  }

  /** Where the likelihood ratio reaches the 95 % point, or the end of the domain. */
  private Range interval(double parameter) {
    double threshold = logLikelihood(parameter) - CHI_SQUARE_95 / 2;
    UnivariateFunction above = value -> logLikelihood(value) - threshold;
    return new Range(
        crossing(above, family.domain().low(), parameter),
        crossing(above, parameter, family.domain().high()));
  }

  private static double crossing(UnivariateFunction above, double low, double high) {
    if (above.value(low) * above.value(high) >= 0) {
      return above.value(low) > above.value(high) ? high : low;
    }
    return new BrentSolver(ACCURACY).solve(EVALUATIONS, above, low, high);
  }

  private double logLikelihood(double parameter) {
    double sum = 0;
    for (int rank = 1; rank <= depth; rank++) {
      if (clicks.at(rank) > 0) {
        sum += clicks.at(rank) * family.logWeight().at(rank, parameter);
      }
    }
    return sum - total * Math.log(norm(parameter));
  }

  private double norm(double parameter) {
    double sum = 0;
    for (int rank = 1; rank <= depth; rank++) {
      sum += Math.exp(family.logWeight().at(rank, parameter));
    }
    return sum;
  }

  private double[] probabilities(double parameter) {
    double norm = norm(parameter);
    double[] probability = new double[depth + 1];
    for (int rank = 1; rank <= depth; rank++) {
      probability[rank] = Math.exp(family.logWeight().at(rank, parameter)) / norm;
    }
    return probability;
  }

  /** I(1): the expected clicks at rank 1 a query. */
  private double scale(double parameter) {
    double first = Math.exp(family.logWeight().at(1, parameter)) / norm(parameter);
    return total / queries * first;
  }

  /** Variance of ln scale that the parameter's uncertainty adds, by what its interval moves. */
  private double scaleVariance(Range range) {
    double width = Math.log(scale(range.high())) - Math.log(scale(range.low()));
    double deviation = width / (2 * NORMAL_95);
    return deviation * deviation;
  }

  private double largestDeviation(double[] probability) {
    double expected = 0;
    double seen = 0;
    double largest = 0;
    for (int rank = 1; rank <= depth; rank++) {
      expected += probability[rank];
      seen += clicks.at(rank) / (double) total;
      largest = Math.max(largest, Math.abs(expected - seen));
    }
    return largest;
  }

  /** Pearson's test over ranks, pooled from the top down. */
  private final class PearsonTest {
    private double statistic;
    private int degrees;

    PearsonTest(double[] probability, int parameters) {
      double expected = 0;
      double seen = 0;
      double left = total;
      int cells = 0;
      for (int rank = 1; rank <= depth; rank++) {
        expected += total * probability[rank];
        seen += clicks.at(rank);
        left -= total * probability[rank];
        boolean last = rank == depth;
        if (last || (expected >= LEAST_EXPECTED && left >= LEAST_EXPECTED)) {
          statistic += (seen - expected) * (seen - expected) / expected;
          cells++;
          expected = 0;
          seen = 0;
        }
      }
      degrees = Math.max(0, cells - 1 - parameters);
    }

    double pValue() {
      return degrees == 0
          ? Double.NaN
          : 1 - new ChiSquaredDistribution(degrees).cumulativeProbability(statistic);
    }
  }
}
