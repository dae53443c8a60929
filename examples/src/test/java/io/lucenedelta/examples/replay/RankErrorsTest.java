// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By a function that takes every page for the first, so that the error is ln(rank). */
class RankErrorsTest {
  private static final LogLogRankFunction FIRST = LogLogRankFunction.of(1, 1, 1);
  private static final int TIED = 5;

  private static List<Double> means(int n, float... scores) {
    RankErrors errors = new RankErrors();
    errors.add(FIRST, scores, n);
    return errors.means();
  }

  private static float[] descending(int n) {
    float[] scores = new float[n];
    for (int i = 0; i < n; i++) {
      scores[i] = 1000 - i;
    }
    return scores;
  }

  private static double lnOf(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToDouble(Math::log).average().orElseThrow();
  }

  @Test
  void errorsAreAveragedByBandOfTheTrueRank() {
    List<Double> means = means(150, descending(150));
    int[][] bands = {{1, 1}, {2, 3}, {4, 10}, {11, 100}, {101, 150}};
    for (int band = 0; band < bands.length; band++) {
      assertThat(means.get(band)).isCloseTo(lnOf(bands[band][0], bands[band][1]), within(1e-12));
    }
    assertThat(means.get(TIED)).isNaN();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "3, 0", "4, 1", "12, 1", "13, 2", "100, 2", "101, 3"})
  void errorsAreAveragedByLengthOfTheResult(int n, int group) {
    List<Double> byLength = means(n, descending(n)).subList(TIED + 1, TIED + 5);
    for (int i = 0; i < byLength.size(); i++) {
      assertThat(byLength.get(i)).isCloseTo(i == group ? lnOf(1, n) : Double.NaN, within(1e-12));
    }
  }

  @Test
  void tiedPagesOfTheResultCountEachWithTheMiddleOfTheirRanks() {
    float[] scores = {4, 2, 2, 2, 1, 1, 1}; // the last is not of the result
    List<Double> means = means(6, scores);
    double second = Math.log(3);
    double third = Math.log(5.5);
    assertThat(means.get(1)).isCloseTo(second, within(1e-12));
    assertThat(means.get(2)).isCloseTo(third, within(1e-12));
    assertThat(means.get(TIED)).isCloseTo((3 * second + 2 * third) / 5, within(1e-12));
    assertThat(means.get(TIED + 2)).isCloseTo((3 * second + 2 * third) / 6, within(1e-12));
  }

  @Test
  void resultsAreAveragedOverTheirPages() {
    RankErrors errors = new RankErrors();
    errors.add(FIRST, descending(1), 1);
    errors.add(FIRST, descending(3), 3);
    errors.add(FIRST, descending(0), 0);
    assertThat(errors.means().get(TIED + 1)).isCloseTo(Math.log(6) / 4, within(1e-12));
  }
}
