// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.util.ArrayUtil;

/** Scores of one result, in any order; reusable. */
final class ScoreList {
  private float[] values = new float[1024];
  private int length;

  void clear() {
    length = 0;
  }

  void add(float score) {
    int place = grow(1); // may replace the array
    values[place] = score;
  }

  /** Makes the list longer and returns where the new scores begin, which the caller sets. */
  int grow(int more) {
    int from = length;
    length += more;
    if (length > values.length) {
      values = ArrayUtil.grow(values, length);
    }
    return from;
  }

  /** Takes what is infinite for the largest number there is: rank functions know no other. */
  void makeFinite() {
    for (int i = 0; i < length; i++) {
      values[i] = Math.min(values[i], Float.MAX_VALUE);
    }
  }

  /** The scores; only the first {@link #length} mean something. */
  float[] values() {
    return values;
  }

  int length() {
    return length;
  }
}
