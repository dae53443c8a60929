// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UsefulnessUnitTest {
  private static UsefulnessUnit unit(
      String key, ScoredField field, String similarity, String estimator, double volume) {
    return UsefulnessUnit.of(
        new MeasuredSetup(7, key, List.of(field), similarity, estimator, ""), volume);
  }

  @Test
  void whatScoresAreMadeOfAndWorthMustBeTheSameAndFrequenciesAboutTheSame() {
    ScoredField body = new ScoredField("body", 1);
    UsefulnessUnit then = unit("url", body, "BM25", "passed", 10);
    assertThat(then.isKnown()).isTrue();
    assertThat(then.comparesWith(unit("url", body, "BM25", "passed", 10))).isTrue();
    assertThat(then.comparesWith(unit("id", body, "BM25", "passed", 10))).isTrue();
    assertThat(then.comparesWith(unit("url", body, "BM25", "passed", 20))).isTrue();
    assertThat(then.comparesWith(unit("url", body, "BM25", "passed", 5))).isTrue();
    assertThat(then.comparesWith(unit("url", body, "BM25", "passed", 21))).isFalse();
    assertThat(then.comparesWith(unit("url", body, "BM25", "passed", 4))).isFalse();
    assertThat(then.comparesWith(unit("url", body, "TF-IDF", "passed", 10))).isFalse();
    assertThat(then.comparesWith(unit("url", body, "BM25", "integral", 10))).isFalse();
    ScoredField boosted = new ScoredField("body", 2);
    assertThat(then.comparesWith(unit("url", boosted, "BM25", "passed", 10))).isFalse();
    assertThat(then.comparesWith(UsefulnessUnit.UNKNOWN)).isFalse();
    assertThat(UsefulnessUnit.UNKNOWN.isKnown()).isFalse();
  }
}
