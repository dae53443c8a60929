// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lucenedelta.examples.HtmlShell;
import io.lucenedelta.examples.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * One self-contained HTML page: sentences, tables and figures in the order added. It needs neither
 * network nor a server; the charting library is written into it.
 *
 * <p>All texts are plain text and are escaped. Not safe for use by several threads.
 */
public final class HtmlReport {
  /** The figures of all reports that are written into a directory as {@code report.html}. */
  private static final List<String> FIGURES =
      List.of(
          "gap-closed",
          "quality",
          "over-time",
          "staleness",
          "audit",
          "forecast",
          "lifelines",
          "divergence",
          "longevity",
          "lifetimes",
          "staleness-halves",
          "summaries",
          "time",
          "beyond",
          "steps",
          "scale");

  private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.5.1/";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Document page;
  private final Element main;
  private final List<Figure> figures = new ArrayList<>();

  /** The element of the next title: no level is left out where no heading was set. */
  private String titles = "h2";

  private HtmlReport(String title) {
    this.page = HtmlShell.titled(title, resource("report.css"));
    this.main = page.body().appendElement("main");
    main.appendElement("h1").text(title);
  }

  /** An empty report. */
  public static HtmlReport titled(String title) {
    return new HtmlReport(title);
  }

  /** Adds a heading, of which the tables and figures after it are parts. */
  public HtmlReport heading(String text) {
    titles = "h3";
    main.appendElement("h2").text(text);
    return this;
  }

  /** Adds a paragraph. */
  public HtmlReport paragraph(String text) {
    main.appendElement("p").text(text);
    return this;
  }

  /**
   * Adds a paragraph of one sentence.
   *
   * @param clause the sentence as it stands on a terminal, without capital and full stop
   */
  public HtmlReport sentence(String clause) {
    return paragraph(Character.toUpperCase(clause.charAt(0)) + clause.substring(1) + ".");
  }

  /** Adds a figure. */
  public HtmlReport figure(Figure figure) {
    figures.add(figure);
    String title = figure.id() + "-title";
    Element box =
        main.appendElement("figure").attr("id", figure.id()).attr("aria-labelledby", title);
    box.appendElement(titles).attr("id", title).text(figure.title());
    box.appendElement("p").addClass("explanation").text(figure.explanation());
    box.appendElement("noscript")
        .appendElement("p")
        .text(
            "This figure needs JavaScript. Its numbers are in "
                + numbersOf(figure)
                + " beside this page.");
    box.appendElement("div")
        .addClass("chart")
        .appendElement("canvas")
        .attr("role", "img")
        .attr("aria-label", figure.title());
    box.appendElement("script")
        .attr("type", "application/json")
        .appendChild(new DataNode(json(figure)));
    return this;
  }

  /** Adds a table. */
  public HtmlReport table(ReportTable table) {
    Element box = main.appendElement("section");
    box.appendElement(titles).text(table.title());
    box.appendElement("p").addClass("explanation").text(table.explanation());
    Element scroller =
        box.appendElement("div")
            .addClass("wide")
            .attr("tabindex", "0") // else the keyboard reaches no column that is out of sight
            .attr("role", "region")
            .attr("aria-label", table.title());
    Element grid = scroller.appendElement("table").attr("aria-label", table.title());
    Element header = grid.appendElement("thead").appendElement("tr");
    for (int column = 0; column < table.header().size(); column++) {
      header
          .appendElement("th")
          .attr("scope", "col")
          .addClass(isOfNumbers(table, column) ? "number" : "text")
          .text(table.header().get(column));
    }
    Element body = grid.appendElement("tbody");
    for (List<String> values : table.rows()) {
      Element row = body.appendElement("tr");
      for (String value : values) {
        Element cell =
            row.childrenSize() == 0
                ? row.appendElement("th").attr("scope", "row")
                : row.appendElement("td");
        cell.text(value).addClass(isNumber(value) ? "number" : "text");
      }
    }
    return this;
  }

  private static boolean isOfNumbers(ReportTable table, int column) {
    return !table.rows().isEmpty()
        && table.rows().stream().allMatch(row -> isNumber(row.get(column)));
  }

  /** A dash stands for a number that there is not. */
  private static boolean isNumber(String value) {
    return value.matches("[-+0-9].*|—");
  }

  /**
   * Writes the page, and {@code figure-ID.tsv} with the numbers of each figure beside it.
   *
   * @throws IOException if a file cannot be written
   */
  public void write(Path file) throws IOException {
    Document whole = page.clone();
    whole.body().appendElement("script").appendChild(new DataNode(charts()));
    whole.body().appendElement("script").appendChild(new DataNode(resource("report.js")));
    WholeFile.writeText(file, out -> out.write(whole.outerHtml()));
    for (Figure figure : figures) {
      writeNumbers(figure, file.resolveSibling(numbersOf(figure)));
    }
  }

  /**
   * Writes the page as {@code report.html}, with the numbers of its figures, into a directory,
   * which must be there. The numbers of other figures of such pages are removed: they are those of
   * the report that it replaces, be it another verb's. Those of a report that is written under a
   * name of its own, as by {@code workload}, stay: that page may still be there.
   *
   * @return the page
   * @throws IOException if a file cannot be written
   */
  public Path writeInto(Path directory) throws IOException {
    Path file = directory.resolve("report.html");
    write(file);
    List<String> own = figures.stream().map(Figure::id).toList();
    for (String id : FIGURES) {
      if (!own.contains(id)) {
        Files.deleteIfExists(directory.resolve(numbersOf(id)));
      }
    }
    return file;
  }

  private static String numbersOf(Figure figure) {
    return numbersOf(figure.id());
  }

  private static String numbersOf(String id) {
    return "figure-" + id + ".tsv";
  }

  private static void writeNumbers(Figure figure, Path file) throws IOException {
    TsvFile.write(
        file,
        List.of("view", "series", "x", "y", "note"),
        table -> {
          for (Figure.View view : figure.views()) {
            for (Figure.Series series : view.series()) {
              for (Figure.Point point : series.points()) {
                table.row(view.name(), series.name(), point.x(), point.y(), point.note());
              }
            }
          }
        });
  }

  /** JSON within a script element: a {@code <} could end the element, so none is left. */
  private static String json(Figure figure) {
    try {
      return JSON.writeValueAsString(figure).replace("<", "\\u003c");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("figure " + figure.id() + " cannot be written", e);
    }
  }

  /**
   * The bundle without its pointer to a source map, for which a browser would ask, and with the
   * licence, which is to be in every copy: the bundle has the notices of copyright alone.
   */
  private static String charts() {
    return "/*!\nChart.js and, in it, @kurkle/color are under this licence:\n\n"
        + resource(CHARTS + "LICENSE.md").strip()
        + "\n*/\n"
        + resource(CHARTS + "dist/chart.umd.min.js")
            .replaceAll("(?m)^//# sourceMappingURL=.*$", "");
  }

  private static String resource(String name) {
    return HtmlShell.resource(HtmlReport.class, name);
  }
}
