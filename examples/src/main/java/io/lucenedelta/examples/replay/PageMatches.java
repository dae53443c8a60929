// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.apache.lucene.util.ArrayUtil;

/**
 * The queries that the versions of one page match, with scores: 8 bytes a match of a version.
 * Queries are given as numbers that ascend with them.
 */
final class PageMatches {
  private final int[] end; // of a version's matches, by version
  private final int[] numbers; // ascending within a version
  private final float[] scores;

  private PageMatches(int[] end, int[] numbers, float[] scores) {
    this.end = end;
    this.numbers = numbers;
    this.scores = scores;
  }

  /** Finds the matches of a page's versions. */
  static PageMatches of(ReplayCorpus corpus, int page, QueryFinder finder, float fixedScore) {
    Collected found = new Collected();
    int[] end = new int[corpus.versionCount(page)];
    for (int version = 0; version < end.length; version++) {
      finder.find(corpus.version(page, version), fixedScore, found);
      end[version] = found.size;
    }
    return new PageMatches(
        end, Arrays.copyOf(found.queries, found.size), Arrays.copyOf(found.scores, found.size));
  }

  /** Hands out the number of every match of every version. */
  void forEach(IntConsumer reader) {
    for (int number : numbers) {
      reader.accept(number);
    }
  }

  /** Replaces the number of every match by another one, first to last. */
  void renumber(IntUnaryOperator numbering) {
    for (int i = 0; i < numbers.length; i++) { // in order: a numbering may count
      numbers[i] = numbering.applyAsInt(numbers[i]);
    }
  }

  /** Hands out the numbers whose score differs between two versions, ascending. */
  void shifts(int from, int to, Matches.ShiftReader reader) {
    if (from == to) {
      return;
    }
    int i = begin(from);
    int iEnd = end(from);
    int j = begin(to);
    int jEnd = end(to);
    while (i < iEnd || j < jEnd) {
      int left = i < iEnd ? numbers[i] : Integer.MAX_VALUE;
      int right = j < jEnd ? numbers[j] : Integer.MAX_VALUE;
      float before = left <= right ? scores[i++] : 0;
      float after = right <= left ? scores[j++] : 0;
      if (before != after) {
        reader.shift(Math.min(left, right), before, after);
      }
    }
  }

  private int begin(int version) {
    return version <= 0 ? 0 : end[version - 1]; // absent or the first
  }

  private int end(int version) {
    return version == ReplayCorpus.ABSENT ? 0 : end[version];
  }

  /** Matches in the order in which they are found. */
  private static final class Collected implements QueryFinder.MatchReader {
    private int[] queries = new int[64];
    private float[] scores = new float[64];
    private int size;

    @Override
    public void match(int query, float score) {
      queries = ArrayUtil.grow(queries, size + 1);
      scores = ArrayUtil.grow(scores, size + 1);
      queries[size] = query;
      scores[size++] = score;
    }
  }
}
