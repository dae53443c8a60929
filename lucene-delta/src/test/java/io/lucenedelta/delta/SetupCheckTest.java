// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.IndriDirichletSimilarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What looks as if it had been set up wrongly is told, once; what is not is not. */
class SetupCheckTest {
  private static final Workload QUERIES = Workload.builder().add(List.of("alpha"), 1).build();
  private static final int MANY = 1_000; // are looked at

  private final List<String> troubles = new ArrayList<>();
  private final List<Trouble> kinds = new ArrayList<>();

  @TempDir Path folder;

  private DeltaConfig.Builder config(Workload workload) {
    return DeltaConfig.builder(workload)
        .keyField("url")
        .scoredField("body")
        .listener(new Troubles(troubles, kinds));
  }

  /** Two batches of pages, with a writer each. */
  private DeltaStatus index(String name, DeltaConfig config, int pages) throws IOException {
    index(name, config, pages, OpenMode.CREATE_OR_APPEND);
    return index(name, config, pages, OpenMode.CREATE_OR_APPEND);
  }

  private DeltaStatus index(String name, DeltaConfig config, int pages, OpenMode mode)
      throws IOException {
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer()).setOpenMode(mode);
    try (Directory directory = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings, config)) {
      for (int page = 0; page < pages; page++) {
        Document document = new Document();
        document.add(new StringField("url", "p" + page, Field.Store.NO));
        document.add(new TextField("body", "alpha beta", Field.Store.NO));
        writer.updateDocument(new Term("url", "p" + page), document);
      }
      writer.commit();
      return writer.status();
    }
  }

  @Test
  void nothingIsToldOfWritersThatAreSetUpAsTheyShouldBe() throws IOException {
    index("index", config(QUERIES).build(), 120);
    index("index", config(QUERIES).build(), 1, OpenMode.CREATE);
    assertThat(troubles).isEmpty();
  }

  @Test
  void aWorkloadWithoutQueriesIsTold() throws IOException {
    index("index", config(Workload.builder().build()).build(), 120);
    assertThat(troubles)
        .containsOnly(
            "the workload holds no query: nothing can be measured, every page is worth the same")
        .hasSize(2);
    assertThat(kinds).containsOnly(Trouble.SETUP);
  }

  /** A refresh would count as one that found no change, whatever the page is now. */
  @Test
  void refreshesThatNobodyAskedAnythingMeanwhileAreRecordedAndNotMeasured() throws IOException {
    List<Workload> daily = List.of(QUERIES, QUERIES, Workload.builder().build(), QUERIES);
    Instant[] now = {Instant.parse("2024-01-01T00:00:00Z")};
    for (Workload workload : daily) {
      index("index", config(workload).clock(() -> now[0]).build(), 5, OpenMode.CREATE_OR_APPEND);
      now[0] = now[0].plus(Duration.ofDays(1));
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(state.status().batchesIncomplete()).isZero();
      assertThat(state.explain("p1").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::measured, MeasuredRefresh::interval)
          .containsExactly(
              tuple(true, Duration.ofDays(1)),
              tuple(false, null),
              tuple(true, Duration.ofDays(1)),
              tuple(false, null));
    }
  }

  @Test
  void aWorkloadThatNoPageHasATermOfIsTold() throws IOException {
    Workload others = Workload.builder().add(List.of("Alpha"), 1).add(List.of("gamma"), 1).build();
    index("few", config(others).build(), 40);
    assertThat(troubles).as("few pages tell nothing").isEmpty();
    index("index", config(others).build(), 120);
    assertThat(troubles)
        .containsOnly(
            "none of the first 120 pages has any of the workload's 2 terms in field body: is this"
                + " a field that is searched, and was the workload made with an analyzer whose"
                + " terms are those of the index?")
        .hasSize(2);
  }

  @Test
  void fetchTimesOfAClockThatIsAheadAreToldOnceAWriter() throws IOException {
    Instant now = Instant.parse("2024-01-01T00:00:00Z");
    DeltaConfig config = config(QUERIES).fetchTimeField("fetched").clock(() -> now).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int minutes : new int[] {0, 5, 120, 180}) {
        for (int page = 0; page < 3; page++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + page, Field.Store.NO));
          document.add(new TextField("body", "alpha beta", Field.Store.NO));
          document.add(config.fetchTime(now.plus(Duration.ofMinutes(page == 1 ? minutes : 0))));
          writer.updateDocument(new Term("url", "p" + page), document);
        }
        writer.commit();
        assertThat(troubles).as("%d minutes ahead", minutes).hasSize(minutes > 5 ? 1 : 0);
      }
    }
    assertThat(troubles)
        .containsExactly(
            "a page of batch 3 was fetched, by its fetch time, 120 minutes after the clock at the"
                + " commit, at 2024-01-01T02:00:00Z: until then no queue hands it out, and changes"
                + " that it tells of meanwhile do not count. Give fetch times in UTC, by a clock"
                + " that is right, or correct that of the writer (DeltaConfig.Builder.clock)");
    assertThat(kinds).containsExactly(Trouble.SETUP);
  }

  @Test
  void aMisspeltScoredFieldIsTold() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(QUERIES)
            .keyField("url")
            .scoredField("Body")
            .scoredField("title")
            .listener(new Troubles(troubles))
            .build();
    index("index", config, 120, OpenMode.CREATE);
    assertThat(troubles).hasSize(1);
    assertThat(troubles.get(0)).contains("terms in Body or title: are these");
  }

  /** Lucene asks a similarity of no field that no document has. */
  @Test
  void aMisspeltScoredFieldIsToldWhereFieldsHaveSimilaritiesAndThatOneHasNone() throws IOException {
    for (boolean refuses : List.of(false, true)) {
      troubles.clear();
      DeltaConfig config =
          DeltaConfig.builder(QUERIES)
              .keyField("url")
              .scoredField("tilte")
              .scoredField("body")
              .selfAudit(10, Duration.ofMinutes(1))
              .listener(new Troubles(troubles))
              .build();
      Similarity perField =
          new PerFieldSimilarityWrapper() {
            @Override
            public Similarity get(String field) {
              if (refuses && !field.equals("body")) {
                throw new IllegalArgumentException("there is no field " + field);
              }
              return field.equals("body") ? new BM25Similarity() : null;
            }
          };
      try (Directory directory = FSDirectory.open(folder.resolve("refuses " + refuses));
          DeltaIndexWriter writer =
              new DeltaIndexWriter(
                  directory,
                  new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(perField),
                  config)) {
        for (int batch = 0; batch < 3; batch++) {
          for (int page = 0; page < 120; page++) {
            Document document = new Document();
            document.add(new StringField("url", "p" + page, Field.Store.NO));
            document.add(
                new TextField("body", "alpha ".repeat(1 + page * batch % 7), Field.Store.NO));
            writer.updateDocument(new Term("url", "p" + page), document);
          }
          writer.commit();
        }
        writer.rebuild();
        assertThat(writer.nextPages(120)).hasSize(120);
        assertThat(writer.status().batchesIncomplete()).isZero();
        assertThat(writer.status().ranksFailure()).isEmpty();
        assertThat(writer.status().selfAudit().audited()).isPositive();
      }
      assertThat(troubles)
          .singleElement()
          .asString()
          .contains("none of the first 120 pages", "in field tilte: is this a field that is");
    }
  }

  /** Of which a crawler may fetch the first hundred pages in weeks. */
  @Test
  void aMisspeltScoredFieldOfAnAdoptedIndexIsToldToWhoeverAsksForPages() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int page = 0; page < 120; page++) {
        Document document = new Document();
        document.add(new StringField("url", "p" + page, Field.Store.NO));
        document.add(new TextField("body", "alpha beta " + page, Field.Store.NO));
        plain.addDocument(document);
      }
    }
    for (String field : List.of("bdy", "body")) {
      DeltaConfig config =
          DeltaConfig.builder(QUERIES)
              .keyField("url")
              .scoredField(field)
              .listener(new Troubles(troubles))
              .build();
      try (Directory directory = FSDirectory.open(folder.resolve("index"));
          DeltaIndexWriter writer =
              new DeltaIndexWriter(directory, new IndexWriterConfig(), config)) {
        writer.nextPages(3);
        writer.nextPages(3);
      }
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("none of the 120 indexed pages", "in field bdy: is this a field that is");
  }

  /** Where parents alone have keys, and children alone what is searched. */
  @Test
  void textThatOnlyTheChildrenOfBlocksHaveIsTold() throws IOException {
    DeltaConfig config = config(QUERIES).build();
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings, config)) {
      addBlocks(writer);
      writer.commit();
      writer.nextPages(3);
    }
    assertThat(troubles)
        .containsExactly(
            "none of the first 120 pages has any of the workload's 1 terms in field body: is this"
                + " a field that is searched, and was the workload made with an analyzer whose"
                + " terms are those of the index? The text of documents without a key, such as the"
                + " children of a block, does not count: put it on the document that has the key");
  }

  @Test
  void textThatOnlyTheChildrenOfAnAdoptedIndexHaveIsToldToWhoeverAsksForPages() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain = new IndexWriter(directory, new IndexWriterConfig())) {
      addBlocks(plain);
    }
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(), config(QUERIES).build())) {
      writer.nextPages(3);
      writer.nextPages(3);
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .startsWith("none of the 120 indexed pages has any")
        .endsWith("does not count: put it on the document that has the key");
  }

  private static void addTitles(IndexWriter writer, int pages) throws IOException {
    for (int i = 0; i < pages; i++) {
      Document page = new Document();
      page.add(new StringField("url", "p" + i, Field.Store.NO));
      page.add(new TextField("title", "alpha ".repeat(1 + i % 5), Field.Store.NO));
      writer.addDocument(page);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {MANY - 1, MANY})
  void textThatNoIndexedPageHasIsToldWhereFewerAreIndexedThanAreLookedAt(int pages)
      throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain = new IndexWriter(directory, new IndexWriterConfig())) {
      addTitles(plain, pages);
      Document keyless = new Document();
      keyless.add(new TextField("body", "alpha", Field.Store.NO));
      plain.addDocument(keyless);
    }
    DeltaConfig config = config(QUERIES).scoredField("title").mostLookedAt(MANY).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(), config)) {
      writer.nextPages(3);
    }
    assertThat(troubles).hasSize(pages < MANY ? 1 : 0);
    assertThat(troubles).allMatch(told -> told.startsWith("none of the 999 indexed pages has any"));
  }

  /** As many as are looked at: some page behind them may have it. */
  @Test
  void textThatNoneOfManyIndexedPagesHasIsToldOfThoseThatComeLater() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain = new IndexWriter(directory, new IndexWriterConfig())) {
      addTitles(plain, MANY);
      addBlocks(plain, MANY);
    }
    DeltaConfig config = config(QUERIES).scoredField("title").mostLookedAt(MANY).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(), config)) {
      writer.nextPages(3);
      assertThat(troubles).isEmpty();
      addBlocks(writer, 2 * MANY);
      writer.commit();
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .startsWith("none of the first 120 pages has any of the workload's 1 terms in field body");
  }

  /** The last pages that would be looked at have it, and one is misspelt beside it. */
  @Test
  void aFieldThatFewOfManyPagesHaveIsNotToldToWritersOfOthers() throws IOException {
    int many = MANY + 200;
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain = new IndexWriter(directory, new IndexWriterConfig())) {
      Document page = new Document();
      StringField key = new StringField("url", "", Field.Store.NO);
      page.add(key);
      TextField body = new TextField("body", "", Field.Store.NO);
      page.add(body);
      for (int i = 0; i < many; i++) {
        key.setStringValue("p" + i);
        body.setStringValue("alpha" + " beta".repeat(i % 5)); // else nothing tells pages apart
        plain.addDocument(page);
      }
    }
    DeltaConfig config =
        config(QUERIES).scoredField("award").scoredField("tilte").mostLookedAt(MANY).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      new DeltaIndexWriter(directory, new IndexWriterConfig(), config).close();
      List<String> awarded = storedPages("unawarded").subList(many - 50, many);
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(directory, new IndexWriterConfig(), config)) {
        for (String last : awarded) {
          writer.updateDocument(new Term("url", last), page(last, "alpha"));
        }
        writer.commit();
        writer.rebuild();
      }
      assertThat(storedPages("awarded").subList(0, MANY)).doesNotContainAnyElementsOf(awarded);
    }
    troubles.clear();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(), config)) {
      for (int i = 0; i < 120; i++) {
        writer.addDocument(page("new" + i, "none"));
      }
      writer.commit();
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("none of the first 120 pages", "in field tilte: is this a field that is");
  }

  /** In the order in which they are looked at. */
  private List<String> storedPages(String name) throws IOException {
    Path copy = folder.resolve(name);
    FolderCopy.make(folder.resolve("index.delta"), copy);
    List<String> stored = new ArrayList<>();
    try (Directory files = FSDirectory.open(copy)) {
      Manifest manifest = Manifest.read(files);
      try (PageStore store =
          PageStore.open(copy, manifest.pagesNumber, manifest.pagesCapacity, FaultPoints.NONE)) {
        store.forEach((key, page) -> stored.add(new String(key, StandardCharsets.UTF_8)));
      }
    }
    return stored;
  }

  private static Document page(String key, String award) {
    Document page = new Document();
    page.add(new StringField("url", key, Field.Store.NO));
    page.add(new TextField("body", "alpha beta", Field.Store.NO));
    page.add(new TextField("award", award, Field.Store.NO));
    return page;
  }

  private static void addBlocks(IndexWriter writer) throws IOException {
    addBlocks(writer, 0);
  }

  private static void addBlocks(IndexWriter writer, int first) throws IOException {
    for (int page = first; page < first + 120; page++) {
      Document child = new Document();
      child.add(new TextField("body", "alpha beta", Field.Store.NO));
      Document parent = new Document();
      parent.add(new StringField("url", "p" + page, Field.Store.NO));
      writer.addDocuments(List.of(child, parent));
    }
  }

  @Test
  void aFieldThatFewPagesHaveIsNotToldToWritersOfOthers() throws IOException {
    indexWithAwards(0, 120, 0);
    indexWithAwards(1, 120, -1);
    indexWithAwards(1, 120, -1);
    assertThat(troubles).isEmpty();
  }

  @Test
  void norIsItWhereTheStatisticsAreOlderThanThePagesThatHaveIt() throws IOException {
    indexWithAwards(0, 90, -1);
    indexWithAwards(90, 95, -1); // for which statistics are read
    indexWithAwards(95, 96, 95);
    indexWithAwards(96, 200, -1);
    assertThat(troubles).isEmpty();
    indexWithAwards(95, 200, -1);
    indexWithAwards(0, 100, -1);
    assertThat(troubles).singleElement().asString().contains("first 100 pages", "in field award:");
  }

  private void indexWithAwards(int from, int to, int awarded) throws IOException {
    DeltaConfig config = config(QUERIES).scoredField("award").build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int page = from; page < to; page++) {
        Document document = new Document();
        document.add(new StringField("url", "p" + page, Field.Store.NO));
        document.add(new TextField("body", "alpha beta", Field.Store.NO));
        document.add(new TextField("award", page == awarded ? "alpha" : "none", Field.Store.NO));
        writer.updateDocument(new Term("url", "p" + page), document);
      }
      writer.commit();
    }
  }

  @Test
  void aMisspeltFieldBesideOthersIsTold() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(QUERIES)
            .keyField("url")
            .scoredField("tilte")
            .scoredField("body")
            .listener(new Troubles(troubles))
            .build();
    index("few", config, 40, OpenMode.CREATE);
    assertThat(troubles).isEmpty();
    index("index", config, 120, OpenMode.CREATE);
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("none of the first 120 pages", "in field tilte: is this a field that is");
  }

  @Test
  void aMisspeltKeyFieldIsTold() throws IOException {
    DeltaConfig config = config(QUERIES).keyField("uri").build();
    DeltaStatus status = index("index", config, 120);
    assertThat(troubles)
        .hasSize(2)
        .allMatch(told -> told.startsWith("none of the 120 documents has a key in field uri, so"));
    assertThat(kinds).containsOnly(Trouble.SETUP);
    assertThat(status.toString()).contains(", 120 documents without a key, ");
  }

  @Test
  void anotherKeyFieldThanBeforeIsToldOnce() throws IOException {
    DeltaConfig byId = config(QUERIES).keyField("id").build();
    DeltaConfig byUrl = config(QUERIES).build();
    indexByBothKeys("index", byId);
    indexByBothKeys("index", byId);
    assertThat(troubles).isEmpty();
    indexByBothKeys("index", byUrl);
    indexByBothKeys("index", byUrl);
    assertThat(troubles)
        .containsExactly(
            "pages were named by field id until now and are named by field url: a page goes on with"
                + " what is known by its key in field url, if anything is, and begins anew otherwise;"
                + " histories, leases and what crawlers told by other keys stay with these. If field"
                + " id still names the pages, close the writer and name it by"
                + " DeltaConfig.Builder.keyField");
    assertThat(kinds).containsExactly(Trouble.SETUP);

    indexByBothKeys("index", byId);
    assertThat(troubles).hasSize(2);
    assertThat(refreshesOf("4711", byId)).as("those of the former key, and one more").isEqualTo(3);
  }

  private int refreshesOf(String page, DeltaConfig config) throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      return writer.explain(page).orElseThrow().refreshes().size();
    }
  }

  @Test
  void aKeyFieldThatNamedNoPageIsSetRightWithoutATrouble() throws IOException {
    indexByBothKeys("index", config(QUERIES).keyField("uri").build());
    indexByBothKeys("index", config(QUERIES).keyField("id").build());
    assertThat(troubles).isEmpty();
  }

  private void indexByBothKeys(String name, DeltaConfig config) throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int page = 0; page < 3; page++) {
        Document document = new Document();
        document.add(new StringField("url", "https://a.test/" + page, Field.Store.NO));
        document.add(new StringField("id", "471" + page, Field.Store.NO));
        document.add(new TextField("body", "alpha beta", Field.Store.NO));
        writer.updateDocument(new Term("id", "471" + page), document);
      }
      writer.commit();
    }
  }

  /** As where a page is cut into several documents, all of its key. */
  @Test
  void severalDocumentsOfEachKeyAreTold() throws IOException {
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, settings, config(QUERIES).build())) {
      for (int copies : List.of(1, 3, 3)) {
        for (int page = 0; page < 100; page++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + page, Field.Store.NO));
          document.add(new TextField("body", "alpha beta", Field.Store.NO));
          Term key = new Term("url", "p" + page);
          writer.updateDocuments(key, Collections.nCopies(copies, document));
        }
        writer.commit();
        assertThat(troubles).hasSize(copies > 1 ? 1 : 0);
      }
    }
    assertThat(troubles)
        .containsExactly(
            "300 documents have 100 keys in field url: of those of one key the last alone is"
                + " measured, and commits read the index back; give each a key of its own, or the"
                + " key to one of them alone");
  }

  /** As where long pages alone are cut into several documents. */
  @ParameterizedTest
  @ValueSource(ints = {9, 10})
  void severalDocumentsOfATenthOfTheKeysAreToldAndOfFewerNot(int cut) throws IOException {
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, settings, config(QUERIES).build())) {
      for (int page = 0; page < 100; page++) {
        Document document = new Document();
        document.add(new StringField("url", "p" + page, Field.Store.NO));
        document.add(new TextField("body", "alpha beta", Field.Store.NO));
        Term key = new Term("url", "p" + page);
        writer.updateDocuments(key, Collections.nCopies(page < cut ? 2 : 1, document));
      }
      writer.commit();
      assertThat(writer.status().extraCopies()).isEqualTo(cut);
    }
    if (cut < 10) {
      assertThat(troubles).isEmpty();
    } else {
      assertThat(troubles)
          .singleElement()
          .asString()
          .startsWith("110 documents have 100 keys in field url");
    }
  }

  /** Points and stored values have no terms, as fields that no document has. */
  @Test
  void aFetchTimeFieldThatNoDocumentFillsIsTold() throws IOException {
    DeltaConfig config = config(QUERIES).fetchTimeField("fetched").build();
    indexTimed("few", config, 30, new LongPoint("fetched", 5));
    assertThat(troubles).as("few pages tell nothing").isEmpty();
    indexTimed("points", config, 120, new LongPoint("fetched", 5));
    indexTimed("stored", config, 120, new StoredField("fetched", "2024-01-01T00:00:00Z"));
    indexTimed("misspelt", config, 120, new StringField("fetch", "2024-01-01", Field.Store.NO));
    assertThat(troubles)
        .containsOnly(
            "none of the first 120 pages has a fetch time in field fetched, so each counts as"
                + " fetched when it is committed: give each page's document the field that"
                + " DeltaConfig.fetchTime makes, or name the one that has its fetch time by"
                + " DeltaConfig.Builder.fetchTimeField")
        .as("once each")
        .hasSize(3);
  }

  @Test
  void aFetchTimeFieldThatSomeDocumentFillsIsAsItShouldBe() throws IOException {
    DeltaConfig config = config(QUERIES).fetchTimeField("fetched").build();
    indexTimed("index", config, 120, config.fetchTime(Instant.parse("2024-01-01T00:00:00Z")));
    assertThat(troubles).isEmpty();
  }

  /** As of a nightly job, no writer of which sees pages enough. */
  @Test
  void aFetchTimeFieldThatNoDocumentFillsIsToldByWritersOfFewPages() throws IOException {
    DeltaConfig config = config(QUERIES).fetchTimeField("fetchd").build();
    IndexableField time = new StringField("fetched", "2024-01-01T00:00:00Z", Field.Store.NO);
    indexFew("index", config, 0, 60, new BytesRef("p"), time);
    indexFew("index", config, 60, 60, new BytesRef("p"), time);
    assertThat(troubles).as("sixty pages tell nothing").isEmpty();
    indexFew("index", config, 120, 60, new BytesRef("p"), time);
    assertThat(troubles)
        .as("once, of two batches")
        .singleElement()
        .asString()
        .startsWith("none of the 120 indexed pages has a fetch time in field fetchd, so each");
  }

  /** The pages that an index has had before anything was measured. */
  @Test
  void aFetchTimeFieldThatNewPagesFillOrEarlierOnesDidIsAsItShouldBe() throws IOException {
    DeltaConfig none = config(QUERIES).build();
    DeltaConfig config = config(QUERIES).fetchTimeField("fetched").build();
    IndexableField time = config.fetchTime(Instant.parse("2024-01-01T00:00:00Z"));
    IndexableField other = new StoredField("other", "");
    indexFew("index", none, 0, 120, new BytesRef("p"), other);
    indexFew("index", config, 120, 20, new BytesRef("p"), time);
    indexFew("index", config, 140, 20, new BytesRef("p"), other);
    assertThat(troubles).isEmpty();
  }

  @Test
  void keysThatAreNoUtf8AreToldByWritersOfFewPages() throws IOException {
    DeltaConfig config = config(QUERIES).build();
    BytesRef prefix = new BytesRef(new byte[] {(byte) 0xff});
    IndexableField other = new StoredField("other", "");
    indexFew("index", config, 0, 60, prefix, other);
    indexFew("index", config, 60, 60, prefix, other);
    assertThat(troubles).as("sixty pages tell nothing").isEmpty();
    indexFew("index", config, 120, 60, prefix, other);
    assertThat(troubles)
        .as("once, of two batches")
        .singleElement()
        .asString()
        .startsWith("none of the keys in field url of 120 indexed pages is UTF-8, so pages");
    troubles.clear();
    indexFew("index", config, 180, 60, new BytesRef("p"), other);
    indexFew("index", config, 240, 60, prefix, other);
    assertThat(troubles).as("where some are").isEmpty();
  }

  /** One writer with two batches of new pages, numbered from the first on. */
  private void indexFew(
      String name, DeltaConfig config, int first, int pages, BytesRef prefix, IndexableField field)
      throws IOException {
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (Directory directory = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings, config)) {
      for (int page = first; page < first + pages; page++) {
        BytesRefBuilder key = new BytesRefBuilder();
        key.append(prefix);
        key.append(new BytesRef(Integer.toString(page)));
        Document document = new Document();
        document.add(new StringField("url", key.toBytesRef(), Field.Store.NO));
        document.add(new TextField("body", "alpha beta", Field.Store.NO));
        document.add(field);
        writer.addDocument(document);
        if (page == first + pages / 2) {
          writer.commit();
        }
      }
      writer.commit();
    }
  }

  /** Three batches of one writer, the first document of each with a field of its own. */
  private void indexTimed(String name, DeltaConfig config, int pages, IndexableField time)
      throws IOException {
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (Directory directory = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings, config)) {
      for (int batch = 0; batch < 3; batch++) {
        for (int page = 0; page < pages; page++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + batch + "/" + page, Field.Store.NO));
          document.add(new TextField("body", "alpha beta", Field.Store.NO));
          if (page == 0) {
            document.add(time);
          }
          writer.addDocument(document);
        }
        writer.commit();
      }
    }
  }

  @Test
  void measurementsOfAnotherIndexAreTold() throws IOException {
    Path shared = folder.resolve("shared");
    index("one", config(QUERIES).build(), 10);
    index("two", config(QUERIES).statePath(shared).build(), 10);
    assertThat(troubles).isEmpty();
    index("one", config(QUERIES).statePath(shared).build(), 10);
    assertThat(troubles)
        .containsExactly(
            shared
                + " holds the measurements of another index, or this index was last measured into"
                + " another folder: pages of the same key take over the histories that are here. If"
                + " they should not, give each index a folder of its own, see"
                + " DeltaConfig.Builder.statePath");
    troubles.clear();
    try (Directory plain = FSDirectory.open(folder.resolve("three"));
        IndexWriter writer =
            new IndexWriter(plain, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      writer.commit();
    }
    index("three", config(QUERIES).statePath(shared).build(), 10);
    assertThat(troubles).hasSize(1);
    assertThat(troubles.get(0)).startsWith("the index does not know of the measurements in ");
    troubles.clear();
    index("four", config(QUERIES).statePath(shared).build(), 10);
    assertThat(troubles).as("an index that is not there yet").hasSize(1);
    assertThat(troubles.get(0)).startsWith("the index does not know of the measurements in ");
  }

  @Test
  void scoresThatTellNoPageFromAnotherAreTold() throws IOException {
    Map<Similarity, String> sentences =
        Map.of(
            new BooleanSimilarity(),
            "all results of nearly all queries with many results score the same",
            new IndriDirichletSimilarity(),
            "no result of nearly all queries with many results scores more than 0: with this similarity changes of pages are measured as next to nothing, and the order of pages says nothing");
    int number = 0;
    for (Map.Entry<Similarity, String> similarity : sentences.entrySet()) {
      for (Similarity used : List.of(similarity.getKey(), new BM25Similarity())) {
        troubles.clear();
        scored("index" + number++, used);
        if (used instanceof BM25Similarity) {
          assertThat(troubles).isEmpty();
        } else {
          assertThat(troubles).singleElement().asString().startsWith(similarity.getValue());
        }
      }
    }
  }

  /** Three batches of pages of different lengths. */
  private void scored(String name, Similarity similarity) throws IOException {
    IndexWriterConfig writerConfig =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(similarity);
    try (Directory directory = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, writerConfig, config(QUERIES).build())) {
      for (int batch = 0; batch < 3; batch++) {
        for (int page = 0; page < 1_100; page++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + page, Field.Store.NO));
          String body = "alpha ".repeat(1 + (page + batch) % 5) + "word ".repeat(page % 40);
          document.add(new TextField("body", body, Field.Store.NO));
          writer.updateDocument(new Term("url", "p" + page), document);
        }
        writer.commit();
      }
    }
  }

  /** So that no query's first result scores what its last does. */
  @ParameterizedTest
  @ValueSource(strings = {"BooleanSimilarity", "no frequencies", "short titles"})
  void scoresThatTellOnlyWhichFieldsHaveAWordAreTold(String how) throws IOException {
    boolean alike = how.equals("BooleanSimilarity");
    FieldType bare = new FieldType(TextField.TYPE_NOT_STORED);
    if (how.equals("no frequencies")) {
      bare.setIndexOptions(IndexOptions.DOCS);
      bare.setOmitNorms(true);
    }
    IndexWriterConfig settings =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setSimilarity(alike ? new BooleanSimilarity() : new BM25Similarity());
    DeltaConfig config = config(QUERIES).scoredField("title", 3).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings, config)) {
      for (int batch = 0; batch < 3; batch++) {
        for (int page = 0; page < 1_100; page++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + page, Field.Store.NO));
          String text = "alpha" + " word".repeat((page + batch) % 3);
          document.add(new Field("body", text, bare));
          document.add(new Field("title", page % 10 == 0 ? text : "beta", bare));
          writer.updateDocument(new Term("url", "p" + page), document);
        }
        writer.commit();
      }
    }
    if (how.equals("short titles")) {
      assertThat(troubles).as("of which many score the same").isEmpty();
    } else {
      assertThat(troubles)
          .singleElement()
          .asString()
          .startsWith("in each scored field a word scores the same in all pages that have it, so");
      assertThat(kinds).containsExactly(Trouble.SETUP);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anImportanceThatIsTheSameForAllPagesIsToldOnce(Importance.Role role) throws IOException {
    Map<String, Double> links = Map.of("p9", 3.0);
    for (String prefix : List.of("https://", "")) {
      troubles.clear();
      Importance byLinks = new Importance(page -> links.getOrDefault(prefix + page, 1.0), role);
      String name = "index" + prefix.length();
      DeltaConfig config = config(QUERIES).importance(byLinks).build();
      try (Directory directory = FSDirectory.open(folder.resolve(name));
          DeltaIndexWriter writer =
              new DeltaIndexWriter(
                  directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        for (int batch = 0; batch < 3; batch++) {
          for (int page = 0; page < MANY; page++) {
            Document document = new Document();
            document.add(new StringField("url", "p" + page, Field.Store.NO));
            String body = "alpha ".repeat(1 + (page + batch) % 5) + "word ".repeat(page % 40);
            document.add(new TextField("body", body, Field.Store.NO));
            writer.updateDocument(new Term("url", "p" + page), document);
          }
          writer.commit();
        }
      }
      if (prefix.isEmpty()) {
        assertThat(troubles).isEmpty();
      } else {
        assertThat(troubles)
            .containsExactly(
                "importance is 1.0 for all 1000 pages, p0 among them, and tells none from another:"
                    + " does the function given to DeltaConfig.Builder.importance know pages by"
                    + " their keys in field url?");
      }
    }
  }

  @Test
  void anIndexThatWasRestoredFromBeforeIsTold() throws IOException {
    index("index", config(QUERIES).build(), 10, OpenMode.CREATE_OR_APPEND);
    FolderCopy.make(folder.resolve("index"), folder.resolve("backup"));
    index("index", config(QUERIES).build(), 10, OpenMode.CREATE_OR_APPEND);
    index("index", config(QUERIES).build(), 10, OpenMode.CREATE_OR_APPEND);
    assertThat(troubles).isEmpty();
    IOUtils.rm(folder.resolve("index"));
    FolderCopy.make(folder.resolve("backup"), folder.resolve("index"));
    index("index", config(QUERIES).build(), 10, OpenMode.CREATE_OR_APPEND);
    assertThat(troubles)
        .containsExactly(
            "the index is older than the measurements in %s, restored from before perhaps: it holds batch 1, they go on to batch 3. What was measured since is forgotten; changes and addresses that were fetched since are to be told again"
                .formatted(folder.toRealPath().resolve("index.delta")));
    assertThat(kinds).as("nothing to set up otherwise").containsExactly(Trouble.LOST);
  }

  @Test
  void anIndexThatMovedWithoutItsMeasurementsIsTold() throws IOException {
    index("index", config(QUERIES).build(), 10);
    Files.move(folder.resolve("index"), folder.resolve("moved"));
    index("moved", config(QUERIES).build(), 10);
    assertThat(troubles)
        .containsExactly(
            "this index was measured before, but not into %s: histories start anew. To go on with them, close the writer, put the folder that was beside the index in this place, or name its place by DeltaConfig.Builder.statePath, and open it again"
                .formatted(folder.toRealPath().resolve("moved.delta")));
    assertThat(kinds).containsExactly(Trouble.SETUP);
  }

  @Test
  void whoLooksForMeasurementsInTheWrongPlaceIsToldThatThereAreSome() throws IOException {
    Path elsewhere = folder.resolve("elsewhere");
    Path index = folder.toRealPath().resolve("index");
    index("index", config(QUERIES).statePath(elsewhere).build(), 1);
    assertThatThrownBy(() -> DeltaState.open(index))
        .isInstanceOfSatisfying(
            NoSuchFileException.class,
            e -> assertThat(e.getOtherFile()).isEqualTo(index.toString()))
        .hasMessage(
            "index %1$s has no measurements (no folder %1$s.delta); the index was measured, into a folder that is elsewhere or gone: open it with that, by DeltaState.open(index, folder), or let a symbolic link %1$s.delta lead there"
                .formatted(index));
    Files.createDirectory(folder.resolve("index.delta"));
    assertThatThrownBy(() -> DeltaState.open(index))
        .hasMessageStartingWith("folder " + index + ".delta holds no measurements; the index was");
    DeltaState.open(index, elsewhere).close();

    Path plain = folder.toRealPath().resolve("plain");
    try (Directory directory = FSDirectory.open(plain);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.commit();
    }
    assertThatThrownBy(() -> DeltaState.open(plain))
        .isInstanceOfSatisfying(
            NoSuchFileException.class, e -> assertThat(e.getOtherFile()).isNull())
        .hasMessageEndingWith("; index it with a DeltaIndexWriter first");
  }

  /** As it was told to, after a commit into a folder of other measurements. */
  @Test
  void whoPutsTheMeasurementsBackIsNotToldThatTheyMustBeOfAnotherIndex() throws IOException {
    Path other = folder.resolve("other");
    index("index", config(QUERIES).build(), 10);
    index("index", config(QUERIES).statePath(other).build(), 10);
    assertThat(troubles).singleElement().asString().contains("put the folder that was beside");
    troubles.clear();
    IOUtils.rm(other);
    Files.move(folder.resolve("index.delta"), other);
    index("index", config(QUERIES).statePath(other).build(), 10);
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("or this index was last measured into another folder");
    try (DeltaState state = DeltaState.open(folder.resolve("index"), other)) {
      assertThat(state.explain("p1").orElseThrow().refreshes()).as("go on").hasSize(4);
    }
  }
}
