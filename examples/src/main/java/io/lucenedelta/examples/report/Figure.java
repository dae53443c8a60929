// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import java.util.List;

/**
 * A picture of numbers, and the words that explain it to somebody who does not know the papers.
 *
 * @param id a short name, unique in the report, that can be part of a file name: {@code
 *     figure-ID.tsv} holds the numbers
 * @param title what the picture shows
 * @param explanation how to read it, in short sentences
 * @param kind how points are drawn
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param views at least one; with several the reader chooses
 */
public record Figure(
    String id, String title, String explanation, Kind kind, Axis x, Axis y, List<View> views) {
  /** How the points of a series are drawn. */
  public enum Kind {
    /** Joined by lines, in the order given. */
    LINES,
    /** As dots. */
    DOTS,
    /** Two by two, each pair joined by a line. */
    SEGMENTS
  }

  /** One choice of what the figure shows; the name is for the reader to choose by. */
  public record View(String name, List<Series> series) {}

  /** Points that belong together; the name labels them and fixes their colour in the report. */
  public record Series(String name, List<Point> points) {}

  /** A point; the note is shown when the reader points at it, and may be empty. */
  public record Point(double x, double y, String note) {}

  /** Checks the id and that there is something to show. */
  public Figure {
    if (!id.matches("[a-z0-9-]+")) {
      throw new IllegalArgumentException("id must be a-z, 0-9 and -, was '" + id + "'");
    }
    if (views.isEmpty()) {
      throw new IllegalArgumentException("figure " + id + " shows nothing: give it a view");
    }
    views = List.copyOf(views);
  }
}
