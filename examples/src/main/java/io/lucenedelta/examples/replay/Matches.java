// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.workload.Workload;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

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
  private final ReplayCorpus corpus;
  private final Workload workload;
  private final int[] firstMatch; // by version serial, versions + 1
  private final int[] matchSlot; // ascending within a version
  private final float[] matchScore;
  private final int[] firstSlot; // by query, queries + 1
  private final int[] slotPage;
  private final int[] slotQuery;

  private Matches(ReplayCorpus corpus, Workload workload, Collected found) {
    this.corpus = corpus;
    this.workload = workload;
    this.firstMatch = found.firstMatch;
    this.matchScore = Arrays.copyOf(found.score, found.size);
    this.firstSlot = new int[workload.queryCount() + 1];
    int[] stamp = new int[workload.queryCount()];
    forEachNew(found, stamp, (query, page) -> firstSlot[query + 1]++);
    for (int query = 0; query < workload.queryCount(); query++) {
      firstSlot[query + 1] += firstSlot[query];
    }
    this.slotPage = new int[firstSlot[workload.queryCount()]];
    this.slotQuery = new int[slotPage.length];
    int[] next = firstSlot.clone();
    Arrays.fill(stamp, 0);
    forEachNew(
        found,
        stamp,
        (query, page) -> {
          slotPage[next[query]] = page;
          slotQuery[next[query]++] = query;
        });
    this.matchSlot = Arrays.copyOf(found.query, found.size);
    numberSlots();
  }

  private interface QueryOfPage {
    void accept(int query, int page);
  }

  /** Visits every query of every page once, pages ascending. */
  private void forEachNew(Collected found, int[] stamp, QueryOfPage reader) {
    for (int page = 0; page < corpus.pageCount(); page++) {
      int end = firstMatch[corpus.serial(page, corpus.versionCount(page) - 1) + 1];
      for (int i = firstMatch[corpus.serial(page, 0)]; i < end; i++) {
        int query = found.query[i];
        if (stamp[query] != page + 1) {
          stamp[query] = page + 1;
          reader.accept(query, page);
        }
      }
    }
  }

  /** Replaces query numbers by slot numbers in {@link #matchSlot}. */
  private void numberSlots() {
    for (int page = 0; page < corpus.pageCount(); page++) {
      int end = firstMatch[corpus.serial(page, corpus.versionCount(page) - 1) + 1];
      for (int i = firstMatch[corpus.serial(page, 0)]; i < end; i++) {
        int query = matchSlot[i];
        matchSlot[i] = Arrays.binarySearch(slotPage, firstSlot[query], firstSlot[query + 1], page);
      }
    }
  }

  /**
   * Matches a corpus against a workload over the corpus's terms; every page is a step.
   *
   * @param importance score by page for {@link Scoring#IMPORTANCE}, else ignored
   * @param statisticsWeek whose corpus statistics scores come from
   */
  static Matches of(
      ReplayCorpus corpus,
      Workload workload,
      Scoring scoring,
      float[] importance,
      int statisticsWeek,
      ReplayProgress progress) {
    TermScores scores = new TermScores(corpus, scoring.similarity(), statisticsWeek);
    QueryFinder finder = new QueryFinder(workload, scores);
    Collected found = new Collected(corpus.versionCount());
    for (int page = 0; page < corpus.pageCount(); page++) {
      for (int version = 0; version < corpus.versionCount(page); version++) {
        float fixed = scoring == Scoring.IMPORTANCE ? importance[page] : 0;
        finder.find(corpus.version(page, version), fixed, found::add);
        found.endVersion(corpus.serial(page, version));
      }
      progress.step();
    }
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
    if (from == to) {
      return;
    }
    int i = from == ReplayCorpus.ABSENT ? 0 : firstMatch[corpus.serial(page, from)];
    int iEnd = from == ReplayCorpus.ABSENT ? 0 : firstMatch[corpus.serial(page, from) + 1];
    int j = to == ReplayCorpus.ABSENT ? 0 : firstMatch[corpus.serial(page, to)];
    int jEnd = to == ReplayCorpus.ABSENT ? 0 : firstMatch[corpus.serial(page, to) + 1];
    while (i < iEnd || j < jEnd) {
      int left = i < iEnd ? matchSlot[i] : Integer.MAX_VALUE;
      int right = j < jEnd ? matchSlot[j] : Integer.MAX_VALUE;
      float before = left <= right ? matchScore[i++] : 0;
      float after = right <= left ? matchScore[j++] : 0;
      if (before != after) {
        reader.shift(Math.min(left, right), before, after);
      }
    }
  }

  /** Matches in the order of discovery; queries of one version in ascending order. */
  private static final class Collected {
    private final int[] firstMatch;
    private int[] query = new int[1024];
    private float[] score = new float[1024];
    private int size;

    Collected(int versions) {
      firstMatch = new int[versions + 1];
    }

    void add(int found, float itsScore) {
      query = ArrayUtil.grow(query, size + 1);
      score = ArrayUtil.grow(score, size + 1);
      query[size] = found;
      score[size++] = itsScore;
    }

    void endVersion(int serial) {
      firstMatch[serial + 1] = size;
    }
  }
}
