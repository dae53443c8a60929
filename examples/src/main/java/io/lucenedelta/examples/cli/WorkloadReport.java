// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.report.Axis;
import io.lucenedelta.examples.report.Figure;
import io.lucenedelta.examples.report.Figure.Kind;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import io.lucenedelta.examples.report.HtmlReport;
import io.lucenedelta.examples.report.ReportTable;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.Fate;
import io.lucenedelta.workload.log.ParseTally;
import io.lucenedelta.workload.relevance.RelevanceCut;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What was in the logs and what the workload is, as a page to look at: what became of the lines,
 * the most frequent queries, and where relevance cut.
 */
final class WorkloadReport {
  private static final int POINTS = 600;

  private WorkloadReport() {}

  /** The page. */
  static HtmlReport of(WorkloadOutcome outcome, int top) {
    HtmlReport page = HtmlReport.titled("What people ask");
    page.paragraph(
        String.format(
            Locale.ENGLISH,
            "%,d lines were read. %,d different queries are left, asked %,.0f times.",
            outcome.ingest().tally().read(),
            outcome.workload().queryCount(),
            outcome.workload().totalFrequency()));
    outcome.ingest().tally().damages().forEach(page::paragraph);
    outcome.ingest().tally().doubts().forEach(page::paragraph);
    outcome.notes().forEach(page::paragraph);
    page.table(lines(outcome.ingest().tally()));
    if (!rejected(outcome.ingest().tally()).isEmpty()) {
      page.table(samples(outcome.ingest().tally()));
    }
    outcome
        .relevance()
        .filter(relevance -> relevance.cut().answered() > 1)
        .ifPresent(relevance -> page.figure(knee(relevance.sums(), relevance.cut())));
    return page.table(queries(outcome.workload(), top));
  }

  private static ReportTable lines(ParseTally tally) {
    List<List<String>> rows = new ArrayList<>();
    for (Fate fate : Fate.values()) {
      if (tally.of(fate) > 0) {
        double share = 100.0 * tally.of(fate) / tally.read();
        rows.add(
            List.of(
                fate.label(),
                String.format(Locale.ENGLISH, "%,d", tally.of(fate)),
                String.format(Locale.ENGLISH, "%.1f %%", share)));
      }
    }
    return new ReportTable(
        "What became of the lines",
        "Every line of the logs has one fate. Only kept ones count as queries.",
        List.of("fate", "lines", "share"),
        rows);
  }

  private static List<Fate> rejected(ParseTally tally) {
    return Arrays.stream(Fate.values())
        .filter(fate -> fate.isRejection() && !tally.samples(fate).isEmpty())
        .toList();
  }

  private static ReportTable samples(ParseTally tally) {
    return new ReportTable(
        "Lines that could not be read",
        "The first ones of each cause.",
        List.of("cause", "line"),
        rejected(tally).stream()
            .flatMap(fate -> tally.samples(fate).stream().map(line -> List.of(fate.label(), line)))
            .toList());
  }

  private static ReportTable queries(Workload workload, int top) {
    List<List<String>> rows = new ArrayList<>();
    for (int query = 0; query < Math.min(top, workload.queryCount()); query++) {
      rows.add(List.of(workload.queryText(query), frequency(workload.frequency(query))));
    }
    return new ReportTable(
        "The most frequent queries",
        "A query is the set of its words; they stand in the order in which they were asked most.",
        List.of("query", "asked"),
        rows);
  }

  private static String frequency(double frequency) {
    return frequency < WorkloadSummary.LEAST
        ? String.format(Locale.ENGLISH, "%.3g", frequency)
        : String.format(Locale.ENGLISH, "%,.3f", frequency).replaceAll("\\.?0+$", "");
  }

  /** The summed scores, falling, and where the cut lies. */
  static Figure knee(double[] sums, RelevanceCut cut) {
    double[] rising = Arrays.stream(sums).filter(sum -> sum > 0).sorted().toArray();
    int last = rising.length - 1;
    int step = Math.max(1, rising.length / POINTS);
    List<Point> curve = new ArrayList<>();
    for (int i = 0; i < last; i += step) {
      curve.add(new Point(i + 1.0, rising[last - i], ""));
    }
    curve.add(new Point(last + 1.0, rising[0], ""));
    String note =
        String.format(
            Locale.ENGLISH,
            "%,d of %,d kept, summed score of at least %.3g",
            cut.kept(),
            cut.answered(),
            cut.threshold());
    List<Point> knee =
        List.of(new Point(cut.kept(), rising[last], note), new Point(cut.kept(), rising[0], note));
    return new Figure(
        "knee",
        "Which queries concern these pages",
        String.format(
                Locale.ENGLISH,
                "Each query that a page answers, by its scores summed over all pages. Those before the"
                    + " knee, where the curve begins to fall fast, are kept: %,d of %,d, and %,d to"
                    + " %,d when the queries are drawn again at random (95 %%).",
                cut.kept(),
                cut.answered(),
                cut.keptLow(),
                cut.keptHigh())
            + (step > 1 ? " One query in " + step + " is drawn." : ""),
        Kind.LINES,
        Axis.linear("queries, by summed score"),
        Axis.log("summed score"),
        List.of(
            new View("all", List.of(new Series("summed score", curve), new Series("knee", knee)))));
  }
}
