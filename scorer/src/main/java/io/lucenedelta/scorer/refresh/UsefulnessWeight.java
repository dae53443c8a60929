// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the gain of a change grows with the usefulness of the page, learned from the changes found.
 *
 * <p>On some crawls a change of a page is worth in proportion to what users get from the page, on
 * others much less so, since useful pages are stable at the top of their results. So no power is
 * chosen: ½, ¾ and 1 are averaged, each counting by how well it explains the gains so far. The
 * weight of a page of relative usefulness u is Σ_p π_p · u^p / mean(u^p), means over the changes
 * found; it is 1 in the mean over these.
 *
 * <p>π_p is proportional to exp(ℓ_p / φ), ℓ_p the quasi-likelihood (Poisson form, level fitted) of
 * <em>roots</em> of gains, whose expectation goes with u^(p/2), since gains are heavy-tailed; φ the
 * dispersion of the roots, their squared coefficient of variation. With nothing found the three
 * count alike. Flatter powers were tried: averaged with these they cost more on most crawls than
 * they bring on those where usefulness tells nothing.
 *
 * <p>Sums do not show the order of their addends. Not safe for use by several threads while changes
 * are added; afterwards it is.
 */
final class UsefulnessWeight {
  private static final int POWERS = 3; // 1/2, 3/4, 1

  private final StableSum changes = new StableSum();
  private final StableSum gains = new StableSum();
  private final StableSum roots = new StableSum();
  private final StableSum rootsByLog = new StableSum(); // Σ √gain · ln u
  private final StableSum[] sums = sums(); // Σ u^p
  private final StableSum[] rootSums = sums(); // Σ u^(p/2)
  private final double[] factors = new double[POWERS];

  UsefulnessWeight() {
    Arrays.fill(factors, 1.0 / POWERS);
  }

  private static StableSum[] sums() {
    StableSum[] sums = new StableSum[POWERS];
    Arrays.setAll(sums, power -> new StableSum());
    return sums;
  }

  /** Adds the changes of a page in place of those that were added of it before. */
  void replace(FoundChanges before, FoundChanges after) {
    changes.replace(before.count(), after.count(), 0);
    gains.replace(before.gain(), after.gain(), 0);
    roots.replace(before.rootGain(), after.rootGain(), 0);
    rootsByLog.replace(rootByLog(before), rootByLog(after), 0);
    double quarterBefore = Math.sqrt(Math.sqrt(before.relative()));
    double quarter = Math.sqrt(Math.sqrt(after.relative()));
    double eighthBefore = Math.sqrt(quarterBefore);
    double eighth = Math.sqrt(quarter);
    double powerBefore = before.count() * quarterBefore;
    double power = after.count() * quarter;
    double rootPowerBefore = before.count() * eighthBefore;
    double rootPower = after.count() * eighth;
    for (int j = 0; j < POWERS; j++) {
      powerBefore *= quarterBefore;
      power *= quarter;
      sums[j].replace(powerBefore, power, 0);
      rootPowerBefore *= eighthBefore;
      rootPower *= eighth;
      rootSums[j].replace(rootPowerBefore, rootPower, 0);
    }
  }

  private static double rootByLog(FoundChanges found) {
    return found.rootGain() * Math.log(found.relative());
  }

  /** Works out the weights from what was added. */
  void learn() {
    System.arraycopy(learned(), 0, factors, 0, POWERS);
  }

  private double[] learned() {
    double[] learned = new double[POWERS];
    Arrays.fill(learned, 1.0 / POWERS);
    double n = changes.value();
    if (n > 0) {
      double[] shares = shares(n);
      Arrays.setAll(learned, j -> shares[j] * n / sums[j].value());
    }
    return learned;
  }

  /** Whether learning again would change the weight of a usual page by more than a share. */
  boolean moved(double share) {
    double[] learned = learned();
    double change = 0;
    double before = 0;
    for (int j = 0; j < POWERS; j++) {
      change += Math.abs(learned[j] - factors[j]);
      before += factors[j];
    }
    return change > share * before;
  }

  /** Writes sums and weights. */
  void write(DataOutput out) throws IOException {
    for (StableSum sum : all()) {
      sum.write(out);
    }
    for (double factor : factors) {
      out.writeDouble(factor);
    }
  }

  /** Goes on with what was written. */
  void read(DataInput in) throws IOException {
    for (StableSum sum : all()) {
      sum.read(in);
    }
    for (int j = 0; j < POWERS; j++) {
      factors[j] = in.readDouble();
    }
  }

  private List<StableSum> all() {
    List<StableSum> all = new ArrayList<>(List.of(changes, gains, roots, rootsByLog));
    all.addAll(Arrays.asList(sums));
    all.addAll(Arrays.asList(rootSums));
    return all;
  }

  private double[] shares(double n) {
    double[] shares = new double[POWERS];
    double root = roots.value();
    if (!(root > 0)) {
      Arrays.fill(shares, 1.0 / POWERS);
      return shares;
    }
    double dispersion = Math.max(1, n * gains.value() / (root * root) - 1);
    double[] likelihood = new double[POWERS];
    for (int j = 0; j < POWERS; j++) {
      double slope = (j + 2) / 8.0 * rootsByLog.value() * n / root;
      likelihood[j] = (slope - n * Math.log(rootSums[j].value() / n)) / dispersion;
    }
    double best = Arrays.stream(likelihood).max().orElseThrow();
    Arrays.setAll(shares, j -> Math.exp(likelihood[j] - best));
    double sum = Arrays.stream(shares).sum();
    Arrays.setAll(shares, j -> shares[j] / sum);
    return shares;
  }

  /** The weight of a change of a page, given its usefulness as a multiple of the mean. */
  double of(double relative) {
    double quarter = Math.sqrt(Math.sqrt(relative));
    double weight = 0;
    for (int j = POWERS - 1; j >= 0; j--) {
      weight = quarter * (factors[j] + weight);
    }
    return quarter * weight;
  }
}
