// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.ControlledRealTimeReopenThread;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeltaIndexWriterTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  @TempDir Path folder;

  private static Workload workload() {
    return Workload.builder()
        .add(List.of("alpha"), 10)
        .add(List.of("beta"), 5)
        .add(List.of("alpha", "gamma"), 3)
        .add(List.of("delta", "beta"), 2)
        .build();
  }

  private static DeltaConfig.Builder settings(Workload workload) {
    return DeltaConfig.builder(workload)
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched");
  }

  private static DeltaConfig config(Workload workload) {
    return settings(workload).build();
  }

  private DeltaIndexWriter open(DeltaConfig config) throws Exception {
    Directory directory = FSDirectory.open(folder.resolve("index"));
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private static Document page(DeltaConfig config, String url, String body, int week) {
    return page(config, url, body, week(week));
  }

  private static Document page(DeltaConfig config, String url, String body, Instant fetched) {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.YES));
    document.add(new TextField("body", body, Field.Store.NO));
    document.add(config.fetchTime(fetched));
    return document;
  }

  private static void put(
      DeltaIndexWriter writer, DeltaConfig config, String url, String body, int week)
      throws Exception {
    writer.updateDocument(new Term("url", url), page(config, url, body, week));
  }

  @Test
  void theListenerHearsOfFetchTimesThatCannotBeReadAndOfKeysTooMany() throws Exception {
    List<String> troubles = new ArrayList<>();
    List<Trouble> kinds = new ArrayList<>();
    DeltaConfig config =
        settings(workload()).clock(() -> week(3)).listener(new Troubles(troubles, kinds)).build();
    try (DeltaIndexWriter writer = open(config)) {
      for (String url : List.of("a", "b")) {
        Document document = new Document();
        document.add(new StringField("url", url, Field.Store.YES));
        document.add(new StringField("fetched", "2024/01/08", Field.Store.NO));
        writer.addDocument(document);
      }
      Document two = page(config, "c", "alpha", 1);
      two.add(new StringField("url", "d", Field.Store.YES));
      writer.addDocument(two);
      writer.commit();
      assertThat(troubles)
          .containsExactly(
              "segment _0 has 1 keys too many: a document has one key, the first in term order"
                  + " counts; give each one key, untokenized, as in a StringField; this is told of"
                  + " a batch's first such segment alone",
              "segment _0 has 2 documents whose fetch time is no ISO-8601 instant, or after "
                  + week(3).plus(Duration.ofDays(1))
                  + ", a day ahead of the clock, such as \"2024/01/08\": they count as fetched when they were committed; use"
                  + " DeltaConfig.fetchTime; this is told of a batch's first such segment alone");
      assertThat(kinds).containsExactly(Trouble.REJECTED, Trouble.REJECTED);
      assertThat(writer.explain("a").orElseThrow().refreshes().get(0).fetched()).isEqualTo(week(3));
      assertThat(writer.explain("c").orElseThrow().refreshes().get(0).fetched()).isEqualTo(week(1));
      assertThat(writer.explain("d")).isEmpty();
      put(writer, config, "e", "alpha", 2);
      writer.commit();
      assertThat(troubles).as("of a batch that has none").hasSize(2);
    }
  }

  @Test
  void fetchTimesThatCannotBeReadAreToldOnceABatchHoweverOftenAReaderIsReopened() throws Exception {
    List<String> troubles = new ArrayList<>();
    DeltaConfig config = settings(workload()).listener(new Troubles(troubles)).build();
    try (DeltaIndexWriter writer = open(config)) {
      for (int batch = 1; batch <= 2; batch++) {
        for (String url : List.of("a", "b", "c")) {
          Document document = new Document();
          document.add(new StringField("url", url + batch, Field.Store.YES));
          document.add(new StringField("url", url + batch + "#", Field.Store.YES));
          document.add(new StringField("fetched", "2024/01/08", Field.Store.NO));
          writer.addDocument(document);
          DirectoryReader.open(writer).close();
        }
        assertThat(troubles).as("of keys and of times").hasSize(2 * batch);
        writer.commit();
      }
      assertThat(troubles).hasSize(4);
    }
  }

  @Test
  void whatWasToldOfABatchIsNotToldAgainWhenTheOneBeforeItIsSettled() throws Exception {
    List<String> troubles = new ArrayList<>();
    AtomicBoolean fails = new AtomicBoolean(true);
    DeltaConfig config =
        settings(workload())
            .listener(new Troubles(troubles))
            .faults(
                point -> {
                  if (point.equals(FaultPoints.SETTLE) && fails.getAndSet(false)) {
                    throw new IllegalStateException("injected");
                  }
                })
            .build();
    try (DeltaIndexWriter writer = open(config)) {
      put(writer, config, "a", "alpha", 1);
      writer.commit(); // is not settled yet
      for (String url : List.of("b", "c")) {
        Document document = new Document();
        document.add(new StringField("url", url, Field.Store.YES));
        document.add(new StringField("fetched", "2024/01/08", Field.Store.NO));
        writer.addDocument(document);
        DirectoryReader.open(writer).close();
        assertThat(troubles).filteredOn(trouble -> trouble.contains("fetch time")).hasSize(1);
        assertThat(writer.status().generation()).as("by this question").isEqualTo(1);
      }
    }
    assertThat(fails).isFalse();
  }

  /** Seconds taken for milliseconds, say: the page would not be measured again for ages. */
  @Test
  void aFetchTimeOfDaysToComeCountsAsNow() throws Exception {
    List<String> troubles = new ArrayList<>();
    AtomicReference<Instant> now = new AtomicReference<>(week(1));
    DeltaConfig config =
        settings(workload()).clock(now::get).listener(new Troubles(troubles)).build();
    try (DeltaIndexWriter writer = open(config)) {
      for (int page = 0; page < 10; page++) {
        put(writer, config, "p" + page, "alpha", 1);
      }
      put(writer, config, "ahead", "alpha", 2000);
      writer.updateDocument(
          new Term("url", "an hour"),
          page(config, "an hour", "alpha", now.get().plusSeconds(3600)));
      writer.commit();
      assertThat(troubles)
          .containsExactly(
              "segment _0 has 1 documents whose fetch time is no ISO-8601 instant, or after "
                  + week(1).plus(Duration.ofDays(1))
                  + ", a day ahead of the clock, such as \"2062-05-01T00:00:00Z\": they count as fetched"
                  + " when they were committed; use DeltaConfig.fetchTime; this is told of a batch's"
                  + " first such segment alone",
              "a page of batch 1 was fetched, by its fetch time, 60 minutes after the clock at the"
                  + " commit, at "
                  + week(1).plusSeconds(3600)
                  + ": until then no queue hands it out, and changes that it tells of meanwhile do"
                  + " not count. Give fetch times in UTC, by a clock that is right, or correct that"
                  + " of the writer (DeltaConfig.Builder.clock)");
      now.set(week(2));
      put(writer, config, "ahead", "alpha beta", 2);
      writer.commit();
      assertThat(writer.explain("ahead").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched, MeasuredRefresh::interval)
          .containsExactly(tuple(week(2), Duration.ofDays(7)), tuple(week(1), null));
      assertThat(writer.explain("an hour").orElseThrow().refreshes().get(0).fetched())
          .isEqualTo(week(1).plusSeconds(3600));
      put(writer, config, "ahead", "alpha", 2000);
      writer.commit();
      writer.rebuild();
      assertThat(writer.explain("ahead").orElseThrow().refreshes()).hasSize(3);
    }
  }

  @Test
  void aFetchTimeThatIsNoTextHarmsNothing() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      Document document = new Document();
      document.add(new StringField("url", "a", Field.Store.YES));
      document.add(
          new StringField("fetched", new BytesRef(new byte[] {(byte) 0xf7}), Field.Store.NO));
      writer.addDocument(document);
      put(writer, config, "b", "alpha", 1);
      writer.commit();
      assertThat(writer.status().pages()).isEqualTo(2);
      assertThat(writer.explain("b").orElseThrow().refreshes().get(0).fetched()).isEqualTo(week(1));
      writer.rebuild();
    }
    try (DeltaIndexWriter writer = open(config)) {
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void aFlushThatWouldTakeTooMuchHeapIsReadBackAndTheNextIsMeasured() throws Exception {
    List<String> troubles = new ArrayList<>();
    List<Trouble> kinds = new ArrayList<>();
    DeltaConfig config =
        settings(workload()).flushHeap(10_000).listener(new Troubles(troubles, kinds)).build();
    try (DeltaIndexWriter writer = open(config)) {
      for (int page = 0; page < 600; page++) {
        put(writer, config, "p" + page, "alpha beta", 0);
      }
      writer.commit();
      assertThat(writer.status().pages()).isEqualTo(600);
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      assertThat(troubles)
          .singleElement()
          .asString()
          .startsWith("pages of a flush could not be captured")
          .contains("bytes of heap, more than 10000")
          .contains("a smaller RAM buffer");
      put(writer, config, "p1", "alpha alpha alpha", 1);
      writer.commit();
      assertThat(writer.explain("p1").orElseThrow().refreshes().get(0).measured()).isTrue();
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
    }
    assertThat(troubles).hasSize(1);
    assertThat(kinds).containsExactly(Trouble.LOST);
  }

  @Test
  void aBatchTooLargeForTheHeapIsReadBackAndTheNextIsMeasured() throws Exception {
    List<String> troubles = new ArrayList<>();
    DeltaConfig config =
        settings(workload()).batchHeap(2000).listener(new Troubles(troubles)).build();
    try (DeltaIndexWriter writer = open(config)) {
      for (int page = 0; page < 300; page++) {
        put(writer, config, "p" + page, "alpha beta", 0);
        if (page % 20 == 0) {
          writer.flush();
        }
      }
      writer.commit();
      assertThat(writer.status().pages()).isEqualTo(300);
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      assertThat(troubles)
          .singleElement()
          .asString()
          .contains("more than 2000; commit more often, or give the JVM more heap");
      put(writer, config, "p1", "alpha alpha alpha", 1);
      writer.deleteDocuments(new Term("url", "p2"));
      writer.commit();
      assertThat(writer.explain("p1").orElseThrow().refreshes().get(0).measured()).isTrue();
      for (int page = 100; page < 150; page++) {
        writer.deleteDocuments(new Term("url", "p" + page));
      }
      writer.commit();
      assertThat(writer.status().pages()).isEqualTo(249);
      assertThat(writer.nextPages(300, week(2)))
          .extracting(PagePriority::page)
          .hasSize(249)
          .doesNotContain("p2", "p100", "p149");
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
    }
    assertThat(troubles).hasSize(1);
  }

  @Test
  void aWriterThatAFailureHasClosedKeepsNoOtherFromTakingItsPlace() throws Exception {
    DeltaConfig config = settings(workload()).statePath(folder.resolve("state")).build();
    AtomicBoolean failing = new AtomicBoolean();
    try (Directory directory =
        new FilterDirectory(FSDirectory.open(folder.resolve("index"))) {
          @Override
          public IndexOutput createOutput(String name, IOContext context) throws IOException {
            if (failing.get()) {
              throw new IOException("no space");
            }
            return super.createOutput(name, context);
          }
        }) {
      DeltaIndexWriter dead = writer(directory, config);
      put(dead, config, "a", "alpha", 0);
      dead.commit();
      put(dead, config, "b", "alpha", 1);
      failing.set(true);
      assertThatThrownBy(dead::commit).hasMessageContaining("no space");
      failing.set(false);
      assertThat(dead.isOpen()).isFalse();
      try (DeltaIndexWriter next = writer(directory, config)) {
        assertThat(next.status().pages()).isEqualTo(1);
        put(next, config, "a", "alpha alpha", 2);
        next.commit();
        assertThat(next.explain("a").orElseThrow().refreshes()).hasSize(2);
        dead.close();
        assertThat(next.nextPages(9)).hasSize(1);
        assertThatThrownBy(() -> writer(directory, config))
            .isInstanceOf(StateLockedException.class);
      }
    }
  }

  @Test
  void aListenerThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> DeltaConfig.builder(workload()).listener(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("a listener is needed");
  }

  @Test
  void theRateOfAPageIsTheMeanOverItsMeasuredRefreshesAndNothingWithoutOne() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      for (int i = 0; i < 20; i++) {
        put(writer, config, "p" + i, "alpha beta filler" + " alpha".repeat(i % 5), 0);
      }
      writer.commit();
      put(writer, config, "p3", "alpha alpha alpha alpha alpha gamma", 1);
      writer.commit();
      put(writer, config, "p3", "alpha beta", 3);
      writer.commit();
      Map<String, PagePriority> next = new HashMap<>();
      writer.nextPages(20, week(4)).forEach(page -> next.put(page.page(), page));
      List<MeasuredRefresh> refreshes = writer.explain("p3").orElseThrow().refreshes();
      double later = refreshes.get(0).qualityChange() / 14;
      double earlier = refreshes.get(1).qualityChange() / 7;
      assertThat(List.of(later, earlier)).doesNotHaveDuplicates().allMatch(rate -> rate > 0);
      double mean = (later + earlier) / 2;
      assertThat(next.get("p3").rate()).isCloseTo(mean, within(1e-6 * mean));
      assertThat(next.get("p3").refreshes()).isEqualTo(2);
      assertThat(next.get("p4").rate()).isZero();
      assertThat(next.get("p4").refreshes()).isZero();
    }
  }

  @Test
  void aPageThatChangesForAskedQueriesComesFirst() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      for (int i = 0; i < 20; i++) {
        put(writer, config, "p" + i, "alpha beta filler" + " alpha".repeat(i % 5), 0);
      }
      writer.commit();
      put(writer, config, "p3", "alpha alpha alpha alpha alpha gamma", 1);
      put(writer, config, "p4", "alpha beta filler alpha alpha alpha alpha", 1);
      writer.commit();

      Instant now = START.plus(Duration.ofDays(14));
      List<PagePriority> next = writer.nextPages(20, now);
      assertThat(next.get(next.size() - 1).page()).as("an unchanged page").isEqualTo("p4");
      PageExplanation why = writer.explain("p3").orElseThrow();
      assertThat(why.refreshes()).hasSize(2);
      MeasuredRefresh last = why.refreshes().get(0);
      assertThat(last.measured()).isTrue();
      assertThat(last.interval()).isEqualTo(Duration.ofDays(7));
      assertThat(last.contributions()).extracting(QueryContribution::query).contains("alpha gamma");
      double sum =
          last.contributions().stream().mapToDouble(QueryContribution::total).sum()
              + last.otherQueriesChange();
      assertThat(sum).isCloseTo(last.qualityChange(), within(1e-12));
      assertThat(why.refreshes().get(1).measured()).as("the first fetch").isFalse();
      assertThat(writer.status().pages()).isEqualTo(20);
    }
  }

  private static Instant week(int week) {
    return START.plus(Duration.ofDays(7L * week));
  }

  /**
   * In the second case so few pages of long results change that rank functions are not renewed with
   * each batch.
   */
  @ParameterizedTest
  @CsvSource({"42, 30, 3", "43, 800, 100"})
  void closingAndReopeningBetweenAnyTwoBatchesChangesNothing(long seed, int pages, int oneIn)
      throws Exception {
    List<PagePriority> through = run("through", false, seed, pages, oneIn);
    List<PagePriority> reopened = run("reopened", true, seed, pages, oneIn);
    assertThat(reopened).isEqualTo(through);
    assertThat(through).anyMatch(page -> page.rate() > 0 && page.refreshes() > 0);
  }

  /** Of so many pages one in so many changes each week. */
  private List<PagePriority> run(String name, boolean reopen, long seed, int pages, int oneIn)
      throws Exception {
    DeltaConfig config = settings(workload()).hashSeed(seed).build();
    Random random = new Random(seed);
    String[] words = {"alpha", "beta", "gamma", "delta", "other", "words"};
    try (Directory directory = FSDirectory.open(folder.resolve(name))) {
      DeltaIndexWriter writer = writer(directory, config);
      for (int week = 0; week < 8; week++) {
        for (int i = 0; i < pages; i++) {
          if (week == 0 || random.nextInt(oneIn) == 0) {
            StringBuilder body = new StringBuilder();
            for (int w = 0; w < 1 + random.nextInt(20); w++) {
              body.append(words[random.nextInt(words.length)]).append(' ');
            }
            put(writer, config, "page" + i, body.toString(), week);
          }
        }
        writer.commit();
        if (reopen) {
          writer.close();
          writer = writer(directory, config);
        }
      }
      try (DeltaIndexWriter last = writer) {
        assertThat(last.status().batchesIncomplete()).isZero();
        assertThat(last.status().batchesMeasured()).isEqualTo(8);
        return last.nextPages(pages, START.plus(Duration.ofDays(70)));
      }
    }
  }

  private static DeltaIndexWriter writer(Directory directory, DeltaConfig config) throws Exception {
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  @Test
  void readersManagersAndReopenThreadsWorkAsWithAnyWriter() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      put(writer, config, "a", "alpha", 0);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertThat(reader.numDocs()).isEqualTo(1);
      }
      SearcherManager manager = new SearcherManager(writer, new SearcherFactory());
      ControlledRealTimeReopenThread<IndexSearcher> reopen =
          new ControlledRealTimeReopenThread<>(writer, manager, 1, 0.01);
      reopen.start();
      long generation = writer.updateDocument(new Term("url", "b"), page(config, "b", "alpha", 0));
      reopen.waitForGeneration(generation);
      IndexSearcher searcher = manager.acquire();
      try {
        assertThat(searcher.count(new TermQuery(new Term("body", "alpha")))).isEqualTo(2);
      } finally {
        manager.release(searcher);
      }
      reopen.close();
      manager.close();
      writer.commit();
      assertThat(writer.nextPages(5))
          .extracting(PagePriority::page)
          .containsExactlyInAnyOrder("a", "b");
    }
  }

  @Test
  void refreshFilesStayFewAndLoseNoRefresh() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      for (int week = 0; week < 70; week++) {
        put(writer, config, "often", week % 2 == 0 ? "alpha" : "alpha gamma", week);
        if (week % 10 == 0) {
          put(writer, config, "seldom" + week, "beta", week);
        }
        writer.commit();
      }
      writer.commit();
      assertThat(writer.status().refreshFiles()).isLessThan(20);
      List<MeasuredRefresh> refreshes = writer.explain("often").orElseThrow().refreshes();
      assertThat(refreshes).hasSize(70);
      assertThat(refreshes.get(0).contributions()).isNotEmpty();
      assertThat(refreshes.get(69).measured()).isFalse();
      assertThat(refreshes)
          .extracting(MeasuredRefresh::fetched)
          .isSortedAccordingTo(Comparator.reverseOrder());
    }
  }

  @Test
  void anIndexTakenBackToAnEarlierCommitForgetsTheBatchesAfterIt() throws Exception {
    DeltaConfig config = config(workload());
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      IndexWriterConfig keep =
          new IndexWriterConfig(new WhitespaceAnalyzer())
              .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
      try (DeltaIndexWriter writer = new DeltaIndexWriter(directory, keep, config)) {
        for (int week = 0; week < 3; week++) {
          put(writer, config, "a", "alpha".repeat(week % 2 + 1), week);
          writer.commit();
        }
      }
      IndexWriterConfig back =
          new IndexWriterConfig(new WhitespaceAnalyzer())
              .setIndexCommit(DirectoryReader.listCommits(directory).get(1));
      try (DeltaIndexWriter writer = new DeltaIndexWriter(directory, back, config)) {
        assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(2);
        put(writer, config, "a", "beta", 5);
        writer.commit();
        assertThat(writer.explain("a").orElseThrow().refreshes())
            .extracting(MeasuredRefresh::interval)
            .containsExactly(Duration.ofDays(28), Duration.ofDays(7), null);
      }
    }
  }

  @Test
  void anotherWorkloadKeepsTheHistory() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      for (int i = 0; i < 9; i++) {
        put(writer, config, "p" + i, "alpha other filler", 0);
      }
      put(writer, config, "a", "alpha other", 0);
      writer.commit();
      put(writer, config, "a", "alpha alpha words many more words other", 1);
      writer.commit();
    }
    DeltaConfig changed = config(Workload.builder().add(List.of("other"), 4).build());
    try (DeltaIndexWriter writer = open(changed)) {
      put(writer, changed, "a", "other other", 2);
      writer.commit();
      List<MeasuredRefresh> refreshes = writer.explain("a").orElseThrow().refreshes();
      assertThat(refreshes)
          .extracting(MeasuredRefresh::measured)
          .containsExactly(true, true, false);
      assertThat(refreshes.get(0).contributions())
          .extracting(QueryContribution::query)
          .containsExactly("other");
      assertThat(refreshes.get(1).contributions())
          .extracting(QueryContribution::query)
          .contains("alpha");
    }
  }

  @Test
  void anIndexWrittenByPlainLuceneIsAdopted() throws Exception {
    DeltaConfig config = config(workload());
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        for (int i = 0; i < 50; i++) {
          plain.addDocument(page(config, "p" + i, "alpha beta", 0));
        }
      }
      try (DeltaIndexWriter writer = writer(directory, config)) {
        assertThat(writer.status().pages()).isEqualTo(50);
        put(writer, config, "p7", "alpha gamma", 1);
        writer.commit();
        assertThat(writer.explain("p7").orElseThrow().refreshes().get(0).interval())
            .as("the adopted page's fetch time counts")
            .isEqualTo(Duration.ofDays(7));
      }
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        plain.deleteDocuments(new Term("url", "p8"));
      }
      try (DeltaIndexWriter writer = writer(directory, config)) {
        assertThat(writer.status().pages()).as("a foreign change is seen").isEqualTo(49);
      }
    }
  }

  /** Its vector is that of the document found, and so must be the time that it is measured from. */
  @Test
  void aPageThatAnotherWriterChangedIsMeasuredFromWhenItsDocumentSaysItWasFetched()
      throws Exception {
    DeltaConfig config = config(workload());
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = writer(directory, config)) {
        for (int week = 0; week < 3; week++) {
          put(writer, config, "changed", "alpha beta", week);
          put(writer, config, "left", "alpha beta", week);
          writer.commit();
        }
      }
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        plain.updateDocument(
            new Term("url", "changed"), page(config, "changed", "alpha alpha beta", 5));
      }
      try (DeltaIndexWriter writer = writer(directory, config)) {
        assertThat(writer.explain("changed").orElseThrow().refreshes()).hasSize(3);
        put(writer, config, "changed", "gamma", 6);
        put(writer, config, "left", "gamma", 6);
        writer.commit();
        assertThat(writer.explain("changed").orElseThrow().refreshes().get(0).interval())
            .isEqualTo(Duration.ofDays(7));
        assertThat(writer.explain("left").orElseThrow().refreshes().get(0).interval())
            .isEqualTo(Duration.ofDays(28));
      }
    }
  }

  @Test
  void theApplicationsCommitDataStays() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      put(writer, config, "a", "alpha", 0);
      writer.setLiveCommitData(List.of(Map.entry("app", "data")));
      writer.commit();
      put(writer, config, "a", "beta", 1);
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.open(writer.getDirectory())) {
        assertThat(reader.getIndexCommit().getUserData())
            .containsEntry("app", "data")
            .containsEntry(BatchNames.GENERATION, "2");
      }
      assertThat(writer.status().batchesMeasured()).isEqualTo(2);
    }
  }

  @Test
  void commitDataSetWhileAVisitIsRecordedStays() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      put(writer, config, "a", "alpha", 0);
      writer.commit();
      CyclicBarrier both = new CyclicBarrier(2);
      for (int round = 1; round <= 300; round++) {
        Instant fetched = START.plus(Duration.ofMinutes(round));
        FutureTask<Void> visit =
            new FutureTask<>(
                () -> {
                  both.await(30, TimeUnit.SECONDS);
                  writer.recordUnchanged("a", fetched);
                  return null;
                });
        new Thread(visit).start();
        both.await(30, TimeUnit.SECONDS);
        writer.setLiveCommitData(List.of(Map.entry("app", "round " + round)));
        visit.get(30, TimeUnit.SECONDS);
        writer.commit();
        assertThat(SegmentInfos.readLatestCommit(writer.getDirectory()).getUserData())
            .containsEntry("app", "round " + round);
      }
    }
  }

  @Test
  void statisticsAndRanksAreBuiltInCommitsAndOnRequestNeverInAnUpdate() throws Exception {
    Set<String> updates =
        Set.of("addDocument", "addDocuments", "updateDocument", "updateDocuments", "addBatch");
    List<String> built = new ArrayList<>();
    DeltaConfig config =
        settings(workload())
            .rebuildEvery(1)
            .faults(
                point -> {
                  if (point.equals(FaultPoints.RANKS)) {
                    List<String> callers =
                        StackWalker.getInstance()
                            .walk(frames -> frames.map(frame -> frame.getMethodName()).toList());
                    assertThat(callers).doesNotContainAnyElementsOf(updates);
                    built.add(callers.contains("prepareCommitInternal") ? "commit" : "request");
                  }
                })
            .build();
    IndexWriterConfig manyFlushes =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setMaxBufferedDocs(2);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, manyFlushes, config)) {
      for (int week = 0; week < 4; week++) {
        for (int i = 0; i < 20; i++) {
          put(writer, config, "p" + i, "alpha " + "beta ".repeat(i % (week + 1)), week);
        }
        writer.commit();
      }
      writer.rebuild();
      assertThat(built).containsExactly("commit", "commit", "commit", "request");
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void theApplicationsDeletionPolicyStaysItsOwn() throws Exception {
    DeltaConfig config = config(workload());
    SnapshotDeletionPolicy policy =
        new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory,
                new IndexWriterConfig(new WhitespaceAnalyzer()).setIndexDeletionPolicy(policy),
                config)) {
      assertThat(writer.getConfig().getIndexDeletionPolicy()).isSameAs(policy);
      put(writer, config, "a", "alpha", 0);
      writer.commit();
      IndexCommit snapshot = policy.snapshot();
      put(writer, config, "a", "beta", 1);
      writer.commit();
      assertThat(DirectoryReader.listCommits(directory)).as("one is kept").hasSize(2);
      policy.release(snapshot);
      writer.deleteUnusedFiles();
      assertThat(DirectoryReader.listCommits(directory)).hasSize(1);
      assertThat(writer.status().batchesMeasured()).isEqualTo(2);
    }
  }

  @Test
  void commitDataFromAnIteratorThatUsesOneEntryForAllIsCommittedWhole() throws Exception {
    DeltaConfig config = config(workload());
    String[] entry = new String[2];
    Map.Entry<String, String> reused =
        new AbstractMap.SimpleEntry<>("", "") {
          private static final long serialVersionUID = 1L;

          @Override
          public String getKey() {
            return entry[0];
          }

          @Override
          public String getValue() {
            return entry[1];
          }
        };
    try (DeltaIndexWriter writer = open(config)) {
      writer.setLiveCommitData(
          () ->
              IntStream.range(0, 3)
                  .mapToObj(
                      i -> {
                        entry[0] = "key" + i;
                        entry[1] = "value" + i;
                        return reused;
                      })
                  .iterator());
      put(writer, config, "a", "alpha", 0);
      writer.commit();
      assertThat(SegmentInfos.readLatestCommit(writer.getDirectory()).getUserData())
          .containsAllEntriesOf(Map.of("key0", "value0", "key1", "value1", "key2", "value2"))
          .containsKeys(BatchNames.GENERATION, BatchNames.STATE)
          .hasSize(5);
    }
  }

  @Test
  void aSecondWriterOfTheSameMeasurementsIsRefused() throws Exception {
    DeltaConfig config =
        DeltaConfig.builder(workload())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .build();
    try (DeltaIndexWriter first = open(config);
        Directory other = FSDirectory.open(folder.resolve("other"))) {
      assertThat(first.isOpen()).isTrue();
      assertThatThrownBy(() -> writer(other, config))
          .isInstanceOf(StateLockedException.class)
          .as("what loops that try again wait for")
          .isInstanceOf(LockObtainFailedException.class)
          .hasMessageContaining("in use by this process; close");
    }
  }

  @Test
  void pagesDeletedByKeyOrQueryLeaveTheOrderAndKeepTheirHistory() throws Exception {
    DeltaConfig config = config(workload());
    try (DeltaIndexWriter writer = open(config)) {
      for (int i = 0; i < 5; i++) {
        put(writer, config, "p" + i, "alpha beta", 0);
      }
      writer.commit();
      writer.deleteDocuments(new Term("url", "p0"));
      writer.deleteDocuments(new TermQuery(new Term("url", "p1")));
      writer.commit();
      assertThat(writer.nextPages(9))
          .extracting(PagePriority::page)
          .containsExactlyInAnyOrder("p2", "p3", "p4");
      assertThat(writer.status().pages()).isEqualTo(3);
      for (String deleted : List.of("p0", "p1")) {
        assertThat(writer.explain(deleted).orElseThrow().refreshes()).as(deleted).hasSize(1);
      }
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(state.nextPages(9, START)).isEqualTo(writer.nextPages(9, START));
      }
    }
  }
}
