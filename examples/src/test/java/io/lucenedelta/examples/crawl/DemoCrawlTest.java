// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.math3.random.RandomDataGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
