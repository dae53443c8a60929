// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SoftDeletesRetentionMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Updates by key that delete softly are settled as those that delete hard are, without the index,
 * also where segments are merged on commit; what such an update can do beside that is not missed.
 */
class SoftUpdatesTest {
  /** How many random runs a setting has; {@code -Dseeds=500 -Dfirst.seed=1} for a long look. */
  private static final int SEEDS = Integer.getInteger("seeds", 6);

  private static final long FIRST = Long.getLong("first.seed", 1);
  private static final int BATCHES = 8;

  @TempDir Path folder;

  private Directory index;
  private DeltaIndexWriter writer;
  private String store; // its file, another one once it was built anew

  /** Merges all segments on commit once there are three. */
  private static final class MergesOnCommit extends FilterMergePolicy {
    MergesOnCommit() {
      super(new LogDocMergePolicy());
    }

    @Override
    public MergeSpecification findFullFlushMerges(
        MergeTrigger trigger, SegmentInfos segments, MergeContext context) {
      if (segments.size() < 3) {
        return null;
      }
      MergeSpecification merges = new MergeSpecification();
      merges.add(new OneMerge(segments.asList()));
      return merges;
    }
  }

  private static IndexWriterConfig settings() {
    return new IndexWriterConfig(new WhitespaceAnalyzer())
        .setSoftDeletesField("gone")
        .setMergePolicy(new MergesOnCommit())
        .setMergeScheduler(new SerialMergeScheduler())
        .setMaxFullFlushMergeWaitMillis(60_000);
  }

  private void open(IndexWriterConfig settings, String... pages) throws IOException {
    index = new ByteBuffersDirectory();
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .build();
    writer = new DeltaIndexWriter(index, settings, config);
    for (String page : pages) {
      put(page, 1);
    }
    writer.commit();
    writer.status();
    store = storeFile();
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    index.close();
  }

  private static Term key(String page) {
    return new Term("url", page);
  }

  private static NumericDocValuesField gone() {
    return new NumericDocValuesField("gone", 1);
  }

  private static Document document(String page, int alphas) {
    Document document = new Document();
    if (page != null) {
      document.add(new StringField("url", page, Field.Store.NO));
    }
    document.add(new TextField("body", "alpha ".repeat(alphas), Field.Store.NO));
    document.add(new NumericDocValuesField("sort", -alphas));
    return document;
  }

  private static Document deleted(String page, int alphas) {
    Document document = document(page, alphas);
    document.add(gone());
    return document;
  }

  private void put(String page, int alphas) throws IOException {
    writer.softUpdateDocument(key(page), document(page, alphas), gone());
  }

  private void flush() throws IOException {
    DirectoryReader.open(writer).close();
  }

