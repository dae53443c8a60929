// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.replay.Agreement;
import io.lucenedelta.examples.replay.Budget;
import io.lucenedelta.examples.replay.Measurement;
import io.lucenedelta.examples.replay.ReplayRequest;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.Requirement;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.replay.Strategies;
import io.lucenedelta.scorer.refresh.Knowledge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A replay for people: the page with figures, and the tables for a terminal.
 *
 * <p>Each strategy is shown at its best settings for each budget, as the 2005 paper does in section
 * 6.3. Immutable.
 */
public final class ReplayReport {
  private static final String NOTHING = "—";

  private final ReplayResult result;
  private final ReplayRequest request;
  private final String crawl;
  private final List<String> notes;
  private final String made;
  private final ReplayFigures figures;

  private ReplayReport(
      ReplayResult result, ReplayRequest request, String crawl, List<String> notes, String made) {
    this.result = result;
    this.request = request;
    this.crawl = crawl;
    this.notes = List.copyOf(notes);
    this.made = made;
    this.figures = new ReplayFigures(result);
  }

  /**
   * The report of a replay.
   *
   * @param crawl what was replayed, for people to read
   * @param notes what is to be known of the crawl, clauses that end without a full stop
   * @param made when and with what versions, for people to read
   */
  public static ReplayReport of(
      ReplayResult result, ReplayRequest request, String crawl, List<String> notes, String made) {
    return new ReplayReport(result, request, crawl, notes, made);
  }

  /** The page. */
  public HtmlReport page() {
    HtmlReport page = HtmlReport.titled("Which pages to fetch next: " + crawl).paragraph(summary());
    notes.forEach(page::sentence);
    if (!result.isComparable()) {
      page.sentence(NothingToCompare.sentence(result.matchingQueries(), request.workload()));
    }
    page.paragraph(new ReplayProtocol(result, request).text())
        .paragraph(made)
        .heading("What each strategy needs and keeps")
        .table(requirements());
    if (result.isComparable()) {
      page.figure(figures.gapClosed());
    }
    page.figure(figures.quality()).figure(figures.overTime()).table(strategies());
    ReportTable settings = settings();
    if (!settings.rows().isEmpty()) {
      page.table(settings);
    }
    page.heading("Why it works, and where it does not")
        .figure(new ForecastFigure(result.forecast()).figure());
    List<Measurement> measurements = result.measurements();
    if (!measurements.isEmpty()) {
      page.figure(figures.audit(measurements)).paragraph(Agreement.of(measurements).sentence());
    }
    page.figure(figures.staleness());
    page.heading("How long contents last");
    new LongevityFigures(result).all().forEach(page::figure);
    return page;
  }

  /** Share of the gap closed, strategies by budgets. */
  public ReportTable gapClosed() {
    Map<String, List<RunResult>> best = result.bestByPolicy();
    String never = result.runs().get(0).policy();
    List<String> header = new ArrayList<>(List.of("budget (refreshes a week)"));
    List<List<String>> rows = new ArrayList<>();
    best.forEach(
        (policy, runs) -> {
          if (!policy.equals(never)) {
            List<String> row = new ArrayList<>(List.of(named(policy)));
            runs.forEach(run -> row.add(closed(run)));
            rows.add(row);
          }
        });
    request.budgets().stream()
        .map(budget -> budget.label() + " (" + budget.refreshes(result.pages()) + ")")
        .distinct()
        .forEach(header::add);
    return new ReportTable(
        "How much of the possible quality each strategy keeps",
        String.format(
            Locale.ROOT,
            "0 %% is never refreshing (mean quality %.4f), 100 %% a repository that is always up to"
                + " date. %s",
            result.neverQuality(),
            ReplayProtocol.CHANCE),
        header,
        rows);
  }

  /** A strategy, and what it knew where that is not what was asked for: it needs hindsight. */
  private String named(String policy) {
    Knowledge knowledge = result.bestByPolicy().get(policy).get(0).knowledge();
    return knowledge == request.knowledge() ? policy : policy + " (" + knowledge.label() + ")";
  }

