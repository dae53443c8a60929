// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.Foresight;
import java.time.Instant;

/** The live Web as one run meets it, for reference strategies only. */
record RunForesight(Repository repository, Divergences divergences, ReplayCorpus corpus)
    implements Foresight {
  @Override
  public double qualityGain(String page) {
    return repository.qualityGain(corpus.number(page));
  }

  @Override
  public double divergence(String page, Instant base, Instant at) {
    int number = corpus.number(page);
    return divergences.between(
        number,
        corpus.liveVersion(number, corpus.week(base)),
        corpus.liveVersion(number, corpus.week(at)));
  }
}
