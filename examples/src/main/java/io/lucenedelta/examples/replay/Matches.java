// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Which page versions match which queries of a workload, and with what score.
 *
 * <p>A page matches a query when it holds every term; its score is the sum of the terms' scores, as
 * Lucene's conjunctive {@code BooleanQuery} computes it. A <em>slot</em> is a (query, page) pair
 * that matches in some week: slots of a query are consecutive and in page order, so that a ranking
 * is a permutation of a query's slots and a run's state is two arrays over slots.
 *
 * <p>Immutable; 8 bytes a match of a version and 8 a slot.
 */
final class Matches {
  /** Slots that a replay can hold. */
  private static final int MOST_SLOTS = Integer.MAX_VALUE - 8;

  private static final int PAGES_AT_A_TIME = 64; // share what a finder needs

  private final ReplayCorpus corpus;
  private final Workload workload;
  private final PageMatches[] ofPage; // their numbers are slots
  private final int[] firstSlot; // by query, queries + 1
  private final int[] slotPage;
  private final int[] slotQuery;

  private Matches(ReplayCorpus corpus, Workload workload, PageMatches[] found) {
    this.corpus = corpus;
    this.workload = workload;
    this.ofPage = found;
    this.firstSlot = firstSlots(results(found, workload.queryCount()));
    this.slotPage = new int[firstSlot[workload.queryCount()]];
    this.slotQuery = new int[slotPage.length];
    int[] next = firstSlot.clone();
    for (int page = 0; page < found.length; page++) {
      int thisPage = page;
      found[page].renumber(
          query -> {
            int last = next[query] - 1; // pages come in order: what this one has is the last
            if (last >= firstSlot[query] && slotPage[last] == thisPage) {
              return last;
            }
            slotPage[next[query]] = thisPage;
            slotQuery[next[query]] = query;
            return next[query]++;
          });
    }
  }

  /** How many pages match a query in some week, by query. */
  private static int[] results(PageMatches[] found, int queries) {
    int[] results = new int[queries];
    int[] lastPage = new int[queries];
    Arrays.fill(lastPage, -1);
    for (int page = 0; page < found.length; page++) {
      int thisPage = page;
      found[page].forEach(
          query -> {
            results[query] += lastPage[query] < thisPage ? 1 : 0;
            lastPage[query] = thisPage;
          });
    }
    return results;
  }

  /**
   * Where the slots of every query begin, and behind the last of them where those of the last end.
   *
   * @param results slots by query
   * @throws IllegalArgumentException if these are more than a replay can hold
   */
  static int[] firstSlots(int[] results) {
    long slots = Arrays.stream(results).asLongStream().sum();
    if (slots > MOST_SLOTS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ENGLISH,
              "%,d queries with %,d results are more than a replay can hold, %,d results; take"
                  + " fewer queries, or a part of the pages",
              results.length,
              slots,
              MOST_SLOTS));
    }
    int[] first = new int[results.length + 1];
    System.arraycopy(results, 0, first, 1, results.length);
    Arrays.parallelPrefix(first, Integer::sum);
    return first;
  }

  /**
   * Matches a corpus against a workload over the corpus's terms; every page is a step. All
   * processors match.
   *
   * @param importance score by page for {@link Scoring#IMPORTANCE}, else ignored
   * @param statisticsWeek whose corpus statistics scores come from
   * @throws IllegalArgumentException if more match than a replay can hold
   */
  static Matches of(
      ReplayCorpus corpus,
      Workload workload,
      Scoring scoring,
      float[] importance,
      int statisticsWeek,
      ReplayProgress progress) {
    TermScores scores = new TermScores(corpus, scoring.similarity(), statisticsWeek);
    QueriesByTerm queries = QueryFinder.index(workload, scores);
    PageMatches[] found = new PageMatches[corpus.pageCount()];
    IntStream.rangeClosed(0, (found.length - 1) / PAGES_AT_A_TIME)
        .parallel()
        .forEach(
            part -> {
              QueryFinder finder = new QueryFinder(queries, scores);
              int first = part * PAGES_AT_A_TIME;
              int end = Math.min(first + PAGES_AT_A_TIME, found.length);
              for (int page = first; page < end; page++) {
                float fixed = scoring == Scoring.IMPORTANCE ? importance[page] : 0;
                found[page] = PageMatches.of(corpus, page, finder, fixed);
                progress.step();
              }
            });
    return new Matches(corpus, workload, found);
  }

  Workload workload() {
    return workload;
  }

  ReplayCorpus corpus() {
    return corpus;
  }

  int slotCount() {
    return slotPage.length;
  }

  /** The first slot of a query; those of query q end before {@code firstSlot(q + 1)}. */
  int firstSlot(int query) {
    return firstSlot[query];
  }

  int page(int slot) {
    return slotPage[slot];
  }

  int query(int slot) {
    return slotQuery[slot];
  }

  /** How many queries have a slot. */
  int matchingQueries() {
    int matching = 0;
    for (int query = 0; query < workload.queryCount(); query++) {
      matching += firstSlot[query + 1] > firstSlot[query] ? 1 : 0;
    }
    return matching;
  }

  /** The most slots any query has. */
  int longestResult() {
    int longest = 0;
    for (int query = 0; query < workload.queryCount(); query++) {
      longest = Math.max(longest, firstSlot[query + 1] - firstSlot[query]);
    }
    return longest;
  }

  /** Receives score shifts. */
  interface ShiftReader {
    /** A slot whose score moves; 0 stands for no match. */
    void shift(int slot, float before, float after);
  }

  /** Hands out the slots of a page whose score differs between two versions, ascending. */
  void shifts(int page, int from, int to, ShiftReader reader) {
    ofPage[page].shifts(from, to, reader);
  }
}
