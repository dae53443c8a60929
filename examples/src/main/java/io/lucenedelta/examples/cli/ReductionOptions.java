// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.workload.QuerySelection;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that make a workload smaller, to see what that saves. */
final class ReductionOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--queries",
      paramLabel = "N",
      description =
          "Measure the N most frequent queries whole and all others term by term, as the 2005 paper"
              + " does (default: all whole; 0: none).")
  private int whole = Integer.MAX_VALUE;

  @Option(
      names = "--terms",
      paramLabel = "N",
      description = "Measure only queries of the N most frequent terms (default: all).")
  private int terms = Integer.MAX_VALUE;

  /**
   * Checks the numbers.
   *
   * @throws ParameterException if one is too small
   */
  void check() {
    if (whole < 0) {
      throw bad("--queries must be at least 0, was " + whole);
    }
    if (terms < 1) {
      throw bad("--terms must be at least 1, was " + terms);
    }
  }

  /**
   * What of a workload is measured.
   *
   * @throws CommandFailure if nothing is
   */
  Workload reduced(Workload workload) {
    Workload few = terms < workload.termCount() ? ofFrequentTerms(workload) : workload;
    if (few.queryCount() == 0) {
      throw new CommandFailure(
          "--terms %d leaves no query to measure: each has a term that is less frequent; give a larger number"
              .formatted(terms));
    }
    return QuerySelection.of(few, 1, whole).measured();
  }

  private Workload ofFrequentTerms(Workload workload) {
    Workload byFrequency = workload.singleTerm();
    Set<String> kept = new HashSet<>();
    for (int query = 0; query < terms; query++) {
      kept.add(byFrequency.queryText(query));
    }
    WorkloadBuilder builder = Workload.builder();
    for (int query = 0; query < workload.queryCount(); query++) {
      if (kept.containsAll(workload.queryTerms(query))) {
        builder.add(workload.queryTerms(query), workload.frequency(query));
      }
    }
    return builder.build();
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
