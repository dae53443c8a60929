// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.replay.ReplayResult.Forecast;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShownDotsTest {
  private static Series dots(String name, int count) {
    return new Series(
        name, IntStream.range(0, count).mapToObj(i -> new Point(i, i, "dot " + i)).toList());
  }

  @Test
  void fewDotsAreAllDrawn() {
    List<Series> all = List.of(dots("a", 3000), dots("b", 999));
    assertThat(ShownDots.of(all).series()).isEqualTo(all);
    assertThat(ShownDots.of(all).sentence()).isEmpty();
  }

  @Test
  void ofManyOneInSoManyIsDrawnInEverySeries() {
    ShownDots shown = ShownDots.of(List.of(dots("a", 90_000), dots("b", 10_000), dots("c", 1)));
    assertThat(shown.sentence()).isEqualTo(" One dot in 26 is drawn.");
    assertThat(shown.series()).extracting(Series::name).containsExactly("a", "b", "c");
    assertThat(shown.series())
        .extracting(series -> series.points().size())
        .containsExactly(3462, 385, 1);
    assertThat(shown.series().get(1).points().get(1).x()).isEqualTo(26);
  }

  @Test
  void aForecastOfManyPagesIsThinnedOutAndSaysSo() {
    Figure figure =
        new ForecastFigure(
                IntStream.range(0, 100_000)
                    .mapToObj(page -> new Forecast("page " + page, 1 + page % 7, 1 + page % 5))
                    .toList())
            .figure();
    assertThat(figure.explanation()).contains("over the 100,000 pages").endsWith("is drawn.");
    assertThat(figure.views().get(0).series().stream().mapToInt(s -> s.points().size()).sum())
        .isBetween(3000, 4100);
  }
}
