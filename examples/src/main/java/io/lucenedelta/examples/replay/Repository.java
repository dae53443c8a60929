// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * One run's world: which version of each page the repository holds and which is live, the ranking
 * of every query, and the exact quality of the results (2005, equations 3 to 7).
 *
 * <p>Everything is kept up to date incrementally: a change or refresh of a page touches only the
 * queries that it moves in. Sums run in a fixed order, so a synchronised repository has quality 1
 * exactly. Not safe for use by several threads.
 */
final class Repository {
  private final Matches matches;
  private final LiveWeb web;
  private final Rankings rankings;
  private final float[] liveScore; // by slot
  private final int[] held; // version by page
  private final int[] live; // version by page
  private final double[] usefulness; // by query, for the query asked once
  private final boolean[] stale; // by query: usefulness must be summed anew
  private final PassedSums passed;
  private int pages; // fetched so far
  private int week = -1;

  private Repository(
      Matches matches, LiveWeb web, Rankings rankings, float[] liveScore, int[] held, int[] live) {
    this.matches = matches;
    this.web = web;
    this.rankings = rankings;
    this.liveScore = liveScore;
    this.held = held;
    this.live = live;
    this.usefulness = new double[matches.workload().queryCount()];
    this.stale = new boolean[usefulness.length];
    this.passed = new PassedSums(matches, rankings, web.views(), liveScore);
  }

  /** A repository without pages, before the first week. */
  static Repository empty(Matches matches, LiveWeb web) {
    int[] absent = new int[matches.corpus().pageCount()];
    Arrays.fill(absent, ReplayCorpus.ABSENT);
    return new Repository(
        matches,
        web,
        new Rankings(matches),
        new float[matches.slotCount()],
        absent,
        absent.clone());
  }

  /** A repository that holds every page of a week but those that are missing. */
  static Repository synchronised(Matches matches, LiveWeb web, int week, BitSet missing) {
    Repository repository = empty(matches, web);
    for (int next = 0; next <= week; next++) {
      repository.advance(next);
    }
    IntStream pages = IntStream.range(0, matches.corpus().pageCount());
    repository.refreshAll(pages.filter(page -> !missing.get(page)).toArray());
    return repository;
  }

  /** The same state, independent of this one. */
  Repository copy() {
    Repository copy =
        new Repository(
            matches, web, rankings.copy(), liveScore.clone(), held.clone(), live.clone());
    copy.week = week;
    copy.pages = pages;
    System.arraycopy(usefulness, 0, copy.usefulness, 0, usefulness.length);
    System.arraycopy(stale, 0, copy.stale, 0, stale.length);
    return copy;
  }

  int week() {
    return week;
  }

  /** Pages fetched so far. */
  int pages() {
    return pages;
  }

  /** The version of a page that the repository holds, or {@link ReplayCorpus#ABSENT}. */
  int held(int page) {
    return held[page];
  }

  /** The version of a page that is live, or {@link ReplayCorpus#ABSENT}. */
  int live(int page) {
    return live[page];
  }

  Matches matches() {
    return matches;
  }

  Rankings rankings() {
    return rankings;
  }

  private void changed(int query) {
    stale[query] = true;
    passed.changed(query);
  }

  /** Lets the live Web move on to the next week. */
  void advance(int nextWeek) {
    if (nextWeek != week + 1) {
      throw new IllegalArgumentException("week " + nextWeek + " does not follow week " + week);
    }
    week = nextWeek;
    for (int page : web.changed(week)) {
      int next = live[page] + 1;
      matches.shifts(
          page,
          live[page],
          next,
          (slot, before, after) -> {
            liveScore[slot] = after;
            changed(matches.query(slot));
          });
      live[page] = next;
    }
  }

  /** Brings the repository's copy of a page up to date. */
  void refresh(int page) {
    refresh(page, (slot, before, after) -> rankings.move(slot, after));
  }

