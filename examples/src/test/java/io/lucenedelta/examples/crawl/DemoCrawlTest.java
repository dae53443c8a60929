// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lucenedelta.examples.WholeFile;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.math3.random.RandomDataGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoCrawlTest {
  private static final DemoCrawl SMALL = new DemoCrawl(410, 5, 60, 2000, 7);

  @TempDir Path directory;

  @Test
  void theSameSeedGivesTheSameBytes() throws IOException {
    SMALL.write(directory.resolve("a"));
    SMALL.write(directory.resolve("b"));
    try (Stream<Path> files = Files.walk(directory.resolve("a"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path twin = directory.resolve("b").resolve(directory.resolve("a").relativize(file));
        assertThat(Files.mismatch(file, twin)).as(file.toString()).isEqualTo(-1);
      }
    }
  }

  @Test
  void ofALongerDemoNothingStays() throws IOException {
    Path again = directory.resolve("again");
    Path fresh = directory.resolve("fresh");
    new DemoCrawl(410, 27, 60, 2000, 8).write(again);
    Files.writeString(DemoCrawl.snapshots(again).resolve("notes.txt"), "mine");
    SMALL.write(again);
    SMALL.write(fresh);
    assertThat(DemoCrawl.snapshots(again).resolve("notes.txt")).hasContent("mine");
    Files.delete(DemoCrawl.snapshots(again).resolve("notes.txt"));
    assertThat(contents(again)).isEqualTo(contents(fresh)).hasSize(7);
  }

  /** What the files of a directory hold, by their names. */
  private static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        contents.put(directory.relativize(file).toString(), bytes);
      }
    }
    return contents;
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 5, 40})
  void aDemoThatWasBrokenOffMayBeWrittenAgain(int bytes) throws IOException {
    SMALL.write(directory);
    Path crawl = DemoCrawl.snapshots(directory);
    for (int week = 1; week < SMALL.weeks(); week++) {
      Files.delete(crawl.resolve("week-0" + week + ".warc.gz"));
    }
    Path first = crawl.resolve("week-00.warc.gz");
    byte[] whole = Files.readAllBytes(first);
    Files.delete(first);
    if (bytes >= 0) {
      Files.write(first, Arrays.copyOf(whole, bytes));
    }
    assertThat(DemoCrawl.mayWrite(directory)).isTrue();
    byte[] log = Files.readAllBytes(DemoCrawl.queryLog(directory));
    Files.delete(DemoCrawl.inlinks(directory));
    for (int written : new int[] {0, 3, 600}) {
      Files.write(DemoCrawl.queryLog(directory), Arrays.copyOf(log, written));
      assertThat(DemoCrawl.mayWrite(directory)).as("%d bytes of the log", written).isTrue();
    }
    for (Path part : List.of(crawl.resolve("week-01.warc.gz"), DemoCrawl.inlinks(directory))) {
      Files.writeString(WholeFile.partOf(part), "");
    }
    assertThat(DemoCrawl.mayWrite(directory)).isTrue();
    SMALL.write(directory);
    assertThat(contents(directory)).hasSize(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "queries.log.gz",
        "queries.log.gz, crawl/week-00.warc.gz",
        "crawl/notes.txt",
        "crawl/other.warc.gz",
        "crawl/week-01.warc",
        "crawl"
      })
  void whatNoDemoHasWrittenIsNotWrittenOver(String names) throws IOException {
    for (String name : names.split(", ", -1)) {
      Path file = directory.resolve(name);
      Files.createDirectories(file.getParent());
      boolean log = name.startsWith("queries");
      try (Writer out =
          new OutputStreamWriter(
              log ? new GZIPOutputStream(Files.newOutputStream(file)) : Files.newOutputStream(file),
              StandardCharsets.UTF_8)) {
        out.write(log ? "2024-01-01T00:00:00Z\ts\tmine\t0\n" : "");
      }
    }
    assertThat(DemoCrawl.mayWrite(directory)).isFalse();
  }

  @Test
  void aLogOfOnesOwnBesideADemosCrawlIsNotWrittenOver() throws IOException {
    SMALL.write(directory);
    Path log = DemoCrawl.queryLog(directory);
    Files.writeString(log, "2024-01-01T00:00:00Z\ts\tmine\t0\n");
    assertThat(DemoCrawl.mayWrite(directory)).isFalse();
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(log)), StandardCharsets.UTF_8)) {
      out.write("2024-01-01T00:00:00Z\ts\tmine\t0\n");
    }
    assertThat(DemoCrawl.mayWrite(directory)).isFalse();
    Files.delete(log);
    assertThat(DemoCrawl.mayWrite(directory)).as("only the log was deleted").isTrue();
    Files.createDirectory(log);
    assertThat(DemoCrawl.mayWrite(directory)).isFalse();
  }

  @Test
  void aLogOfManyEmptyMembersIsNotWrittenOver() throws IOException {
    Files.createDirectories(DemoCrawl.snapshots(directory));
    try (OutputStream log = Files.newOutputStream(DemoCrawl.queryLog(directory))) {
      ByteArrayOutputStream empty = new ByteArrayOutputStream();
      new GZIPOutputStream(empty).close();
      for (int number = 0; number < 100_000; number++) {
        empty.writeTo(log);
      }
      try (OutputStream mine = new GZIPOutputStream(log)) {
        mine.write("2024-01-01T00:00:00Z\ts\tmine\t0\n".getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThat(DemoCrawl.mayWrite(directory)).isFalse();
  }

  @Test
  void aCrawlWithADemosNamesIsNotWrittenOver() throws IOException {
    SMALL.write(directory);
    Path crawl = DemoCrawl.snapshots(directory);
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(crawl.resolve("week-07.warc.gz"))),
            StandardCharsets.UTF_8)) {
      out.write(
          """
          WARC/1.0\r
          WARC-Type: resource\r
          WARC-Date: 2024-05-01T00:00:00Z\r
          WARC-Record-ID: <urn:uuid:92283950-ef2f-4d72-b224-f54c6ec90bb0>\r
          WARC-Target-URI: http://a/\r
          Content-Type: text/plain\r
          Content-Length: 4\r
          \r
          mine\r
          \r
          """);
    }
    assertThat(DemoCrawl.mayWrite(directory)).isFalse();
  }

  @Test
  void anotherSeedGivesAnotherCrawl() throws IOException {
    SMALL.write(directory.resolve("a"));
    new DemoCrawl(410, 5, 60, 2000, 8).write(directory.resolve("b"));
    assertThat(DemoCrawl.queryLog(directory.resolve("a")))
        .isRegularFile()
        .satisfies(
            log ->
                assertThat(Files.mismatch(log, DemoCrawl.queryLog(directory.resolve("b"))))
                    .isNotEqualTo(-1));
  }

  @Test
  void laterWeeksHoldOnlyPagesThatChanged() throws IOException {
    SMALL.write(directory);
    SnapshotArchive archive = SnapshotArchive.open(DemoCrawl.snapshots(directory));
    Map<String, String> latest = new HashMap<>();
    assertThat(archive.size()).isEqualTo(5);
    assertThat(archive.read(0, page -> latest.put(page.key(), page.text())).pages()).isEqualTo(410);
    for (int week = 1; week < archive.size(); week++) {
      int pages =
          archive
              .read(
                  week,
                  page -> assertThat(latest.put(page.key(), page.text())).isNotEqualTo(page.text()))
              .pages();
      assertThat(pages).isBetween(1, 250);
    }
    assertThat(latest).hasSize(410);
  }

  @Test
  void everyQueryHasAPageThatContainsItsWords() throws IOException {
    SMALL.write(directory);
    SnapshotArchive archive = SnapshotArchive.open(DemoCrawl.snapshots(directory));
    List<String> texts = new ArrayList<>();
    archive.read(0, page -> texts.add(PageAnalysis.body(page).toLowerCase(Locale.ROOT)));
    List<String[]> events = events();
    long answered =
        events.stream()
            .filter(event -> event.length == 4 && !event[2].isEmpty())
            .filter(event -> texts.stream().anyMatch(text -> containsAll(text, event[2])))
            .count();
    assertThat(answered).isGreaterThan(events.size() / 2);
  }

  @Test
  void theLogHasEmptyAndBrokenLinesAndFurtherResultPages() throws IOException {
    SMALL.write(directory);
    List<String[]> events = events();
    assertThat(events).hasSizeGreaterThan(2000);
    assertThat(events).anyMatch(event -> event.length == 2);
    assertThat(events).anyMatch(event -> event.length == 4 && event[2].isEmpty());
    assertThat(events).anyMatch(event -> event.length == 4 && event[3].equals("20"));
  }

  @Test
  void aScrollRegionKeepsItsNewestItems() {
    int[] written = {0};
    DemoRegion region = new DemoRegion(2, 3, () -> "item " + written[0]++);
    RandomDataGenerator random = new RandomDataGenerator(new Well19937c(1));
    for (int week = 0; week < 20; week++) {
      region.passWeek(random);
      int last = written[0];
      assertThat(region.items())
          .containsExactly("item " + (last - 1), "item " + (last - 2), "item " + (last - 3));
    }
    assertThat(written[0]).isBetween(3 + 20, 3 + 70);
  }

  @Test
  void aStaticRegionNeverChanges() {
    DemoRegion region = new DemoRegion(0, 1, () -> "text");
    assertThat(region.passWeek(new RandomDataGenerator(new Well19937c(1)))).isFalse();
  }

  @Test
  void aCrawlWithoutPagesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DemoCrawl(0, 1, 1, 1, 1))
        .withMessageContaining("at least 1 page");
  }

  private static boolean containsAll(String text, String query) {
    return Stream.of(query.toLowerCase(Locale.ROOT).replace("+", "").split(" "))
        .allMatch(text::contains);
  }

  private List<String[]> events() throws IOException {
    try (BufferedReader log =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(DemoCrawl.queryLog(directory))),
                StandardCharsets.UTF_8))) {
      return log.lines().map(line -> line.split("\t", -1)).toList();
    }
  }
}
