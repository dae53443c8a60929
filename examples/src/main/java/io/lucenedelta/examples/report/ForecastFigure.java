// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.replay.ReplayResult.Forecast;
import io.lucenedelta.examples.report.Figure.Kind;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;

/**
 * How well the past of a page tells its future (2005, figure 3).
 *
 * <p>As in the paper dots are coloured by how near they come to the diagonal, by their ratio since
 * the axes are logarithmic: the nearest 50, 80 and 90 % and the rest. Pages with an effect in one
 * half alone stand along the edges, at a third of the smallest effect there is; those without any
 * are not drawn. Pages of which one half knows nothing are left out: they came too late, or there
 * are but two weeks, of which the first half has none.
 */
final class ForecastFigure {
  private final int all;
  private final int watched;
  private final List<Forecast> moving;
  private final List<Forecast> lasting;

  ForecastFigure(List<Forecast> forecast) {
    List<Forecast> known =
        forecast.stream()
            .filter(p -> !Double.isNaN(p.rateFirstHalf()) && !Double.isNaN(p.rateSecondHalf()))
            .toList();
    all = forecast.size();
    watched = known.size();
    moving = known.stream().filter(p -> p.rateFirstHalf() > 0 || p.rateSecondHalf() > 0).toList();
    lasting =
        moving.stream()
            .filter(p -> p.rateFirstHalf() > 0 && p.rateSecondHalf() > 0)
            .sorted(Comparator.comparingDouble(ForecastFigure::distance))
            .toList();
  }

  Figure figure() {
    ShownDots shown = ShownDots.of(series());
    return new Figure(
        "forecast",
        "Can the past of a page tell its future?",
        "Each dot is a page: how much a change of it moved results, in query frequency × score, by"
            + " the days since the change before, in the mean over its changes in the first half of"
            + " the weeks, and in the second half; how often it changes in a half does not count. Dots"
            + " near the diagonal are pages whose past told their future. Pages with an effect in one half alone stand along the edges; pages"
            + " without any effect are not shown."
            + leftOut()
            + correlation(moving, "pages shown")
            + correlation(lasting, "of them with an effect in both halves")
            + shown.sentence(),
        Kind.DOTS,
        Axis.log("frequency × score a day, mean over changes, first half"),
        Axis.log("frequency × score a day, mean over changes, second half"),
        List.of(new View("all", shown.series())));
  }

  private String leftOut() {
    return watched == all
        ? ""
        : String.format(
            Locale.ENGLISH,
            " Left out: %,d of %,d pages of which one half knows no week: they came late, or there"
                + " are too few weeks.",
            all - watched,
            all);
  }

  private List<Series> series() {
    List<Series> series = new ArrayList<>();
    add(series, "nearest 50 %", 0, 0.5);
    add(series, "next, up to 80 %", 0.5, 0.8);
    add(series, "next, up to 90 %", 0.8, 0.9);
    add(series, "the rest", 0.9, 1);
    double leftEdge = edge(Forecast::rateFirstHalf);
    double bottomEdge = edge(Forecast::rateSecondHalf);
    List<Point> edges =
        moving.stream()
            .filter(p -> !(p.rateFirstHalf() > 0 && p.rateSecondHalf() > 0))
            .map(
                p ->
                    p.rateFirstHalf() > 0
                        ? new Point(p.rateFirstHalf(), bottomEdge, p.page() + ": no effect later")
                        : new Point(leftEdge, p.rateSecondHalf(), p.page() + ": no effect before"))
            .toList();
    if (!edges.isEmpty()) {
      series.add(new Series("effect in one half alone", edges));
    }
    return series;
  }

  private void add(List<Series> series, String name, double from, double to) {
    int n = lasting.size();
    List<Point> dots =
        lasting.subList((int) Math.ceil(from * n), (int) Math.ceil(to * n)).stream()
            .map(p -> new Point(p.rateFirstHalf(), p.rateSecondHalf(), p.page()))
            .toList();
    if (!dots.isEmpty()) {
      series.add(new Series(name, dots));
    }
  }

  private double edge(ToDoubleFunction<Forecast> rate) {
    return moving.stream().mapToDouble(rate).filter(r -> r > 0).min().orElse(3) / 3;
  }

  private static double distance(Forecast page) {
    return Math.abs(Math.log(page.rateFirstHalf() / page.rateSecondHalf()));
  }

  private static String correlation(List<Forecast> pages, String which) {
    if (pages.size() < 3) {
      return "";
    }
    double correlation =
        new SpearmansCorrelation()
            .correlation(
                pages.stream().mapToDouble(Forecast::rateFirstHalf).toArray(),
                pages.stream().mapToDouble(Forecast::rateSecondHalf).toArray());
    return Double.isNaN(correlation)
        ? ""
        : String.format(
            Locale.ROOT,
            " Rank correlation over the %,d %s: %.2f.",
            pages.size(),
            which,
            correlation);
  }
}
