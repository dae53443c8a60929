// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.MeasuredRefresh;
import io.lucenedelta.delta.PageExplanation;
import io.lucenedelta.delta.QueryContribution;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every number is another, so that none can stand in the place of another. */
class ExplainCommandTest {
  private static final PageExplanation EXPLANATION =
      new PageExplanation(
          "https://a.example/",
          List.of(
              refresh(
                  48,
                  7,
                  12.5,
                  List.of(
                      new QueryContribution("pond", 3, 0.25, 0.5, 9, 2, 11.5, -1.25),
                      new QueryContribution("fern", 4, 0, 0.75, Double.POSITIVE_INFINITY, 5, 2, 0)),
                  6,
                  0.25),
              refresh(41, 5, 0, List.of(), 0, 0),
              refresh(36, 6, 0, List.of(), 0, 0),
              refresh(30, 8, 0, List.of(), 0, 0),
              refresh(
                  22,
                  13,
                  1.5,
                  List.of(
                      new QueryContribution(
                          "moss", 1, 1.5, 0, 3, Double.POSITIVE_INFINITY, 0, 1.5)),
                  0,
                  0),
              new MeasuredRefresh(1, day(9), null, 0, List.of(), 0, 0)));

  private static MeasuredRefresh refresh(
      int day, int days, double change, List<QueryContribution> queries, int others, double rest) {
    return new MeasuredRefresh(day, day(day), Duration.ofDays(days), change, queries, others, rest);
  }

  private static Instant day(int day) {
    return Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(day));
  }

  @Test
  void everyNumberOfAQueryStandsUnderItsName() throws IOException {
    StringWriter told = new StringWriter();
    ExplainCommand.table(EXPLANATION).print(TableOutput.Format.TSV, new PrintWriter(told));
    assertThat(told.toString().lines().map(row -> row.replace('\t', '|')))
        .containsExactly(
            "fetched|query|frequency|score_before|score_after|rank_before|rank_after|own|others"
                + "|contribution|in_words",
            "2024-02-18T00:00:00.000Z|pond|3|0.25|0.5|9|2|11.5|-1.25|10.25|asked 3 times: the page rises"
                + " from rank 9 to 2; users gain 11.5 by seeing it more often, and they lose 1.25 by"
                + " seeing the pages it overtakes less often",
            "2024-02-18T00:00:00.000Z|fern|4|0|0.75|inf|5|2|0|2|asked 4 times: the page enters the result"
                + " at rank 5; users gain 2 by seeing it more often",
            "2024-02-18T00:00:00.000Z|up to 6 more||||||||0.25|what further queries whose score moved added"
                + " together",
            "2024-01-23T00:00:00.000Z|moss|1|1.5|0|3|inf|0|1.5|1.5|asked once: the page leaves the result,"
                + " where it had rank 3; no user needs it there, and they gain 1.5 by seeing the pages"
                + " it makes room for more often");
  }

  @Test
  void refreshesAreToldTheLatestFirstAndThoseThatMovedNothingTogether() {
    StringWriter told = new StringWriter();
    ExplainCommand.summarise(EXPLANATION, true, new PrintWriter(told));
    assertThat(told.toString().lines())
        .containsExactly(
            "https://a.example/",
            "  2024-02-18T00:00:00Z  after 7.0 days: quality change 12.5000, from 2 queries below and"
                + " up to 6 more (0.250000)",
            "  2024-02-11T00:00:00Z  back to 2024-01-31T00:00:00Z: 3 visits that changed no result",
            "  2024-01-23T00:00:00Z  after 13.0 days: quality change 1.50000, from one query below",
            "  2024-01-10T00:00:00Z  first recorded fetch, nothing dated to compare with");
  }

  @Test
  void onlyOfAPageThatWasFetchedOnceIsItSaidThatItWasNotFetchedAgain() {
    MeasuredRefresh first = new MeasuredRefresh(1, day(9), null, 0, List.of(), 0, 0);
    MeasuredRefresh back = new MeasuredRefresh(3, day(23), null, 0, List.of(), 0, 0);
    String order =
        ": its place in the order comes from what users find on it today and from how pages of its"
            + " directory change";
    assertThat(summary(List.of(first)))
        .containsExactly(
            "https://a.example/",
            "  2024-01-10T00:00:00Z  first recorded fetch, nothing dated to compare with",
            "  not fetched again since" + order);
    assertThat(summary(List.of(back, first))) // it had left the index
        .containsExactly(
            "https://a.example/",
            "  2024-01-24T00:00:00Z  recorded, not measured",
            "  2024-01-10T00:00:00Z  first recorded fetch, nothing dated to compare with",
            "  no refresh of it was measured" + order);
  }

  private static Stream<String> summary(List<MeasuredRefresh> refreshes) {
    StringWriter told = new StringWriter();
    PageExplanation explanation = new PageExplanation("https://a.example/", refreshes);
    ExplainCommand.summarise(explanation, true, new PrintWriter(told));
    return told.toString().lines();
  }

  @Test
  void queriesThatMovedNothingHaveNoLine() throws IOException {
    QueryContribution fern = query("fern", 7, 2);
    QueryContribution moss = query("moss", 7, 0); // ranks above, and nobody gains
    QueryContribution reed = query("reed", 5, 0);
    PageExplanation explanation =
        new PageExplanation(
            "https://a.example/",
            List.of(refresh(48, 7, 2, List.of(fern, moss, reed), 21, -4.6e-8)));
    StringWriter told = new StringWriter();
    ExplainCommand.summarise(explanation, true, new PrintWriter(told));
    assertThat(told.toString().lines())
        .contains(
            "  2024-02-18T00:00:00Z  after 7.0 days: quality change 2.00000, from 2 queries below");
    StringWriter rows = new StringWriter();
    ExplainCommand.table(explanation).print(TableOutput.Format.TSV, new PrintWriter(rows));
    assertThat(rows.toString().lines()).as("the header, what added, what moved").hasSize(3);
  }

  private static QueryContribution query(String text, double rankBefore, double own) {
    return new QueryContribution(text, 4, 0.5, 0.75, rankBefore, 5, own, 0);
  }
}
