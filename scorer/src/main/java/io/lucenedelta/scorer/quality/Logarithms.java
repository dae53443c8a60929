// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * Natural logarithm and exponential by table and a short polynomial: for the one place that needs
 * several of each a shift.
 *
 * <p>Relative error below 1e-14 for exponentials of -100 to 100, absolute error below 1e-15·(1 +
 * |ln x|) for logarithms; two tables of 8 KB. A few times faster than {@link Math}, which rounds
 * better than we need.
 */
final class Logarithms {
  private static final int BITS = 9;
  private static final int SIZE = 1 << BITS;
  private static final int MASK = SIZE - 1;
  private static final double LN_2 = Math.log(2);

  /** By leading mantissa bits: 1/c and ln c, c being the middle of the interval. */
  private static final double[] INVERSE_AND_LN = new double[2 * SIZE];

  /** 2^(i/512). */
  private static final double[] POWER = new double[SIZE];

  private static final double STEPS = SIZE / LN_2;
  // ln 2 / 512 in two parts, the first with few enough bits to be multiplied exactly
  private static final double STEP_HIGH =
      Double.longBitsToDouble(Double.doubleToRawLongBits(LN_2 / SIZE) & -1L << 26);
  private static final double STEP_LOW = LN_2 / SIZE - STEP_HIGH;

  /** Adding and taking away this rounds to a whole number. */
  private static final double ROUND = 0x1.8p52;

  static {
    for (int i = 0; i < SIZE; i++) {
      double middle = 1 + (i + 0.5) / SIZE;
      INVERSE_AND_LN[2 * i] = 1 / middle;
      INVERSE_AND_LN[2 * i + 1] = Math.log(middle);
      POWER[i] = Math.pow(2, (double) i / SIZE);
    }
  }

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
    long step = Double.doubleToRawLongBits(rounded) << 13 >> 13; // the whole number, signed
    double whole = rounded - ROUND;
    double r = (x - whole * STEP_HIGH) - whole * STEP_LOW;
    double tail = r + r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24)));
    double power = POWER[(int) step & MASK];
    long scaled = Double.doubleToRawLongBits(power + power * tail) + (step >> BITS << 52);
    return Double.longBitsToDouble(scaled);
  }
}
