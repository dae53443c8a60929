// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Arrays;

/**
 * Brings the largest values of an array to its front, in order, without sorting all of it.
 *
 * <p>A pivot from a sample, a little beyond the last wanted value (the idea of Floyd and Rivest,
 * 1975), leaves hardly more than the wanted ones, which are then sorted. The pass over all values
 * has no branch that hangs on them: scores of a real result come in no order, and a processor that
 * guesses wrong every other time takes longer than one that moves everything.
 */
final class Selection {
  /** Ranges of at most this length are sorted. */
  private static final int SHORT = 96;

  private static final int SAMPLE = 32;

  private Selection() {}

  /**
   * Reorders {@code values[0..length)} so that its {@code k} largest values, or some more, stand in
   * front in ascending order.
   *
   * @param k from 1 to {@code length}
   * @return how many do, {@code k} or more
   */
  static int largestFirst(float[] values, int length, int k) {
    int found = 0;
    while (found < k && length - found > SHORT) {
      float pivot = pivot(values, found, length, k - found);
      int place = found;
      for (int i = found; i < length; i++) {
        float value = values[i];
        values[i] = values[place];
        values[place] = value;
        place += value >= pivot ? 1 : 0;
      }
      found = place;
    }
    int end = found < k ? length : found;
    Arrays.sort(values, 0, end);
    return end;
  }

  /** One of the values: with luck the k-th largest from {@code from} on, or a little less. */
  private static float pivot(float[] values, int from, int length, int k) {
    int rest = length - from;
    float[] sample = new float[SAMPLE];
    for (int i = 0; i < SAMPLE; i++) {
      sample[i] = values[from + (int) ((long) i * rest / SAMPLE)];
    }
    Arrays.sort(sample);
    double expected = (double) k / rest * SAMPLE;
    int beyond = (int) (expected + 1 + Math.sqrt(expected));
    return sample[SAMPLE - 1 - Math.min(SAMPLE - 1, beyond)];
  }
}
