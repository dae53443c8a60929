// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

/**
 * How soon within an interval a page drifts, for guessing divergence between snapshots (2008,
 * appendix B): 1 when it jumps at once, as advertisements do, 0 when it waits for the end.
 *
 * <p>E(P, t0) = D(P(t0), P(t1)) / D(P(t0), P(t2)) for three consecutive snapshots, averaged over
 * all triples. Triples without divergence at t2 say nothing and are left out; values above 1
 * (fragments that returned) count as 1; a page without any such triple gets ½.
 */
public final class Eagerness {
  private Eagerness() {}

  /** Divergence between two numbered snapshots. */
  public interface Divergence {
    /** In [0, 1]. */
    double between(int snapshot, int other);
  }

  /** E(P) over snapshots numbered from 0. */
  public static double of(int snapshots, Divergence divergence) {
    double sum = 0;
    int triples = 0;
    for (int first = 0; first + 2 < snapshots; first++) {
      double whole = divergence.between(first, first + 2);
      if (whole > 0) {
        sum += Math.min(1, divergence.between(first, first + 1) / whole);
        triples++;
      }
    }
    return triples == 0 ? 0.5 : sum / triples;
  }

  /** D at any time strictly between two snapshots whose divergences from a base are known. */
  public static double interpolate(double eagerness, double before, double after) {
    return (1 - eagerness) * before + eagerness * after;
  }
}
