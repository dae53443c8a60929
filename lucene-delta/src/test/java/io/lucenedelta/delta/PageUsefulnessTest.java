// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageUsefulnessTest {
  private static final int PAGES = 40;
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final List<String> troubles = new ArrayList<>();

  private FaultPoints failure = FaultPoints.NONE;
  private UnaryOperator<Directory> over = UnaryOperator.identity();
  private double views = 1;
  private DeltaListener listener = new Troubles(troubles);

  @TempDir private Path folder;

  private DeltaConfig config() {
    return DeltaConfig.builder(
            Workload.builder()
                .add(List.of("alpha"), 10 * views)
                .add(List.of("beta"), 3 * views)
                .add(List.of("alpha", "beta"), 5 * views)
                .build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .clock(() -> START.plus(Duration.ofDays(9)))
        .listener(listener)
        .stateDirectory(over)
        .faults(failure)
        .build();
  }

  private DeltaIndexWriter open() throws IOException {
    return openIn(folder);
  }

  private DeltaIndexWriter openIn(Path place) throws IOException {
    return new DeltaIndexWriter(
        FSDirectory.open(place.resolve("index")),
        new IndexWriterConfig(new WhitespaceAnalyzer()),
        config());
  }

  /** What a process would leave that ended now. */
  private Path killed() throws IOException {
    Path killed = folder.resolve("killed");
    FolderCopy.make(folder.resolve("index"), killed.resolve("index"));
    FolderCopy.make(folder.resolve("index.delta"), killed.resolve("index.delta"));
    Files.delete(killed.resolve("index").resolve("write.lock"));
    return killed;
  }

  private void put(IndexWriter writer, int from, int to, int day) throws IOException {
    for (int page = from; page < to; page++) {
      Document document = new Document();
      String url = "https://a.test/" + page;
      document.add(new StringField("url", url, Field.Store.YES));
      document.add(config().fetchTime(START.plus(Duration.ofDays(day))));
      String text = "alpha ".repeat(page % 7) + "word ".repeat(1 + page % 5);
      document.add(new TextField("body", text + (page % 2 == 0 ? "beta" : ""), Field.Store.NO));
      writer.updateDocument(new Term("url", url), document);
    }
  }

  /** The next question would build once more, and commits search all pages. */
  @Test
  void aRebuildThatFailsLeavesItAsItIs() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      writer.nextPages(PAGES);
    }
    AtomicBoolean fails = new AtomicBoolean(true);
    failure =
        point -> {
          if (fails.get() && point.equals(FaultPoints.RANKS)) {
            throw new IllegalStateException("no room");
          }
        };
    try (DeltaIndexWriter writer = open()) {
      assertThatThrownBy(writer::rebuild).hasMessage("no room");
    }
    assertThat(
            Manifest.read(FSDirectory.open(folder.resolve("index.delta"))).isUsefulnessOutdated())
        .isFalse();
  }

  @Test
  void whereAnInterruptEndsAQuestionTheNextOneFindsIt() throws Exception {
    AtomicBoolean interrupts = new AtomicBoolean(true);
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> START.plus(Duration.ofDays(9)))
            .listener(listener)
            .stateDirectory(directory -> new InterruptingAtRefreshes(directory, interrupts))
            .build();
    try (DeltaIndexWriter writer =
        new DeltaIndexWriter(
            FSDirectory.open(folder.resolve("index")),
            new IndexWriterConfig(new WhitespaceAnalyzer()),
            config)) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      assertThatIOException().isThrownBy(() -> writer.nextPages(PAGES));
      assertThat(Thread.interrupted()).as("still interrupted").isTrue();
      assertThat(troubles).anyMatch(trouble -> trouble.contains("by the next question"));
      assertThat(usefulness(writer).values()).allMatch(useful -> useful >= 0);
      assertThat(toldToReaders()).as("from the files").isEqualTo(told(writer));
    }
  }

  @Test
  void whatNoFileHadIsWrittenWhenItIsFoundOnceMore() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    over =
        files ->
            new FilterDirectory(files) {
              @Override
              public void sync(Collection<String> names) throws IOException {
                if (full.get() && names.toString().contains(StateFiles.REFRESHES)) {
                  throw new IOException("no space left on device");
                }
                super.sync(names);
              }
            };
    Map<String, String> told;
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      full.set(true);
      writer.rebuild();
      assertThat(troubles).singleElement().asString().startsWith("what users get from pages");
      assertThat(usefulness(writer).values()).as("nor does the store have it").containsOnly(-1.0);
      full.set(false);
      writer.rebuild();
      told = told(writer);
      assertThat(usefulness(writer).values()).allMatch(useful -> useful >= 0);
      assertThat(toldToReaders()).as("from the files").isEqualTo(told);
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(told(writer)).isEqualTo(told);
    }
    assertThat(troubles).hasSize(1);
  }

  /** Under another set-up, so that what the files had before is in another unit. */
  @Test
  void whatTheStoreTookInPartIsAsTheFilesHaveItWhenItIsFoundOnceMore() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      writer.rebuild();
    }
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    failure =
        point -> {
          if (point.equals(FaultPoints.STORE) && left.getAndDecrement() == 0) {
            throw new IllegalStateException("of a test");
          }
        };
    views = 1_000;
    try (DeltaIndexWriter writer = open()) {
      left.set(PAGES / 2);
      writer.nextPages(PAGES);
      assertThat(left.get()).as("failed").isNegative();
      assertThat(troubles).singleElement().asString().startsWith("what users get from pages");
      writer.rebuild();
      assertThat(toldToReaders()).as("from the files").isEqualTo(told(writer));
      try (DeltaIndexWriter next = openIn(killed())) {
        assertThat(told(next)).as("after a kill").isEqualTo(told(writer));
      }
    }
    assertThat(troubles).hasSize(1);
  }

  /** The page store has it still; but no reader, no copy and nobody after a kill would. */
  @Test
  void whatALostFileToldIsWrittenOfAllPagesThoughTheStoreStillHasIt() throws Exception {
    Map<String, String> told;
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      writer.rebuild();
      told = told(writer);
      assertThat(told.values()).noneMatch(page -> page.endsWith(" -1.0"));
    }
    try (var files = Files.list(folder.resolve("index.delta"))) {
      Files.delete(
          files.filter(f -> f.toString().contains("refreshes_")).findFirst().orElseThrow());
    }
    open().close();
    assertThat(troubles).singleElement().asString().contains("is gone");
    try (DeltaIndexWriter writer = open()) {
      assertThat(toldToReaders()).as("in no file").isNotEqualTo(told);
      assertThat(told(writer)).as("in the store").isEqualTo(told);
      assertThat(toldToReaders()).as("from the files").isEqualTo(told);
      try (DeltaIndexWriter next = openIn(killed())) {
        assertThat(told(next)).as("after a kill").isEqualTo(told);
      }
      int files = writer.status().refreshFiles();
      writer.rebuild();
      assertThat(writer.status().refreshFiles()).as("written once").isEqualTo(files);
    }
    assertThat(troubles).hasSize(1);
  }

  /** Interrupts, once, the thread that begins a file of what users get from pages. */
  private static final class InterruptingAtRefreshes extends FilterDirectory {
    private final AtomicBoolean on;

    InterruptingAtRefreshes(Directory in, AtomicBoolean on) {
      super(in);
      this.on = on;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (name.startsWith(StateFiles.REFRESHES) && on.getAndSet(false)) {
        Thread.currentThread().interrupt();
      }
      return super.createOutput(name, context);
    }
  }

  /** Of every page what its history tells. */
  private static Map<String, String> told(PageHistories histories) {
    Map<String, String> told = new TreeMap<>();
    histories.forEach(
        page ->
            told.put(
                page.page(),
                page.lastRefresh() + " " + page.refreshes() + " " + page.usefulness()));
    return told;
  }

  private static Map<String, String> told(DeltaIndexWriter writer) throws IOException {
    Map<String, String> told = new TreeMap<>();
    writer.withHistories(histories -> told.putAll(told(histories)));
    return told;
  }

  private Map<String, String> toldToReaders() throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      return told(state.histories());
    }
  }

  private static Map<String, Double> usefulness(DeltaIndexWriter writer) throws IOException {
    Map<String, Double> usefulness = new TreeMap<>();
    writer.withHistories(
        all -> all.forEach(page -> usefulness.put(page.page(), page.usefulness())));
    return usefulness;
  }

  @Test
  void pagesIndexedBeforeThereAreRankFunctionsGetWhatTheyWouldIfFetchedOnceMore() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      assertThat(toldToReaders().values()).hasSize(PAGES).allMatch(page -> page.endsWith(" -1.0"));
      put(writer, 0, 1, 1);
      writer.commit(); // for which rank functions are built
      Map<String, Double> found = usefulness(writer);
      assertThat(found.values()).allMatch(useful -> useful >= 0).anyMatch(useful -> useful > 1);
      Path again = folder.resolve("again");
      try (DeltaIndexWriter other =
          new DeltaIndexWriter(
              FSDirectory.open(again), new IndexWriterConfig(new WhitespaceAnalyzer()), config())) {
        put(other, 0, PAGES, 0);
        other.commit();
        other.deleteDocuments(new Term("url", "none"));
        put(other, 0, PAGES, 1);
        other.commit(); // measures all of them, by the same rank functions
        assertThat(usefulness(other)).isEqualTo(found);
      }
    }
    assertThat(troubles).isEmpty();
  }

  /** Its vector is then the one that it had while it was not there. */
  @Test
  void aPageThatComesBackWithoutAWordOfAQueryIsWorthWhatItsNewTextIs() throws Exception {
    String url = "https://a.test/6"; // the one with most of alpha
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      writer.nextPages(1);
      assertThat(usefulness(writer).get(url)).isPositive();
      writer.deleteDocuments(new Term("url", url));
      writer.commit();
      Document document = new Document();
      document.add(new StringField("url", url, Field.Store.YES));
      document.add(new TextField("body", "nothing that anybody asks for", Field.Store.NO));
      writer.updateDocument(new Term("url", url), document);
      writer.commit();
      assertThat(usefulness(writer)).containsEntry(url, 0.0);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aPageWithAnotherTextThatIsNotMeasuredHasNoneUntilItIsFound() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    failure =
        point -> {
          if (fails.get() && point.equals(FaultPoints.RANKS)) {
            throw new OutOfMemoryError("of a test");
          }
        };
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      writer.rebuild();
      assertThat(usefulness(writer).get("https://a.test/3")).isPositive();
    }
    Path ranks;
    try (var files = Files.list(folder.resolve("index.delta"))) {
      ranks = files.filter(file -> file.toString().contains("ranks_")).findFirst().orElseThrow();
    }
    Files.delete(ranks);
    fails.set(true);
    try (DeltaIndexWriter writer = open()) {
      put(writer, 4, 5, 1); // as it was
      Document other = new Document();
      other.add(new StringField("url", "https://a.test/3", Field.Store.YES));
      other.add(config().fetchTime(START.plus(Duration.ofDays(1))));
      other.add(new TextField("body", "alpha beta", Field.Store.NO));
      writer.updateDocument(new Term("url", "https://a.test/3"), other);
      writer.commit();
      Map<String, Double> kept = usefulness(writer);
      assertThat(kept.get("https://a.test/3")).isEqualTo(-1);
      assertThat(kept.get("https://a.test/4")).isPositive();
      fails.set(false);
      writer.rebuild();
      assertThat(usefulness(writer).get("https://a.test/3")).isPositive();
    }
  }

  /** All queries of its words are of several, so none of them is asked about alone. */
  @Test
  void aRefreshThatMovesNoScoreLeavesWhatUsersGetAsItWas() throws Exception {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha", "beta"), 5).build())
            .keyField("url")
            .scoredField("body")
            .listener(new Troubles(troubles))
            .build();
    IndexWriterConfig anyLength =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(new BM25Similarity(1.2f, 0));
    try (DeltaIndexWriter writer =
        new DeltaIndexWriter(FSDirectory.open(folder.resolve("index")), anyLength, config)) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      writer.rebuild();
      put(writer, 2, 3, 1);
      writer.commit();
      Map<String, Double> found = usefulness(writer);
      assertThat(found.get("https://a.test/2")).isPositive();
      Document longer = new Document();
      longer.add(new StringField("url", "https://a.test/2", Field.Store.YES));
      longer.add(new TextField("body", "alpha alpha beta " + "word ".repeat(50), Field.Store.NO));
      writer.updateDocument(new Term("url", "https://a.test/2"), longer);
      writer.commit();
      assertThat(usefulness(writer)).isEqualTo(found);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoeverAsksForPagesFirstHasTheRankFunctionsBuilt() throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain =
            new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      put(plain, 0, PAGES, 2);
    }
    Map<String, Double> found;
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.status().lastRebuild()).isNull();
      List<PagePriority> next = writer.nextPages(PAGES);
      found = usefulness(writer);
      assertThat(found.get(next.get(0).page()))
          .as("the first one's usefulness")
          .isGreaterThan(2 * found.get(next.get(PAGES - 1).page()));
      int files = writer.status().refreshFiles();
      assertThat(writer.status().lastRebuild()).isNotNull();
      writer.nextPages(1);
      assertThat(writer.status().refreshFiles()).as("built once").isEqualTo(files);
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.fetchQueue(Duration.ofHours(1)).take(3)).hasSize(3);
      writer.rebuild();
      assertThat(usefulness(writer)).as("as a rebuild finds it").isEqualTo(found);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoAskedAnEmptyIndexHasThemBuiltWhenThereArePages() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.nextPages(3)).isEmpty();
      put(writer, 0, PAGES, 0);
      writer.commit();
      assertThat(writer.nextPages(3)).hasSize(3);
      assertThat(writer.status().lastRebuild()).isNotNull();
      assertThat(usefulness(writer).values()).hasSize(PAGES).allMatch(useful -> useful >= 0);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void ranksThatCannotBeBuiltKeepNobodyFromAsking() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    failure =
        point -> {
          if (fails.get() && point.equals(FaultPoints.RANKS)) {
            throw new OutOfMemoryError("of a test");
          }
        };
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      fails.set(true);
      assertThat(writer.nextPages(PAGES)).hasSize(PAGES);
      assertThat(writer.nextPages(3)).hasSize(3);
      assertThat(troubles).as("told once").hasSize(1);
      assertThat(troubles.get(0)).contains("rank functions could not be built");
      fails.set(false);
      put(writer, 0, 1, 1);
      writer.commit();
      assertThat(usefulness(writer).values()).allMatch(useful -> useful >= 0);
    }
    assertThat(troubles).hasSize(1);
  }

  @Test
  void whoHearsThatRanksCannotBeBuiltMayRebuildThemThen() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    failure =
        point -> {
          if (point.equals(FaultPoints.RANKS) && fails.getAndSet(false)) {
            throw new OutOfMemoryError("of a test");
          }
        };
    AtomicReference<DeltaIndexWriter> asked = new AtomicReference<>();
    List<Throwable> answers = new ArrayList<>();
    listener =
        new DeltaListener() {
          @Override
          public void trouble(Trouble kind, String sentence, Throwable cause) {
            troubles.add(sentence);
            answers.add(catchThrowable(asked.get()::rebuild));
          }
        };
    try (DeltaIndexWriter writer = open()) {
      asked.set(writer);
      put(writer, 0, PAGES, 0);
      writer.commit();
      fails.set(true);
      assertThat(writer.nextPages(3)).hasSize(3);
    }
    assertThat(troubles).singleElement().asString().startsWith("pages may be ordered as if");
    assertThat(answers).containsExactly((Throwable) null);
  }

  /** As others overtake it, a page that stays as it is becomes less useful. */
  @Test
  void ofAPageThatNobodyFetchesItIsFoundAnewWhenThePagesHaveChangedTenTimesEach() throws Exception {
    String silent = "https://a.test/" + PAGES;
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      putText(writer, silent, "alpha word", 0);
      writer.commit();
      writer.rebuild();
      double before = usefulness(writer).get(silent);
      for (int round = 1; round <= 11; round++) {
        overtake(writer, round);
        assertThat(usefulness(writer).get(silent)).as("round %d", round).isEqualTo(before);
      }
      overtake(writer, 12); // for which statistics are read anew
      assertThat(usefulness(writer).get(silent)).isLessThan(before);
    }
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"20, false", "21, true", "-13, false", "-14, true"}) // there are 41
  void soItIsWhenTheIndexHasGrownByMoreThanHalfOrShrunkByMoreThanAThird(int more, boolean anew)
      throws Exception {
    String silent = "https://a.test/" + PAGES;
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      putText(writer, silent, "alpha word", 0);
      writer.commit();
      writer.rebuild();
      final double before = usefulness(writer).get(silent);
      for (int page = 0; page < more; page++) {
        putText(writer, "https://b.test/" + page, "alpha", 1);
      }
      for (int page = PAGES + more; page < PAGES; page++) {
        writer.deleteDocuments(new Term("url", "https://a.test/" + page));
      }
      writer.commit();
      putText(writer, "https://a.test/0", "alpha", 2);
      writer.commit(); // for which rank functions are built
      assertThat(usefulness(writer).get(silent) != before).isEqualTo(anew);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void soItIsWhenAllOtherPagesWereExchanged() throws Exception {
    String silent = "https://a.test/" + PAGES;
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      putText(writer, silent, "alpha word", 0);
      writer.commit();
      writer.rebuild();
      double before = usefulness(writer).get(silent);
      for (int page = 0; page < PAGES; page++) {
        writer.deleteDocuments(new Term("url", "https://a.test/" + page));
        putText(writer, "https://b.test/" + page, "alpha ".repeat(5), 1);
      }
      putText(writer, silent, "alpha word", 1);
      writer.commit();
      assertThat(usefulness(writer).get(silent)).isEqualTo(before);
      for (int round = 2; round < 6; round++) { // for ten changes, beside those of the others
        putText(writer, "https://b.test/0", "alpha ".repeat(round), round);
        putText(writer, "https://b.test/1", "alpha ".repeat(round), round);
        putText(writer, "https://b.test/2", "alpha ".repeat(round), round);
        writer.commit();
      }
      putText(writer, "https://b.test/0", "alpha", 6);
      writer.commit(); // for which statistics are read anew
      assertThat(usefulness(writer).get(silent)).isLessThan(before);
    }
    assertThat(troubles).isEmpty();
  }

  /** Statistics are read anew each time, since there are more than a tenth more or fewer pages. */
  @Test
  void soItIsWhenOthersWereExchangedByTurnsThoughTheIndexNeverGrewMuch() throws Exception {
    String silent = "https://a.test/" + PAGES;
    int some = 5;
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      putText(writer, silent, "alpha word", 0);
      writer.commit();
      writer.rebuild();
      double before = usefulness(writer).get(silent);
      for (int page = 0; page <= 9 * some; page += some) {
        assertThat(usefulness(writer).get(silent)).as("%d came and left", page).isEqualTo(before);
        for (int next = page; next < page + some; next++) {
          putText(writer, "https://b.test/" + next, "alpha ".repeat(5), 1);
        }
        writer.commit();
        for (int next = page; next < page + some; next++) {
          int left = next - PAGES;
          String url = left < 0 ? "https://a.test/" + next : "https://b.test/" + left;
          writer.deleteDocuments(new Term("url", url));
        }
        writer.commit();
      }
      assertThat(usefulness(writer).get(silent)).as("450 of 410 changes").isLessThan(before);
    }
    assertThat(troubles).isEmpty();
  }

  /** What was found before, and measured since, is by scores in which its words weighed nothing. */
  @Test
  void soItIsWhenAFieldHasComeToThePages() throws Exception {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .scoredField("brand", 3)
            .fetchTimeField("fetched")
            .clock(() -> START.plus(Duration.ofDays(9)))
            .listener(listener)
            .build();
    try (DeltaIndexWriter writer =
        new DeltaIndexWriter(
            FSDirectory.open(folder.resolve("index")),
            new IndexWriterConfig(new WhitespaceAnalyzer()),
            config)) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      writer.rebuild();
      for (int page = 0; page < PAGES; page++) {
        Document document = new Document();
        document.add(new StringField("url", "https://a.test/" + page, Field.Store.YES));
        document.add(config.fetchTime(START.plus(Duration.ofDays(1))));
        document.add(new TextField("brand", "alpha ".repeat(page % 7) + "other", Field.Store.NO));
        writer.updateDocument(new Term("url", "https://a.test/" + page), document);
      }
      writer.commit();
      Map<String, Double> measured = usefulness(writer);
      put(writer, 0, 0, 2);
      writer.deleteDocuments(new Term("url", "https://b.test/none"));
      writer.commit();
      assertThat(usefulness(writer)).isNotEqualTo(measured);
      measured = usefulness(writer);
      writer.rebuild();
      assertThat(usefulness(writer)).isEqualTo(measured);
    }
    assertThat(troubles).isEmpty();
  }

  private void overtake(DeltaIndexWriter writer, int round) throws IOException {
    for (int page = 0; page < PAGES; page++) {
      putText(writer, "https://a.test/" + page, "alpha ".repeat(5 + round % 2), round);
    }
    writer.commit();
  }

  private void putText(IndexWriter writer, String url, String text, int hours) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.YES));
    document.add(config().fetchTime(START.plus(Duration.ofHours(hours))));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", url), document);
  }

  @Test
  void itLastsAndIsNoVisit() throws Exception {
    Map<String, String> told;
    try (DeltaIndexWriter writer = open()) {
      put(writer, 0, PAGES, 0);
      writer.commit();
      writer.rebuild();
      told = told(writer);
      assertThat(told).hasSize(PAGES).doesNotContainValue(START + " 0 -1.0");
      assertThat(told.values()).allMatch(page -> page.startsWith(START + " 0 "));
      assertThat(toldToReaders()).as("from the files").isEqualTo(told);
      assertThat(writer.explain("https://a.test/3").orElseThrow().refreshes()).hasSize(1);
      int files = writer.status().refreshFiles();
      writer.rebuild();
      assertThat(writer.status().refreshFiles()).as("nothing is unknown").isEqualTo(files);
      assertThat(told(writer)).as("after rebuilding the store").isEqualTo(told);
      try (DeltaIndexWriter next = openIn(killed())) {
        assertThat(told(next)).as("after a kill").isEqualTo(told);
      }
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(told(writer)).as("after a clean close").isEqualTo(told);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void anIndexThatPlainLuceneMadeKeepsTheTimesOfItsDocuments() throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain =
            new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      put(plain, 0, PAGES, 2);
    }
    try (DeltaIndexWriter writer = open()) {
      writer.rebuild();
      Instant second = START.plus(Duration.ofDays(2));
      assertThat(told(writer).values()).hasSize(PAGES).allMatch(p -> p.startsWith(second + " 0 "));
      assertThat(usefulness(writer).values()).allMatch(useful -> useful >= 0);
      assertThat(writer.explain("https://a.test/3")).as("never fetched since").isEmpty();
      assertThat(toldToReaders()).isEqualTo(told(writer));
      int files = writer.status().refreshFiles();
      writer.rebuild();
      assertThat(writer.status().refreshFiles()).as("nothing is unknown").isEqualTo(files);
    }
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain =
            new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      put(plain, 0, 3, 5);
    }
    try (DeltaIndexWriter writer = open()) {
      Map<String, String> told = told(writer);
      Instant fifth = START.plus(Duration.ofDays(5));
      assertThat(told.values().stream().filter(page -> page.startsWith(fifth + " 0 "))).hasSize(3);
      assertThat(toldToReaders()).isEqualTo(told);
    }
  }
}
