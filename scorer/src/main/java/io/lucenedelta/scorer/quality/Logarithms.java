// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;

/**
 * Logarithms, exponentials and powers by table and a short polynomial, since a shift takes several
 * of each. A few times faster than {@link Math}, which rounds better than we need.
 *
 * <p>Relative error below 1e-14 for exponentials of -100 to 100 and powers of 2, absolute error
 * below 1e-15·(1 + |ln x|) for logarithms. Coded scores have few mantissas: a table of 64 KB has
 * the logarithms of all.
 */
final class Logarithms {
  private static final int BITS = 9;
  private static final int SIZE = 1 << BITS;
  private static final int MASK = SIZE - 1;
  private static final double LN_2 = Math.log(2);

  /** By leading mantissa bits: 1/c and ln c, c being the middle of the interval. */
  private static final double[] INVERSE_AND_LN = new double[2 * SIZE];

  /** The bits of 2^(i/512), to which a whole exponent can be added. */
  private static final long[] POWER = new long[SIZE];

  private static final int KEPT = KnotCode.MANTISSA_BITS;
  private static final int KEPT_MASK = (1 << KEPT) - 1;

  /** By the mantissa of a coded score: its logarithm. */
  private static final double[] LN_CODED = new double[1 << KEPT];

  /** By sign and exponent of a number: the logarithm of that power of 2. */
  private static final double[] LN_POWER = new double[1 << 12];

  private static final int ROUGH_BITS = 8;
  private static final int ROUGH = 1 << ROUGH_BITS;
  private static final int FLOAT_BITS = Float.PRECISION - 1; // bits of a float's mantissa

  /** By leading mantissa bits of a float: base 2 logarithm and its rise by bit, exponent apart. */
  private static final float[] ROUGH_LOG2 = new float[2 * ROUGH];

  /** The bits of 2^(i/256) as a float, to which a whole exponent can be added. */
  private static final int[] ROUGH_POWER = new int[ROUGH];

  private static final double STEPS = SIZE / LN_2;
  // ln 2 / 512 in two parts, the first with few enough bits to be multiplied exactly
  private static final double STEP_HIGH =
      Double.longBitsToDouble(Double.doubleToRawLongBits(LN_2 / SIZE) & -1L << 26);
  private static final double STEP_LOW = LN_2 / SIZE - STEP_HIGH;

  /** Adding and taking away this rounds to a whole number. */
  private static final double ROUND = 0x1.8p52;

  /** As this to a multiple of 1/512. */
  private static final double ROUND_TO_STEP = ROUND / SIZE;

  static {
    for (int i = 0; i < SIZE; i++) {
      double middle = 1 + (i + 0.5) / SIZE;
      INVERSE_AND_LN[2 * i] = 1 / middle;
      INVERSE_AND_LN[2 * i + 1] = Math.log(middle);
      POWER[i] = Double.doubleToRawLongBits(Math.pow(2, (double) i / SIZE));
    }
    for (int i = 0; i < LN_CODED.length; i++) {
      LN_CODED[i] = Math.log(1 + (double) i / LN_CODED.length);
    }
    for (int i = 0; i < ROUGH; i++) {
      double log = Math.log(1 + (double) i / ROUGH) / LN_2;
      double rise = Math.log(1 + (i + 1.0) / ROUGH) / LN_2 - log;
      ROUGH_LOG2[2 * i] = (float) (log - Float.MAX_EXPONENT);
      ROUGH_LOG2[2 * i + 1] = (float) (rise / (1 << (FLOAT_BITS - ROUGH_BITS)));
      ROUGH_POWER[i] = Float.floatToRawIntBits((float) Math.pow(2, (double) i / ROUGH));
    }
    for (int i = 0; i < LN_POWER.length; i++) {
      LN_POWER[i] = (i - Double.MAX_EXPONENT) * LN_2;
    }
  }

  /** How large p·x may be for {@link #powerNearOne}. */
  static final double SMALL = 0.1;

  private Logarithms() {}

  /** ln x of a positive normal number. */
  static double ln(double x) {
    long bits = Double.doubleToRawLongBits(x);
    int entry = (int) (bits >>> (52 - BITS)) & MASK;
    double mantissa = Double.longBitsToDouble((bits & 0xFFFFFFFFFFFFFL) | 0x3FF0000000000000L);
    double r = mantissa * INVERSE_AND_LN[2 * entry] - 1;
    double tail = r - r * r * (0.5 - r * (1.0 / 3 - r * 0.25));
    return ((bits >>> 52) - 1023) * LN_2 + (INVERSE_AND_LN[2 * entry + 1] + tail);
  }

  /** e^x for x from -700 to 700. */
  static double exp(double x) {
    double rounded = x * STEPS + ROUND;
    long step = Double.doubleToRawLongBits(rounded); // the whole number in the lower bits
    double whole = rounded - ROUND;
    double r = (x - whole * STEP_HIGH) - whole * STEP_LOW;
    double tail = r + r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24)));
    return power(step, tail);
  }

  /** ln x of a positive number that is {@link KnotCode#round rounded}. */
  static double ofCoded(double x) {
    long bits = Double.doubleToRawLongBits(x);
    return LN_POWER[(int) (bits >>> 52)] + LN_CODED[(int) (bits >>> (52 - KEPT)) & KEPT_MASK];
  }

  /** 2^x for x from -1000 to 1000. */
  static double powerOf2(double x) {
    double rounded = x + ROUND_TO_STEP;
    long step = Double.doubleToRawLongBits(rounded);
    double r = x - (rounded - ROUND_TO_STEP);
    double tail = r * LN_2 + r * r * (LN_2 * LN_2 / 2 + r * (LN_2 * LN_2 * LN_2 / 6));
    return power(step, tail);
  }

  /** 2^(step/512)·(1 + tail). */
  private static double power(long step, double tail) {
    double power = Double.longBitsToDouble(POWER[(int) step & MASK] + (step >> BITS << 52));
    return power + power * tail;
  }

  /**
   * (1 + x)^p for |x| up to 1/26 and |p·x| up to {@value #SMALL}, with a relative error below
   * 4e-12.
   *
   * <p>With z = x/(2 + x) this is ((1 + z)/(1 − z))^p, whose continued fraction 1 + 2pz/(1 − pz +
   * (p² − 1)z²/(3 + (p² − 4)z²/(5 + …))) ends early for so small a z.
   */
  static double powerNearOne(double x, double p) {
    double z = x / (2 + x);
    double square = z * z;
    double further = (p * p - 1) * square * (1.0 / 3 - (p * p - 4) * square * (1.0 / 45));
    return 1 + 2 * p * z / (1 - p * z + further);
  }

  /** log2 x of a positive normal float, to 2e-5. */
  static float roughLog2(float x) {
    int bits = Float.floatToRawIntBits(x);
    int step = (bits >>> (FLOAT_BITS - ROUGH_BITS)) & (ROUGH - 1);
    int rest = bits & ((1 << (FLOAT_BITS - ROUGH_BITS)) - 1);
    return (bits >>> FLOAT_BITS) + (ROUGH_LOG2[2 * step] + rest * ROUGH_LOG2[2 * step + 1]);
  }

  /** 2^x for x from -126 to 127, to 0.2 %. */
  static float roughPowerOf2(float x) {
    int steps = (int) (x * ROUGH + (ROUGH * ROUGH + 0.5f)) - ROUGH * ROUGH;
    return Float.intBitsToFloat(
        ROUGH_POWER[steps & (ROUGH - 1)] + (steps >> ROUGH_BITS << FLOAT_BITS));
  }
}
