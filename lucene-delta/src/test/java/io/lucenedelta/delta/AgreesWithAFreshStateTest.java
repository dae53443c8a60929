// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However an index and its questions came to be what they are, what users get from its pages is
 * what a state finds that begins today.
 */
class AgreesWithAFreshStateTest {
  private static final int PAGES = 100;

  /** What is asked of the pages, and how it is answered. */
  private enum Asked {
    BY_DEFAULT,
    ANOTHER_WORKLOAD,
    ANOTHER_BOOST,
    ANOTHER_SIMILARITY,
    ANOTHER_ESTIMATOR,
    WITH_IMPORTANCE;

    Workload workload() {
      return Workload.builder()
          .add(List.of("alpha"), 10)
          .add(List.of("beta"), this == ANOTHER_WORKLOAD ? 3_000 : 3)
          .add(List.of("alpha", "beta"), 5)
          .build();
    }

    Similarity similarity() {
      return this == ANOTHER_SIMILARITY ? new ClassicSimilarity() : new BM25Similarity();
    }

    DeltaConfig.Builder configure(DeltaConfig.Builder builder) {
      builder.scoredField("body", this == ANOTHER_BOOST ? 7 : 1);
      if (this == ANOTHER_ESTIMATOR) {
        builder.estimator(new PassedPages(new PowerLawViews(0.001, 1.5)));
      } else if (this == WITH_IMPORTANCE) {
        builder.importance(new Importance(page -> 1 + page.length() % 3, Importance.Role.ALONE));
      }
      return builder;
    }
  }

  private final List<String> troubles = new ArrayList<>();
  private Instant now = Instant.parse("2024-01-01T00:00:00Z");

  private FaultPoints faults = FaultPoints.NONE;
  @TempDir private Path folder;

  private DeltaIndexWriter open(String state, Asked asked) throws IOException {
    DeltaConfig config =
        asked
            .configure(DeltaConfig.builder(asked.workload()))
            .keyField("url")
            .clock(() -> now)
            .listener(new Troubles(troubles))
            .faults(point -> faults.at(point))
            .statePath(folder.resolve(state))
            .build();
    Directory index = FSDirectory.open(folder.resolve("index"));
    return new DeltaIndexWriter(index, lucenes().setSimilarity(asked.similarity()), config);
  }

  private static IndexWriterConfig lucenes() {
    return new IndexWriterConfig(new WhitespaceAnalyzer());
  }

  private static void put(IndexWriter writer, int page, int edition) throws IOException {
    put(
        writer,
        page,
        "alpha ".repeat((page + edition) % 7)
            + "word ".repeat(1 + page % 5)
            + ((page + edition) % 3 == 0 ? "beta" : ""));
  }

