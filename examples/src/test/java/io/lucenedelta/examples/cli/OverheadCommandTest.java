// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.overhead.OverheadPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OverheadCommandTest {
  private static final List<String> PLAIN =
      List.of("overhead.tsv", "figure-time.tsv", "figure-beyond.tsv", "figure-steps.tsv");
  private static final List<String> SCALE = List.of("scale.tsv", "figure-scale.tsv");

  @TempDir static Path demo;
  @TempDir Path directory;

  /** Read by several tests, changed by none. */
  @BeforeAll
  static void writeDemo() throws IOException {
    new DemoCrawl(60, 4, 40, 500, 3).write(demo);
  }

  @Test
  void theOptionsAreThePlan() {
    OverheadCommand command = new OverheadCommand();
    String options =
        "--batches 0.5,3 --pages 70 --commit-every 50 --threads 1,2 --measuring-threads 5"
            + " --warm-up 6 --repeats 7 --changed 0.25 --ram-buffer 2.5 --out out";
    new CommandLine(command).parseArgs(options.split(" ", -1));
    assertThat(command.plan())
        .isEqualTo(new OverheadPlan(List.of(0.5, 3.0), 70, 50, List.of(1, 2), 5, 6, 7, 0.25, 2.5));
  }

  @Test
  void aFolderOfIndexesThatNoEarlierRunMadeIsNotRemoved() throws IOException {
    Path mine = Files.createDirectories(directory.resolve("indexes")).resolve("notes.txt");
    Files.writeString(mine, "mine");
    for (String measured : List.of("--scale=100", "--adopt=100", "--generate=1")) {
      CommandRun run = CommandRun.of("overhead", measured, "--out", directory);
      assertThat(run.status()).as(measured).isEqualTo(1);
      assertThat(run.complaint()).contains(mine.getParent() + " is not of an earlier run");
      assertThat(mine).exists();
    }
  }

  /** The other run would fail hours in. */
  @Test
  void aFolderOfIndexesThatAnotherRunWorksInIsNotRemoved() throws IOException {
    Path indexes = Files.createDirectories(directory.resolve("indexes"));
    Path mark = indexes.resolve("made-and-removed-by-lucene-delta-overhead");
    Path segment = Files.createFile(indexes.resolve("_0.cfs"));
    try (FileChannel running =
            FileChannel.open(mark, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileLock lock = running.lock()) {
      assertThat(lock.isValid()).isTrue();
      for (String measured : List.of("--scale=100", "--adopt=100", "--generate=1")) {
        CommandRun run = CommandRun.of("overhead", measured, "--out", directory);
        assertThat(run.status()).as(measured).isEqualTo(1);
        assertThat(run.complaint())
            .contains(indexes + " is in use by another run of overhead")
            .endsWith("wait until that has ended, or name another directory with --out");
      }
      assertThat(segment).exists();
    }
    assertThat(CommandRun.of("overhead", "--adopt", "100", "--out", directory).status()).isZero();
  }

  /** Else what failed is told behind its bar, which goes on being drawn. */
  @Test
  void whereAdoptingFailsTheProgressThatIsShownEnds() {
    StringWriter told = new StringWriter();
    PrintWriter err = new PrintWriter(told);
    AdoptionReport report = new AdoptionReport(0, directory, directory.resolve("work"));
    for (int run = 0; run < 3; run++) {
      assertThatThrownBy(() -> report.run(err, err)).hasMessage("at least 1 page is needed, was 0");
      report.progress("adopting", 4, 4); // told again only if it is another one
    }
    assertThat(told.toString().lines()).hasSize(3).containsOnly("adopting: 4 of 4");
  }

  @Test
  void adoptingTwiceIntoOneFolderMeasuresAFirstAdoptionTwice() {
    CommandRun.of("overhead", "--adopt", "300", "--out", directory);
    CommandRun second = CommandRun.of("overhead", "--adopt", "100", "--out", directory);
    assertThat(second.status()).isZero();
    assertThat(second.out().get(1)).contains("100 pages of 100 known", "batch 0");
    assertThat(directory).isDirectoryNotContaining(file -> !file.endsWith("adoption.tsv"));
  }

  @Test
  void queriesThatWouldBeIgnoredAreRefused() {
    for (String measured : List.of("--scale=100", "--adopt=100")) {
      CommandRun run =
          CommandRun.of("overhead", measured, "--workload", directory, "--out", directory);
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.complaint()).contains("leave --query-log and --workload out");
    }
  }

  @Test
  void aPlainIndexIsAdoptedAndAnotherWorkloadNeedsNoSecondAdoption() throws IOException {
    CommandRun run = CommandRun.of("overhead", "--adopt", 300, "--out", directory.resolve("out"));
    assertThat(run.status()).isZero();
    DocumentedTables.assertThese(directory.resolve("out"), "adoption.tsv");
    List<String[]> steps =
        Files.readAllLines(directory.resolve("out").resolve("adoption.tsv")).stream()
            .map(line -> line.split("\t", -1))
            .toList();
    assertThat(steps)
        .extracting(step -> step[0])
        .containsExactly(
            "step",
            "index plainly",
            "adopt",
            "open again",
            "first batch, which builds ranks",
            "replace a tenth of the terms");
    assertThat(steps.subList(1, 6)).extracting(step -> step[1]).containsOnly("300");
    assertThat(steps.subList(2, 6)).extracting(step -> step[2]).doesNotContain("0", "");
    for (int measured : new int[] {2, 3, 7, 8}) {
      assertThat(steps.get(1)[measured]).as(steps.get(0)[measured]).isEmpty();
    }
    assertThat(run.out().subList(0, 5))
        .allMatch(line -> line.contains(" s of CPU of the indexing thread, without merges, "))
        .as("no collection, no heap after it")
        .noneMatch(line -> line.contains(" 0 MB"));
  }

  @Test
  void itWritesARowForEachBatchSizeAndNumberOfThreads() throws IOException {
    Path out = directory.resolve("out");
    CommandRun run =
        CommandRun.of(
            "overhead",
            "--crawl",
            DemoCrawl.snapshots(demo),
            "--query-log",
            DemoCrawl.queryLog(demo),
            "--batches",
            "0.2,0.1",
            "--pages",
            "80",
            "--commit-every",
            "50",
            "--threads",
            "1,2",
            "--warm-up",
            "1",
            "--repeats",
            "1",
            "--alternatives",
            "--out",
            out);
    assertThat(run.status()).isZero();
    List<String> lines = Files.readAllLines(out.resolve("overhead.tsv"));
    assertThat(lines).hasSize(5);
    DocumentedTables.assertThese(out, "overhead.tsv", "alternatives.tsv");
    DocumentedTables.assertSeries(out, "time");
    DocumentedTables.assertSeries(out, "beyond");
    List<String> header = Arrays.asList(lines.get(0).split("\t", -1));
    for (String line : lines.subList(1, 5)) {
      String[] cells = line.split("\t", -1);
      double sum = 0;
      for (int i = 0; i < cells.length; i++) {
        sum += header.get(i).startsWith("us_per_page_") ? Double.parseDouble(cells[i]) : 0;
      }
      double attributed = Double.parseDouble(cells[header.indexOf("attributed_us_per_page")]);
      assertThat(attributed).isPositive().isCloseTo(sum, org.assertj.core.data.Offset.offset(1e-3));
    }
    assertThat(out.resolve("report.html")).content().doesNotContain("rows measured");
    List<Double> sizes =
        Files.readAllLines(out.resolve("figure-time.tsv")).stream()
            .filter(line -> line.startsWith("1 thread\tplain\t"))
            .map(line -> Double.valueOf(line.split("\t", -1)[2]))
            .toList();
    assertThat(sizes).as("joined by lines").hasSize(2).isSorted();
    assertThat(out.resolve("indexes")).doesNotExist();
    assertThat(Files.readAllLines(out.resolve("alternatives.tsv")))
        .hasSize(6)
        .anyMatch(line -> line.startsWith("plain indexing\t") && line.endsWith("\t1"))
        .anyMatch(line -> line.startsWith("storing term vectors, without comparing them\t"))
        .anyMatch(line -> line.startsWith("analysing old and new text again where they differ\t"))
        .anyMatch(line -> line.matches("searching before and after\t[1-9]\\d\t20\t[1-9]\\d*\t.*"));
    assertThat(lines.subList(1, 5)).extracting(line -> cell(header, line, "pages")).contains("80");
    for (String line : lines.subList(1, 5)) {
      int pages = Integer.parseInt(cell(header, line, "pages"));
      assertThat(cell(header, line, "commits")).isEqualTo("" + Math.ceilDiv(pages, 50));
    }
    assertThat(String.join("\n", run.out()))
        .as("--pages and --threads are not for the alternatives")
        .containsPattern(
            "with one thread on the same batch: one of its own of.*, (?!80)\\d\\d pages");
  }

  private static String cell(List<String> header, String line, String column) {
    return line.split("\t", -1)[header.indexOf(column)];
  }

  @Test
  void costsByPagesSegmentsAndTermsAreWrittenDownAndTablesOfBatchesDoNotStay() throws IOException {
    Path out = ofAnEarlierRun(PLAIN);
    CommandRun run = CommandRun.of("overhead", "--scale", "50,100", "--out", out);
    assertThat(run.status()).isZero();
    DocumentedTables.assertThese(out, "scale.tsv");
    List<String[]> rows =
        Files.readAllLines(out.resolve("scale.tsv")).stream()
            .map(line -> line.split("\t", -1))
            .toList();
    assertThat(rows)
        .as("a hundred thousand terms are too many for 50 pages")
        .hasSize(1 + 2 + 3 + 2);
    List<String> header = Arrays.asList(rows.get(0));
    for (String[] row : rows.subList(1, rows.size())) {
      assertThat(Double.parseDouble(row[header.indexOf("us_per_page")])).isPositive();
      assertThat(Double.parseDouble(row[header.indexOf("ranks_us_per_stored_page")])).isPositive();
    }
    assertThat(rows.subList(3, 6))
        .as("two batches of a tenth have come, and replaced segments of one page, by then")
        .extracting(row -> row[2])
        .containsExactly("" + (1 + 2), "" + (10 + 2), "" + (50 - 2 * 5 + 2));
    assertThat(rows.subList(1, 8))
        .extracting(row -> row[header.indexOf("terms")])
        .containsExactly("30000", "30000", "30000", "30000", "30000", "1000", "10000");
    assertThat(out.resolve("report.html")).isNotEmptyFile();
    assertThat(out.resolve("indexes")).doesNotExist();
    assertThat(namesIn(out))
        .containsAll(SCALE)
        .doesNotContain("figure-quality.tsv")
        .doesNotContainAnyElementsOf(PLAIN);
  }

  @Test
  void tablesOfAnEarlierRunDoNotStayBesideTheNewReport() throws IOException {
    Path out = ofAnEarlierRun(List.of("alternatives.tsv", "scale.tsv", "figure-scale.tsv"));
    Files.writeString(out.resolve("quality.tsv"), "of another verb");
    overhead(out, "--terms", 9, "--queries", 0);
    assertThat(out.resolve("report.html")).content().contains("Queries: 8 of 8 terms.");
    assertThat(namesIn(out))
        .containsAll(PLAIN)
        .contains("report.html", "quality.tsv")
        .doesNotContain("alternatives.tsv", "figure-quality.tsv")
        .doesNotContainAnyElementsOf(SCALE);
  }

  @Test
  void theReportTellsWhatItsFiguresGoByAndTheNameOfTheCrawl() throws IOException {
    Path out = directory.resolve("out");
    Object[] options = {"--addresses", "a|e", "--pages", 9, "--commit-every", 50};
    overhead(out, options);
    assertThat(out.resolve("report.html"))
        .content()
        .contains("Pages: crawl, 60 different ones. Queries: ")
        .contains(" With --addresses a|e, --pages 9, --commit-every 50, --warm-up 1. ");
    overhead(out, "--terms", 9, "--queries", 0);
    assertThat(out.resolve("report.html"))
        .content()
        .contains(" With --warm-up 1, --queries 0, --terms 9. ");
    Path generated = directory.resolve("generated");
    String line =
        "overhead --generate 1 --batches 0.1 --warm-up 1 --repeats 1 --terms 9 --queries 0 --out "
            + generated;
    assertThat(CommandRun.of((Object[]) line.split(" ", -1)).status()).isZero();
    assertThat(generated.resolve("report.html"))
        .content()
        .contains("Pages: generated, 555 different ones. Queries: ")
        .contains(" With --generate 1, --warm-up 1, --queries 0, --terms 9. ");
  }

  /** They took hours, perhaps. */
  @Test
  void whatWasMeasuredIsPrintedAlsoWhereNoFileCanBeWritten() throws IOException {
    Files.createDirectories(directory.resolve("scale.tsv/in the way"));
    CommandRun run = CommandRun.of("overhead", "--scale", "10", "--out", directory);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("scale.tsv");
    assertThat(run.out().get(0)).startsWith("Cost by size");
    assertThat(run.out()).noneMatch(line -> line.startsWith("Figures: "));
  }

  @Test
  void whatWasMeasuredInBatchesIsPrintedAlsoWhereNoFileCanBeWritten() throws IOException {
    Files.createDirectories(directory.resolve("out/overhead.tsv/in the way"));
    String line =
        "overhead --generate 1 --batches 0.1,0.2 --warm-up 1 --repeats 1 --out "
            + directory.resolve("out");
    CommandRun run = CommandRun.of((Object[]) line.split(" ", -1));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .filteredOn(
            told -> told.contains("what was measured so far is not written; the run goes on"))
        .hasSize(2)
        .allMatch(told -> told.contains("overhead.tsv"));
    assertThat(run.complaint()).contains("overhead.tsv");
    assertThat(run.out()).anyMatch(told -> told.matches(" +0\\.10 MB .*"));
    assertThat(run.out()).anyMatch(told -> told.matches(" +0\\.20 MB .*"));
    assertThat(run.out()).noneMatch(told -> told.startsWith("Figures: "));
  }

  private Path ofAnEarlierRun(List<String> tables) throws IOException {
    Path out = Files.createDirectory(directory.resolve("out"));
    for (String table : tables) {
      Files.writeString(out.resolve(table), "of an earlier run");
    }
    Files.writeString(out.resolve("figure-quality.tsv"), "of another verb");
    return out;
  }

  @Test
  void queriesThatNoPageMatchesAreSaidToCompareNothing() throws IOException {
    Path log = Files.writeString(directory.resolve("log"), "nowhere\t3\nmissing\t2\n");
    Path out = directory.resolve("out");
    String sentence =
        "no page that was indexed matches any of the 2 queries measured: measuring has nothing to"
            + " do, and there is nothing to compare";
    String soFar =
        "no page that was indexed so far matches any of the 2 queries measured: measuring has had"
            + " nothing to do";
    List<String> err = overhead(out, "--query-log", log, "--threads", "1,2").err();
    assertThat(err).containsOnlyOnce(soFar).containsOnlyOnce(sentence);
    assertThat(err.subList(err.indexOf(soFar), err.indexOf(sentence)))
        .as("the first in the middle of a run that may take hours")
        .hasSizeGreaterThan(1);
    assertThat(overhead(out, "--query-log", log).err())
        .containsOnlyOnce(sentence)
        .doesNotContain(soFar);
    String told = "N" + sentence.substring(1) + ".";
    assertThat(out.resolve("report.html")).content().contains(told);
    assertThat(overhead(out).err()).noneMatch(line -> line.endsWith("nothing to compare"));
    assertThat(out.resolve("report.html")).content().doesNotContain(told);
  }

  private static List<String> namesIn(Path out) throws IOException {
    try (Stream<Path> files = Files.list(out)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static CommandRun overhead(Path out, Object... more) {
    Object[] usual = {
      "overhead",
      "--crawl",
      DemoCrawl.snapshots(demo).resolve("."),
      "--batches",
      "0.1",
      "--warm-up",
      "1",
      "--repeats",
      "1",
      "--out",
      out
    };
    boolean asked = Arrays.asList(more).contains("--query-log");
    Object[] log = asked ? new Object[0] : new Object[] {"--query-log", DemoCrawl.queryLog(demo)};
    CommandRun run = CommandRun.of(Stream.of(usual, log, more).flatMap(Stream::of).toArray());
    assertThat(run.status()).as(run.complaint()).isZero();
    return run;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--batches|0|--batches must be positive and at most 1,000,000, was 0.0",
        "--batches|1e300|--batches must be positive and at most 1,000,000, was 1.0E300",
        "--batches|,|--batches names none: give one at least, or leave it out",
        "--pages|-1|--pages must be 0 or more, was -1",
        "--commit-every|0|--commit-every must be at least 1, was 0",
        "--threads|0|--threads must be at least 1, was 0",
        "--threads|1,1000000|--threads must be at most 1024, was 1000000",
        "--warm-up|0|--warm-up must be at least 1, was 0",
        "--repeats|0|--repeats must be at least 1, was 0",
        "--changed|1.5|--changed must be a share from 0 to 1, was 1.5",
        "--measuring-threads|0|--measuring-threads must be 1 to 10000, was 0",
        "--ram-buffer|0|--ram-buffer must be positive, was 0.0",
        "--generate|0|--generate must be 1 to 200, was 0",
        "--generate|201|--generate must be 1 to 200, was 201; larger batches have each page several",
        "--terms|0|--terms must be at least 1, was 0",
        "--queries|-1|--queries must be at least 0, was -1",
        "--scale|0|numbers of pages must be at least 1, were [0]",
        "--scale|100,3000000000|--scale must be 1 to 2147483519 pages, was [100, 3000000000]",
        "--adopt|0|--adopt must be 1 to 2147483519 pages, was 0",
        "--adopt|99999999999|--adopt must be 1 to 2147483519 pages, was 99999999999",
        "--adopt|ten|'ten' is no whole number, such as 1000"
      })
  void badOptionsAreBadUse(String option, String value, String complaint) {
    CommandRun run = CommandRun.of("overhead", "--out", directory, option, value);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).startsWith("lucene-delta overhead: ").contains(complaint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--generate 1",
        "--batches 1",
        "--pages 1",
        "--commit-every 1",
        "--threads 1",
        "--measuring-threads 1",
        "--warm-up 1",
        "--repeats 1",
        "--changed 1",
        "--ram-buffer 1",
        "--queries 1",
        "--terms 1",
        "--alternatives"
      })
  void whatIsSaidOfBatchesIsBadUseWhereTheyAreNotChosen(String said) {
    for (String chosen : List.of("--adopt 10", "--scale 10")) {
      String[] line = ("overhead --out " + directory + " " + chosen + " " + said).split(" ", -1);
      CommandRun run = CommandRun.of((Object[]) line);
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.complaint()).contains("leave " + said.split(" ", -1)[0] + " out");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--log-format aol", "--columns query", "--query-parameter q"})
  void whatIsSaidOfLogsIsBadUseWhereQueriesAreGenerated(String said) {
    for (String chosen : List.of("--adopt 10", "--scale 10")) {
      String[] line = ("overhead --out " + directory + " " + chosen + " " + said).split(" ", -1);
      CommandRun run = CommandRun.of((Object[]) line);
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.complaint()).contains("leave --log-format, --columns and --query-parameter");
    }
  }

  @Test
  void measurementsOnGeneratedPagesAreBadUseTogetherOrWithACrawl() {
    String[] both = {"overhead", "--out", directory.toString(), "--adopt", "10", "--scale", "10"};
    assertThat(CommandRun.of((Object[]) both).complaint())
        .contains("--adopt and --scale are two measurements");
    CommandRun crawl =
        CommandRun.of("overhead", "--out", directory, "--adopt", "10", "--crawl", directory);
    assertThat(crawl.status()).isEqualTo(2);
    assertThat(crawl.complaint()).contains("generate their pages: leave --crawl out");
    CommandRun addresses =
        CommandRun.of("overhead", "--out", directory, "--scale", "10", "--addresses", "a");
    assertThat(addresses.status()).isEqualTo(2);
    assertThat(addresses.complaint()).contains("generate their pages: leave --addresses out");
    CommandRun generated =
        CommandRun.of(
            "overhead",
            "--out",
            directory,
            "--generate",
            "20",
            "--crawl",
            directory,
            "--query-log",
            directory);
    assertThat(generated.status()).isEqualTo(2);
    assertThat(generated.complaint()).contains("--generate makes the pages that --crawl brings");
  }

  @Test
  void aCrawlWithoutAPageIsSaidToHaveNone() throws IOException {
    Path crawl = Files.createDirectories(directory.resolve("crawl/2024-01-01"));
    Files.writeString(crawl.resolve("a.png"), "no text");
    Path log = Files.writeString(directory.resolve("q.log"), "2024-01-01T00:00:00Z\ts\ttext\t0\n");
    CommandRun run =
        CommandRun.of(
            "overhead", "--crawl", crawl.getParent(), "--query-log", log, "--out", directory);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("the crawl holds no page that can be read as text");
  }

  @Test
  void aCrawlThatNeverChangesHasNothingToMeasure() throws IOException {
    Path crawl = Files.createDirectories(directory.resolve("crawl/2024-01-01"));
    Files.writeString(crawl.resolve("a.txt"), "text");
    Path log = Files.writeString(directory.resolve("q.log"), "2024-01-01T00:00:00Z\ts\ttext\t0\n");
    CommandRun run =
        CommandRun.of(
            "overhead", "--crawl", crawl.getParent(), "--query-log", log, "--out", directory);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("the crawl's only page never changes its text, so");
  }
}
