// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.ExactQuality.QueryScores;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** By hand: with the paper's curve a view at rank 2 is worth 2^-3/2, one at rank 3 is 3^-3/2. */
class ExactQualityTest {
  private static final double SECOND = 0.3535533906;
  private static final double THIRD = 0.1924500897;
  private static final ExactQuality EXACT = new ExactQuality(PowerLawViews.PAPER);

  @Test
  void ranksComeFromTheCopiesAndWorthFromTheLivePages() {
    // page 1 stands before page 0; page 2 is worth 6 and nobody sees it
    double[] copies = {1, 3, 0};
    double[] live = {4, 5, 6};
    List<QueryScores> query = List.of(new QueryScores(2, copies, live));
    double usefulness = 2 * (5 + 4 * SECOND);
    double ideal = 2 * (6 + 5 * SECOND + 4 * THIRD);
    assertThat(EXACT.usefulness(query)).isCloseTo(usefulness, within(1e-8));
    assertThat(EXACT.ideal(query)).isCloseTo(ideal, within(1e-8));
    assertThat(EXACT.quality(query)).isCloseTo(usefulness / ideal, within(1e-8));
  }

  @Test
  void aPageWithoutALiveScoreIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueryScores(1, new double[3], new double[2]))
        .withMessage("every page needs a score in the repository and a live one, got 3 and 2");
    double[] two = {1, 2};
    double[] three = {1, 2, 3};
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> EXACT.usefulness(two, three),
            () -> EXACT.change(three, two, two),
            () -> EXACT.change(two, three, two),
            () -> EXACT.change(two, two, three))) {
      assertThatIllegalArgumentException()
          .isThrownBy(call)
          .withMessageStartingWith("every page needs a score in the repository and a live one");
    }
  }

  @Test
  void aFrequencyThatWouldTakeQualityOutOfItsRangeIsRefused() {
    for (double frequency : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new QueryScores(frequency, new double[1], new double[1]))
          .withMessage("the frequency of a query must be finite and 0 or more, was " + frequency);
    }
    QueryScores neverAsked = new QueryScores(0, new double[] {1, 2}, new double[] {2, 1});
    assertThat(EXACT.quality(List.of(neverAsked))).isEqualTo(1);
  }

  @Test
  void withoutALiveResultQualityIsWhole() {
    assertThat(EXACT.quality(List.of())).isEqualTo(1);
    assertThat(EXACT.quality(List.of(new QueryScores(1, new double[] {4}, new double[] {0}))))
        .isEqualTo(1);
  }
}
