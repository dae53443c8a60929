// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.replay.Budget;
import io.lucenedelta.examples.replay.Longevity;
import io.lucenedelta.examples.replay.ReplayRequest;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.replay.Scoring;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people read of a replay, on the terminal and on the page. */
class ReplayReportTest {
  private static final ReplayRequest REQUEST =
      ReplayRequest.of(Workload.builder().add(List.of("word"), 2500).build())
          .withBudgets(List.of(Budget.of("5%"), Budget.of("200")));

  private static final RunResult NEVER = run("never", "", "0", 0, 0.5);

  @TempDir Path directory;

  private final ReplayReport report =
      report(
          NEVER,
          run("user-centric", "", "5%", 50, 0.75),
          run("user-centric", "", "200", 200, 0.875),
          run("uniform", "", "5%", 50, 0.55),
          run("uniform", "", "200", 200, 0.75),
          run("lambda-crawl", "a=1", "5%", 50, 0.875),
          run("lambda-crawl", "a=2", "5%", 50, 0.625),
          run("lambda-crawl", "", "200", 200, 0.8125),
          run("lambda-crawl", "a=2", "200", 200, 1));

  private static ReplayReport report(RunResult... runs) {
    return report(REQUEST, runs);
  }

  private static ReplayReport report(ReplayRequest request, RunResult... runs) {
    Longevity none = new Longevity(List.of(), List.of(), List.of(), List.of(), List.of());
    return ReplayReport.of(
        new ReplayResult(Scoring.BM25, 1000, 3, List.of(runs), List.of(), none, 1),
        request,
        "crawl",
        List.of("snapshots are far apart"),
        "today");
  }

  private static RunResult run(
      String policy, String settings, String budget, int spent, double quality) {
    return run(policy, settings, Knowledge.HINDSIGHT, budget, spent, quality);
  }

  private static RunResult run(
      String policy,
      String settings,
      Knowledge knowledge,
      String budget,
      int spent,
      double quality) {
    return new RunResult(
        policy,
        settings,
        knowledge,
        Budget.of(budget),
        1,
        new double[] {quality, quality},
        new double[2],
        new double[] {7, 7},
        new int[] {spent, spent},
        0,
        List.of());
  }

  @Test
  void eachStrategyKeepsAShareOfThePossibleQualityUnderEachBudgetInRefreshes() {
    ReportTable table = report.gapClosed();
    assertThat(table.explanation())
        .contains("never refreshing (mean quality 0.5000)")
        .endsWith("with the same pages another seed mostly changes ties alone.");
    assertThat(table.header()).containsExactly("budget (refreshes a week)", "5% (50)", "200 (200)");
    assertThat(table.rows())
        .containsExactly(
            List.of("user-centric", "50 %", "75 %"),
            List.of("uniform", "10 %", "50 %"),
            List.of("lambda-crawl", "75 %", "100 %"));
  }

  @Test
  void refreshesNeededStandWithTheirRatioAndADashWhereTheShareWasNotReached() {
    ReportTable table = report.requirements();
    assertThat(table.explanation())
        .endsWith(
            "A dash: not reached with the budgets tried. Values are interpolated linearly between the"
                + " refreshes made with two neighbouring budgets; below the smallest budget, between"
                + " it and no refreshes.");
    assertThat(table.header()).containsExactly("to keep", "50 %", "80 %", "90 %", "95 %", "99 %");
    assertThat(table.rows())
        .containsExactly(
            List.of("user-centric", "50.0 (×1.00)", "—", "—", "—", "—"),
            List.of("uniform", "200 (×4.00)", "—", "—", "—", "—"),
            List.of("lambda-crawl", "33.3 (×0.67)", "80.0", "140", "170", "194"));
    assertThat(report(NEVER, run("uniform", "", "5%", 50, 1)).requirements().rows())
        .containsExactly(List.of("uniform", "25.0", "40.0", "45.0", "47.5", "49.5"));
  }

  @Test
  void aStrategyThatNeedsOtherKnowledgeThanWasAskedForSaysSoBehindItsName() {
    ReplayReport online =
        report(
            REQUEST.withBudgets(List.of(Budget.of("5%"))).withKnowledge(Knowledge.ONLINE, null),
            NEVER,
            run("uniform", "", Knowledge.ONLINE, "5%", 50, 0.75),
            run("fragment-static", "", Knowledge.HINDSIGHT, "5%", 50, 1));
    List<String> names = List.of("uniform", "fragment-static (hindsight)");
    assertThat(online.gapClosed().rows())
        .extracting(row -> row.get(0))
        .containsExactlyElementsOf(names);
    assertThat(online.requirements().rows())
        .extracting(row -> row.get(0))
        .containsExactlyElementsOf(names);
  }

  @Test
  void thePageTellsWhatWasReplayedAndWhichSettingsWereBest() throws IOException {
    report.page().write(directory.resolve("report.html"));
    Document page = Jsoup.parse(directory.resolve("report.html"));
    assertThat(page.select("main > p").first().text())
        .contains("1,000 pages over 3 weeks were replayed for 4 ways of choosing")
        .contains("1 different queries that users asked 2,500 times")
        .contains("Never refreshing keeps a mean quality of 0.5000");
    assertThat(page.select("main > p").eachText()).contains("Snapshots are far apart.");
    Element settings = page.select("h3:contains(Best settings)").first().parent();
    assertThat(settings.select("thead th").eachText()).containsExactly("strategy", "5%", "200");
    assertThat(settings.select("tbody tr").eachText()).containsExactly("lambda-crawl a=1 a=2");
    assertThat(settings.text()).contains("favours strategies with many settings by chance");
    assertThat(page.select("figure").eachAttr("id"))
        .containsExactly(
            "gap-closed", "quality", "over-time", "forecast", "staleness", "staleness-halves");
  }
}
