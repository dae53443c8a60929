// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.ViewingLikelihood;
import io.lucenedelta.scorer.refresh.TopPages;
import io.lucenedelta.workload.Workload;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Everything that the runs of a replay share, computed once: matches, the live Web, divergences,
 * estimates, site facts, what hindsight knows. Safe for use by several threads once made.
 */
final class World {
  private final ReplayCorpus corpus;
  private final LiveWeb web;
  private final Repository start;
  private final Map<Integer, Divergences> divergences = new ConcurrentHashMap<>();
  private final Map<Estimate, GainTable> gains = new EnumMap<>(Estimate.class);
  private final Map<Estimate, RefreshSums> sums = new EnumMap<>(Estimate.class);
  private final VisitLog recorded;
  private final Map<Double, SiteFacts> facts = new ConcurrentHashMap<>();
  private final double[] expectedViews;
  private final float[] importance;
  private final int matchingQueries;
  private final int firstWeek;
  private final boolean titles;
  private final long seed;

  private World(
      ReplayCorpus corpus,
      ReplayRequest request,
      float[] importance,
      Iterable<Estimate> estimates,
      ReplayProgress progress) {
    Workload workload = request.workload();
    Scoring scoring = request.scoring();
    this.corpus = corpus;
    this.importance = importance;
    this.seed = request.seed();
    this.titles = request.titles();
    ViewingLikelihood views = PowerLawViews.PAPER;
    Matches matches = matches(workload, scoring, progress);
    this.matchingQueries = matches.matchingQueries();
    progress.begin("following the live pages", corpus.weeks());
    this.web = LiveWeb.of(matches, views, progress);
    this.firstWeek = Math.max(0, request.learnWeeks() - 1);
    BitSet hidden = hidden(request.hidden());
    this.start = Repository.synchronised(matches, web, firstWeek, hidden);
    start.usefulness(); // summed once, for all copies
    this.expectedViews = start.expectedViews();
    boolean split = request.learnWeeks() > 0;
    int recordedUpTo = split ? firstWeek : corpus.weeks() - 1;
    BitSet unrecorded = split ? hidden : new BitSet();
    this.recorded = VisitLog.everyWeek(corpus, 0, recordedUpTo, unrecorded);
    Matches terms = null; // of Q′, for all estimates that measure it
    for (Estimate estimate : estimates) {
      if (estimate.ofSingleTerms() && terms == null) {
        terms = matches(workload.singleTerm(), scoring, progress);
      }
      Matches measured = estimate.ofSingleTerms() ? terms : matches;
      GainTable table =
          GainTable.of(GainFormula.of(measured, estimate, scoring, importance, views), hidden);
      gains.put(estimate, table);
      progress.begin("measuring every change", corpus.pageCount() - unrecorded.cardinality());
      sums.put(
          estimate,
          RefreshSums.atEveryChange(corpus, table, 0, recordedUpTo, unrecorded, progress));
    }
  }

  /** Prepares what all runs of a request share. */
  static World of(
      ReplayCorpus corpus,
      ReplayRequest request,
      Iterable<Estimate> estimates,
      ReplayProgress progress) {
    return new World(corpus, request, request.importance(corpus), estimates, progress);
  }

  private Matches matches(Workload queries, Scoring scoring, ReplayProgress progress) {
    progress.begin("matching pages and queries", corpus.pageCount());
    return Matches.of(corpus, queries, scoring, importance, 0, progress);
  }

  /** The pages whose address is all that is known of them at the start. */
  private BitSet hidden(double share) {
    BitSet hidden = new BitSet();
    for (int page = 0; page < corpus.pageCount(); page++) {
      hidden.set(page, TopPages.fraction(seed ^ 0x41DD, corpus.page(page)) < share);
    }
    return hidden;
  }

  ReplayCorpus corpus() {
    return corpus;
  }

  LiveWeb web() {
    return web;
  }

  /** How many queries match a page in some week. */
  int matchingQueries() {
    return matchingQueries;
  }

  /** The week in which the repository is synchronised. */
  int firstWeek() {
    return firstWeek;
  }

  /** Whether the titles of pages are known before they are fetched. */
  boolean titles() {
    return titles;
  }

  long seed() {
    return seed;
  }

  /** A synchronised repository of its own for one run. */
  Repository start() {
    return start.copy();
  }

  /** Divergences measured on summaries of m hashes, or {@link Divergences#EXACT}. */
  Divergences divergences(int hashes) {
    return divergences.computeIfAbsent(hashes, m -> Divergences.of(corpus, m, ReplayProgress.NONE));
  }

  /** Measures the divergences that every run needs; every page is a step. */
  void compareVersions(ReplayProgress progress) {
    divergences.put(Divergences.EXACT, Divergences.of(corpus, Divergences.EXACT, progress));
  }

  GainTable gains(Estimate estimate) {
    return gains.get(estimate);
  }

  /**
   * The visits hindsight knows of: every page in every week that may be learned from; none of a
   * hidden page where some weeks are learned from and others judged.
   */
  VisitLog recordedVisits() {
    return recorded;
  }

  /** The refreshes hindsight knows of. */
  RefreshSums recordedSums(Estimate estimate) {
    return sums.get(estimate);
  }

  SiteFacts facts(double publishingShare) {
    return facts.computeIfAbsent(
        publishingShare, share -> SiteFacts.of(corpus, expectedViews, importance, share, seed));
  }
}
