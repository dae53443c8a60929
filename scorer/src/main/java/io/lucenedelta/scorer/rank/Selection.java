// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

/** Hoare's selection: puts the k-th largest of an unsorted range in its place without sorting. */
final class Selection {
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
      float pivot = medianOfThree(values[low], values[(low + high) >>> 1], values[high]);
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

  private static float medianOfThree(float a, float b, float c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
