// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaConfig;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how an index is measured. */
final class MeasuringOptions {
  private static final Duration AUDIT_BUDGET = Duration.ofSeconds(1);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--whole-queries",
      paramLabel = "SHARE",
      defaultValue = "1",
      description =
          "Measure the most frequent queries whole until they make up this share of all searches,"
              + " 0 to 1, and the others term by term; 0 is the 2005 paper's way"
              + " (default: ${DEFAULT-VALUE}).")
  private double wholeQueries;

  @Option(
      names = "--rank-memory",
      paramLabel = "BYTES",
      description =
          "Memory outside the heap that rank functions of whole queries may take (default: no"
              + " limit).")
  private long rankMemory = Long.MAX_VALUE;

  @Option(
      names = "--self-audit",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Also measure N refreshes of each week exactly, in 1 second at most: status then tells"
              + " how good the estimates are (default: ${DEFAULT-VALUE}).")
  private int selfAudit;

  /**
   * Complains of what is out of range.
   *
   * @throws ParameterException in one sentence
   */
  void check() {
    if (!(wholeQueries >= 0 && wholeQueries <= 1)) {
      throw bad("--whole-queries must be between 0 and 1, was " + wholeQueries);
    }
    if (rankMemory < 0) {
      throw bad("--rank-memory must not be negative, was " + rankMemory);
    }
    if (selfAudit < 0) {
      throw bad("--self-audit must not be negative, was " + selfAudit);
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Makes them settings. */
  void applyTo(DeltaConfig.Builder settings) {
    settings.wholeQueries(wholeQueries, rankMemory);
    if (selfAudit > 0) {
      settings.selfAudit(selfAudit, AUDIT_BUDGET);
    }
  }
}
