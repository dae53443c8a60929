// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.AfterEffect;
import org.apache.lucene.search.similarities.AfterEffectB;
import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BasicModelG;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.LMJelinekMercerSimilarity;
import org.apache.lucene.search.similarities.NormalizationH3;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TermScoresTest {
  private static final int TERMS = 40;

  private static final int LONG_PAGE = 3_000;

  static List<Similarity> similarities() {
    return List.of(
        new BM25Similarity(),
        new BM25Similarity(0.4f, 0),
        new ClassicSimilarity(),
        new BooleanSimilarity(),
        new LMDirichletSimilarity(),
        new LMJelinekMercerSimilarity(0.3f),
        new DFRSimilarity(new BasicModelG(), new AfterEffectB(), new NormalizationH3()),
        new Capped(60));
  }

  /** A product of term and page until a term occurs more often than it counts. */
  private static final class Capped extends Similarity {
    private final long least;

    Capped(long least) {
      this.least = least;
    }

    @Override
    public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... words) {
      long most = least + words[0].docFreq();
      return new SimScorer() {
        @Override
        public float score(float frequency, long norm) {
          return boost * Math.min(frequency, (float) most) / (norm & 0xFFFF);
        }
      };
    }

    @Override
    public String toString() {
      return "capped";
    }
  }

  @ParameterizedTest
  @MethodSource("similarities")
  void everyScoreIsTheSimilaritysOwn(Similarity similarity) throws IOException {
    assertSimilaritysOwn(similarity, 30);
    assertSimilaritysOwn(similarity, LONG_PAGE);
  }

  private static void assertSimilaritysOwn(Similarity similarity, int length) throws IOException {
    WorkloadTerms terms = terms(TERMS);
    List<ScoredField> fields = List.of(new ScoredField("title", 2), new ScoredField("body", 1));
    FrozenStatistics statistics = statistics(fields, terms, length);
    TermScores scores = new TermScores(statistics, similarity, terms, fields.size());
    long seed = 20;
    Random random = new Random(seed);
    TermScores another = null;
    for (int i = 0; i < 20_000; i++) {
      another = i == 100 ? scores.another() : another; // by then only some terms have a factor
      int field = random.nextInt(2);
      int term = random.nextInt(TERMS);
      int frequency = 1 + random.nextInt(random.nextInt(10) == 0 ? 500 : 5);
      long norm = (byte) random.nextInt(256);
      BytesRef text = new BytesRef();
      terms.get(term, text);
      SimScorer scorer = statistics.scorer(similarity, field, term, text);
      float own = scorer.score(frequency, norm);
      float expected = own > 0 ? own : TermScores.LEAST;
      boolean rounded = similarity instanceof BM25Similarity;
      float ownRounding = rounded ? 5e-7f * scorer.score(500, 1) : 0;
      float score = scores.score(field, term, frequency, norm);
      assertThat(score)
          .as("seed %d, term %d, frequency %d, norm %d", seed, term, frequency, norm)
          .isCloseTo(expected, within(1e-6f * expected + ownRounding));
      if (another != null) {
        assertThat(another.score(field, term, frequency, norm)).isEqualTo(score);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("similarities")
  void aBlockOfPostingsIsScoredAsEachAlone(Similarity similarity) throws IOException {
    WorkloadTerms terms = terms(TERMS);
    List<ScoredField> fields = List.of(new ScoredField("title", 2), new ScoredField("body", 1));
    FrozenStatistics statistics = statistics(fields, terms, LONG_PAGE);
    TermScores scores = new TermScores(statistics, similarity, terms, fields.size());
    long seed = 21;
    Random random = new Random(seed);
    byte[] norms = new byte[1_000];
    random.nextBytes(norms);
    DocAndFloatFeatureBuffer block = new DocAndFloatFeatureBuffer();
    block.growNoCopy(200);
    for (int term = 0; term < TERMS; term++) {
      block.size = 100 + random.nextInt(100);
      for (int i = 0; i < block.size; i++) {
        block.docs[i] = random.nextInt(norms.length);
        block.features[i] = 1 + random.nextInt(i % 2 == 0 ? 8 : 130);
      }
      float[] found = new float[block.size + 3];
      scores.scoreAll(term, block, norms, found, 3);
      for (int i = 0; i < block.size; i++) {
        int frequency = (int) block.features[i];
        byte norm = norms[block.docs[i]];
        float expected = scores.score(0, term, frequency, norm);
        assertThat(found[i + 3])
            .as("seed %d, term %d, frequency %d, norm %d", seed, term, frequency, norm)
            .isCloseTo(expected, within(1e-6f * expected));
      }
    }
  }

  @Test
  void aNormWiderThanAByteIsScoredAsItIs() throws IOException {
    WorkloadTerms terms = terms(TERMS);
    FrozenStatistics statistics = statistics(List.of(new ScoredField("body", 1)), terms, 30);
    TermScores scores = new TermScores(statistics, new Capped(2_000), terms, 1);
    for (int term = 0; term < TERMS; term++) {
      assertThat(scores.factor(0, term)).as("of the scores of norms up to 127").isPositive();
      assertThat(scores.score(0, term, 3, 1_000)).isEqualTo(0.003f);
    }
  }

  /** Scorers are kept in a table, in which many terms have the same place. */
  @Test
  void manyTermsHaveEachTheirOwnScorer() throws IOException {
    WorkloadTerms terms = terms(20_000);
    long seed = 22;
    FrozenStatistics statistics = statisticsOfMany(new Random(seed), terms.size());
    Similarity similarity =
        new DFRSimilarity(new BasicModelG(), new AfterEffectB(), new NormalizationH3());
    TermScores scores = new TermScores(statistics, similarity, terms, 1);
    BytesRef text = new BytesRef();
    for (int round = 0; round < 2; round++) {
      for (int term = 0; term < terms.size(); term++) {
        terms.get(term, text);
        float own = statistics.scorer(similarity, 0, term, text).score(3, 40);
        float expected = own > 0 ? own : TermScores.LEAST;
        assertThat(scores.score(0, term, 3, 40))
            .as("seed %d, term %d", seed, term)
            .isCloseTo(expected, within(1e-6f * expected));
      }
    }
  }

  private static WorkloadTerms terms(int count) {
    WorkloadBuilder queries = Workload.builder();
    for (int term = 0; term < count; term++) {
      queries.add(List.of("word" + (char) ('a' + term)), 1);
    }
    return WorkloadTerms.of(queries.build());
  }

  /** Some similarities differ from a product of term and page in very long pages alone. */
  @Test
  void scoresOfVeryLongPagesAreExactOfAnySimilarityButBm25() throws IOException {
    WorkloadTerms terms = terms(TERMS);
    long seed = 9;
    Random random = new Random(seed);
    for (int round = 0; round < 20; round++) {
      FrozenStatistics statistics = statisticsOfMany(random, terms.size());
      for (AfterEffect effect : List.of(new AfterEffectB(), new AfterEffectL())) {
        Similarity similarity = new DFRSimilarity(new BasicModelG(), effect, new NormalizationH3());
        TermScores scores = new TermScores(statistics, similarity, terms, 1);
        for (int i = 0; i < 2_000; i++) {
          int term = random.nextInt(TERMS);
          int frequency = 1 + random.nextInt(random.nextInt(4) == 0 ? 2_000 : 8);
          long norm = (byte) (100 + random.nextInt(100));
          BytesRef text = new BytesRef();
          terms.get(term, text);
          float own = statistics.scorer(similarity, 0, term, text).score(frequency, norm);
          float expected = own > 0 ? own : TermScores.LEAST;
          assertThat(scores.score(0, term, frequency, norm))
              .as("seed %d, term %d, frequency %d, norm %d", seed, term, frequency, norm)
              .isCloseTo(expected, within(1e-6f * expected));
        }
      }
    }
  }

  /** Of a collection that would take long to index. */
  private static FrozenStatistics statisticsOfMany(Random random, int terms) throws IOException {
    long documents = 1 + (long) Math.exp(random.nextDouble() * 20);
    long words = documents * (1 + random.nextInt(1_000));
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    for (long value : new long[] {documents, documents, words, documents}) {
      out.writeVLong(value);
    }
    for (int term = 0; term < terms; term++) {
      int docFreq = (int) Math.exp(random.nextDouble() * Math.log((double) documents));
      out.writeVInt(docFreq);
      out.writeVLong(docFreq + (long) (docFreq * 3 * random.nextDouble()));
    }
    return FrozenStatistics.read(out.toDataInput(), List.of(new ScoredField("body", 1)), terms);
  }

  @Test
  void normsThatASimilarityNeverMadeAreNotAskedFor() throws IOException {
    WorkloadTerms terms = terms(TERMS);
    FrozenStatistics statistics = statistics(List.of(new ScoredField("body", 1)), terms, 30);
    Similarity similarity =
        new Similarity() {
          @Override
          public SimScorer scorer(
              float boost, CollectionStatistics collection, TermStatistics... words) {
            return new SimScorer() {
              @Override
              public float score(float frequency, long norm) {
                assertThat(norm).isNotZero();
                return words[0].docFreq() * frequency;
              }
            };
          }
        };
    TermScores scores = new TermScores(statistics, similarity, terms, 1);
    for (int term = 0; term < TERMS; term++) {
      assertThat(scores.factor(0, term)).as("a share of what all terms have").isPositive();
    }
  }

  @Test
  void theOrderInWhichTermsAreAskedChangesNothing() throws IOException {
    WorkloadTerms terms = terms(TERMS);
    List<ScoredField> fields = List.of(new ScoredField("body", 1));
    FrozenStatistics statistics = statistics(fields, terms, LONG_PAGE);
    TermScores forwards = new TermScores(statistics, new BM25Similarity(), terms, 1);
    TermScores backwards = new TermScores(statistics, new BM25Similarity(), terms, 1);
    float[] asked = new float[TERMS * 64];
    for (int i = 0; i < asked.length; i++) {
      asked[i] = score(forwards, i);
    }
    for (int i = asked.length - 1; i >= 0; i--) {
      assertThat(score(backwards, i)).as("term %d", i / 64).isEqualTo(asked[i]);
    }
  }

  /** Of each term at 64 frequencies and norms. */
  private static float score(TermScores scores, int i) {
    return scores.score(0, i / 64, 1 + i % 7, i % 64);
  }

  private static FrozenStatistics statistics(
      List<ScoredField> fields, WorkloadTerms terms, int length) throws IOException {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      Random random = new Random(7);
      for (int page = 0; page < 60; page++) {
        Document document = new Document();
        document.add(new TextField("title", words(random, 3), Field.Store.NO));
        document.add(new TextField("body", words(random, length), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        return FrozenStatistics.of(reader, fields, terms);
      }
    }
  }

  private static String words(Random random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("word")
          .append((char) ('a' + random.nextInt(1 + random.nextInt(TERMS))))
          .append(' ');
    }
    return text.toString();
  }
}
