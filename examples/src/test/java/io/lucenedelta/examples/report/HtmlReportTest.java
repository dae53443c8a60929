// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lucenedelta.examples.Contrast;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  private static final String NASTY = "</script><script>alert('x')</script>&\t\"";

  @TempDir Path directory;

  @Test
  void whateverComesFromDataIsEscaped() throws IOException {
    Document page =
        written(
            HtmlReport.titled(NASTY)
                .heading(NASTY)
                .paragraph(NASTY)
                .table(new ReportTable(NASTY, NASTY, List.of(NASTY), List.of(List.of(NASTY))))
                .figure(figure(NASTY)));
    assertThat(page.select("script")).hasSize(3);
    assertThat(page.select("tbody th").text())
        .isEqualTo("</script><script>alert('x')</script>& \"");
    JsonNode numbers = new ObjectMapper().readTree(page.select("figure script").first().data());
    assertThat(numbers.at("/views/0/series/0/name").asText()).isEqualTo(NASTY);
  }

  @Test
  void aRowOfAnotherWidthIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new ReportTable("t", "e", List.of("a", "b"), List.of(List.of("1", "2", "3"))))
        .withMessageContaining("a row needs 2 values");
  }

  @Test
  void browsersDrawThePageByTheStandards() throws IOException {
    Document page = written(HtmlReport.titled("Report"));
    assertThat(Files.readString(directory.resolve("report.html")))
        .startsWith("<!doctype html><html lang=\"en\">");
    assertThat(page.quirksMode()).isEqualTo(Document.QuirksMode.noQuirks);
  }

  @Test
  void aPageThatIsThereIsReplacedAndNotWrittenInto() throws IOException {
    Path earlier = Files.writeString(directory.resolve("report.html"), "before");
    Path same = Files.createLink(directory.resolve("same.html"), earlier);
    written(HtmlReport.titled("Report").figure(figure("a")));
    assertThat(same).hasContent("before");
    assertThat(earlier).content().contains("<title>Report</title>");
  }

  @Test
  void thePageAsksForNothingElse() throws IOException {
    Document page = written(HtmlReport.titled("Report").figure(figure("a")));
    assertThat(page.select("[src], link, iframe, img")).isEmpty();
    assertThat(page.outerHtml()).contains("Chart.js v4").doesNotContain("sourceMappingURL");
  }

  /** Its licence wants both in every copy. */
  @Test
  void theChartsComeWithTheirNoticesAndTheirLicence() throws IOException {
    String charts = written(HtmlReport.titled("Report")).select("body > script").get(0).data();
    String comment = charts.substring(0, charts.indexOf("*/"));
    assertThat(comment)
        .startsWith("/*!")
        .contains("@kurkle/color", "Copyright (c)", "Chart.js Contributors")
        .contains("Permission is hereby granted, free of charge", "THE SOFTWARE IS PROVIDED");
    assertThat(charts).contains("(c) 2023 Jukka Kurkela");
  }

  @Test
  void theNumbersOfAFigureLieBesideIt() throws IOException {
    written(HtmlReport.titled("Report").figure(figure("a\tb")));
    assertThat(Files.readString(directory.resolve("figure-test.tsv")))
        .isEqualTo(
            "view\tseries\tx\ty\tnote\nall\ta b\t1\t0.333333333\t\nall\ta b\t2\t0.5\tnote\n");
  }

  @Test
  void aFigureSaysWithoutItsScriptWhereItsNumbersAre() throws IOException {
    Document page = written(HtmlReport.titled("Report").figure(figure("a")));
    assertThat(page.select("figure noscript").text())
        .isEqualTo(
            "This figure needs JavaScript. Its numbers are in figure-test.tsv beside this page.");
    assertThat(directory.resolve("figure-test.tsv")).exists();
  }

  @Test
  void aFigureHasANameForThoseWhoDoNotSeeIt() throws IOException {
    Document page = written(HtmlReport.titled("Report").figure(figure("a")));
    String title = page.select("figure").attr("aria-labelledby");
    assertThat(page.getElementById(title).text()).isEqualTo("Test");
    assertThat(page.select("canvas").attr("role")).isEqualTo("img");
    assertThat(page.select("canvas").attr("aria-label")).isEqualTo("Test");
  }

  @Test
  void everyColourOfALineStandsOutFromThePaper() throws IOException {
    String script = written(HtmlReport.titled("Report").figure(figure("a"))).outerHtml();
    Matcher ink = Pattern.compile("const INK = '#([0-9a-f]{6})'").matcher(script);
    Matcher list = Pattern.compile("const COLOURS = \\[(.*?)]").matcher(script);
    assertThat(ink.find() && list.find()).isTrue();
    List<String> colours =
        Pattern.compile("#([0-9a-f]{6})")
            .matcher("#" + ink.group(1) + list.group(1))
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(colours).hasSize(8).doesNotHaveDuplicates();
    assertThat(colours)
        .allSatisfy(c -> assertThat(Contrast.onWhite(c)).isGreaterThan(Contrast.OF_GRAPHICS));
  }

  @Test
  void noLevelOfHeadingsIsLeftOut() throws IOException {
    ReportTable table = new ReportTable("Table", "", List.of("a"), List.of());
    HtmlReport report = HtmlReport.titled("Report").table(table).figure(figure("a"));
    assertThat(written(report).select("h1, h2, h3").eachText())
        .containsExactly("Report", "Table", "Test");
    assertThat(written(report).select("h3")).isEmpty();
    Document page = written(report.heading("Part").table(table).figure(figure("b")));
    assertThat(page.select("h2").eachText()).containsExactly("Table", "Test", "Part");
    assertThat(page.select("h3").eachText()).containsExactly("Table", "Test");
  }

  @Test
  void aTableHasItsTitleForANameAndItsFirstColumnNamesTheRows() throws IOException {
    List<List<String>> rows = List.of(List.of("5 a", "1.5", "—"), List.of("b", "—", "x"));
    Document page =
        written(
            HtmlReport.titled("Report")
                .table(new ReportTable("Table", "", List.of("name", "number", "text"), rows)));
    assertThat(page.select("table").attr("aria-label")).isEqualTo("Table");
    assertThat(page.select("tbody th[scope=row]").eachText()).containsExactly("5 a", "b");
    assertThat(page.select("thead th[scope=col]").eachText())
        .containsExactly("name", "number", "text");
    assertThat(page.select("thead th.number").eachText()).containsExactly("number");
  }

  @Test
  void aTableThatIsTooWideCanBeScrolledByTheKeyboard() throws IOException {
    ReportTable table = new ReportTable("Table", "", List.of("a"), List.of(List.of("1")));
    Element scroller = written(HtmlReport.titled("Report").table(table)).select("div.wide").first();
    assertThat(scroller.attr("tabindex")).isEqualTo("0");
    assertThat(scroller.attr("role")).isEqualTo("region");
    assertThat(scroller.attr("aria-label")).isEqualTo("Table");
  }

  @Test
  void theSameReportIsTheSameBytes() throws IOException {
    HtmlReport report = HtmlReport.titled("Report").figure(figure("a"));
    report.write(directory.resolve("a.html"));
    report.write(directory.resolve("b.html"));
    assertThat(Files.mismatch(directory.resolve("a.html"), directory.resolve("b.html")))
        .isEqualTo(-1);
  }

  @Test
  void anIdThatIsNoFileNameIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Figure("../x", "", "", Figure.Kind.DOTS, null, null, List.of()))
        .withMessage("id must be a-z, 0-9 and -, was '../x'");
  }

  @Test
  void aFigureOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Figure("a-1", "", "", Figure.Kind.DOTS, null, null, List.of()))
        .withMessage("figure a-1 shows nothing: give it a view");
  }

  @Test
  void aTableRowOfAnotherWidthIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReportTable("", "", List.of("a", "b"), List.of(List.of("1"))))
        .withMessageContaining("needs 2 values");
  }

  private static Figure figure(String series) {
    List<Point> points = List.of(new Point(1, 1 / 3.0, ""), new Point(2, 0.5, "note"));
    return new Figure(
        "test",
        "Test",
        "A figure.",
        Figure.Kind.LINES,
        Axis.log("x"),
        Axis.percent("y"),
        List.of(new View("all", List.of(new Series(series, points)))));
  }

  private Document written(HtmlReport report) throws IOException {
    Path file = directory.resolve("report.html");
    report.write(file);
    return Jsoup.parse(file);
  }
}
