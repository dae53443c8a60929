// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.crawl.SnapshotReader;
import io.lucenedelta.examples.crawl.SnapshotTally;
import io.lucenedelta.workload.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.Analyzer;

/**
 * Replays a recorded crawl for refresh strategies and budgets (2005, section 6.3).
 *
 * <p>The repository is synchronised in week 0. In each later week the live pages change, then the
 * strategy spends its budget, then quality is computed exactly over the whole workload. Corpus
 * statistics are frozen at week 0; ties rank in page-key order. The same request gives the same
 * result, to the bit, whatever the number of threads; processor times aside.
 */
public final class Replay {
  private Replay() {}

  /**
   * Reads a crawl once; the corpus serves any number of replays with the same workload.
   *
   * @param fragmentWords k, words a fragment of a page
   */
  public static ReplayCorpus read(
      SnapshotArchive crawl, Workload workload, int fragmentWords, ReplayProgress progress) {
    progress.begin("reading the crawl", crawl.size());
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(workload, analyzer, fragmentWords);
      SnapshotTally total = new SnapshotTally();
      for (int snapshot = 0; snapshot < crawl.size(); snapshot++) {
        corpus.week(crawl.time(snapshot));
        long[] pages = new long[1];
        total.add(
            crawl.read(
                snapshot, new WeekReader(corpus, () -> progress.within(++pages[0], "pages"))));
        progress.step();
      }
      progress.read(total);
      return corpus.build();
    }
  }

  /** Adds pages to a corpus, analysed before their turn. */
  private record WeekReader(ReplayCorpus.Builder corpus, Runnable added) implements SnapshotReader {
    @Override
    public Runnable prepare(CrawledPage page) {
      Runnable adding = corpus.adding(page.key(), page.title(), PageAnalysis.body(page));
      return () -> {
        adding.run();
        added.run();
      };
    }

    @Override
    public void page(CrawledPage page) {
      prepare(page).run();
    }

    @Override
    public boolean unchanged(String key, Instant visited) {
      return corpus.holds(key);
    }
  }

  /**
   * Replays a corpus.
   *
   * @throws IllegalArgumentException if the corpus was read for another workload or has too few
   *     weeks
   */
  public static ReplayResult run(
      ReplayCorpus corpus, ReplayRequest request, ReplayProgress progress) {
    if (corpus.workload() != request.workload()) {
      throw new IllegalArgumentException("the corpus was read for another workload: read it again");
    }
    if (corpus.weeks() < 2 || request.learnWeeks() >= corpus.weeks()) {
      throw new IllegalArgumentException(
          "the crawl has "
              + corpus.weeks()
              + (corpus.weeks() == 1 ? " snapshot" : " snapshots")
              + ": a replay needs at least 2 and more than the weeks to learn from");
    }
    List<Variant> variants = Strategies.of(request);
    Set<Estimate> estimates = EnumSet.of(Estimate.MULTI_TERM);
    variants.forEach(variant -> estimates.add(variant.estimate()));
    World world = World.of(corpus, request, estimates, progress);
    progress.begin("comparing versions of pages", corpus.pageCount());
    world.compareVersions(progress);
    List<RunResult> runs = execute(runs(world, variants, request), request.threads(), progress);
    progress.begin("measuring how long contents last", 2L * corpus.pageCount());
    return new ReplayResult(
        request.scoring(),
        corpus.pageCount(),
        corpus.weeks(),
        runs,
        forecast(world),
        Longevity.of(corpus, progress),
        world.matchingQueries());
  }

  private static List<Run.Order> runs(World world, List<Variant> variants, ReplayRequest request) {
    List<Run.Order> orders = new ArrayList<>();
    int audited = auditedBudget(world, request);
    boolean audit = request.audit();
    for (Variant variant : variants) {
      boolean reference = variant.policy().equals(Strategies.NEVER);
      List<Budget> budgets = reference ? List.of(Budget.of("0")) : request.budgets();
      for (int i = 0; i < budgets.size(); i++) {
        boolean measured = audit && !reference && i == audited;
        orders.add(new Run.Order(world, variant, budgets.get(i), measured));
        audit &= !measured;
      }
    }
    return orders;
  }

  /** The audited run is that of the first strategy with the largest budget. */
  private static int auditedBudget(World world, ReplayRequest request) {
    int largest = 0;
    int pages = world.corpus().pageCount();
    for (int i = 1; i < request.budgets().size(); i++) {
      if (request.budgets().get(i).refreshes(pages)
          > request.budgets().get(largest).refreshes(pages)) {
        largest = i;
      }
    }
    return largest;
  }

  private static List<RunResult> execute(
      List<Run.Order> orders, int threads, ReplayProgress progress) {
    long weeks = orders.stream().mapToLong(order -> Run.weeks(order.world())).sum();
    progress.begin("replaying, weeks of all runs", weeks);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<RunResult>> pending = new ArrayList<>(Collections.nCopies(orders.size(), null));
      for (int number : shuffled(orders.size())) {
        Run.Order order = orders.get(number);
        pending.set(number, pool.submit(() -> new Run(order).execute(progress)));
      }
      List<RunResult> results = new ArrayList<>();
      for (Future<RunResult> run : pending) {
        results.add(run.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "the replay was interrupted, and no figure of it is written: run it again", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * Numbers in an order without pattern. Strategies differ in what they cost; done one after the
   * other they would make the time that is left look much too short or too long.
   */
  private static List<Integer> shuffled(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      numbers.add(number);
    }
    Collections.shuffle(numbers, new Random(count));
    return numbers;
  }

  private static List<ReplayResult.Forecast> forecast(World world) {
    ReplayCorpus corpus = world.corpus();
    int last = corpus.weeks() - 1;
    int middle = last / 2;
    GainTable gains = world.gains(Estimate.MULTI_TERM);
    RefreshSums first =
        RefreshSums.atEveryChange(corpus, gains, 0, middle, new BitSet(), ReplayProgress.NONE);
    RefreshSums second =
        RefreshSums.atEveryChange(corpus, gains, middle, last, new BitSet(), ReplayProgress.NONE);
    List<ReplayResult.Forecast> forecast = new ArrayList<>();
    for (int page = 0; page < corpus.pageCount(); page++) {
      forecast.add(
          new ReplayResult.Forecast(corpus.page(page), rate(first, page), rate(second, page)));
    }
    return forecast;
  }

  /** NaN where nothing was watched: the page came at the end of the half, or later. */
  private static double rate(RefreshSums half, int page) {
    return half.days(page) == 0 ? Double.NaN : half.meanRate(page);
  }
}
