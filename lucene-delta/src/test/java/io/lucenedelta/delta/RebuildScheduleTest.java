// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.ViewingLikelihood;
import io.lucenedelta.scorer.rank.FollowedRanks;
import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.scorer.refresh.ContentProvider;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.SiteMetadata;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.IndriDirichletSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.LMJelinekMercerSimilarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When rank functions are built anew. */
class RebuildScheduleTest {
  private static final int PAGES = 40;
  private static final Instant LATER = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;
  private int week;

  private DeltaConfig.Builder config() {
    return DeltaConfig.builder(
            Workload.builder().add(List.of("alpha"), 2).add(List.of("beta"), 1).build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .statePath(folder.resolve("state"));
  }

  /** Rank functions of standings follow no page. */
  private DeltaConfig.Builder notFollowed() {
    return config().importance(new Importance(page -> 1, Importance.Role.ALONE));
  }

  private static DeltaIndexWriter open(Directory index, DeltaConfig config) throws IOException {
    return new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  /** Commits a week in which the first pages get a text of their own and some get the old one. */
  private void commit(DeltaIndexWriter writer, DeltaConfig config, int changed, int unchanged)
      throws IOException {
    week++;
    for (int i = 0; i < changed + unchanged; i++) {
      String body = i < changed ? "alpha beta" + " beta".repeat(week) : "alpha beta";
      Document document = new Document();
      document.add(
          new StringField("url", "page" + (i < changed ? i : PAGES - 1 - i), Field.Store.NO));
      document.add(new TextField("body", body, Field.Store.NO));
      document.add(
          config.fetchTime(Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(7L * week))));
      writer.updateDocument(new Term("url", "page" + (i < changed ? i : PAGES - 1 - i)), document);
    }
    writer.commit();
  }

  private static Ranks ranks(DeltaIndexWriter writer) {
    return writer.measurer().ranks();
  }

  @Test
  void pagesThatCameUnchangedDoNotCount() throws IOException {
    DeltaConfig config = config().build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      commit(writer, config, 0, 1);
      Ranks first = ranks(writer);
      for (int i = 0; i < 60; i++) {
        commit(writer, config, 0, 5);
      }
      assertThat(ranks(writer)).isSameAs(first);
    }
  }

