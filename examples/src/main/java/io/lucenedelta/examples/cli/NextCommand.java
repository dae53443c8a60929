// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.delta.Discoveries;
import io.lucenedelta.delta.PagePriority;
import io.lucenedelta.delta.StateLockedException;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.UserCentric;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.lucene.analysis.Analyzer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code next}: the refresh order. */
@Command(
    name = "next",
    description = "Lists the pages to fetch next, the most urgent first.",
    footer = {
      "",
      "Examples:",
      "  lucene-delta next --index pages.index --count 20",
      "  lucene-delta next --index pages.index --at 2024-12-02T00:00:00Z --format json",
      "  lucene-delta next --index pages.index --discovered links.tsv"
    })
final class NextCommand implements Callable<Integer> {
  private static final String USER_UTILITY = "user-utility";
  private static final String USER_CENTRIC = "user-centric";
  private static final String UNIFORM = "uniform";
  private static final String REMEMBERED = "\0"; // no name of a file

  private static final List<String> COLUMNS =
      List.of("rank", "page", "priority", "rate", "last_refresh", "refreshes_measured");

  @Spec private CommandSpec spec;

  @Mixin private IndexOption index;

  @Option(
      names = "--count",
      defaultValue = "20",
      paramLabel = "N",
      description = "How many pages (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = {"The time for which to plan, such as", "2024-12-02T00:00:00Z (default: now)."})
  private String at;

  @Option(
      names = "--policy",
      defaultValue = USER_UTILITY,
      paramLabel = "NAME",
      description =
          "user-utility; user-centric: the 2005 paper's priority over the stored quality changes; or"
              + " uniform: the longest unvisited first (default: user-utility).")
  private String policy;

  @Option(
      names = "--discovered",
      arity = "0..1",
      fallbackValue = REMEMBERED,
      paramLabel = "FILE",
      description = {
        "Also lists pages that were never fetched, those the fetch queue was told of. FILE, or - for"
            + " standard input, tells it of more first: a line each, the address and, if known,"
            + " after a tab the text of a link to it or its title.",
        "Their last_refresh is empty; a last column says which they are."
      })
  private String discovered;

  @Mixin private FormatOption format;

  /** Whether pages told were to be remembered and could not. */
  private boolean lost;

  @Override
  public Integer call() throws IOException {
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--count must be at least 1, was " + count);
    }
    checkPolicy();
    checkDiscovered();
    Instant time = time();
    TableOutput table = new TableOutput(columns());
    try (DeltaState state = index.open()) {
      List<PagePriority> order = order(state, time);
      for (int rank = 1; rank <= order.size(); rank++) {
        table.row(row(rank, order.get(rank - 1)));
      }
      index.tellTroubles(state);
      if (order.isEmpty()) {
        spec.commandLine()
            .getErr()
            .println("no page to fetch at " + time + ": " + why(state, time));
      }
    }
    table.print(format.chosen(), spec.commandLine().getOut());
    return lost ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  /** Why the order is empty. */
  private String why(DeltaState state, Instant time) throws IOException {
    TreeSet<Instant> fetched = new TreeSet<>();
    state.histories().forEach(page -> fetched.add(page.lastRefresh()));
    if (fetched.isEmpty()) {
      long pages = state.status().pages();
      return pages == 0
          ? "the index has no page; see lucene-delta index"
          : "none of its "
              + pages
              + " pages has a key in UTF-8, so none can be named; index keys as text";
    }
    Instant first = fetched.first();
    return first.isBefore(time)
        ? "the measurements changed while they were read; ask again"
        : "every page was fetched then or later, from %s to %s; name a later time with --at"
            .formatted(first, fetched.last());
  }

  private Instant time() {
    try {
      return at == null
          ? Instant.now()
          : Instant.ofEpochMilli(Instant.parse(at).toEpochMilli()); // not every time has one
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new ParameterException(
          spec.commandLine(), "--at must be a time such as 2024-12-02T00:00:00Z, was '" + at + "'");
    }
  }

  /**
   * Those that need no single visits; a fourth, never, would list nothing. {@code
   * DeltaState.nextPages} takes others, too.
   */
  private void checkPolicy() {
    if (!List.of(USER_UTILITY, USER_CENTRIC, UNIFORM).contains(policy)) {
      throw new ParameterException(
          spec.commandLine(),
          "--policy must be user-utility, user-centric or uniform, was '" + policy + "'");
    }
  }

  private void checkDiscovered() {
    if (discovered != null && discovered.isBlank()) {
      throw new ParameterException(
          spec.commandLine(),
          "--discovered was given an empty name: name a file, - for standard input, or leave it out"
              + " for what the fetch queue was told of");
    }
    if (discovered != null && !policy.equals(USER_UTILITY)) {
      throw new ParameterException(
          spec.commandLine(),
          "--discovered needs --policy user-utility: by '%s' only pages that were fetched are listed"
              .formatted(policy));
    }
  }

  private String[] columns() {
    List<String> columns = new ArrayList<>(COLUMNS);
    if (discovered != null) {
      columns.add("discovered");
    }
    return columns.toArray(String[]::new);
  }

  private Object[] row(int rank, PagePriority page) {
    List<Object> cells = new ArrayList<>();
    Collections.addAll(cells, rank, page.page(), page.priority(), page.rate());
    Collections.addAll(cells, page.lastRefresh(), page.refreshes());
    if (discovered != null) {
      cells.add(page.neverFetched());
    }
    return cells.toArray();
  }

  private List<PagePriority> order(DeltaState state, Instant time) throws IOException {
    if (policy.equals(USER_CENTRIC)) {
      return state.nextPages(new UserCentric(0), count, time);
    }
    if (policy.equals(UNIFORM)) { // a page that changes no result may change all the same
      return state.nextPages(new Uniform(Uniform.StaticPages.FETCH, 0), count, time);
    }
    return discovered == null ? state.nextPages(count, time) : withDiscovered(state, time);
  }

  private List<PagePriority> withDiscovered(DeltaState state, Instant time) throws IOException {
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      Discoveries told = state.discoveries(analyzer);
      DiscoveredList list =
          discovered.equals(REMEMBERED)
              ? null
              : DiscoveredList.tell(
                  discovered,
                  System.in,
                  told,
                  Instant.now(),
                  DiscoveredList.areAddresses(state.histories()));
      List<PagePriority> order = state.nextPages(told, count, time);
      if (list != null) {
        PrintWriter err = spec.commandLine().getErr();
        list.say(told.indexed(), err);
        remember(told, err);
      }
      return order;
    }
  }

  /**
   * What is listed is right without: an index that cannot be written to, or is, can be asked. While
   * another process writes that is to be expected, and no failure.
   */
  private void remember(Discoveries told, PrintWriter err) {
    try {
      told.save();
    } catch (IOException e) {
      lost = !(e instanceof StateLockedException);
      err.println(
          "the pages told are listed but not remembered by the fetch queue: "
              + Failures.sentence(e));
    }
  }
}
