// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.replay.Longevity;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.report.Figure.Kind;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import io.lucenedelta.scorer.refresh.Knowledge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.correlation.PearsonsCorrelation;

/** The figures of the 2008 paper that this crawl has the data for. */
final class LongevityFigures {
  private static final Axis REFRESHES = Axis.log("refreshes a week");
  private static final Axis STALENESS = Axis.percent("mean fragment staleness");
  private static final List<String> OFFLINE =
      List.of(
          "uniform", "fragment-static", "holistic-static", "fragment-dynamic", "holistic-dynamic");
  private static final List<String> ONLINE =
      List.of("uniform", "curve-fitting", "bound-based", "fragment-dynamic");

  private final ReplayResult result;
  private final Longevity longevity;

  LongevityFigures(ReplayResult result) {
    this.result = result;
    this.longevity = result.longevity();
  }

  /** Those there are numbers for, in the paper's order. */
  List<Figure> all() {
    List<Figure> figures = new ArrayList<>();
    if (!longevity.lifelines().isEmpty()) {
      figures.add(lifelines());
      figures.add(drift());
    }
    if (!longevity.pages().isEmpty()) {
      figures.add(longevity());
      figures.add(lifetimes());
    }
    figures.add(halves());
    List<Series> economies = economies();
    if (economies.size() > 2) {
      figures.add(summaries(economies));
    }
    return figures;
  }

  /** 2008, figure 1. */
  private Figure lifelines() {
    return new Figure(
        "lifelines",
        "When the text of some pages came and went",
        "One line is one fragment, a run of a few words, from the week it appeared to the week it"
            + " was gone; one that came back has another line. One page replaces its changing text"
            + " again and again, on another text stays for a while, if there are such pages. Where a"
            + " page has more than "
            + Longevity.MOST_LIFELINES
            + " lines so many are shown, spread evenly over all.",
        Kind.SEGMENTS,
        Axis.linear("week"),
        Axis.linear("fragment, in order of appearance"),
        views(longevity.lifelines(), Longevity.Lifeline::page, LongevityFigures::stays));
  }

  private static List<Series> stays(List<Longevity.Lifeline> lines) {
    List<Point> ends = new ArrayList<>();
    for (Longevity.Lifeline line : lines) {
      ends.add(new Point(line.firstWeek(), line.fragment(), ""));
      ends.add(new Point(line.lastWeek() + 1, line.fragment(), ""));
    }
    return List.of(new Series("fragments", ends));
  }

  /** 2008, figure 2. */
  private Figure drift() {
    return new Figure(
        "divergence",
        "How these pages drift away from a copy",
        "The share of fragments that a copy of the page's first version no longer has in common"
            + " with it (full scale 1), and the utility of a refresh then, in hundreds of"
            + " divergence × days: low while the page drifted early and has stood still since.",
        Kind.LINES,
        Axis.linear("weeks since the page's first version"),
        Axis.linear("divergence; utility / 100"),
        views(
            longevity.drifts(),
            Longevity.Drift::page,
            drifts ->
                List.of(
                    curve("divergence", drifts, Longevity.Drift::week, Longevity.Drift::divergence),
                    curve("utility", drifts, Longevity.Drift::week, d -> d.utility() / 100))));
  }

  /** 2008, figure 3. */
  private Figure longevity() {
    List<Point> dots =
        longevity.pages().stream()
            .map(page -> new Point(page.changeFrequency(), page.weeks(), page.page()))
            .toList();
    ShownDots shown = ShownDots.of(List.of(new Series("pages", dots)));
    return new Figure(
        "longevity",
        "Pages that change often are not all alike",
        "Each dot is a page whose text was seen to come and go: how often it changes, and how long"
            + " its text stays."
            + correlation(dots)
            + shown.sentence(),
        Kind.DOTS,
        Axis.percent("share of the weeks with a change"),
        Axis.linear("mean life of a fragment in weeks"),
        List.of(new View("all", shown.series())));
  }

