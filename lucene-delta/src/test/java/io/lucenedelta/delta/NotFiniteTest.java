// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lucenedelta.scorer.quality.GeometricViews;
import io.lucenedelta.scorer.quality.IntegralSum;
import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.refresh.UserCentric;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
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
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is not finite is never recorded: one infinite gain would leave no order of pages. */
class NotFiniteTest {
  private static final int PAGES = 60;
  private static final int OFTEN = 30;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<String> troubles = new ArrayList<>();
  private final List<Trouble> kinds = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("scores")
  void aScoreThatIsNotFiniteCostsTheRefreshesItTouchesAndNotTheOrder(float score)
      throws IOException {
    try (Directory index = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = open(index, score)) {
        for (int week = 0; week < 4; week++) {
          index(writer, -1);
        }
        assertThat(troubles).as("seed %s", seed).isEmpty();
        index(writer, 7);
        assertThat(troubles)
            .as("seed %s", seed)
            .singleElement()
            .asString()
            .contains("1 refreshes are recorded as not measured")
            .contains("of page page-07");
        assertThat(kinds).containsExactly(Trouble.SETUP);
        assertThat(lastInterval(writer, "page-07")).as("seed %s", seed).isNull();
        assertThat(lastInterval(writer, "page-08")).as("seed %s", seed).isNotNull();
        assertOrder(writer);
        assertThat(writer.status().batchesIncomplete()).as("seed %s", seed).isZero();
        for (int week = 0; week < 3; week++) {
          index(writer, -1);
        }
        assertThat(lastInterval(writer, "page-07")).as("seed %s", seed).isNotNull();
        assertOrder(writer);
      }
      try (DeltaIndexWriter writer = open(index, score)) {
        assertOrder(writer);
        writer.rebuild();
        assertOrder(writer);
      }
    }
  }

  /** What a similarity may give that is not finite; 0/0 is another number that is none. */
  static float[] scores() {
    return new float[] {Float.POSITIVE_INFINITY, Float.NaN, Float.intBitsToFloat(0xFFC0_0000)};
  }

  @ParameterizedTest
  @MethodSource("scores")
  void rankFunctionsAreBuiltWhereAScoreIsNotFiniteFromTheStart(float score) throws IOException {
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, score)) {
      for (int week = 0; week < 4; week++) {
        index(writer, 7);
      }
      assertThat(writer.status().batchesIncomplete()).as("%s, seed %s", troubles, seed).isZero();
      assertThat(lastInterval(writer, "page-08")).as("seed %s", seed).isNotNull();
      assertOrder(writer);
      writer.rebuild();
      assertOrder(writer);
    }
  }

  @ParameterizedTest
  @MethodSource("estimators")
  void aScoreThatIsNotFiniteCostsNoOtherRefreshesWithAnyEstimator(
      QualityChange estimator, float score) throws IOException {
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, estimator, new NotFiniteOften(score))) {
      for (int week = 0; week < 6; week++) {
        index(writer, week % 2 == 0 ? -1 : 7);
        assertThat(writer.status().batchesIncomplete())
            .as("week %s: %s, seed %s", week, troubles, seed)
            .isZero();
        assertThat(lastInterval(writer, "page-08") == null)
            .as("week %s, seed %s", week, seed)
            .isEqualTo(week == 0);
        assertThat(lastInterval(writer, "page-07")).as("week %s, seed %s", week, seed).isNull();
        assertThat(pagesOfKnownUse(writer))
            .as("week %s, seed %s", week, seed)
            .isEqualTo(week % 2 == 0 ? PAGES : PAGES - 1);
      }
      assertOrder(writer);
      index(writer, -1);
      index(writer, -1);
      assertThat(lastInterval(writer, "page-07")).as("seed %s", seed).isNotNull();
    }
  }

  static Stream<Arguments> estimators() {
    return Stream.of(
            new PassedPages(PowerLawViews.PAPER),
            new PassedPages(new GeometricViews(1, 0.7)),
            new IntegralSum(PowerLawViews.PAPER),
            new PaperSum(PowerLawViews.PAPER))
        .flatMap(
            estimator ->
                Stream.of(Float.POSITIVE_INFINITY, Float.NaN)
                    .map(score -> arguments(estimator, score)));
  }

  @Test
  void scoresOfTermsThatAddUpToInfinityCostTheRefreshesTheyTouch() throws IOException {
    QualityChange estimator = new PassedPages(PowerLawViews.PAPER);
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, estimator, new HugeOften())) {
      for (int week = 0; week < 4; week++) {
        for (int page = 0; page < PAGES; page++) {
          index(writer, page, "w1 w2 ".repeat(page == 7 ? OFTEN + week : 1 + (page + week) % 5));
        }
        commit(writer);
        assertThat(writer.status().batchesIncomplete()).as("week %s: %s", week, troubles).isZero();
        assertThat(lastInterval(writer, "page-07")).as("week %s", week).isNull();
        assertThat(lastInterval(writer, "page-08") == null)
            .as("week %s", week)
            .isEqualTo(week == 0);
      }
      assertOrder(writer);
    }
  }

  @ParameterizedTest
  @MethodSource("scores")
  void whatUsersGetIsNotKnownWhereAnotherSimilarityGivesItNoFiniteNumber(float score)
      throws IOException {
    QualityChange estimator = new PassedPages(PowerLawViews.PAPER);
    try (Directory index = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = open(index, estimator, new BM25Similarity())) {
        for (int week = 0; week < 3; week++) {
          index(writer, 7);
        }
        assertThat(pagesOfKnownUse(writer)).as("seed %s", seed).isEqualTo(PAGES);
      }
      try (DeltaIndexWriter writer = open(index, score)) {
        writer.nextPages(1);
        assertThat(pagesOfKnownUse(writer)).as("seed %s", seed).isEqualTo(PAGES - 1);
        assertOrder(writer);
      }
    }
  }

  @Test
  void aUsefulnessThatIsForgottenApartFromAVisitIsNotKnown() {
    PageEntry page = new PageEntry();
    page.add(Refresh.useful(1, 3));
    assertThat(page.usefulness()).isEqualTo(3);
    page.add(Refresh.useful(2, Refresh.FORGOTTEN));
    assertThat(page.usefulness()).isEqualTo(-1);
  }

  private static int pagesOfKnownUse(DeltaIndexWriter writer) throws IOException {
    int[] known = new int[1];
    writer.withHistories(
        pages -> pages.forEach(page -> known[0] += page.usefulness() >= 0 ? 1 : 0));
    return known[0];
  }

  /** Null where the last refresh was not measured. */
  private static Duration lastInterval(DeltaIndexWriter writer, String page) throws IOException {
    return writer.explain(page).orElseThrow().refreshes().get(0).interval();
  }

  private void assertOrder(DeltaIndexWriter writer) throws IOException {
    for (List<PagePriority> order :
        List.of(
            writer.nextPages(2 * PAGES), writer.nextPages(new UserCentric(1), 2 * PAGES, now))) {
      assertThat(order).as("seed %s", seed).hasSize(PAGES);
      assertThat(order).as("seed %s", seed).allMatch(page -> Double.isFinite(page.priority()));
    }
  }

  @Test
  void aRefreshThatIsReadAndNotFiniteIsNotMeasured() throws IOException {
    for (double bad : new double[] {Double.POSITIVE_INFINITY, Double.NaN}) {
      Refresh read = written(new Refresh(1, 5, true, 3, bad, 2, null, 0, 0, null));
      assertThat(read).isEqualTo(new Refresh(1, 5, false, 0, 0, 2, null, 0, 0, null));
      read = written(new Refresh(1, 5, true, 3, 4, Float.POSITIVE_INFINITY, null, 0, 0, null));
      assertThat(read)
          .isEqualTo(new Refresh(1, 5, true, 3, 4, Refresh.FORGOTTEN, null, 0, 0, null));
    }
  }

  private static Refresh written(Refresh refresh) throws IOException {
    ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
    refresh.write(bytes);
    return Refresh.read(bytes.toDataInput());
  }

  @Test
  void frequenciesAndImportanceBeyondReasonAreRefused() {
    DeltaConfig.Builder often =
        DeltaConfig.builder(Workload.builder().add(List.of("a"), 1e16).build())
            .keyField("url")
            .scoredField("body");
    assertThatIllegalArgumentException()
        .isThrownBy(often::build)
        .withMessage(
            "a query may be asked 1.0E15 times at most, was 1.0E16 for query 0; scale all"
                + " frequencies");
    Importance huge = new Importance(page -> 1e37, Importance.Role.ALONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> huge.of("p"))
        .withMessage(
            "importance must be positive and at most 1.0E15, was 1.0E37 for page p; scale all of"
                + " them");
    Importance negative = new Importance(page -> -1, Importance.Role.SUMMAND);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> negative.of("p"))
        .withMessage(
            "importance must be 0 or more and at most 1.0E15, was -1.0 for page p; scale all of"
                + " them");
    Importance none = new Importance(page -> 0, Importance.Role.FACTOR);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> none.of("p"))
        .withMessageContaining("must be positive");
  }

  @Test
  void anImportanceThatThrowsIsToldByThePageAndCostsItsBatch() throws IOException {
    Map<String, Double> links = new HashMap<>();
    for (int page = 0; page < PAGES; page++) {
      links.put("page-%02d".formatted(page), 1.0);
    }
    Importance known = new Importance(links::get, Importance.Role.FACTOR);
    DeltaConfig config = config(new PassedPages(PowerLawViews.PAPER)).importance(known).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      index(writer, -1);
      index(writer, -1);
      index(writer, PAGES, "w1");
      commit(writer);
      assertThat(troubles)
          .singleElement()
          .asString()
          .contains(
              "importance of page page-60 cannot be had: java.lang.NullPointerException",
              "give a default for pages that are not known");
      assertThat(kinds).containsExactly(Trouble.LOST);
      links.put("page-60", 1.0);
      index(writer, -1);
      assertThat(troubles).hasSize(1);
      assertThat(lastInterval(writer, "page-08")).isNotNull();
    }
  }

  @Test
  void frequenciesTooSmallToTellGainsApartAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> asked(9e-16, 1e-40).build())
        .withMessage(
            "some query must be asked 1.0E-15 times at least, was 9.0E-16 for the one asked most;"
                + " scale all frequencies");
    assertThatNoException().isThrownBy(() -> asked(1e-15, 1e-40).build());
  }

  private static DeltaConfig.Builder asked(double often, double seldom) {
    Workload queries =
        Workload.builder().add(List.of("a"), often).add(List.of("b"), seldom).build();
    return DeltaConfig.builder(queries).keyField("url").scoredField("body");
  }

  private DeltaIndexWriter open(Directory index, float score) throws IOException {
    return open(index, new PassedPages(PowerLawViews.PAPER), new NotFiniteOften(score));
  }

  private DeltaIndexWriter open(Directory index, QualityChange estimator, Similarity similarity)
      throws IOException {
    return new DeltaIndexWriter(
        index,
        new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(similarity),
        config(estimator).build());
  }

  private DeltaConfig.Builder config(QualityChange estimator) {
    WorkloadBuilder queries = Workload.builder().add(List.of("w1", "w2"), 2);
    for (int word = 0; word < 30; word++) {
      queries.add(List.of("w" + word), 1 + word % 7);
    }
    return DeltaConfig.builder(queries.build())
        .keyField("url")
        .scoredField("body")
        .estimator(estimator)
        .clock(() -> now)
        .listener(new Troubles(troubles, kinds))
        .statePath(folder);
  }

  /** All pages anew, one of them perhaps with a word too often. */
  private void index(DeltaIndexWriter writer, int infinite) throws IOException {
    for (int page = 0; page < PAGES; page++) {
      StringBuilder text = new StringBuilder();
      for (int i = 5 + random.nextInt(15); i > 0; i--) {
        text.append("w" + (int) (30 * random.nextDouble() * random.nextDouble()) + " ");
      }
      index(writer, page, page == infinite ? "w1 ".repeat(OFTEN) : text.toString());
    }
    commit(writer);
  }

  private static void index(DeltaIndexWriter writer, int page, String text) throws IOException {
    String url = "page-%02d".formatted(page);
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.YES));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", url), document);
  }

  private void commit(DeltaIndexWriter writer) throws IOException {
    writer.commit();
    now = now.plus(Duration.ofDays(7));
  }

  /** BM25, but for terms that are in a page very often. */
  private static final class NotFiniteOften extends Similarity {
    private final BM25Similarity scores = new BM25Similarity();
    private final float often;

    NotFiniteOften(float often) {
      this.often = often;
    }

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
          return frequency >= OFTEN ? often : scorer.score(frequency, norm);
        }
      };
    }
  }

  /** Finite for each term, but not for two of them. */
  private static final class HugeOften extends Similarity {
    @Override
    public SimScorer scorer(float boost, CollectionStatistics field, TermStatistics... terms) {
      return new SimScorer() {
        @Override
        public float score(float frequency, long norm) {
          return frequency >= OFTEN ? 1e37f * frequency : frequency;
        }
      };
    }
  }
}
