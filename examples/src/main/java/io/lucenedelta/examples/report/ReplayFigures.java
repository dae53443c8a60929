// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.replay.Measurement;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.report.Figure.Kind;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures of a replay: each strategy at its best settings for each budget. */
final class ReplayFigures {
  private static final Axis REFRESHES = Axis.log("refreshes a week");

  private final ReplayResult result;
  private final Map<String, List<RunResult>> best;
  private final RunResult never;

  ReplayFigures(ReplayResult result) {
    this.result = result;
    this.best = result.bestByPolicy();
    this.never = result.runs().get(0);
  }

  /** 2005, figure 4, in the scale that spreads the curves; there must be a gap to close. */
  Figure gapClosed() {
    return new Figure(
        "gap-closed",
        "How much of the possible quality each strategy keeps",
        "Further up is better, further left is cheaper. 0 % is a repository that is never"
            + " refreshed, 100 % one that is always up to date. Click a name below the picture to"
            + " hide its curve, or its button under Names and numbers.",
        Kind.LINES,
        REFRESHES,
        Axis.percent("share of the possible quality kept"),
        List.of(new View("all", byBudget(result::gapClosed))));
  }

  /** 2005, figure 4, as the paper draws it. */
  Figure quality() {
    List<Series> curves = new ArrayList<>(byBudget(RunResult::meanQuality));
    List<Point> level =
        curves.stream()
            .flatMap(curve -> curve.points().stream())
            .map(point -> new Point(point.x(), never.meanQuality(), "no refreshes at all"))
            .distinct() // several strategies may refresh as much
            .sorted((a, b) -> Double.compare(a.x(), b.x()))
            .toList();
    curves.add(new Series(never.policy(), level));
    return new Figure(
        "quality",
        "Plain quality",
        "Quality is what users see of what they would see if every page were up to date, weighted by"
            + " how often each query is asked and how far down the results people look. Where"
            + " most pages change little in a week even an old repository scores high.",
        Kind.LINES,
        REFRESHES,
        Axis.percent("mean quality"),
        List.of(new View("all", curves)));
  }

  /** Equation 5 week by week; the reader chooses the budget. */
  Figure overTime() {
    List<View> views = new ArrayList<>();
    List<String> budgets =
        best.values().stream()
            .flatMap(List::stream)
            .filter(run -> !run.policy().equals(never.policy()))
            .map(run -> run.budget().label())
            .distinct()
            .toList();
    for (String budget : budgets) {
      List<Series> curves = new ArrayList<>();
      best.values().stream()
          .flatMap(List::stream)
          .filter(run -> run.budget().label().equals(budget))
          .filter(run -> !run.policy().equals(never.policy()))
          .forEach(run -> curves.add(weeks(run)));
      curves.add(weeks(never));
      views.add(new View("budget " + budget, curves));
    }
    return new Figure(
        "over-time",
        "Quality week by week",
        "A strategy that keeps up stays level; one that does not sinks. A sudden step down is a week"
            + " in which many results changed at once.",
        Kind.LINES,
        Axis.linear("week"),
        Axis.percent("quality"),
        views);
  }

  /** 2008, figures 11 and 12. */
  Figure staleness() {
    return new Figure(
        "staleness",
        "How stale the copies are",
        "The share of a page's text fragments that the copy and the live page do not have in common,"
            + " mean over pages and weeks. This counts text that nobody searches for, so a strategy"
            + " for users need not be good at it. Each is at its settings of best quality for each"
            + " budget, as in the first figures; Staleness while learning and after has those of"
            + " least staleness.",
        Kind.LINES,
        REFRESHES,
        Axis.percent("mean fragment staleness"),
        List.of(new View("all", byBudget(RunResult::meanStaleness))));
  }

  /** The estimate against the truth, refresh by refresh. */
  Figure audit(List<Measurement> measurements) {
    List<Measurement> drawable =
        measurements.stream().filter(one -> one.deltaQa() > 0 && one.deltaQExact() > 0).toList();
    List<Point> dots =
        drawable.stream()
            .map(
                refresh ->
                    new Point(
                        refresh.deltaQa(),
                        refresh.deltaQExact(),
                        refresh.page() + ", week " + refresh.week()))
            .toList();
    ShownDots shown = ShownDots.of(List.of(new Series("page", dots)));
    return new Figure(
        "audit",
        "Is the estimate right?",
        "Each dot is a refresh: the quality change that was estimated while the page was indexed,"
            + " and the true one, which takes a search of every query to find out."
            + leftOut(measurements, drawable.size())
            + shown.sentence(),
        Kind.DOTS,
        Axis.log("estimated quality change, frequency × score"),
        Axis.log("true quality change, frequency × score"),
        List.of(new View("all", shown.series())));
  }

  /** Whom the axes have no place for; some of them contradict the estimate. */
  private static String leftOut(List<Measurement> all, int drawable) {
    if (drawable == all.size()) {
      return "";
    }
    long without = all.stream().filter(m -> m.deltaQa() == 0 && m.deltaQExact() == 0).count();
    long worse = all.stream().filter(m -> m.deltaQExact() < 0).count();
    return String.format(
        Locale.ENGLISH,
        " Refreshes whose estimate or true change is 0 or below are not shown: %,d of %,d, %,d with"
            + " both 0 and %,d with a true change below 0.",
        all.size() - drawable,
        all.size(),
        without,
        worse);
  }

  private List<Series> byBudget(ToDoubleFunction<RunResult> value) {
    List<Series> curves = new ArrayList<>();
    best.forEach(
        (policy, runs) -> {
          if (!policy.equals(never.policy())) {
            curves.add(
                new Series(
                    policy,
                    runs.stream()
                        .sorted(
                            (a, b) -> Double.compare(a.refreshesPerWeek(), b.refreshesPerWeek()))
                        .map(
                            run ->
                                new Point(
                                    run.refreshesPerWeek(), value.applyAsDouble(run), note(run)))
                        .toList()));
          }
        });
    return curves;
  }

  private static String note(RunResult run) {
    return "budget "
        + run.budget().label()
        + (run.settings().isEmpty() ? "" : ", best settings: " + run.settings());
  }

  private static Series weeks(RunResult run) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < run.quality().length; i++) {
      points.add(
          new Point(
              run.firstWeek() + i,
              run.quality()[i],
              run.refreshes()[i] + (run.refreshes()[i] == 1 ? " refresh" : " refreshes")));
    }
    return new Series(run.policy(), points);
  }
}
