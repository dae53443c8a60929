// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.replay.ReplayResult.Forecast;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForecastFigureTest {
  @Test
  void dotsAreGroupedByTheirNearnessToTheDiagonal() {
    List<Forecast> pages = new ArrayList<>();
    for (int i = 10; i >= 1; i--) {
      // the ratio of the halves grows with i, upward for even i, downward for odd ones
      double ratio = i % 2 == 0 ? 1 + i : 1.0 / (1 + i);
      pages.add(new Forecast("page " + i, 2, 2 * ratio));
    }
    List<Series> series = new ForecastFigure(pages).figure().views().get(0).series();
    assertThat(series)
        .extracting(Series::name)
        .containsExactly("nearest 50 %", "next, up to 80 %", "next, up to 90 %", "the rest");
    assertThat(series)
        .extracting(s -> s.points().stream().map(Point::note).toList())
        .containsExactly(
            List.of("page 1", "page 2", "page 3", "page 4", "page 5"),
            List.of("page 6", "page 7", "page 8"),
            List.of("page 9"),
            List.of("page 10"));
  }

  @Test
  void pagesWithAnEffectInOneHalfStandAlongTheEdgesAndThoseWithoutAnyAreLeftOut() {
    Figure figure =
        new ForecastFigure(
                List.of(
                    new Forecast("both", 0.3, 6),
                    new Forecast("before", 9, 0),
                    new Forecast("after", 0, 12),
                    new Forecast("neither", 0, 0)))
            .figure();
    List<Series> series = figure.views().get(0).series();
    assertThat(series)
        .extracting(Series::name)
        .containsExactly("nearest 50 %", "effect in one half alone");
    Point before = series.get(1).points().get(0);
    Point after = series.get(1).points().get(1);
    assertThat(before.x()).isEqualTo(9);
    assertThat(before.y()).isCloseTo(2, within(1e-12));
    assertThat(after.x()).isCloseTo(0.1, within(1e-12));
    assertThat(after.y()).isEqualTo(12);
    assertThat(figure.explanation()).contains("over the 3 pages shown");
  }

  @Test
  void pagesThatWereNotThereInOneHalfAreLeftOutAndCounted() {
    List<Forecast> pages = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      pages.add(new Forecast("page " + i, i, 2 * i));
    }
    String before = new ForecastFigure(pages).figure().explanation();
    assertThat(before).doesNotContain("Left out").contains("over the 5 pages shown: 1.00.");
    pages.add(new Forecast("late", Double.NaN, 7));
    pages.add(new Forecast("later", Double.NaN, Double.NaN));
    Figure figure = new ForecastFigure(pages).figure();
    assertThat(figure.views().get(0).series())
        .extracting(Series::name)
        .doesNotContain("effect in one half alone");
    assertThat(figure.explanation())
        .contains(
            "Left out: 2 of 7 pages of which one half knows no week",
            "over the 5 pages shown: 1.00.");
  }

  @Test
  void nothingToForecastIsAnEmptyFigure() {
    assertThat(new ForecastFigure(List.of()).figure().views().get(0).series()).isEmpty();
  }
}
