// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.examples.report.Axis;
import io.lucenedelta.examples.report.Figure;
import io.lucenedelta.examples.report.Figure.Kind;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** What the probe found, drawn over the size of the batches: a view for each number of threads. */
final class OverheadFigures {
  private final List<OverheadRow> rows;

  OverheadFigures(List<OverheadRow> rows) {
    this.rows = rows;
  }

  /** Time as in the 2005 paper first, then what can be told from noise, then what takes it. */
  List<Figure> all() {
    return List.of(timeBySize(), ratioBySize(), steps());
  }

  private Figure timeBySize() {
    return bySize(
        "time",
        "Time to index a batch",
        "Figure 2 of the 2005 paper: time against batch size, with and without measurement. The"
            + " closer the lines, the cheaper.",
        Axis.linear("seconds"),
        List.of(
            new Curve("with measurement", row -> row.wall().delta().median()),
            new Curve("plain", row -> row.wall().plain().median())));
  }

  private Figure ratioBySize() {
    return bySize(
        "beyond",
        "Cost beside the noise",
        "What the measuring writer's CPU is beyond that of the plain one, and one plain writer's"
            + " beyond that of another, identical one. Differences smaller than the wobble of the"
            + " second line mean nothing. Counted is what every batch takes, without merging files of"
            + " refreshes and building rank functions.",
        Axis.percent("CPU beyond that of plain indexing"),
        List.of(
            new Curve("measuring, of the process", row -> row.cpuRatio().delta().median() - 1),
            new Curve("plain (noise)", row -> row.cpuRatio().noise().median() - 1),
            new Curve("measuring, counted", row -> row.evenShare().median())));
  }

  private Figure steps() {
    Set<String> names = rows.get(0).microsPerPage().keySet();
    List<Curve> curves = new ArrayList<>();
    names.forEach(name -> curves.add(new Curve(name, row -> row.microsPerPage().get(name))));
    return bySize(
        "steps",
        "Where the cost goes",
        "CPU counted directly around each step of measuring, per page of the batch.",
        Axis.linear("microseconds a page"),
        curves);
  }

  private record Curve(String name, ToDoubleFunction<OverheadRow> value) {}

  private Figure bySize(String id, String title, String text, Axis y, List<Curve> curves) {
    List<View> views = new ArrayList<>();
    for (int threads : rows.stream().map(OverheadRow::threads).distinct().toList()) {
      List<OverheadRow> chosen =
          rows.stream()
              .filter(row -> row.threads() == threads)
              .sorted(Comparator.comparingDouble(OverheadRow::megabytes)) // as lines are joined
              .toList();
      List<Series> series = new ArrayList<>();
      for (Curve curve : curves) {
        series.add(
            new Series(
                curve.name(),
                chosen.stream()
                    .map(row -> new Point(row.megabytes(), curve.value().applyAsDouble(row), ""))
                    .toList()));
      }
      views.add(new View(threads + (threads == 1 ? " thread" : " threads"), series));
    }
    return new Figure(id, title, text, Kind.LINES, Axis.linear("batch, MB of text"), y, views);
  }
}
