// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One strategy with one budget through all weeks (2005, section 6.3): the live pages change, the
 * strategy spends its budget, quality is computed. Used once, by one thread.
 */
final class Run {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  private final World world;
  private final Variant variant;
  private final Budget budget;
  private final boolean audit;
  private final boolean gainsMatter; // to the strategy or the audit: else none is measured
  private final Repository repository;
  private final List<Integer> pending = new ArrayList<>(); // visited, and not refreshed yet
  private final VisitLog visits;
  private final RefreshSums sums;
  private final RunPages pages;
  private final RefreshPolicy policy;
  private final GainMeasure estimate; // what the strategy goes by
  private final GainMeasure productEstimate; // what is audited, whatever the strategy goes by
  private final StalenessSum staleness;
  private final List<Measurement> measurements = new ArrayList<>();
  private long cpuNanos;

  /**
   * What a run is to do.
   *
   * @param audit whether every refresh is measured exactly as well
   */
  record Order(World world, Variant variant, Budget budget, boolean audit) {}

  Run(Order order) {
    this.world = order.world();
    this.variant = order.variant();
    this.budget = order.budget();
    this.audit = order.audit();
    this.gainsMatter =
        audit || (variant.knowledge() == Knowledge.ONLINE && variant.learnsFromGains());
    ReplayCorpus corpus = world.corpus();
    this.repository = world.start();
    GainTable gains = world.gains(variant.estimate());
    this.estimate = new GainMeasure(gains);
    this.productEstimate =
        variant.estimate() == Estimate.MULTI_TERM
            ? estimate
            : new GainMeasure(world.gains(Estimate.MULTI_TERM));
    this.visits = new VisitLog(corpus.pageCount());
    this.sums = new RefreshSums(corpus.pageCount());
    this.staleness = new StalenessSum(world.divergences(Divergences.EXACT), repository);
    for (int page = 0; page < corpus.pageCount(); page++) {
      if (repository.held(page) != ReplayCorpus.ABSENT) {
        visits.add(page, world.firstWeek());
      }
      staleness.update(page);
    }
    boolean hindsight = variant.knowledge() == Knowledge.HINDSIGHT;
    this.pages =
        new RunPages(
            corpus,
            world.divergences(variant.hashes()),
            gains,
            world.facts(variant.publishingShare()),
            visits,
            hindsight ? world.recordedVisits() : visits,
            hindsight ? world.recordedSums(variant.estimate()) : sums,
            world.titles() ? new TitleWords(corpus, gains) : null);
    this.policy =
        variant
            .maker()
            .make(
                new RunForesight(repository, world.divergences(Divergences.EXACT), corpus),
                world.seed());
  }

  /** How many weeks a run goes through. */
  static int weeks(World world) {
    return world.corpus().weeks() - world.firstWeek() - 1;
  }

  /** Goes through all weeks, each of which is a step. */
  RunResult execute(ReplayProgress progress) {
    int first = world.firstWeek() + 1;
    int weeks = weeks(world);
    int perWeek = budget.refreshes(world.corpus().pageCount());
    double[] quality = new double[weeks];
    double[] stale = new double[weeks];
    double[] days = new double[weeks];
    int[] refreshes = new int[weeks];
    RefreshPlan plan = null;
    for (int i = 0; i < weeks; i++) {
      int week = first + i;
      stale[i] = advance(week);
      days[i] = world.corpus().days(week - 1, week);
      long began = CLOCK.getCurrentThreadCpuTime();
      if (plan == null) {
        plan = policy.plan(pages, planned(perWeek, week));
      } else if (variant.knowledge() == Knowledge.ONLINE) {
        plan = policy.renew(plan, pages, planned(perWeek, week));
      }
      cpuNanos += CLOCK.getCurrentThreadCpuTime() - began;
      refreshes[i] = spend(plan, week, perWeek);
      quality[i] = repository.quality();
      progress.step();
    }
    return new RunResult(
        variant.policy(),
        variant.settings(),
        variant.knowledge(),
        budget,
        first,
        quality,
        stale,
        days,
        refreshes,
        cpuNanos / 1e9,
        measurements);
  }

