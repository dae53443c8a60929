// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.divergence.DivergenceCurve;

/** What a refresh is taken to be worth, by the divergence curve of the page. */
public enum UtilityForm {
  /** U(t) = t·D*(t) − ∫D*, in divergence × days (Olston and Pandey 2008, equation 4). */
  OPTIMAL {
    @Override
    double of(DivergenceCurve curve, double days) {
      return curve.utility(days);
    }
  },

  /**
   * U(t) = D*(t), the divergence of the moment (2008, end of section 2.3, "the naive form"): says
   * nothing of how soon the page will have drifted as far again. The source found it worse than
   * {@link io.lucenedelta.scorer.refresh.Uniform uniform} refreshing.
   */
  NAIVE {
    @Override
    double of(DivergenceCurve curve, double days) {
      return curve.at(days);
    }
  };

  static final String NONE_NAMED = "a form of utility must be named, was null";

  /** The utility of a refresh {@code days} after the last one. */
  abstract double of(DivergenceCurve curve, double days);
}
