// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.OneLine;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.quality.ViewingLikelihoodFit;
import io.lucenedelta.workload.ClickCounts;
import io.lucenedelta.workload.CountedWorkload;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.Fate;
import io.lucenedelta.workload.log.ParseTally;
import io.lucenedelta.workload.log.WorkloadIngest;
import io.lucenedelta.workload.log.WorkloadIngest.LogSource;
import io.lucenedelta.workload.relevance.RelevanceCut;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Tells a person what was in the logs and what the workload is. */
final class WorkloadSummary {
  /** Frequencies below it have no figures among three places. */
  static final double LEAST = 0.001;

  private static final String WITHOUT_TIMES =
      "of a table the columns can be named with - in place of the time (--columns"
          + " -,session,query), which reads it without collapsing repeats";

  private final WorkloadOutcome outcome;
  private final WorkloadIngest ingest;
  private final CountedWorkload counted;
  private final PrintWriter out;

  WorkloadSummary(WorkloadOutcome outcome, PrintWriter out) {
    this.outcome = outcome;
    this.ingest = outcome.ingest();
    this.counted = outcome.counted();
    this.out = out;
  }

  /** Everything, and so many queries and terms. */
  void print(int top) {
    sources();
    lines();
    texts();
    clicks();
    outcome.relevance().ifPresent(this::relevance);
    workload(outcome.workload(), top);
  }

  /** How relevance cut the workload down. */
  private void relevance(WorkloadOutcome.Relevance relevance) {
    RelevanceCut cut = relevance.cut();
    Workload before = relevance.before();
    Workload after = outcome.workload();
    out.println();
    row("queries that a page answers", cut.answered(), share(cut.answered(), before.queryCount()));
    if (before.queryCount() == 0) { // the index was asked nothing
      return;
    }
    row(
        "  relevant",
        cut.kept(),
        cut.answered() == 0
            ? "the index needs text in its field '"
                + PageAnalysis.BODY
                + "', analysed as by the verb index"
            : String.format(
                Locale.ROOT,
                "summed score of at least %.3g, at the knee; %,d to %,d when resampled",
                cut.threshold(),
                cut.keptLow(),
                cut.keptHigh()));
    row(
        "  asked",
        after.totalFrequency(),
        share(after.totalFrequency(), before.totalFrequency()) + " of the volume");
  }

  /** What the workload is. */
  private void workload(Workload workload, int top) {
    Workload single = workload.singleTerm();
    out.println();
    row(
        "queries, Q",
        workload.queryCount(),
        "asked " + number(workload.totalFrequency()) + " times");
    row("terms, Q′", single.queryCount(), "asked " + number(single.totalFrequency()) + " times");
    table("query", workload, top);
    table("term", single, top);
  }

  private void sources() {
    Map<String, Integer> formats = new TreeMap<>();
    for (LogSource source : ingest.sources()) {
      formats.merge(source.format(), 1, Integer::sum);
    }
    formats.forEach(
        (format, logs) -> row(format, logs, logs == 1 ? "log in this format" : "logs in it"));
  }

  private void lines() {
    ParseTally tally = ingest.tally();
    out.println();
    row("lines read", tally.read(), "");
    for (Fate fate : Fate.values()) {
      boolean always = List.of(Fate.KEPT, Fate.NEXT_PAGE, Fate.REPEATED, Fate.EMPTY).contains(fate);
      if (!fate.isRejection() && (always || tally.of(fate) > 0)) {
        fate(tally, fate);
      }
    }
    row("  rejected", tally.rejected(), share(tally.rejected(), tally.read()));
    for (Fate fate : Fate.values()) {
      if (fate.isRejection() && tally.of(fate) > 0) {
        row("    " + fate.label(), tally.of(fate), share(tally.of(fate), tally.read()));
        tally.samples(fate).forEach(sample -> out.println("      " + OneLine.of(sample)));
        if (fate == Fate.BAD_TIME && 2 * tally.of(fate) >= tally.read()) {
          out.println("      " + WITHOUT_TIMES);
        }
      }
    }
    if (tally.readAsWestern() > 0) {
      row(
          "  not UTF-8, read as windows-1252",
          tally.readAsWestern(),
          QueryLogOptions.ANOTHER_CHARSET);
    }
    if (ingest.robotSessions() > 0) {
      row(
          "  robots",
          ingest.robotSessions(),
          (ingest.robotSessions() == 1 ? "session, " : "sessions, ")
              + number(ingest.robotQueries())
              + (ingest.robotQueries() == 1 ? " query" : " queries")
              + " beyond what a person asks in an hour"
              + (tally.of(Fate.ROBOT) > 0 ? ", left out" : ", kept: see --drop-robots"));
    }
    tally.damages().forEach(damage -> out.println("  " + OneLine.of(damage)));
    tally.doubts().forEach(doubt -> out.println("  " + OneLine.of(doubt)));
  }

