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

  /** Writes all tables into a directory, which is made if needed. */
  public static void write(ReplayResult result, Path directory) throws IOException {
    Files.createDirectories(directory);
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
    table(
        "quality.tsv",
        List.of("policy", "settings", "budget", "week", "refreshes", "quality"),
        table -> {
          for (RunResult run : result.runs()) {
            for (int i = 0; i < run.quality().length; i++) {
              table.row(
                  run.policy(),
                  run.settings(),
                  run.budget().label(),
                  run.firstWeek() + i,
                  run.refreshes()[i],
                  run.quality()[i]);
            }
          }
        });
  }

  private void summary() throws IOException {
    table(
        "summary.tsv",
        List.of(
            "policy",
            "settings",
            "knowledge",
            "scoring",
            "budget",
            "mean_quality",
            "min_quality",
            "gap_closed",
            "refreshes"),
        table -> {
          for (RunResult run : result.runs()) {
            table.row(
                run.policy(),
                run.settings(),
                run.knowledge().label(),
                result.scoring().label(),
                run.budget().label(),
                run.meanQuality(),
                run.minQuality(),
                result.gapClosed(run),
                run.totalRefreshes());
          }
        });
  }

  private void timing() throws IOException {
    table(
        "timing.tsv",
        List.of("policy", "settings", "budget", "cpu_seconds"),
        table -> {
          for (RunResult run : result.runs()) {
            table.row(run.policy(), run.settings(), run.budget().label(), run.cpuSeconds());
          }
        });
  }

  private void requirements() throws IOException {
    table(
        "requirements.tsv",
        List.of("policy", "gap_closed", "refreshes_per_week", "relative_to_user_centric"),
        table -> {
          boolean related = Requirement.areRelated(result);
          for (Requirement requirement : Requirement.of(result)) {
            table.row(
                requirement.policy(),
                requirement.gapClosed(),
                orNotReached(requirement.refreshesPerWeek()),
                related ? orNotReached(requirement.relativeToUserCentric()) : "");
          }
        });
  }

  private void forecast() throws IOException {
    table(
        "forecast.tsv",
        List.of("page", "rate_first_half", "rate_second_half"),
        table -> {
          for (ReplayResult.Forecast page : result.forecast()) {
            table.row(page.page(), page.rateFirstHalf(), page.rateSecondHalf());
          }
        });
  }

  /** Only when a run was audited; a file of an earlier replay is removed otherwise. */
  private void measurements() throws IOException {
    List<Measurement> measurements =
        result.runs().stream().flatMap(run -> run.measurements().stream()).toList();
    if (measurements.isEmpty()) {
      Files.deleteIfExists(directory.resolve("measurements.tsv"));
      Files.deleteIfExists(directory.resolve("figure-audit.tsv"));
      return;
    }
    table(
        "measurements.tsv",
        List.of("week", "page", "interval_days", "delta_qa", "delta_q_exact"),
        table -> {
          for (Measurement measurement : measurements) {
            table.row(
                measurement.week(),
                measurement.page(),
                measurement.intervalDays(),
                measurement.deltaQa(),
                measurement.deltaQExact());
          }
        });
  }

  /** 2008, figures 6, 8, 9, 11 and 12: staleness against refresh cost. */
  private void staleness() throws IOException {
    table(
        "staleness.tsv",
        List.of(
            "policy",
            "settings",
            "knowledge",
            "budget",
            "refreshes_per_week",
            "staleness",
            "refreshes_warm_up",
            "staleness_warm_up",
            "refreshes_steady",
            "staleness_steady"),
        table -> {
          for (RunResult run : result.runs()) {
            table.row(
                run.policy(),
                run.settings(),
                run.knowledge().label(),
                run.budget().label(),
                run.refreshesPerWeek(),
                run.meanStaleness(),
                run.warmUpRefreshes(),
                run.warmUpStaleness(),
                run.steadyRefreshes(),
                run.steadyStaleness());
          }
        });
  }

  /** 2008, figures 1, 2, 3 and 5, and the error of summaries. */
  private void longevity() throws IOException {
    Longevity longevity = result.longevity();
    table(
        "lifelines.tsv",
        List.of("page", "fragment", "first_week", "last_week"),
        table -> {
          for (Longevity.Lifeline line : longevity.lifelines()) {
            table.row(line.page(), line.fragment(), line.firstWeek(), line.lastWeek());
          }
        });
    table(
        "divergence.tsv",
        List.of("page", "week", "divergence", "utility"),
        table -> {
          for (Longevity.Drift drift : longevity.drifts()) {
            table.row(drift.page(), drift.week(), drift.divergence(), drift.utility());
          }
        });
    table(
        "longevity.tsv",
        List.of("page", "change_frequency", "longevity_weeks", "fragments"),
        table -> {
          for (Longevity.PageLongevity page : longevity.pages()) {
            table.row(page.page(), page.changeFrequency(), page.weeks(), page.fragments());
          }
        });
    table(
        "lifetimes.tsv",
        List.of("group", "weeks", "measured", "modelled"),
        table -> {
          for (Longevity.Lifetime lifetime : longevity.lifetimes()) {
            table.row(lifetime.group(), lifetime.weeks(), lifetime.measured(), lifetime.modelled());
          }
        });
    table(
        "summaries.tsv",
        List.of("hashes", "pairs", "mean_error", "rms_error"),
        table -> {
          for (Longevity.SummaryError error : longevity.summaries()) {
            table.row(error.hashes(), error.pairs(), error.mean(), error.rootMeanSquare());
          }
        });
  }

  private static Object orNotReached(OptionalDouble number) {
    return number.isPresent() ? (Object) number.getAsDouble() : NOT_REACHED;
  }

  private void table(String name, List<String> header, TsvFile.Rows rows) throws IOException {
    TsvFile.write(directory.resolve(name), header, rows);
  }
}
