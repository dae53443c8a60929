// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Arrays;

/**
 * Hoare's selection: puts the k-th largest of an unsorted range in its place without sorting.
 *
 * <p>The pivot of a long range comes from a sample, a little beyond the wanted element (the idea of
 * Floyd and Rivest, 1975). For an element near the front, nearly all comparisons of a pass then
 * turn out the same way, which is what processors are fast at, and nearly all elements are done
 * with.
 */
final class Selection {
  private static final int SAMPLE = 128;
  private static final int LONG_RANGE = 8 * SAMPLE;

  private Selection() {}

  /**
   * Reorders {@code values[from..to)} so that the element at index {@code k} is the one a
   * descending sort would put there, with none smaller before it and none larger behind it. Linear
   * on average; many equal values are no bad case.
   */
  static void descending(float[] values, int from, int to, int k) {
    int low = from;
    int high = to - 1;
    while (low < high) {
      float pivot = pivot(values, low, high, k);
      int left = low;
      int right = high;
      while (left <= right) {
        while (values[left] > pivot) {
          left++;
        }
        while (values[right] < pivot) {
          right--;
        }
        if (left <= right) {
          float swapped = values[left];
          values[left++] = values[right];
          values[right--] = swapped;
        }
      }
      if (k <= right) {
        high = right;
      } else if (k >= left) {
        low = left;
      } else {
        return;
      }
    }
  }

  private static float pivot(float[] values, int low, int high, int k) {
    int length = high - low + 1;
    if (length < LONG_RANGE) {
      return medianOfThree(values[low], values[(low + high) >>> 1], values[high]);
    }
    float[] sample = new float[SAMPLE];
    for (int i = 0; i < SAMPLE; i++) {
      sample[i] = values[low + (int) ((long) i * length / SAMPLE)];
    }
    Arrays.sort(sample);
    double expected = (double) (k - low) / length * SAMPLE;
    int beyond = (int) (expected + 1 + Math.sqrt(expected));
    return sample[SAMPLE - 1 - Math.min(SAMPLE - 1, beyond)];
  }

  private static float medianOfThree(float a, float b, float c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