  private void fate(ParseTally tally, Fate fate) {
    row("  " + fate.label(), tally.of(fate), share(tally.of(fate), tally.read()));
  }

  private void texts() {
    out.println();
    row("distinct texts", counted.distinctTexts(), "");
    if (counted.withoutTerms() > 0) {
      row("  asked without a term", counted.withoutTerms(), "");
    }
    if (counted.withheldQueries() > 0) {
      double asked = counted.withheldFrequency() + counted.workload().totalFrequency();
      row(
          "  asked by too few sessions",
          counted.withheldFrequency(),
          share(counted.withheldFrequency(), asked)
              + " of the volume, "
              + number(counted.withheldQueries())
              + (counted.withheldQueries() == 1 ? " query" : " queries"));
    }
    if (outcome.forgotten() > 0) {
      double asked = outcome.forgotten() + merged().totalFrequency();
      row(
          "  forgotten, below --floor",
          outcome.forgotten(),
          share(outcome.forgotten(), asked) + " of the volume of old and new");
    }
    outcome.notes().forEach(note -> out.println("  " + OneLine.of(note)));
  }

  /** What was left by the merger, before relevance cut it. */
  private Workload merged() {
    return outcome.relevance().map(WorkloadOutcome.Relevance::before).orElse(outcome.workload());
  }

  /** What the clicks say about I(r), the best curve first. */
  private void clicks() {
    ClickCounts clicks = ingest.clicks();
    if (clicks.total() == 0 && ingest.clicksWithoutRank() == 0) {
      return;
    }
    out.println();
    row("clicks", clicks.total(), "down to rank " + clicks.deepestRank());
    if (ingest.clicksWithoutRank() > 0) {
      row("  others without a rank", ingest.clicksWithoutRank(), "not counted");
    }
    double asked = ingest.askedWhereClicked();
    if (clicks.total() > 0 && asked < (1 - WorkloadOutcome.ROUNDING) * outcome.asked()) {
      row(
          "queries of logs with clicks",
          asked,
          share(asked, outcome.asked()) + ", I(r) is of these");
    }
    List<ViewingLikelihoodFit> fits = outcome.fits();
    if (fits.isEmpty()) {
      out.println("  no I(r): a viewing likelihood takes queries, and clicks at two ranks");
    }
    if (!fits.isEmpty() && fits.get(0).clicks() < clicks.total()) {
      row(
          "  too deep for I(r)",
          clicks.total() - fits.get(0).clicks(),
          "beyond rank " + fits.get(0).deepestRank() + ": one in a thousand, or one, is left out");
    }
    if (!fits.isEmpty()) {
      out.println("  in brackets 95 % intervals, which take clicks as independent");
    }
    for (ViewingLikelihoodFit fit : fits) {
      out.printf(
          Locale.ROOT,
          "  %-12s I(r) = %s, c = %.3g (%.3g to %.3g)%s; largest deviation %.3f%s%n",
          fit.curve(),
          formula(fit),
          fit.scale(),
          fit.scaleRange().low(),
          fit.scaleRange().high(),
          Double.isNaN(fit.parameter())
              ? ""
              : String.format(
                  Locale.ROOT,
                  ", %.3f (%.3f to %.3f)",
                  fit.parameter(),
                  fit.parameterRange().low(),
                  fit.parameterRange().high()),
          fit.largestDeviation(),
          Double.isNaN(fit.pValue()) ? "" : String.format(Locale.ROOT, ", p = %.2g", fit.pValue()));
    }
  }

  private static String formula(ViewingLikelihoodFit fit) {
    return switch (fit.curve()) {
      case "power law" -> String.format(Locale.ROOT, "c r^-%.3f", fit.parameter());
      case "geometric" -> String.format(Locale.ROOT, "c %.3f^(r-1)", fit.parameter());
      default -> "c/log2(1+r)";
    };
  }

  private void table(String what, Workload shown, int top) {
    int rows = Math.min(top, shown.queryCount());
    if (rows > 0) {
      out.printf(Locale.ROOT, "%n%12s  %s%n", "frequency", what);
    }
    for (int query = 0; query < rows; query++) {
      out.printf("%12s  %s%n", number(shown.frequency(query)), OneLine.of(shown.queryText(query)));
    }
  }

  private void row(String what, Number count, String remark) {
    out.println(String.format("%-34s %12s  %s", what, number(count), remark).stripTrailing());
  }

  private static String number(Number count) {
    double value = count.doubleValue();
    String pattern = value == Math.rint(value) ? "%,.0f" : value < LEAST ? "%.3g" : "%,.3f";
    return String.format(Locale.ROOT, pattern, value);
  }

  private static String share(Number part, Number whole) {
    double all = whole.doubleValue();
    return all == 0 ? "" : String.format(Locale.ROOT, "%5.1f %%", 100 * part.doubleValue() / all);
  }
}
