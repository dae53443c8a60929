// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lucenedelta.examples.replay.Budget;
import io.lucenedelta.examples.replay.Longevity;
import io.lucenedelta.examples.replay.Measurement;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.replay.Scoring;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import io.lucenedelta.scorer.refresh.Knowledge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two weeks, of which the second ends worse than the first. */
class ReplayFiguresTest {
  private static final Axis REFRESHES = Axis.log("refreshes a week");

  @TempDir Path directory;

  private final ReplayFigures figures =
      new ReplayFigures(
          new ReplayResult(
              Scoring.BM25,
              100,
              3,
              List.of(
                  run("never", "", 0, 0.75, 0.25, 0.5),
                  run("a", "s=1", 20, 1, 0.5, 0.25),
                  run("a", "s=2", 20, 1, 0.75, 0.125),
                  run("a", "s=1", 5, 0.75, 0.5, 0.375),
                  run("b", "", 5, 0.5, 0.25, 0.5),
                  run("b", "", 20, 0.75, 0.5, 0.25)),
              List.of(),
              new Longevity(List.of(), List.of(), List.of(), List.of(), List.of()),
              1));

  private static RunResult run(
      String policy, String settings, int spent, double first, double second, double stale) {
    return new RunResult(
        policy,
        settings,
        Knowledge.HINDSIGHT,
        Budget.of(Integer.toString(spent)),
        1,
        new double[] {first, second},
        new double[] {stale, stale},
        new double[] {7, 7},
        new int[] {spent, spent},
        0,
        List.of());
  }

  @Test
  void everyStrategyStandsWhereItsBestSettingsBringItFewestRefreshesFirst() {
    Figure figure = figures.gapClosed();
    assertThat(figure)
        .extracting(Figure::id, Figure::kind, Figure::x, Figure::y)
        .containsExactly(
            "gap-closed",
            Figure.Kind.LINES,
            REFRESHES,
            Axis.percent("share of the possible quality kept"));
    assertThat(figure.views())
        .containsExactly(
            new View(
                "all",
                List.of(
                    new Series(
                        "a",
                        List.of(
                            new Point(5, 0.25, "budget 5, best settings: s=1"),
                            new Point(20, 0.75, "budget 20, best settings: s=2"))),
                    new Series(
                        "b",
                        List.of(
                            new Point(5, -0.25, "budget 5"), new Point(20, 0.25, "budget 20"))))));
  }

  @Test
  void plainQualityHasTheLevelOfNeverOnceWhereverAnotherStands() {
    Figure figure = figures.quality();
    assertThat(figure)
        .extracting(Figure::id, Figure::kind, Figure::x, Figure::y)
        .containsExactly("quality", Figure.Kind.LINES, REFRESHES, Axis.percent("mean quality"));
    List<Series> curves = figure.views().get(0).series();
    assertThat(curves).extracting(Series::name).containsExactly("a", "b", "never");
    assertThat(curves.get(0).points()).extracting(Point::y).containsExactly(0.625, 0.875);
    assertThat(curves.get(2).points())
        .extracting(Point::x, Point::y, Point::note)
        .containsExactly(
            tuple(5.0, 0.5, "no refreshes at all"), tuple(20.0, 0.5, "no refreshes at all"));
  }

  @Test
  void qualityWeekByWeekIsShownForEveryBudgetBesideNever() {
    Figure figure = figures.overTime();
    assertThat(figure)
        .extracting(Figure::id, Figure::kind, Figure::x, Figure::y)
        .containsExactly(
            "over-time", Figure.Kind.LINES, Axis.linear("week"), Axis.percent("quality"));
    assertThat(figure.views()).extracting(View::name).containsExactly("budget 20", "budget 5");
    assertThat(figure.views().get(1).series())
        .containsExactly(
            weeks("a", 0.75, 0.5, 5), weeks("b", 0.5, 0.25, 5), weeks("never", 0.75, 0.25, 0));
  }

  private static Series weeks(String name, double first, double second, int refreshes) {
    String note = refreshes + " refreshes";
    return new Series(name, List.of(new Point(1, first, note), new Point(2, second, note)));
  }

  @Test
  void stalenessIsThatOfTheSettingsThatAreBestForUsers() {
    Figure figure = figures.staleness();
    assertThat(figure)
        .extracting(Figure::id, Figure::kind, Figure::x, Figure::y)
        .containsExactly(
            "staleness", Figure.Kind.LINES, REFRESHES, Axis.percent("mean fragment staleness"));
    assertThat(figure.views().get(0).series().get(0).points())
        .extracting(Point::y)
        .containsExactly(0.375, 0.125);
    assertThat(figure.explanation()).contains("at its settings of best quality");
  }

  @Test
  void estimatesStandBesideTheTruthWhereBothAreAboveZeroAndTheOthersAreCounted() {
    Figure figure =
        figures.audit(
            List.of(
                new Measurement(1, "p", 7, 1, 20),
                new Measurement(2, "q", 7, 3, 30),
                new Measurement(2, "r", 7, 0, 10),
                new Measurement(2, "s", 7, -1, 0),
                new Measurement(3, "t", 7, 2, -5),
                new Measurement(3, "u", 7, 0, 0),
                new Measurement(3, "v", 7, 0, 0),
                new Measurement(3, "v", 8, 0, 0),
                new Measurement(3, "w", 7, 1, 0)));
    assertThat(figure)
        .extracting(Figure::id, Figure::kind, Figure::x, Figure::y)
        .containsExactly(
            "audit",
            Figure.Kind.DOTS,
            Axis.log("estimated quality change, frequency × score"),
            Axis.log("true quality change, frequency × score"));
    assertThat(figure.views())
        .containsExactly(
            new View(
                "all",
                List.of(
                    new Series(
                        "page",
                        List.of(new Point(1, 20, "p, week 1"), new Point(3, 30, "q, week 2"))))));
    assertThat(figure.explanation())
        .endsWith(
            " Refreshes whose estimate or true change is 0 or below are not shown: 7 of 9, 3 with"
                + " both 0 and 1 with a true change below 0.")
        .as("pairs of 0 and 0 would flatter it")
        .doesNotContain("correlation");
    assertThat(figures.audit(List.of(new Measurement(1, "p", 7, 1, 20))).explanation())
        .doesNotContain("not shown");
  }

  /** The script draws by these names. */
  @Test
  void axesAndKindsGoIntoThePageByTheNamesThatItsScriptKnows() throws IOException {
    Path file = directory.resolve("report.html");
    HtmlReport.titled("Report").figure(figures.gapClosed()).figure(figures.overTime()).write(file);
    String page = Files.readString(file);
    JsonNode figure =
        new ObjectMapper().readTree(Jsoup.parse(page).select("figure script").first().data());
    assertThat(figure.at("/kind").asText()).isEqualTo("LINES");
    assertThat(figure.at("/x/label").asText()).isEqualTo("refreshes a week");
    assertThat(figure.at("/x/scale").asText()).isEqualTo("LOG");
    assertThat(figure.at("/y/scale").asText()).isEqualTo("PERCENT");
    assertThat(page).contains("\"x\":{\"label\":\"week\",\"scale\":\"LINEAR\"}");
    for (Axis.Scale scale : Axis.Scale.values()) {
      assertThat(page).contains(".scale === '" + scale + "'");
    }
    for (Figure.Kind kind : List.of(Figure.Kind.DOTS, Figure.Kind.SEGMENTS)) {
      assertThat(page).contains("figure.kind === '" + kind + "'");
    }
  }
}
