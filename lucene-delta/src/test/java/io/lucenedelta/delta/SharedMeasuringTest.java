// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.DFISimilarity;
import org.apache.lucene.search.similarities.IndependenceChiSquared;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A batch that several threads measure comes to the same as one that the committing one does. */
@Timeout(
    value = 600,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // waits cannot be interrupted
class SharedMeasuringTest {
  private static final int PAGES = 400;
  private static final int WORDS = 5_000; // with two fields more than scorers are kept
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final long seed = System.nanoTime();
  private final List<String> troubles = Collections.synchronizedList(new ArrayList<>());

  @TempDir Path folder;

  static Stream<Similarity> similarities() {
    return Stream.of(
        new BM25Similarity(),
        new LMDirichletSimilarity(50),
        new DFISimilarity(new IndependenceChiSquared()));
  }

  private void requireSameFiles(DeltaConfig alone, DeltaConfig shared, Similarity similarity)
      throws IOException {
    try (DeltaIndexWriter one = open(alone, similarity);
        DeltaIndexWriter several = open(shared, similarity)) {
      for (int batch = 0; batch < 6; batch++) {
        index(one, alone, batch);
        index(several, shared, batch);
        assertThat(files("shared"))
            .as("seed %d, batch %d", seed, batch)
            .containsExactlyEntriesOf(files("alone"));
      }
    }
    assertThat(files("shared")).as("seed %d", seed).containsExactlyEntriesOf(files("alone"));
    assertThat(troubles).as("seed %d", seed).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("similarities")
  void everyFileIsTheSameByteForByte(Similarity similarity) throws IOException {
    DeltaConfig alone = config("alone").measuringThreads(1).build();
    DeltaConfig shared =
        config("shared").measuringThreads(4).measuringBlock(3).batchMemory(500).build();
    requireSameFiles(alone, shared, similarity);
  }

  /** What is kept of shifts hangs on who measured what: so little fits that most is left out. */
  @Test
  void everyFileIsTheSameWhenShiftsDoNotFit() throws IOException {
    requireSameFiles(
        config("alone").measuringThreads(1).build(),
        // a ten-thousandth of the room for each of the four that have enough to do
        config("shared").measuringThreads(10_000).measuringBlock(40).build(),
        new BM25Similarity());
  }

  @Test
  void aThreadThatFailsCostsTheBatchAndNothingElse() throws IOException {
    Failing similarity = new Failing();
    DeltaConfig config =
        config("failing").rebuildShare(100).measuringThreads(3).measuringBlock(3).build();
    try (DeltaIndexWriter writer = open(config, similarity)) {
      index(writer, config, 0);
      index(writer, config, 1);
      similarity.otherThread = new CountDownLatch(1);
      index(writer, config, 2);
      similarity.otherThread = null;
      assertThat(troubles).as("seed %d", seed).singleElement().asString().contains(Failing.MESSAGE);
      assertThat(writer.status().batchesIncomplete()).as("seed %d", seed).isEqualTo(1);
      index(writer, config, 3);
      index(writer, config, 4);
      assertThat(troubles).as("seed %d", seed).hasSize(1);
      assertThat(writer.status().batchesMeasured()).as("seed %d", seed).isEqualTo(4);
    }
  }

  private DeltaConfig.Builder config(String name) {
    WorkloadBuilder queries = Workload.builder();
    for (int word = 0; word < WORDS; word++) {
      queries.add(List.of("w" + word), 1 + word % 7);
      queries.add(List.of("w" + word, "w" + (word * 7 + 3) % WORDS), 2);
    }
    return DeltaConfig.builder(queries.build())
        .keyField("url")
        .scoredField("title", 2)
        .scoredField("body")
        .fetchTimeField("fetched")
        .clock(InstantSource.fixed(START.plus(Duration.ofDays(100))))
        .listener(new Troubles(troubles))
        .statePath(folder.resolve(name));
  }

  private static DeltaIndexWriter open(DeltaConfig config, Similarity similarity)
      throws IOException {
    IndexWriterConfig settings =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setSimilarity(similarity)
            .setMaxBufferedDocs(50)
            .setMergePolicy(NoMergePolicy.INSTANCE); // merges take names of segments in any order
    return new DeltaIndexWriter(new ByteBuffersDirectory(), settings, config);
  }

  /** Most pages anew, some twice, some as they were, some gone. */
  private void index(DeltaIndexWriter writer, DeltaConfig config, int batch) throws IOException {
    Random random = new Random(seed + batch);
    for (int i = 0; i < PAGES; i++) {
      String url = "http://example.org/" + (batch == 0 ? i : random.nextInt(PAGES));
      if (batch > 0 && random.nextInt(20) == 0) {
        writer.deleteDocuments(new Term("url", url));
        continue;
      }
      Random words = new Random(random.nextInt(4) == 0 ? url.hashCode() : random.nextLong());
      Document document = new Document();
      document.add(new StringField("url", url, Field.Store.NO));
      document.add(config.fetchTime(START.plus(Duration.ofDays(batch))));
      document.add(new TextField("title", text(words, 3), Field.Store.NO));
      document.add(new TextField("body", text(words, 1 + words.nextInt(80)), Field.Store.NO));
      writer.updateDocument(new Term("url", url), document);
    }
    writer.commit();
  }

  private static String text(Random random, int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      int word = (int) (WORDS * Math.pow(random.nextDouble(), 5));
      int times = random.nextInt(200) == 0 ? 100 : 1; // beyond the table of scores
      text.append(("w" + word + " ").repeat(times));
    }
    return text.toString();
  }

  /** What was measured, and rank functions, by file: hashes of their bytes. */
  private Map<String, Integer> files(String name) throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder.resolve(name))) {
      for (Path file : all.toList()) {
        String called = file.getFileName().toString();
        if (Stream.of(StateFiles.BATCH, StateFiles.REFRESHES, StateFiles.RANKS)
            .anyMatch(called::startsWith)) {
          files.put(called, Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    assertThat(files).isNotEmpty();
    return files;
  }

  /** Fails in every thread but the committing one, which waits until one has. */
  private static final class Failing extends Similarity {
    static final String MESSAGE = "not in this thread";

    private final LMDirichletSimilarity scores = new LMDirichletSimilarity(50);
    private volatile CountDownLatch otherThread;

    @Override
    public long computeNorm(FieldInvertState state) {
      return scores.computeNorm(state);
    }

    @Override
    public SimScorer scorer(float boost, CollectionStatistics field, TermStatistics... terms) {
      SimScorer scorer = scores.scorer(boost, field, terms);
      return new SimScorer() {
        @Override
        public float score(float frequency, long norm) {
          CountDownLatch failing = otherThread;
          if (failing != null) {
            failIn(Thread.currentThread(), failing);
          }
          return scorer.score(frequency, norm);
        }
      };
    }

    private static void failIn(Thread thread, CountDownLatch failing) {
      if (thread.getName().startsWith("lucene-delta measuring")) {
        failing.countDown();
        throw new IllegalStateException(MESSAGE);
      }
      try {
        assertThat(failing.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
