// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.FollowedRanks;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which queries a live index measures whole. */
class WholeQueriesTest {
  @TempDir Path folder;

  private static DeltaConfig.Builder config() {
    Workload workload =
        Workload.builder()
            .add(List.of("alpha", "beta"), 60)
            .add(List.of("gamma", "delta"), 30)
            .add(List.of("delta", "beta"), 10)
            .build();
    return DeltaConfig.builder(workload).keyField("url").scoredField("body");
  }

  @Test
  void theMostFrequentAreTakenAndTheRestFallsBackOnSingleTerms() throws IOException {
    DeltaConfig config = config().wholeQueries(0.85, 1000).build();
    List<String> measured = new ArrayList<>();
    for (int query = 0; query < config.workload().queryCount(); query++) {
      measured.add(config.workload().queryText(query));
    }
    assertThat(measured).containsExactlyInAnyOrder("alpha beta", "gamma delta", "beta", "delta");
    DeltaStatus status = status(config);
    assertThat(status.wholeQueries()).isEqualTo(2);
    assertThat(status.queries()).isEqualTo(4);
    assertThat(status.coverage()).isCloseTo(0.9, within(1e-12));
    assertThat(status.toString()).contains("2 whole, 90.0 % of the volume");
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(state.status().wholeQueries()).isEqualTo(2);
    }
  }

  private DeltaStatus status(DeltaConfig config) throws IOException {
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      Document page = new Document();
      page.add(new StringField("url", "a", Field.Store.NO));
      writer.addDocument(page);
      writer.commit();
      return writer.status();
    }
  }

  @Test
  void aLimitInBytesHoldsWhateverTheShare() throws IOException {
    DeltaStatus status = status(config().wholeQueries(1, 2 * FollowedRanks.BYTES - 1).build());
    assertThat(status.wholeQueries()).as("room for nearly two").isEqualTo(1);
    assertThat(status.coverage()).isCloseTo(0.6, within(1e-12));
  }

  @Test
  void everyQueryIsWholeByDefaultAndNoneInThePapersMode() throws IOException {
    DeltaStatus all = status(config().build());
    assertThat(all.wholeQueries()).isEqualTo(3);
    assertThat(all.coverage()).isEqualTo(1);
    DeltaConfig paper = config().wholeQueries(0, 0).build();
    assertThat(paper.selection().taken()).isZero();
    assertThat(paper.workload().queryCount()).isEqualTo(4);
    for (double share : new double[] {-0.1, 1.5, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> config().wholeQueries(share, 0))
          .withMessageContaining("was " + share);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config().wholeQueries(1, -1))
        .withMessageContaining("was -1");
  }

  /**
   * What a page's queries cost to find grows with the queries of the page's own terms, not with the
   * workload: queries are filed under their rarest term, and of the others none is handed out.
   */
  @Test
  void queriesOfAPageAreFoundWithoutTouchingAnyOther() {
    var builder = Workload.builder();
    for (int i = 0; i < 5000; i++) {
      builder.add(List.of("other" + i, "word" + i % 7), 1);
    }
    Workload workload = builder.add(List.of("word1"), 3).add(List.of("word1", "word2"), 2).build();
    int[] documents = new int[workload.termCount()];
    for (int term = 0; term < documents.length; term++) {
      documents[term] = workload.term(term).startsWith("word") ? 1000 : 2;
    }
    int[] terms = {workload.termNumber("word1"), workload.termNumber("word2")};
    float[] scores = {1, 2};
    List<String> found = new ArrayList<>();
    QueriesByTerm index = QueriesByTerm.of(workload, documents);
    AtomicInteger lookedAt = new AtomicInteger();
    for (int term : terms) {
      index.forEachUnder(term, query -> lookedAt.incrementAndGet());
    }
    assertThat(lookedAt).as("queries looked at, of 5,002").hasValue(2);
    index
        .matcher()
        .compare(
            new int[0],
            new float[0],
            0,
            terms,
            scores,
            terms.length,
            (query, before, after) -> found.add(workload.queryText(query)));
    assertThat(found).containsExactlyInAnyOrder("word1", "word1 word2");
  }

  @Test
  void moreQueriesThanRankFunctionsHaveRoomForAreRefused() {
    OffHeapRankTable.requireRoom(OffHeapRankTable.MOST);
    assertThat(OffHeapRankTable.sizeInBytes(OffHeapRankTable.MOST + 1))
        .isGreaterThan(Integer.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OffHeapRankTable.requireRoom(OffHeapRankTable.MOST + 1))
        .withMessageContaining("11671107 queries")
        .withMessageContaining("wholeQueries(share, bytes)");
  }

  /**
   * A similarity that lets what a page has less often than most score 0, as language models do: the
   * page is in the result all the same, as Lucene's searcher says.
   */
  @Test
  void aPageIsInTheResultsOfTermsThatScoreNothing() throws IOException {
    Workload workload =
        Workload.builder().add(List.of("common", "rare"), 5).add(List.of("common"), 3).build();
    DeltaConfig config = DeltaConfig.builder(workload).keyField("url").scoredField("body").build();
    Similarity similarity = new LMDirichletSimilarity(10);
    IndexWriterConfig settings =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(similarity);
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = new DeltaIndexWriter(index, settings, config)) {
      for (int page = 0; page < 40; page++) {
        boolean often = page % 4 == 0;
        String rare = page % 3 == 0 ? " rare" : "";
        index(writer, page, (often ? "common ".repeat(20) : "common") + rare + " filler".repeat(9));
      }
      writer.commit();
      assertResultsAreLucenes(index, similarity, writer, config);
      index(writer, 39, "common" + " rare".repeat(3) + " filler".repeat(9));
      index(writer, 38, "common" + " filler".repeat(12));
      writer.commit();
      MeasuredRefresh toTheTop = writer.explain("39").orElseThrow().refreshes().get(0);
      assertThat(toTheTop.qualityChange()).isPositive();
      assertThat(toTheTop.contributions())
          .extracting(QueryContribution::query)
          .containsExactly("common rare");
      assertThat(writer.explain("38").orElseThrow().refreshes().get(0).qualityChange())
          .as("scores nothing before and after")
          .isZero();
    }
  }

  private static void index(DeltaIndexWriter writer, int page, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "" + page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", "" + page), document);
  }

  private static void assertResultsAreLucenes(
      Directory index, Similarity similarity, DeltaIndexWriter writer, DeltaConfig config)
      throws IOException {
    writer.rebuild();
    Ranks ranks = writer.measurer().ranks();
    try (DirectoryReader reader = DirectoryReader.open(index)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setSimilarity(similarity);
      Query common = new TermQuery(new Term("body", "common"));
      assertThat(searcher.search(common, 40).scoreDocs)
          .as("pages that score nothing")
          .filteredOn(hit -> hit.score == 0)
          .hasSize(30);
      assertThat(results(ranks, "common", config)).isEqualTo(searcher.count(common));
      Query both =
          new BooleanQuery.Builder()
              .add(common, Occur.MUST)
              .add(new TermQuery(new Term("body", "rare")), Occur.MUST)
              .build();
      assertThat(results(ranks, "common rare", config)).isEqualTo(searcher.count(both));
    }
  }

  private static int results(Ranks ranks, String query, DeltaConfig config) {
    for (int i = 0; i < config.workload().queryCount(); i++) {
      if (config.workload().queryText(i).equals(query)) {
        return ranks.table().results(i);
      }
    }
    throw new AssertionError("there is no query " + query);
  }
}