  /** Brings the repository's copies of many pages, each named once, up to date. */
  void refreshAll(int[] refreshed) {
    Moves moves = new Moves();
    for (int page : refreshed) {
      refresh(page, moves);
    }
    rankings.moveAll(moves);
  }

  private void refresh(int page, Matches.ShiftReader mover) {
    pages += held[page] == ReplayCorpus.ABSENT && live[page] != ReplayCorpus.ABSENT ? 1 : 0;
    matches.shifts(
        page,
        held[page],
        live[page],
        (slot, before, after) -> {
          mover.shift(slot, before, after);
          changed(matches.query(slot));
        });
    held[page] = live[page];
  }

  /** Equation 3: the sum over queries of frequency times usefulness of the result. */
  double usefulness() {
    double sum = 0;
    for (int query = 0; query < usefulness.length; query++) {
      if (stale[query]) {
        usefulness[query] = usefulness(query);
        stale[query] = false;
      }
      sum += matches.workload().frequency(query) * usefulness[query];
    }
    return sum;
  }

  private double usefulness(int query) {
    double[] views = web.views();
    int n = rankings.size(query);
    double sum = 0;
    for (int rank = 0; rank < n; rank++) {
      sum += views[rank] * liveScore[rankings.slotAt(query, rank)];
    }
    return sum;
  }

  /** Equation 5, from 0 to 1; 1 when no query has a live result. */
  double quality() {
    double ideal = web.ideal(week);
    return ideal == 0 ? 1 : usefulness() / ideal;
  }

  /**
   * The numerator of equation 6: what refreshing a page now would add to {@link #usefulness()}. The
   * repository stays as it is.
   */
  double qualityGain(int page) {
    GainSum sum = new GainSum(passed::worth);
    matches.shifts(page, held[page], live[page], sum);
    return sum.gain;
  }

  /**
   * The same as far as it can be known before other pages are fetched: these are worth what the
   * repository holds of them.
   */
  double knownGain(int page) {
    GainSum sum = new GainSum(this::heldWorth);
    matches.shifts(page, held[page], live[page], sum);
    return sum.gain;
  }

  private double heldWorth(int query, int first, int end, int step) {
    double[] views = web.views();
    double sum = 0;
    for (int rank = first; rank < end; rank++) {
      sum += (views[rank + step] - views[rank]) * rankings.score(rankings.slotAt(query, rank));
    }
    return sum;
  }

  /** What moving by one is worth to the pages at some ranks of a query, the last one excluded. */
  private interface Passed {
    double worth(int query, int first, int end, int step);
  }

  /** Adds up equation 7 over the ranks that a move touches. */
  private final class GainSum implements Matches.ShiftReader {
    private final Passed passedPages;
    private double gain;

    GainSum(Passed passedPages) {
      this.passedPages = passedPages;
    }

    @Override
    public void shift(int slot, float before, float after) {
      int query = matches.query(slot);
      double[] views = web.views();
      int n = rankings.size(query);
      int from = before > 0 ? rankings.rank(query, slot, before) : n;
      int to = after > 0 ? rankings.rank(query, slot, after) : n;
      double sum;
      if (before > 0 && to > from) {
        double arrived = after > 0 ? views[to - 1] : 0;
        sum =
            passedPages.worth(query, from + 1, to, -1) + (arrived - views[from]) * liveScore[slot];
      } else {
        double left = before > 0 ? views[from] : 0;
        sum = passedPages.worth(query, to, from, 1) + (views[to] - left) * liveScore[slot];
      }
      gain += matches.workload().frequency(query) * sum;
    }
  }

  /** Expected views of every page by the rankings as they are: Σ f_q · I(rank). */
  double[] expectedViews() {
    double[] expectedViews = new double[held.length];
    for (int query = 0; query < usefulness.length; query++) {
      for (int rank = 0; rank < rankings.size(query); rank++) {
        int page = matches.page(rankings.slotAt(query, rank));
        expectedViews[page] += matches.workload().frequency(query) * web.views()[rank];
      }
    }
    return expectedViews;
  }
}
