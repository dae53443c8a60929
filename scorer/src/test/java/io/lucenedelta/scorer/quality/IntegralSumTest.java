// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

class IntegralSumTest implements QualityChangeLaws {
  @Override
  public QualityChange estimate() {
    return withViews(PowerLawViews.PAPER);
  }

  @Override
  public QualityChange withViews(ViewingLikelihood views) {
    return new IntegralSum(views);
  }
}
