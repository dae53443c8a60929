// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * Measures, to a few per cent, shifts of pages that stand far down a long result before and after,
 * or outside: on the pieces of the curve beyond the first {@value #NEAREST} ranks. Most shifts of
 * real pages are such, and they are the least part of ΔQ_A: what users see happens further up.
 *
 * <p>On a piece where F⁻¹ falls as r^-β, I is a power of the score with the exponent γ = a/β, a
 * being the exponent of I by rank. The change made by a page that <em>stays</em> on a piece is the
 * integral of |s − s2|·dI between s1 and s2 (see {@link PassedPages}). It is taken at one point,
 * the centre of gravity c = (2·s1 + s2)/3 of |s − s2|: ½·(s2 − s1)²·γ·I(c)/c, and more by what the
 * curvature of I adds. What the page gets at a score s is I(c)·s·e^(γ·(s − c)/c), the exponential
 * by its eighth root. One point does not tell of pages whose score moves by two thirds, or so far
 * that views change by a factor of about e²: they are near. One that <em>leaves</em> changes
 * quality by T at its rank, the integral of |I′|·s from there to the end of the result (see {@link
 * RankRecords}), one that <em>enters</em> by I·s − T; on a piece T is a/(a + β)·I·s less a
 * constant. The half position by which a page ends beside its score's rank is left out.
 *
 * <pre>
 * record → scores where the first and the second piece begin and where that ends,
 *          how far is too far on each (16 bits), (log2 I at the score 1, γ) ^ pieces
 * tail   → (constant of T) ^ pieces, T from N to N + 1, unused
 * </pre>
 *
 * <p>Numbers are of four bytes, floats in records by their bits. A page that stays needs the 32
 * bytes of a record, where measuring exactly reads 248. The first piece begins where the second
 * does when it cannot be used, and at 0 when neither can. Pages are measured by loops over arrays,
 * without a branch that hangs on a shift.
 *
 * <p>Pieces lie between the {@linkplain RankTable#pointScore points} of the table and scores are
 * rounded as it does: a page that stays on a piece leaves rank functions that follow shifts as they
 * are.
 *
 * <p>A departure from the 2005 paper (section 5.1.2) beyond that of {@link PassedPages}; what it
 * costs and brings is in the project's decision on distant shifts. Safe for several threads, but
 * for {@link #renew}.
 */
final class DistantShifts {
  /** The first rank where a piece may begin. */
  static final int NEAREST = 25;

  private static final int PIECES = RankTable.POINTS; // two: a bit tells which a score is on

  private static final int BEGIN = 0;
  private static final int MIDDLE = 1;
  private static final int END = 2;
  private static final int FARS = 3;
  private static final int FIRST_PIECE = 4;
  private static final int LOG_VIEWS = 0; // places of numbers from where those of a piece begin
  private static final int GAMMA = 1;
  private static final int PIECE = 2;
  private static final int RECORD = FIRST_PIECE + PIECES * PIECE;
  private static final int BEYOND_LAST = PIECES;
  private static final int TAIL = 4;

  /** A piece is not used where views change faster by score: single precision does not tell how. */
  private static final double STEEPEST = 1 << 8;

  /** Nor where they are too few to be told in single precision. */
  private static final double LEAST_VIEWS = 0x1p-100;

  /** Nor where views, or what a page gets there, are so many that sums might not be finite. */
  private static final double MOST_VIEWS = 0x1p60;

  /** Scores are too far apart for one point when they are a factor of about 1.7 apart, in log2. */
  private static final double FAR_SCORES = 0.75;

  /**
   * So are scores at which views are, in natural logarithm, as bits of scores tell it: 1.4 to 2.9.
   */
  private static final double FAR_VIEWS = 2;

  /** Scores whose bits differ by so much are a factor of about 2 apart. */
  private static final double BITS_OF_A_DOUBLING = 1 << (Float.PRECISION - 1);

  /** What is too far has so many bits in a record, the lowest left out. */
  private static final int FAR_BITS = 16;

  private static final int FAR_MASK = (1 << FAR_BITS) - 1;
  private static final int FAR_LEFT_OUT = Float.PRECISION - 1 - FAR_BITS;

  /** A change is taken as this share of what the page gets at least: less is lost in rounding. */
  private static final float LEAST_CHANGE = 1e-3f;

  private static final double LN_2 = Math.log(2);

  private final RankTable table;
  private final PowerLawViews views;
  private final int[] values; // records
  private final float[] tails;

  DistantShifts(RankTable table, PowerLawViews views) {
    this.table = table;
    this.views = views;
    this.values = new int[Math.multiplyExact(table.size(), RECORD)];
    this.tails = new float[Math.multiplyExact(table.size(), TAIL)];
    for (int query = 0; query < table.size(); query++) {
      renew(query);
    }
  }

  /** Makes a query's record anew from the table. */
  void renew(int query) {
    int record = query * RECORD;
    set(record + BEGIN, 0);
    values[record + FARS] = 0;
    double results = table.results(query);
    if (results > NEAREST) {
      double last = table.knotScore(query, RankTable.KNOTS - 1);
      set(record + END, last);
      tails[query * TAIL + BEYOND_LAST] =
          (float) (last * (views.at(results) - views.at(results + 1)));
      preparePieces(query, record, results, last);
    }
  }

  /** From the last piece on, until one cannot be used. */
  private void preparePieces(int query, int record, double results, double last) {
    double rankOfEnd = results;
    double end = last;
    double tail = 0;
    for (int piece = PIECES - 1; piece >= 0; piece--) {
      double rank = table.pointRank(query, piece);
      double begin = table.pointScore(query, piece);
      double gamma = gamma(rank, begin, rankOfEnd, end);
      if (!(gamma <= STEEPEST)) {
        return;
      }
      double share = gamma / (gamma + 1); // a/(a + β)
      double constant = share * end * views.at(rankOfEnd) - tail;
      int at = record + FIRST_PIECE + piece * PIECE;
      set(at + LOG_VIEWS, (Math.log(views.at(rank)) - gamma * Math.log(begin)) / LN_2);
      set(at + GAMMA, gamma);
      tails[query * TAIL + piece] = (float) constant;
      set(record + BEGIN, begin);
      values[record + FARS] |= far(gamma) << (piece * FAR_BITS);
      if (piece == PIECES - 1) {
        set(record + MIDDLE, begin);
      }
      tail = share * begin * views.at(rank) - constant;
      rankOfEnd = rank;
      end = begin;
    }
  }

  /** γ of a piece between two ranks with their scores; no number if it cannot be used. */
  private double gamma(double rank, double begin, double rankOfEnd, double end) {
    boolean usable =
        rank >= NEAREST
            && rankOfEnd > rank
            && begin > end
            && end >= Float.MIN_NORMAL
            && views.at(rankOfEnd) >= LEAST_VIEWS
            && views.at(rank) * Math.max(1, begin) <= MOST_VIEWS;
    return usable
        ? Math.log(views.at(rank) / views.at(rankOfEnd)) / Math.log(begin / end)
        : Double.NaN;
  }

  /** From which difference in the bits of scores on they are too far apart, the lowest left out. */
  private static int far(double gamma) {
    double doublings = Math.min(FAR_SCORES, FAR_VIEWS / (gamma * LN_2));
    return (int) (doublings * BITS_OF_A_DOUBLING) >>> FAR_LEFT_OUT;
  }

  private void set(int at, double value) {
    values[at] = Float.floatToRawIntBits((float) value);
  }

  private float get(int at) {
    return Float.intBitsToFloat(values[at]);
  }

  /** Measures those of a page's shifts that are distant; the others are near. */
  void measure(PageShifts shifts) {
    int[] queries = shifts.queries();
    float[] scoresBefore = shifts.scoresBefore();
    float[] scoresAfter = shifts.scoresAfter();
    int[] near = shifts.near();
    int[] staying = shifts.staying();
    int[] moving = shifts.moving();
    int size = shifts.size();
    int distant = 0;
    int ends = 0;
    for (int shift = 0; shift < size; shift++) {
      int before = KnotCode.roundedBits(scoresBefore[shift]); // in the order of scores
      int after = KnotCode.roundedBits(scoresAfter[shift]);
      int record = queries[shift] * RECORD;
      int higher = Math.max(before, after);
      int lower = Math.min(before, after);
      // whether a score is 0: the page enters or leaves, and the other score is its lowest
      int isEnd = signBit(Math.min(bits(scoresBefore[shift]), bits(scoresAfter[shift])) - 1);
      int lowest = lower | (higher & -isEnd);
      int middle = values[record + MIDDLE];
      int second = signBit(lowest - middle);
      int far = (values[record + FARS] >>> (second * FAR_BITS)) & FAR_MASK;
      int isDistant =
          signBit(higher - values[record + BEGIN]) // below where pieces begin
              & signBit(values[record + END] - lowest) // above where they end
              & signBit(((higher - lowest) >>> FAR_LEFT_OUT) - far) // not too far apart
              & signBit(~((higher - middle) ^ (lowest - middle))); // on one piece
      near[shift - distant] = shift;
      staying[distant - ends] = shift;
      moving[ends] = shift;
      distant += isDistant;
      ends += isDistant & isEnd;
    }
    measureEnds(shifts, moving, ends);
    measureStays(shifts, staying, distant - ends);
    System.arraycopy(near, 0, moving, ends, size - distant);
    shifts.setNear(size - distant, size - distant + ends);
  }

  private void measureEnds(PageShifts shifts, int[] ending, int count) {
    float sum = 0;
    float entriesBefore = 0;
    float entriesAfter = 0;
    float[] changes = shifts.changes();
    for (int i = 0; i < count; i++) {
      int shift = ending[i];
      float before = shifts.before(shift);
      float score = before + shifts.after(shift);
      int query = shifts.query(shift);
      int record = query * RECORD;
      int second = signBit(KnotCode.roundedBits(score) - values[record + MIDDLE]);
      int piece = record + FIRST_PIECE + PIECE * second;
      float gamma = get(piece + GAMMA);
      float frequency = (float) shifts.frequency(shift);
      float entry = score * views(piece, score);
      float behind = entry * gamma / (gamma + 1) - tails[query * TAIL + second];
      float least = entry * LEAST_CHANGE;
      boolean enters = before == 0;
      float change = enters ? entry - behind - tails[query * TAIL + BEYOND_LAST] : behind;
      float weighed = frequency * Math.max(least, change);
      changes[shift] = weighed;
      sum += weighed;
      entriesBefore += enters ? 0 : frequency * entry;
      entriesAfter += enters ? frequency * entry : 0;
    }
    shifts.measured(sum, entriesBefore, entriesAfter);
  }

  private void measureStays(PageShifts shifts, int[] staying, int count) {
    float sum = 0;
    float entriesBefore = 0;
    float entriesAfter = 0;
    float[] changes = shifts.changes();
    for (int i = 0; i < count; i++) {
      int shift = staying[i];
      float before = shifts.before(shift);
      float after = shifts.after(shift);
      int record = shifts.query(shift) * RECORD;
      float frequency = (float) shifts.frequency(shift);
      float centre = before + (after - before) * (1 / 3f); // finite, as the scores are
      int second = signBit(KnotCode.roundedBits(before) - values[record + MIDDLE]);
      int piece = record + FIRST_PIECE + PIECE * second;
      float gamma = get(piece + GAMMA);
      float entry = frequency * (centre * views(piece, centre)); // finite, see MOST_VIEWS
      float moved = (after - before) / centre;
      float square = moved * moved;
      float curvature = (gamma - 1) * (gamma - 2) * (1 / 36f);
      float change = 0.5f * entry * gamma * square * (1 + curvature * square);
      changes[shift] = change;
      sum += change;
      // s1 and s2 lie a third and two thirds of the way from c
      float third = moved * (1 / 3f);
      float exponent = gamma * moved * (1 / 24f);
      entriesBefore += entry * (1 - third) * eighthPower(1 - exponent);
      entriesAfter += entry * (1 + 2 * third) * eighthPower(1 + 2 * exponent);
    }
    shifts.measured(sum, entriesBefore, entriesAfter);
  }

  /** The bits of a score, not rounded: one that rounding makes 0 is in the result, and near. */
  private static int bits(float score) {
    return Float.floatToRawIntBits(score);
  }

  /** 1 for a number below 0, else 0. */
  private static int signBit(int number) {
    return number >>> (Integer.SIZE - 1);
  }

  /** I at a score on a piece. */
  private float views(int piece, float score) {
    return Logarithms.roughPowerOf2(
        get(piece + LOG_VIEWS) + get(piece + GAMMA) * Logarithms.roughLog2(score));
  }

  private static float eighthPower(float x) {
    float fourth = x * x * x * x;
    return fourth * fourth;
  }
}
