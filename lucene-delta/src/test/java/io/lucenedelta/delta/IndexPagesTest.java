// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages read back from the index. */
class IndexPagesTest {
  private static final int PAGES = 40_000; // more than two windows
  private static final int LATE = 20_000;
  private static final int ONCE = 39_999;
  private static final List<String> WORDS = List.of("absent", "both", "late", "once", "title");

  @TempDir private Path folder;

  @Test
  void pagesOfALargeSegmentHaveTheTermsOfTheirFields() throws IOException {
    WorkloadBuilder workload = Workload.builder();
    WORDS.forEach(word -> workload.add(List.of(word), 1));
    DeltaConfig config =
        DeltaConfig.builder(workload.build())
            .keyField("url")
            .scoredField("title")
            .scoredField("body")
            .build();
    int[] next = new int[1];
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        for (int page = 0; page < PAGES; page++) {
          plain.addDocument(document(page));
        }
        plain.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        new IndexPages(config, WorkloadTerms.of(config.workload()), folder)
            .read(
                reader.leaves(),
                (key, segment, doc, fetched, vector) -> {
                  assertThat(key.utf8ToString()).isEqualTo("page" + next[0]);
                  assertThat(words(vector)).isEqualTo(wordsOf(next[0]));
                  next[0]++;
                });
      }
    }
    assertThat(next[0]).isEqualTo(PAGES);
  }

  @Test
  void aSegmentOfMoreThan178MillionDocumentsIsRefusedWithWhatHelps() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        plain.addDocument(document(3));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        LeafReader leaf = reader.leaves().get(0).reader();
        assertThat(IndexPages.bytesOf(ofSize(178_956_970, leaf), IndexPages.ADDRESS))
            .isEqualTo(2_147_483_640);
        assertThatIllegalStateException()
            .isThrownBy(() -> IndexPages.bytesOf(ofSize(178_956_971, leaf), IndexPages.ADDRESS))
            .withMessageContaining(
                "segment _0 has 178956971 documents, of which no more than 178956970")
            .withMessageContaining("index its pages anew, and keep segments smaller");
      }
    }
  }

  private static LeafReader ofSize(int documents, LeafReader leaf) {
    return new FilterLeafReader(leaf) {
      @Override
      public int maxDoc() {
        return documents;
      }

      @Override
      public CacheHelper getCoreCacheHelper() {
        return null;
      }

      @Override
      public CacheHelper getReaderCacheHelper() {
        return null;
      }
    };
  }

  /** As on Windows, where a file stays that is mapped: here a folder that is full has its name. */
  @Test
  void aSegmentIsReadWhereTheFileOfOneReadBeforeCannotBeDeleted() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("both"), 1).build())
            .keyField("url")
            .scoredField("body")
            .build();
    Files.createDirectories(folder.resolve("reading_0.map").resolve("full"));
    List<String> pages = new ArrayList<>();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        plain.addDocument(document(3));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        new IndexPages(config, WorkloadTerms.of(config.workload()), folder)
            .read(
                reader.leaves(),
                (key, segment, doc, fetched, vector) -> {
                  assertThat(folder.resolve("reading_1.map")).isRegularFile();
                  pages.add(key.utf8ToString());
                });
      }
    }
    assertThat(pages).containsExactly("page3");
    assertThat(folder.resolve("reading_1.map")).doesNotExist();
  }

  @Test
  void anIndexOfManySegmentsIsReadWhereNoFileCanBeDeletedThatWasMapped() throws IOException {
    int segments = 15;
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("both"), 1).build())
            .keyField("url")
            .scoredField("body")
            .build();
    List<String> pages = new ArrayList<>();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain =
          new IndexWriter(
              directory,
              new IndexWriterConfig(new WhitespaceAnalyzer())
                  .setMergePolicy(NoMergePolicy.INSTANCE))) {
        for (int page = 0; page < segments; page++) {
          plain.addDocument(document(page));
          plain.flush();
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(reader.leaves()).hasSize(segments);
        new IndexPages(config, WorkloadTerms.of(config.workload()), folder)
            .read(
                reader.leaves(),
                (key, segment, doc, fetched, vector) -> {
                  keepFilesFromBeingDeleted();
                  pages.add(key.utf8ToString());
                });
      }
    }
    assertThat(pages)
        .containsExactlyElementsOf(IntStream.range(0, segments).mapToObj(n -> "page" + n).toList());
  }

  /** Gives the names of the files that are there now to folders that are full. */
  private void keepFilesFromBeingDeleted() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "reading_*")) {
      for (Path file : files) {
        IOUtils.deleteFilesIgnoringExceptions(file);
        if (!Files.exists(file)) { // on Windows it is there still
          Files.createDirectories(file.resolve("full"));
        }
      }
    }
  }

  private static Document document(int page) {
    StringBuilder[] texts = {new StringBuilder(), new StringBuilder("other ")};
    wordsOf(page)
        .forEach(
            (word, frequency) -> {
              int field = word.charAt(0) - '0';
              texts[field].append((word.substring(2) + " ").repeat(frequency));
            });
    Document document = new Document();
    document.add(new StringField("url", "page" + page, Field.Store.NO));
    document.add(new TextField("title", texts[0].toString(), Field.Store.NO));
    document.add(new TextField("body", texts[1].toString(), Field.Store.NO));
    return document;
  }

  /** What a page has, by number of the field and word: its frequency. */
  private static SortedMap<String, Integer> wordsOf(int page) {
    SortedMap<String, Integer> words = new TreeMap<>();
    if (page % 3 == 0) {
      words.put("0:both", 1 + page % 5);
    }
    if (page % 2 == 0) {
      words.put("1:both", 1 + page % 7);
    }
    if (page >= LATE) {
      words.put("1:late", 1);
    }
    if (page == ONCE) {
      words.put("1:once", 2);
    }
    if (page < LATE) {
      words.put("0:title", 1);
    }
    return words;
  }

  private static SortedMap<String, Integer> words(VectorBuffer vector) {
    SortedMap<String, Integer> words = new TreeMap<>();
    vector.rewind();
    while (vector.next()) {
      words.put(vector.field() + ":" + WORDS.get(vector.term()), vector.frequency());
    }
    return words;
  }
}
