// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lucenedelta.scorer.quality.ViewingLikelihoodFit;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.Fate;
import io.lucenedelta.workload.log.ParseTally;
import io.lucenedelta.workload.log.WorkloadIngest.LogSource;
import io.lucenedelta.workload.relevance.RelevanceCut;
import java.util.Locale;

/**
 * What was in the logs and what the workload is, for programs: one JSON object with the numbers of
 * {@link WorkloadSummary}. {@code lines} has a number for every fate, which add up to {@code
 * lines_read}.
 */
final class WorkloadJson {
  private final WorkloadOutcome outcome;
  private final ObjectNode root = JsonNodeFactory.instance.objectNode();

  private WorkloadJson(WorkloadOutcome outcome) {
    this.outcome = outcome;
  }

  /**
   * The outcome as text.
   *
   * @param top how many queries and terms to show
   */
  static String of(WorkloadOutcome outcome, int top) {
    WorkloadJson json = new WorkloadJson(outcome);
    json.logs();
    json.texts();
    json.clicks();
    json.relevance();
    json.workload(top);
    try {
      return PrintedJson.of(json.root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the summary cannot be written", e);
    }
  }

  private void logs() {
    ArrayNode logs = root.putArray("logs");
    for (LogSource source : outcome.ingest().sources()) {
      logs.addObject().put("log", source.log()).put("format", source.format());
    }
    ParseTally tally = outcome.ingest().tally();
    root.put("lines_read", tally.read());
    ObjectNode lines = root.putObject("lines");
    ObjectNode samples = root.putObject("samples");
    for (Fate fate : Fate.values()) {
      lines.put(name(fate), tally.of(fate));
      if (!tally.samples(fate).isEmpty()) {
        tally.samples(fate).forEach(samples.putArray(name(fate))::add);
      }
    }
    root.put("rejected", tally.rejected());
    root.put("read_as_windows_1252", tally.readAsWestern());
    tally.damages().forEach(root.putArray("damages")::add);
    tally.doubts().forEach(root.putArray("doubts")::add);
    boolean known = outcome.ingest().knowsSessions(); // else nothing tells robots from people
    root.put("robot_sessions", known ? (Long) outcome.ingest().robotSessions() : null);
    root.put("robot_queries", known ? (Long) outcome.ingest().robotQueries() : null);
  }

  private void texts() {
    root.put("distinct_texts", outcome.counted().distinctTexts());
    root.put("asked_without_term", outcome.counted().withoutTerms());
    root.put("withheld_queries", outcome.counted().withheldQueries());
    root.put("withheld_asked", outcome.counted().withheldFrequency());
    root.put("forgotten_asked", outcome.forgotten());
    outcome.notes().forEach(root.putArray("notes")::add);
  }

  private void clicks() {
    root.put("clicks", outcome.ingest().clicks().total());
    root.put("clicks_without_rank", outcome.ingest().clicksWithoutRank());
    root.put("asked_where_clicked", outcome.ingest().askedWhereClicked());
    ArrayNode fits = root.putArray("viewing_likelihood");
    for (ViewingLikelihoodFit fit : outcome.fits()) {
      ObjectNode curve = fits.addObject().put("curve", fit.curve());
      curve.put("clicks", fit.clicks()).put("deepest_rank", fit.deepestRank());
      number(curve, "parameter", fit.parameter());
      number(curve, "parameter_low", fit.parameterRange().low());
      number(curve, "parameter_high", fit.parameterRange().high());
      number(curve, "scale", fit.scale());
      number(curve, "scale_low", fit.scaleRange().low());
      number(curve, "scale_high", fit.scaleRange().high());
      number(curve, "largest_deviation", fit.largestDeviation());
      number(curve, "p_value", fit.pValue());
    }
  }

  private void relevance() {
    outcome
        .relevance()
        .ifPresent(
            relevance -> {
              RelevanceCut cut = relevance.cut();
              ObjectNode node = root.putObject("relevance");
              node.put("answered", cut.answered()).put("kept", cut.kept());
              node.put("kept_low", cut.keptLow()).put("kept_high", cut.keptHigh());
              number(node, "least_sum", cut.threshold());
              node.put("asked_before", relevance.before().totalFrequency());
            });
  }

  private void workload(int top) {
    Workload workload = outcome.workload();
    Workload single = workload.singleTerm();
    root.put("queries", workload.queryCount()).put("asked", workload.totalFrequency());
    root.put("terms", single.queryCount()).put("terms_asked", single.totalFrequency());
    top(root.putArray("top_queries"), "query", workload, top);
    top(root.putArray("top_terms"), "term", single, top);
  }

  private static void top(ArrayNode rows, String name, Workload workload, int top) {
    for (int query = 0; query < Math.min(top, workload.queryCount()); query++) {
      rows.addObject()
          .put(name, workload.queryText(query))
          .put("frequency", workload.frequency(query));
    }
  }

  /** JSON has neither NaN nor infinity: they are null. */
  private static void number(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }

  private static String name(Fate fate) {
    return fate.name().toLowerCase(Locale.ROOT);
  }
}
