// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.report.HtmlReport;
import io.lucenedelta.examples.report.ReportTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every number is another, so that none can stand under the name of another. */
class OverheadFilesTest {
  private static final List<OverheadRow> ROWS =
      List.of(row(2, 1, 1.5), row(1, 1, 1.125), row(2, 8, 1.75));

  private static final List<Alternative> ALTERNATIVES =
      List.of(
          new Alternative("plain", 1234, null, 250, 1),
          new Alternative("search", 1234, new Alternative.Sample(40, 12), 3000, 12));

  @TempDir Path directory;

  private static OverheadRow row(double megabytes, int threads, double cpuRatio) {
    return row(megabytes, threads, cpuRatio, 7);
  }

  private static OverheadRow row(double megabytes, int threads, double cpuRatio, int repeats) {
    Map<String, Double> micros = new LinkedHashMap<>();
    micros.put("note", 2.5);
    micros.put("ranks", 4.75);
    return new OverheadRow(
        megabytes,
        1234,
        threads,
        repeats,
        new OverheadRow.Seconds(new Spread(3, 31, 32), new Spread(4, 41, 42)),
        new OverheadRow.Ratio(new Spread(1.25, 1.125, 1.375), new Spread(0.75, 0.5, 0.875)),
        9,
        new OverheadRow.Seconds(
            new Spread(0.0625, 0.03125, 0.125), new Spread(0.25, 0.1875, 0.375)),
        new OverheadRow.Seconds(new Spread(5, 51, 52), new Spread(6, 61, 62)),
        new OverheadRow.Ratio(new Spread(cpuRatio, 1.0625, 2), new Spread(1.03125, 0.875, 1.1875)),
        new OverheadRow.Seconds(new Spread(0.6, 71, 72), new Spread(0.8, 81, 82)),
        new Spread(0.015625, 91, 92),
        new Spread(0.0078125, 93, 94),
        new Spread(0.00390625, 95, 96),
        micros,
        -0.125,
        1500,
        2750,
        new OverheadRow.Sizes(11_000_000, 12_000_000, 13_500_000));
  }

  private void assertTable(String name, String... lines) {
    assertThat(directory.resolve(name)).hasContent(String.join("\n", lines).replace("|", "\t"));
  }

  private void write() throws IOException {
    OverheadFiles.of(ROWS, ALTERNATIVES, 3, "here", List.of()).write(directory);
  }

  @Test
  void everyFigureOfARowStandsUnderItsName() throws IOException {
    write();
    String between = "1.25|1.125|1.375|0.75|9|0.0625|0.25|5|6|";
    String after =
        "|1.0625|2|1.03125|0.875|1.1875|%s|0.6|0.8|0.015625|0.0078125|0.00390625|7.25|-0.125|1500|2750"
            + "|11000000|12000000|13500000|2.5|4.75";
    assertTable(
        "overhead.tsv",
        "batch_mb|pages|threads|repeats|plain_wall_s|delta_wall_s|wall_ratio|wall_ratio_lower"
            + "|wall_ratio_upper|noise_wall_ratio|commits|plain_commit_s|delta_commit_s|plain_cpu_s"
            + "|delta_cpu_s|cpu_ratio|cpu_ratio_lower|cpu_ratio_upper|noise_cpu_ratio"
            + "|noise_cpu_ratio_lower|noise_cpu_ratio_upper|lost_in_noise|plain_compiler_s"
            + "|delta_compiler_s|attributed_cpu_share"
            + "|attributed_cpu_share_without_merge_and_ranks"
            + "|attributed_cpu_share_without_merge_ranks_and_order|attributed_us_per_page"
            + "|writing_difference_us_per_page|plain_alloc_bytes_per_page"
            + "|delta_alloc_bytes_per_page|plain_index_bytes|delta_index_bytes|measurement_bytes"
            + "|us_per_page_note|us_per_page_ranks",
        "2|1234|1|7|3|4|" + between + "1.5" + after.formatted("false"),
        "1|1234|1|7|3|4|" + between + "1.125" + after.formatted("true"),
        "2|1234|8|7|3|4|" + between + "1.75" + after.formatted("false"));
    assertTable(
        "alternatives.tsv",
        "way|pages|sampled|changed|cpu_us_per_page|ratio_to_plain",
        "plain|1234|||250|1",
        "search|1234|40|12|3000|12");
  }

  @Test
  void thePageSaysHowManyRowsThereAreWhileNotAllAreMeasured() throws IOException {
    OverheadFiles.of(ROWS, List.of(), 6, "Of here.", List.of("all is lost")).write(directory);
    assertThat(directory.resolve("report.html"))
        .content()
        .contains("Of here. 3 of 6 rows measured: the run goes on, or has broken off.")
        .contains("All is lost.");
    write();
    assertThat(directory.resolve("report.html")).content().doesNotContain("rows measured");
  }

