// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.replay.Budget;
import io.lucenedelta.examples.replay.Longevity;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.replay.Scoring;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import io.lucenedelta.scorer.refresh.Knowledge;
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
            "Where a page has more than 300 lines so many are shown, spread evenly over all.");
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

  @Test
  void aLifelineGoesFromItsFirstWeekToTheWeekAfterItsLast() {
    List<Longevity.Lifeline> lines =
        List.of(
            new Longevity.Lifeline("p", 0, 2, 5),
            new Longevity.Lifeline("p", 3, 4, 4),
            new Longevity.Lifeline("q", 1, 7, 8));
    List<Longevity.Drift> drifts = List.of(new Longevity.Drift("p", 1, 0.5, 75));
    List<View> views = figure("lifelines", lines, drifts, List.of(), List.of()).views();
    assertThat(views)
        .containsExactly(
            view("p", new Series("fragments", List.of(at(2, 0), at(6, 0), at(4, 3), at(5, 3)))),
            view("q", new Series("fragments", List.of(at(7, 1), at(9, 1)))));
  }

  @Test
  void driftIsDrawnAsDivergenceAndAHundredthOfTheUtility() {
    List<Longevity.Lifeline> lines = List.of(new Longevity.Lifeline("p", 0, 0, 1));
    List<Longevity.Drift> drifts =
        List.of(new Longevity.Drift("p", 1, 0.5, 75), new Longevity.Drift("p", 2, 0.25, 150));
    assertThat(figure("divergence", lines, drifts, List.of(), List.of()).views())
        .containsExactly(
            view(
                "p",
                new Series("divergence", List.of(at(1, 0.5), at(2, 0.25))),
                new Series("utility", List.of(at(1, 0.75), at(2, 1.5)))));
  }

  @Test
  void pagesAndLifetimesAreDrawnAsTheyWereMeasured() {
    List<Longevity.PageLongevity> pages =
        List.of(
            new Longevity.PageLongevity("p", 0.25, 4, 1),
            new Longevity.PageLongevity("q", 0.5, 3, 2),
            new Longevity.PageLongevity("r", 0.75, 2, 3));
    List<Longevity.Lifetime> lifetimes =
        List.of(
            new Longevity.Lifetime("K=1", 1, 0.5, 0.625),
            new Longevity.Lifetime("K=1", 2, 1, 0.875),
            new Longevity.Lifetime("K>2", 1, 0.25, 0.125));
    Figure dots = figure("longevity", List.of(), List.of(), pages, lifetimes);
    assertThat(dots.views())
        .containsExactly(
            view(
                "all",
                new Series(
                    "pages",
                    List.of(
                        new Point(0.25, 4, "p"),
                        new Point(0.5, 3, "q"),
                        new Point(0.75, 2, "r")))));
    assertThat(dots.explanation()).endsWith(" Correlation coefficient -1.00.");
    assertThat(figure("lifetimes", List.of(), List.of(), pages, lifetimes).explanation())
        .endsWith(
            "The pages are those that change in 15 to 35 % of the weeks, if there are at least ten"
                + " of these, else all.");
    assertThat(figure("lifetimes", List.of(), List.of(), pages, lifetimes).views())
        .containsExactly(
            view(
                "all",
                new Series("K=1 measured", List.of(at(1, 0.5), at(2, 1))),
                new Series("K=1 modelled", List.of(at(1, 0.625), at(2, 0.875))),
                new Series("K>2 measured", List.of(at(1, 0.25))),
                new Series("K>2 modelled", List.of(at(1, 0.125)))));
  }

  @Test
  void everyHalfShowsTheSettingsOfLeastStalenessInIt() {
    List<View> views =
        of(
                run("never", "", 0, 0.75, 0.75),
                run("uniform", "", 4, 0.5, 0.375),
                run("curve-fitting", "t=1", 4, 0.25, 0.5),
                run("curve-fitting", "t=2", 4, 0.375, 0.125),
                run("curve-fitting", "t=1", 2, 0.625, 0.25),
                run(Knowledge.HINDSIGHT, "holistic-static", "", 4, 0.5, 0.25))
            .get(0)
            .views();
    Series uniform = new Series("uniform", List.of(new Point(6, 0.375, "uniform")));
    Series fitting =
        new Series(
            "curve-fitting",
            List.of(
                new Point(3, 0.25, "curve-fitting t=1"), new Point(6, 0.125, "curve-fitting t=2")));
    Series fittingFirst =
        new Series(
            "curve-fitting",
            List.of(
                new Point(2, 0.625, "curve-fitting t=1"), new Point(4, 0.25, "curve-fitting t=1")));
    Series uniformFirst = new Series("uniform", List.of(new Point(4, 0.5, "uniform")));
    assertThat(views)
        .containsExactly(
            view(
                "second half, all strategies",
                uniform,
                fitting,
                new Series("holistic-static", List.of(new Point(6, 0.25, "holistic-static")))),
            view(
                "first half, all strategies",
                uniformFirst,
                fittingFirst,
                new Series("holistic-static", List.of(new Point(4, 0.5, "holistic-static")))),
            view(
                "offline strategies, all weeks (2008, figure 6)",
                new Series("uniform (online)", List.of(new Point(5, 0.4375, "uniform"))),
                new Series("holistic-static", List.of(new Point(5, 0.375, "holistic-static")))),
            view("online strategies, first half (2008, figure 8)", uniformFirst, fittingFirst),
            view("online strategies, second half (2008, figure 9)", uniform, fitting));
  }

  @Test
  void aStrategyThatKnowsSomethingElseThanTheOthersOfAPapersFigureSaysSo() {
    List<View> views =
        of(
                run(Knowledge.HINDSIGHT, "uniform", "", 4, 0.5, 0.375),
                run(Knowledge.HINDSIGHT, "fragment-static", "", 4, 0.25, 0.25),
                run(Knowledge.HINDSIGHT, "fragment-dynamic", "", 4, 0.125, 0.125),
                run("curve-fitting", "", 4, 0.625, 0.25),
                run("cgm", "", 4, 0.625, 0.5))
            .get(0)
            .views();
    List<String> online = List.of("uniform (hindsight)", "fragment-dynamic (hindsight)");
    List<String> all = List.of("uniform", "fragment-static", "fragment-dynamic", "curve-fitting");
    assertThat(names(views.get(0))).startsWith(all.toArray(String[]::new));
    assertThat(names(views.get(1))).startsWith(all.toArray(String[]::new));
    assertThat(names(views.get(2))).isEqualTo(all.subList(0, 3));
    assertThat(names(views.get(3))).startsWith(online.toArray(String[]::new)).hasSize(3);
    assertThat(names(views.get(4))).startsWith(online.toArray(String[]::new)).hasSize(3);
    assertThat(names(views.get(5))).containsExactly("curve-fitting", "cgm");
  }

  private static List<String> names(View view) {
    return view.series().stream().map(Series::name).toList();
  }

  @Test
  void profilesAndSummariesAreComparedWhereMoreThanTheTwoUsualOnesWereTried() {
    RunResult usual = run("curve-fitting", "t=3", 4, 0.5, 0.25);
    RunResult bound = run("bound-based", "", 4, 0.5, 0.375);
    RunResult other = run("cgm", "h=2", 4, 0.5, 0.375);
    assertThat(of(usual, bound, other)).extracting(Figure::id).containsExactly("staleness-halves");
    RunResult small = run("curve-fitting", "t=3 h=1 m=8", 4, 0.5, 0.5);
    assertThat(of(usual, bound, other, small).get(1).views())
        .containsExactly(
            view(
                "all",
                new Series(
                    "curve-fitting, h = 5, m = all",
                    List.of(new Point(6, 0.25, "curve-fitting t=3"))),
                new Series(
                    "bound-based, h = 5, m = all", List.of(new Point(6, 0.375, "bound-based"))),
                new Series(
                    "curve-fitting, h = 1, m = 8",
                    List.of(new Point(6, 0.5, "curve-fitting t=3 h=1 m=8")))));
  }

  /** All settings try these with five profiles and all fragments only. */
  @Test
  void anotherLearningFactorOrRiskIsNotTakenForWhatRememberingMoreBrings() {
    RunResult usual = run("curve-fitting", "T=2", 4, 0.5, 0.25);
    RunResult small = run("curve-fitting", "T=2 h=1", 4, 0.5, 0.375);
    RunResult bound = run("bound-based", "T=2", 4, 0.5, 0.25);
    RunResult soon = run("curve-fitting", "T=2 l=1", 4, 0.5, 0.125);
    RunResult bold = run("bound-based", "T=2 rho=100", 4, 0.5, 0.125);
    assertThat(of(usual, small, bound, soon, bold).get(1).views())
        .containsExactly(
            view(
                "all",
                new Series(
                    "curve-fitting, h = 5, m = all",
                    List.of(new Point(6, 0.25, "curve-fitting T=2"))),
                new Series(
                    "curve-fitting, h = 1, m = all",
                    List.of(new Point(6, 0.375, "curve-fitting T=2 h=1"))),
                new Series(
                    "bound-based, h = 5, m = all",
                    List.of(new Point(6, 0.25, "bound-based T=2")))));
  }

  private static View view(String name, Series... series) {
    return new View(name, List.of(series));
  }

  private static Point at(double x, double y) {
    return new Point(x, y, "");
  }

  private static RunResult run(
      String policy, String settings, int spent, double first, double second) {
    return run(Knowledge.ONLINE, policy, settings, spent, first, second);
  }

  /** A run of two weeks, in the second of which it fetches half as much again. */
  private static RunResult run(
      Knowledge knowledge, String policy, String settings, int spent, double first, double second) {
    return new RunResult(
        policy,
        settings,
        knowledge,
        Budget.of(Integer.toString(spent)),
        1,
        new double[2],
        new double[] {first, second},
        new double[] {7, 7},
        new int[] {spent, spent * 3 / 2},
        0,
        List.of());
  }

  private static List<Figure> of(RunResult... runs) {
    Longevity none = new Longevity(List.of(), List.of(), List.of(), List.of(), List.of());
    return new LongevityFigures(
            new ReplayResult(Scoring.BM25, 1, 3, List.of(runs), List.of(), none, 1))
        .all();
  }

  private static Figure figure(
      String id,
      List<Longevity.Lifeline> lines,
      List<Longevity.Drift> drifts,
      List<Longevity.PageLongevity> pages,
      List<Longevity.Lifetime> lifetimes) {
    return all(new Longevity(lines, drifts, pages, lifetimes, List.of())).stream()
        .filter(figure -> figure.id().equals(id))
        .findFirst()
        .orElseThrow();
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
