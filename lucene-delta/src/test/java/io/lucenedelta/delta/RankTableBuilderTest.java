// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class RankTableBuilderTest {
  private static final int TERMS = 50;
  private static final int FIELDS = 2;
  private static final int SEGMENTS = 3;
  private static final long REFERENCES = 8L * TERMS * FIELDS; // of a segment

  @Test
  void rankFunctionsAreTheSameToTheBitHoweverFewTermsAreRemembered() throws IOException {
    long seed = System.nanoTime();
    try (Directory directory = index(seed);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      AtomicInteger remembered = new AtomicInteger();
      byte[] expected = build(reader, remembered, 2, Long.MAX_VALUE);
      assertThat(remembered.get()).as("seed %d", seed).isBetween(100, TERMS * FIELDS * SEGMENTS);
      for (int some : new int[] {0, 1, 7}) { // less than the next segment's references take
        byte[] built = build(reader, remembered, 2, REFERENCES + 100L * some);
        assertThat(built).as("%d terms, seed %d", some, seed).isEqualTo(expected);
        assertThat(remembered).as("seed %d", seed).hasValue(some);
      }
      byte[] built = build(reader, remembered, 2, REFERENCES - 1);
      assertThat(built).as("seed %d", seed).isEqualTo(expected);
      assertThat(remembered).as("without room for references, seed %d", seed).hasValue(0);
    }
  }

  @Test
  void whereAllQueriesHaveOneTermNoneIsRemembered() throws IOException {
    try (Directory directory = index(1);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      AtomicInteger remembered = new AtomicInteger();
      build(reader, remembered, 1, Long.MAX_VALUE);
      assertThat(remembered).hasValue(0);
    }
  }

  @Test
  void placesOfTermsTakeNoHeapBeforeTheFirstLookUp() {
    int terms = Integer.MAX_VALUE / FIELDS; // more than an array of this JVM's heap can have
    assertThatCode(() -> TermPlaces.remembered(terms, FIELDS)).doesNotThrowAnyException();
  }

  /** The rank functions, and how many terms were remembered. */
  private static byte[] build(
      DirectoryReader reader, AtomicInteger remembered, int longestQuery, long placesHeap)
      throws IOException {
    remembered.set(0);
    DeltaConfig config = config(longestQuery);
    WorkloadTerms terms = WorkloadTerms.of(config.workload());
    TermScores scores =
        new TermScores(
            FrozenStatistics.of(reader, config.scoredFields(), terms),
            new BM25Similarity(),
            terms,
            FIELDS);
    ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
    new RankTableBuilder(config.workload(), config, terms, scores, null, placesHeap)
        .build(new Remembering(reader, remembered))
        .write(bytes);
    return bytes.toArrayCopy();
  }

  private static DeltaConfig config(int longestQuery) {
    WorkloadBuilder workload = Workload.builder();
    for (int term = 0; term < TERMS; term++) {
      workload.add(List.of("w" + term), 1);
      for (int other = 0; other < term && longestQuery > 1; other += 7) {
        workload.add(List.of("w" + term, "w" + other), 1);
      }
    }
    return DeltaConfig.builder(workload.build())
        .keyField("url")
        .scoredField("title", 2)
        .scoredField("body")
        .build();
  }

  private static Directory index(long seed) throws IOException {
    Random random = new Random(seed);
    Directory directory = new ByteBuffersDirectory();
    IndexWriterConfig settings =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, settings)) {
      for (int page = 0; page < 100 * SEGMENTS; page++) {
        Document document = new Document();
        document.add(new StringField("url", "p" + page, Field.Store.NO));
        document.add(new TextField("title", words(random, 3), Field.Store.NO));
        document.add(new TextField("body", words(random, 30), Field.Store.NO));
        writer.addDocument(document);
        if (page % 100 == 99) {
          writer.commit();
        }
      }
    }
    return directory;
  }

  private static String words(Random random, int count) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < count; i++) {
      words.append('w').append((int) (2 * TERMS * Math.pow(random.nextDouble(), 2))).append(' ');
    }
    return words.toString();
  }

  /** Counts the terms whose places somebody asks for. */
  private static final class Remembering extends FilterDirectoryReader {
    private final AtomicInteger states;

    Remembering(DirectoryReader in, AtomicInteger states) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader leaf) {
              return new Leaf(leaf, states);
            }
          });
      this.states = states;
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader other) throws IOException {
      return new Remembering(other, states);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return null;
    }
  }

  private static final class Leaf extends FilterLeafReader {
    private final AtomicInteger states;

    Leaf(LeafReader in, AtomicInteger states) {
      super(in);
      this.states = states;
    }

    @Override
    public Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      return terms == null || field.equals("url")
          ? terms
          : new FilterTerms(terms) {
            @Override
            public TermsEnum iterator() throws IOException {
              return new FilterTermsEnum(in.iterator()) {
                @Override
                public TermState termState() throws IOException {
                  states.incrementAndGet();
                  return in.termState();
                }
              };
            }
          };
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return null;
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return null;
    }
  }
}
