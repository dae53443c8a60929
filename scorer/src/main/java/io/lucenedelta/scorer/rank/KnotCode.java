// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

/**
 * The knot scores of a query, three a long.
 *
 * <pre>
 * long 0: knot 0 (bits 42-62) | knot 1 (21-41) | knot 2 (0-20)
 * long 1: knot 3              | knot 4         | knot 5
 * …
 * </pre>
 *
 * A code is the upper 21 bits of a float without its sign: 8 bits of exponent, 13 of mantissa, so
 * that a coded score is off by 2^-14 of itself (0.006 %) at most. Codes keep the order of scores.
 */
public final class KnotCode {
  /** Bits of a float's mantissa that a code keeps. */
  public static final int MANTISSA_BITS = 13;

  private static final int DROPPED = Float.PRECISION - 1 - MANTISSA_BITS;
  private static final int BITS = 8 + MANTISSA_BITS; // exponent and mantissa
  private static final int MASK = (1 << BITS) - 1;
  private static final int LARGEST = Float.floatToIntBits(Float.MAX_VALUE) >>> DROPPED;

  /** Knots a long holds. */
  private static final int PER_LONG = 3;

  /** Longs a query takes. */
  public static final int LONGS = RankTable.KNOTS / PER_LONG;

  private KnotCode() {}

  /** The nearest score that has a code, for a score that is not negative. */
  public static float round(float score) {
    return decode(encode(score));
  }

  /**
   * The bits of a score that is not negative, {@linkplain #round rounded}, in the order of scores.
   * Scores below 2^-140 may become 0.
   */
  public static int roundedBits(float score) {
    return (Float.floatToRawIntBits(score) + (1 << (DROPPED - 1))) & -(1 << DROPPED);
  }

  /** Rounds, but never a positive score to 0 nor a finite one to infinity. */
  private static int encode(float score) {
    int code = (Float.floatToRawIntBits(score) + (1 << (DROPPED - 1))) >>> DROPPED;
    return Integer.compareUnsigned(code - 1, LARGEST) < 0 ? code : encodeEdge(score, code);
  }

  private static int encodeEdge(float score, int code) {
    return score > 0 ? Math.max(1, Math.min(code, LARGEST)) : code;
  }

  private static float decode(int code) {
    return Float.intBitsToFloat(code << DROPPED);
  }

  /** One of the longs of a sample, {@code 0 <= part < LONGS}. */
  static long pack(KnotSample sample, int part) {
    int knot = part * PER_LONG;
    return pack(sample.score(knot), sample.score(knot + 1), sample.score(knot + 2));
  }

  /** The long that holds three scores. */
  static long pack(float first, float second, float third) {
    return ((long) encode(first) << BITS | encode(second)) << BITS | encode(third);
  }

  /** The score at a knot, {@code 0 <= knot < RankTable.KNOTS}, from the long that holds it. */
  static float unpack(long packed, int knot) {
    int shift = (PER_LONG - 1 - knot % PER_LONG) * BITS;
    return decode((int) (packed >>> shift) & MASK);
  }

  /** Which of the longs holds a knot. */
  static int part(int knot) {
    return knot / PER_LONG;
  }
}
