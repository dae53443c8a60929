// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.QueryContribution;
import org.junit.jupiter.api.Test;

class PlainWordsTest {
  private static final double OUT = Double.POSITIVE_INFINITY;

  private static String words(
      double frequency, double[] scores, double[] ranks, double own, double others) {
    return PlainWords.of(
        new QueryContribution(
            "q", frequency, scores[0], scores[1], ranks[0], ranks[1], own, others));
  }

  @Test
  void aPageThatEntersIsSeenAndOvertakesOthers() {
    assertThat(words(70, new double[] {0, 7.5}, new double[] {OUT, 3}, 101.114547, -31.2638414))
        .isEqualTo(
            "asked 70 times: the page enters the result at rank 3; users gain 101 by seeing it more"
                + " often, and they lose 31.3 by seeing the pages it overtakes less often");
  }

  @Test
  void aPageThatLeavesMakesRoom() {
    assertThat(words(1, new double[] {2, 0}, new double[] {1.5, OUT}, 0, 0.25))
        .isEqualTo(
            "asked once: the page leaves the result, where it had rank about 1.5; no user needs it"
                + " there, and they gain 0.25 by seeing the pages it makes room for more often");
  }

  @Test
  void aPageThatRisesFallsOrStays() {
    assertThat(words(2, new double[] {1, 2}, new double[] {7, 1}, 4, 0))
        .isEqualTo(
            "asked 2 times: the page rises from rank 7 to 1; users gain 4 by seeing it more often");
    assertThat(words(105, new double[] {3, 2}, new double[] {1, 46.33}, -180, 183.5))
        .isEqualTo(
            "asked 105 times: the page falls from rank 1 to about 46.3; users lose 180 by seeing it"
                + " less often, and they gain 184 by seeing the pages it makes room for more"
                + " often");
    assertThat(words(5, new double[] {3, 2}, new double[] {1, 1}, 0, 0))
        .isEqualTo("asked 5 times: the page stays at rank 1; users notice nothing");
  }
}
