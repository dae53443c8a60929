// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import org.apache.commons.math3.special.Gamma;

/**
 * How widely the change rates of pages spread around what their directories lead to expect, learned
 * from how many of their visits found a change. It says how soon a page's own record is trusted:
 * late where neighbours are alike, soon where some of them change before every visit and others
 * never do.
 *
 * <p>Rates are taken to follow a gamma distribution around what is expected, λ0. With the shape a a
 * page of n changes in T days has the rate (n + a) / (T + a/λ0) in the mean, the formula of {@link
 * GainModel}; the smaller a, the wider the spread. A page that changes at λ is found changed by a
 * visit after τ days with the probability 1 − e^(−λτ), since a visit cannot tell several changes
 * from one. So n of v visits, τ apart in the mean, have the likelihood E[(1 − e^(−λτ))^n · e^(−λτ(v
 * − n))] over the distribution. Its mean is −ln(1 − λ0·τ)/τ: λ0 is learned from what visits find,
 * which misses as many changes as they do.
 *
 * <p>The largest a is tried, and what is left of it when it is halved up to {@value #HALVINGS}
 * times. The largest is taken unless another explains all records together twenty times as well. It
 * is taken, too, where fewer than a tenth of the visits found nothing: then those that find nothing
 * are not recorded, it seems, and every page looks as if it changed before each visit.
 *
 * <p>Records are counted in cells, so that memory does not grow with their number and their order
 * leaves no trace. Not safe for use by several threads while records are added.
 */
final class RateSpread {
  private static final int HALVINGS = 4;

  /** Twenty times as likely. */
  private static final double EVIDENCE = 3; // of the logarithm

  /** One visit in so many at least must have found nothing. */
  private static final int FOUND_NOTHING = 10;

  /** Where pages are visited more often several visits count as one, or a share of the visits. */
  private static final int MOST_VISITS = 31;

  /** A share of visits that find a change beyond which nobody can tell how many they miss. */
  private static final double MOST_EXPECTED = 0.98;

  // expected changes a visit: a quarter of an octave from one to the next, the last more than 13
  private static final int EXPECTATIONS = 64;
  private static final int STEPS_AN_OCTAVE = 4;
  private static final int ONE = 48; // where one change is expected a visit

  // rates as multiples of the expected one, the first for all below it
  private static final int MULTIPLES = 52;
  private static final int EXPECTED = 36;
  private static final double STEP = 0.4; // of the logarithm

  private final double largest;
  private final int[] cells = new int[(MOST_VISITS + 1) * (MOST_VISITS + 1) * EXPECTATIONS];
  private long allVisits;
  private long allChanges; // how many of them found one

  /**
   * No record yet.
   *
   * @param largest the largest shape to be found, positive
   */
  RateSpread(double largest) {
    this.largest = largest;
  }

  /**
   * Adds the record of a page. One of less than two visits tells nothing that its neighbours do not
   * tell.
   *
   * @param visits after the first fetch
   * @param changes how many of them found a change
   * @param expected the share of visits that the page's directory leads to expect to find one
   */
  void add(int visits, int changes, double expected) {
    if (visits < 2 || !(expected > 0)) {
      return;
    }
    int found = Math.min(changes, visits);
    allVisits += visits;
    allChanges += found;
    double mean = -Math.log1p(-Math.min(expected, MOST_EXPECTED));
    int together = together(visits, mean);
    int merged = (int) Math.round((double) visits / together);
    double missed = Math.pow(1 - (double) found / visits, together);
    add(merged, merged * (1 - missed), together * mean);
  }

  /** How many visits in a row to take for one: a share of few changes would be rounded to none. */
  private static int together(int visits, double mean) {
    double most = Math.max(1, 1 / mean);
    return (int) Math.min(Math.ceil((double) visits / MOST_VISITS), most);
  }

  private void add(int visits, double changes, double mean) {
    long bin = Math.round(STEPS_AN_OCTAVE * Math.log(mean) / Math.log(2)) + ONE;
    if (bin >= 0) { // else so many visits are needed to find a change that these tell nothing
      double kept = Math.min(1, (double) MOST_VISITS / visits);
      int cellVisits = (int) Math.round(kept * visits);
      int cellChanges = (int) Math.round(kept * changes);
      int last = (int) Math.min(bin, EXPECTATIONS - 1);
      cells[(cellVisits * (MOST_VISITS + 1) + cellChanges) * EXPECTATIONS + last]++;
    }
  }

  /** The shape that explains the records, at most the largest. */
  double shape() {
    if (FOUND_NOTHING * (allVisits - allChanges) < allVisits) {
      return largest;
    }
    double[] likelihoods = logLikelihoods();
    int best = 0;
    for (int i = 1; i < likelihoods.length; i++) {
      best = likelihoods[i] > likelihoods[best] ? i : best;
    }
    return likelihoods[best] - likelihoods[0] > EVIDENCE ? shape(best) : largest;
  }

  private double shape(int halvings) {
    return largest / (1 << halvings);
  }

  /** The logarithm of the likelihood of all records for each shape, the largest first. */
  double[] logLikelihoods() {
    double[] logs = new double[HALVINGS + 1];
    double[][] weights = null; // not needed without records
    double[] likelihoods = new double[MULTIPLES];
    for (int cell = 0; cell < cells.length; cell++) {
      if (cells[cell] > 0) {
        weights = weights == null ? weights() : weights;
        likelihoods(cell, likelihoods);
        for (int i = 0; i <= HALVINGS; i++) {
          double likelihood = 0;
          for (int multiple = 0; multiple < MULTIPLES; multiple++) {
            likelihood += weights[i][multiple] * likelihoods[multiple];
          }
          logs[i] += cells[cell] * Math.log(Math.max(Double.MIN_NORMAL, likelihood));
        }
      }
    }
    return logs;
  }

  /** How likely the record of a cell is for each multiple of the expected rate. */
  private static void likelihoods(int cell, double[] target) {
    double expected = Math.exp((cell % EXPECTATIONS - ONE) * Math.log(2) / STEPS_AN_OCTAVE);
    int visits = cell / EXPECTATIONS / (MOST_VISITS + 1);
    int changes = cell / EXPECTATIONS % (MOST_VISITS + 1);
    for (int multiple = 0; multiple < MULTIPLES; multiple++) {
      double mean = expected * Math.exp(STEP * (multiple - EXPECTED));
      double found = changes == 0 ? 0 : changes * Math.log(-Math.expm1(-mean));
      target[multiple] = Math.exp(found - (visits - changes) * mean);
    }
  }

  /** The probability of each multiple, by shape. */
  private double[][] weights() {
    double[][] weights = new double[HALVINGS + 1][MULTIPLES];
    for (int i = 0; i <= HALVINGS; i++) {
      double shape = shape(i);
      double below = 0;
      for (int multiple = 0; multiple < MULTIPLES; multiple++) {
        double end = Math.exp(STEP * (multiple - EXPECTED + 0.5));
        double upTo = multiple == MULTIPLES - 1 ? 1 : Gamma.regularizedGammaP(shape, shape * end);
        weights[i][multiple] = upTo - below;
        below = upTo;
      }
    }
    return weights;
  }
}
