// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link FetchQueue#nextFree}; {@link RandomQueueTest} asks it at random moments. */
class NextFreePagesTest {
  private static final String WORTHLESS = "https://site0.test/worthless";
  private static final Duration LEASE = Duration.ofDays(1);

  private final List<String> troubles = new ArrayList<>();
  private Instant now = Instant.parse("2024-01-01T00:00:00Z");
  private Directory directory;
  private DeltaIndexWriter writer;
  private FetchQueue queue;
  @TempDir Path folder;

  @BeforeEach
  void open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder().add(List.of("alpha"), 10).add(List.of("beta"), 3).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .hashSeed(0) // or an address of no worth may be among the first
            .listener(new Troubles(troubles))
            .build();
    directory = FSDirectory.open(folder.resolve("index"));
    writer = new DeltaIndexWriter(directory, new IndexWriterConfig(new SimpleAnalyzer()), config);
    for (int week = 0; week < 4; week++) {
      for (int page = 0; page < 40; page++) {
        put(page(page), "alpha ".repeat(1 + page % 3) + "beta ".repeat(week * page % 4));
      }
      writer.commit();
      now = now.plus(Duration.ofDays(7));
    }
    queue = writer.fetchQueue(LEASE);
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    directory.close();
    assertThat(troubles).isEmpty();
  }

  private static String page(int number) {
    return "https://site%d.test/%d".formatted(number % 4, number);
  }

  private void put(String page, String text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  private static List<String> pages(List<PagePriority> told) {
    return told.stream().map(PagePriority::page).toList();
  }

  @Test
  void whatIsToldIsWhatIsThenHandedOutWithThoseThatWaitedLongest() throws Exception {
    queue.discovered(WORTHLESS, "nothing that is asked for");
    queue.modified(page(5), now);
    queue.gone(page(7));
    queue.failed(page(9));
    List<String> held = queue.take(3);
    discoverBetterOnes();
    int turns = 0;
    for (int batch = 0; batch < 3; batch++) {
      List<PagePriority> told = queue.nextFree(20);
      assertThat(queue.nextFree(20)).as("asked again").isEqualTo(told);
      assertThat(pages(told))
          .hasSize(20)
          .doesNotContain(page(7), page(9))
          .doesNotContainAnyElementsOf(held);
      turns += told.get(19).page().equals(WORTHLESS) ? 1 : 0;
      assertThat(told.subList(0, 19))
          .isSortedAccordingTo((one, other) -> Double.compare(other.priority(), one.priority()));
      assertThat(queue.take(20)).isEqualTo(pages(told));
      now = now.plus(Duration.ofHours(1));
    }
    assertThat(turns).as("in a place of those that waited longest").isOne();
  }

  @Test
  void afterAnHourOrTwoPagesAreWorthTheSquareOfTheTime() throws Exception {
    for (int page = 0; page < 40; page++) {
      put(page(page), "alpha ".repeat(page % 4));
    }
    writer.commit();
    Instant fetched = now;
    List<Map<String, Double>> worth = new ArrayList<>();
    for (int hour = 1; hour <= 2; hour++) {
      now = fetched.plus(Duration.ofHours(hour));
      worth.add(priorities(queue.nextFree(40)));
      requireRatio(priorities(writer.nextPages(40)), worth.get(hour - 1), 1);
      requireRatio(
          priorities(writer.nextPages(new UserUtility(0), 40, now)), worth.get(hour - 1), 1);
    }
    requireRatio(worth.get(1), worth.get(0), 4);
  }

  /** But for how long a round takes, which is learned at slightly different times. */
  private static void requireRatio(
      Map<String, Double> some, Map<String, Double> others, double ratio) {
    assertThat(some).hasSize(40);
    some.forEach(
        (page, priority) ->
            assertThat(priority / others.get(page))
                .as(page)
                .isCloseTo(ratio, withinPercentage(1e-3)));
  }

  private static Map<String, Double> priorities(List<PagePriority> told) {
    return told.stream().collect(Collectors.toMap(PagePriority::page, PagePriority::priority));
  }

  /** An hour later. */
  private void discoverBetterOnes() {
    now = now.plus(Duration.ofHours(1));
    for (int page = 100; page < 130; page++) {
      queue.discovered("https://site1.test/" + page, "alpha");
    }
  }

  @Test
  void thePrioritiesAreThoseOfTheOrderAndAddressesHaveTheirs() throws Exception {
    Map<String, PagePriority> order = new HashMap<>();
    writer.nextPages(99).forEach(page -> order.put(page.page(), page));
    queue.discovered("https://site1.test/new");
    List<PagePriority> told = queue.nextFree(99);
    assertThat(told).hasSize(41);
    for (PagePriority page : told) {
      if (page.page().endsWith("new")) {
        assertThat(page.neverFetched()).isTrue();
        assertThat(page.priority()).isPositive();
      } else {
        assertThat(page).isEqualTo(order.get(page.page()));
      }
    }
  }

  @Test
  void nothingIsLeasedOrWritten() throws Exception {
    queue.discovered("https://site1.test/new");
    queue.failed(page(3));
    queue.take(2);
    now = now.plus(Duration.ofHours(1));
    queue.modified(page(4), now);
    List<HeldPage> held = queue.held();
    List<String> files = queueFiles();
    assertThat(queue.nextFree(30)).hasSize(30);
    assertThat(queue.held()).containsExactlyInAnyOrderElementsOf(held);
    assertThat(queueFiles()).isEqualTo(files);
    assertThat(queue.take(99)).as("all that were free").hasSize(38);
  }

  /** Names and times of the files of the queue. */
  private List<String> queueFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      List<String> written = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().matches("(queue|told)_.*")) {
          written.add(file.getFileName() + " " + Files.getLastModifiedTime(file));
        }
      }
      assertThat(written).isNotEmpty();
      return written;
    }
  }

  @Test
  void aChangeOfAPageThatIsAboutToBeCommittedTakesNoPlaceAndIsNotForgotten() throws Exception {
    put("https://site1.test/coming", "alpha");
    queue.modified("https://site1.test/coming", now);
    now = now.plus(Duration.ofHours(1));
    queue.discovered(WORTHLESS, "nothing that is asked for");
    discoverBetterOnes();
    assertThat(pages(queue.nextFree(20))).hasSize(20).last().isEqualTo(WORTHLESS);
    assertThat(queue.copyOfTold().byPage()).containsKey("https://site1.test/coming");
    queue.modified("https://site1.test/coming", now.plus(Duration.ofHours(5)));
    writer.commit();
    queue.take(0);
    assertThat(queue.copyOfTold().byPage()).containsOnlyKeys("https://site1.test/coming");
  }

  @Test
  void whatCameFreeIsToldAgain() throws Exception {
    List<String> taken = queue.take(40);
    assertThat(queue.nextFree(40)).isEmpty();
    queue.returned(taken.get(7));
    assertThat(pages(queue.nextFree(40))).containsExactly(taken.get(7));
    now = now.plus(LEASE);
    assertThat(pages(queue.nextFree(40))).containsExactlyInAnyOrderElementsOf(taken);
  }

  @Test
  void fewerThanNoPagesAreRefused() throws Exception {
    assertThat(queue.nextFree(0)).isEmpty();
    assertThatThrownBy(() -> queue.nextFree(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
