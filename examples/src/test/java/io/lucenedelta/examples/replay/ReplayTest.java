// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.crawl.SnapshotTally;
import io.lucenedelta.examples.report.ResultFiles;
import io.lucenedelta.scorer.refresh.Knowledge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
  private static final List<Budget> BUDGETS =
      List.of(Budget.of("1"), Budget.of("10%"), Budget.of("100%"));

  @TempDir Path directory;

  private final RandomCrawl crawl = new RandomCrawl(7, 40, 10);

  private ReplayRequest request(Knowledge knowledge) {
    return ReplayRequest.of(crawl.workload)
        .withPolicies(Strategies.names())
        .withBudgets(BUDGETS)
        .withKnowledge(knowledge, knowledge == Knowledge.ONLINE ? 0.5 : null)
        .withAudit(true);
  }

  @Test
  void theSameSeedWritesTheSameBytesWhateverTheNumberOfThreads() throws IOException {
    Map<String, String> alone = files(request(Knowledge.ONLINE).withThreads(1));
    assertThat(files(request(Knowledge.ONLINE).withThreads(4))).isEqualTo(alone);
    assertThat(alone.keySet())
        .containsExactly(
            "divergence.tsv",
            "forecast.tsv",
            "lifelines.tsv",
            "lifetimes.tsv",
            "longevity.tsv",
            "measurements.tsv",
            "quality.tsv",
            "report.html", // which says that tables are being written
            "requirements.tsv",
            "staleness.tsv",
            "summaries.tsv",
            "summary.tsv");
  }

  private Map<String, String> files(ReplayRequest request) throws IOException {
    ResultFiles.write(Replay.run(crawl.corpus(), request, ReplayProgress.NONE), directory);
    Map<String, String> contents = new TreeMap<>();
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        contents.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    contents.remove("timing.tsv");
    return contents;
  }

  @Test
  void aCrawlOfOneSnapshotCannotBeReplayed() {
    RandomCrawl single = new RandomCrawl(7, 40, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Replay.run(single.corpus(), ReplayRequest.of(single.workload), ReplayProgress.NONE))
        .withMessageStartingWith("the crawl has 1 snapshot: a replay needs at least 2");
  }

  @Test
  void aRunThatFailsIsToldByWhatItFailedBy() {
    StackOverflowError deep = new StackOverflowError(); // without a message
    ReplayProgress failing =
        new ReplayProgress() {
          private volatile boolean runs;

          @Override
          public void begin(String task, long steps) {
            runs = task.startsWith("replaying");
          }

          @Override
          public void step() {
            if (runs) {
              throw deep;
            }
          }
        };
    assertThatIllegalStateException()
        .isThrownBy(() -> Replay.run(crawl.corpus(), request(Knowledge.HINDSIGHT), failing))
        .withMessage("a run failed")
        .withCause(deep);
  }

  @Test
  void aReplayThatIsInterruptedSaysThatNothingIsKept() {
    ReplayProgress interrupting =
        new ReplayProgress() {
          @Override
          public void begin(String task, long steps) {
            if (task.startsWith("replaying")) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public void step() {}
        };
    assertThatIllegalStateException()
        .isThrownBy(() -> Replay.run(crawl.corpus(), request(Knowledge.HINDSIGHT), interrupting))
        .withMessage("the replay was interrupted, and no figure of it is written: run it again");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatIsLeftOutOfACrawlIsTold() throws IOException {
    for (String week : List.of("2026-01-05", "2026-01-12")) {
      Path snapshot = Files.createDirectory(directory.resolve(week));
      Files.writeString(snapshot.resolve("a.html"), "<title>a</title>text of " + week);
      Files.write(snapshot.resolve("picture.png"), new byte[] {1, 2, 3});
    }
    List<String> told = new ArrayList<>();
    ReplayProgress progress =
        new ReplayProgress() {
          @Override
          public void begin(String task, long steps) {
            told.add(task);
          }

          @Override
          public void step() {}

          @Override
          public void read(SnapshotTally tally) {
            told.addAll(tally.lines());
          }
        };
    Replay.read(SnapshotArchive.open(directory), crawl.workload, 3, progress);
    assertThat(told)
        .containsExactly(
            "reading the crawl",
            "left out, not text that can be read: 2, first 2026-01-05/picture.png");
  }

  /** The first snapshot holds all pages and may take longer than all others together. */
  @Test
  void pagesOfASnapshotAreToldWhileItIsRead() throws IOException {
    for (String week : List.of("2026-01-05", "2026-01-12")) {
      Path snapshot = Files.createDirectory(directory.resolve(week));
      Files.writeString(snapshot.resolve("a.html"), "text of " + week);
      Files.writeString(snapshot.resolve("b.html"), "text of " + week);
    }
    List<String> told = new ArrayList<>();
    ReplayProgress progress =
        new ReplayProgress() {
          @Override
          public void begin(String task, long steps) {}

          @Override
          public void step() {
            told.add("read");
          }

          @Override
          public void within(long parts, String unit) {
            told.add(parts + " " + unit);
          }
        };
    Replay.read(SnapshotArchive.open(directory), crawl.workload, 3, progress);
    assertThat(told).containsExactly("1 pages", "2 pages", "read", "1 pages", "2 pages", "read");
  }

  @Test
  void everyTaskTellsItsStepsAndTakesThemPageByPageOrWeekByWeek() {
    CountedSteps progress = new CountedSteps();
    ReplayRequest request = request(Knowledge.ONLINE);
    int runs = Replay.run(crawl.corpus(), request, progress).runs().size();
    Map<String, Long> promised = progress.promised;
    assertThat(progress.taken).isEqualTo(promised);
    long pages = crawl.corpus().pageCount();
    long weeks = crawl.corpus().weeks();
    assertThat(promised.get("matching pages and queries")).isGreaterThanOrEqualTo(pages);
    assertThat(promised.get("measuring every change")).isGreaterThanOrEqualTo(pages);
    assertThat(promised)
        .containsEntry("following the live pages", weeks)
        .containsEntry("comparing versions of pages", pages)
        .containsEntry("replaying, weeks of all runs", runs * (weeks - 1))
        .containsEntry("measuring how long contents last", 2 * pages);
  }

  @Test
  void neverComesFirstAndClosesNothing() {
    ReplayResult result = run(request(Knowledge.HINDSIGHT));
    assertThat(result.runs().get(0).policy()).isEqualTo("never");
    assertThat(result.gapClosed(result.runs().get(0))).isZero();
    assertThat(result.runs().get(0).totalRefreshes()).isZero();
    assertThat(result.neverQuality()).isLessThan(1);
  }

  @Test
  void noRunSpendsMoreThanItsBudget() {
    for (RunResult run : run(request(Knowledge.HINDSIGHT)).runs()) {
      assertThat(Arrays.stream(run.refreshes()).max().orElse(0))
          .isLessThanOrEqualTo(run.budget().refreshes(40));
    }
  }

  @Test
  void roundRobinOverAllPagesKeepsTheRepositorySynchronised() {
    ReplayResult result =
        run(
            ReplayRequest.of(crawl.workload)
                .withPolicies(List.of("uniform"))
                .withBudgets(List.of(Budget.of("100%"))));
    assertThat(result.runs().get(1).quality()).containsOnly(1);
    assertThat(result.gapClosed(result.runs().get(1))).isEqualTo(1);
    assertThat(result.runs().get(1).meanStaleness())
        .isBetween(0.0, 0.5 * result.runs().get(0).meanStaleness());
  }

  @Test
  void aHalfInWhichAPageWasNotThereHasNoRateOfIt() {
    ReplayCorpus late = crawl.whosePagesComeLater().corpus();
    ReplayRequest request =
        ReplayRequest.of(crawl.workload).withPolicies(List.of("uniform")).withBudgets(BUDGETS);
    List<ReplayResult.Forecast> forecast =
        Replay.run(late, request, ReplayProgress.NONE).forecast();
    assertThat(forecast).hasSize(40);
    for (int page = 0; page < forecast.size(); page++) { // halves from 0 to 4 and from 4 to 9
      int since = late.since(page, 0);
      ReplayResult.Forecast rates = forecast.get(page);
      assertThat(Double.isNaN(rates.rateFirstHalf())).as(rates.page()).isEqualTo(since >= 4);
      assertThat(Double.isNaN(rates.rateSecondHalf())).as(rates.page()).isEqualTo(since == 9);
    }
    assertThat(forecast).as("watched, and no result moved").anyMatch(p -> p.rateFirstHalf() == 0);
  }

  @Test
  void learningWeeksAreNotJudged() {
    ReplayResult result = run(request(Knowledge.HINDSIGHT).withLearnWeeks(5));
    assertThat(result.runs()).allMatch(run -> run.firstWeek() == 5 && run.quality().length == 5);
  }

  @Test
  void hiddenPagesAreMissedUntilTheyAreFetched() {
    ReplayRequest request =
        ReplayRequest.of(crawl.workload)
            .withPolicies(List.of("uniform"))
            .withBudgets(List.of(Budget.of("100%")));
    ReplayResult hidden = run(request.withHidden(0.5));
    assertThat(hidden.neverQuality()).isLessThan(run(request).neverQuality());
    assertThat(hidden.runs().get(1).quality()).containsOnly(1);
  }

  @Test
  void nothingIsRecordedOfHiddenPagesBeforeTheJudgedWeeks() {
    ReplayRequest request =
        request(Knowledge.HINDSIGHT).withHidden(0.5).withLearnWeeks(5).withSeed(7);
    World world =
        World.of(crawl.corpus(), request, List.of(Estimate.MULTI_TERM), ReplayProgress.NONE);
    Repository start = world.start();
    int hidden = 0;
    for (int page = 0; page < world.corpus().pageCount(); page++) {
      boolean held = start.held(page) != ReplayCorpus.ABSENT;
      hidden += held ? 0 : 1;
      assertThat(world.recordedVisits().size(page)).isEqualTo(held ? 5 : 0);
      assertThat(held || world.recordedSums(Estimate.MULTI_TERM).days(page) == 0).isTrue();
    }
    assertThat(hidden).isBetween(10, 30);
    assertThat(run(request).runs()).allMatch(run -> run.firstWeek() == 5);
  }

  @Test
  void theAuditMeasuresEveryRefreshOfOneRun() {
    ReplayResult result =
        run(
            ReplayRequest.of(crawl.workload)
                .withPolicies(List.of("user-centric", "uniform"))
                .withBudgets(BUDGETS)
                .withAudit(true));
    List<RunResult> audited =
        result.runs().stream().filter(run -> !run.measurements().isEmpty()).toList();
    assertThat(audited).hasSize(1);
    RunResult run = audited.get(0);
    assertThat(run.policy()).isEqualTo("user-centric");
    assertThat(run.budget().label()).isEqualTo("100%");
    assertThat(run.measurements()).hasSize((int) run.totalRefreshes());
    assertThat(run.measurements()).allMatch(m -> m.intervalDays() == 7);
  }

  /**
   * With a budget for all pages every change is refreshed at once, whatever the strategy goes by.
   */
  @Test
  void theAuditMeasuresTheSameWhicheverStrategyIsAudited() {
    RandomCrawl slow = new RandomCrawl(7, 40, 1);
    Random random = new Random(7);
    for (int week = 1; week < 25; week++) {
      Map<String, String> pages = new TreeMap<>(slow.weeks.get(week - 1));
      List<String> keys = List.copyOf(pages.keySet());
      pages.put(keys.get(random.nextInt(keys.size())), RandomCrawl.text(random));
      slow.weeks.add(pages);
    }
    assertThat(estimates(slow, "uniform")).isEqualTo(estimates(slow, "user-centric"));
  }

  private static Map<String, Double> estimates(RandomCrawl crawl, String policy) {
    ReplayRequest request =
        ReplayRequest.of(crawl.workload)
            .withPolicies(List.of(policy))
            .withBudgets(List.of(Budget.of("100%")))
            .withAudit(true);
    Map<String, Double> estimates = new TreeMap<>();
    for (RunResult run : Replay.run(crawl.corpus(), request, ReplayProgress.NONE).runs()) {
      for (Measurement measured : run.measurements()) {
        if (measured.deltaQa() != 0) {
          estimates.put(measured.week() + " " + measured.page(), measured.deltaQa());
        }
      }
    }
    return estimates;
  }

  @Test
  void anUnknownStrategyIsNamedWithThoseThereAre() {
    ReplayRequest request = ReplayRequest.of(crawl.workload);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.withPolicies(List.of("psychic")))
        .withMessageStartingWith("no strategy 'psychic': choose from never, user-centric");
  }

  private ReplayResult run(ReplayRequest request) {
    return Replay.run(crawl.corpus(), request, ReplayProgress.NONE);
  }
}
