// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.search.similarities.AssertingSimilarity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Similarities that bear to be asked only what Lucene asks them. */
class StrictSimilarityTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final int PAGES = 12;

  @TempDir Path folder;

  @Test
  void lucenesAssertingSimilarityMeasuresWhatTheOneInsideDoes() throws IOException {
    Similarity inside = new BM25Similarity();
    assertSame(new AssertingSimilarity(inside), inside);
  }

  @Test
  void oneThatKnowsItsOwnNormsAloneMeasuresWhatATolerantOneDoes() throws IOException {
    DoubleUnaryOperator refusing =
        norm -> {
          throw new IllegalArgumentException("no norm of mine: " + norm);
        };
    assertSame(new HundredNorms(refusing), new HundredNorms(norm -> norm));
  }

  @Test
  void anAssertionAboutNormsThatNoPageHasIsNoReasonNotToMeasure() throws IOException {
    Similarity endless = new HundredNorms(norm -> -1); // a score of frequency 1 is infinite
    assertSame(new AssertingSimilarity(endless), new HundredNorms(norm -> norm));
  }

  private void assertSame(Similarity strict, Similarity tolerant) throws IOException {
    List<Double> expected = qualityChanges("tolerant", tolerant);
    List<Double> actual = qualityChanges("strict", strict);
    assertThat(expected).hasSize(2 * PAGES).anyMatch(change -> change > 0);
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.get(i))
          .as("refresh %d", i)
          .isCloseTo(expected.get(i), within(1e-4 * expected.get(i)));
    }
  }

  private List<Double> qualityChanges(String name, Similarity similarity) throws IOException {
    List<String> troubles = new ArrayList<>();
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder()
                    .add(List.of("alpha"), 5)
                    .add(List.of("beta"), 2)
                    .add(List.of("alpha", "beta"), 3)
                    .build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .statePath(folder.resolve(name))
            .listener(new Troubles(troubles))
            .build();
    List<Double> changes = new ArrayList<>();
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory,
                new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(similarity),
                config)) {
      for (int week = 0; week < 3; week++) {
        for (int page = 0; page < PAGES; page++) {
          put(writer, config, page, week);
        }
        writer.commit();
      }
      assertThat(writer.status().batchesMeasured()).isEqualTo(3);
      assertThat(writer.status().batchesIncomplete()).isZero();
      assertThat(troubles).isEmpty();
      for (int page = 0; page < PAGES; page++) {
        for (MeasuredRefresh refresh : writer.explain("p" + page).orElseThrow().refreshes()) {
          if (refresh.measured()) {
            changes.add(refresh.qualityChange());
          }
        }
      }
    }
    return changes;
  }

  private static void put(DeltaIndexWriter writer, DeltaConfig config, int page, int week)
      throws IOException {
    String body =
        "alpha ".repeat(1 + (page * 7 + week * 5) % 11)
            + "beta ".repeat((page + week * 3) % 4)
            + "other ".repeat(page);
    Document document = new Document();
    document.add(new StringField("url", "p" + page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    document.add(config.fetchTime(START.plus(Duration.ofDays(7L * week))));
    writer.updateDocument(new Term("url", "p" + page), document);
  }

  /** Norms are lengths up to 100; what others mean is nobody's business. */
  private static final class HundredNorms extends Similarity {
    private final DoubleUnaryOperator others;

    HundredNorms(DoubleUnaryOperator others) {
      this.others = others;
    }

    @Override
    public long computeNorm(FieldInvertState state) {
      return Math.min(state.getLength(), 100);
    }

    @Override
    public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... words) {
      float weight = boost * (float) Math.log1p(1.0 * collection.docCount() / words[0].docFreq());
      return new SimScorer() {
        @Override
        public float score(float frequency, long norm) {
          double given = (double) norm;
          double length = norm < 1 || norm > 100 ? others.applyAsDouble(given) : given;
          return weight * (float) (frequency / (frequency + length));
        }
      };
    }
  }
}
