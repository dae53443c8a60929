// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import java.util.ArrayList;
import java.util.List;

/**
 * Dots, evenly thinned out where there are many: more than a screen can tell apart only make the
 * page large and slow.
 *
 * @param series with the dots that are drawn
 * @param sentence to add to the explanation; empty when all are drawn
 */
record ShownDots(List<Series> series, String sentence) {
  private static final int MOST = 4000;

  static ShownDots of(List<Series> all) {
    int step = 1 + all.stream().mapToInt(one -> one.points().size()).sum() / MOST;
    List<Series> series =
        all.stream().map(one -> new Series(one.name(), thinned(one.points(), step))).toList();
    return new ShownDots(series, step > 1 ? " One dot in " + step + " is drawn." : "");
  }

  private static List<Point> thinned(List<Point> points, int step) {
    List<Point> shown = new ArrayList<>();
    for (int i = 0; i < points.size(); i += step) {
      shown.add(points.get(i));
    }
    return shown;
  }
}