  @Test
  void changesAreCountedOverBatchesAndReopening() throws IOException {
    DeltaConfig config =
        config()
            .rebuildShare(0.0025) // changes that are followed count a hundredth
            .clock(() -> Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(7L * week)))
            .build();
    Instant built;
    try (Directory index = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = open(index, config)) {
        commit(writer, config, 0, PAGES);
        commit(writer, config, 0, 1);
        built = writer.status().lastRebuild();
        commit(writer, config, 5, 0);
      }
      try (DeltaIndexWriter writer = open(index, config)) {
        commit(writer, config, 4, 0);
        assertThat(writer.status().lastRebuild()).as("9 of 40 changed").isEqualTo(built);
        commit(writer, config, 1, 0);
        assertThat(writer.status().lastRebuild()).as("built before this batch").isEqualTo(built);
        commit(writer, config, 0, 1);
        assertThat(writer.status().lastRebuild()).as("10 of 40 changed").isAfter(built);
        Ranks second = ranks(writer);
        commit(writer, config, 9, 0);
        commit(writer, config, 0, 1);
        assertThat(ranks(writer)).as("counted from the rebuild on").isSameAs(second);
      }
    }
  }

  @Test
  void changesThatRankFunctionsDoNotFollowCountInFull() throws IOException {
    DeltaConfig config = notFollowed().rebuildShare(0.25).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      commit(writer, config, 9, 0);
      Ranks first = ranks(writer);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).as("9 of 40 changed before").isSameAs(first);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).as("10 of 40 changed before").isNotSameAs(first);
    }
  }

  /** Page i has the word so often that it is the i-th last of the result for it. */
  private void commitWords(DeltaIndexWriter writer, DeltaConfig config, int from, int to, int more)
      throws IOException {
    week++;
    for (int page = from; page < to; page++) {
      Document document = new Document();
      document.add(new StringField("url", "page" + page, Field.Store.NO));
      document.add(new TextField("body", "alpha ".repeat(1 + page + more), Field.Store.NO));
      document.add(
          config.fetchTime(Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(7L * week))));
      writer.updateDocument(new Term("url", "page" + page), document);
    }
    writer.commit();
  }

  @Test
  void changesCountInFullWhereTheyTookMoreFirstPlacesThanAreKept() throws IOException {
    int lost = KnotSample.BEST - RankTable.KNOWN + 1;
    for (boolean best : new boolean[] {false, true}) {
      DeltaConfig config = config().statePath(folder.resolve("best " + best)).build();
      try (Directory index = new ByteBuffersDirectory();
          DeltaIndexWriter writer = open(index, config)) {
        commitWords(writer, config, 0, PAGES, 0);
        commitWords(writer, config, 0, 1, 0);
        Ranks first = ranks(writer);
        int from = best ? PAGES - lost : 0;
        commitWords(writer, config, from, from + lost - 1, -from);
        assertThat(first.lostShare()).isZero();
        commitWords(writer, config, from + lost - 1, from + lost, -from);
        assertThat(first.lostShare()).isEqualTo(best ? 2.0 / 3 : 0);
        assertThat(ranks(writer)).isSameAs(first);
        commitWords(writer, config, 0, 1, 1);
        Ranks next = ranks(writer);
        assertThat(next == first).as("%d of %d pages", lost, PAGES).isEqualTo(!best);
        assertThat(next.lostShare()).isZero();
      }
    }
  }

  @Test
  void statisticsAreReadAnewWhenThePagesHaveChangedTenTimesEach() throws IOException {
    DeltaConfig config = config().rebuildShare(1000).build();
    int beta = 1;
    try (Directory index = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = open(index, config)) {
        commitWords(writer, config, 0, PAGES, 0);
        commitWords(writer, config, 0, PAGES, 1);
        assertThat(ranks(writer).documentFrequencies()[beta]).isZero();
        for (int round = 2; round < 6; round++) {
          commit(writer, config, PAGES, 0);
        }
      }
      try (DeltaIndexWriter writer = open(index, config)) {
        for (int round = 6; round < 10; round++) {
          commit(writer, config, PAGES, 0);
        }
        commit(writer, config, PAGES - 1, 0);
        commit(writer, config, 1, 0);
        assertThat(ranks(writer).documentFrequencies()[beta])
            .as("9 times and all but one page once more")
            .isZero();
        commit(writer, config, 1, 0);
        assertThat(ranks(writer).documentFrequencies()[beta]).isGreaterThanOrEqualTo(PAGES);
        Ranks second = ranks(writer);
        commit(writer, config, PAGES, 0);
        commit(writer, config, PAGES, 0);
        assertThat(ranks(writer)).as("counted from then on").isSameAs(second);
      }
    }
  }

  @Test
  void changesBeforeARebuildThatWasAskedForDoNotMakeItsStatisticsOlder() throws IOException {
    DeltaConfig config = config().rebuildShare(1_000).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, PAGES, 0);
      commit(writer, config, 0, 1);
      for (int round = 0; round < 9; round++) {
        commit(writer, config, PAGES, 0);
      }
      writer.rebuild();
      Ranks asked = ranks(writer);
      for (int round = 0; round < 10; round++) {
        commit(writer, config, PAGES, 0);
        assertThat(ranks(writer)).as("round %d", round).isSameAs(asked);
      }
      commit(writer, config, 0, 1);
      assertThat(ranks(writer)).isNotSameAs(asked);
    }
  }

  /** Commits pages of which some have a second field. */
  private void commitBrands(DeltaIndexWriter writer, int from, int to, int branded)
      throws IOException {
    week++;
    for (int page = from; page < to; page++) {
      Document document = new Document();
      document.add(new StringField("url", "page" + page, Field.Store.NO));
      document.add(new TextField("body", "alpha", Field.Store.NO));
      if (page < branded) {
        document.add(new StringField("brand", "beta", Field.Store.NO));
      }
      document.add(
          config()
              .build()
              .fetchTime(Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(7L * week))));
      writer.updateDocument(new Term("url", "page" + page), document);
    }
    writer.commit();
  }

  /** As if one document had it, and all words in it: each would weigh next to nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void statisticsAreReadAnewWhenAFieldHasComeToPages(boolean reopened) throws IOException {
    DeltaConfig config = config().scoredField("brand", 3).rebuildShare(1_000).build();
    int beta = 1;
    try (Directory index = new ByteBuffersDirectory()) {
      DeltaIndexWriter writer = open(index, config);
      try {
        commitBrands(writer, 0, PAGES, 0);
        commitBrands(writer, 0, PAGES, 0);
        Ranks first = ranks(writer);
        assertThat(first.documentFrequencies()[beta]).isZero();
        commitBrands(writer, 0, 8, 8);
        commitBrands(writer, PAGES - 1, PAGES, 0);
        assertThat(ranks(writer)).as("not looked at yet").isSameAs(first);
        commitBrands(writer, 0, 8, 0);
        commitBrands(writer, 0, 8, 8); // 24 changes
        if (reopened) {
          writer.close();
          writer = open(index, config);
        }
        commitBrands(writer, PAGES - 1, PAGES, 0);
        assertThat(ranks(writer).documentFrequencies()[beta]).isEqualTo(8);
        Ranks second = ranks(writer);
        commitBrands(writer, 0, 8, 0);
        commitBrands(writer, 0, 12, 12); // 20 changes
        commitBrands(writer, PAGES - 1, PAGES, 0);
        assertThat(ranks(writer)).as("half as many more have it").isSameAs(second);
        commitBrands(writer, 12, PAGES, PAGES);
        commitBrands(writer, 0, 1, PAGES);
        assertThat(ranks(writer).documentFrequencies()[beta]).isGreaterThanOrEqualTo(PAGES);
      } finally {
        writer.close();
      }
    }
  }

  /** What was counted is more than half of the pages that are left, and less of those before. */
  @Test
  void aFieldThatHasComeIsLookedForWherePagesLeaveMeanwhile() throws IOException {
    DeltaConfig config = config().scoredField("brand").rebuildShare(1_000).build();
    int beta = 1;
    int branded = PAGES / 2 - 1;
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commitBrands(writer, 0, PAGES, 0);
      commitBrands(writer, 0, 1, 0);
      assertThat(ranks(writer).documentFrequencies()[beta]).isZero();
      commitBrands(writer, 0, branded, branded);
      for (int left = 1; left <= 3; left++) {
        writer.deleteDocuments(new Term("url", "page" + (PAGES - left)));
      }
      writer.commit();
      commitBrands(writer, 0, 1, branded);
      assertThat(ranks(writer).documentFrequencies()[beta]).isEqualTo(branded);
    }
  }

  /** Looked at when half of the pages have changed, or whenever rank functions are built. */
  @ParameterizedTest
  @CsvSource({"1000000, 40, 1, 2", "8, 7, 3, 7"})
  void aFieldThatComesToOnePageAfterTheOtherHasFewStatisticsRead(
      int rebuildEvery, int first, int fewest, int most) throws IOException {
    DeltaConfig config =
        config().scoredField("brand").rebuildShare(1_000).rebuildEvery(rebuildEvery).build();
    int pages = 80;
    int beta = 1;
    List<Integer> read = new ArrayList<>();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commitBrands(writer, 0, pages, 0);
      commitBrands(writer, 0, 1, 0);
      int last = ranks(writer).documentFrequencies()[beta];
      for (int page = 0; page < pages; page++) {
        commitBrands(writer, page, page + 1, page + 1);
        if (ranks(writer).documentFrequencies()[beta] != last) {
          read.add(page);
          last = ranks(writer).documentFrequencies()[beta];
        }
      }
    }
    assertThat(read).as("and about each doubling").hasSizeBetween(fewest, most);
    assertThat(read.get(0)).isBetween(first, first + 3);
  }

  private static void update(DeltaIndexWriter writer, int page, String body, boolean branded)
      throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "page" + page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    if (branded) {
      document.add(new StringField("brand", "beta", Field.Store.NO));
    }
    writer.updateDocument(new Term("url", "page" + page), document);
  }

  @Test
  void aFieldThatFewPagesHaveHasNoStatisticsReadHoweverOftenTheyGetAndLoseIt() throws IOException {
    DeltaConfig config = config().scoredField("brand").rebuildShare(1_000).build();
    int pages = 250; // looked at after 11 rounds, and 21, when two of them have it
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commitBrands(writer, 0, pages, 0);
      commitBrands(writer, 0, 1, 0);
      Ranks first = ranks(writer);
      for (int round = 0; round < 23; round++) {
        for (int page = 0; page < 12; page++) {
          boolean branded = page < 2 && round % 2 == 0;
          update(writer, page, page < 2 ? "alpha" : "alpha ".repeat(2 + round), branded);
        }
        writer.commit();
      }
      assertThat(ranks(writer)).isSameAs(first);
    }
  }

  /** As of quotations among pages that hardly change: merges alone make their documents few. */
  @Test
  void deletedDocumentsOfPagesThatHaveAFieldHaveNoStatisticsRead() throws IOException {
    DeltaConfig config = config().scoredField("brand").rebuildShare(1_000).build();
    int pages = 200;
    int branded = 10;
    Random random = new Random(1);
    IndexWriterConfig merging =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setMergePolicy(new LogDocMergePolicy())
            .setMergeScheduler(new SerialMergeScheduler());
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = new DeltaIndexWriter(index, merging, config)) {
      commitBrands(writer, 0, pages, branded);
      commitBrands(writer, 0, 1, branded);
      Ranks first = ranks(writer);
      for (int round = 0; round < 60; round++) {
        for (int page = 0; page < branded; page++) {
          if (random.nextBoolean()) {
            update(writer, page, "alpha ".repeat(2 + round), true);
          }
        }
        writer.commit();
        assertThat(ranks(writer)).as("round %d", round).isSameAs(first);
      }
    }
  }

  /** More documents of each segment are deleted than have the field. */
  @Test
  void statisticsAreReadAnewWhenAFieldHasComeToFewPagesOfAnIndexThatIsUpdated() throws IOException {
    DeltaConfig config = config().scoredField("brand").rebuildShare(1_000).build();
    int pages = 2_000;
    int beta = 1;
    Random random = new Random(1);
    IndexWriterConfig unmerged =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = new DeltaIndexWriter(index, unmerged, config)) {
      commitBrands(writer, 0, pages, 0);
      commitBrands(writer, 0, pages, 0);
      assertThat(ranks(writer).documentFrequencies()[beta]).isZero();
      for (int round = 0; round < 11; round++) {
        for (int some = 0; some < pages; some += 20) {
          int page = some + random.nextInt(20);
          update(writer, page, "alpha ".repeat(2 + round), random.nextInt(20) == 0);
        }
        writer.commit();
      }
      assertThat(ranks(writer).documentFrequencies()[beta]).isBetween(pages / 100, pages / 10);
    }
  }

  @Test
  void rankFunctionsBuiltForAnotherReasonAreByTheStatisticsOfAFieldThatHasCome()
      throws IOException {
    DeltaConfig config = config().scoredField("brand").rebuildShare(1_000).rebuildEvery(3).build();
    int beta = 1;
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commitBrands(writer, 0, PAGES, 0);
      commitBrands(writer, 0, 1, 0);
      commitBrands(writer, 0, 3, 3);
      commitBrands(writer, PAGES - 1, PAGES, 0);
      assertThat(ranks(writer).documentFrequencies()[beta]).isZero();
      commitBrands(writer, PAGES - 1, PAGES, 0);
      assertThat(ranks(writer).documentFrequencies()[beta]).isEqualTo(3);
    }
  }

  /** None of the pages that the statistics were read of is left then, though there are as many. */
  @Test
  void statisticsAreReadAnewWhenAllPagesWereExchangedForOthers() throws IOException {
    DeltaConfig config = config().rebuildShare(1_000).build();
    int beta = 1;
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commitBrands(writer, 0, PAGES, 0);
      commitBrands(writer, 0, 1, 0);
      Ranks first = ranks(writer);
      for (int left = 0; left < PAGES; left += 2) {
        for (int page = left; page < left + 2; page++) {
          writer.deleteDocuments(new Term("url", "page" + page));
        }
        commitWords(writer, config, PAGES + left, PAGES + left + 2, -PAGES);
        assertThat(ranks(writer)).as("%d left before", left).isSameAs(first);
      }
      commitWords(writer, config, PAGES, PAGES + 1, -PAGES);
      assertThat(ranks(writer)).isNotSameAs(first);
      assertThat(ranks(writer).pages()).isEqualTo(PAGES);
      Ranks second = ranks(writer);
      commitWords(writer, config, PAGES, PAGES + 1, 0);
      commitWords(writer, config, PAGES, PAGES + 1, -PAGES);
      assertThat(ranks(writer)).as("counted from then on").isSameAs(second);
    }
  }

  /** Each batch imports, so that none is captured: what it brought is read from the index. */
  @Test
  void statisticsGrowOldByBatchesThatAreReadFromTheIndexToo() throws IOException {
    DeltaConfig config = config().build();
    int beta = 1;
    try (Directory index = new ByteBuffersDirectory();
        Directory other = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      try (IndexWriter plain = new IndexWriter(other, new IndexWriterConfig())) {
        plain.addDocument(new Document());
      }
      commitWords(writer, config, 0, PAGES, 0);
      commitWords(writer, config, 0, PAGES, 1);
      for (int round = 0; round < 12; round++) {
        assertThat(ranks(writer).documentFrequencies()[beta]).as("round %d", round).isZero();
        writer.addIndexes(other);
        commit(writer, config, PAGES, 0);
        if (ranks(writer).documentFrequencies()[beta] > 0) {
          assertThat(round).isGreaterThanOrEqualTo(9);
          return;
        }
      }
      assertThat(ranks(writer).documentFrequencies()[beta]).isPositive();
    }
  }

  @Test
  void pagesThatCameUnchangedDoNotCountInBatchesThatAreReadFromTheIndexEither() throws IOException {
    DeltaConfig config = config().build();
    int beta = 1;
    try (Directory index = new ByteBuffersDirectory();
        Directory other = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      try (IndexWriter plain = new IndexWriter(other, new IndexWriterConfig())) {
        plain.addDocument(new Document());
      }
      commitWords(writer, config, 0, PAGES, 0);
      commitWords(writer, config, 0, PAGES, 1);
      Ranks first = ranks(writer);
      for (int round = 0; round < 12; round++) {
        writer.addIndexes(other);
        commit(writer, config, 0, PAGES);
        assertThat(ranks(writer).documentFrequencies()[beta]).as("round %d", round).isZero();
      }
      assertThat(ranks(writer)).as("built anew").isNotSameAs(first);
    }
  }

  @Test
  void documentsWithoutAKeyAreNoPagesOfWhichAShareMayChange() throws IOException {
    DeltaConfig config = notFollowed().rebuildShare(0.25).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      for (int i = 0; i < 9 * PAGES; i++) {
        writer.addDocument(new Document());
      }
      commit(writer, config, 0, PAGES);
      commit(writer, config, 10, 0);
      Ranks first = ranks(writer);
      assertThat(first.pages()).isEqualTo(PAGES);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).as("10 of 40 changed before").isNotSameAs(first);
    }
  }

  /** Or those of an index whose rank functions are built often would never be read anew. */
  @Test
  void rankFunctionsBuiltByOldStatisticsLeaveTheAgeOfTheseAsItIs() throws IOException {
    DeltaConfig config = config().rebuildShare(1_000).rebuildEvery(3).build();
    int beta = 1;
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commitWords(writer, config, 0, PAGES, 0);
      commitWords(writer, config, 0, PAGES, 1);
      Ranks first = ranks(writer);
      for (int round = 1; round < 10; round++) {
        commit(writer, config, PAGES, 0);
      }
      assertThat(ranks(writer)).as("built anew").isNotSameAs(first);
      assertThat(ranks(writer).documentFrequencies()[beta])
          .as("by the statistics of then")
          .isZero();
      commit(writer, config, 1, 0);
      assertThat(ranks(writer).documentFrequencies()[beta]).isGreaterThanOrEqualTo(PAGES);
    }
  }

  @Test
  void statisticsAreReadAnewWhenThereAreMoreThanATenthMorePages() throws IOException {
    DeltaConfig config = config().rebuildShare(1_000).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      commit(writer, config, 0, 1);
      Ranks first = ranks(writer);
      commit(writer, config, PAGES + PAGES / 10, 0);
      commit(writer, config, 0, 1);
      assertThat(ranks(writer)).as("a tenth more").isSameAs(first);
      commit(writer, config, PAGES + PAGES / 10 + 1, 0);
      commit(writer, config, 0, 1);
      assertThat(ranks(writer)).as("and one").isNotSameAs(first);
      assertThat(ranks(writer).pages()).isEqualTo(PAGES + PAGES / 10 + 1);
    }
  }

  @Test
  void statisticsAreReadAnewWhenThereAreMoreThanATenthFewerPages() throws IOException {
    DeltaConfig config = config().rebuildShare(1_000).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      commit(writer, config, 0, 1);
      Ranks first = ranks(writer);
      for (int page = 1; page <= 3; page++) {
        writer.deleteDocuments(new Term("url", "page" + page));
      }
      commit(writer, config, 1, 0);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).as("37 are left").isSameAs(first);
      writer.deleteDocuments(new Term("url", "page4"));
      commit(writer, config, 1, 0);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer).pages()).as("36 are left").isEqualTo(PAGES - 4);
    }
  }

  @Test
  void statisticsAreReadAnewWhenAnotherWriterChangedNobodyKnowsHowMuch() throws IOException {
    DeltaConfig config = config().build();
    int beta = 1;
    try (Directory index = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = open(index, config)) {
        commitWords(writer, config, 0, PAGES, 0);
        commitWords(writer, config, 0, PAGES, 1);
        assertThat(ranks(writer).documentFrequencies()[beta]).isZero();
      }
      try (IndexWriter plain =
          new IndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        for (int page = 0; page < PAGES; page++) {
          Document document = new Document();
          document.add(new StringField("url", "page" + page, Field.Store.NO));
          document.add(new TextField("body", "beta", Field.Store.NO));
          plain.updateDocument(new Term("url", "page" + page), document);
        }
      }
      try (DeltaIndexWriter writer = open(index, config)) {
        commitWords(writer, config, 0, 1, 0);
        assertThat(ranks(writer).documentFrequencies()[beta]).isGreaterThanOrEqualTo(PAGES - 1);
      }
    }
  }

  @Test
  void theShareOfChangedPagesIsOfThoseThatAreLeft() throws IOException {
    DeltaConfig config = notFollowed().rebuildShare(0.27).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      commit(writer, config, 0, 1);
      Ranks first = ranks(writer);
      for (int page = 1; page <= 3; page++) {
        writer.deleteDocuments(new Term("url", "page" + page));
      }
      commit(writer, config, 0, 1); // three of 37 have changed
      for (int i = 0; i < 6; i++) {
        commit(writer, config, 1, 0);
      }
      assertThat(ranks(writer)).as("9 of 37 changed before").isSameAs(first);
      commit(writer, config, 1, 0);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).as("10 of 37 changed before").isNotSameAs(first);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {DeltaConfig.REBUILD_SHARE, 5, 1_000})
  void pagesReadBackFromTheIndexHaveRankFunctionsBuiltAnew(double share) throws IOException {
    DeltaConfig config = config().rebuildShare(share).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      commit(writer, config, 1, 0);
      Ranks first = ranks(writer);
      writer.deleteDocuments(new PrefixQuery(new Term("url", "page1")));
      writer.commit();
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).isNotSameAs(first);
      assertThat(ranks(writer).table().results(0)).isEqualTo(PAGES - 11);
    }
  }

  @Test
  void whatRankFunctionsFollowedIsThereAfterReopening() throws IOException {
    DeltaConfig config = config().rebuildShare(5).build();
    try (Directory index = new ByteBuffersDirectory()) {
      float best;
      try (DeltaIndexWriter writer = open(index, config)) {
        commit(writer, config, 0, PAGES);
        commit(writer, config, 0, 1);
        best = ranks(writer).table().knotScore(1, 0);
        commit(writer, config, 3, 0);
        assertThat(ranks(writer).table().knotScore(1, 0)).as("more of beta").isGreaterThan(best);
        best = ranks(writer).table().knotScore(1, 0);
        commit(writer, config, 0, 1); // and nothing to follow
      }
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(ranks(writer).table().knotScore(1, 0)).isEqualTo(best);
        writer.deleteDocuments(new Term("url", "page0"));
        writer.deleteDocuments(new Term("url", "page1"));
        writer.deleteDocuments(new Term("url", "page2"));
        writer.commit();
        assertThat(ranks(writer).table().results(1)).isEqualTo(PAGES - 3);
        assertThat(ranks(writer).table().knotScore(1, 0)).isLessThan(best);
      }
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(ranks(writer).table().results(1)).as("though none came").isEqualTo(PAGES - 3);
      }
    }
  }

  /** Lets every try to build rank functions fail while it is on, and counts the tries. */
  private static final class NoRanks implements FaultPoints {
    private boolean on;
    private final List<Integer> tries = new ArrayList<>();
    private int commits;

    @Override
    public void at(String point) {
      if (on && point.equals(FaultPoints.RANKS)) {
        tries.add(commits);
        throw new OutOfMemoryError("of a test");
      }
    }
  }

  @Test
  void formerRankFunctionsStayInUseWhereNewOnesCannotBeBuilt() throws IOException {
    NoRanks faults = new NoRanks();
    List<String> troubles = new ArrayList<>();
    List<Trouble> kinds = new ArrayList<>();
    DeltaConfig config =
        config()
            .rebuildEvery(1)
            .faults(faults)
            .clock(() -> Instant.parse("2026-03-01T00:00:00Z"))
            .listener(new Troubles(troubles, kinds))
            .build();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      commit(writer, config, 1, 0);
      Ranks former = ranks(writer);
      assertThat(writer.status().ranksFailure()).isEmpty();
      faults.on = true;
      for (int i = 0; i < 50; i++) {
        faults.commits++;
        commit(writer, config, 1, 0);
      }
      assertThat(ranks(writer)).isSameAs(former);
      assertThat(faults.tries).as("ever fewer").containsExactly(1, 2, 4, 8, 16, 32, 48);
      assertThat(troubles).hasSameSizeAs(faults.tries);
      assertThat(troubles.get(0))
          .endsWith("tried again by the next commit, or at once by rebuild()");
      assertThat(troubles.get(3)).endsWith("again after 7 more commits, or at once by rebuild()");
      assertThat(writer.status().batchesIncomplete()).isZero();
      assertThat(kinds).containsOnly(Trouble.RETRIED);
      assertThat(writer.status().ranksFailure())
          .startsWith("2026-03-01T00:00:00Z: could not be built: java.lang.OutOfMemoryError: of a")
          .contains("give the JVM more heap");
      try (DeltaState state = DeltaState.open(folder.resolve("index"), folder.resolve("state"))) {
        assertThat(state.status().ranksFailure()).isEqualTo(writer.status().ranksFailure());
        assertThat(state.status()).asString().contains("(failed since: 2026-03-01");
      }
      assertThatThrownBy(writer::rebuild).hasMessage("of a test");
      assertThat(writer.explain("page0").orElseThrow().refreshes())
          .hasSize(52)
          .filteredOn(MeasuredRefresh::measured)
          .hasSize(51);
      faults.on = false;
      for (int i = 0; i < 15; i++) {
        commit(writer, config, 1, 0);
      }
      assertThat(ranks(writer)).as("built when tried again").isNotSameAs(former);
      assertThat(writer.status().ranksFailure()).isEmpty();
      Ranks next = ranks(writer);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).as("no more pauses").isNotSameAs(next);
      faults.on = true;
      faults.commits = 0;
      faults.tries.clear();
      for (int i = 0; i < 4; i++) {
        faults.commits++;
        commit(writer, config, 1, 0);
      }
      assertThat(faults.tries).as("these failures are the first again").containsExactly(1, 2, 4);
    }
  }

  @Test
  void withoutAnyRankFunctionsABatchIsIncompleteAndSaysWhenTheyAreTriedAgain() throws IOException {
    NoRanks faults = new NoRanks();
    List<String> troubles = new ArrayList<>();
    List<Trouble> kinds = new ArrayList<>();
    DeltaConfig config = config().faults(faults).listener(new Troubles(troubles, kinds)).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      faults.on = true;
      for (int i = 0; i < 9; i++) {
        faults.commits++;
        commit(writer, config, 1, 0);
      }
      assertThat(faults.tries).as("at most three let go by").containsExactly(1, 2, 4, 8);
      assertThat(writer.status().batchesIncomplete()).isEqualTo(9);
      assertThat(troubles).hasSize(9);
      assertThat(kinds).containsOnly(Trouble.LOST);
      assertThat(troubles.get(7)).contains("could not be built", "after 3 more", "of a test");
      assertThat(troubles.get(8)).contains("could not be built", "after 2 more", "of a test");
      assertThat(troubles.get(8))
          .endsWith(
              "; give the JVM more heap, or take a workload of fewer than the %d queries"
                  .formatted(config.workload().queryCount()));
      assertThat(writer.nextPages(PAGES)).as("all alike").hasSize(PAGES);
      assertThat(faults.tries).as("a question tries at once").hasSize(5);
      assertThat(troubles.get(9)).contains("worth the same", "after 3 more", "of a test");
      assertThat(kinds.get(9)).isEqualTo(Trouble.RETRIED);
      faults.on = false;
      writer.rebuild();
      commit(writer, config, 1, 0);
      assertThat(writer.status().batchesIncomplete()).as("asked for").isEqualTo(9);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Java heap space, 'give the JVM more heap, or measure fewer of the 1,200 queries whole'",
    "GC overhead limit exceeded, 'give the JVM more heap, or measure fewer of the 1,200 queries whole'",
    "Requested array size exceeds VM limit, 'measure fewer of the 1,200 queries whole'",
    "unable to create native thread: possibly out of memory, allow the process more threads",
    "Metaspace, 'allow the JVM more memory for classes, as by -XX:MaxMetaspaceSize'",
    "Compressed class space, 'allow the JVM more memory for classes, as by -XX:MaxMetaspaceSize'"
  })
  void whatIsAdvisedIsForWhatRanOut(String message, String advice) {
    assertThat(CurrentRanks.remedy(message, 1200, 3, 2000, 2)).isEqualTo(advice);
  }

  @ParameterizedTest
  @CsvSource({
    "Java heap space, 1, 1, 'give the JVM more heap, or take a workload of fewer than the 1,200 queries'",
    "Java heap space, 3, 22, 'give the JVM more heap, or measure fewer of the 1,200 queries whole'",
    "Java heap space, 3, 23, 'give the JVM more heap, or score fewer than the 23 fields or take a workload of fewer than its 2,000 terms, each of which counts once for each field'",
    "Requested array size exceeds VM limit, 1, 40, 'score fewer than the 40 fields or take a workload of fewer than its 2,000 terms, each of which counts once for each field'",
    "Cannot reserve 9 bytes of direct buffer memory, 3, 40, 'allow the JVM more memory outside the heap by -XX:MaxDirectMemorySize, or measure fewer of the 1,200 queries whole'",
    "Cannot reserve 9 bytes of direct buffer memory, 1, 40, 'allow the JVM more memory outside the heap by -XX:MaxDirectMemorySize, or take a workload of fewer than the 1,200 queries'"
  })
  void whatIsAdvisedIsForWhatTakesMost(String message, int longest, int fields, String advice) {
    assertThat(CurrentRanks.remedy(message, 1200, longest, 2000, fields)).isEqualTo(advice);
  }

  @Test
  void whoReadsTheOrderHearsThatThereAreNoRankFunctionsYet() throws IOException {
    Path path = folder.resolve("index");
    DeltaConfig config = config().build();
    try (Directory index = FSDirectory.open(path);
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      try (DeltaState state = DeltaState.open(path, folder.resolve("state"))) {
        for (RefreshPolicy byTime :
            List.of(
                new Uniform(Uniform.StaticPages.FETCH, 0),
                new SiteMetadata(1),
                new ContentProvider(1))) {
          assertThat(state.nextPages(byTime, 1, LATER)).hasSize(1);
        }
        assertThat(state.troubles()).as("an order that needs none").isEmpty();
        assertThat(state.nextPages(1, LATER)).hasSize(1);
        assertThat(state.nextPages(new UserUtility(1), 1, LATER)).hasSize(1);
        assertThat(state.troubles())
            .containsExactly(
                "there are no rank functions yet, so that pages may be ordered as if all were worth"
                    + " the same to users: the next batch committed through a DeltaIndexWriter"
                    + " builds them, or before that the first who asks it for the order");
      }
      commit(writer, config, 1, 0);
      try (DeltaState state = DeltaState.open(path, folder.resolve("state"))) {
        assertThat(state.nextPages(1, LATER)).hasSize(1);
        assertThat(state.troubles()).isEmpty();
      }
    }
  }

  @Test
  void whoReadsTheOrderHearsWhyThereAreNoRankFunctions() throws IOException {
    Path path = folder.resolve("index");
    NoRanks faults = new NoRanks();
    faults.on = true;
    DeltaConfig config = config().faults(faults).build();
    try (Directory index = FSDirectory.open(path);
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      commit(writer, config, 1, 0);
    }
    try (DeltaState state = DeltaState.open(path, folder.resolve("state"))) {
      assertThat(state.nextPages(1, LATER)).hasSize(1);
      assertThat(state.status().ranksFailure()).contains("could not be built", "of a test");
      assertThat(state.troubles())
          .containsExactly(
              "there are no rank functions, so that pages may be ordered as if all were worth the"
                  + " same to users: "
                  + state.status().ranksFailure());
    }
  }

  /** Memory outside the heap in which rank functions have no room while it is small. */
  private static final class TooSmallForRanks extends FilterDirectory implements FaultPoints {
    private final AtomicBoolean small;

    TooSmallForRanks(Directory in, AtomicBoolean small) {
      super(in);
      this.small = small;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (name.startsWith(StateFiles.RANKS)) {
        at(FaultPoints.RANKS);
      }
      return super.openInput(name, context);
    }

    @Override
    public void at(String point) {
      if (small.get() && point.equals(FaultPoints.RANKS)) {
        throw new OutOfMemoryError("Cannot reserve 352 bytes of direct buffer memory, of a test");
      }
    }
  }

  @Test
  void aWriterOpensWithoutMemoryForItsRankFunctionsWhichTheNextOneReads() throws IOException {
    AtomicBoolean small = new AtomicBoolean();
    List<String> troubles = new ArrayList<>();
    DeltaConfig config =
        config()
            .stateDirectory(directory -> new TooSmallForRanks(directory, small))
            .faults(new TooSmallForRanks(new ByteBuffersDirectory(), small))
            .listener(new Troubles(troubles))
            .build();
    try (Directory index = new ByteBuffersDirectory()) {
      float former;
      try (DeltaIndexWriter writer = open(index, config)) {
        commit(writer, config, 0, PAGES);
        commit(writer, config, 1, 0);
        former = ranks(writer).table().knotScore(1, 0);
      }
      small.set(true);
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(ranks(writer)).isNull();
        assertThat(troubles).hasSize(1);
        assertThat(troubles.get(0))
            .startsWith("rank functions could not be read")
            .contains("direct buffer memory", "-XX:MaxDirectMemorySize", "the 2 queries");
        assertThat(writer.status().ranksFailure()).contains("not be read", "direct buffer memory");
        assertThat(writer.status().lastRebuild()).as("none in use").isNull();
        assertThat(writer.status().rankBytes()).isZero();
      }
      small.set(false);
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(ranks(writer).table().knotScore(1, 0)).isEqualTo(former);
        assertThat(writer.status().ranksFailure()).as("they were read").isEmpty();
        Ranks read = ranks(writer);
        commit(writer, config, 0, 1);
        assertThat(ranks(writer)).as("nothing has changed since").isSameAs(read);
      }
      small.set(true);
      try (DeltaIndexWriter writer = open(index, config)) {
        for (int i = 0; i < 3; i++) {
          commit(writer, config, 1, 0);
        }
        assertThat(writer.status().batchesIncomplete()).isEqualTo(3);
        assertThat(troubles).hasSize(5);
        assertThat(troubles.get(3)).contains("-XX:MaxDirectMemorySize").doesNotContain("more heap");
        assertThat(troubles.get(3)).contains("tried again after 1 more commit, or");
      }
      small.set(false);
      try (DeltaIndexWriter writer = open(index, config)) {
        Ranks read = ranks(writer);
        assertThat(read.table().knotScore(1, 0)).as("told of no page").isEqualTo(former);
        commit(writer, config, 0, 1);
        assertThat(ranks(writer)).as("pages have changed since").isNotSameAs(read);
        assertThat(ranks(writer).table().knotScore(1, 0)).isGreaterThan(former);
        assertThat(writer.status().batchesIncomplete()).isEqualTo(3);
      }
    }
  }

  @Test
  void whatCouldNeitherBeReadNorBuiltIsNoFailureOnceItIsRead() throws IOException {
    AtomicBoolean small = new AtomicBoolean();
    DeltaConfig config =
        config()
            .stateDirectory(directory -> new TooSmallForRanks(directory, small))
            .faults(new TooSmallForRanks(new ByteBuffersDirectory(), small))
            .build();
    Path path = folder.resolve("index");
    try (Directory index = FSDirectory.open(path)) {
      try (DeltaIndexWriter writer = open(index, config)) {
        commit(writer, config, 0, PAGES);
        commit(writer, config, 1, 0);
      }
      small.set(true);
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(writer.nextPages(PAGES)).as("a question tries to build them").hasSize(PAGES);
        assertThat(writer.status().ranksFailure())
            .contains("could not be read, nor built anew: java.lang.OutOfMemoryError");
      }
      small.set(false);
      open(index, config).close();
      try (DeltaState state = DeltaState.open(path, folder.resolve("state"))) {
        assertThat(state.status().ranksFailure()).isEmpty();
        assertThat(state.status().lastRebuild()).isNotNull();
      }
      small.set(true);
      DeltaConfig readable =
          config().faults(new TooSmallForRanks(new ByteBuffersDirectory(), small)).build();
      try (DeltaIndexWriter writer = open(index, readable)) {
        assertThatThrownBy(writer::rebuild).isInstanceOf(OutOfMemoryError.class);
      }
      small.set(false);
      open(index, config).close();
      try (DeltaState state = DeltaState.open(path, folder.resolve("state"))) {
        assertThat(state.status().ranksFailure()).as("of building").contains("could not be built");
      }
    }
  }

  @Test
  void whereAnInterruptEndsAQuestionTheNextOneBuildsThem() throws IOException {
    List<String> troubles = new ArrayList<>();
    DeltaConfig config = config().listener(new Troubles(troubles)).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(
                () -> {
                  Thread.currentThread().interrupt();
                  writer.nextPages(PAGES);
                })
            .isInstanceOf(IOException.class);
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
      }
      assertThat(ranks(writer)).isNull();
      assertThat(troubles)
          .hasSize(3)
          .allSatisfy(
              trouble ->
                  assertThat(trouble)
                      .contains("worth the same", "by the next commit, or at once by rebuild()")
                      .contains("ClosedByInterruptException"));
      assertThat(writer.nextPages(PAGES)).hasSize(PAGES);
      assertThat(ranks(writer)).isNotNull();
    }
    assertThat(troubles).hasSize(3);
  }

  /** As Chronicle Map tells of it where it makes its file larger. */
  @Test
  void anInterruptOfWhoAsksIsToldAsOneWhateverThePageStoreThrows() throws IOException {
    AtomicBoolean interrupted = new AtomicBoolean();
    FaultPoints faults =
        point -> {
          if (interrupted.get() && point.equals(FaultPoints.STORE)) {
            throw new RuntimeException("ChronicleMap{of a test}", new ClosedByInterruptException());
          }
        };
    DeltaConfig config = config().faults(faults).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      interrupted.set(true);
      for (ThrowingCallable question :
          List.<ThrowingCallable>of(writer::rebuild, () -> writer.nextPages(PAGES))) {
        assertThatThrownBy(question)
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("interrupted while")
            .hasMessageEndingWith("ask again");
      }
      interrupted.set(false);
      assertThat(writer.nextPages(PAGES)).hasSize(PAGES);
    }
  }

  @Test
  void aClockThatTellsNoTimeBuildsNoRankFunctionsOfTheYear1970() throws IOException {
    AtomicBoolean stopped = new AtomicBoolean();
    List<String> troubles = new ArrayList<>();
    DeltaConfig config =
        config()
            .clock(() -> stopped.get() ? null : Instant.parse("2024-02-01T00:00:00Z"))
            .listener(new Troubles(troubles))
            .build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, 0, PAGES);
      stopped.set(true);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).isNull();
      assertThat(writer.status().lastRebuild()).isNull();
      assertThat(troubles).anyMatch(trouble -> trouble.contains("rank functions could not be"));
      stopped.set(false);
      commit(writer, config, 1, 0);
      assertThat(writer.status().lastRebuild()).isEqualTo("2024-02-01T00:00:00Z");
    }
  }

  /** A disk on which no rank functions can be written while it is full. */
  private static final class FullForRanks extends FilterDirectory {
    private final AtomicBoolean full;

    FullForRanks(Directory in, AtomicBoolean full) {
      super(in);
      this.full = full;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (full.get() && name.startsWith(StateFiles.RANKS)) {
        throw new IOException("no space left on device, of a test");
      }
      return super.createOutput(name, context);
    }
  }

  @Test
  void rankFunctionsThatCannotBeWrittenAreInUseAndWrittenLater() throws IOException {
    AtomicBoolean full = new AtomicBoolean();
    List<String> troubles = new ArrayList<>();
    DeltaConfig config =
        config()
            .rebuildEvery(3)
            .stateDirectory(directory -> new FullForRanks(directory, full))
            .listener(new Troubles(troubles))
            .build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      Ranks former;
      try (DeltaIndexWriter writer = open(index, config)) {
        commit(writer, config, 0, PAGES);
        commit(writer, config, 1, 0);
        former = ranks(writer);
        full.set(true);
        for (int i = 0; i < 3; i++) {
          commit(writer, config, 1, 0);
        }
        assertThat(ranks(writer)).isNotSameAs(former);
        assertThat(troubles).hasSize(1);
        assertThat(troubles.get(0)).contains("in use but could not be written");
        assertThat(writer.status().batchesIncomplete()).isZero();
        assertThat(writer.status().ranksFailure()).contains("not be written", "no space left");
        assertThat(writer.status().rankBytes()).isEqualTo(2 * FollowedRanks.BYTES);
        Instant built = writer.status().lastRebuild();
        assertThat(writer.status().toString()).contains("ranks built " + built + " (failed since");
        try (DeltaState state = DeltaState.open(folder.resolve("index"), folder.resolve("state"))) {
          assertThat(state.status().lastRebuild()).as("nothing to read").isNull();
          assertThat(state.status().rankBytes()).isZero();
          assertThat(state.status().toString()).contains("ranks lacking (failed since");
        }
        former = ranks(writer);
        full.set(false);
        commit(writer, config, 1, 0);
        assertThat(ranks(writer)).as("written, not built").isSameAs(former);
        assertThat(writer.status().ranksFailure()).isEmpty();
        assertThat(writer.status().lastRebuild()).isEqualTo(built);
        full.set(true);
        commit(writer, config, 1, 0);
      }
      assertThat(troubles).as("what they followed, at the close").hasSize(2);
      full.set(false);
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(ranks(writer)).isNull();
        commit(writer, config, 1, 0);
        assertThat(ranks(writer)).isNotNull();
        assertThat(writer.status().batchesIncomplete()).isZero();
        assertThat(writer.explain("page0").orElseThrow().refreshes())
            .hasSize(8)
            .filteredOn(MeasuredRefresh::measured)
            .hasSize(7);
      }
      assertThat(troubles).as("closed cleanly, with nothing to read back").hasSize(2);
      try (DeltaIndexWriter writer = open(index, config)) {
        full.set(true);
        writer.rebuild();
        assertThat(troubles).hasSize(3);
        full.set(false);
      }
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(ranks(writer)).as("written at the close").isNotNull();
      }
    }
  }

  @Test
  void aShareAndALimitInBatchesAreSettings() throws IOException {
    DeltaConfig config = config().rebuildShare(5).rebuildEvery(3).build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, config)) {
      commit(writer, config, PAGES, 0);
      commit(writer, config, PAGES, 0);
      Ranks first = ranks(writer);
      commit(writer, config, PAGES, 0);
      assertThat(ranks(writer)).isSameAs(first);
      commit(writer, config, 1, 0);
      commit(writer, config, 1, 0);
      assertThat(ranks(writer)).isNotSameAs(first);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config().rebuildShare(0))
        .withMessageContaining("was 0.0");
  }

  private static DeltaIndexWriter open(Directory index, DeltaConfig config, Similarity similarity)
      throws IOException {
    return new DeltaIndexWriter(
        index, new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(similarity), config);
  }

  private static Similarity perField(float k1) {
    BM25Similarity similarity = new BM25Similarity(k1, 0.75f);
    return new PerFieldSimilarityWrapper() {
      @Override
      public Similarity get(String field) {
        return similarity;
      }
    };
  }

  @Test
  void rankFunctionsStayWithASimilarityThatDoesNotTellItsParameters() throws IOException {
    DeltaConfig config = config().rebuildShare(5).build();
    try (Directory index = new ByteBuffersDirectory()) {
      for (Supplier<Similarity> each :
          List.<Supplier<Similarity>>of(
              () -> perField(1), BooleanSimilarity::new, PartsSimilarity::new)) {
        try (DeltaIndexWriter writer = open(index, config, each.get())) {
          commit(writer, config, PAGES, 0);
          commit(writer, config, 1, 0);
        }
        try (DeltaIndexWriter writer = open(index, config, each.get())) {
          assertThat(ranks(writer)).as(each.get().toString()).isNotNull();
        }
      }
    }
  }

  /** Prints its parts, which are others in each process, as do some in Lucene. */
  private static final class PartsSimilarity extends PerFieldSimilarityWrapper {
    private final Similarity body = hashed(BooleanSimilarity::new);
    private final float[] weights = hashed(() -> new float[] {1, 2});
    private final Function<String, Similarity> others = hashed(() -> field -> body);

    /** With more digits than a parameter has, as nearly all hashes. */
    private static <T> T hashed(Supplier<T> maker) {
      T made = maker.get();
      while (System.identityHashCode(made) < 0x10000) {
        made = maker.get();
      }
      return made;
    }

    @Override
    public Similarity get(String field) {
      return field.equals("body") ? body : others.apply(field);
    }

    @Override
    public String toString() {
      return "parts[body=%s, weights=%s, others=%s, title@2.5, url@3]"
          .formatted(body, weights, others);
    }
  }

  @Test
  void whatSimilaritiesPrintOfTheProcessDoesNotDescribeThem() {
    assertThat(new PartsSimilarity().toString()).isNotEqualTo(new PartsSimilarity().toString());
    assertThat(MeasuredSetup.of(config().build(), 1, new PartsSimilarity(), null).similarity())
        .isEqualTo(
            "parts[body=%s, weights=[F, others=%s, title@2.5, url@3]"
                .formatted(BooleanSimilarity.class.getName(), PartsSimilarity.class.getName()));
  }

  /** A curve that prints what it likes. */
  private record PrintedViews(String text) implements ViewingLikelihood {
    @Override
    public double at(double rank) {
      return 1 / (rank * rank);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private String estimator(String views) {
    DeltaConfig config = config().estimator(new PaperSum(new PrintedViews(views))).build();
    return MeasuredSetup.of(config, 1, new BM25Similarity(), null).estimator();
  }

  @Test
  void aNumberBehindAnAtTellsAnEstimatorFromAnother() {
    for (String views : List.of("power@0.5", "power@2", "power@2.5", "power@0.12345", "a@b")) {
      assertThat(estimator(views)).isEqualTo("PaperSum[views=" + views + "]");
    }
  }

  @Test
  void whatEstimatorsPrintOfTheProcessDoesNotDescribeThem() {
    float[] weights = PartsSimilarity.hashed(() -> new float[] {1});
    assertThat(estimator("weights=" + weights)).isEqualTo("PaperSum[views=weights=[F]");
    Function<String, String> of = part -> part;
    assertThat(estimator("of=" + of))
        .isEqualTo("PaperSum[views=of=%s]".formatted(RebuildScheduleTest.class.getName()));
    for (String hash : List.of("1", "1f", "10a5b", "7fffffff")) {
      assertThat(estimator("of=A$$Lambda/0x00007f1c2c000a48@" + hash + ", 2"))
          .isEqualTo("PaperSum[views=of=A, 2]");
    }
  }

  /** It says in the manifest what it asks, but it has no rank functions that answer that. */
  @Test
  void aWriterThatBuildsNoneLeavesNoRankFunctionsOfAnotherSimilarity() throws IOException {
    DeltaConfig config = config().rebuildShare(5).build();
    try (Directory index = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = open(index, config, new BM25Similarity())) {
        commit(writer, config, PAGES, 0);
        commit(writer, config, 1, 0);
        assertThat(ranks(writer)).isNotNull();
      }
      open(index, config, new ClassicSimilarity()).close();
      try (DeltaIndexWriter writer = open(index, config, new ClassicSimilarity())) {
        assertThat(ranks(writer)).isNull();
      }
    }
  }

  /** It prints what the other prints, which says nothing of what it does in its own way. */
  @Test
  void rankFunctionsOfASimilarityAreNotThoseOfOneThatExtendsItAndPrintsTheSame()
      throws IOException {
    assertThat(new RareWordsSimilarity()).hasToString(new BM25Similarity().toString());
    DeltaConfig config = config().rebuildShare(5).build();
    try (Directory index = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = open(index, config, new BM25Similarity())) {
        commit(writer, config, PAGES, 0);
        commit(writer, config, 1, 0);
        assertThat(ranks(writer)).isNotNull();
      }
      try (DeltaIndexWriter writer = open(index, config, new RareWordsSimilarity())) {
        assertThat(ranks(writer)).as("of the other").isNull();
        writer.rebuild();
      }
      try (DeltaIndexWriter writer = open(index, config, new RareWordsSimilarity())) {
        assertThat(ranks(writer)).as("its own").isNotNull();
      }
    }
  }

  /** Where rare words count for more. */
  private static class RareWordsSimilarity extends BM25Similarity {
    @Override
    protected float idf(long documentFrequency, long documents) {
      return 2 * super.idf(documentFrequency, documents);
    }
  }

  private static final class PrintedSimilarity extends RareWordsSimilarity {
    @Override
    public String toString() {
      return "rare words twice, " + super.toString();
    }
  }

  @Test
  void similaritiesThatPrintWhatTheyExtendAreDescribedByTheirClassToo() {
    assertThat(MeasuredSetup.of(config().build(), 1, new RareWordsSimilarity(), null).similarity())
        .isEqualTo(RareWordsSimilarity.class.getName() + ": BM25(k1=1.2,b=0.75)");
    Similarity perField =
        new PerFieldSimilarityWrapper() {
          @Override
          public Similarity get(String field) {
            return new RareWordsSimilarity();
          }
        };
    assertThat(MeasuredSetup.of(config().build(), 1, perField, null).similarity())
        .endsWith("(body=" + RareWordsSimilarity.class.getName() + ": BM25(k1=1.2,b=0.75))");
  }

  @Test
  void similaritiesThatTellTheirParametersAreDescribedAsTheyDo() {
    for (Similarity similarity :
        List.of(
            new BM25Similarity(1.5f, 0.5f),
            new ClassicSimilarity(),
            new LMDirichletSimilarity(),
            new LMJelinekMercerSimilarity(0.7f),
            new IndriDirichletSimilarity(),
            new PrintedSimilarity())) {
      assertThat(MeasuredSetup.of(config().build(), 1, similarity, null).similarity())
          .isEqualTo(similarity.toString());
    }
    assertThat(MeasuredSetup.of(config().build(), 1, perField(1.5f), null).similarity())
        .isEqualTo(perField(1).getClass().getName() + "(body=BM25(k1=1.5,b=0.75))");
  }
}
