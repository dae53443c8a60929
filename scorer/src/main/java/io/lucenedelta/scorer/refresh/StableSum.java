// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A sum that does not show the order of its addends.
 *
 * <p>Strategies must not depend on the order in which pages are handed out, and floating-point sums
 * do. This one carries the rounding errors along (Kahan and Babuška's summation, with Knuth's exact
 * error of a sum of two) and hands out the result rounded to the digits of a {@code float}, far
 * above the error that is left. Not safe for use by several threads.
 */
final class StableSum {
  private double sum;
  private double lost;
  private long count;

  /** Adds a number. */
  void add(double addend) {
    double next = sum + addend;
    lost += lost(sum, addend, next);
    sum = next;
    count++;
  }

  /**
   * Puts one number in the place of another that was added.
   *
   * @param more how many are counted more than before: 1 if {@code before} was not added, and is
   *     then 0; −1 if {@code after} is not, and is then 0
   */
  void replace(double before, double after, int more) {
    double difference = after - before;
    double next = sum + difference;
    lost += lost(sum, difference, next) + lost(after, -before, difference);
    sum = next;
    count += more;
  }

  /** What rounding took from a sum of two, exactly; which of them is larger does not matter. */
  static double lost(double one, double other, double sum) {
    double rest = sum - one;
    return (one - (sum - rest)) + (other - rest);
  }

  /**
   * Adds to a sum in an array, where many are kept.
   *
   * @param at where the sum lies; what rounding took lies behind it
   * @param lostBefore what rounding took from the addend
   */
  static void add(double[] sums, int at, double addend, double lostBefore) {
    double sum = sums[at];
    double next = sum + addend;
    sums[at + 1] += lost(sum, addend, next) + lostBefore;
    sums[at] = next;
  }

  /** The {@link #value} of a sum in an array. */
  static double value(double[] sums, int at) {
    return rounded(sums[at] + sums[at + 1]);
  }

  /** The {@link #valueWithout value} of a sum in an array as if a number had not been added. */
  static double valueWithout(double[] sums, int at, double addend) {
    return rounded((sums[at] - addend) + sums[at + 1]);
  }

  /** Writes sum, error and count. */
  void write(DataOutput out) throws IOException {
    out.writeDouble(sum);
    out.writeDouble(lost);
    out.writeLong(count);
  }

  /** Goes on with what was written. */
  void read(DataInput in) throws IOException {
    sum = in.readDouble();
    lost = in.readDouble();
    count = in.readLong();
  }

  /** Whether all addends were finite, and their sum. */
  boolean isFinite() {
    return Double.isFinite(sum + lost);
  }

  /** Forgets all addends. */
  void clear() {
    sum = 0;
    lost = 0;
    count = 0;
  }

  /** The sum, to seven digits. */
  double value() {
    return rounded(sum + lost);
  }

  /** The sum as if one of the numbers had not been added. */
  double valueWithout(double addend) {
    return rounded((sum - addend) + lost);
  }

  /** The mean, to seven digits; 0 of nothing. */
  double mean() {
    return count == 0 ? 0 : rounded((sum + lost) / count);
  }

  /** The mean as if one of the numbers had not been added. */
  double meanWithout(double addend) {
    return count <= 1 ? 0 : rounded(((sum - addend) + lost) / (count - 1));
  }

  /** To the digits of a {@code float}, also where its range ends. */
  private static double rounded(double exact) {
    float near = (float) exact;
    if (Math.abs(near) >= Float.MIN_NORMAL && Math.abs(near) <= Float.MAX_VALUE) {
      return near;
    }
    int exponent = Math.getExponent(exact);
    return Math.scalb((double) (float) Math.scalb(exact, -exponent), exponent);
  }
}
