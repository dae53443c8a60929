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
    try (TsvFile table =
        table("quality.tsv", "policy", "settings", "budget", "week", "refreshes", "quality")) {
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
    }
  }

  private void summary() throws IOException {
    try (TsvFile table =
        table(
            "summary.tsv",
            "policy",
            "settings",
            "knowledge",
            "scoring",
            "budget",
            "mean_quality",
            "min_quality",
            "gap_closed",
            "refreshes")) {
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
    }
  }

  private void timing() throws IOException {
    try (TsvFile table = table("timing.tsv", "policy", "settings", "budget", "cpu_seconds")) {
      for (RunResult run : result.runs()) {
        table.row(run.policy(), run.settings(), run.budget().label(), run.cpuSeconds());
      }
    }
  }

  private void requirements() throws IOException {
    try (TsvFile table =
        table(
            "requirements.tsv",
            "policy",
            "gap_closed",
            "refreshes_per_week",
            "relative_to_user_centric")) {
      boolean related = Requirement.areRelated(result);
      for (Requirement requirement : Requirement.of(result)) {
        table.row(
            requirement.policy(),
            requirement.gapClosed(),
            orNotReached(requirement.refreshesPerWeek()),
            related ? orNotReached(requirement.relativeToUserCentric()) : "");
      }
    }
  }

  private void forecast() throws IOException {
    try (TsvFile table = table("forecast.tsv", "page", "rate_first_half", "rate_second_half")) {
      for (ReplayResult.Forecast page : result.forecast()) {
        table.row(page.page(), page.rateFirstHalf(), page.rateSecondHalf());
      }
    }
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
    try (TsvFile table =
        table("measurements.tsv", "week", "page", "interval_days", "delta_qa", "delta_q_exact")) {
      for (Measurement measurement : measurements) {
        table.row(
            measurement.week(),
            measurement.page(),
            measurement.intervalDays(),
            measurement.deltaQa(),
            measurement.deltaQExact());
      }
    }
  }

  /** 2008, figures 6, 8, 9, 11 and 12: staleness against refresh cost. */
  private void staleness() throws IOException {
    try (TsvFile table =
        table(
            "staleness.tsv",
            "policy",
            "settings",
            "knowledge",
            "budget",
            "refreshes_per_week",
            "staleness",
            "refreshes_warm_up",
            "staleness_warm_up",
            "refreshes_steady",
            "staleness_steady")) {
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
    }
  }

  /** 2008, figures 1, 2, 3 and 5, and the error of summaries. */
  private void longevity() throws IOException {
    Longevity longevity = result.longevity();
    try (TsvFile table = table("lifelines.tsv", "page", "fragment", "first_week", "last_week")) {
      for (Longevity.Lifeline line : longevity.lifelines()) {
        table.row(line.page(), line.fragment(), line.firstWeek(), line.lastWeek());
      }
    }
    try (TsvFile table = table("divergence.tsv", "page", "week", "divergence", "utility")) {
      for (Longevity.Drift drift : longevity.drifts()) {
        table.row(drift.page(), drift.week(), drift.divergence(), drift.utility());
      }
    }
    try (TsvFile table =
        table("longevity.tsv", "page", "change_frequency", "longevity_weeks", "fragments")) {
      for (Longevity.PageLongevity page : longevity.pages()) {
        table.row(page.page(), page.changeFrequency(), page.weeks(), page.fragments());
      }
    }
    try (TsvFile table = table("lifetimes.tsv", "group", "weeks", "measured", "modelled")) {
      for (Longevity.Lifetime lifetime : longevity.lifetimes()) {
        table.row(lifetime.group(), lifetime.weeks(), lifetime.measured(), lifetime.modelled());
      }
    }
    try (TsvFile table = table("summaries.tsv", "hashes", "pairs", "mean_error", "rms_error")) {
      for (Longevity.SummaryError error : longevity.summaries()) {
        table.row(error.hashes(), error.pairs(), error.mean(), error.rootMeanSquare());
      }
    }
  }

  private static Object orNotReached(OptionalDouble number) {
    return number.isPresent() ? (Object) number.getAsDouble() : NOT_REACHED;
  }

  private TsvFile table(String name, String... header) throws IOException {
    return TsvFile.create(directory.resolve(name), header);
  }
}
