// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.GainParameters;
import io.lucenedelta.scorer.refresh.LongestWaiting;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fetch queue that was told of more pages than it has on a short list. */
class ManyToldPagesTest {
  private static final int PAGES = 2_500;
  private static final int TAKEN = 7;
  private static final long HASH_SEED = 5;
  private static final Duration LEASE = Duration.ofDays(30);

  private Instant now = Instant.parse("2024-01-01T00:00:00Z");

  @TempDir private Path folder;

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .clock(() -> now)
            .hashSeed(HASH_SEED)
            .build();
    Directory directory = FSDirectory.open(folder.resolve("index"));
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new SimpleAnalyzer()), config);
  }

  private static void add(DeltaIndexWriter writer, String page, String text) throws IOException {
    writer.addDocument(document(page, text));
  }

  private static Document document(String page, String text) {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new TextField("body", text, Field.Store.NO));
    return document;
  }

  /** A batch in which no place is that of what has waited longest. */
  private List<String> takeByPriority(FetchQueue queue, int count) throws IOException {
    while (new LongestWaiting(GainParameters.LEARNING, count, now, HASH_SEED)
        .mayTake(Instant.EPOCH)) {
      now = now.plusSeconds(1);
    }
    return queue.take(count, now);
  }

  private static void say(FetchQueue queue, int page, Instant at, int changes) {
    for (int change = 0; change < changes; change++) {
      queue.modified("p" + page, at.plusSeconds(change));
    }
  }

  /** Of pages fetched long ago one list lasts all day; of those fetched just now none does. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1_500})
  void theyComeInTheOrderOfAllPagesAlsoWhenTheTimeOfAChangeToldForLaterHasCome(int hoursSince)
      throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (DeltaIndexWriter writer = open()) {
      for (int page = 0; page < PAGES; page++) {
        add(writer, "p" + page, "alpha".repeat(page % 3) + " of " + page);
      }
      writer.commit();
      now = now.plus(Duration.ofHours(hoursSince));
      FetchQueue queue = writer.fetchQueue(LEASE);
      Instant start = now;
      for (int page = 0; page < PAGES; page++) {
        if (page < 1_500) {
          say(queue, page, start.minusSeconds(600), 1 + random.nextInt(3));
        } else if (page < 1_800) {
          say(queue, page, start.plusSeconds(random.nextInt(86_400)), 5 + random.nextInt(3));
        }
      }
      List<String> taken = new ArrayList<>();
      for (int hour = 0; hour < 23; hour++) {
        now = start.plus(Duration.ofHours(hour));
        say(queue, 1_800 + hour, now.minusSeconds(60), 9);
        List<String> batch = takeByPriority(queue, TAKEN);
        List<String> expected =
            writer.nextPages(taken.size() + TAKEN, now).stream()
                .map(PagePriority::page)
                .filter(page -> !taken.contains(page))
                .limit(TAKEN)
                .toList();
        assertThat(batch).as("seed %d, hour %d", seed, hour).isEqualTo(expected);
        taken.addAll(batch);
      }
    }
  }

  /**
   * Of a page that nobody leased, fetched before the change that it told of. Columns that could not
   * follow a write do not know which pages were written.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPageThatIsFoundToBeWorthMoreThanWhatIsListedComesAtOnce(boolean columnsFollow)
      throws Exception {
    try (DeltaIndexWriter writer = open()) {
      for (int page = 0; page < PAGES; page++) {
        add(writer, "p" + page, (page % 3 == 1 ? "alpha of " : "of ") + page);
      }
      writer.commit();
      now = now.plus(Duration.ofDays(60));
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int page = 0; page < 1_500; page++) {
        say(queue, page, now.minusSeconds(600), page == 0 ? 1 : 2);
      }
      assertThat(takeByPriority(queue, TAKEN)).hasSize(TAKEN).doesNotContain("p0");
      if (!columnsFollow) {
        OrderColumns.cut(folder.resolve("index.delta"));
      }
      Document better = document("p0", "alpha alpha");
      better.add(new StringField("fetched", now.minusSeconds(900).toString(), Field.Store.NO));
      writer.updateDocument(new Term("url", "p0"), better);
      writer.commit();
      assertThat(takeByPriority(queue, 1)).containsExactly("p0");
    }
  }

  /** Fetched too late to be among the pages listed for the day. */
  @Test
  void aPageThatTellsOfItsChangeWhenOthersAreListedComesAtOnce() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      for (int page = 0; page < PAGES; page++) {
        add(writer, "p" + page, (page % 3 == 1 ? "alpha of " : "of ") + page);
      }
      writer.commit();
      now = now.plus(Duration.ofDays(60));
      writer.updateDocument(new Term("url", "p0"), document("p0", "alpha of 0"));
      writer.commit();
      FetchQueue queue = writer.fetchQueue(LEASE);
      now = now.plus(Duration.ofHours(1));
      say(queue, 1, now.minusSeconds(60), 1);
      assertThat(takeByPriority(queue, TAKEN)).hasSize(TAKEN).doesNotContain("p0");
      say(queue, 0, now.minusSeconds(60), 9);
      assertThat(takeByPriority(queue, 1)).containsExactly("p0");
    }
  }

  @Test
  void aNewPageThatPromisesMoreThanThousandsToldBeforeComesAtOnce() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      add(writer, "site/0", "alpha");
      add(writer, "site/1", "other");
      writer.commit();
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int page = 0; page < 12; page++) {
        queue.discovered("site/told" + page, page % 3 == 0 ? "alpha" : "other");
      }
      now = now.plus(Duration.ofDays(1));
      for (int page = 0; page < 12; page++) {
        add(writer, "site/told" + page, page % 3 == 0 ? "alpha" : "other");
      }
      writer.commit();
      for (int page = 0; page < PAGES; page++) {
        queue.discovered("site/least" + page, "nothing of interest");
      }
      assertThat(takeByPriority(queue, 15)).anyMatch(page -> page.startsWith("site/least"));
      queue.discovered("site/much", "alpha");
      assertThat(takeByPriority(queue, 1)).containsExactly("site/much");
    }
  }
}
