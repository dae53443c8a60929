// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.replay.Budget;
import io.lucenedelta.examples.replay.Knowledge;
import io.lucenedelta.examples.replay.Longevity;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.replay.Scoring;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongevityFiguresTest {
  private static final List<Longevity.PageLongevity> PAGES =
      List.of(new Longevity.PageLongevity("p", 0.25, 2, 9));

  private static final List<Longevity.Lifetime> LIFETIMES =
      List.of(new Longevity.Lifetime("K=2", 1, 0.5, 0.5));

  @Test
  void onlyTheFiguresOfTwoTellingPagesWantSuchPages() {
    assertThat(figures(List.of(), List.of(), PAGES, LIFETIMES))
        .containsExactly("longevity", "lifetimes", "staleness-halves");
    assertThat(
            figures(
                List.of(new Longevity.Lifeline("p", 0, 0, 1)),
                List.of(new Longevity.Drift("p", 1, 0.5, 3)),
                PAGES,
                LIFETIMES))
        .containsExactly("lifelines", "divergence", "longevity", "lifetimes", "staleness-halves");
  }

  @Test
  void theFigureOfLifelinesSaysThatTheyMayBeThinnedOut() {
    Longevity.Lifeline line = new Longevity.Lifeline("p", 0, 0, 1);
    Longevity.Drift drift = new Longevity.Drift("p", 1, 0.5, 3);
    Longevity longevity =
        new Longevity(List.of(line), List.of(drift), List.of(), List.of(), List.of());
    assertThat(all(longevity).get(0).explanation())
        .endsWith(
            "Of a page with more than 300 fragments so many are shown, spread evenly over all.");
  }

  @Test
  void withoutAPageOfWhichALifeWasSeenThereAreNone() {
    assertThat(figures(List.of(), List.of(), List.of(), List.of()))
        .containsExactly("staleness-halves");
  }

  @Test
  void oneStrategyIsShownInBothHalvesAndOneWeekInTheSecond() {
    assertThat(halves(0.5, 0.25))
        .containsExactly("second half, all strategies", "first half, all strategies");
    assertThat(halves(0.5)).containsExactly("second half, all strategies");
  }

  private static List<String> halves(double... staleness) {
    double[] days = new double[staleness.length];
    int[] refreshes = new int[staleness.length];
    Arrays.fill(days, 7);
    Arrays.fill(refreshes, 1);
    RunResult run =
        new RunResult(
            "uniform",
            "",
            Knowledge.ONLINE,
            Budget.of("1"),
            1,
            new double[staleness.length],
            staleness,
            days,
            refreshes,
            0,
            List.of());
    Longevity none = new Longevity(List.of(), List.of(), List.of(), List.of(), List.of());
    ReplayResult result = new ReplayResult(Scoring.BM25, 1, 2, List.of(run), List.of(), none, 1);
    Figure figure = new LongevityFigures(result).all().get(0);
    assertThat(figure.views().get(0).series().get(0).points())
        .extracting(Figure.Point::y)
        .containsExactly(staleness[staleness.length - 1]);
    return figure.views().stream().map(Figure.View::name).toList();
  }

  private static List<String> figures(
      List<Longevity.Lifeline> lines,
      List<Longevity.Drift> drifts,
      List<Longevity.PageLongevity> pages,
      List<Longevity.Lifetime> lifetimes) {
    Longevity longevity = new Longevity(lines, drifts, pages, lifetimes, List.of());
    return all(longevity).stream().map(Figure::id).toList();
  }

  private static List<Figure> all(Longevity longevity) {
    return new LongevityFigures(
            new ReplayResult(Scoring.BM25, 1, 2, List.of(), List.of(), longevity, 1))
        .all();
  }
}
