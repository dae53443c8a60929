// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.PageShifts;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page far down results of hundreds of pages: its shifts are measured roughly, but what is told
 * of one query is as exact as ever, and all that is told adds up.
 */
class LongResultsTest {
  private static final int PAGES = 400;
  private static final int LENGTH = 800; // of every page, so that norms stay
  private static final int PAGE = 300; // far from the first ranks and from the last

  @TempDir Path folder;

  /** Every page has every word, some of them more often than others. */
  private static String body(int page, int words, int more) {
    StringBuilder body = new StringBuilder();
    int used = 0;
    for (int word = 0; word < words; word++) {
      int often = 2 + (PAGES - page) / 12 + (page * (word + 3)) % 3 + more; // at most 38
      body.append((" w" + word).repeat(often));
      used += often;
    }
    return body + " filler".repeat(LENGTH - used);
  }

  private static Workload workload(int words) {
    WorkloadBuilder workload = Workload.builder();
    for (int word = 0; word < words; word++) {
      workload.add(List.of("w" + word), 1_000 - 20 * word); // numbered as the words are
    }
    return workload.build();
  }

  private static void put(DeltaIndexWriter writer, int page, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "page" + page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", "page" + page), document);
  }

  /** What is told of a refresh, what a slow answer makes of its queries, and how many are left. */
  private record Told(MeasuredRefresh refresh, double[] slow, int near) {}

  private Told refreshed(int words) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(workload(words)).keyField("url").scoredField("body").build();
    try (Directory index = FSDirectory.open(folder.resolve("index" + words));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int page = 0; page < PAGES; page++) {
        put(writer, page, body(page, words, 0));
      }
      writer.commit();
      put(writer, 0, body(0, words, 0)); // rank functions come with the batch after the first
      writer.commit();
      RanksAsOf ranks = RanksAsOf.of(writer.measurer().ranks());
      PageShifts shifts = new PageShifts(writer.measurer().ranks().frequencies());
      put(writer, PAGE, body(PAGE, words, 1));
      writer.commit();
      MeasuredRefresh refresh = writer.explain("page" + PAGE).orElseThrow().refreshes().get(0);
      double[] slow = new double[words];
      for (QueryContribution moved : refresh.contributions()) {
        int word = Integer.parseInt(moved.query().substring(1));
        shifts.add(word, moved.scoreBefore(), moved.scoreAfter());
        slow[word] =
            config.workload().frequency(word)
                * config
                    .estimator()
                    .effect(
                        LogLogRankFunction.of(ranks.table(), word),
                        moved.scoreBefore(),
                        moved.scoreAfter())
                    .total();
      }
      writer.measurer().ranks().meter().measureDistant(shifts);
      return new Told(refresh, slow, shifts.nearCount());
    }
  }

  @Test
  void whatIsToldOfFewQueriesAddsUpToTheStoredChange() throws IOException {
    Told told = refreshed(RefreshDetails.SHOWN);
    assertThat(told.near()).as("shifts that are not distant").isZero();
    MeasuredRefresh refresh = told.refresh();
    assertThat(refresh.contributions()).hasSize(RefreshDetails.SHOWN);
    assertThat(refresh.otherQueries()).isZero();
    double sum = refresh.contributions().stream().mapToDouble(QueryContribution::total).sum();
    assertThat(refresh.qualityChange()).isPositive().isCloseTo(sum, within(1e-5 * sum));
  }

  @Test
  void whatIsToldOfAQueryIsWhatTheIntegralMakesOfIt() throws IOException {
    Told told = refreshed(2 * RefreshDetails.SHOWN);
    assertThat(told.near()).as("shifts that are not distant").isZero();
    for (QueryContribution moved : told.refresh().contributions()) {
      double slow = told.slow()[Integer.parseInt(moved.query().substring(1))];
      assertThat(moved.total()).as(moved.query()).isCloseTo(slow, within(1e-4 * slow));
      assertThat(moved.rankBefore()).as(moved.query()).isBetween(25.0, PAGES + 0.0);
      assertThat(moved.rankAfter()).as(moved.query()).isBetween(25.0, moved.rankBefore());
    }
  }

  @Test
  void theOtherQueriesCountNoMoreThanTheLeastOfThoseTold() throws IOException {
    MeasuredRefresh refresh = refreshed(2 * RefreshDetails.SHOWN).refresh();
    List<QueryContribution> told = refresh.contributions();
    assertThat(refresh.otherQueries()).isEqualTo(2 * RefreshDetails.SHOWN - told.size());
    double least = told.get(told.size() - 1).total();
    assertThat(refresh.otherQueriesChange())
        .as("measured roughly, to a few per cent")
        .isBetween(0.0, 1.05 * refresh.otherQueries() * least);
    double sum = told.stream().mapToDouble(QueryContribution::total).sum();
    assertThat(sum + refresh.otherQueriesChange())
        .isCloseTo(refresh.qualityChange(), within(1e-9 * sum));
  }
}
