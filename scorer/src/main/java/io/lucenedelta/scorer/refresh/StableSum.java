// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A sum that does not show the order of its addends.
 *
 * <p>Strategies must not depend on the order in which pages are handed out, and floating-point sums
 * do. This one carries the rounding errors along (Neumaier's variant of Kahan summation) and hands
 * out the result rounded to the digits of a {@code float}, far above the error that is left. Not
 * safe for use by several threads.
 */
final class StableSum {
  private double sum;
  private double lost;
  private long count;

  /** Adds a number. */
  void add(double addend) {
    double next = sum + addend;
    lost += Math.abs(sum) >= Math.abs(addend) ? (sum - next) + addend : (addend - next) + sum;
    sum = next;
    count++;
  }

  /** Adds a number and counts it once, or with a sign of −1 takes away one that was added. */
  void add(double addend, int sign) {
    add(sign * addend);
    count += sign - 1;
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

  /** The same, independent of this one. */
  StableSum copy() {
    StableSum copy = new StableSum();
    copy.sum = sum;
    copy.lost = lost;
    copy.count = count;
    return copy;
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
