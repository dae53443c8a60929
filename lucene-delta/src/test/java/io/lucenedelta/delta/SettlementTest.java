// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was captured settles a batch, though much happens in it; the index need not be read. */
class SettlementTest {
  @TempDir Path folder;

  private final Directory index = new ByteBuffersDirectory();
  private DeltaIndexWriter writer;
  private List<String> store; // its file, another one once it was built anew

  @BeforeEach
  void indexSomePages() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .build();
    IndexWriterConfig settings =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setMergePolicy(new LogDocMergePolicy())
            .setMaxFullFlushMergeWaitMillis(0);
    writer = new DeltaIndexWriter(index, settings, config);
    for (String page : List.of("a", "b", "c", "d", "e", "twice")) {
      put(page, 1);
    }
    add(null, "first keyless");
    add("twice", "second of twice");
    writer.commit();
    assertThat(told()).isEqualTo("a1 b1 c1 d1 e1 twice1, 1 keyless, 1 extra");
    store = storeFiles();
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    index.close();
  }

  private static Document document(String page, String name, int alphas) {
    Document document = new Document();
    if (page != null) {
      document.add(new StringField("url", page, Field.Store.NO));
    }
    document.add(new StringField("name", name, Field.Store.NO));
    document.add(new TextField("body", "alpha ".repeat(alphas), Field.Store.NO));
    return document;
  }

  private void put(String page, int alphas) throws IOException {
    writer.updateDocument(new Term("url", page), document(page, page, alphas));
  }

  private void add(String page, String name) throws IOException {
    writer.addDocument(document(page, name, 1));
  }

  private void delete(String page) throws IOException {
    writer.deleteDocuments(new Term("url", page));
  }

  private void deleteOtherwise(String name) throws IOException {
    writer.deleteDocuments(new TermQuery(new Term("name", name)));
  }

  private void flush() throws IOException {
    DirectoryReader.open(writer).close();
  }

  private List<String> storeFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.startsWith("pages_"))
          .sorted()
          .toList();
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
    assertThat(writer.status().pages()).isEqualTo(pages.size());
    return "%s, %d keyless, %d extra"
        .formatted(
            told.toString().strip(),
            writer.status().keylessDocuments(),
            writer.status().extraCopies());
  }

  /** Commits, and that is settled without the index, as it would be with it. */
  private void isSettledAs(String expected) throws IOException {
    writer.commit();
    assertThat(told()).isEqualTo(expected);
    assertThat(storeFiles()).as("not built anew").isEqualTo(store);
    writer.rebuild();
    assertThat(told()).as("built anew").isEqualTo(expected);
    assertThat(storeFiles()).isNotEqualTo(store);
    store = storeFiles();
  }

  @Test
  void updatesDeletionsAndDocumentsWithoutKeysAreAccountedFor() throws IOException {
    put("a", 2);
    put("b", 2);
    put("new", 1);
    put("brief", 1);
    put("later gone", 1);
    flush();
    put("b", 3);
    put("new", 4);
    delete("a");
    delete("c"); // without a copy
    delete("brief");
    delete("none");
    flush();
    put("d", 1);
    put("d", 5); // in the same segment
    isSettledAs("b3 d5 e1 later gone1 new4 twice1, 1 keyless, 1 extra");
    delete("later gone");
    put("a", 6);
    isSettledAs("a6 b3 d5 e1 new4 twice1, 1 keyless, 1 extra");
  }

  /** Or it would be compared with what it had if it comes back. */
  @Test
  void pagesThatLeftWithAndWithoutACopyHaveNoVector() throws IOException {
    put("a", 2);
    delete("a");
    delete("c");
    writer.commit();
    assertThat(told()).isEqualTo("b1 d1 e1 twice1, 1 keyless, 1 extra");
    assertThat(storeFiles()).as("not built anew").isEqualTo(store);
    for (String page : List.of("a", "c")) {
      PageEntry left = new PageEntry();
      assertThat(writer.measurer().page(new BytesRef(page), left)).as(page).isTrue();
      assertThat(left.present).as(page).isFalse();
      assertThat(left.vector.length()).as(page).isZero();
    }
  }

  @Test
  void documentsThatAreAddedAndDeletedOtherwiseAreAccountedFor() throws IOException {
    put("a", 2);
    add(null, "second keyless");
    add(null, "third keyless");
    add(null, "fourth keyless");
    add("new", "first of new");
    add("new", "second of new");
    add("new", "third of new");
    add("brief", "only one of brief");
    flush();
    deleteOtherwise("third keyless");
    deleteOtherwise("second of new");
    deleteOtherwise("only one of brief");
    put("b", 3);
    isSettledAs("a2 b3 c1 d1 e1 new1 twice1, 3 keyless, 2 extra");
  }

  @Test
  void whatWasMergedBeforeTheCommitIsAccountedFor() throws IOException {
    put("a", 2);
    put("b", 2);
    put("new", 1);
    put("new", 3); // in the same segment
    add(null, "second keyless");
    flush();
    add(null, "third keyless");
    put("c", 4);
    delete("d");
    writer.forceMerge(1);
    put("e", 5);
    put("newer", 6);
    isSettledAs("a2 b2 c4 e5 new3 newer6 twice1, 3 keyless, 1 extra");
  }

  @Test
  void whatWasMergedAndDeletedByItsKeyIsAccountedFor() throws IOException {
    put("a", 2);
    put("brief", 1);
    put("twice in it", 1);
    put("back", 1);
    put("soon gone", 1);
    flush();
    put("twice in it", 2);
    delete("soon gone");
    delete("b");
    put("b", 2);
    flush();
    writer.forceMerge(1);
    delete("a");
    delete("brief");
    delete("twice in it");
    delete("back");
    put("back", 7);
    isSettledAs("b2 back7 c1 d1 e1 twice1, 1 keyless, 1 extra");
    put("a", 3);
    flush();
    put("c", 3);
    flush();
    delete("c");
    writer.forceMerge(1);
    isSettledAs("a3 b2 back7 d1 e1 twice1, 1 keyless, 1 extra");
  }

  /** A page that has moved, say. */
  @Test
  void pagesReplacedByDocumentsOfAnotherKeyOrNoneAreAccountedFor() throws IOException {
    replace("a", "moved", 2);
    replace("b", null, 1);
    replace("none", "new", 3);
    isSettledAs("c1 d1 e1 moved2 new3 twice1, 2 keyless, 1 extra");
    put("c", 4);
    put("brief", 4);
    flush();
    put("d", 4);
    writer.forceMerge(1);
    replace("c", "a", 5);
    replace("brief", null, 1);
    replace("new", "brief", 6);
    isSettledAs("a5 brief6 d4 e1 moved2 twice1, 3 keyless, 1 extra");
  }

  private void replace(String page, String by, int alphas) throws IOException {
    writer.updateDocument(new Term("url", page), document(by, page, alphas));
  }

  /** The pages are right after every commit, and mostly without the index. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void pagesThatComeAndGoByKeyAreAccountedForWhateverIsMerged(long seed) throws IOException {
    deleteOtherwise("second of twice");
    deleteOtherwise("first keyless");
    Map<String, Integer> pages = new TreeMap<>();
    List.of("a", "b", "c", "d", "e", "twice").forEach(page -> pages.put(page, 1));
    Random random = new Random(seed);
    int settled = 0;
    for (int commit = 0; commit < 60; commit++) {
      for (int operation = random.nextInt(12); operation >= 0; operation--) {
        anyByKey(random, pages);
      }
      writer.commit();
      StringBuilder expected = new StringBuilder();
      pages.forEach((page, alphas) -> expected.append(page).append(alphas).append(' '));
      assertThat(told())
          .as("seed %d, commit %d", seed, commit)
          .isEqualTo("%s, 0 keyless, 0 extra".formatted(expected.toString().strip()));
      settled += storeFiles().equals(store) ? 1 : 0;
      store = storeFiles();
    }
    assertThat(settled).isGreaterThan(50);
  }

  private void anyByKey(Random random, Map<String, Integer> pages) throws IOException {
    String page = "page" + random.nextInt(20);
    int alphas = 1 + random.nextInt(5);
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        delete(page);
        pages.remove(page);
      }
      case 2 -> {
        String by = "moved" + pages.size() + alphas;
        if (!pages.containsKey(by)) { // or it would be there twice
          replace(page, by, alphas);
          pages.remove(page);
          pages.put(by, alphas);
        }
      }
      case 3 -> flush();
      case 4 -> writer.forceMerge(1 + random.nextInt(2));
      default -> {
        put(page, alphas);
        pages.put(page, alphas);
      }
    }
  }

  /** The children of a block, say, which is replaced by a field that all its documents have. */
  @Test
  void documentsWithoutKeysThatLeftAreAccountedFor() throws IOException {
    block("a", 2);
    block("b", 3);
    isSettledAs("a2 b3 c1 d1 e1 twice1, 3 keyless, 1 extra");
    block("a", 4);
    put("new", 1);
    isSettledAs("a4 b3 c1 d1 e1 new1 twice1, 3 keyless, 1 extra");
    deleteOtherwise("first keyless");
    isSettledAs("a4 b3 c1 d1 e1 new1 twice1, 2 keyless, 1 extra");
    block("a", 5);
    delete("c");
    add(null, "second keyless");
    isSettledAs("a5 b3 d1 e1 new1 twice1, 3 keyless, 1 extra");
  }

  @Test
  void aPageThatLeftBesideDocumentsWithoutKeysIsNoticed() throws IOException {
    block("a", 2);
    block("b", 3);
    writer.commit();
    writer.deleteDocuments(new TermQuery(new Term("name", "b"))); // parent and child
    block("a", 4);
    writer.commit();
    assertThat(told()).isEqualTo("a4 c1 d1 e1 twice1, 2 keyless, 1 extra");
    assertThat(storeFiles()).as("read back").isNotEqualTo(store);
  }

  /** The pages are right after every commit, and mostly without the index. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void blocksAreAccountedForWhateverBecomesOfThem(long seed) throws IOException {
    deleteOtherwise("second of twice");
    deleteOtherwise("first keyless");
    Map<String, Integer> pages = new TreeMap<>();
    List.of("a", "b", "c", "d", "e", "twice").forEach(page -> pages.put(page, 1));
    Map<String, Integer> children = new TreeMap<>();
    Random random = new Random(seed);
    int settled = 0;
    for (int commit = 0; commit < 60; commit++) {
      for (int operation = random.nextInt(4); operation >= 0; operation--) {
        any(
            random,
            List.of("a", "b", "c", "d", "e", "f", "g").get(random.nextInt(7)),
            pages,
            children);
      }
      writer.commit();
      StringBuilder expected = new StringBuilder();
      pages.forEach((page, alphas) -> expected.append(page).append(alphas).append(' '));
      int keyless = children.values().stream().mapToInt(Integer::intValue).sum();
      assertThat(told())
          .as("seed %d, commit %d", seed, commit)
          .isEqualTo("%s, %d keyless, 0 extra".formatted(expected.toString().strip(), keyless));
      settled += storeFiles().equals(store) ? 1 : 0;
      store = storeFiles();
    }
    assertThat(settled).isGreaterThan(45);
  }

  private void any(
      Random random, String page, Map<String, Integer> pages, Map<String, Integer> children)
      throws IOException {
    int alphas = 1 + random.nextInt(5);
    switch (random.nextInt(12)) {
      case 0 -> {
        delete(page); // the children stay
        pages.remove(page);
      }
      case 1 -> {
        put(page, alphas); // likewise
        pages.put(page, alphas);
      }
      case 2 -> {
        add(null, page);
        children.merge(page, 1, Integer::sum);
      }
      case 3 -> {
        deleteOtherwise(page);
        pages.remove(page);
        children.remove(page);
      }
      case 4 -> flush();
      case 5 -> writer.maybeMerge();
      default -> {
        block(page, alphas);
        pages.put(page, alphas);
        children.put(page, 1);
      }
    }
  }

  /** A page with a child that has no key; both have its name. */
  private void block(String page, int alphas) throws IOException {
    writer.updateDocuments(
        new Term("name", page), List.of(document(null, page, 1), document(page, page, alphas)));
  }

  @Test
  void whatCameAndWentWithAWholeSegmentIsAccountedFor() throws IOException {
    put("a", 2);
    put("brief", 1);
    add(null, "second keyless");
    flush();
    delete("a");
    delete("brief");
    deleteOtherwise("second keyless");
    put("again", 1);
    flush();
    put("again", 2);
    put("b", 3);
    flush();
    delete("again");
    isSettledAs("b3 c1 d1 e1 twice1, 1 keyless, 1 extra");
  }
}
