// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a replay found.
 *
 * @param scoring how pages were scored
 * @param pages number of pages
 * @param weeks number of weeks, the synchronised first one included
 * @param runs every run, by strategy, settings and budget in the order of the request; the first is
 *     {@code never}
 * @param forecast the predictability of quality changes
 * @param longevity how long contents last, as in the 2008 paper
 * @param matchingQueries how many queries of the workload match a page in some week
 */
public record ReplayResult(
    Scoring scoring,
    int pages,
    int weeks,
    List<RunResult> runs,
    List<Forecast> forecast,
    Longevity longevity,
    int matchingQueries) {
  /** Copies the lists. */
  public ReplayResult {
    runs = List.copyOf(runs);
    forecast = List.copyOf(forecast);
  }

  /**
   * How far a page's rate of quality change can be told from its past (2005, section 6.2).
   *
   * @param page the page's key
   * @param rateFirstHalf δQ_A: the mean, over the page's changes in the first half of the weeks, of
   *     ΔQ_A ÷ days since the change before (or since the half or the page began), every change
   *     refreshed at once; not divided by the length of the half, so few changes are no small rate.
   *     0 where no result moved, NaN where the page came at the end of the half or later
   * @param rateSecondHalf the same over the second half
   */
  public record Forecast(String page, double rateFirstHalf, double rateSecondHalf) {}

  /** What the audited runs measured of their refreshes; empty when none was audited. */
  public List<Measurement> measurements() {
    return runs.stream().flatMap(run -> run.measurements().stream()).toList();
  }

  /** Mean quality when nothing is refreshed. */
  public double neverQuality() {
    return runs.get(0).meanQuality();
  }

  /** Whether results change at all, so that one way of choosing can be better than another. */
  public boolean isComparable() {
    return neverQuality() != 1;
  }

  /**
   * The share of the gap between never refreshing and a synchronised repository that a run closed:
   * (Q − Q_never) / (1 − Q_never); NaN when there is no gap, which {@link #isComparable} tells.
   */
  public double gapClosed(RunResult run) {
    double gap = 1 - neverQuality();
    return !isComparable() ? Double.NaN : (run.meanQuality() - neverQuality()) / gap;
  }

  /**
   * The runs of each strategy at its best settings: one a budget, that of the largest gap closed.
   */
  public Map<String, List<RunResult>> bestByPolicy() {
    Map<String, Map<String, RunResult>> best = new LinkedHashMap<>();
    for (RunResult run : runs) {
      best.computeIfAbsent(run.policy(), p -> new LinkedHashMap<>())
          .merge(run.budget().label(), run, (a, b) -> b.meanQuality() > a.meanQuality() ? b : a);
    }
    Map<String, List<RunResult>> byPolicy = new LinkedHashMap<>();
    best.forEach((policy, byBudget) -> byPolicy.put(policy, new ArrayList<>(byBudget.values())));
    return byPolicy;
  }
}