  /** Lets the live Web move on; returns the mean staleness since the last week's refreshes. */
  private double advance(int week) {
    repository.advance(week);
    pages.now(week);
    return staleness.advance(world.web().changed(week));
  }

  /**
   * With hindsight the weeks left, which are as long as the crawl has them. Online only this one:
   * when later snapshots will be taken nobody knows, so a period is as long as those so far were in
   * the mean, this one included.
   */
  private RefreshBudget planned(int perWeek, int week) {
    ReplayCorpus corpus = world.corpus();
    if (variant.knowledge() == Knowledge.ONLINE) {
      Duration soFar = Duration.between(corpus.time(0), corpus.time(week));
      return RefreshBudget.regular(perWeek, corpus.time(week), soFar.dividedBy(week), 1);
    }
    return new RefreshBudget(
        perWeek,
        corpus.time(week - 1),
        IntStream.range(week, corpus.weeks()).mapToObj(corpus::time).toList());
  }

  private int spend(RefreshPlan plan, int week, int perWeek) {
    int spent = 0;
    while (spent < perWeek) {
      long began = CLOCK.getCurrentThreadCpuTime();
      List<RefreshCandidate> round = plan.next(pages, world.corpus().time(week), perWeek - spent);
      cpuNanos += CLOCK.getCurrentThreadCpuTime() - began;
      if (round.isEmpty()) {
        break;
      }
      if (round.size() > perWeek - spent) {
        throw new IllegalStateException(
            variant.policy()
                + " asked for "
                + round.size()
                + " refreshes where "
                + (perWeek - spent)
                + " were left");
      }
      for (RefreshCandidate candidate : round) {
        visit(candidate.page(), week);
      }
      refreshPending();
      spent += round.size();
    }
    return spent;
  }

  /** Measures a refresh and notes it; it is made with others, or at once where its worth counts. */
  private void visit(String key, int week) {
    int page = world.corpus().number(key);
    int before = visits.last(page);
    if (before == week) {
      throw new IllegalStateException(
          variant.policy() + " asked twice for " + key + " in week " + week);
    }
    if (before >= 0) {
      double interval = world.corpus().days(before, week);
      double gain = gainsMatter ? estimate.gain(page, week) : 0;
      if (audit) {
        // measured once: each measuring counts towards the age of its rank functions
        double product = productEstimate == estimate ? gain : productEstimate.gain(page, week);
        double exact = repository.qualityGain(page);
        measurements.add(new Measurement(week, key, interval, product, exact));
      }
      boolean changed = !world.corpus().same(page, repository.held(page), repository.live(page));
      sums.add(page, week, gain, interval, changed);
    }
    pending.add(page);
    if (audit) {
      refreshPending(); // what the next one is worth exactly depends on this one
    }
    visits.add(page, week);
  }

  private void refreshPending() {
    int[] pages = pending.stream().mapToInt(Integer::intValue).toArray();
    pending.clear();
    repository.refreshAll(pages);
    for (int page : pages) {
      staleness.update(page);
    }
  }

  /** ΔQ_A of refreshing a page now, by rank functions of the repository's own results. */
  private final class GainMeasure {
    private final GainTable gains;
    private final RankAge age = RankAge.byChanges();
    private GainFormula.Meter meter;
    private int measuredWeek = -1;

    GainMeasure(GainTable gains) {
      this.gains = gains;
    }

    double gain(int page, int week) {
      int held = repository.held(page);
      int live = repository.live(page);
      if (world.corpus().same(page, held, live)) {
        return 0;
      }
      if (gains.formula().matches() != repository.matches()) {
        return gains.gain(page, held, live);
      }
      if (week > measuredWeek) {
        refreshPending(); // pages fetched for the first time count towards the results
        if (age.due(repository.pages())) {
          meter = gains.formula().over(repository.rankings());
        }
        measuredWeek = week;
      }
      age.changed();
      return meter.gain(page, held, live);
    }
  }

  // What follows is for tests.

  /** Which pages were fetched when, week 0 included. */
  VisitLog visits() {
    return visits;
  }
}
