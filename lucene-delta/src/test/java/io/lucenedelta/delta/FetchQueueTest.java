// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.scorer.quality.WordEvidence;
import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.scorer.refresh.WordFactor;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FetchQueueTest {
  private static final Duration LEASE = Duration.ofDays(1);

  private final List<String> troubles = new ArrayList<>();
  private final List<Trouble> kinds = new ArrayList<>();
  private volatile Instant now = Instant.parse("2024-01-01T00:00:00Z");

  private Executable onTrouble = () -> {};
  private Analyzer analyzer = new SimpleAnalyzer();
  @TempDir Path folder;

  /** Writes down the troubles that are told, and asks something then. */
  private final class AskingListener implements DeltaListener {
    @Override
    public void trouble(Trouble kind, String sentence, Throwable cause) {
      troubles.add(sentence);
      kinds.add(kind);
      try {
        onTrouble.execute();
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }

  private DeltaIndexWriter open() throws IOException {
    return open(folder, "alpha");
  }

  private DeltaIndexWriter open(Path in, String query) throws IOException {
    return open(in, Workload.builder().add(List.of(query), 10).build());
  }

  private DeltaIndexWriter open(Path in, Workload workload) throws IOException {
    InstantSource clock = () -> now;
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField("url")
            .scoredField("body")
            .clock(clock)
            .hashSeed(5) // orders of several folders are compared
            .listener(new AskingListener())
            .build();
    Directory directory = FSDirectory.open(in.resolve("index"));
    return new DeltaIndexWriter(directory, new IndexWriterConfig(analyzer), config);
  }

  private static void put(DeltaIndexWriter writer, String... pages) throws IOException {
    for (String page : pages) {
      writer.updateDocument(new Term("url", page), document(page));
    }
    writer.commit();
  }

  private static Document document(String page) {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new TextField("body", "alpha of " + page, Field.Store.NO));
    return document;
  }

  @Test
  void whatAClockFetchedThatWasAheadIsDueUntilItIsFetchedOnceMore() throws Exception {
    Instant right = now;
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "visited", "kept");
      now = right.plus(Duration.ofDays(3650));
      writer.recordUnchanged("visited", now);
      put(writer, "a");
      now = right.plus(Duration.ofDays(30));
      assertThat(lastRefreshes(writer, PageHistory::lastRefresh))
          .isEqualTo(Map.of("a", Instant.EPOCH, "visited", Instant.EPOCH, "kept", right));
      assertThat(lastRefreshes(writer, PageHistory::recordedRefresh))
          .containsEntry("visited", right.plus(Duration.ofDays(3650)));
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(2)).containsExactlyInAnyOrder("a", "visited");
      assertThat(queue.heldCount()).isEqualTo(2);
      queue.failed("a");
      queue.gone("visited");
      assertThat(queue.take(2)).as("held as others are").containsExactly("kept");
      now = now.plus(Duration.ofDays(2));
      assertThat(queue.take(1)).containsExactly("a");
      put(writer, "a");
      writer.recordUnchanged("visited", now);
      writer.commit();
      assertThat(queue.take(9)).as("fetched now").containsExactly("kept");
      now = now.plus(Duration.ofDays(1));
      assertThat(queue.take(9)).contains("a", "visited");
      assertThat(writer.explain("a").orElseThrow().refreshes().get(0).measured()).isFalse();
      assertThat(writer.explain("visited").orElseThrow().refreshes().get(0).measured()).isFalse();
    }
    assertThat(troubles).singleElement().asString().contains("the clock was ahead then");
  }

  private static Map<String, Instant> lastRefreshes(
      DeltaIndexWriter writer, Function<PageHistory, Instant> last) throws IOException {
    Map<String, Instant> found = new HashMap<>();
    writer.withHistories(
        histories -> {
          histories.forEach(page -> found.put(page.page(), last.apply(page)));
          found.forEach(
              (page, at) -> assertThat(histories.of(page).map(last)).as(page).contains(at));
        });
    return found;
  }

  @Test
  void anIndexAdoptedByAClockThatWasAheadIsHandedOut() throws Exception {
    try (IndexWriter plain =
        new IndexWriter(
            FSDirectory.open(folder.resolve("index")), new IndexWriterConfig(analyzer))) {
      plain.addDocument(document("a"));
      plain.addDocument(document("b"));
    }
    Instant right = now;
    now = right.plus(Duration.ofDays(3650));
    open().close();
    now = right;
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.nextPages(9)).hasSize(2);
      assertThat(writer.nextPages(new Uniform(Uniform.StaticPages.FETCH, 0), 9, now)).hasSize(2);
      writer.rebuild();
      assertThat(writer.fetchQueue(LEASE).take(9)).containsExactlyInAnyOrder("a", "b");
    }
    assertThat(troubles).singleElement().asString().contains("the clock was ahead then");
  }

  @Test
  void whatIsGoneOrFailingStaysSoWhereAQuestionComesByAClockThatIsDaysBehind() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "gone", "told", "failing");
      now = now.plus(Duration.ofDays(10));
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(9)).hasSize(5);
      queue.returned("a");
      queue.gone("gone");
      queue.retryAfter("failing", now.plus(Duration.ofDays(30)));
      Instant right = now;
      now = right.minus(Duration.ofDays(12));
      assertThat(queue.take(1)).as("fetched nobody knows when").containsExactly("a");
      queue.gone("told");
      assertThat(queue.nextFree(9)).as("b's lease begins anew").isEmpty();
      queue.save();
      now = right.plus(Duration.ofHours(1));
      assertThat(queue.held())
          .filteredOn(held -> held.kind() != HeldPage.Kind.LEASED)
          .extracting(HeldPage::page)
          .containsExactlyInAnyOrder("gone", "told", "failing");
      assertThat(queue.take(9)).containsExactlyInAnyOrder("a", "b");
      writer.updateDocument(new Term("url", "gone"), document("gone"));
      writer.commit();
      assertThat(queue.held())
          .extracting(HeldPage::page)
          .as("fetched after the report, by whatever clock that was told")
          .containsExactlyInAnyOrder("a", "b", "told", "failing");
    }
  }

  /** As by a nightly job that knows a new price: a fetch alone ends a report. */
  @Test
  void whatIsIndexedAgainWithTheTimeOfItsLastFetchCountsAsNoFetch() throws Exception {
    Instant fetched = now;
    List<String> all = List.of("gone", "leased", "free");
    DeltaConfig config = timed(Workload.builder().add(List.of("alpha"), 10).build());
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(analyzer), config)) {
      putFetched(writer, config, fetched, all);
      now = now.plus(Duration.ofDays(10));
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(9)).hasSize(3);
      queue.gone("gone");
      queue.returned("free");
      now = now.plus(Duration.ofHours(1));
      putFetched(writer, config, fetched, all);
      writer.updateNumericDocValue(new Term("url", "gone"), "price", 5);
      writer.commit();
      assertThat(queue.nextFree(9)).extracting(PagePriority::page).containsExactly("free");
      assertThat(writer.nextPages(9)).extracting(PagePriority::lastRefresh).containsOnly(fetched);
      assertThat(writer.nextPages(9)).extracting(PagePriority::refreshes).containsOnly(0);
      putFetched(writer, config, now, all);
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.nextFree(9)).as("fetched since").hasSize(3);
    }
  }

  /** Or a price that is another after each answer "not modified" would set the page back. */
  @Test
  void whatIsIndexedAgainAfterAVisitThatWasToldCarriesTheTimeOfThatVisit() throws Exception {
    DeltaConfig config = timed(Workload.builder().add(List.of("alpha"), 10).build());
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(analyzer), config)) {
      putFetched(writer, config, now, List.of("a"));
      now = now.plus(Duration.ofDays(10));
      Instant visited = now;
      writer.recordUnchanged("a", visited);
      writer.commit();
      now = now.plus(Duration.ofHours(1));
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.gone("a");
      now = now.plus(Duration.ofHours(1));
      putFetched(writer, config, visited, List.of("a"));
      assertThat(queue.nextFree(9)).as("still gone").isEmpty();
      assertThat(knownOf(writer)).isEqualTo(visited + ", 1 measured");
      now = now.plus(Duration.ofDays(10));
      putFetched(writer, config, now, List.of("a"));
      assertThat(knownOf(writer)).as("fetched").isEqualTo(now + ", 2 measured");
      now = now.plus(Duration.ofDays(10));
      writer.recordUnchanged("a", now);
      putFetched(writer, config, now, List.of("a"));
      assertThat(knownOf(writer)).as("of one batch").isEqualTo(now + ", 3 measured");
    }
  }

  private static String knownOf(DeltaIndexWriter writer) throws IOException {
    PagePriority page = writer.nextPages(1, Instant.MAX).get(0);
    return page.lastRefresh() + ", " + page.refreshes() + " measured";
  }

  private DeltaConfig timed(Workload workload) {
    return DeltaConfig.builder(workload)
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .clock(() -> now)
        .build();
  }

  private static void putFetched(
      DeltaIndexWriter writer, DeltaConfig config, Instant fetched, List<String> pages)
      throws IOException {
    for (String page : pages) {
      Document document = document(page);
      document.add(new NumericDocValuesField("price", 3));
      document.add(config.fetchTime(fetched));
      writer.updateDocument(new Term("url", page), document);
    }
    writer.commit();
  }

  @Test
  void whileTheClockIsBehindAllPagesAreDueAndWhenItIsRightAgainNothingIsLost() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      Instant right = now;
      FetchQueue queue = writer.fetchQueue(LEASE);
      now = Instant.EPOCH.plusSeconds(60);
      assertThat(writer.nextPages(9)).hasSize(2);
      now = right.plusSeconds(60);
      assertThat(queue.take(9)).hasSize(2);
      assertThat(writer.nextPages(9).get(0).lastRefresh()).isEqualTo(right);
    }
  }

  @Test
  void aPageThatTheApplicationAddsIsHandedOutThoughAllOthersAreLeased() throws Exception {
    String[] pages = pages(400);
    try (DeltaIndexWriter writer = open()) {
      put(writer, pages);
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(3));
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(1_000)).hasSize(400);
      put(writer, "new");
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(1_000)).containsExactly("new");
    }
  }

  private static String[] pages(int count) {
    return IntStream.range(0, count).mapToObj(page -> "p" + page).toArray(String[]::new);
  }

  /** Some of them fetched so much earlier that a list can say which are the first for a day. */
  private void putMoreThanAListHolds(DeltaIndexWriter writer) throws IOException {
    String[] pages = pages(1_020);
    put(writer, Arrays.copyOf(pages, 20));
    now = now.plus(Duration.ofDays(5));
    put(writer, Arrays.copyOfRange(pages, 20, pages.length));
    now = now.plus(Duration.ofDays(20));
  }

  /** Usefulness is found anew after the second batch of pages, and the order planned anew then. */
  private static void takeTwiceSinceOnceIsPlannedAnew(DeltaIndexWriter writer, FetchQueue queue)
      throws IOException {
    assertThat(queue.take(1).get(0)).startsWith("p");
    put(writer, "new");
    assertThat(queue.take(1).get(0)).startsWith("p");
  }

  @Test
  void aPageThatComesWithAnOldFetchHasItsTurnThoughAListServesThatDoesNotHoldIt() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      putMoreThanAListHolds(writer);
      FetchQueue queue = writer.fetchQueue(LEASE);
      takeTwiceSinceOnceIsPlannedAnew(writer, queue);
      now = now.minus(Duration.ofDays(90));
      put(writer, "old");
      now = now.plus(Duration.ofDays(90));
      assertThat(queue.take(1)).containsExactly("old");
    }
  }

  @Test
  void twoCrawlersNeverGetTheSamePage() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "c", "d", "e");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      List<String> all = new ArrayList<>(queue.take(3));
      all.addAll(writer.fetchQueue(LEASE).take(3));
      assertThat(all).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
      assertThat(queue.take(3)).isEmpty();
      assertThat(writer.nextPages(9, now)).as("whoever holds what").hasSize(5);
      now = now.plus(LEASE);
      assertThat(queue.take(9)).as("leases have run out").hasSize(5);
    }
  }

  @Test
  void aPageIndexedAndCommittedIsFreeAgainWhenItsTurnComes() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(30));
      assertThat(queue.take(2)).hasSize(2);
      now = now.plus(Duration.ofHours(1));
      put(writer, "a");
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(2)).containsExactly("a");
    }
  }

  @Test
  void anAddressThatIsForgottenIsAsIfItHadNeverBeenTold() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.discovered("mistake", "alpha");
      queue.discovered("dead");
      assertThat(queue.take(9)).containsExactlyInAnyOrder("a", "b", "mistake", "dead");
      queue.gone("a");
      queue.gone("dead");
      writer.deleteDocuments(new Term("url", "a"));
      writer.commit();
      for (String page : List.of("a", "mistake", "dead", "never heard of")) {
        queue.forget(page);
      }
      assertThat(queue.heldCount()).as("b alone").isOne();
      assertThat(queue.discoveredCount()).isZero();
    }
    now = now.plus(Duration.ofDays(7));
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.discoveredCount()).as("read again").isZero();
      assertThat(queue.take(9)).containsExactly("b");
      queue.discovered("a");
      queue.discovered("dead");
      assertThat(queue.take(9)).containsExactlyInAnyOrder("a", "dead");
      queue.forget("b");
      assertThat(queue.take(9)).as("of the index, free at once").containsExactly("b");
    }
  }

  @Test
  void aPageThatChangedAgainWhileItWasHeldIsOnTheListOnceItsFetchIsCommitted() throws Exception {
    String[] pages = IntStream.range(0, 3_000).mapToObj(page -> "p" + page).toArray(String[]::new);
    DeltaConfig config =
        timed(Workload.builder().add(List.of("alpha"), 10).add(List.of("beta"), 3).build());
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(new SimpleAnalyzer()), config)) {
      for (int page = 0; page < pages.length; page++) {
        writer.updateDocument(new Term("url", pages[page]), fetched(pages[page], page, now));
      }
      writer.commit();
      now = now.plus(Duration.ofHours(3));
      FetchQueue queue = writer.fetchQueue(Duration.ofHours(60));
      String held = queue.take(1).get(0);
      Document again = fetched(held, 7, now.plus(Duration.ofMinutes(30)));
      writer.updateDocument(new Term("url", held), again);
      now = now.plus(Duration.ofHours(1));
      queue.modified(held, now); // after it was fetched
      now = now.plus(Duration.ofHours(25));
      assertThat(queue.take(1)).as("a new day, new lists").doesNotContain(held);
      writer.commit();
      List<String> next = new ArrayList<>();
      for (int hour = 0; hour < 20; hour++) {
        now = now.plus(Duration.ofHours(1));
        next.addAll(queue.take(5));
      }
      assertThat(next).contains(held);
    }
  }

  /** A page of which it tells how well it answers. */
  private static Document fetched(String page, int number, Instant at) {
    String text = "alpha ".repeat(1 + number % 3) + (number % 2 == 0 ? "beta" : "") + " of " + page;
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new StringField("fetched", at.toString(), Field.Store.NO));
    document.add(new TextField("body", text, Field.Store.NO));
    return document;
  }

  @Test
  void leasesAndReportsSurviveARestart() throws Exception {
    List<String> leased;
    Path saved = folder.resolve("saved"); // before the writer, as it is closed, saves too
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "c", "d");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      leased = queue.take(2);
      queue.gone(leased.get(0));
      queue.discovered("new");
      queue.save();
      FolderCopy.make(folder.resolve("index"), saved.resolve("index"));
      FolderCopy.make(folder.resolve("index.delta"), saved.resolve("index.delta"));
    }
    try (DeltaIndexWriter writer = open(saved, "alpha")) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.heldCount()).isEqualTo(2);
      assertThat(queue.take(9)).hasSize(3).contains("new").doesNotContainAnyElementsOf(leased);
      now = now.plus(LEASE);
      assertThat(queue.take(9)).hasSize(4).doesNotContain(leased.get(0));
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatCrawlersToldIsKeptWhenTheWriterIsClosed() throws Exception {
    DeltaIndexWriter first = open();
    put(first, "a", "b", "c", "d");
    now = now.plus(Duration.ofDays(7));
    FetchQueue queue = first.fetchQueue(LEASE);
    List<String> leased = queue.take(2);
    queue.gone(leased.get(0));
    queue.discovered("new");
    first.close();
    first.close();
    try (DeltaIndexWriter writer = open()) {
      now = now.plus(LEASE);
      assertThat(writer.fetchQueue(LEASE).take(9))
          .hasSize(4)
          .contains("new")
          .doesNotContain(leased.get(0));
      writer.fetchQueue(LEASE).returned(leased.get(0));
      writer.rollback();
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).take(9)).containsExactly(leased.get(0));
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatIsIndexedAndCommittedIsNoLongerHeld() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "c");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(2)).hasSize(2);
      assertThat(queue.heldCount()).isEqualTo(2);
      put(writer, "a", "b", "c"); // at the time of the hand-out, as the clock stands still
      assertThat(queue.heldCount()).isZero();
    }
  }

  @Test
  void whatIsFetchedWhileALongLeaseRunsIsHandedOutInItsTurn() throws Exception {
    String[] pages = pages(300);
    try (DeltaIndexWriter writer = open()) {
      put(writer, pages);
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(Duration.ofHours(30));
      List<String> taken = queue.take(2);
      put(writer, Arrays.copyOfRange(pages, 100, 110)); // enough to plan and to list anew
      queue.take(1);
      put(writer, taken.toArray(String[]::new));
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(300)).hasSize(299).containsAll(taken);
    }
  }

  /** Columns that could not follow a write, on a full disk say, do not know what was written. */
  @Test
  void whatIsFetchedIsHandedOutInItsTurnAlsoWhenNobodyKnowsWhatWasFetched() throws Exception {
    String[] pages = pages(300);
    try (DeltaIndexWriter writer = open()) {
      put(writer, pages);
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(Duration.ofHours(30));
      List<String> taken = queue.take(2);
      put(writer, Arrays.copyOfRange(pages, 100, 110)); // enough to plan and to list anew
      queue.take(1);
      OrderColumns.cut(folder.resolve("index.delta"));
      put(writer, taken.toArray(String[]::new));
      assertThat(troubles).singleElement().asString().contains("could not follow a change");
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(300)).hasSize(299).containsAll(taken);
    }
  }

  @Test
  void whoWaitedIsGivenLeasesFromWhenItIsHisTurn() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "c");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      List<String> late = new ArrayList<>();
      Thread waiting =
          new Thread(
              () -> {
                try {
                  late.addAll(queue.take(2));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      writer.withHistories(
          histories -> {
            waiting.start();
            while (waiting.getState() != Thread.State.BLOCKED) {
              Thread.onSpinWait();
            }
            now = now.plus(Duration.ofHours(10));
          });
      waiting.join();
      now = now.plus(LEASE).minusSeconds(1);
      assertThat(queue.take(3)).hasSize(1).doesNotContainAnyElementsOf(late);
    }
  }

  @Test
  void whatIsNotNamedIsRefusedWithAWord() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (ThrowingCallable nameless :
          List.<ThrowingCallable>of(
              () -> writer.fetchQueue(null),
              () -> writer.explain(null),
              () -> writer.recordUnchanged(null, now),
              () -> writer.recordUnchanged("a", null),
              () -> queue.discovered(null),
              () -> queue.discovered(null, "alpha"),
              () -> queue.failed(null),
              () -> queue.modified(null, now),
              () -> queue.modified("a", null))) {
        assertThatThrownBy(nameless)
            .isInstanceOf(NullPointerException.class)
            .hasMessageContaining(", was null");
      }
    }
  }

  @Test
  void whoTellsAClosedQueueSomethingHearsThatItIsTooLate() throws Exception {
    FetchQueue queue;
    DeltaIndexWriter closed;
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      queue = writer.fetchQueue(LEASE);
      closed = writer;
    }
    for (ThrowingCallable late :
        List.<ThrowingCallable>of(
            () -> queue.failed("a"),
            () -> queue.retryAfter("a", now),
            () -> queue.gone("a"),
            () -> queue.returned("a"),
            () -> queue.modified("a", now),
            () -> queue.discovered("new"),
            () -> queue.discovered("new", "alpha"),
            () -> queue.take(1),
            () -> queue.nextFree(1),
            queue::heldCount,
            queue::held,
            () -> closed.fetchQueue(LEASE))) {
      assertThatThrownBy(late).isInstanceOf(AlreadyClosedException.class);
    }
  }

  @Test
  void aQuestionThatFailsForItsTimeLeavesLeasesAsTheyAre() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "c", "d");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      List<String> leased = queue.take(3);
      assertThatThrownBy(() -> queue.take(3, (Instant) null))
          .isInstanceOf(NullPointerException.class);
      assertThat(queue.heldCount()).isEqualTo(3);
      assertThat(queue.take(9)).hasSize(1).doesNotContainAnyElementsOf(leased);
    }
  }

  /** Asked for a time long after its lease a page seems to be forgotten by whoever had it. */
  @Test
  void aQuestionThatFailsForWhatItCannotReadLeavesLeasesAsTheyAre() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(1)).hasSize(1);
      OrderColumns.cut(folder.resolve("index.delta"));
      Instant later = now.plus(Duration.ofDays(60));
      assertThatThrownBy(() -> queue.take(2, later)).isInstanceOf(Throwable.class);
      put(writer, "c"); // the columns are dropped, and made anew for whoever asks next
      assertThat(queue.heldCount()).isOne();
    }
  }

  @Test
  void anInterruptedReaderLosesNothingOfTheQueue() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      writer.fetchQueue(LEASE).discovered("new");
    }
    try (DeltaIndexWriter writer = open()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> writer.fetchQueue(LEASE)).isInstanceOf(IOException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(writer.fetchQueue(LEASE).take(9)).contains("new");
    }
    assertThat(troubles).isEmpty();
  }

  private String lastOfThreeThatHardlyEverChange(DeltaIndexWriter writer) throws IOException {
    put(writer, "a", "b", "c");
    now = now.plus(Duration.ofDays(100));
    put(writer, "a", "b", "c");
    now = now.plus(Duration.ofDays(7));
    return writer.nextPages(3, now).get(2).page();
  }

  @Test
  void aPageThatSaysItChangedComesFirstUntilItIsFetched() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      String last = lastOfThreeThatHardlyEverChange(writer);
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.modified(last, now.minus(Duration.ofDays(1)));
      queue.modified("not indexed", now);
      assertThat(writer.nextPages(3, now).get(0).page()).isEqualTo(last);
      assertThat(queue.take(1)).containsExactly(last);
      assertThat(queue.take(3)).as("handed out once").hasSize(2).doesNotContain(last);
      now = now.plus(Duration.ofHours(1));
      put(writer, last);
      now = now.plus(Duration.ofHours(1));
      assertThat(writer.nextPages(3, now).get(2).page()).isEqualTo(last);
      queue.take(0);
      assertThat(queue.copyOfTold().byPage()).as("fetched since").isEmpty();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoNeverTakesHasChangesForgottenThatWereFetchedAndSilenceHeardAllTheSame() throws Exception {
    Instant before = now.minus(Duration.ofDays(999));
    try (DeltaIndexWriter writer = open()) {
      put(writer, "https://told.test/a", "https://told.test/b", "https://other.test/");
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int day = 0; day < 30; day++) {
        now = now.plus(Duration.ofDays(1));
        queue.modified("https://told.test/a", now);
        queue.modified("https://told.test/b", before);
        queue.discovered("https://told.test/new");
        now = now.plus(Duration.ofHours(1));
        put(writer, "https://told.test/a", "https://told.test/new");
        writer.nextPages(3, now);
      }
      assertThat(queue.copyOfTold().byPage()).isEmpty();
      assertThat(queue.discoveredCount()).isZero();
      now = now.plus(Duration.ofHours(1));
      List<String> order = pages(writer.nextPages(4, now));
      assertThat(order.indexOf("https://told.test/b"))
          .as("it says that it has not changed: %s", order)
          .isGreaterThan(order.indexOf("https://other.test/"));
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoAsksForTheOrderLosesNoChangeToldOfAPageThatIsAboutToBeCommitted() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "c");
      FetchQueue queue = writer.fetchQueue(LEASE);
      writer.addDocument(document("new"));
      queue.modified("new", now.plus(Duration.ofDays(1)));
      writer.nextPages(3, now);
      writer.commit();
      queue.take(0);
      assertThat(queue.copyOfTold().byPage()).containsOnlyKeys("new");
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whereASiteKeptAChangeBackItsOtherPagesAreDueAtOnce() throws Exception {
    String silent = "https://a.test/x";
    String changing = "https://a.test/y";
    try (DeltaIndexWriter writer = open()) {
      put(writer, silent, changing);
      now = now.plus(Duration.ofDays(240));
      putMoreThanAListHolds(writer);
      FetchQueue queue = writer.fetchQueue(LEASE);
      Instant before = now.minus(Duration.ofDays(999));
      queue.modified(silent, before);
      queue.modified(changing, before);
      takeTwiceSinceOnceIsPlannedAnew(writer, queue);
      now = now.plus(Duration.ofHours(1));
      putText(writer, changing, "alpha alpha alpha");
      writer.commit();
      assertThat(writer.nextPages(1, now).get(0).page()).isEqualTo(silent);
      assertThat(queue.take(1)).containsExactly(silent);
    }
  }

  @Test
  void aChangeThatAWrongClockPutsIntoTheFutureHidesNoneBeforeIt() throws Exception {
    String last;
    try (DeltaIndexWriter writer = open()) {
      last = lastOfThreeThatHardlyEverChange(writer);
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int year = 40; year > 20; year--) { // more than are kept
        queue.modified(last, now.plus(Duration.ofDays(365L * year)));
      }
      assertThat(writer.nextPages(3, now).get(2).page()).isEqualTo(last);
      queue.modified(last, now.minus(Duration.ofDays(1)));
      assertThat(writer.nextPages(3, now).get(0).page()).isEqualTo(last);
      queue.save();
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).take(1)).containsExactly(last);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatPagesSaySurvivesARestartAndIsSeenWithoutAWriter() throws Exception {
    String last;
    try (DeltaIndexWriter writer = open()) {
      last = lastOfThreeThatHardlyEverChange(writer);
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.modified(last, now.minus(Duration.ofDays(2)));
      queue.modified(last, now.minus(Duration.ofDays(1)));
      queue.save();
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(state.nextPages(3, now).get(0).page()).isEqualTo(last);
      Discoveries none = state.discoveries(new SimpleAnalyzer());
      assertThat(state.nextPages(none, 3, now)).isEqualTo(state.nextPages(3, now));
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).take(1)).containsExactly(last);
    }
  }

  @Test
  void aFailureReportedAfterItsLeaseHandsThePageOfAnotherToNobodySooner() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = heldByAnother(writer);
      now = now.plus(LEASE);
      queue.failed("a");
      now = now.plus(LEASE.multipliedBy(2).minusSeconds(1)); // another lease than the other has
      assertThat(queue.take(1)).isEmpty();
      put(writer, "a"); // by the other one
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(1)).as("its fetch counts, as always").containsExactly("a");
    }
  }

  @Test
  void aPageReturnedAfterItsLeaseIsTakenFromWhoeverHoldsItNow() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = heldByAnother(writer);
      assertThat(queue.take(1)).isEmpty();
      queue.returned("a");
      assertThat(queue.take(1)).containsExactly("a");
    }
  }

  /** A crawler is late, and another has its page, for two leases. */
  private FetchQueue heldByAnother(DeltaIndexWriter writer) throws IOException {
    put(writer, "a");
    now = now.plus(Duration.ofDays(7));
    FetchQueue queue = writer.fetchQueue(LEASE);
    assertThat(queue.take(1)).containsExactly("a");
    now = now.plus(LEASE);
    assertThat(queue.take(1)).containsExactly("a");
    return queue;
  }

  @Test
  void pagesThatFailOrAreGoneTakeNoPlace() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "c");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      String first = queue.take(1).get(0);
      queue.failed(first);
      String second = queue.take(1).get(0);
      queue.gone(second);
      String third = queue.take(1).get(0);
      assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
      now = now.plus(LEASE);
      assertThat(queue.take(3)).containsExactlyInAnyOrder(first, third);
      queue.returned(second);
      assertThat(queue.take(3)).containsExactly(second);
    }
  }

  @Test
  void nothingThatIsToldOfAPageThatIsGoneBringsItBackUntilItReturned() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.gone("a");
      now = now.plus(Duration.ofDays(1));
      queue.modified("a", now);
      queue.discovered("a");
      queue.discovered("a", "alpha");
      assertThat(queue.take(2)).containsExactly("b");
      queue.returned("a");
      assertThat(queue.take(2)).containsExactly("a");
    }
  }

  @Test
  void aBatchWhoseLeasesCannotBeWrittenChangesNothing() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.take(2);
      queue.failed("a");
      queue.failed("a");
      queue.failed("a"); // waits four leases; that of "b" runs out without a word
      now = now.plus(LEASE.multipliedBy(4));
      Path inTheWay = folder.resolve("index.delta/pending_queue/file");
      Files.createDirectories(inTheWay);
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThatThrownBy(() -> queue.take(2)).isInstanceOf(IOException.class);
        assertThat(queue.heldCount()).isEqualTo(0);
      }
      Files.delete(inTheWay);
      assertThat(queue.take(2)).containsExactlyInAnyOrder("a", "b");
      now = now.plus(LEASE.multipliedBy(2));
      assertThat(queue.take(2)).as("leased twice as long").containsExactly("b");
      now = now.plus(LEASE.multipliedBy(6));
      assertThat(queue.take(2)).as("leased eight times as long").contains("a");
    }
  }

  @Test
  void anAddressIsHandedOutAmongThePagesAndForgottenOnceIndexed() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.discovered("new");
      queue.discovered("a");
      assertThat(queue.take(9)).containsExactlyInAnyOrder("a", "b", "new");
      now = now.plus(Duration.ofHours(1));
      put(writer, "new");
      now = now.plus(LEASE);
      assertThat(queue.take(9)).containsExactlyInAnyOrder("a", "b", "new");
    }
  }

  /** Lucene writes U+FFFD in place of half a surrogate pair, and so does the queue's file. */
  @Test
  void aKeyThatIsNoUnicodeIsToldAndReportedAsThePageThatItIsIndexedAs() throws Exception {
    String malformed = "a/\uD800/b";
    String indexed = "a/\uFFFD/b";
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.discovered(malformed);
      queue.discovered(indexed);
      queue.discovered(malformed, "alpha");
      assertThat(queue.discoveredCount()).isEqualTo(1);
      assertThat(queue.take(9)).containsExactly(indexed);
      queue.failed(malformed);
      assertThat(queue.heldCount()).isEqualTo(1);
      queue.returned(malformed);
      assertThat(queue.heldCount()).isZero();
      now = now.plus(Duration.ofDays(7));
      put(writer, malformed);
      assertThat(queue.take(9)).as("just fetched").isEmpty();
      assertThat(queue.discoveredCount()).isZero();
      now = now.plus(Duration.ofDays(7));
      queue.modified(malformed, now);
      now = now.plus(Duration.ofDays(1));
      assertThat(queue.take(9)).containsExactly(indexed);
      queue.gone(malformed);
      queue.forget(malformed);
      assertThat(queue.take(9)).as("free at once").containsExactly(indexed);
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = state.discoveries(new SimpleAnalyzer());
      assertThat(told.add(malformed, null, now)).isTrue();
      assertThat(told.add(indexed, null, now)).isFalse();
      assertThat(pages(state.nextPages(told, 9, now))).containsExactly(indexed);
      assertThat(told.indexed()).containsExactly(indexed);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatIsToldBetweenCommitsIsKnownToBeInTheIndex() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(0)).isEmpty();
      queue.discovered("a");
      queue.discovered("b", "alpha");
      queue.discovered("new");
      queue.modified("b", now.minus(Duration.ofDays(9))); // before it was fetched
      queue.modified("elsewhere", now);
      assertThat(queue.take(9)).containsExactlyInAnyOrder("a", "b", "new");
      assertThat(queue.discoveredCount()).isEqualTo(1);
      assertThat(queue.copyOfTold().byPage()).isEmpty();
    }
  }

  @Test
  void anAddressToldBeforeTheCommitThatDeletesItsPageIsKeptWhoeverTakesMeanwhile()
      throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "noindex", "kept");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(9)).containsExactlyInAnyOrder("noindex", "kept");
      writer.deleteDocuments(new Term("url", "noindex"));
      queue.discovered("noindex");
      queue.discovered("kept", "alpha");
      queue.failed("noindex");
      assertThat(queue.take(9)).as("of another crawler").isEmpty();
      assertThat(queue.discoveredCount()).as("both are in the index yet").isZero();
      put(writer, "other");
      assertThat(queue.take(0)).isEmpty();
      assertThat(queue.discoveredCount()).isOne();
      writer.deleteDocuments(new Term("url", "kept"));
      writer.commit();
    }
    now = now.plus(Duration.ofDays(7));
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(9))
          .as("a commit held kept since it was told")
          .containsExactlyInAnyOrder("noindex", "other");
    }
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void wordsOfAnAddressToldBeforeTheCommitThatDeletesItsPageAreKeptWhoeverTakesMeanwhile(
      boolean takes) throws Exception {
    Workload workload = Workload.builder().add(List.of("alpha"), 10).build();
    try (DeltaIndexWriter writer = open(folder, workload)) {
      put(writer, "noindex", "kept");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      writer.deleteDocuments(new Term("url", "noindex"));
      queue.discovered("noindex", "alpha");
      if (takes) {
        queue.take(0);
        assertThat(queue.discoveredCount()).as("in the index yet").isZero();
      }
      writer.commit();
      queue.take(0);
      queue.save();
      try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
        Map<String, Discovery> found = QueueFile.read(files, workload, 0).discovered();
        assertThat(words(found.get("noindex"), workload)).containsExactly("alpha");
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void anAddressToldAgainBeforeTheCommitThatDeletesItsPageIsKnownThoughNoneAskedSinceItWasIndexed()
      throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "other");
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.discovered("noindex");
      put(writer, "noindex");
      writer.deleteDocuments(new Term("url", "noindex"));
      queue.discovered("noindex");
      assertThat(queue.take(0)).isEmpty();
      writer.commit();
      now = now.plus(Duration.ofDays(7));
      assertThat(queue.take(9)).containsExactlyInAnyOrder("noindex", "other");
    }
  }

  /** Nobody knows what was written where columns are made anew, nor after very many writes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAddressWhosePageCameAndLeftBetweenTwoBatchesIsHandedOutOnceUntilItIsToldAgain(boolean anew)
      throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "other", "often");
      writer.deleteDocuments(new Term("url", "often"));
      writer.commit();
      now = now.plus(Duration.ofDays(1));
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (String page : List.of("news", "often", "dead")) {
        queue.discovered(page);
      }
      assertThat(queue.take(9)).containsExactlyInAnyOrder("other", "news", "often", "dead");
      now = now.plus(Duration.ofHours(1));
      put(writer, "news", "often");
      writer.deleteDocuments(new Term("url", "news"), new Term("url", "often"));
      if (anew) {
        OrderColumns.cut(folder.resolve("index.delta"));
      }
      writer.commit();
      now = now.plus(Duration.ofDays(7));
      assertThat(queue.take(9)).containsExactlyInAnyOrder("other", "dead");
      now = now.plus(Duration.ofDays(7));
      queue.discovered("news");
      queue.discovered("often");
      for (int take = 0; take < 2; take++) {
        now = now.plus(Duration.ofDays(7));
        assertThat(queue.take(9)).containsExactlyInAnyOrder("other", "news", "often", "dead");
      }
    }
  }

  @Test
  void anAddressToldBeforeTheCommitThatDeletesItsPageSurvivesAKill() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "noindex", "kept");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      writer.deleteDocuments(new Term("url", "noindex"));
      queue.discovered("noindex");
      assertThat(queue.take(1)).hasSize(1);
      writer.commit();
      FolderCopy.make(folder, folder.resolve("killed"));
    }
    now = now.plus(Duration.ofDays(7));
    try (DeltaIndexWriter writer = open(folder.resolve("killed"), "alpha")) {
      assertThat(writer.fetchQueue(LEASE).take(9)).containsExactlyInAnyOrder("noindex", "kept");
    }
  }

  @Test
  void anAddressToldWhileACommitIsUnderWayThatHoldsItsPageYetIsKeptForTheNext() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "noindex", "kept");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      put(writer, "other");
      writer.updateDocument(new Term("url", "more"), document("more"));
      writer.prepareCommit();
      writer.deleteDocuments(new Term("url", "noindex"));
      queue.discovered("noindex");
      writer.commit(); // of what was prepared
      assertThat(queue.take(0)).isEmpty();
      writer.commit();
      now = now.plus(Duration.ofDays(1));
      assertThat(queue.take(9)).containsExactlyInAnyOrder("noindex", "kept", "other", "more");
    }
  }

  @Test
  void aToldChangeIsForgottenWithTheCommitThatFetchesOrDeletesItsPage() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b", "c", "d");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (String page : List.of("a", "b", "c", "d")) {
        queue.modified(page, now);
      }
      assertThat(queue.take(0)).isEmpty();
      assertThat(queue.copyOfTold().byPage()).containsOnlyKeys("a", "b", "c", "d");
      ToldChanges before = queue.copyOfTold(); // as who orders pages goes through it unlocked
      queue.modified("e", now);
      assertThat(before.byPage()).containsOnlyKeys("a", "b", "c", "d");
      now = now.plus(Duration.ofHours(1));
      writer.recordUnchanged("b", now);
      writer.deleteDocuments(new Term("url", "c"));
      put(writer, "a");
      assertThat(queue.take(0)).isEmpty();
      assertThat(queue.copyOfTold().byPage()).containsOnlyKeys("d");
    }
  }

  @Test
  void whatTheApplicationIndexesUnaskedIsForgottenByTheNextBatch() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int page = 0; page < 5; page++) {
        queue.discovered("new" + page);
      }
      queue.take(0);
      put(writer, "new1", "other");
      queue.take(0);
      assertThat(queue.discoveredCount()).isEqualTo(4);
      put(writer, "new2");
      writer.deleteDocuments(new Term("url", "new1"));
      put(writer, "new3");
      queue.discovered("new1");
      queue.take(0);
      assertThat(queue.discoveredCount()).isEqualTo(3);
      put(writer, "new1");
      now = now.plus(Duration.ofDays(1));
      assertThat(queue.take(99))
          .containsExactlyInAnyOrder("a", "other", "new0", "new1", "new2", "new3", "new4");
    }
  }

  @Test
  void whatWasIndexedAfterTheLastBatchOfAnEarlierWriterIsForgottenByTheNext() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.discovered("new");
      queue.discovered("other");
      queue.take(0);
      put(writer, "new");
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.discoveredCount()).isEqualTo(2);
      queue.take(0);
      assertThat(queue.discoveredCount()).isEqualTo(1);
    }
  }

  @Test
  void aChangeToldForLaterCountsWhenItsTimeHasCome() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      String last = lastOfThreeThatHardlyEverChange(writer);
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.modified(last, now.plus(Duration.ofHours(2)));
      queue.save();
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      String last = writer.nextPages(3, now).get(2).page();
      String first = queue.take(1).get(0);
      assertThat(first).isNotEqualTo(last);
      queue.returned(first);
      now = now.plus(Duration.ofHours(3));
      assertThat(queue.take(1)).containsExactly(last);
    }
  }

  /** Pages and, after a week, others that were told with words; useful are those with "alpha". */
  private FetchQueue taught(DeltaIndexWriter writer) throws IOException {
    putText(writer, "site/0", "alpha");
    putText(writer, "site/1", "alpha other");
    writer.commit();
    FetchQueue queue = writer.fetchQueue(LEASE);
    teach(writer, queue, 0);
    return queue;
  }

  private void teach(DeltaIndexWriter writer, FetchQueue queue, int from) throws IOException {
    for (int page = from; page < from + 12; page++) {
      queue.discovered("site/told" + page, page % 3 == 0 ? "All about Alpha" : "something else");
    }
    now = now.plus(Duration.ofDays(1));
    for (int page = from; page < from + 12; page++) {
      putText(writer, "site/told" + page, page % 3 == 0 ? "alpha" : "other");
    }
    writer.commit();
    now = now.plus(Duration.ofDays(1));
    queue.take(0);
  }

  private static void putText(DeltaIndexWriter writer, String page, String text)
      throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  /** Ten pages that promise much, ten of which nothing is told but the address, ten the least. */
  private static void discover(FetchQueue queue) {
    for (int page = 0; page < 10; page++) {
      queue.discovered("site/least" + page, "nothing of interest");
      queue.discovered("site/usual" + page);
      queue.discovered("site/much" + page, "nothing");
      queue.discovered("site/much" + page, "but then alpha");
    }
  }

  /** The kinds of the new pages in the order in which they are handed out. */
  private static List<String> kinds(FetchQueue queue) throws IOException {
    return kindsOf(queue.take(99));
  }

  private static List<String> kindsOf(List<String> pages) {
    return pages.stream()
        .filter(page -> page.matches("site/(least|usual|much)\\d"))
        .map(page -> page.substring(5, page.length() - 1))
        .toList();
  }

  private static List<String> pages(List<PagePriority> order) {
    return order.stream().map(PagePriority::page).toList();
  }

  private static List<String> tenEach(String... kinds) {
    return Arrays.stream(kinds).flatMap(kind -> Collections.nCopies(10, kind).stream()).toList();
  }

  @Test
  void aNewPageComesTheEarlierTheMoreItsWordsPromise() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      discover(queue);
      assertThat(kinds(queue)).isEqualTo(tenEach("much", "usual", "least"));
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aPageOfTheIndexTeachesNothingHoweverOftenLinksNameIt() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      putText(writer, "site/hub", "other");
      writer.commit();
      now = now.plus(Duration.ofDays(1));
      FetchQueue queue = taught(writer);
      byte[] before = lessons(queue);
      for (int link = 0; link < 300; link++) {
        queue.discovered("site/hub", "alpha");
        queue.take(0);
      }
      discover(queue);
      assertThat(kinds(queue)).isEqualTo(tenEach("much", "usual", "least"));
      for (int link = 0; link < 5; link++) {
        queue.discovered("site/hub", "alpha");
        now = now.plus(Duration.ofHours(1));
        putText(writer, "site/hub", "other");
        writer.commit();
        queue.take(0);
      }
      assertThat(lessons(queue)).as("fetched again between").isEqualTo(before);
    }
    assertThat(troubles).isEmpty();
  }

  /** What was learned of words, as it is written. */
  private byte[] lessons(FetchQueue queue) throws IOException {
    queue.save();
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      ByteArrayOutputStream learned = new ByteArrayOutputStream();
      QueueFile.read(files, null, 0).wordFactor.write(new DataOutputStream(learned));
      return learned.toByteArray();
    }
  }

  @Test
  void pagesAloneOnTheirSitesTeachAllThatTheirWordsPromised() throws Exception {
    Workload workload = Workload.builder().add(List.of("alpha"), 10).build();
    try (DeltaIndexWriter writer = open(folder, workload)) {
      for (int page = 0; page < 200; page++) {
        putText(writer, "https://old.test/" + page, page % 50 == 0 ? "alpha" : "other");
      }
      writer.commit();
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int site = 0; site < 20; site++) {
        queue.discovered("https://h%d.test/a/b/".formatted(site), "alpha");
      }
      now = now.plus(Duration.ofDays(1));
      for (int site = 0; site < 20; site++) {
        putText(writer, "https://h%d.test/a/b/".formatted(site), "alpha");
      }
      writer.commit();
      queue.take(0);
      queue.save();
      try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
        Ranks ranks = writer.measurer().ranks();
        QueriesByTerm queries = QueriesByTerm.of(workload, ranks.documentFrequencies());
        int[] alpha = {workload.termNumber("alpha")};
        double evidence = new WordEvidence(workload, queries, ranks.table()).of(alpha);
        assertThat(QueueFile.read(files, null, 0).wordFactor.of(evidence)).isGreaterThan(5);
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aPageThatComesIntoTheIndexSinceItWasToldTeachesOnce() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      byte[] before = lessons(queue);
      queue.discovered("site/new", "alpha");
      queue.take(0);
      assertThat(lessons(queue)).as("not in the index yet").isEqualTo(before);
      now = now.plus(Duration.ofDays(1));
      putText(writer, "site/new", "alpha other");
      writer.commit();
      queue.discovered("site/new", "alpha"); // perhaps deleted by now
      queue.take(0);
      byte[] after = lessons(queue);
      assertThat(after).isNotEqualTo(before);
      for (int link = 0; link < 3; link++) {
        queue.discovered("site/new", "alpha");
        queue.take(0);
        assertThat(lessons(queue)).as("link %s", link).isEqualTo(after);
      }
      queue.discovered("site/new", "alpha");
      putText(writer, "site/else", "other");
      writer.commit();
      queue.take(0);
      now = now.plus(Duration.ofHours(1));
      queue.discovered("site/new", "alpha");
      queue.take(0);
      assertThat(lessons(queue)).as("a commit later").isEqualTo(after);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void anAddressComesAsEarlyAsWhatElseIsInItsDirectory() throws Exception {
    List<String> directories = List.of("https://a.test/little/", "https://a.test/much/");
    try (DeltaIndexWriter writer = open()) {
      for (int page = 0; page < 12; page++) {
        putText(writer, directories.get(0) + page, "alpha and very many other words than that one");
        putText(writer, directories.get(1) + page, "alpha");
      }
      writer.commit();
      FetchQueue queue = writer.fetchQueue(LEASE);
      for (int page = 20; page < 25; page++) {
        queue.discovered(directories.get(page % 2) + page);
        queue.discovered(directories.get((page + 1) % 2) + page);
      }
      assertThat(queue.take(10))
          .hasSize(10)
          .extracting(page -> page.contains("much"))
          .isSortedAccordingTo(Comparator.reverseOrder());
    }
  }

  @Test
  void whatSeemsWorthlessHasItsTurnWhenItHasWaitedLongest() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      queue.modified("site/told1", now);
      queue.modified("site/told1", now.plus(Duration.ofHours(7)));
      for (String page : List.of("site/least1", "site/least2", "site/least3")) {
        now = now.plus(Duration.ofHours(1));
        queue.discovered(page, "nothing of interest");
      }
      now = now.plus(Duration.ofHours(1));
      discover(queue);
      for (int page = 10; page < 20; page++) {
        queue.discovered("site/much" + page, "alpha");
      }
      List<String> turns = new ArrayList<>();
      for (int batch = 0; batch < 4; batch++) {
        List<String> pages = queue.take(20);
        assertThat(pages).hasSize(20).doesNotHaveDuplicates();
        turns.add(pages.get(19));
        queue.failed(pages.get(19));
        now = now.plus(LEASE);
      }
      assertThat(turns)
          .as("those that failed wait since then")
          .containsExactly("site/told1", "site/least1", "site/least2", "site/least3");
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void anAddressToldByAClockThatWasAheadWaitsFromWhenThatIsSetBack() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      Instant right = now;
      now = now.plus(Duration.ofDays(365));
      queue.discovered("site/early", "nothing of interest");
      queue.save();
      now = right;
      queue.take(0);
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      now = now.plus(Duration.ofHours(1));
      queue.discovered("site/late", "nothing of interest");
      now = now.plusSeconds(1);
      for (int page = 10; page < 60; page++) {
        queue.discovered("site/much" + page, "alpha");
      }
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo("site/early");
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo("site/late");
    }
    assertThat(troubles).isEmpty();
  }

  /** In a batch with a place for what has waited, where nothing else has. */
  @Test
  void whatIsToldByAClockThatIsSetBackWaitsFromThenOnNotWhatIsHeldOrStillToCome() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      put(writer, IntStream.range(0, 60).mapToObj(i -> "site/p" + i).toArray(String[]::new));
      now = now.plus(Duration.ofDays(30));
      put(writer, "site/just");
      now = now.plus(Duration.ofMinutes(1));
      queue.modified("site/just", now.plus(Duration.ofHours(2)));
      assertThat(queue.take(20)).hasSize(20).doesNotContain("site/just");
      Instant right = now;
      now = now.plus(Duration.ofDays(365));
      queue.discovered("site/early", "nothing of interest");
      now = right;
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo("site/early");
      now = now.plus(Duration.ofHours(1));
      queue.discovered("site/next", "nothing of interest");
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(20))
          .as("what is held waits for nothing")
          .hasSize(20)
          .last()
          .isEqualTo("site/next");
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatFailedHasItsTurnAgainWhenItsWaitIsOverAndWaitsSinceItFailed() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      put(writer, IntStream.range(0, 60).mapToObj(i -> "site/p" + i).toArray(String[]::new));
      now = now.plus(Duration.ofDays(30));
      queue.discovered("site/first", "nothing of interest");
      for (int turn = 0; turn < 2; turn++) {
        now = now.plus(LEASE); // just over
        assertThat(queue.take(20)).as("turn %d", turn).hasSize(20).last().isEqualTo("site/first");
        queue.failed("site/first");
      }
      now = now.plus(Duration.ofHours(1));
      queue.discovered("site/second", "nothing of interest");
      now = now.plus(LEASE.multipliedBy(2));
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo("site/first");
      queue.failed("site/first");
      now = now.plus(LEASE.multipliedBy(4));
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo("site/second");
    }
  }

  @Test
  void whatFailedWaitsSinceItFailedHoweverLongAgoThatIs() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      put(writer, IntStream.range(0, 60).mapToObj(i -> "site/p" + i).toArray(String[]::new));
      now = now.plus(Duration.ofDays(30));
      queue.discovered("site/dead", "nothing of interest");
      now = now.plus(Duration.ofHours(1));
      queue.discovered("site/second", "nothing of interest");
      now = now.plus(Duration.ofHours(1));
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo("site/dead");
      queue.failed("site/dead");
      now = now.plus(Duration.ofDays(34));
      queue.take(0);
      now = now.plus(LEASE);
      queue.take(0); // the failure was old a lease ago already
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo("site/second");
      now = now.plus(LEASE);
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo("site/dead");
      queue.failed("site/dead");
      assertThat(queue.held())
          .filteredOn(held -> held.page().equals("site/dead"))
          .extracting(HeldPage::until)
          .as("failed twice in a row")
          .containsExactly(now.plus(LEASE.multipliedBy(2)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2}) // whichever is looked at first
  void aPageThatWasFetchedSinceItFailedWaitsSinceItChangedAgain(int number) throws Exception {
    String failed = "site/told" + number;
    String other = "site/told" + (3 - number);
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      put(writer, IntStream.range(0, 60).mapToObj(i -> "site/p" + i).toArray(String[]::new));
      now = now.plus(Duration.ofDays(30));
      queue.failed(failed);
      now = now.plus(Duration.ofHours(2));
      queue.modified(other, now);
      now = now.plus(Duration.ofHours(1));
      put(writer, failed);
      now = now.plus(Duration.ofHours(1));
      queue.modified(failed, now);
      now = now.plus(LEASE);
      assertThat(queue.take(20)).hasSize(20).last().isEqualTo(other);
    }
  }

  @Test
  void wordsPromiseNothingBeforeAPageThatWasToldWasFetched() throws Exception {
    List<List<String>> orders = new ArrayList<>();
    for (String text : List.of("alpha", "nothing")) {
      try (DeltaIndexWriter writer = open(folder.resolve(text), "alpha")) {
        putText(writer, "site/0", "alpha");
        writer.commit();
        FetchQueue queue = writer.fetchQueue(LEASE);
        queue.discovered("site/a", text);
        queue.discovered("site/b");
        orders.add(queue.take(9));
      }
    }
    assertThat(orders.get(0)).hasSize(2).isEqualTo(orders.get(1));
  }

  @Test
  void wordsAndWhatTheyTellSurviveARestartAndAnotherWorkload() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      discover(queue);
      queue.save();
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(state.nextPages(99, now)).hasSize(14);
      Discoveries remembered = state.discoveries(new SimpleAnalyzer());
      assertThat(kindsOf(pages(state.nextPages(remembered, 99, now))))
          .isEqualTo(tenEach("much", "usual", "least"));
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(kinds(writer.fetchQueue(LEASE))).isEqualTo(tenEach("much", "usual", "least"));
    }
    now = now.plus(LEASE);
    try (DeltaIndexWriter writer = open(folder, "other")) {
      assertThat(kinds(writer.fetchQueue(LEASE)))
          .as("words of no query")
          .containsExactlyInAnyOrderElementsOf(tenEach("much", "usual", "least"));
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatWordsTellSurvivesOtherQueriesButNotAnotherScaleOfTheirFrequencies() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      teach(writer, queue, 12); // by rank functions of as many pages as those of the next workload
      discover(queue);
    }
    Workload alike = Workload.builder().add(List.of("alpha"), 10).add(List.of("omega"), 5).build();
    try (DeltaIndexWriter writer = open(folder, alike)) {
      assertThat(kindsOf(pages(writer.fetchQueue(LEASE).nextFree(99))))
          .isEqualTo(tenEach("much", "usual", "least"));
    }
    Workload often = Workload.builder().add(List.of("alpha"), 10_000).build();
    try (DeltaIndexWriter writer = open(folder, often)) {
      List<PagePriority> pages = writer.fetchQueue(LEASE).nextFree(99);
      assertThat(pages.stream().filter(PagePriority::neverFetched).map(PagePriority::priority))
          .as("all alike")
          .hasSize(30)
          .containsOnly(priorityOf("site/usual0", pages));
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        Discoveries told = state.discoveries(new SimpleAnalyzer());
        List<PagePriority> read = state.nextPages(told, 99, now);
        assertThat(read.stream().filter(PagePriority::neverFetched).map(PagePriority::priority))
            .as("all alike before the queue is saved, too")
            .hasSize(30)
            .containsOnly(priorityOf("site/usual0", read));
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void wordsTellAReaderTheSameWhenRanksWereBuiltAnewSinceItOpened() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      discover(queue);
      queue.save();
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        Discoveries told = state.discoveries(new SimpleAnalyzer());
        List<PagePriority> before = state.nextPages(told, 99, now);
        assertThat(kindsOf(pages(before))).endsWith(tenEach("least").toArray(String[]::new));
        writer.rebuild();
        assertThat(state.nextPages(told, 99, now)).isEqualTo(before);
        assertThat(state.status().answered()).isEqualTo(1);
      }
    }
  }

  @Test
  void wordsTellAReaderNothingWhereRankFunctionsCannotBeRead() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      discover(taught(writer));
    }
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      Path ranks =
          files.filter(file -> file.toString().contains("ranks_")).findFirst().orElseThrow();
      Files.write(ranks, new byte[] {1, 2, 3});
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = state.discoveries(new SimpleAnalyzer());
      List<PagePriority> pages = state.nextPages(told, 99, now);
      assertThat(pages.stream().filter(PagePriority::neverFetched)).hasSize(30);
      assertThat(pages.stream().filter(PagePriority::neverFetched).map(PagePriority::priority))
          .as("all alike")
          .containsOnly(priorityOf("site/usual0", pages));
    }
  }

  private static double priorityOf(String page, List<PagePriority> pages) {
    return pages.stream().filter(p -> p.page().equals(page)).findFirst().orElseThrow().priority();
  }

  @Test
  void wordsPromiseByTheRankFunctionsThatWereBuiltLast() throws Exception {
    Workload workload = Workload.builder().add(List.of("alpha"), 10).build();
    WordFactor learned = new WordFactor();
    PromisingWords words = new PromisingWords(workload, learned);
    Discovery told = Discovery.of("told", now, 0).with(new int[] {workload.termNumber("alpha")});
    try (DeltaIndexWriter writer = open(folder, workload)) {
      put(writer, "a", "b");
      writer.rebuild();
      Ranks ranks = writer.measurer().ranks();
      QueriesByTerm queries = QueriesByTerm.of(workload, ranks.documentFrequencies());
      learned.add(new WordEvidence(workload, queries, ranks.table()).of(told.terms()), 9, 1);
      words.use(ranks, () -> null);
      assertThat(words.factor(told)).isGreaterThan(2);
      writer.rebuild(); // the former ones follow no page any more
      put(writer, IntStream.range(0, 60).mapToObj(i -> "p" + i).toArray(String[]::new));
      words.use(writer.measurer().ranks(), () -> null);
      assertThat(words.factor(told)).as("one of 62 that are found").isEqualTo(1);
    }
  }

  /** Who tells of words that most queries have would make every batch take long. */
  @Test
  void theEvidenceOfWordsIsFoundOnceForAllLooksAtAPage() {
    Workload workload =
        Workload.builder().add(List.of("alpha"), 10).add(List.of("beta"), 1).build();
    QueriesByTerm queries = QueriesByTerm.of(workload, new int[] {1, 1});
    AskedTable table = new AskedTable();
    PromisingWords words = new PromisingWords(workload, new WordFactor());
    words.use(new WordEvidence(workload, queries, table));
    Discovery told = Discovery.of("told", now, 0).with(new int[] {workload.termNumber("alpha")});
    for (int look = 0; look < 9; look++) {
      words.factor(told);
    }
    assertThat(table.asked).isEqualTo(1);
    Discovery more = told.with(new int[] {workload.termNumber("beta")});
    words.factor(more);
    words.factor(more);
    assertThat(table.asked).as("with more words").isEqualTo(1 + 2);
    words.use(new WordEvidence(workload, queries, table));
    words.factor(told);
    words.factor(told);
    assertThat(table.asked).as("by other rank functions").isEqualTo(1 + 2 + 1);
  }

  /** Of queries without results; counts how often it is asked for one. */
  private static final class AskedTable implements RankTable {
    private int asked;

    @Override
    public int size() {
      return 2;
    }

    @Override
    public int results(int query) {
      asked++;
      return 0;
    }

    @Override
    public float knotScore(int query, int knot) {
      return 0;
    }
  }

  @Test
  void whatReadersTellStandsInTheOrderThatTheNextQueueHandsOut() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      taught(writer).save();
    }
    List<String> order;
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = state.discoveries(new SimpleAnalyzer());
      for (int page = 0; page < 10; page++) {
        assertThat(told.add("site/least" + page, "nothing of interest", now.minusSeconds(1)))
            .isTrue();
        assertThat(told.add("site/usual" + page, null, now)).isTrue();
        boolean later = page % 2 == 0; // than other words
        assertThat(told.add("site/much" + page, later ? "nothing" : "alpha", now)).isTrue();
        assertThat(told.add("site/much" + page, later ? "alpha" : "nothing", now)).isFalse();
      }
      told.add("site/0", "alpha", now);
      List<PagePriority> pages = state.nextPages(told, 99, now);
      assertThat(told.indexed()).containsExactly("site/0");
      assertThatThrownBy(() -> told.indexed().clear())
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(pages).hasSize(14 + 30);
      assertThat(pages.stream().filter(page -> page.neverFetched())).hasSize(30);
      assertThat(state.nextPages(told, 20, now))
          .as("no place is kept for what waits")
          .isEqualTo(pages.subList(0, 20));
      order = kindsOf(pages(pages));
      assertThat(order).isEqualTo(tenEach("much", "usual", "least"));
      told.save();
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.discoveredCount()).isEqualTo(30);
      assertThat(kinds(queue)).isEqualTo(order);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void readersTellNoQueueThatIsInUseOrCannotBeRead() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      writer.fetchQueue(LEASE).save();
      now = now.plus(Duration.ofDays(7));
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = state.discoveries(new SimpleAnalyzer());
      told.add("new", "alpha", now);
      try (DeltaIndexWriter writer = open()) {
        assertThat(writer.status().pages()).isEqualTo(1);
        assertThatThrownBy(told::save).isInstanceOf(StateLockedException.class);
        state.discoveries(new SimpleAnalyzer()).save(); // nothing was told
      }
      Path file = folder.resolve("index.delta").resolve("queue_2"); // saved, and closed
      byte[] damaged = {1, 2, 3};
      Files.write(file, damaged);
      assertThatThrownBy(told::save).isInstanceOf(IOException.class);
      assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
      assertThat(state.nextPages(told, 9, now)).hasSize(2);
      assertThat(state.troubles())
          .filteredOn(trouble -> !trouble.startsWith("there are no rank functions yet"))
          .singleElement()
          .asString()
          .startsWith("what crawlers told cannot be read, and is left out: ");
      assertThat(state.nextPages(state.discoveries(new SimpleAnalyzer()), 9, now)).hasSize(1);
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      state.discoveries(new SimpleAnalyzer());
      assertThat(state.troubles()).as("before an order is asked for").hasSize(1);
    }
  }

  @Test
  void whatReadersTellLeavesTheWordsOfTheWorkloadThatIsMeasuredMeanwhile() throws Exception {
    Workload before = Workload.builder().add(List.of("alpha", "gamma"), 1).build();
    Workload other = Workload.builder().add(List.of("about"), 1).add(List.of("alpha"), 1).build();
    try (DeltaIndexWriter writer = open(folder, before)) {
      put(writer, "a");
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = state.discoveries(new SimpleAnalyzer());
      told.add("by reader", "alpha gamma", now);
      told.add("without words", null, now);
      try (DeltaIndexWriter writer = open(folder, other)) {
        writer.fetchQueue(LEASE).discovered("by crawler", "about it");
      }
      told.save();
    }
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      Map<String, Discovery> found = QueueFile.read(files, other, 0).discovered();
      assertThat(found).containsOnlyKeys("by reader", "without words", "by crawler");
      assertThat(words(found.get("by reader"), other)).containsExactly("alpha");
      assertThat(found.get("by reader").since()).isEqualTo(now);
      assertThat(words(found.get("by crawler"), other)).containsExactly("about");
      assertThat(found.get("without words").hasWords()).isFalse();
    }
  }

  private static List<String> words(Discovery page, Workload workload) {
    return Arrays.stream(page.terms()).mapToObj(workload::term).toList();
  }

  @Test
  void whatReadersTellIsToldOnceAndLeasesLast() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      assertThat(writer.fetchQueue(LEASE).take(1)).hasSize(1);
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = state.discoveries(new SimpleAnalyzer());
      told.add("new", null, now);
      told.save();
      try (DeltaIndexWriter writer = open()) {
        FetchQueue queue = writer.fetchQueue(LEASE);
        assertThat(queue.take(9)).as("one is leased").contains("new").hasSize(2);
        queue.forget("new");
      }
      told.save();
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).discoveredCount()).isZero();
    }
  }

  @Test
  void aReaderThatNamesNoTimeHearsSoAtOnceAndLosesNothing() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = state.discoveries(new SimpleAnalyzer());
      told.add("before", null, now);
      assertThatThrownBy(() -> told.add("between", null, null))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("the time");
      told.add("after", null, now);
      told.save();
      assertThat(pages(state.nextPages(told, 9, now))).containsExactlyInAnyOrder("before", "after");
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).take(9)).contains("before", "after").hasSize(2);
    }
  }

  @Test
  void wordsAreAnalysedAsTheFirstOfSeveralScoredFieldsIs() throws Exception {
    analyzer =
        new PerFieldAnalyzerWrapper(new KeywordAnalyzer(), Map.of("title", new SimpleAnalyzer()));
    Workload workload = Workload.builder().add(List.of("alpha"), 10).build();
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField("url")
            .scoredField("title")
            .scoredField("body")
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(analyzer), config)) {
      put(writer, "a");
      writer.fetchQueue(LEASE).discovered("by crawler", "About Alpha");
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = state.discoveries(analyzer);
      told.add("by reader", "About Alpha", now);
      told.save();
    }
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      Map<String, Discovery> found = QueueFile.read(files, workload, 0).discovered();
      assertThat(words(found.get("by crawler"), workload)).containsExactly("alpha");
      assertThat(words(found.get("by reader"), workload)).containsExactly("alpha");
    }
  }

  @Test
  void ofManyWordsThoseToldFirstAreKept() {
    Discovery page = Discovery.of("page", now, 0).with(new int[] {7, 3, 7});
    assertThat(page.terms()).containsExactly(3, 7);
    Discovery more = page.with(IntStream.range(10, 100).toArray()).with(new int[] {1});
    assertThat(more.terms()).hasSize(Discovery.KEPT).startsWith(3, 7, 10).doesNotContain(1);
    assertThat(more.since()).isEqualTo(now);
    assertThat(Discovery.of("page", now, 0).with(new int[0]).hasWords()).isTrue();
  }

  /** A commit waits for who reads, and the visit would wait for that commit: both for ever. */
  @Test
  void aVisitIsRefusedWhileHistoriesAreReadOrPagesChosenAndTakenAfterwards() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      Instant visit = now;
      assertThatThrownBy(
              () ->
                  queue.take(
                      1,
                      page -> {
                        writer.recordUnchanged(page, visit);
                        return true;
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("a visit of a cannot be recorded while histories are read");
      assertThatThrownBy(() -> writer.withHistories(pages -> writer.recordUnchanged("a", visit)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(queue.heldCount()).isZero();
      writer.recordUnchanged("a", visit);
      writer.commit();
      assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(2);
    }
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      String fewer = "the number of pages must be 0 or more, was -1";
      assertThatThrownBy(() -> queue.take(-1)).hasMessage(fewer);
      assertThatThrownBy(() -> writer.nextPages(-1, now)).hasMessage(fewer);
      assertThatThrownBy(() -> writer.nextPages(new UserUtility(0), -1, now)).hasMessage(fewer);
      assertThatThrownBy(() -> queue.discovered(""))
          .hasMessage("the key of a page must have 1 to 32766 bytes in UTF-8, this one has 0: ");
      assertThatThrownBy(() -> queue.discovered("ü".repeat(20_000), "words"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("this one has 40000: üü")
          .message()
          .hasSizeLessThan(200);
      String impossible = "x".repeat(IndexWriter.MAX_TERM_LENGTH + 1);
      List<Consumer<String>> reports =
          List.of(
              queue::failed,
              page -> queue.retryAfter(page, now),
              queue::gone,
              page -> queue.modified(page, now));
      for (Consumer<String> report : reports) {
        assertThatThrownBy(() -> report.accept("")).hasMessageContaining("this one has 0: ");
        assertThatThrownBy(() -> report.accept(impossible))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("this one has 32767: ");
      }
      queue.returned(impossible); // whatever a queue holds can be dropped
      queue.forget("");
      assertThat(queue.heldCount()).isZero();
      assertThat(queue.take(9)).containsExactly("a");
      assertThatThrownBy(() -> writer.nextPages(1, null)).hasMessageContaining("takes a time");
      assertThat(writer.nextPages(1, Instant.MAX)).hasSize(1);
      assertThat(writer.nextPages(new UserUtility(0), 1, Instant.MAX)).hasSize(1);
      assertThat(writer.nextPages(1, Instant.MIN)).isEmpty();
      queue.returned("a");
      assertThat(queue.take(9, Instant.MIN)).isEmpty();
      assertThat(queue.take(9, Instant.MAX)).containsExactly("a");
      now = Instant.MAX;
      assertThat(queue.held()).hasSize(queue.heldCount());
      now = Instant.MIN;
      assertThat(queue.held()).hasSize(queue.heldCount());
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThatThrownBy(() -> state.nextPages(-1, now))
          .hasMessage("the number of pages must be 0 or more, was -1");
      assertThat(state.nextPages(1, Instant.MAX)).hasSize(1);
      Discoveries told = state.discoveries(new SimpleAnalyzer());
      assertThatThrownBy(() -> told.add("", "words", now)).hasMessageContaining("this one has 0: ");
      String longest = "x".repeat(IndexWriter.MAX_TERM_LENGTH);
      assertThat(told.add(longest, null, now)).isTrue();
      assertThatThrownBy(() -> told.add(longest + "x", null, now))
          .hasMessageContaining("this one has 32767: ");
    }
  }

  @Test
  void aDamagedFileIsReportedAndTheQueueStartsEmpty() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      writer.fetchQueue(LEASE).take(1);
    }
    byte[] damaged = {1, 2, 3};
    Path state = folder.resolve("index.delta");
    Path file = state.resolve("queue_2"); // of the hand-out, and of the close
    Files.write(file, damaged, StandardOpenOption.TRUNCATE_EXISTING);
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(troubles).singleElement().asString().contains("the fetch queue starts empty");
      assertThat(kinds).containsExactly(Trouble.LOST);
      assertThat(state.resolve("damaged_queue_2")).hasBinaryContent(damaged);
      assertThat(queue.take(9)).hasSize(2);
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).heldCount()).as("written anew").isEqualTo(2);
    }
  }

  /** A file that is gone, emptied, or of another version. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 99})
  void whereOnlyWhatWasToldBeforeIsLostHoldsAreKeptAndTheListenerHearsWhatToTell(int version)
      throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = withTwoFiles(writer);
      queue.save();
      queue.gone("b");
      queue.gone("p1");
      queue.discovered("later");
    }
    Path state = folder.resolve("index.delta");
    Files.delete(state.resolve("told_2"));
    try (Directory files = FSDirectory.open(state)) {
      if (version >= 0) {
        StateFiles.write(files, "told_2", "LuceneDeltaTold", version, out -> {});
      }
    }
    if (version == 0) {
      Files.write(state.resolve("told_2"), new byte[0]);
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(troubles)
          .singleElement()
          .asString()
          .startsWith("addresses and changes that crawlers told the fetch queue cannot be read;")
          .contains("leases and reports are kept. Tell it addresses and what sitemaps say again");
      assertThat(Files.exists(state.resolve("damaged_told_2"))).isEqualTo(version >= 0);
      assertThat(state.resolve("damaged_queue_3")).hasSameBinaryContentAs(state.resolve("queue_3"));
      queue.discovered("p1");
      assertThat(queue.heldCount()).isEqualTo(2);
      assertThat(queue.take(9)).as("neither is gone").containsExactlyInAnyOrder("a", "later");
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.heldCount()).isEqualTo(4);
      assertThat(queue.discoveredCount()).isEqualTo(2);
      assertThat(troubles).hasSize(1);
    }
  }

  /** A queue of two pages, told too many others for the file of leases from its next one on. */
  private FetchQueue withTwoFiles(DeltaIndexWriter writer) throws Exception {
    put(writer, "a", "b");
    now = now.plus(Duration.ofDays(7));
    FetchQueue queue = writer.fetchQueue(LEASE);
    for (int page = 0; page < 2_000; page++) {
      queue.discovered("p" + page);
    }
    queue.save();
    return queue;
  }

  /** What was told before names nothing; the file that names it has what crawlers hold. */
  @Test
  void whereOnlyTheFileOfWhatWasToldBeforeIsLeftTheLossIsReported() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = withTwoFiles(writer);
      queue.gone("b");
    }
    Path state = folder.resolve("index.delta");
    Files.delete(state.resolve("queue_2"));
    try (DeltaState reader = DeltaState.open(folder.resolve("index"))) {
      assertThat(reader.nextPages(9, now)).hasSize(2);
      assertThat(reader.troubles())
          .filteredOn(trouble -> !trouble.startsWith("there are no rank functions yet"))
          .singleElement()
          .asString()
          .contains("told_2 is there");
      reader.copyTo(folder.resolve("copy"));
      assertThat(folder.resolve("copy/told_2")).hasSameBinaryContentAs(state.resolve("told_2"));
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(troubles).singleElement().asString().contains("the fetch queue starts empty");
      assertThat(state.resolve("told_2")).doesNotExist();
      assertThat(state.resolve("damaged_told_2")).exists();
      assertThat(queue.take(9)).containsExactlyInAnyOrder("a", "b");
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).heldCount()).isEqualTo(2);
      assertThat(troubles).hasSize(1);
    }
  }

  /** Of formats before and after this one, and ones that say nonsense though they are whole. */
  @ParameterizedTest
  @CsvSource({"1, 100", "99, 100", QueueFile.VERSION + ", 100", QueueFile.VERSION + ", -1"})
  void aFileOfWhichNothingIsUnderstoodIsKeptAndTheQueueStartsEmpty(int version, int length)
      throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      now = now.plus(Duration.ofDays(7));
      writer.fetchQueue(LEASE).take(1);
    }
    Path state = folder.resolve("index.delta");
    Files.delete(state.resolve("queue_2"));
    try (Directory files = FSDirectory.open(state);
        IndexOutput out = files.createOutput("queue_2", IOContext.DEFAULT)) {
      CodecUtil.writeHeader(out, "LuceneDeltaQueue", version);
      out.writeVInt(1);
      out.writeVInt(length); // of a key
      CodecUtil.writeFooter(out);
    }
    try (DeltaState reader = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = reader.discoveries(new SimpleAnalyzer());
      assertThat(pages(reader.nextPages(told, 9, now))).containsExactly("a");
      assertThat(reader.troubles()).hasSize(1);
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(troubles).singleElement().asString().contains("the fetch queue starts empty");
      assertThat(state.resolve("damaged_queue_2")).exists();
      assertThat(queue.take(9)).containsExactly("a");
    }
  }

  @Test
  void ofFilesThatAreDamagedOneAfterAnotherAllAreKept() throws Exception {
    Path state = folder.resolve("index.delta");
    for (int time = 1; time <= 3; time++) {
      try (DeltaIndexWriter writer = open()) {
        writer.fetchQueue(LEASE); // written when it is closed
      }
      Path file = state.resolve("queue_" + time); // which is there
      Files.write(file, new byte[] {(byte) time}, StandardOpenOption.TRUNCATE_EXISTING);
    }
    try (DeltaIndexWriter writer = open()) {
      writer.fetchQueue(LEASE);
    }
    for (int time = 1; time <= 3; time++) {
      assertThat(state.resolve("damaged_queue_" + time)).hasBinaryContent(new byte[] {(byte) time});
    }
  }

  @Test
  void aListenerThatHearsOfADamagedFileIsGivenTheQueueThatAllOthersHave() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      writer.fetchQueue(LEASE); // written when it is closed
    }
    Path file = folder.resolve("index.delta").resolve("queue_1");
    Files.write(file, new byte[] {1, 2, 3}, StandardOpenOption.TRUNCATE_EXISTING);
    try (DeltaIndexWriter writer = open()) {
      List<FetchQueue> heard = new ArrayList<>();
      onTrouble =
          () -> {
            onTrouble = () -> {};
            heard.add(writer.fetchQueue(LEASE));
            heard.get(0).discovered("told again");
          };
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(heard).singleElement().isSameAs(queue);
      assertThat(queue.take(9)).contains("told again");
      assertThat(troubles).hasSize(1);
    }
  }

  @Test
  void aLeaseWithoutLengthIsRefused() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      assertThatThrownBy(() -> writer.fetchQueue(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("lease must be positive");
    }
  }

  @Test
  void anotherLeaseThanThatOfTheQueueInUseIsRefused() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(writer.fetchQueue(Duration.ofHours(24))).isSameAs(queue);
      assertThatThrownBy(() -> writer.fetchQueue(Duration.ofHours(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has a lease of PT24H, asked for one of PT1H");
    }
  }

  /** Or an analyzer that asked the writer would wait for who waits for the queue. */
  @Test
  void nobodyIsKeptFromTheQueueWhileWordsAreAnalysed() throws Exception {
    AtomicReference<FetchQueue> queue = new AtomicReference<>();
    List<Boolean> kept = new ArrayList<>();
    analyzer =
        new Analyzer() {
          @Override
          protected TokenStreamComponents createComponents(String field) {
            return new TokenStreamComponents(new LetterTokenizer());
          }

          @Override
          protected Reader initReader(String field, Reader reader) {
            kept.add(Thread.holdsLock(queue.get()));
            return reader;
          }
        };
    try (DeltaIndexWriter writer = open()) {
      queue.set(writer.fetchQueue(LEASE));
      queue.get().discovered("new", "alpha");
      assertThat(queue.get().discoveredCount()).isEqualTo(1);
    }
    assertThat(kept).containsExactly(false);
  }

  /** Or what is gone through would change meanwhile. */
  @Test
  void nothingIsToldWhileABatchIsPickedAndNothingSettledWhileHeldPagesAreCounted()
      throws Exception {
    AtomicReference<Runnable> onClock = new AtomicReference<>(() -> {});
    Thread asking = Thread.currentThread(); // the others look at the clock, too
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .clock(
                () -> {
                  if (Thread.currentThread() == asking) {
                    onClock.get().run();
                  }
                  return now;
                })
            .build();
    List<Boolean> kept = new ArrayList<>();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(analyzer), config)) {
      put(writer, "a");
      FetchQueue queue = writer.fetchQueue(LEASE);
      onClock.set(() -> kept.add(isKept(() -> queue.returned("a"))));
      queue.take(1);
      assertThat(kept).isNotEmpty().doesNotContain(false);
      kept.clear();
      onClock.set(() -> kept.add(isKept(() -> writer.withHistories(pages -> {}))));
      queue.heldCount();
      assertThat(kept).containsExactly(true);
    }
  }

  /** Whether another thread has to wait that does something now. */
  private static boolean isKept(Executable deed) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              try {
                deed.execute();
              } catch (Throwable t) {
                throw new AssertionError(t);
              }
              return null;
            });
    Thread other = new Thread(task);
    other.start();
    while (other.getState() != Thread.State.BLOCKED && !task.isDone()) {
      Thread.onSpinWait();
    }
    return !task.isDone();
  }

  @Test
  void whatWasWrittenIsLookedAtByOneBatchAndForgotten() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      put(writer, "a");
      queue.take(1);
      put(writer, "b");
      writer.withHistories(pages -> assertThat(written(pages)).contains(Set.of("b")));
      queue.take(1);
      writer.withHistories(pages -> assertThat(written(pages)).contains(Set.of()));
    }
  }

  private static Optional<Set<String>> written(PageHistories pages) {
    try {
      return ((StoredHistories) pages).written();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anAddressWithoutWordsIsToldLikeOneOfWhichNoneAreKnown() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.discovered("new", null);
      assertThat(queue.discoveredCount()).isEqualTo(1);
      assertThat(queue.take(9)).containsExactly("new");
    }
  }

  @Test
  void noWordsAreNotWordsThatPromiseNothing() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = taught(writer);
      for (int page = 0; page < 10; page++) {
        queue.discovered("site/least" + page, "nothing of interest");
        queue.discovered("site/usual" + page, null);
      }
      assertThat(kinds(queue)).isEqualTo(tenEach("usual", "least"));
    }
  }

  @Test
  void aLeaseWithoutEndIsRefused() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      now = now.plus(Duration.ofDays(7));
      assertThatThrownBy(() -> writer.fetchQueue(ChronoUnit.FOREVER.getDuration()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("positive and at most 365000 days, was PT2562047788015215H");
      assertThat(writer.fetchQueue(Duration.ofDays(365_000)).take(1)).containsExactly("a");
    }
  }

  @Test
  void aReportOfNoPageOrNoTimeIsRefusedAndBreaksNothing() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      List<Executable> reports =
          List.of(
              () -> queue.failed(null),
              () -> queue.retryAfter(null, now),
              () -> queue.gone(null),
              () -> queue.returned(null),
              () -> queue.modified(null, now));
      for (Executable report : reports) {
        assertThatThrownBy(report::execute)
            .isInstanceOf(NullPointerException.class)
            .hasMessageContaining("needs the key of a page");
      }
      assertThatThrownBy(() -> queue.modified("a", null))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("a change needs a time");
      assertThatThrownBy(() -> queue.retryAfter("a", null))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("a wait needs the time it ends");
      queue.save();
      assertThat(writer.nextPages(1, now)).hasSize(1);
      assertThat(queue.take(1)).containsExactly("a");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1000000000-01-01T00:00:00Z",
        "+300000000-01-01T00:00:00Z",
        "+1000000000-12-31T23:59:59.999999999Z"
      })
  void aChangeToldOfAnyTimeIsWrittenAndReadAgain(Instant at) throws Exception {
    boolean past = at.isBefore(now);
    Instant held = Instant.ofEpochMilli(past ? Long.MIN_VALUE : Long.MAX_VALUE);
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.modified("a", at);
      queue.save();
      try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
        Map<String, List<Instant>> read = QueueFile.read(files, null, 0).told.byPage();
        assertThat(read).isEqualTo(Map.of("a", List.of(held)));
      }
      assertThat(writer.nextPages(2, now)).hasSize(2);
      assertThat(queue.take(1)).hasSize(1);
    }
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(2)).hasSize(1);
      assertThat(queue.copyOfTold().byPage())
          .as("fetched since, or still to come")
          .isEqualTo(past ? Map.of() : Map.of("a", List.of(held)));
      queue.save();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aReportByAClockWithoutATimeIsRefusedAndBreaksNothing() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      Instant right = now.plus(Duration.ofDays(7));
      FetchQueue queue = writer.fetchQueue(LEASE);
      now = null;
      assertThatThrownBy(() -> queue.gone("a")).hasMessageContaining("clock told null");
      assertThatThrownBy(() -> queue.discovered("b")).hasMessageContaining("clock told null");
      now = right;
      assertThat(queue.take(2)).containsExactly("a");
    }
  }

  @Test
  void aLengthThatWasDamagedAsksForNoMemory() throws Exception {
    try (Directory files = FSDirectory.open(folder)) {
      try (IndexOutput out = files.createOutput("queue_1", IOContext.DEFAULT)) {
        CodecUtil.writeHeader(out, "LuceneDeltaQueue", 3);
        out.writeVInt(1);
        out.writeVInt(Integer.MAX_VALUE); // bytes of a page's key
        out.writeLong(0);
        out.writeLong(0);
        out.writeLong(0);
      }
      assertThatThrownBy(() -> QueueFile.read(files, null, 0))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("queue_1");
    }
  }

  @Test
  void copiesOfItsFileBesideItAreLeftAlone() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a", "b");
      now = now.plus(Duration.ofDays(7));
      writer.fetchQueue(LEASE).take(1);
    }
    List<Path> copies =
        Stream.of("queue_1.bak", "queue_1~", "queue_")
            .map(folder.resolve("index.delta")::resolve)
            .toList();
    for (Path copy : copies) {
      Files.writeString(copy, "a copy");
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(LEASE).take(9)).hasSize(1);
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(state.discoveries(new SimpleAnalyzer()).indexed()).isEmpty();
    }
    assertThat(troubles).isEmpty();
    assertThat(copies).allSatisfy(copy -> assertThat(copy).hasContent("a copy"));
  }
}
