// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.AnalyzedQueries;
import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.NeverRefresh;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.WorkloadIngest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live index keeps what a replay of its strategy promises. */
class LiveIndexTest {
  @TempDir private Path folder;

  private static ReplayCorpus corpus(Path crawl, Path log) throws IOException {
    Path temporary = Files.createTempDirectory("live-index");
    try (Analyzer analyzer = PageAnalysis.analyzer();
        WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(log);
      Workload workload =
          ingest.workload(AnalyzedQueries.of(analyzer, PageAnalysis.BODY)).workload();
      return Replay.read(SnapshotArchive.open(crawl), workload, 5, ReplayProgress.NONE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Shares of the gap that the strategy closes by itself, and by a live index. */
  private record Closed(double replayed, double live) {}

  private static World world(ReplayCorpus corpus, long seed) {
    ReplayRequest request = ReplayRequest.of(corpus.workload()).withSeed(seed);
    return World.of(corpus, request, List.of(Estimate.MULTI_TERM), ReplayProgress.NONE);
  }

  /** The quality without refreshes, whatever the budget and however many pages publish. */
  private static double never(World world) {
    return quality(world, Budget.of("1"), 0, (foresight, s) -> new NeverRefresh());
  }

  private static Closed closed(World world, double never, Path folder, Budget budget, double hints)
      throws IOException {
    double replayed = quality(world, budget, hints, (foresight, s) -> new UserUtility(s));
    Path index = Files.createTempDirectory(folder, "index");
    try (LiveIndex live = new LiveIndex(world.corpus(), index)) {
      double kept = quality(world, budget, hints, (foresight, s) -> live);
      return new Closed((replayed - never) / (1 - never), (kept - never) / (1 - never));
    }
  }

  private static double quality(World world, Budget budget, double hints, Variant.Maker maker) {
    Variant variant =
        new Variant(
            "strategy", "", Knowledge.ONLINE, Estimate.MULTI_TERM, Divergences.EXACT, hints, maker);
    return new Run(new Run.Order(world, variant, budget, false))
        .execute(ReplayProgress.NONE)
        .meanQuality();
  }

  @Test
  void itClosesTheGapAsFarAsTheStrategyAlone() throws IOException {
    new DemoCrawl(300, 27, 600, 8_000, 5).write(folder);
    World world = world(corpus(DemoCrawl.snapshots(folder), DemoCrawl.queryLog(folder)), 1);
    double never = never(world);
    double sum = 0;
    for (String budget : List.of("2%", "10%")) {
      for (double hints : new double[] {0, 0.5, 1}) {
        Closed closed = closed(world, never, folder, Budget.of(budget), hints);
        assertThat(closed.live())
            .as("%s a week, %s of the pages publish", budget, hints)
            .isGreaterThan(closed.replayed() - 0.05);
        sum += closed.live() - closed.replayed();
      }
    }
    assertThat(sum / 6).as("mean difference").isGreaterThan(-0.02);
  }

  /**
   * Prints both for a recorded crawl. {@code mvn -q -pl examples -am test-compile}, then run with
   * the class path of the module's tests, the JVM flags of the page store and the arguments crawl,
   * query log, budget, share of pages that publish, seed.
   */
  public static void main(String[] args) throws IOException {
    World world = world(corpus(Path.of(args[0]), Path.of(args[1])), Long.parseLong(args[4]));
    Path folder = Files.createTempDirectory("live-index");
    Budget budget = Budget.of(args[2]);
    Closed closed = closed(world, never(world), folder, budget, Double.parseDouble(args[3]));
    System.out.printf(
        "%s a week, %s publish, seed %s: %.3f replayed, %.3f live%n",
        args[2], args[3], args[4], closed.replayed(), closed.live());
  }
}
