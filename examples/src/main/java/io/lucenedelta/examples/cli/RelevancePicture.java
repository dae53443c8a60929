// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.workload.relevance.RelevanceCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** Draws the summed scores of all queries, falling, and where the cut lies: one SVG file. */
final class RelevancePicture {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int MARGIN = 60;
  private static final int POINTS = 600;

  private final double[] falling;
  private final RelevanceCut cut;

  RelevancePicture(double[] sums, RelevanceCut cut) {
    double[] rising = Arrays.stream(sums).filter(sum -> sum > 0).sorted().toArray();
    this.falling = new double[rising.length];
    Arrays.setAll(falling, i -> rising[rising.length - 1 - i]);
    this.cut = cut;
  }

  void write(Path file) throws IOException {
    Files.writeString(file, svg());
  }

  private String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
            <rect width="100%%" height="100%%" fill="white"/>
            """,
            WIDTH,
            HEIGHT));
    if (falling.length > 1) {
      curve(svg);
    } else {
      text(svg, WIDTH / 2.0, HEIGHT / 2.0, "middle", "too few queries are answered to draw");
    }
    return svg.append("</svg>\n").toString();
  }

  private void curve(StringBuilder svg) {
    double kneeX = x(cut.kept() - 1);
    svg.append("<polyline fill=\"none\" stroke=\"#1f6fb2\" stroke-width=\"2\" points=\"");
    int step = Math.max(1, falling.length / POINTS);
    for (int i = 0; i < falling.length; i += step) {
      svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y(falling[i])));
    }
    int last = falling.length - 1;
    svg.append(String.format(Locale.ROOT, "%.1f,%.1f\"/>%n", x(last), y(falling[last])));
    line(svg, x(0), y(falling[0]), x(last), y(falling[last]), "#bbb");
    line(svg, kneeX, MARGIN, kneeX, HEIGHT - MARGIN, "#c0392b");
    String label =
        String.format(
            Locale.ROOT,
            "%,d of %,d kept, sum \u2265 %.3g",
            cut.kept(),
            cut.answered(),
            cut.threshold());
    text(svg, kneeX - 6, MARGIN + 14, "end", label);
    text(svg, WIDTH / 2.0, HEIGHT - 18, "middle", "queries that a page answers, by summed score");
    text(svg, MARGIN, MARGIN - 12, "start", "summed score (logarithmic)");
    text(svg, MARGIN - 6, y(falling[0]) + 4, "end", String.format(Locale.ROOT, "%.3g", falling[0]));
    double least = falling[last];
    text(svg, MARGIN - 6, y(least) + 4, "end", String.format(Locale.ROOT, "%.3g", least));
  }

  private double x(int place) {
    return MARGIN + (double) place / (falling.length - 1) * (WIDTH - 2 * MARGIN);
  }

  private double y(double sum) {
    double top = Math.log(falling[0]);
    double fall = top - Math.log(falling[falling.length - 1]);
    return MARGIN + (fall == 0 ? 0 : (top - Math.log(sum)) / fall * (HEIGHT - 2 * MARGIN));
  }

  private static void line(
      StringBuilder svg, double x1, double y1, double x2, double y2, String colour) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                + " stroke-dasharray=\"4 3\"/>%n",
            x1,
            y1,
            x2,
            y2,
            colour));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            text));
  }
}
