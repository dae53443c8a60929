// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.replay.Budget;
import io.lucenedelta.examples.replay.Longevity;
import io.lucenedelta.examples.replay.Measurement;
import io.lucenedelta.examples.replay.ReplayRequest;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.replay.Scoring;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every number is another, so that none can stand under the name of another. */
class ResultFilesTest {
  private static final ReplayResult RESULT =
      new ReplayResult(
          Scoring.TFIDF,
          100,
          8,
          List.of(
              new RunResult(
                  "never",
                  "",
                  Knowledge.HINDSIGHT,
                  Budget.of("0"),
                  5,
                  new double[] {0.5, 0.25, 0.75},
                  new double[] {0.25, 0.5, 0.75},
                  new double[] {7, 14, 28},
                  new int[3],
                  0.125,
                  List.of()),
              new RunResult(
                  "cgm",
                  "h=1 m=8",
                  Knowledge.ONLINE,
                  Budget.of("5%"),
                  5,
                  new double[] {0.9375, 0.75, 0.9375},
                  new double[] {0.125, 0.0625, 0.25},
                  new double[] {7, 14, 28},
                  new int[] {3, 5, 2},
                  1.5,
                  List.of(
                      new Measurement(6, "p", 21, 2.5, 3.5),
                      new Measurement(7, "q", 14, -4.5, 5.5)))),
          List.of(new ReplayResult.Forecast("p", 1.25, 2.25)),
          new Longevity(
              List.of(new Longevity.Lifeline("p", 4, 2, 3)),
              List.of(new Longevity.Drift("q", 6, 0.5, 3.5)),
              List.of(new Longevity.PageLongevity("r", 0.25, 1.5, 9)),
              List.of(new Longevity.Lifetime("K=2", 3, 0.125, 0.375)),
              List.of(new Longevity.SummaryError(8, 21, -0.5, 0.75))),
          1);

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    ResultFiles.write(RESULT, directory);
  }

  private void assertTable(String name, String... lines) {
    assertThat(directory.resolve(name)).hasContent(String.join("\n", lines).replace("|", "\t"));
  }

  @Test
  void aRunStandsInTheTablesWithItsSettingsAndFigures() {
    assertTable(
        "summary.tsv",
        "policy|settings|knowledge|scoring|budget|mean_quality|min_quality|gap_closed|refreshes",
        "never||hindsight|tfidf|0|0.5|0.25|0|0",
        "cgm|h=1 m=8|online|tfidf|5%|0.875|0.75|0.75|10");
    assertTable(
        "staleness.tsv",
        "policy|settings|knowledge|budget|refreshes_per_week|staleness"
            + "|refreshes_warm_up|staleness_warm_up|refreshes_steady|staleness_steady",
        "never||hindsight|0|0|0.607142857|0|0.25|0|0.666666667",
        "cgm|h=1 m=8|online|5%|3.33333333|0.178571429|3|0.125|3.5|0.1875");
    assertTable(
        "timing.tsv", "policy|settings|budget|cpu_seconds", "never||0|0.125", "cgm|h=1 m=8|5%|1.5");
  }

  @Test
  void numbersOfTheFiguresOfTheReportThatIsReplacedAreRemoved() throws IOException {
    ReplayRequest request =
        ReplayRequest.of(Workload.builder().build()).withBudgets(List.of(Budget.of("5%")));
    ReplayReport.of(RESULT, request, "crawl", List.of(), "today").page().writeInto(directory);
    assertThat(figures()).hasSizeGreaterThan(8);
    HtmlReport.titled("none").writeInto(directory);
    assertThat(figures()).isEmpty();
  }

  /** The one of an earlier run does not stay beside the first of the new tables. */
  @Test
  void theReportSaysThatTablesAreBeingWritten() {
    assertThat(directory.resolve("report.html"))
        .content()
        .contains("What lies beside this page is being written, or that has broken off");
  }

  private List<Path> figures() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().startsWith("figure-")).toList();
    }
  }

  @Test
  void everyJudgedWeekOfARunHasARowByItsNumberInTheCrawl() {
    assertTable(
        "quality.tsv",
        "policy|settings|budget|week|refreshes|quality",
        "never||0|5|0|0.5",
        "never||0|6|0|0.25",
        "never||0|7|0|0.75",
        "cgm|h=1 m=8|5%|5|3|0.9375",
        "cgm|h=1 m=8|5%|6|5|0.75",
        "cgm|h=1 m=8|5%|7|2|0.9375");
  }

  @Test
  void requirementsAreNumbersWhereTheShareWasReachedAndEmptyWithoutUserCentric() {
    assertTable(
        "requirements.tsv",
        "policy|gap_closed|refreshes_per_week|relative_to_user_centric",
        "cgm|0.5|2.22222222|",
        "cgm|0.8|not reached|",
        "cgm|0.9|not reached|",
        "cgm|0.95|not reached|",
        "cgm|0.99|not reached|");
  }

  @Test
  void whatWasMeasuredOfPagesAndFragmentsStandsUnderItsName() {
    assertTable(
        "measurements.tsv",
        "week|page|interval_days|delta_qa|delta_q_exact",
        "6|p|21|2.5|3.5",
        "7|q|14|-4.5|5.5");
    assertTable("forecast.tsv", "page|rate_first_half|rate_second_half", "p|1.25|2.25");
    assertTable("lifelines.tsv", "page|fragment|first_week|last_week", "p|4|2|3");
    assertTable("divergence.tsv", "page|week|divergence|utility", "q|6|0.5|3.5");
    assertTable("longevity.tsv", "page|change_frequency|longevity_weeks|fragments", "r|0.25|1.5|9");
    assertTable("lifetimes.tsv", "group|weeks|measured|modelled", "K=2|3|0.125|0.375");
    assertTable("summaries.tsv", "hashes|pairs|mean_error|rms_error", "8|21|-0.5|0.75");
  }
}
