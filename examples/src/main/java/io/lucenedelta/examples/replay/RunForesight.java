// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.divergence.SampledCurve;
import io.lucenedelta.scorer.refresh.Foresight;
import java.time.Instant;
import java.util.function.DoubleUnaryOperator;

/** The live Web as one run meets it, for reference strategies only. */
record RunForesight(Repository repository, Divergences divergences, ReplayCorpus corpus)
    implements Foresight {
  @Override
  public double qualityGain(String page) {
    return repository.qualityGain(corpus.number(page));
  }

  @Override
  public SampledCurve drift(String page, Instant since) {
    return drift(page, since, divergence -> divergence);
  }

  @Override
  public SampledCurve holisticDrift(String page, Instant since) {
    return drift(page, since, divergence -> divergence > 0 ? 1 : 0);
  }

  private SampledCurve drift(String page, Instant since, DoubleUnaryOperator measure) {
    int number = corpus.number(page);
    int from = corpus.week(since);
    int base = corpus.liveVersion(number, from);
    int points = repository.live(number) == base ? 0 : repository.week() - from;
    double[] days = new double[points];
    double[] divergence = new double[points];
    for (int i = 0; i < points; i++) {
      int version = corpus.liveVersion(number, from + i + 1);
      days[i] = corpus.days(from, from + i + 1);
      divergence[i] = measure.applyAsDouble(divergences.between(number, base, version));
    }
    return SampledCurve.of(days, divergence);
  }
}
