// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.replay.Agreement;
import io.lucenedelta.examples.replay.Budget;
import io.lucenedelta.examples.replay.Replay;
import io.lucenedelta.examples.replay.ReplayCorpus;
import io.lucenedelta.examples.replay.ReplayRequest;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.Strategies;
import io.lucenedelta.examples.replay.Tuning;
import io.lucenedelta.examples.report.NothingToCompare;
import io.lucenedelta.examples.report.ReplayReport;
import io.lucenedelta.examples.report.ResultFiles;
import io.lucenedelta.examples.report.TextTable;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code replay}: what each strategy would have been worth on a recorded crawl. */
@Command(
    name = "replay",
    description = {
      "Replays a recorded crawl once for each strategy (five unless --policies names others) and"
          + " budget: how good would the results have stayed? Without --crawl a demo crawl and log"
          + " are generated.",
      "Writes report.html and tables: quality, summary, requirements, staleness, timing, forecast,"
          + " longevity, lifetimes, lifelines, divergence, summaries and, of each figure,"
          + " figure-ID.tsv. docs/tables.md says what their columns are.",
      "A page that is absent from a snapshot, or in it with another status than 200, such as 404 or"
          + " 410, or with an answer that cannot be read, is what it was in the week before."
    },
    footer = {
      "",
      "Examples:",
      "  lucene-delta replay --out demo-out",
      "  lucene-delta replay --crawl crawl --query-log queries.log.gz \\",
      "      --policies user-centric,uniform --budgets 1%%,5%%,200 --out out"
    })
