// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lucenedelta.examples.report.Axis;
import io.lucenedelta.examples.report.Figure;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import io.lucenedelta.examples.report.HtmlReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the script and the style sheet of a report make of its figures. */
@ResourceLock(value = FreshScripts.RUN, mode = ResourceAccessMode.READ)
class ReportInBrowserTest {
  private static final String ROOT = "document.documentElement";

  @TempDir Path directory;

  @Test
  void aChoiceOfALongNameDoesNotWidenThePage() throws IOException, InterruptedException {
    String page = "http://site.example/" + "a".repeat(300);
    Document shown =
        shown(
            figure(List.of(view("all", 1), view(page, 1))),
            ROOT + ".dataset.over = " + ROOT + ".scrollWidth > " + ROOT + ".clientWidth");
    assertThat(shown.select("select option").eachText()).containsExactly("all", page);
    assertThat(shown.select("html").attr("data-over")).isEqualTo("false");
  }

  @Test
  void aChoiceHasTheNameOfItsFigure() throws IOException, InterruptedException {
    Document shown = shown(figure(List.of(view("a", 1), view("b", 1))), "");
    assertThat(shown.select("select").attr("aria-label")).isEqualTo("Show: Test");
  }

  @Test
  void curvesDifferInMoreThanTheirColour() throws IOException, InterruptedException {
    Document shown =
        shown(
            figure(List.of(view("all", 24))),
            "const sets = Chart.getChart(document.querySelector('canvas')).data.datasets;"
                + ROOT
                + ".dataset.marks = sets.slice(0, 4).map(set => set.pointStyle);"
                + ROOT
                + ".dataset.looks = new Set(sets.map(set =>"
                + " [set.borderColor, set.pointStyle, set.borderDash].join(' '))).size");
    assertThat(shown.select("html").attr("data-marks").split(",")).doesNotHaveDuplicates();
    assertThat(shown.select("html").attr("data-looks")).isEqualTo("24");
  }

  @Test
  void namesAtTheEndsOfCurvesAreInTheColourOfText() throws IOException, InterruptedException {
    Document shown =
        shown(
            figure(List.of(view("all", 4))),
            "const fill = CanvasRenderingContext2D.prototype.fillText; const seen = [];"
                + "CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {"
                + " if (this.font.startsWith('600')) seen.push(text + ' ' + this.fillStyle);"
                + " fill.call(this, text, ...rest); };"
                + "Chart.getChart(document.querySelector('canvas')).draw();"
                + ROOT
                + ".dataset.names = seen.sort()");
    assertThat(shown.select("html").attr("data-names"))
        .isEqualTo("c0 #1b1f24,c1 #1b1f24,c2 #1b1f24,c3 #1b1f24");
  }

  @Test
  void theNumbersOfWhatIsShownAreThereForThoseWhoCannotPoint()
      throws IOException, InterruptedException {
    Document shown =
        shown(
            figure(List.of(view("first", 1), view("second", 2))),
            "document.querySelector('details').open = true;"
                + "const select = document.querySelector('select'); select.value = 1;"
                + "select.dispatchEvent(new Event('change'))");
    assertThat(shown.select("details thead th").eachText())
        .containsExactly("name", "x", "y", "note");
    assertThat(shown.select("details tbody tr").eachText())
        .containsExactly("c0 1 10 %", "c0 2 50 % last", "c1 1 10 %", "c1 2 50 % last");
    assertThat(shown.select(".numbers[tabindex=0][role=region]").attr("aria-label"))
        .isEqualTo("Numbers: Test");
  }

  @Test
  void aCurveIsHiddenByAButtonAsByItsName() throws IOException, InterruptedException {
    Document shown =
        shown(
            figure(List.of(view("all", 2))),
            "document.querySelector('details').open = true; setTimeout(() => {"
                + "document.querySelectorAll('details button')[1].click();"
                + "const chart = Chart.getChart(document.querySelector('canvas'));"
                + ROOT
                + ".dataset.visible = [0, 1].map(i => chart.isDatasetVisible(i)); }, 100)");
    assertThat(shown.select("html").attr("data-visible")).isEqualTo("true,false");
    assertThat(shown.select("details button").eachText()).containsExactly("c0", "c1");
    assertThat(shown.select("details button").eachAttr("aria-pressed"))
        .containsExactly("true", "false");
  }

  private static View view(String name, int curves) {
    List<Series> series = new ArrayList<>();
    IntStream.range(0, curves)
        .mapToObj(
            i -> new Series("c" + i, List.of(new Point(1, 0.1, ""), new Point(2, 0.5, "last"))))
        .forEach(series::add);
    return new View(name, series);
  }

  private static Figure figure(List<View> views) {
    return new Figure(
        "test", "Test", "A figure.", Figure.Kind.LINES, Axis.log("x"), Axis.percent("y"), views);
  }

  /** The page as it stands when its script and then another have run. */
  private Document shown(Figure figure, String script) throws IOException, InterruptedException {
    Optional<Browser> browser = Browser.find(directory);
    assumeTrue(browser.isPresent(), "no Chromium or Chrome on the PATH: nothing is shown in one");
    Path page = directory.resolve("report.html");
    HtmlReport.titled("Report").figure(figure).write(page);
    Files.writeString(
        page,
        "<script>" + ROOT + ".dataset.ran = 'yes'</script><script>" + script + "</script>",
        StandardOpenOption.APPEND);
    Document shown = Jsoup.parse(browser.get().shown(page.toUri()));
    assumeTrue(
        !shown.select("[data-ran]").isEmpty(),
        "the browser on the PATH does not run here: nothing is shown in it");
    return shown;
  }
}