  @Test
  void noFigureStaysBesideTheReportOfAnotherVerb() throws IOException {
    write();
    assertThat(figures()).hasSize(3);
    HtmlReport.titled("of another verb").writeInto(directory);
    assertThat(figures()).isEmpty();
  }

  private List<Path> figures() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().startsWith("figure-")).toList();
    }
  }

  @Test
  void batchesOfLessThanAMegabyteCanBeToldApart() {
    List<OverheadRow> rows = List.of(row(0.2, 1, 2), row(0.4, 1, 2), row(100.3, 1, 2));
    assertThat(OverheadFiles.of(rows, List.of(), 3, "here", List.of()).tables().get(0).rows())
        .extracting(cells -> cells.get(0))
        .containsExactly("0.20 MB", "0.40 MB", "100 MB");
  }

  @Test
  void figuresHaveTheSizesInOrderAndCpuBeyondThatOfPlainIndexing() throws IOException {
    write();
    String header = "view|series|x|y|note";
    assertTable(
        "figure-time.tsv",
        header,
        "1 thread|with measurement|1|4|",
        "1 thread|with measurement|2|4|",
        "1 thread|plain|1|3|",
        "1 thread|plain|2|3|",
        "8 threads|with measurement|2|4|",
        "8 threads|plain|2|3|");
    assertTable(
        "figure-beyond.tsv",
        header,
        "1 thread|measuring, of the process|1|0.125|",
        "1 thread|measuring, of the process|2|0.5|",
        "1 thread|plain (noise)|1|0.03125|",
        "1 thread|plain (noise)|2|0.03125|",
        "1 thread|measuring, counted|1|0.0078125|",
        "1 thread|measuring, counted|2|0.0078125|",
        "8 threads|measuring, of the process|2|0.75|",
        "8 threads|plain (noise)|2|0.03125|",
        "8 threads|measuring, counted|2|0.0078125|");
    assertTable(
        "figure-steps.tsv",
        header,
        "1 thread|note|1|2.5|",
        "1 thread|note|2|2.5|",
        "1 thread|ranks|1|4.75|",
        "1 thread|ranks|2|4.75|",
        "8 threads|note|2|2.5|",
        "8 threads|ranks|2|4.75|");
  }

  @Test
  void theTerminalShowsThemInUnitsForPeopleAndMarksWhatIsLostInNoise() {
    List<ReportTable> tables = OverheadFiles.of(ROWS, ALTERNATIVES, 3, "here", List.of()).tables();
    assertThat(tables)
        .extracting(table -> table.rows().get(1))
        .startsWith(
            List.of(
                "1 MB",
                "1,234",
                "1",
                "5.00 s",
                "6.00 s",
                "1.125 (1.063–2.000) !",
                "1.56 %",
                "0.78 %",
                "0.39 %",
                "7.3 µs"),
            List.of("1 MB", "1", "1.031 (0.875–1.188)", "0.60 and 0.80 s"),
            List.of("1 MB", "1", "3.00 s", "4.00 s", "1.250 (1.125–1.375)", "0.750 (0.500–0.875)"),
            List.of("1 MB", "1", "2.5", "4.8"),
            List.of("1 MB", "1,234", "1", "9", "63 ms (31–125)", "250 ms (188–375)"),
            List.of("1 MB", "1", "1.5 KB", "2.8 KB", "11.0 MB", "12.0 MB", "13.5 MB"));
    assertThat(tables.get(0).rows().get(0)).contains("1.500 (1.063–2.000)");
    assertThat(tables.get(0).explanation()).contains("! marks rows");
    assertThat(tables.get(6).explanation()).contains("1,234 pages");
    assertThat(tables.get(6).rows())
        .extracting(row -> row.subList(0, 2))
        .containsExactly(
            List.of("plain", "250 µs"),
            List.of("search (12 changed of 40 pages sampled)", "3,000 µs"));
  }

  @Test
  void tablesSayWhetherQuartilesOrTheLeastAndTheMostStandInBrackets() {
    assertThat(explanations(7)).allMatch(text -> text.contains("with quartiles"));
    assertThat(explanations(2))
        .allMatch(text -> text.contains("with the least and the most of 2 repeats"));
    assertThat(explanations(1)).allMatch(text -> text.contains("of 1 repeat"));
  }

  private static List<String> explanations(int repeats) {
    List<ReportTable> tables =
        OverheadFiles.of(List.of(row(1, 1, 2, repeats)), List.of(), 1, "here", List.of()).tables();
    return List.of(tables.get(0).explanation(), tables.get(4).explanation());
  }

  /** The noise of the quartile that is farther from 1 counts, below or above it. */
  @Test
  void aDifferenceIsLostInNoiseThatIsAsLarge() {
    assertThat(row(1, 1, 1.1875).isLostInNoise()).isTrue();
    assertThat(row(1, 1, 1.1880).isLostInNoise()).isFalse();
    assertThat(row(1, 1, 0.8125).isLostInNoise()).isTrue();
    assertThat(row(1, 1, 0.8120).isLostInNoise()).isFalse();
  }
}