  private static void put(IndexWriter writer, int page, String text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "p" + page, Field.Store.YES));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", "p" + page), document);
  }

  private static Map<String, Double> usefulness(DeltaIndexWriter writer) throws IOException {
    Map<String, Double> usefulness = new TreeMap<>();
    writer.withHistories(
        all -> all.forEach(page -> usefulness.put(page.page(), page.usefulness())));
    return usefulness;
  }

  /** What a state finds that begins today. */
  private Map<String, Double> fresh(Asked asked) throws IOException {
    try (DeltaIndexWriter writer = open("fresh", asked)) {
      writer.nextPages(1);
      return usefulness(writer);
    }
  }

  private void assertFresh(Map<String, Double> found, Asked asked, double tolerance)
      throws IOException {
    assertThat(troubles).isEmpty();
    Map<String, Double> fresh = fresh(asked);
    assertThat(found).isNotEmpty().containsOnlyKeys(fresh.keySet());
    assertThat(fresh.values()).anyMatch(useful -> useful > 0);
    fresh.forEach(
        (page, useful) ->
            assertThat(found.get(page)).as(page).isCloseTo(useful, within(tolerance * useful)));
  }

  @Test
  void anIndexThatGrowsFromNothingFindsItAnewByHalvesAndOnRequest() throws Exception {
    Map<String, Double> grown;
    Map<String, Double> rebuilt;
    try (DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      for (int page = 0; page < 2_000; page++) {
        put(writer, page, 0);
        if (page % 20 == 19) {
          writer.commit();
        }
      }
      grown = usefulness(writer);
      writer.rebuild();
      rebuilt = usefulness(writer);
    }
    assertFresh(rebuilt, Asked.BY_DEFAULT, 1e-6);
    assertThat(sum(grown) / sum(rebuilt)).as("after growing ÷ found anew").isBetween(0.9, 1.9);
  }

  /** The first of a result is soon far down, which its own text tells nothing of. */
  @Test
  void aPageThatStaysAsItIsFindsItAnewWhenThePagesHaveChangedTenTimesEach() throws Exception {
    double before;
    double found;
    try (DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      for (int edition = 0; edition < 12; edition++) {
        put(writer, PAGES, "alpha ".repeat(8) + "word ".repeat(12));
        for (int page = 0; page < PAGES; page++) {
          int alphas = edition == 0 ? 0 : 9 + edition % 2;
          put(writer, page, "alpha ".repeat(alphas) + "word ".repeat(20 - alphas));
        }
        writer.commit();
        now = now.plus(Duration.ofDays(1));
        writer.nextPages(1);
      }
      before = usefulness(writer).get("p" + PAGES);
      put(writer, 0, "word");
      writer.commit();
      put(writer, 0, "word");
      writer.commit();
      found = usefulness(writer).get("p" + PAGES);
    }
    double fresh = fresh(Asked.BY_DEFAULT).get("p" + PAGES);
    assertThat(before).as("that of the first result").isGreaterThan(1_000 * fresh);
    assertThat(found).as("hardly any, as is found by %s", fresh).isBetween(fresh / 10, 10 * fresh);
  }

  /** The part of a query that it lost was small when it was measured, and would be large today. */
  @Test
  void whatWouldFallBelowNothingIsFoundAnew() throws Exception {
    double found;
    try (DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      for (int page = 0; page < 4 * PAGES; page++) {
        put(
            writer,
            page,
            page < PAGES ? "alpha ".repeat(8) + "beta ".repeat(8) : "word ".repeat(16));
      }
      put(writer, 4 * PAGES, "alpha beta" + " word".repeat(14));
      writer.commit();
      writer.nextPages(1);
      for (int page = 0; page < PAGES; page++) {
        writer.deleteDocuments(new Term("url", "p" + page));
      }
      writer.commit();
      now = now.plus(Duration.ofDays(1));
      put(writer, 4 * PAGES, "beta" + " word".repeat(15));
      writer.commit();
      found = usefulness(writer).get("p" + 4 * PAGES);
    }
    double fresh = fresh(Asked.BY_DEFAULT).get("p" + 4 * PAGES);
    assertThat(found).isCloseTo(fresh, within(0.2 * fresh));
  }

  private static double sum(Map<String, Double> usefulness) {
    return usefulness.values().stream().mapToDouble(useful -> useful).sum();
  }

  @Test
  void anIndexThatShrinksFindsItAnewOfThePagesThatAreLeft() throws Exception {
    Map<String, Double> before;
    Map<String, Double> after;
    try (DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      for (int page = 0; page < 3 * PAGES; page++) {
        put(writer, page, 0);
      }
      writer.commit();
      writer.nextPages(1);
      before = usefulness(writer);
      for (int page = PAGES; page < 3 * PAGES; page++) {
        writer.deleteDocuments(new Term("url", "p" + page));
      }
      writer.commit();
      writer.forceMergeDeletes(true); // statistics count what is deleted until it is merged away
      put(writer, 0, 0);
      writer.commit();
      after = usefulness(writer);
    }
    before.keySet().retainAll(after.keySet());
    assertThat(sum(after)).isGreaterThan(2 * sum(before));
    assertFresh(after, Asked.BY_DEFAULT, 0.1);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BY_DEFAULT")
  void otherQuestionsAndAnswersFindItAnewForWhoeverAsks(Asked asked) throws Exception {
    fill();
    Map<String, Double> found;
    try (DeltaIndexWriter writer = open("state", asked)) {
      writer.nextPages(1);
      found = usefulness(writer);
    }
    boolean sameRanks = asked == Asked.ANOTHER_ESTIMATOR; // moved by batches, and not built anew
    assertFresh(found, asked, sameRanks ? 0.5 : 1e-6);
    try (DeltaIndexWriter writer = open("state", asked)) {
      assertThat(writer.status().refreshFiles()).isEqualTo(4); // of two batches, found then and now
      writer.nextPages(1);
      assertThat(writer.status().refreshFiles()).as("once").isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BY_DEFAULT")
  void otherQuestionsAndAnswersFindItAnewForTheNextBatch(Asked asked) throws Exception {
    fill();
    double found;
    try (DeltaIndexWriter writer = open("state", asked)) {
      put(writer, 2, "alpha alpha alpha alpha word word beta"); // a word more, as long as it was
      writer.commit();
      found = usefulness(writer).get("p2");
    }
    double fresh = fresh(asked).get("p2");
    assertThat(found).isCloseTo(fresh, within(0.2 * fresh));
  }

  @Test
  void pagesThatAnotherWriterChangedFindItAnewForWhoeverAsks() throws Exception {
    fill();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain = new IndexWriter(index, lucenes())) {
      for (int page = 0; page < PAGES; page += 3) {
        put(plain, page, "beta " + "word ".repeat(page));
      }
    }
    Map<String, Double> found;
    try (DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      writer.nextPages(1);
      found = usefulness(writer);
    }
    assertThat(troubles).singleElement().asString().contains("without being measured");
    troubles.clear();
    assertFresh(found, Asked.BY_DEFAULT, 1e-6);
  }

  /** The batch is settled from the index, where the page's text is one that nobody measured. */
  @Test
  void pagesThatWereImportedFindItWithTheNextBuild() throws Exception {
    fill();
    Map<String, Double> found;
    try (Directory other = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      try (IndexWriter plain = new IndexWriter(other, lucenes())) {
        put(plain, 5, "beta beta alpha");
      }
      writer.deleteDocuments(new Term("url", "p5"));
      writer.addIndexes(other);
      writer.commit();
      put(writer, 6, 1); // as it was
      writer.commit();
      found = usefulness(writer);
    }
    found.keySet().retainAll(List.of("p5"));
    Map<String, Double> fresh = fresh(Asked.BY_DEFAULT);
    assertThat(found.get("p5")).isCloseTo(fresh.get("p5"), within(0.05 * fresh.get("p5")));
  }

  /** What was found by the questions of now goes with the batches that count no more. */
  @Test
  void anIndexThatGoesBackToBeforeOtherQuestionsFindsItAnew() throws Exception {
    fill();
    Path index = folder.resolve("index");
    Path before = folder.resolve("before");
    FolderCopy.make(index, before);
    Map<String, Double> found;
    for (Asked asked : List.of(Asked.BY_DEFAULT, Asked.ANOTHER_WORKLOAD)) {
      try (DeltaIndexWriter writer = open("state", asked)) {
        put(writer, 4, 2);
        writer.commit();
      }
    }
    Files.move(index, folder.resolve("later"));
    Files.move(before, index);
    try (DeltaIndexWriter writer = open("state", Asked.ANOTHER_WORKLOAD)) {
      assertThat(troubles).singleElement().asString().contains("older than the measurements");
      troubles.clear();
      writer.nextPages(1);
      found = usefulness(writer);
    }
    assertFresh(found, Asked.ANOTHER_WORKLOAD, 1e-6);
  }

  /**
   * Of the pages that came with it none is known, and the files tell that of their former texts.
   */
  @Test
  void whoIsKilledAfterABatchThatWasNotMeasuredFindsItAnew() throws Exception {
    fill();
    AtomicBoolean fails = new AtomicBoolean(true);
    faults =
        point -> {
          if (fails.get() && point.equals(FaultPoints.MEASURE)) {
            throw new OutOfMemoryError("of a test");
          }
        };
    Path killed = folder.resolve("killed");
    try (DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      put(writer, 20, "beta beta beta beta");
      writer.commit();
      fails.set(false);
      assertThat(writer.status().batchesIncomplete()).as("settled from the index").isEqualTo(1);
      FolderCopy.make(folder.resolve("index"), killed.resolve("index"));
      FolderCopy.make(folder.resolve("state"), killed.resolve("state"));
    }
    Files.delete(killed.resolve("index").resolve("write.lock"));
    troubles.clear();
    folder = killed;
    Map<String, Double> found;
    try (DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      writer.nextPages(1);
      found = usefulness(writer);
    }
    assertFresh(found, Asked.BY_DEFAULT, 1e-6);
  }

  /** Editions of all pages, measured by default. */
  private void fill() throws IOException {
    try (DeltaIndexWriter writer = open("state", Asked.BY_DEFAULT)) {
      for (int edition = 0; edition < 2; edition++) {
        for (int page = 0; page < PAGES; page++) {
          put(writer, page, edition);
        }
        writer.commit();
        now = now.plus(Duration.ofDays(1));
      }
    }
  }
}