  private String closed(RunResult run) {
    return result.isComparable() ? percent(result.gapClosed(run)) : NOTHING;
  }

  /** Refreshes a week needed, strategies by shares of the gap. */
  public ReportTable requirements() {
    Map<String, List<Requirement>> byPolicy =
        Requirement.of(result).stream()
            .collect(
                Collectors.groupingBy(
                    Requirement::policy, LinkedHashMap::new, Collectors.toList()));
    List<String> header = new ArrayList<>(List.of("to keep"));
    List<List<String>> rows = new ArrayList<>();
    byPolicy.forEach(
        (policy, requirements) -> {
          if (rows.isEmpty()) {
            requirements.forEach(one -> header.add(percent(one.gapClosed())));
          }
          List<String> row = new ArrayList<>(List.of(named(policy)));
          requirements.forEach(one -> row.add(needed(one)));
          rows.add(row);
        });
    return new ReportTable(
        "Refreshes a week needed",
        "How many pages a week a strategy must fetch to keep this share of the possible quality"
            + (Requirement.areRelated(result) ? ", and how many times what user-centric needs" : "")
            + (result.isComparable()
                ? ". A dash: not reached with the budgets tried. Values are interpolated linearly"
                    + " between the refreshes made with two neighbouring budgets; below the"
                    + " smallest budget, between it and no refreshes."
                : ". A dash: no result changes, and nothing is to be kept."),
        header,
        rows);
  }

  private static String needed(Requirement requirement) {
    if (requirement.refreshesPerWeek().isEmpty()) {
      return NOTHING;
    }
    double refreshes = requirement.refreshesPerWeek().getAsDouble();
    String count = String.format(Locale.ROOT, refreshes < 100 ? "%.1f" : "%.0f", refreshes);
    return requirement.relativeToUserCentric().isEmpty()
        ? count
        : count
            + String.format(
                Locale.ROOT, " (×%.2f)", requirement.relativeToUserCentric().getAsDouble());
  }

  /** What each strategy does, for those who know none. */
  private ReportTable strategies() {
    return new ReportTable(
        "What the strategies are",
        "docs/strategies.md says more, and names the sources.",
        List.of("strategy", "idea"),
        result.bestByPolicy().keySet().stream()
            .map(policy -> List.of(policy, Strategies.idea(policy)))
            .toList());
  }

  /** The settings that closed most of the gap, strategies by budgets. */
  private ReportTable settings() {
    List<List<String>> rows = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("strategy"));
    request.budgets().stream().map(Budget::label).distinct().forEach(header::add);
    result
        .bestByPolicy()
        .forEach(
            (policy, runs) -> {
              if (runs.stream().anyMatch(run -> !run.settings().isEmpty())) {
                List<String> row = new ArrayList<>(List.of(policy));
                runs.forEach(run -> row.add(run.settings().isEmpty() ? "default" : run.settings()));
                rows.add(row);
              }
            });
    return new ReportTable(
        "Best settings",
        "Strategies with parameters were tried with several settings; these kept most of the possible"
            + " quality at each budget, and the figures show them. They are chosen by the weeks that"
            + " are judged, which favours strategies with many settings by chance. quality.tsv and"
            + " summary.tsv hold all of them.",
        header,
        rows);
  }

  private String summary() {
    return String.format(
        Locale.ENGLISH,
        "A search engine that can fetch only some pages a week shows old results for the others."
            + " Here %,d pages over %d weeks were replayed for %d ways of choosing, with %,d"
            + " different queries that users asked %,.0f times. Never refreshing keeps a mean quality"
            + " of %.4f, where 1 is a repository that is always up to date.",
        result.pages(),
        result.weeks(),
        result.bestByPolicy().size(),
        request.workload().queryCount(),
        request.workload().totalFrequency(),
        result.neverQuality());
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share).replace(".0 %", " %");
  }
}
