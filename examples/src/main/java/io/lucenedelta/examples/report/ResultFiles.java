// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.replay.Longevity;
import io.lucenedelta.examples.replay.Measurement;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.Requirement;
import io.lucenedelta.examples.replay.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes a replay's result as tables, see {@link TsvFile}.
 *
 * <p>The same result gives the same bytes; {@code timing.tsv} alone differs from run to run.
 */
public final class ResultFiles {
  private static final String NOT_REACHED = "not reached";

  private final ReplayResult result;
  private final Path directory;

  private ResultFiles(ReplayResult result, Path directory) {
    this.result = result;
    this.directory = directory;
  }

  /**
   * Writes all tables into a directory, which is made if needed. Its report says so meanwhile: that
   * of an earlier run, which may have been another one, must not stay beside the first of them.
   */
  public static void write(ReplayResult result, Path directory) throws IOException {
    Files.createDirectories(directory);
    HtmlReport.titled("Which pages to fetch next")
        .paragraph(
            "What lies beside this page is being written, or that has broken off: some of it may be"
                + " of an earlier run.")
        .write(directory.resolve("report.html"));
    ResultFiles files = new ResultFiles(result, directory);
    files.quality();
    files.summary();
    files.timing();
    files.requirements();
    files.forecast();
    files.measurements();
    files.staleness();
    files.longevity();
  }

  private void quality() throws IOException {
    List<WeekOfRun> weeks = result.runs().stream().flatMap(WeekOfRun::all).toList();
    table(
        "quality.tsv",
        weeks,
        TsvColumns.of("policy", (WeekOfRun row) -> row.run.policy())
            .and("settings", row -> row.run.settings())
            .and("budget", row -> row.run.budget().label())
            .and("week", row -> row.run.firstWeek() + row.number)
            .and("refreshes", row -> row.run.refreshes()[row.number])
            .and("quality", row -> row.run.quality()[row.number]));
  }

  /** One of the judged weeks of a run, which are numbered from 0. */
  private record WeekOfRun(RunResult run, int number) {
    static Stream<WeekOfRun> all(RunResult run) {
      return IntStream.range(0, run.quality().length).mapToObj(week -> new WeekOfRun(run, week));
    }
  }

  private void summary() throws IOException {
    table(
        "summary.tsv",
        result.runs(),
        TsvColumns.of("policy", RunResult::policy)
            .and("settings", RunResult::settings)
            .and("knowledge", run -> run.knowledge().label())
            .and("scoring", run -> result.scoring().label())
            .and("budget", run -> run.budget().label())
            .and("mean_quality", RunResult::meanQuality)
            .and("min_quality", RunResult::minQuality)
            .and("gap_closed", result::gapClosed)
            .and("refreshes", RunResult::totalRefreshes));
  }

  private void timing() throws IOException {
    table(
        "timing.tsv",
        result.runs(),
        TsvColumns.of("policy", RunResult::policy)
            .and("settings", RunResult::settings)
            .and("budget", run -> run.budget().label())
            .and("cpu_seconds", RunResult::cpuSeconds));
  }

  private void requirements() throws IOException {
    boolean related = result.isComparable() && Requirement.areRelated(result);
    table(
        "requirements.tsv",
        Requirement.of(result),
        TsvColumns.of("policy", Requirement::policy)
            .and("gap_closed", Requirement::gapClosed)
            .and(
                "refreshes_per_week",
                one -> result.isComparable() ? orNotReached(one.refreshesPerWeek()) : "")
            .and(
                "relative_to_user_centric",
                one -> related ? orNotReached(one.relativeToUserCentric()) : ""));
  }

  private void forecast() throws IOException {
    table(
        "forecast.tsv",
        result.forecast(),
        TsvColumns.of("page", ReplayResult.Forecast::page)
            .and("rate_first_half", ReplayResult.Forecast::rateFirstHalf)
            .and("rate_second_half", ReplayResult.Forecast::rateSecondHalf));
  }

  /** Only when a run was audited; a file of an earlier replay is removed otherwise. */
  private void measurements() throws IOException {
    List<Measurement> measurements = result.measurements();
    if (measurements.isEmpty()) {
      Files.deleteIfExists(directory.resolve("measurements.tsv"));
      return;
    }
    table(
        "measurements.tsv",
        measurements,
        TsvColumns.of("week", Measurement::week)
            .and("page", Measurement::page)
            .and("interval_days", Measurement::intervalDays)
            .and("delta_qa", Measurement::deltaQa)
            .and("delta_q_exact", Measurement::deltaQExact));
  }

  /** 2008, figures 6, 8, 9, 11 and 12: staleness against refresh cost. */
  private void staleness() throws IOException {
    table(
        "staleness.tsv",
        result.runs(),
        TsvColumns.of("policy", RunResult::policy)
            .and("settings", RunResult::settings)
            .and("knowledge", run -> run.knowledge().label())
            .and("budget", run -> run.budget().label())
            .and("refreshes_per_week", RunResult::refreshesPerWeek)
            .and("staleness", RunResult::meanStaleness)
            .and("refreshes_warm_up", RunResult::warmUpRefreshes)
            .and("staleness_warm_up", RunResult::warmUpStaleness)
            .and("refreshes_steady", RunResult::steadyRefreshes)
            .and("staleness_steady", RunResult::steadyStaleness));
  }

  /** 2008, figures 1, 2, 3 and 5, and the error of summaries. */
  private void longevity() throws IOException {
    Longevity longevity = result.longevity();
    table(
        "lifelines.tsv",
        longevity.lifelines(),
        TsvColumns.of("page", Longevity.Lifeline::page)
            .and("fragment", Longevity.Lifeline::fragment)
            .and("first_week", Longevity.Lifeline::firstWeek)
            .and("last_week", Longevity.Lifeline::lastWeek));
    table(
        "divergence.tsv",
        longevity.drifts(),
        TsvColumns.of("page", Longevity.Drift::page)
            .and("week", Longevity.Drift::week)
            .and("divergence", Longevity.Drift::divergence)
            .and("utility", Longevity.Drift::utility));
    table(
        "longevity.tsv",
        longevity.pages(),
        TsvColumns.of("page", Longevity.PageLongevity::page)
            .and("change_frequency", Longevity.PageLongevity::changeFrequency)
            .and("longevity_weeks", Longevity.PageLongevity::weeks)
            .and("fragments", Longevity.PageLongevity::fragments));
    table(
        "lifetimes.tsv",
        longevity.lifetimes(),
        TsvColumns.of("group", Longevity.Lifetime::group)
            .and("weeks", Longevity.Lifetime::weeks)
            .and("measured", Longevity.Lifetime::measured)
            .and("modelled", Longevity.Lifetime::modelled));
    table(
        "summaries.tsv",
        longevity.summaries(),
        TsvColumns.of("hashes", Longevity.SummaryError::hashes)
            .and("pairs", Longevity.SummaryError::pairs)
            .and("mean_error", Longevity.SummaryError::mean)
            .and("rms_error", Longevity.SummaryError::rootMeanSquare));
  }

  private static Object orNotReached(OptionalDouble number) {
    return number.isPresent() ? (Object) number.getAsDouble() : NOT_REACHED;
  }

  private <R> void table(String name, List<R> rows, TsvColumns<R> columns) throws IOException {
    columns.write(directory.resolve(name), rows);
  }
}