final class ReplayCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Spec private CommandSpec spec;

  @Mixin private CrawlOptions input;

  @Option(
      names = "--policies",
      split = ",",
      paramLabel = "NAME",
      description = {
        "Strategies: ${COMPLETION-CANDIDATES}; all for all of them.",
        "(default: user-utility,user-centric,uniform,never,clairvoyant)"
      },
      completionCandidates = StrategyNames.class)
  private List<String> policies;

  @Option(
      names = "--budgets",
      split = ",",
      paramLabel = "BUDGET",
      description =
          "Refreshes a week, over 0: counts (200) or percentages of the pages (5%%). A week is the"
              + " time from one snapshot to the next, however long (default:"
              + " 1%%,2%%,5%%,10%%,20%%,50%%).")
  private List<String> budgets;

  @Option(
      names = "--knowledge",
      defaultValue = "hindsight",
      paramLabel = "NAME",
      description =
          "What strategies learn from: hindsight (all weeks, as in the paper) or online (what they"
              + " fetched so far) (default: ${DEFAULT-VALUE}).")
  private Knowledge knowledge;

  @Option(
      names = "--hints",
      paramLabel = "SHARE",
      description = {
        "Share of the pages, 0 to 1, that publish when they changed, as sitemaps do. user-utility,"
            + " lambda-crawl, site-metadata and content-provider make use of it (default: none for"
            + " the first two, half for the others)."
      })
  private Double hints;

  @Option(
      names = "--seed",
      defaultValue = "42",
      paramLabel = "N",
      description = "Seed of every random choice (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--audit",
      description = "Also measure every refresh of one run exactly: measurements.tsv.")
  private boolean audit;

  @Option(names = "--all-settings", description = "Try every setting of each strategy.")
  private boolean allSettings;

  @Option(
      names = "--taus",
      split = ",",
      paramLabel = "TAU",
      description =
          "Thresholds of staleness and embarrassment, 0 to 1, a setting each (default: 0 to 1 in"
              + " steps of 0.1).")
  private List<Double> taus;

  @Option(
      names = "--fragment-words",
      defaultValue = "5",
      paramLabel = "K",
      description = "Words in a fragment, by which texts are compared (default: ${DEFAULT-VALUE}).")
  private int fragmentWords;

  @Option(
      names = "--learn-weeks",
      defaultValue = "0",
      paramLabel = "N",
      description = {
        "Weeks at the start for learning alone: hindsight knows these weeks and no later ones, the"
            + " repository is synchronised in the last of them, only later weeks are judged"
            + " (default: ${DEFAULT-VALUE}, hindsight knows all weeks and all are judged)."
      })
  private int learnWeeks;

  @Option(
      names = "--hidden",
      defaultValue = "0",
      paramLabel = "SHARE",
      description = {
        "Share of the pages, 0 to 1, whose address is known but which were never fetched at the"
            + " start (default: ${DEFAULT-VALUE})."
      })
  private double hidden;

  @Option(
      names = "--titles",
      description = {
        "Titles of pages are known before they are fetched, as words of links are: user-utility"
            + " learns what they tell of hidden pages."
      })
  private boolean titles;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Runs at a time (default: as many as there are processors).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where to write the files.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    input.check();
    PrintWriter err = spec.commandLine().getErr();
    List<Budget> chosenBudgets =
        budgets == null ? null : budgets.stream().map(this::budget).toList();
    checkComparison(chosenBudgets);
    checkRanges();
    checkHidden();
    ReplayRequest asked = request(chosenBudgets);
    checkTaus(asked);
    checkPublished(asked);
    input.checkImportance(asked.policies());
    CrawlOptions.Input given = input.read(seed, out, this::checkLearnWeeks, err);
    ReplayRequest scored = asked.withScoring(input.scoring(), given.inlinks());
    ReplayRequest request = scored.withWorkload(given.workload());
    ReplayResult result;
    List<String> notes = new ArrayList<>();
    try (ReplayProgressBars progress = new ReplayProgressBars(err)) {
      ReplayCorpus corpus =
          Replay.read(
              given.archive(), request.workload(), request.tuning().fragmentWords(), progress);
      notes.addAll(input.notes(input.inlinks(given.inlinks(), corpus, err)));
      result = Replay.run(corpus, request, progress);
    }
    if (!result.isComparable()) {
      err.println(NothingToCompare.sentence(result.matchingQueries(), request.workload()));
      err.flush();
    }
    notes.addAll(CrawlNotes.pace(given.archive()));
    write(result, ReplayReport.of(result, request, input.name(), notes, Version.sentence()));
    return 0;
  }

  private void checkComparison(List<Budget> chosenBudgets) {
    if (chosenBudgets != null && chosenBudgets.isEmpty()) {
      throw bad("--budgets names no budget: give one such as 5% or 200, or leave it out");
    }
    for (Budget chosen : chosenBudgets == null ? List.<Budget>of() : chosenBudgets) {
      if (chosen.amount() == 0) {
        throw bad(
            "--budgets names %s, which is what never does, and that is always replayed: leave it out"
                .formatted(chosen.label()));
      }
    }
    for (int i = 1; chosenBudgets != null && i < chosenBudgets.size(); i++) {
      Budget again = chosenBudgets.get(i);
      if (chosenBudgets.subList(0, i).stream().anyMatch(again::isSame)) {
        throw bad("--budgets names " + again.label() + " twice: name each budget once");
      }
    }
    if (policies != null && policies.stream().allMatch("never"::equals)) {
      throw bad("--policies names nothing to compare with never, which is always replayed");
    }
  }

  private void checkTaus(ReplayRequest asked) {
    for (int i = 1; taus != null && i < taus.size(); i++) {
      if (taus.subList(0, i).contains(taus.get(i))) {
        throw bad("--taus names " + taus.get(i) + " twice: name each threshold once");
      }
    }
    if (taus != null && Collections.disjoint(asked.policies(), Strategies.WITH_THRESHOLDS)) {
      throw bad(
          "--taus are thresholds of %s, and no such strategy is replayed: name one with --policies"
              .formatted(String.join(" and ", Strategies.WITH_THRESHOLDS)));
    }
  }

  /** Complains of what no strategy that is replayed makes use of. */
  private void checkPublished(ReplayRequest asked) {
    if (hints != null && !Strategies.isReplayed(Strategies.WITH_HINTS, asked)) {
      throw bad(
          "--hints tell %s when pages changed, and no such strategy is replayed: name one with --policies"
              .formatted(String.join(", ", Strategies.WITH_HINTS)));
    }
    if (titles && !Strategies.isReplayed(Strategies.WITH_TITLES, asked)) {
      throw bad(
          "--titles tell %s of hidden pages, and no such strategy is replayed: name it with --policies"
              .formatted(String.join(", ", Strategies.WITH_TITLES)));
    }
  }

  private void checkLearnWeeks(int weeks) {
    if (weeks > 1 && learnWeeks >= weeks) {
      throw bad(
          "--learn-weeks %d leaves no week of the crawl to judge, which has %d: learn from %d at most"
              .formatted(learnWeeks, weeks, weeks - 1));
    }
  }

  private void checkRanges() {
    requireShare("--hidden", hidden);
    requireShare("--hints", hints == null ? 0 : hints);
    if (taus != null && (taus.isEmpty() || !taus.stream().allMatch(tau -> tau >= 0 && tau <= 1))) {
      throw bad("--taus must be thresholds from 0 to 1, were " + taus);
    }
    if (fragmentWords < 1) {
      throw bad("--fragment-words must be at least 1, was " + fragmentWords);
    }
    if (learnWeeks < 0) {
      throw bad("--learn-weeks must not be negative, was " + learnWeeks);
    }
    if (threads < 1) {
      throw bad("--threads must be at least 1, was " + threads);
    }
  }

  private void requireShare(String option, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw bad("%s must be a share from 0 to 1, was %s".formatted(option, share));
    }
  }

  private void checkHidden() {
    if (titles && hidden == 0) {
      throw bad("--titles tells of hidden pages and none is: add --hidden SHARE, such as 0.2");
    }
  }

  private List<String> named() {
    return policies.stream()
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .flatMap(name -> name.equals(ALL) ? Strategies.names().stream() : Stream.of(name))
        .distinct()
        .toList();
  }

  private ReplayRequest withPolicies(ReplayRequest usual) {
    try {
      return policies == null ? usual : usual.withPolicies(named());
    } catch (IllegalArgumentException e) {
      throw bad("--policies: %s, or %s for all of them".formatted(e.getMessage(), ALL));
    }
  }

  /** All but what must be read, which takes long: what is wrong with the rest is told before. */
  private ReplayRequest request(List<Budget> chosenBudgets) {
    ReplayRequest usual = ReplayRequest.of(Workload.builder().build());
    try {
      return withPolicies(usual)
          .withBudgets(chosenBudgets == null ? usual.budgets() : chosenBudgets)
          .withKnowledge(knowledge, hints)
          .withSeed(seed)
          .withAudit(audit)
          .withTuning(tuning())
          .withLearnWeeks(learnWeeks)
          .withHidden(hidden)
          .withTitles(titles)
          .withThreads(threads);
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private Tuning tuning() {
    Tuning usual = Tuning.USUAL.withAll(allSettings).withFragmentWords(fragmentWords);
    return taus == null ? usual : usual.withTaus(taus);
  }

  private void write(ReplayResult result, ReplayReport report) throws IOException {
    PrintWriter text = spec.commandLine().getOut();
    TextTable.print(List.of(report.gapClosed(), report.requirements()), text);
    if (audit) {
      text.println(Agreement.of(result.measurements()).sentence());
      text.println();
    }
    text.flush(); // before a file is written: where that fails, what took hours is not lost
    ResultFiles.write(result, out);
    Path page = report.page().writeInto(out);
    text.println("Figures: " + page.toAbsolutePath());
    text.flush();
  }

  private Budget budget(String label) {
    try {
      return Budget.of(label);
    } catch (IllegalArgumentException e) { // its sentence offers 0, too, which is refused here
      throw bad(
          "--budgets must be whole numbers (200) from 1 to %d or percentages of the pages (5%%) over 0, at most 100, was '%s'"
              .formatted(Integer.MAX_VALUE, label));
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The names that --help lists. */
  static final class StrategyNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Strategies.names().iterator();
    }
  }
}
