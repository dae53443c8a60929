// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.delta.MeasuredRefresh;
import io.lucenedelta.delta.PageExplanation;
import io.lucenedelta.delta.QueryContribution;
import io.lucenedelta.examples.LengthOfTime;
import io.lucenedelta.examples.MovedQueries;
import io.lucenedelta.examples.OneLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The verb {@code explain}: why a page is due. */
@Command(
    name = "explain",
    description = {
      "Says why a page is due: what its refreshes did to the results, and to which queries.",
      "Quality change is what users gained because the page was fetched again: how much better the"
          + " pages answer that they look at, over all searches. Each query adds own + others: own is"
          + " what users gain by seeing this page, others what they gain from the pages whose"
          + " places it changes, a negative number when it overtakes them. The last column says it"
          + " in words.",
      "The latest refresh first, and in it the query that counted most; the rows of a refresh add up"
          + " to its quality change.",
      "A rank of 'inf' means: not in the result. Half ranks and fractions are estimates."
    },
    footer = {
      "",
      "Example:",
      "  lucene-delta explain --index pages.index https://example.org/news.html"
    })
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private IndexOption index;

  @Parameters(paramLabel = "PAGE", description = "The page's address, as next lists it.")
  private String page;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    Optional<PageExplanation> explanation;
    boolean indexed;
    try (DeltaState state = index.open()) {
      explanation = state.explain(page);
      indexed = state.histories().of(page).isPresent();
      index.tellTroubles(state);
    }
    if (explanation.isEmpty()) {
      throw new CommandFailure(
          "no refresh of page %s was recorded in %s: it is not indexed, or was not fetched since"
                  .formatted(page, index.path())
              + " measuring began; lucene-delta next lists the pages that are indexed");
    }
    summarise(explanation.get(), indexed, err);
    table(explanation.get()).print(format.chosen(), spec.commandLine().getOut());
    return 0;
  }

  /** A row for each query of each refresh that is kept. */
  static TableOutput table(PageExplanation explanation) {
    TableOutput table =
        new TableOutput(
            "fetched",
            "query",
            "frequency",
            "score_before",
            "score_after",
            "rank_before",
            "rank_after",
            "own",
            "others",
            "contribution",
            "in_words");
    explanation.refreshes().forEach(refresh -> addRows(table, refresh));
    return table;
  }

  private static void addRows(TableOutput table, MeasuredRefresh refresh) {
    MovedQueries queries = MovedQueries.of(refresh);
    for (QueryContribution query : queries.listed()) {
      table.row(
          refresh.fetched(),
          query.query(),
          query.frequency(),
          query.scoreBefore(),
          query.scoreAfter(),
          query.rankBefore(),
          query.rankAfter(),
          query.own(),
          query.others(),
          query.total(),
          PlainWords.of(query));
    }
    if (queries.others() > 0) {
      String others = "up to " + queries.others() + " more";
      table.row(
          refresh.fetched(),
          others,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          queries.othersChange(),
          "what further queries whose score moved added together");
    }
  }

  /** A line for each refresh, or for several in a row that moved no result. */
  static void summarise(PageExplanation explanation, boolean indexed, PrintWriter err) {
    err.println(OneLine.of(explanation.page()));
    List<MeasuredRefresh> refreshes = explanation.refreshes();
    for (int i = 0; i < refreshes.size(); i++) {
      int visits = explanation.unmovedFrom(i);
      if (visits > 1) {
        err.printf(
            Locale.ROOT,
            "  %s  back to %s: %d visits that changed no result%n",
            refreshes.get(i).fetched(),
            refreshes.get(i + visits - 1).fetched(),
            visits);
        i += visits - 1;
      } else {
        err.println(line(refreshes.get(i), explanation.isFirstFetch(i)));
      }
    }
    if (!indexed) {
      err.println("  left the index: it has no place in the order; what was measured is kept");
    } else if (refreshes.stream().noneMatch(MeasuredRefresh::measured)) {
      String why =
          refreshes.size() == 1 ? "not fetched again since" : "no refresh of it was measured";
      err.println(
          "  "
              + why
              + ": its place in the order comes from what users find on it today"
              + " and from how pages of its directory change");
    }
    err.flush();
  }

  private static String line(MeasuredRefresh refresh, boolean first) {
    if (!refresh.measured()) {
      String why =
          first ? "first recorded fetch, nothing dated to compare with" : "recorded, not measured";
      return "  " + refresh.fetched() + "  " + why;
    }
    return String.format(
        Locale.ROOT,
        "  %s  after %s: quality change %.6g%s",
        refresh.fetched(),
        LengthOfTime.of(refresh.interval()),
        refresh.qualityChange(),
        queries(refresh));
  }

  private static String queries(MeasuredRefresh refresh) {
    if (refresh.contributions().isEmpty()) {
      return refresh.qualityChange() == 0
          ? ""
          : " (from which queries is kept in the long run for the latest three that moved a"
              + " result)";
    }
    MovedQueries queries = MovedQueries.of(refresh);
    int number = queries.listed().size();
    if (number == 0) {
      return "";
    }
    String listed = number == 1 ? ", from one query below" : ", from " + number + " queries below";
    return queries.others() == 0
        ? listed
        : listed
            + String.format(
                Locale.ROOT, " and up to %d more (%.6g)", queries.others(), queries.othersChange());
  }
}
