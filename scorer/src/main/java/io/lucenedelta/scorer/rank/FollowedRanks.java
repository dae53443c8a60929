// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Rank functions that follow the score shifts of pages, in memory of the caller's.
 *
 * <pre>
 * bytes   → count ^ queries, function ^ queries
 * count   → N (int32), floor, scores of two points of the curve ^ 2, their ranks ^ 2,
 *           least score (float32), shifts since renewed (int32)
 * function → rank function as last renewed: N (int32), knots as {@link KnotCode} packs them;
 *           best scores kept, and 32 for each tied with the last (int32),
 *           best scores, descending (float32) ^ {@value KnotSample#BEST};
 *           ranks of the two points as last renewed (float32) ^ 2
 * </pre>
 *
 * <p>N and the best scores are exact, as if counted and sorted anew after every shift: twice as
 * many are kept as a rank function has, and pages that come in among them make up for those that
 * leave. All results above the <em>floor</em> are kept: it is 0 as long as all results are, rises
 * when there are more of them than places, and does not fall before all are kept again. Results
 * that have the score of the floor are known by their number, and take places that become free. If
 * more leave than come, the first places that are no longer known are read off the curve. For the
 * curve beyond, the scores at two points are kept, and the pages that stand above them are counted,
 * so that the points move to other ranks; knots are interpolated between, linear in (ln rank, ln
 * score). The least score is that of the last result where all are kept; else it can only fall.
 * These drift slowly away from what a result counted anew has.
 *
 * <p>{@link #move} tells when a rank function is no longer what its query's results are; until
 * {@link #renew} is called, all that can be read is as it was: whoever reads it early, and whoever
 * reads it once more from a file, finds the same.
 *
 * <p>What the 2005 paper leaves open (section 5.1.2 says how F_q is made, not how it ages). Nobody
 * reads while somebody writes; several threads may write if no two do so for the same query.
 */
public final class FollowedRanks implements RankTable {
  // Counts are what nearly every shift needs, half a cache line each.
  private static final int RESULTS = 0;
  private static final int FLOOR = 4;
  private static final int POINT_SCORE = 8;
  private static final int POINT_RANK = 16;
  private static final int LEAST = 24;
  private static final int MOVES = 28;
  private static final int COUNT_BYTES = 32;

  private static final int KNOT = Integer.BYTES;
  private static final int KEPT = RankTable.BYTES;
  private static final int FIRST = KEPT + Integer.BYTES;
  private static final int RENEWED_POINT_RANK = FIRST + KnotSample.BEST * Float.BYTES;
  private static final int FUNCTION_BYTES = RENEWED_POINT_RANK + POINTS * Float.BYTES;

  // How many scores are kept and how many more are tied with the last share a number.
  private static final int KEPT_BITS = 5;
  private static final int MOST_TIED = -1 >>> (KEPT_BITS + 1);

  /** Bytes a query takes. */
  public static final int BYTES = COUNT_BYTES + FUNCTION_BYTES;

  private static final byte[] NOTHING = new byte[BYTES];

  /** A curve is another one when so many shifts in a hundred results have moved it. */
  private static final int MOVED_PERCENT = 2;

  /** Scores of one code differ from it by less than this share: what was rounded otherwise. */
  private static final float NEXT_CODE = 1 + 0x1p-12f;

  private final ByteBuffer bytes;
  private final int queries;

  /**
   * Rank functions in the given bytes, {@value #BYTES} a query, zero or as another instance left
   * them; their order is set to little-endian.
   */
  public FollowedRanks(ByteBuffer bytes) {
    this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    this.queries = bytes.capacity() / BYTES;
  }

  private static int count(int query) {
    return query * COUNT_BYTES;
  }

  private int function(int query) {
    return queries * COUNT_BYTES + query * FUNCTION_BYTES;
  }

  /** Sets the rank function of a query. */
  public void put(int query, KnotSample sample) {
    int count = count(query);
    int function = function(query);
    int results = sample.results();
    bytes.putInt(count + RESULTS, results);
    for (int point = 0; point < POINTS; point++) {
      int knot = KNOWN + point;
      bytes.putFloat(count + POINT_RANK + 4 * point, (float) KnotRanks.rank(results, knot));
      bytes.putFloat(count + POINT_SCORE + 4 * point, sample.score(knot));
    }
    bytes.putFloat(count + LEAST, sample.score(KNOTS - 1));
    putKept(function, sample.bestCount(), sample.tied());
    for (int place = 0; place < sample.bestCount(); place++) {
      putBest(function, place, sample.best(place));
    }
    bytes.putFloat(
        count + FLOOR, sample.bestCount() == 0 ? 0 : sample.best(sample.bestCount() - 1));
    noteWhetherAllAreKept(count, function);
    renew(query);
  }

  /**
   * Copies the {@value #BYTES} bytes of a query to a place in an array; returns whether any of them
   * is not zero, as they are of a query that never had a result and was not {@linkplain #put set}.
   */
  public boolean copyTo(int query, byte[] array, int at) {
    bytes.get(count(query), array, at, COUNT_BYTES);
    bytes.get(function(query), array, at + COUNT_BYTES, FUNCTION_BYTES);
    return !Arrays.equals(array, at, at + BYTES, NOTHING, 0, BYTES);
  }

  /** Takes the bytes of a query from a place in an array. */
  public void copyFrom(int query, byte[] array, int at) {
    bytes.put(count(query), array, at, COUNT_BYTES);
    bytes.put(function(query), array, at + COUNT_BYTES, FUNCTION_BYTES);
  }

  /** Makes a rank function what its query's results are now. */
  public void renew(int query) {
    int count = count(query);
    int function = function(query);
    bytes.putInt(count + MOVES, 0);
    bytes.putInt(function, bytes.getInt(count + RESULTS));
    for (int point = 0; point < POINTS; point++) {
      float rank = bytes.getFloat(count + POINT_RANK + 4 * point);
      bytes.putFloat(function + RENEWED_POINT_RANK + 4 * point, rank);
    }
    float above = Float.MAX_VALUE;
    for (int part = 0; part < KnotCode.LONGS; part++) {
      int knot = part * KNOTS / KnotCode.LONGS;
      float first = Math.min(above, score(query, knot));
      float second = Math.min(first, score(query, knot + 1));
      above = Math.min(second, score(query, knot + 2));
      bytes.putLong(function + KNOT + part * Long.BYTES, KnotCode.pack(first, second, above));
    }
  }

  /**
   * A page's score for a query moved; 0 means that it is not in the result.
   *
   * @return whether the query's rank function should be renewed: one of the first {@value
   *     RankTable#KNOWN} scores is another, or the curve has moved by more than a trifle since it
   *     was
   * @throws IllegalArgumentException if a score is negative or not finite
   */
  public boolean move(int query, float before, float after) {
    if (!(before >= 0 && after >= 0 && before <= Float.MAX_VALUE && after <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "scores must be 0 or more and finite, were %s and %s".formatted(before, after));
    }
    float from = KnotCode.round(before);
    float to = KnotCode.round(after);
    if (from == to) {
      return false;
    }
    int count = count(query);
    boolean curve = moveCurve(count, from, to);
    int results = bytes.getInt(count + RESULTS);
    boolean first = false;
    if (Math.max(from, to) >= bytes.getFloat(count + FLOOR)) {
      first = moveBest(count, function(query), from, to);
    } else if (to == 0 && results <= KnotSample.BEST) {
      noteWhetherAllAreKept(count, function(query)); // what left was below the floor
    }
    if (!curve) {
      return first;
    }
    int moves = bytes.getInt(count + MOVES) + 1;
    bytes.putInt(count + MOVES, moves);
    return first || results <= KNOWN || 100L * moves > (long) MOVED_PERCENT * results;
  }

  /** Counts a shift; returns whether N, the least score or a point of the curve moved. */
  private boolean moveCurve(int count, float from, float to) {
    int more = (to > 0 ? 1 : 0) - (from > 0 ? 1 : 0);
    boolean moved = more != 0;
    if (moved) {
      bytes.putInt(count + RESULTS, Math.max(0, bytes.getInt(count + RESULTS) + more));
    }
    for (int point = 0; point < POINTS; point++) {
      float score = bytes.getFloat(count + POINT_SCORE + 4 * point);
      int above = (to >= score ? 1 : 0) - (from >= score ? 1 : 0);
      if (above != 0 && score > 0) {
        float rank = bytes.getFloat(count + POINT_RANK + 4 * point);
        bytes.putFloat(count + POINT_RANK + 4 * point, rank + above);
        moved = true;
      }
    }
    if (to > 0 && to < bytes.getFloat(count + LEAST)) {
      bytes.putFloat(count + LEAST, to);
      moved = true;
    }
    return moved;
  }

  /** Moves a score among the best; returns whether one of the first is another. */
  private boolean moveBest(int count, int function, float from, float to) {
    float floor = bytes.getFloat(count + FLOOR);
    int first = from > 0 && from >= floor ? removeBest(function, floor, from) : KnotSample.BEST;
    if (to > 0 && to >= floor) {
      first = Math.min(first, addBest(count, function, floor, to));
    }
    int results = bytes.getInt(count + RESULTS);
    int kept = Math.min(kept(function), results);
    putKept(function, kept, Math.min(tied(function), results - kept));
    noteWhetherAllAreKept(count, function);
    return first < KNOWN;
  }

  /** Takes a score out of the best; returns the first place where there is another one now. */
  private int removeBest(int function, float floor, float score) {
    int kept = kept(function);
    int place = find(function, kept, score);
    if (place < 0) {
      return KnotSample.BEST;
    }
    int tied = tied(function);
    boolean same = tied > 0 && best(function, place) == floor;
    for (int i = place; i < kept - 1; i++) {
      putBest(function, i, best(function, i + 1));
    }
    if (tied > 0) {
      putBest(function, kept - 1, floor);
      putKept(function, kept, tied - 1);
    } else {
      putKept(function, kept - 1, 0);
    }
    return same ? KnotSample.BEST : place;
  }

  /** Puts a score, the floor or more, among the best; returns its place. */
  private int addBest(int count, int function, float floor, float score) {
    int kept = kept(function);
    int place = kept;
    while (place > 0 && best(function, place - 1) < score) {
      place--;
    }
    boolean full = kept == KnotSample.BEST;
    float out = full ? Math.min(score, best(function, kept - 1)) : 0;
    kept = full ? kept : kept + 1;
    for (int i = kept - 1; i > place; i--) {
      putBest(function, i, best(function, i - 1));
    }
    if (place < kept) {
      putBest(function, place, score);
    }
    int tied = tied(function);
    if (full) {
      float last = best(function, kept - 1);
      tied = last > floor ? 0 : tied;
      tied = out == last ? Math.min(MOST_TIED, tied + 1) : tied;
      bytes.putFloat(count + FLOOR, last);
    }
    putKept(function, kept, tied);
    return place;
  }

  /** The place of a score among the best, or of the one next to it that was rounded otherwise. */
  private int find(int function, int kept, float score) {
    int place = 0;
    while (place < kept && best(function, place) > score) {
      place++;
    }
    if (place < kept && best(function, place) * NEXT_CODE >= score) {
      return place;
    }
    return place > 0 && best(function, place - 1) <= score * NEXT_CODE ? place - 1 : -1;
  }

  /** When all results are kept there is no floor, and the least score is the last one. */
  private void noteWhetherAllAreKept(int count, int function) {
    int kept = kept(function);
    if (kept == bytes.getInt(count + RESULTS)) {
      bytes.putFloat(count + LEAST, kept == 0 ? 0 : best(function, kept - 1));
      bytes.putFloat(count + FLOOR, 0);
    }
  }

  /**
   * Whether a query's first scores, {@value RankTable#KNOWN} or all, are exact: not when more of
   * them left than came, and the last of them are read off the curve.
   */
  public boolean knowsFirst(int query) {
    int results = bytes.getInt(count(query) + RESULTS);
    return kept(function(query)) >= Math.min(KNOWN, results);
  }

  @Override
  public int size() {
    return queries;
  }

  @Override
  public int results(int query) {
    return bytes.getInt(function(query));
  }

  @Override
  public float knotScore(int query, int knot) {
    int at = function(query) + KNOT + KnotCode.part(knot) * Long.BYTES;
    return KnotCode.unpack(bytes.getLong(at), knot);
  }

  @Override
  public float pointScore(int query, int point) {
    return bytes.getFloat(count(query) + POINT_SCORE + 4 * point);
  }

  /** Points keep their scores, and move to other ranks; as last renewed. */
  @Override
  public double pointRank(int query, int point) {
    return bytes.getFloat(function(query) + RENEWED_POINT_RANK + 4 * point);
  }

  /** The score at a knot as it is now. */
  private float score(int query, int knot) {
    int count = count(query);
    int function = function(query);
    int results = bytes.getInt(count + RESULTS);
    float least = bytes.getFloat(count + LEAST);
    if (results == 0) {
      return 0;
    }
    if (knot == KNOTS - 1) {
      return least;
    }
    int kept = kept(function);
    int place = Math.min(Math.min(kept, KNOWN) - 1, knot);
    float most = place < 0 ? Float.MAX_VALUE : best(function, place);
    float score = scoreAt(count, function, KnotRanks.rank(results, knot));
    return Math.max(least, Math.min(most, score));
  }

  private float scoreAt(int count, int function, double rank) {
    int kept = kept(function);
    if (rank > kept) {
      return onCurve(count, function, rank);
    }
    int whole = (int) rank;
    float above = best(function, whole - 1);
    return whole == rank
        ? above
        : (float) between(rank, whole, above, whole + 1.0, best(function, whole));
  }

  /** The score at a rank beyond the scores that are kept. */
  private float onCurve(int count, int function, double rank) {
    int kept = kept(function);
    double floor = bytes.getFloat(count + FLOOR);
    double above = floor;
    boolean atFloor = kept > 0 && best(function, kept - 1) == floor;
    double rankAbove = atFloor ? (double) kept + tied(function) : kept + 1.0;
    for (int point = 0; point < POINTS; point++) {
      double rankOfPoint = bytes.getFloat(count + POINT_RANK + 4 * point);
      double score = bytes.getFloat(count + POINT_SCORE + 4 * point);
      if (rankOfPoint > rankAbove && score <= above && score > 0) {
        if ((float) rank == (float) rankOfPoint) {
          return (float) score;
        }
        if (rank < rankOfPoint) {
          return (float) between(rank, rankAbove, above, rankOfPoint, score);
        }
        rankAbove = rankOfPoint;
        above = score;
      }
    }
    double least = bytes.getFloat(count + LEAST);
    double last = Math.max(rankAbove, bytes.getInt(count + RESULTS));
    return (float) between(rank, rankAbove, Math.max(above, least), last, least);
  }

  /** Linear in (ln rank, ln score) between two ranks. */
  private static double between(
      double rank, double rankAbove, double above, double rankBelow, double below) {
    if (above == below || rank <= rankAbove || rankBelow <= rankAbove) {
      return above;
    }
    double share = Math.log(rank / rankAbove) / Math.log(rankBelow / rankAbove);
    return share >= 1 ? below : above * Math.pow(below / above, share);
  }

  private int kept(int function) {
    return bytes.getInt(function + KEPT) & (1 << KEPT_BITS) - 1;
  }

  /**
   * How many results have the score of the floor, and so of the last one kept, beyond those kept.
   */
  private int tied(int function) {
    return bytes.getInt(function + KEPT) >>> KEPT_BITS;
  }

  private void putKept(int function, int kept, int tied) {
    bytes.putInt(function + KEPT, tied << KEPT_BITS | kept);
  }

  private float best(int function, int place) {
    return bytes.getFloat(function + FIRST + Float.BYTES * place);
  }

  private void putBest(int function, int place, float score) {
    bytes.putFloat(function + FIRST + Float.BYTES * place, score);
  }
}
