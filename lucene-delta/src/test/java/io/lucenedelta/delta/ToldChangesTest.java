// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.refresh.ContentProvider;
import io.lucenedelta.scorer.refresh.GainParameters;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.SiteMetadata;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.scorer.schedule.LambdaCrawl;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a live index makes of sitemaps that are read again and again. */
class ToldChangesTest {
  private static final Duration LEASE = Duration.ofHours(1);

  /** What the writer orders by if it is asked for no strategy; the seed breaks ties alone. */
  private static final RefreshPolicy SAME =
      new UserUtility(GainParameters.LEARNING.withWaitingShare(0), 0);

  private final List<String> troubles = new ArrayList<>();
  private Instant now = Instant.parse("2024-01-01T00:00:00Z");

  @TempDir private Path folder;

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(
        FSDirectory.open(folder.resolve("index")),
        new IndexWriterConfig(new SimpleAnalyzer()),
        config);
  }

  private static void put(DeltaIndexWriter writer, String page, String text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  /** Pages of some sites that change every week, fetched for some weeks. */
  private void index(DeltaIndexWriter writer, int pages, int weeks) throws IOException {
    for (int week = 0; week < weeks; week++) {
      for (int page = 0; page < pages; page++) {
        put(writer, page(page), "alpha ".repeat(1 + week % 2) + " of this week");
      }
      writer.commit();
      now = now.plus(Duration.ofDays(7));
    }
  }

  private static String page(int number) {
    return "https://s%d.test/%d".formatted(number % 3, number);
  }

  private static Map<String, Double> priorities(List<PagePriority> order) {
    Map<String, Double> priorities = new HashMap<>();
    order.forEach(page -> priorities.put(page.page(), page.priority()));
    return priorities;
  }

  /** How much less urgent a page is than one that says nothing. */
  private static double urgency(List<PagePriority> order, int page, int silent) {
    Map<String, Double> priorities = priorities(order);
    return priorities.get(page(page)) / priorities.get(page(silent));
  }

  @Test
  void aPageWhoseSitemapSaysThatItHasNotChangedWaitsUntilTheSitemapIsNotReadAnyMore()
      throws Exception {
    try (DeltaIndexWriter writer = open()) {
      index(writer, 6, 5);
      FetchQueue queue = writer.fetchQueue(LEASE);
      Instant unchanged = now.minus(Duration.ofDays(20));
      assertThat(urgency(writer.nextPages(6, now), 0, 3)).isCloseTo(1, within(1e-9));
      queue.modified(page(0), unchanged);
      queue.take(0);
      for (int day = 0; day < 30; day++) {
        now = now.plus(Duration.ofDays(1));
        queue.modified(page(0), unchanged);
        assertThat(urgency(writer.nextPages(6, now), 0, 3))
            .as("heard on day %d", day)
            .isBetween(0.001, 0.02);
      }
      assertThat(queue.copyOfTold().byPage()).as("the same as before takes no memory").isEmpty();
      double last = 0.02;
      for (int week = 0; week < 40; week++) {
        now = now.plus(Duration.ofDays(7));
        double urgency = urgency(writer.nextPages(6, now), 0, 3);
        assertThat(urgency).as("not heard for %d weeks", week).isGreaterThan(last);
        last = urgency;
      }
      assertThat(last).isCloseTo(urgencyAfterSilence(), within(1e-5));
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aSiteHeardByAClockThatWasAheadIsNotBelievedToBeSilentUntilThen() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      index(writer, 6, 5);
      FetchQueue queue = writer.fetchQueue(LEASE);
      Instant unchanged = now.minus(Duration.ofDays(20));
      Instant right = now;
      now = now.plus(Duration.ofDays(9_999));
      queue.modified(page(0), unchanged);
      now = right;
      queue.take(0);
      assertThat(urgency(writer.nextPages(6, now), 0, 3)).isLessThan(0.02);
      now = now.plus(Duration.ofDays(280));
      assertThat(urgency(writer.nextPages(6, now), 0, 3)).isGreaterThan(0.5);
    }
  }

  /**
   * Four changes were found on each of six pages in 28 days. One is silent while its site is heard
   * for 37 days more, so it changes less often than the others; then nobody hears of it for 280
   * days. All are 317 days old then, which is taken for a round.
   */
  private static double urgencyAfterSilence() {
    double all = (6 * 4 + 0.5) / (6 * 28 + 37 + 1);
    double site = (2 * 4 + 6) / ((2 * 28 + 37) * all + 6);
    double threeChanges = 3 / (all * site); // days
    double rate = (28 + threeChanges) / (28 + 37 + threeChanges);
    double unheard = 280.0 * 280; // decisions are made at any time: U grows with t²
    double old = 317.0 * 317;
    double aged = unheard * (1 + Math.pow(280 / (3 * 317.0), 4));
    return rate * (aged + 0.01 * (old - unheard)) / (old * (1 + Math.pow(1 / 3.0, 4)));
  }

  @Test
  void everyChangeThatASitemapTellsIsFetchedAtOnceAndCountedOnce() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      index(writer, 30, 5);
      FetchQueue queue = writer.fetchQueue(LEASE);
      Instant[] modified = new Instant[30];
      for (int day = 0; day < 60; day++) {
        modified[day % 20] = now.minus(Duration.ofHours(1)); // of 30 pages 20 change
        for (int page = 0; page < 30; page++) {
          Instant never = now.minus(Duration.ofDays(300));
          queue.modified(page(page), modified[page] == null ? never : modified[page]);
        }
        assertThat(queue.take(1)).as("day %d", day).containsExactly(page(day % 20));
        put(writer, page(day % 20), "alpha ".repeat(1 + day % 3) + day);
        writer.commit();
        now = now.plus(Duration.ofDays(1));
      }
      queue.take(0);
      Publishers publishers = queue.copyOfTold().publishers();
      for (int page = 0; page < 30; page++) {
        assertThat(publishers.fetched(page(page))).as("%d", page).isEqualTo(page < 20 ? 3 : 0);
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aSitemapThatSaysTheSameWhateverChangesIsNotBelievedForLong() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      index(writer, 6, 5);
      FetchQueue queue = writer.fetchQueue(LEASE);
      Instant always = now.minus(Duration.ofDays(300));
      List<Double> urgencies = new ArrayList<>();
      for (int week = 0; week < 12; week++) {
        queue.modified(page(0), always);
        queue.take(0);
        now = now.plus(Duration.ofDays(7));
        queue.modified(page(0), always);
        queue.take(0);
        urgencies.add(urgency(writer.nextPages(6, now), 0, 3));
        for (int page = 0; page < 6; page++) {
          put(writer, page(page), "alpha ".repeat(1 + week % 2) + " of this week");
        }
        writer.commit();
      }
      assertThat(urgencies.get(0)).isLessThan(0.02);
      assertThat(urgencies).isSorted();
      assertThat(urgencies.get(3)).isGreaterThan(0.3);
      assertThat(urgencies.get(11)).isGreaterThan(0.7);
    }
  }

  /** As programs do that are started for a batch: what it brings they commit last, and end. */
  @Test
  void soItIsForWritersThatAreClosedAfterEveryCommit() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      index(writer, 6, 5);
    }
    Instant always = now.minus(Duration.ofDays(300));
    double urgency = 0;
    for (int week = 0; week < 5; week++) {
      try (DeltaIndexWriter writer = open()) {
        FetchQueue queue = writer.fetchQueue(LEASE);
        queue.modified(page(0), always);
        queue.take(0);
        urgency = urgency(writer.nextPages(6, now), 0, 3);
        for (int page = 0; page < 6; page++) {
          put(writer, page(page), "alpha ".repeat(1 + week % 2) + " of this week");
        }
        writer.commit();
        now = now.plus(Duration.ofDays(7));
      }
    }
    assertThat(urgency).isGreaterThan(0.3);
  }

  @Test
  void writersReadersAndTheNextWriterHaveTheSameOrder() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<PagePriority> order;
    try (DeltaIndexWriter writer = open()) {
      index(writer, 90, 4);
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int day = 0; day < 12; day++) {
        for (int i = 0; i < 25; i++) {
          int page = random.nextInt(60);
          queue.modified(page(page), now.minus(Duration.ofHours(random.nextInt(300))));
        }
        for (String page : queue.take(5)) {
          put(writer, page, "alpha ".repeat(random.nextInt(4)) + " of day " + day);
        }
        writer.commit();
        now = now.plus(Duration.ofDays(1));
      }
      queue.take(0);
      queue.save();
      order = writer.nextPages(90, now);
      assertAlike(writer.nextPages(SAME, 90, now), order, "as a strategy, seed " + seed);
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertAlike(state.nextPages(90, now), order, "from the index, seed " + seed);
        assertAlike(state.nextPages(SAME, 90, now), order, "as a strategy, seed " + seed);
      }
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertAlike(state.nextPages(90, now), order, "from columns, seed " + seed);
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).copyOfTold().publishers().size())
          .as("seed %d", seed)
          .isGreaterThan(30);
      assertAlike(writer.nextPages(SAME, 90, now), order, "first asked for it, seed " + seed);
      assertAlike(writer.nextPages(90, now), order, "the next writer, seed " + seed);
    }
    assertThat(troubles).as("seed %d", seed).isEmpty();
  }

  @Test
  void anOrderThatWasAskedForBeforeTheQueueIsNotThatOfAfterwards() throws Exception {
    List<PagePriority> order;
    try (DeltaIndexWriter writer = open()) {
      index(writer, 90, 4);
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int page = 0; page < 60; page++) {
        queue.modified(page(page), now.minus(Duration.ofDays(page % 20)));
      }
      queue.take(0);
      now = now.plus(Duration.ofDays(2));
      order = writer.nextPages(90, now);
    }
    try (DeltaIndexWriter writer = open()) {
      List<PagePriority> untold = writer.nextPages(90, now);
      assertThat(priorities(untold)).isNotEqualTo(priorities(order));
      writer.fetchQueue(LEASE);
      assertAlike(writer.nextPages(90, now), order, "once the queue is open");
    }
    assertThat(troubles).isEmpty();
  }

  static Stream<RefreshPolicy> strategiesThatGoByWhatSitesPublish() {
    return Stream.of(
        new SiteMetadata(0),
        new ContentProvider(0),
        new LambdaCrawl(LambdaCrawl.Importance.VIEWS, 0));
  }

  @ParameterizedTest
  @MethodSource("strategiesThatGoByWhatSitesPublish")
  void anyStrategyIsToldWhatSitesPublish(RefreshPolicy policy) throws Exception {
    try (DeltaIndexWriter writer = open()) {
      index(writer, 6, 5);
      assertThat(writer.nextPages(policy, 6, now)).as("nobody told of anything").hasSize(6);
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.modified(page(0), now.minus(Duration.ofDays(20)));
      queue.modified(page(1), now.minus(Duration.ofHours(1)));
      queue.modified(page(2), now.plus(Duration.ofHours(1)));
      List<PagePriority> order = writer.nextPages(policy, 6, now);
      assertThat(order)
          .as("page 0 has not changed since it was fetched, nor yet page 2")
          .extracting(PagePriority::page)
          .containsExactlyInAnyOrder(page(1), page(3), page(4), page(5));
      assertThat(order).as("each is clicked as often").allMatch(page -> page.priority() > 0);
      if (policy instanceof SiteMetadata) {
        assertThat(order.get(0).page()).as("what is known to have changed").isEqualTo(page(1));
      }
      queue.save();
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(state.nextPages(policy, 6, now)).isEqualTo(order);
      }
    }
    assertThat(troubles).isEmpty();
  }

  private static void assertAlike(List<PagePriority> found, List<PagePriority> order, String as) {
    assertThat(found).as(as).hasSameSizeAs(order);
    Map<String, Double> expected = priorities(order);
    priorities(found)
        .forEach(
            (page, priority) ->
                assertThat(priority)
                    .as("%s: %s", as, page)
                    .isCloseTo(expected.get(page), within(1e-9 * expected.get(page))));
  }

  @Test
  void ofMoreChangesThanAreKeptOneThatIsStillToComeIsForgottenFirst() {
    ToldChanges told = new ToldChanges(0);
    List<Instant> came = new ArrayList<>();
    for (int day = 0; day < 16; day++) {
      came.add(now.plus(Duration.ofDays(day)));
      told.add("page", came.get(day), came.get(day));
    }
    told.add("page", came.get(15).plusSeconds(1), came.get(15));
    assertThat(told.byPage()).isEqualTo(Map.of("page", came));
  }

  @Test
  void aChangeOfAPageThatIsNotInTheIndexIsForgottenByTheFirstThatForgetsWhoeverLookedBefore() {
    PageHistories nothing =
        new PageHistories() {
          @Override
          public long size() {
            return 0;
          }

          @Override
          public Optional<PageHistory> of(String page) {
            return Optional.empty();
          }

          @Override
          public void forEach(Consumer<? super PageHistory> reader) {}
        };
    ToldChanges told = new ToldChanges(0);
    told.add("page", now, now);
    told.catchUp(nothing, Optional.of(Set.of()), now, false, page -> {});
    assertThat(told.byPage()).containsOnlyKeys("page");
    assertThat(told.isOfIndex("page")).isFalse();
    told.catchUp(nothing, Optional.of(Set.of()), now, true, page -> {});
    assertThat(told.byPage()).isEmpty();
  }
}
