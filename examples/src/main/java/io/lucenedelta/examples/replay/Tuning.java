// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.divergence.Fragments;
import java.util.List;

/**
 * Which settings of the strategies a replay tries, and how pages are cut into fragments.
 *
 * @param all whether every setting of each strategy is tried, or only the usual grid
 * @param taus the thresholds τ of {@code staleness} and {@code embarrassment}, in [0, 1]
 * @param fragmentWords k, words a fragment (2008, section 2.1.1), at least 1
 */
public record Tuning(boolean all, List<Double> taus, int fragmentWords) {
  /** The usual grid, τ in steps of 0.1 as in the 2005 paper, fragments of five words. */
  public static final Tuning USUAL =
      new Tuning(
          false,
          List.of(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
          Fragments.DEFAULT_WORDS);

  /** Checks the ranges. */
  public Tuning {
    taus = List.copyOf(taus);
    if (taus.isEmpty()) {
      throw new IllegalArgumentException("no tau is given: name at least one from 0 to 1");
    }
    for (double tau : taus) {
      if (!(tau >= 0 && tau <= 1)) {
        throw new IllegalArgumentException("tau must lie between 0 and 1, was " + tau);
      }
    }
    if (fragmentWords < 1) {
      throw new IllegalArgumentException("fragment-words must be at least 1, was " + fragmentWords);
    }
  }

  /** With every setting of each strategy, or the usual grid. */
  public Tuning withAll(boolean every) {
    return new Tuning(every, taus, fragmentWords);
  }

  /** With these thresholds. */
  public Tuning withTaus(List<Double> chosen) {
    return new Tuning(all, chosen, fragmentWords);
  }

  /** With fragments of so many words. */
  public Tuning withFragmentWords(int words) {
    return new Tuning(all, taus, words);
  }
}