  private String storeFile() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("state"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.startsWith("pages_"))
          .reduce((one, two) -> one + " " + two)
          .orElseThrow();
    }
  }

  /** The pages with the frequencies in their vectors, and what else is counted. */
  private String told() throws IOException {
    Map<String, Integer> pages = new TreeMap<>();
    writer.withHistories(histories -> histories.forEach(page -> pages.put(page.page(), 0)));
    StringBuilder told = new StringBuilder();
    PageEntry entry = new PageEntry();
    for (String page : pages.keySet()) {
      writer.measurer().page(new BytesRef(page), entry);
      entry.vector.rewind();
      told.append(page).append(entry.vector.next() ? entry.vector.frequency() : 0).append(' ');
    }
    DeltaStatus status = writer.status();
    assertThat(status.pages()).isEqualTo(pages.size());
    return told + "%d keyless, %d extra".formatted(status.keylessDocuments(), status.extraCopies());
  }

  private int segments() throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(index)) {
      return reader.leaves().size();
    }
  }

  /** Commits, all in one segment. */
  private void commitMerged() throws IOException {
    writer.forceMerge(1);
    writer.commit();
    assertThat(segments()).isLessThan(2);
  }

  /** What is told is so, and is what the index tells when it is read. */
  private void isTold(String expected) throws IOException {
    assertThat(told()).isEqualTo(expected);
    writer.rebuild();
    assertThat(told()).as("built anew").isEqualTo(expected);
    store = storeFile();
  }

  private void isToldWithoutTheIndex(String expected) throws IOException {
    assertThat(told()).isEqualTo(expected);
    assertThat(storeFile()).as("not built anew").isEqualTo(store);
    isTold(expected);
  }

  @Test
  void whatIsMergedOnCommitIsSettledWithoutTheIndex() throws IOException {
    open(settings(), "a", "b", "c");
    put("a", 2);
    put("new", 3);
    flush();
    put("b", 4);
    writer.commit();
    assertThat(segments()).as("merged").isEqualTo(1);
    isToldWithoutTheIndex("a2 b4 c1 new3 0 keyless, 0 extra");
  }

  @Test
  void theLastOfSeveralUpdatesOfAPageInASegmentCounts() throws IOException {
    open(settings(), "a", "b", "c");
    put("a", 5);
    put("b", 2);
    put("a", 3);
    put("a", 4);
    writer.updateDocument(key("c"), document("c", 2));
    put("c", 3);
    commitMerged();
    isToldWithoutTheIndex("a4 b2 c3 0 keyless, 0 extra");
  }

  @Test
  void pagesReplacedByDocumentsOfAnotherKeyOrNoneAreSettledWithoutTheIndex() throws IOException {
    open(settings(), "a", "b", "c");
    put("c", 2);
    flush();
    writer.softUpdateDocument(key("a"), document("moved", 4), gone());
    writer.softUpdateDocument(key("b"), document(null, 1), gone());
    writer.softUpdateDocument(key("c"), document("a", 3), gone());
    commitMerged();
    isToldWithoutTheIndex("a3 moved4 1 keyless, 0 extra");
  }

  /** Which came last, the order of documents does not tell then. */
  @Test
  void ofSeveralUpdatesOfAPageInASortedSegmentTheIndexTellsTheLast() throws IOException {
    open(settings().setIndexSort(new Sort(new SortField("sort", SortField.Type.LONG))), "a", "b");
    put("a", 5);
    put("a", 3);
    put("b", 2);
    put("b", 4);
    commitMerged();
    isTold("a3 b4 0 keyless, 0 extra");
  }

  @Test
  void blocksAreSettledWithoutTheIndex() throws IOException {
    open(settings(), "a", "b");
    List<Document> block = List.of(document(null, 7), document("a", 2));
    writer.softUpdateDocuments(key("a"), List.of(document("a", 6)), gone());
    writer.softUpdateDocuments(key("a"), block, gone());
    commitMerged();
    isToldWithoutTheIndex("a2 b1 1 keyless, 0 extra");
  }

  @Test
  void aDocumentThatComesDeletedTakesItsPageAway() throws IOException {
    open(settings(), "a", "b", "c");
    put("a", 2);
    writer.softUpdateDocument(key("a"), deleted("a", 3), gone());
    writer.softUpdateDocuments(key("b"), List.of(deleted("b", 3)), gone());
    put("c", 2);
    commitMerged();
    isTold("c2 0 keyless, 0 extra");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeletedDocumentThatIsAddedIsNotThePage(boolean updatedBefore) throws IOException {
    open(settings(), "a", "b");
    if (updatedBefore) {
      put("a", 2);
    }
    writer.addDocument(deleted("a", 7));
    writer.updateDocument(key("b"), document("b", 3));
    commitMerged();
    isTold("a%d b3 0 keyless, 0 extra".formatted(updatedBefore ? 2 : 1));
  }

  @Test
  void aFurtherCopyThatIsAddedToASegmentIsCounted() throws IOException {
    open(settings(), "a", "b");
    put("a", 2);
    writer.addDocument(document("a", 3));
    commitMerged();
    assertThat(writer.status().extraCopies()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDocumentOfTwoKeysThatIsReplacedByTheSecondIsNotThePageOfTheFirst(boolean softly)
      throws IOException {
    open(settings(), "a", "b");
    Document both = document("a", 7);
    both.add(new StringField("url", "b", Field.Store.NO));
    if (softly) {
      writer.softUpdateDocument(key("b"), both, gone());
      put("b", 2);
    } else {
      writer.updateDocument(key("b"), both);
      flush(); // or it would not be captured
      writer.updateDocument(key("b"), document("b", 2));
    }
    commitMerged();
    isTold("a1 b2 0 keyless, 0 extra");
  }

  /** What it leaves live does not make up for a page that left unnoticed. */
  @ParameterizedTest
  @ValueSource(strings = {"other field", "no value", "value and none"})
  void anUpdateThatDeletesNothingDoesNotHideADeletion(String kind) throws IOException {
    open(settings(), "a", "b");
    Document both = document("c", 7);
    both.add(new StringField("url", "d", Field.Store.NO));
    writer.addDocument(both);
    writer.commit();
    put("b", 1);
    writer.commit(); // or what was added would be looked up with the next batch, too
    assertThat(told()).isEqualTo("a1 b1 c7 0 keyless, 0 extra");
    Field none = new NumericDocValuesField("gone", null);
    Field[] softDeletes =
        switch (kind) {
          case "other field" -> new Field[] {new NumericDocValuesField("other", 1)};
          case "no value" -> new Field[] {none};
          default -> new Field[] {gone(), none};
        };
    writer.softUpdateDocument(key("a"), document("a", 3), softDeletes);
    put("d", 1); // takes "c" away
    commitMerged();
    String told = told();
    writer.rebuild();
    assertThat(told).isEqualTo(told()).doesNotContain("c7");
    assertThat(writer.status().pages() + writer.status().extraCopies()).isEqualTo(live());
  }

  @Test
  void anUpdateOfWhatATermOfAnotherFieldFindsIsNotMissed() throws IOException {
    open(settings(), "a", "b");
    writer.softUpdateDocument(new Term("body", "alpha"), document("a", 3), gone());
    commitMerged();
    isTold("a3 0 keyless, 0 extra");
  }

  private int live() throws IOException {
    try (DirectoryReader reader = new CommittedIndex(index, "gone").openLatest()) {
      return reader.numDocs();
    }
  }

  private static MergePolicy retention() {
    return new SoftDeletesRetentionMergePolicy(
        "gone", () -> MatchAllDocsQuery.INSTANCE, settings().getMergePolicy());
  }

  /** How many batches were settled, and without the index. */
  private record Settled(int batches, int merged, int alone) {
    Settled plus(Settled more) {
      return new Settled(batches + more.batches, merged + more.merged, alone + more.alone);
    }
  }

  @ParameterizedTest(name = "updates alone {0}, sorted {1}, history kept {2}")
  @CsvSource({
    "true, false, false", "true, true, false", "true, false, true",
    "false, false, false", "false, true, false", "false, false, true"
  })
  void whateverIsUpdatedSoftlyIsAsTheIndexHasIt(boolean alone, boolean sorted, boolean kept)
      throws IOException {
    Settled all = new Settled(0, 0, 0);
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      all = all.plus(run(seed, alone, sorted, kept));
    }
    assertThat(all.merged()).as("batches that were merged on commit: %s", all).isGreaterThan(SEEDS);
    assertThat(all.alone()).as("settled without the index: %s", all).isGreaterThan(SEEDS);
  }

  private Settled run(long seed, boolean alone, boolean sorted, boolean kept) throws IOException {
    Random random = new Random(seed);
    IndexWriterConfig settings = settings();
    if (kept) {
      settings.setMergePolicy(retention());
    }
    if (sorted) {
      settings.setIndexSort(new Sort(new SortField("sort", SortField.Type.LONG)));
    }
    open(settings, "p0", "p1", "p2", "p3");
    int withoutIndex = 0;
    int merged = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      int before = segments();
      int flushes = 0;
      for (int i = random.nextInt(9); i >= 0; i--) {
        operation(random, alone ? 0 : random.nextInt(30));
        if (random.nextInt(6) == 0) {
          flush();
          flushes++;
        }
      }
      writer.commit();
      merged += segments() < before + flushes + 1 ? 1 : 0;
      String told = told();
      withoutIndex += storeFile().equals(store) ? 1 : 0;
      writer.rebuild();
      assertThat(comparable(told))
          .as("seed %d, batch %d", seed, batch)
          .isEqualTo(comparable(told()));
      store = storeFile();
    }
    close();
    return new Settled(BATCHES, merged, withoutIndex);
  }

  /** Which of several live documents of a key is the page can change when segments are merged. */
  private static String comparable(String told) {
    return told.endsWith(" 0 extra") ? told : told.replaceAll("(p\\d)\\d", "$1");
  }

  private void operation(Random random, int kind) throws IOException {
    String page = "p" + random.nextInt(6);
    int alphas = 1 + random.nextInt(9);
    switch (kind) {
      case 1 -> writer.updateDocument(key(page), document(page, alphas));
      case 2 -> writer.deleteDocuments(key(page));
      case 3 -> writer.softUpdateDocument(key(page), deleted(page, alphas), gone());
      case 4 -> writer.addDocument(deleted(page, alphas));
      case 5 -> {
        List<Document> block = new ArrayList<>(List.of(document(page, alphas)));
        writer.softUpdateDocuments(key(page), block, gone());
      }
      case 6 -> writer.softUpdateDocument(key("p1"), document(page, alphas), gone());
      default -> put(page, alphas);
    }
  }
}
