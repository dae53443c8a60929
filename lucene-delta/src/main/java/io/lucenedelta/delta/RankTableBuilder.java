// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.Bits;

/**
 * Builds F_q for every query of a workload from an index: each query's matching pages are scored
 * and the scores at the knots selected, which takes sorting the largest alone.
 */
final class RankTableBuilder {
  private static final int TOLD_EVERY = 10_000;

  /** Places of terms may take so much of the heap that the JVM may have: they only save time. */
  private static final int HEAP_SHARE = 16;

  private final Workload workload;
  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final TermScores scores;
  private final Standings standings;
  private final long placesHeap;
  private final ScoreList collected = new ScoreList();

  /**
   * A builder.
   *
   * @param standings what pages rank by in place of their scores, or null
   */
  RankTableBuilder(
      Workload workload,
      DeltaConfig config,
      WorkloadTerms terms,
      TermScores scores,
      Standings standings) {
    this(workload, config, terms, scores, standings, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /** A builder whose places of terms take so many bytes of heap at most. */
  RankTableBuilder(
      Workload workload,
      DeltaConfig config,
      WorkloadTerms terms,
      TermScores scores,
      Standings standings,
      long placesHeap) {
    this.workload = workload;
    this.config = config;
    this.terms = terms;
    this.scores = scores;
    this.standings = standings;
    this.placesHeap = placesHeap;
  }

  OffHeapRankTable build(IndexReader reader) throws IOException {
    List<QueryMatches> segments = new ArrayList<>();
    List<PostingScores> inBlocks = new ArrayList<>();
    TermPlaces.Room room = new TermPlaces.Room(placesHeap);
    for (LeafReaderContext leaf : reader.leaves()) {
      PageKeys keys = PageKeys.of(leaf.reader(), config.keyField());
      Bits pages = keys.livePages();
      segments.add(
          new QueryMatches(
              leaf.reader(), config, terms, scores, pages, importance(keys), places(room)));
      if (config.importance() == null && config.scoredFields().size() == 1) {
        inBlocks.add(
            PostingScores.of(leaf.reader(), config.scoredFields().get(0), terms, scores, pages));
      }
    }
    boolean blocks = inBlocks.size() == segments.size() && !inBlocks.contains(null);
    return build(segments, blocks ? inBlocks : List.of());
  }

  /** Queries of one term look up each term once: for them there is nothing to remember. */
  private TermPlaces places(TermPlaces.Room room) {
    return terms.longestQuery() == 1
        ? TermPlaces.notRemembered()
        : TermPlaces.remembered(terms.size(), config.scoredFields().size(), room);
  }

  /** What pages have beside their scores, by document; null where that is nothing. */
  private float[] importance(PageKeys keys) throws IOException {
    if (standings != null) {
      return keys.numbers(standings::of);
    }
    return config.importance() == null ? null : keys.numbers(config.importance()::of);
  }

  private OffHeapRankTable build(List<QueryMatches> segments, List<PostingScores> inBlocks)
      throws IOException {
    OffHeapRankTable table = new OffHeapRankTable(workload.queryCount());
    int done = 0;
    for (int query : inTermOrder()) {
      collect(query, segments, inBlocks);
      if (collected.length() > 0) {
        collected.makeFinite();
        table.put(query, KnotSample.of(collected.values(), collected.length()));
      }
      if (++done % TOLD_EVERY == 0) {
        config.listener().progress("building rank functions", done, workload.queryCount());
      }
    }
    return table;
  }

  /**
   * Collects the scores of a query's pages.
   *
   * @param inBlocks of the same segments, for queries of one term; empty where not all can be read
   *     so
   */
  private void collect(int query, List<QueryMatches> segments, List<PostingScores> inBlocks)
      throws IOException {
    collected.clear();
    if (!inBlocks.isEmpty() && workload.queryLength(query) == 1) {
      for (PostingScores segment : inBlocks) {
        segment.read(workload.queryTerm(query, 0), collected);
      }
    } else {
      for (QueryMatches segment : segments) {
        segment.forEach(query, (doc, score) -> collected.add(score));
      }
    }
  }

  /** All queries in the order of their first term, in which dictionaries are read fastest. */
  private int[] inTermOrder() {
    int[] next = new int[workload.termCount() + 1];
    for (int query = 0; query < workload.queryCount(); query++) {
      next[workload.queryTerm(query, 0) + 1]++;
    }
    for (int term = 0; term < workload.termCount(); term++) {
      next[term + 1] += next[term];
    }
    int[] queries = new int[workload.queryCount()];
    for (int query = 0; query < workload.queryCount(); query++) {
      queries[next[workload.queryTerm(query, 0)]++] = query;
    }
    return queries;
  }
}
