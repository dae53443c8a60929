// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
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

/** What is kept of a refresh to explain it. */
class ExplanationTest {
  private static final int PAGES = 30;

  @TempDir Path folder;

  /**
   * A page gets the first of some words. What a word is asked has nothing to do with its number, so
   * that neither order of queries is that of importance.
   */
  private MeasuredRefresh refreshed(int words) throws IOException {
    WorkloadBuilder workload = Workload.builder();
    for (int word = 0; word < words; word++) {
      workload.add(List.of("w" + word), 1 + (word * 7) % words);
    }
    DeltaConfig config =
        DeltaConfig.builder(workload.build()).keyField("url").scoredField("body").build();
    try (Directory index = FSDirectory.open(folder.resolve("index" + words));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int page = 0; page < PAGES; page++) {
        StringBuilder body = new StringBuilder("filler");
        for (int word = page % 5; word < words; word += 1 + page % 3) {
          body.append(" w").append(word);
        }
        put(writer, page, body.toString());
      }
      writer.commit();
      StringBuilder all = new StringBuilder();
      for (int word = 0; word < words; word++) {
        all.append((" w" + word).repeat(1 + word % 4));
      }
      put(writer, 3, all.toString());
      writer.commit();
      return writer.explain("page3").orElseThrow().refreshes().get(0);
    }
  }

  private static void put(DeltaIndexWriter writer, int page, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "page" + page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", "page" + page), document);
  }

  @Test
  void whatTheQueriesAddedAddsUpToTheStoredChange() throws IOException {
    MeasuredRefresh refresh = refreshed(RefreshDetails.SHOWN);
    assertThat(refresh.otherQueries()).isZero();
    assertThat(refresh.contributions()).hasSizeGreaterThan(5);
    double sum = refresh.contributions().stream().mapToDouble(QueryContribution::total).sum();
    assertThat(sum)
        .as("parts are kept in single precision")
        .isCloseTo(refresh.qualityChange(), within(1e-5 * refresh.qualityChange()));
    assertThat(refresh.otherQueriesChange()).isCloseTo(0, within(1e-5 * refresh.qualityChange()));
  }

  @Test
  void theQueriesThatCountedMostComeFirst() throws IOException {
    MeasuredRefresh refresh = refreshed(3 * RefreshDetails.SHOWN);
    List<QueryContribution> shown = refresh.contributions();
    assertThat(shown).hasSize(RefreshDetails.SHOWN);
    assertThat(shown)
        .isSortedAccordingTo(Comparator.comparingDouble(query -> -Math.abs(query.total())));
    assertThat(shown.stream().map(QueryContribution::frequency))
        .as("the order is not that of frequency, in which queries are numbered")
        .isNotEqualTo(
            shown.stream()
                .map(QueryContribution::frequency)
                .sorted(Comparator.reverseOrder())
                .toList());
    assertThat(refresh.otherQueries()).isPositive();
    double shownSum = shown.stream().mapToDouble(QueryContribution::total).sum();
    assertThat(refresh.otherQueriesChange())
        .as("none of those left out can count more than the least shown")
        .isBetween(0.0, refresh.otherQueries() * (shown.get(9).total() + 1e-6));
    assertThat(shownSum + refresh.otherQueriesChange())
        .isCloseTo(refresh.qualityChange(), within(1e-9 * refresh.qualityChange()));
  }

  @Test
  void aPageThatRisesGainsItselfAndCostsThoseItOvertakesAndOneThatFallsTheOtherWayRound()
      throws IOException {
    List<QueryContribution> told = refreshed(RefreshDetails.SHOWN).contributions();
    assertThat(told)
        .isNotEmpty()
        .allSatisfy(
            query -> {
              double up = Math.signum(query.rankBefore() - query.rankAfter());
              assertThat(Math.signum(query.own())).as(query.query()).isEqualTo(up);
              assertThat(query.others() * up).as(query.query()).isNotPositive();
            });
    assertThat(told).anySatisfy(query -> assertThat(query.others()).isNegative());
    assertThat(told).anySatisfy(query -> assertThat(query.others()).isPositive());
  }

  @Test
  void refreshesInARowThatMovedNoResultAreCountedAndTheFirstFetchIsNoneOfThem() {
    Duration day = Duration.ofDays(1);
    PageExplanation page =
        new PageExplanation(
            "page",
            List.of(
                refresh(day, -2),
                refresh(day, 0),
                refresh(day, 0),
                refresh(null, 0), // recorded only
                refresh(day, 0),
                refresh(null, 0)));
    int[] unmoved = {0, 2, 1, 0, 1, 0, 0, 0};
    for (int from = 0; from < unmoved.length; from++) {
      assertThat(page.unmovedFrom(from)).as("from %d", from).isEqualTo(unmoved[from]);
    }
    for (int at = 0; at < 6; at++) {
      assertThat(page.isFirstFetch(at)).as("at %d", at).isEqualTo(at == 5);
    }
    PageExplanation later = new PageExplanation("page", List.of(refresh(day, 0), refresh(day, 0)));
    assertThat(later.unmovedFrom(0)).as("up to the last").isEqualTo(2);
    assertThat(later.isFirstFetch(1)).as("what came before is lost").isFalse();
    for (PageExplanation each : List.of(page, new PageExplanation("page", List.of()))) {
      assertThat(each.unmovedFrom(99)).isZero();
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> each.unmovedFrom(-1));
    }
  }

  private static MeasuredRefresh refresh(Duration interval, double qualityChange) {
    return new MeasuredRefresh(1, Instant.EPOCH, interval, qualityChange, List.of(), 0, 0);
  }
}
