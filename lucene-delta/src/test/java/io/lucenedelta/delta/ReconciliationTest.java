// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReconciliationTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final long FIRST_SEEN = day(9);
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final DeltaConfig CONFIG =
      DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
          .keyField("url")
          .scoredField("body")
          .fetchTimeField("fetched")
          .clock(() -> START.plus(Duration.ofDays(20)))
          .build();

  @TempDir Path folder;

  private final Directory files = new ByteBuffersDirectory();
  private final Directory index = new ByteBuffersDirectory();
  private final PageEntry entry = new PageEntry();
  private PageStore target;
  private Reconciliation pages;
  private IndexWriter writer;

  @BeforeEach
  void open() throws IOException {
    target = PageStore.create(folder, 2, 10, FaultPoints.NONE);
    WorkloadTerms terms = WorkloadTerms.of(CONFIG.workload());
    pages = new Reconciliation(CONFIG, terms, folder, target, FIRST_SEEN);
    IndexWriterConfig unmerged = new IndexWriterConfig(new WhitespaceAnalyzer());
    writer = new IndexWriter(index, unmerged.setMergePolicy(NoMergePolicy.INSTANCE));
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    target.close();
  }

  private static long day(int day) {
    return START.plus(Duration.ofDays(day)).toEpochMilli();
  }

  private static Refresh fetched(int day) {
    return new Refresh(1, day(day), false, 0, 0, -1, null, 0, 0, null);
  }

  private static Refresh measured(int day, double change, float usefulness) {
    return new Refresh(2, day(day), true, DAY, change, usefulness, null, 0, 0, null);
  }

  private static Refresh candidate(int day, String segment, int document, long hash) {
    return new Refresh(3, day(day), true, DAY, 1, 5, segment, document, hash, null);
  }

  private void write(String name, Map<String, List<Refresh>> refreshes) throws IOException {
    try (RefreshFile.Writer file = new RefreshFile.Writer(files, name)) {
      for (Map.Entry<String, List<Refresh>> page : new TreeMap<>(refreshes).entrySet()) {
        file.page(new BytesRef(page.getKey()), page.getValue());
      }
      file.finish();
    }
  }

  /** Adds a document, without a key or a time where they are null. */
  private void add(String page, String body, Integer day) throws IOException {
    Document document = new Document();
    if (page != null) {
      document.add(new StringField("url", page, Field.Store.NO));
    }
    if (day != null) {
      document.add(CONFIG.fetchTime(START.plus(Duration.ofDays(day))));
    }
    document.add(new TextField("body", body, Field.Store.NO));
    writer.addDocument(document);
  }

  private void readIndex() throws IOException {
    writer.commit();
    try (DirectoryReader reader = DirectoryReader.open(index)) {
      pages.readIndex(reader);
    }
  }

  /**
   * What the store holds of a page: whether it is there, when it was fetched, what it was worth.
   */
  private String stored(String page) {
    if (!target.get(new BytesRef(page), entry)) {
      return "nothing";
    }
    return "%s%s%s, %d measured, worth %.0f, useful %.0f"
        .formatted(
            entry.present ? "there, " : "",
            entry.unrecorded ? "unrecorded, " : "",
            entry.fetched() ? "day " + (entry.lastRefresh - day(0)) / DAY : "never",
            entry.refreshes,
            entry.totalGain,
            entry.usefulness);
  }

  @Test
  void fromRefreshFilesEachPageHasTheSumsOfItsOwnRefreshes() throws IOException {
    write("first", Map.of("a", List.of(fetched(1)), "b", List.of(fetched(2))));
    write(
        "second",
        Map.of(
            "a", List.of(measured(3, 4, 7), measured(4, 2, -1)),
            "c", List.of(Refresh.useful(2, 6)),
            "d", List.of(Refresh.useful(2, -1)),
            "e", List.of(measured(5, 1, -1))));
    write("visits", Map.of("b", List.of(measured(6, 0, -1)), "z", List.of(measured(6, 0, -1))));
    pages.addHistory(files, List.of("first", "second"));
    pages.addVisits(files, "visits");
    assertThat(stored("a")).isEqualTo("day 4, 2 measured, worth 6, useful 7");
    assertThat(stored("b")).isEqualTo("day 6, 1 measured, worth 0, useful -1");
    assertThat(stored("c")).isEqualTo("never, 0 measured, worth 0, useful 6");
    assertThat(stored("d")).as("of which nothing is known").isEqualTo("nothing");
    assertThat(stored("e")).isEqualTo("day 5, 1 measured, worth 1, useful -1");
    assertThat(stored("z")).as("that was visited and never recorded").isEqualTo("nothing");
  }

  @Test
  void fromAnotherStoreComesWhatIsNotReadFromTheIndex() throws IOException {
    try (PageStore source = PageStore.create(folder, 1, 10, FaultPoints.NONE)) {
      PageEntry known = new PageEntry();
      for (String page : List.of("recorded", "unrecorded", "useful")) {
        known.clear();
        known.present = true;
        known.add(page.equals("recorded") ? measured(3, 4, 7) : fetched(3));
        known.usefulness = page.equals("unrecorded") ? -1 : 7;
        known.unrecorded = !page.equals("recorded");
        known.vector.copyFrom(new byte[] {1, 2, 3}, 0, 3);
        source.put(new BytesRef(page), known);
      }
      pages.addHistory(source);
    }
    assertThat(stored("recorded")).isEqualTo("day 3, 1 measured, worth 4, useful 7");
    assertThat(entry.vector.length()).isZero();
    assertThat(stored("unrecorded")).isEqualTo("nothing");
    assertThat(stored("useful")).isEqualTo("never, 0 measured, worth 0, useful 7");
    assertThat(entry.vector.length()).isZero();
  }

  /** Without a word of the workload both have the vector that a page has that is not there. */
  @Test
  void whatUsersGetFromAPageThatCameBackIsNotThatOfTheTextThatLeft() throws IOException {
    try (PageStore source = PageStore.create(folder, 1, 10, FaultPoints.NONE)) {
      PageEntry known = new PageEntry();
      for (String page : List.of("stayed", "came back")) {
        known.clear();
        known.present = page.equals("stayed");
        known.add(measured(3, 4, 7));
        source.put(new BytesRef(page), known);
      }
      pages.addHistory(source);
      add("stayed", "beta", 4);
      add("came back", "beta", 4);
      readIndex();
    }
    assertThat(stored("stayed")).isEqualTo("there, day 3, 1 measured, worth 4, useful 7");
    assertThat(stored("came back")).isEqualTo("there, day 3, 1 measured, worth 4, useful -1");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDocumentTellsWhenItWasFetchedWhereNoRefreshDoesOrItsTimeIsTakenAndLater(boolean taken)
      throws IOException {
    write(
        "history",
        Map.of(
            "before", List.of(fetched(2)),
            "after", List.of(fetched(6)),
            "silent", List.of(fetched(2)),
            "gone", List.of(fetched(2))));
    pages.addHistory(files, List.of("history"));
    if (taken) {
      pages.takeTimes();
    }
    for (String page : List.of("before", "after", "new", "gone")) {
      add(page, "alpha", 4);
    }
    add("silent", "alpha", null);
    add("unknown", "alpha", null);
    add(null, "alpha", 4);
    writer.commit();
    writer.deleteDocuments(new Term("url", "gone"));
    add("twice", "alpha", 8);
    add("twice", "alpha alpha", 3);
    add("twice", "alpha", 5);
    readIndex();
    String rest = ", 0 measured, worth 0, useful -1";
    assertThat(stored("before")).isEqualTo("there, day " + (taken ? 4 : 2) + rest);
    assertThat(stored("after")).isEqualTo("there, day 6" + rest);
    assertThat(stored("silent")).isEqualTo("there, day 2" + rest);
    assertThat(stored("new")).isEqualTo("there, unrecorded, day 4" + rest);
    assertThat(stored("unknown")).as("first seen").isEqualTo("there, unrecorded, day 9" + rest);
    assertThat(stored("twice")).as("the last one").isEqualTo("there, unrecorded, day 5" + rest);
    assertThat(entry.vector.length()).isPositive();
    assertThat(stored("gone")).isEqualTo("day 2" + rest);
    assertThat(pages.present()).isEqualTo(6);
    assertThat(pages.extraCopies()).isEqualTo(2);
    assertThat(pages.keyless()).isEqualTo(1);
    assertThat(pages.refreshes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCandidateThatADocumentIsOrWasMergedIntoIsARefresh(boolean alike) throws IOException {
    add("none", "alpha", 1);
    writer.commit();
    add("there", "alpha", 4);
    add("elsewhere", "alpha", 4);
    add("merged", "alpha alpha", 4);
    add("merged before", "alpha", 4);
    add("other text", "alpha", 4);
    add("other time", "alpha", 4);
    writer.commit();
    add("last", "alpha", 1);
    writer.commit();
    Map<String, Long> hashes = new HashMap<>();
    String segment;
    try (DirectoryReader reader = DirectoryReader.open(index)) {
      segment = IndexPages.segmentName(reader.leaves().get(1).reader());
      new IndexPages(CONFIG, WorkloadTerms.of(CONFIG.workload()), folder)
          .read(
              reader.leaves().subList(1, 2),
              (key, name, doc, at, vector) -> hashes.put(key.utf8ToString(), vector.hash()));
    }
    write("history", Map.of("there", List.of(measured(2, 4, 7)), "merged", List.of(fetched(2))));
    write(
        "candidates",
        Map.of(
            "there", List.of(candidate(4, segment, 0, 0)),
            "elsewhere", List.of(candidate(4, segment, 0, hashes.get("elsewhere"))),
            "merged", List.of(candidate(4, "_", 0, 0), merged(4, hashes.get("merged"))),
            "merged before", List.of(gone(4, hashes.get("merged before"))),
            "other text", List.of(merged(4, hashes.get("merged"))),
            "other time", List.of(merged(3, hashes.get("other time"))),
            "deleted", List.of(merged(4, hashes.get("merged")))));
    pages.addHistory(files, List.of("history"));
    pages.addCandidates(files, "candidates", new ClosedBatch(3, null, alike, Set.of("_00"), false));
    readIndex();
    pages.settle(files, "candidates", "live");
    assertThat(stored("there")).isEqualTo("there, day 4, 2 measured, worth 5, useful 5");
    assertThat(stored("merged")).isEqualTo("there, day 4, 1 measured, worth 1, useful 5");
    String untouched = "there, unrecorded, day 4, 0 measured, worth 0, useful -1";
    String refreshed = "there, day 4, 1 measured, worth 1, useful 5";
    assertThat(stored("elsewhere")).isEqualTo(untouched);
    assertThat(stored("merged before")).isEqualTo(untouched);
    assertThat(stored("other text")).isEqualTo(alike ? untouched : refreshed);
    assertThat(stored("other time")).isEqualTo(untouched);
    assertThat(stored("deleted")).isEqualTo("nothing");
    Refresh live = new Refresh(3, day(4), true, DAY, 1, 5, null, 0, 0, null);
    Map<String, Refresh> expected = new HashMap<>();
    expected.put("merged", live);
    expected.put("there", live);
    if (!alike) {
      expected.put("other text", live);
    }
    assertThat(read("live")).isEqualTo(expected);
    assertThat(pages.refreshes()).isEqualTo(expected.size());
    assertThat(pages.change()).isEqualTo(expected.size());
  }

  private Map<String, Refresh> read(String name) throws IOException {
    Map<String, Refresh> refreshes = new HashMap<>();
    try (RefreshFile.Reader file = new RefreshFile.Reader(files, name)) {
      while (file.next()) {
        assertThat(file.refreshes()).hasSize(1);
        refreshes.put(file.key().utf8ToString(), file.refreshes().get(0));
      }
    }
    return refreshes;
  }

  /** In a segment that was merged into one of the commit. */
  private static Refresh merged(int day, long hash) {
    return candidate(day, "_0000", 0, hash);
  }

  /** In a segment that no document is of. */
  private static Refresh gone(int day, long hash) {
    return candidate(day, "_00", 0, hash);
  }
}
