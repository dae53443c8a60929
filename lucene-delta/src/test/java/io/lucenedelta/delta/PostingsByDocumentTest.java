// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.index.FilterLeafReader.FilterPostingsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowImpactsEnum;
import org.junit.jupiter.api.Test;

/** Postings noted term by term become the vectors that are written document by document. */
class PostingsByDocumentTest {
  private static final int FIELDS = 2;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void groupedVectorsAreThoseOfTheDocuments() throws IOException {
    PostingsByDocument grouped = new PostingsByDocument(FIELDS, FlushHeap.unlimited());
    for (int round = 0; round < 100; round++) {
      int documents = 1 + random.nextInt(60);
      assertGrouped(grouped, documents, List.of(field(documents), field(documents)));
    }
  }

  @Test
  void soAreThoseOfAFlushTooLargeForACache() throws IOException {
    PostingsByDocument grouped = new PostingsByDocument(FIELDS, FlushHeap.unlimited());
    int documents = 2_000;
    List<Map<Integer, Integer>> field = field(documents, 300);
    assertThat(field.stream().mapToInt(Map::size).sum()).isGreaterThan((1 << 20) / Integer.BYTES);
    assertGrouped(grouped, documents, List.of(field, field(documents, 1)));
  }

  @Test
  void aFieldThatOnlyTheFlushBeforeHadIsNoneOfThis() throws IOException {
    PostingsByDocument grouped = new PostingsByDocument(FIELDS, FlushHeap.unlimited());
    List<Map<Integer, Integer>> worded = List.of(Map.of(5, 1));
    List<Map<Integer, Integer>> empty = List.of(Map.of());
    assertGrouped(grouped, 1, List.of(worded, empty));
    assertThat(grouped.fieldsWritten().stream()).as("in the first").containsExactly(0);
    assertGrouped(grouped, 1, List.of(empty, worded));
    assertThat(grouped.fieldsWritten().stream()).as("in the second").containsExactly(1);
  }

  private void assertGrouped(
      PostingsByDocument grouped, int documents, List<List<Map<Integer, Integer>>> fields)
      throws IOException {
    PostingsByTerm noted = new PostingsByTerm(FlushHeap.unlimited());
    VectorBuffer vector = new VectorBuffer();
    VectorBuffer slow = new VectorBuffer();
    grouped.begin(documents);
    for (int field = 0; field < FIELDS; field++) {
      note(fields.get(field), noted);
      grouped.group(field, noted);
    }
    for (int doc = 0; doc < documents; doc++) {
      grouped.write(doc, new long[] {doc, -doc}, vector);
      write(fields, doc, slow);
      assertThat(vector.sameAs(slow)).as("seed %d, document %d", seed, doc).isTrue();
    }
  }

  private List<Map<Integer, Integer>> field(int documents) {
    return field(documents, random.nextInt(200));
  }

  /** By document: frequencies by term, now and then one that takes more than a code. */
  private List<Map<Integer, Integer>> field(int documents, int most) {
    List<Map<Integer, Integer>> field = new ArrayList<>();
    for (int doc = 0; doc < documents; doc++) {
      Map<Integer, Integer> page = new TreeMap<>();
      for (int i = random.nextInt(most + 1); i > 0; i--) {
        page.put(
            random.nextInt(40_000),
            1 + (random.nextInt(9) == 0 ? random.nextInt(Integer.MAX_VALUE) : random.nextInt(6)));
      }
      field.add(page);
    }
    return field;
  }

  private void note(List<Map<Integer, Integer>> field, PostingsByTerm noted) throws IOException {
    Map<Integer, Map<Integer, Integer>> byTerm = new TreeMap<>();
    for (int doc = 0; doc < field.size(); doc++) {
      for (Map.Entry<Integer, Integer> posting : field.get(doc).entrySet()) {
        byTerm
            .computeIfAbsent(posting.getKey(), term -> new TreeMap<>())
            .put(doc, posting.getValue());
      }
    }
    noted.begin(field.size());
    for (Map.Entry<Integer, Map<Integer, Integer>> term : byTerm.entrySet()) {
      noted.add(term.getKey(), postings(term.getValue()), true);
    }
  }

  private static PostingsEnum postings(Map<Integer, Integer> frequencies) {
    List<Integer> docs = List.copyOf(frequencies.keySet());
    return new FilterPostingsEnum(new SlowImpactsEnum(null)) {
      private int at = -1;

      @Override
      public int nextDoc() {
        return ++at < docs.size() ? docs.get(at) : NO_MORE_DOCS;
      }

      @Override
      public int freq() {
        return frequencies.get(docs.get(at));
      }
    };
  }

  private static void write(
      List<List<Map<Integer, Integer>>> fields, int doc, VectorBuffer target) {
    target.clear();
    for (int field = 0; field < FIELDS; field++) {
      Map<Integer, Integer> page = new TreeMap<>(fields.get(field).get(doc));
      if (!page.isEmpty()) {
        target.addField(field, field == 0 ? doc : -doc, page.size());
        page.forEach(target::addTerm);
      }
    }
  }
}