  private static String correlation(List<Point> dots) {
    if (dots.size() < 3) {
      return "";
    }
    double[] x = dots.stream().mapToDouble(Point::x).toArray();
    double[] y = dots.stream().mapToDouble(Point::y).toArray();
    double correlation = new PearsonsCorrelation().correlation(x, y); // NaN where all x are alike
    return Double.isNaN(correlation)
        ? ""
        : String.format(Locale.ROOT, " Correlation coefficient %.2f.", correlation);
  }

  /** 2008, figure 5. */
  private Figure lifetimes() {
    return new Figure(
        "lifetimes",
        "How long text lives, measured and by the model",
        "The share of fragments gone after so many weeks, for pages whose fragments mostly last one"
            + " change (K=1), two (K=2) or more, beside what Poisson changes would give,"
            + " as many a week as the share of weeks with a change. A week shows one change at most,"
            + " which alone puts the model too low for K=1, and for more first too high and then too"
            + " low, by a few hundredths where a quarter of the weeks has one. The pages are those that"
            + " change in 15 to 35 % of the weeks, if there are at least ten of these, else all.",
        Kind.LINES,
        Axis.linear("weeks"),
        Axis.percent("share of fragments gone"),
        List.of(
            new View(
                "all",
                longevity.lifetimes().stream()
                    .collect(
                        Collectors.groupingBy(
                            Longevity.Lifetime::group, LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .stream()
                    .flatMap(points -> distributions(points).stream())
                    .toList())));
  }

  private static List<Series> distributions(List<Longevity.Lifetime> points) {
    String group = points.get(0).group();
    return List.of(
        curve(group + " measured", points, Longevity.Lifetime::weeks, Longevity.Lifetime::measured),
        curve(
            group + " modelled", points, Longevity.Lifetime::weeks, Longevity.Lifetime::modelled));
  }

  /** 2008, figures 6, 8, 9, 11 and 12: each strategy at the settings of least staleness. */
  private Figure halves() {
    List<View> comparisons = new ArrayList<>();
    comparisons.add(
        new View(
            "offline strategies, all weeks (2008, figure 6)",
            least(
                runsOf(OFFLINE),
                run -> named(run, Knowledge.HINDSIGHT),
                RunResult::refreshesPerWeek,
                RunResult::meanStaleness)));
    Function<RunResult, String> online = run -> named(run, Knowledge.ONLINE);
    comparisons.add(warmUp("online strategies, first half (2008, figure 8)", ONLINE, online));
    comparisons.add(steady("online strategies, second half (2008, figure 9)", ONLINE, online));
    comparisons.add(
        steady(
            "against cgm, second half (2008, figures 11, 12)",
            List.of("curve-fitting", "cgm"),
            online));
    comparisons.removeIf(view -> view.series().size() < 2);
    List<View> views = new ArrayList<>();
    views.add(steady("second half, all strategies", List.of(), RunResult::policy));
    View learning = warmUp("first half, all strategies", List.of(), RunResult::policy);
    if (!learning.series().isEmpty()) { // as with one week
      views.add(learning);
    }
    views.addAll(comparisons);
    return new Figure(
        "staleness-halves",
        "Staleness while learning and after",
        "The first half of the weeks, in which strategies that start from nothing must learn, and"
            + " the second. Each strategy at its settings of least staleness for each budget; point"
            + " at a mark to see which. Where a view is of offline or online strategies, one that"
            + " was run with the other knowledge has it behind its name.",
        Kind.LINES,
        REFRESHES,
        STALENESS,
        views);
  }

  private View warmUp(String name, List<String> policies, Function<RunResult, String> series) {
    return new View(
        name,
        least(runsOf(policies), series, RunResult::warmUpRefreshes, RunResult::warmUpStaleness));
  }

  private View steady(String name, List<String> policies, Function<RunResult, String> series) {
    return new View(
        name,
        least(runsOf(policies), series, RunResult::steadyRefreshes, RunResult::steadyStaleness));
  }

  /**
   * The name of a strategy, and what it was told where that is not what all strategies of the
   * paper's figure know: {@code uniform} in hindsight leaves static pages out, which no strategy
   * that starts from nothing can.
   */
  private static String named(RunResult run, Knowledge expected) {
    return run.knowledge() == expected
        ? run.policy()
        : run.policy() + " (" + run.knowledge().label() + ")";
  }

  /** The runs of some strategies; of all when none is named. */
  private List<RunResult> runsOf(List<String> policies) {
    return result.runs().stream()
        .filter(run -> policies.isEmpty() || policies.contains(run.policy()))
        .toList();
  }

  private static List<Series> least(
      List<RunResult> runs,
      Function<RunResult, String> name,
      ToDoubleFunction<RunResult> cost,
      ToDoubleFunction<RunResult> staleness) {
    BinaryOperator<RunResult> fresher =
        (a, b) -> staleness.applyAsDouble(b) < staleness.applyAsDouble(a) ? b : a;
    Map<String, Map<String, RunResult>> best = new LinkedHashMap<>();
    for (RunResult run : runs) {
      best.computeIfAbsent(name.apply(run), n -> new LinkedHashMap<>())
          .merge(run.budget().label(), run, fresher);
    }
    List<Series> curves = new ArrayList<>();
    best.forEach(
        (series, byBudget) ->
            curves.add(
                new Series(
                    series,
                    byBudget.values().stream()
                        .filter(run -> run.totalRefreshes() > 0)
                        .filter(run -> !Double.isNaN(staleness.applyAsDouble(run)))
                        .map(
                            run ->
                                new Point(
                                    cost.applyAsDouble(run),
                                    staleness.applyAsDouble(run),
                                    (run.policy() + " " + run.settings()).strip()))
                        .sorted((a, b) -> Double.compare(a.x(), b.x()))
                        .toList())));
    curves.removeIf(series -> series.points().isEmpty());
    return curves;
  }

  /** 2008, figure 10: what fewer profiles and smaller summaries cost. */
  private Figure summaries(List<Series> economies) {
    return new Figure(
        "summaries",
        "What it costs to remember less",
        "The two online strategies of the 2008 paper with five or one change profiles a page (h)"
            + " and all fragments or a few hashes a version (m), second half of the weeks, each at"
            + " its T of least staleness, by the usual l and ρ.",
        Kind.LINES,
        REFRESHES,
        STALENESS,
        List.of(new View("all", economies)));
  }

  /** Without runs of another l or ρ, which are tried with all profiles and fragments only. */
  private List<Series> economies() {
    List<RunResult> runs =
        result.runs().stream()
            .filter(run -> List.of("curve-fitting", "bound-based").contains(run.policy()))
            .filter(run -> setting(run, "l", "").isEmpty() && setting(run, "rho", "").isEmpty())
            .toList();
    return least(
        runs,
        run ->
            run.policy() + ", h = " + setting(run, "h", "5") + ", m = " + setting(run, "m", "all"),
        RunResult::steadyRefreshes,
        RunResult::steadyStaleness);
  }

  private static String setting(RunResult run, String name, String usual) {
    for (String setting : List.of(run.settings().split(" ", -1))) {
      if (setting.startsWith(name + "=")) {
        return setting.substring(name.length() + 1);
      }
    }
    return usual;
  }

  private static <T> List<View> views(
      List<T> items, Function<T, String> name, Function<List<T>, List<Series>> series) {
    Map<String, List<T>> byName =
        items.stream()
            .collect(Collectors.groupingBy(name, LinkedHashMap::new, Collectors.toList()));
    return byName.entrySet().stream()
        .map(entry -> new View(entry.getKey(), series.apply(entry.getValue())))
        .toList();
  }

  private static <T> Series curve(
      String name, List<T> items, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
    return new Series(
        name,
        items.stream()
            .map(item -> new Point(x.applyAsDouble(item), y.applyAsDouble(item), ""))
            .toList());
  }
}
