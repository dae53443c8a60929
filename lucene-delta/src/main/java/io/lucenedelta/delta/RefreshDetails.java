// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * The queries that counted most in one refresh; reusable, for one thread.
 *
 * <pre>
 * details → workload (int64), shown, (query, s1, s2, r1, r2, own, others) ^ shown, further
 * </pre>
 *
 * Counts and query numbers are variable-length, the rest 32-bit floats; parts are per query asked
 * once. What the further queries added is the refresh's ΔQ_A less what is shown.
 */
final class RefreshDetails {
  static final int SHOWN = 10;

  private static final int NUMBERS = 6; // kept for each query

  /** What {@link #write} takes at most. */
  static final int MOST_BYTES = 8 + 1 + SHOWN * (5 + NUMBERS * Float.BYTES) + 5;

  long workload;
  int shown;
  final int[] query = new int[SHOWN];
  final float[][] numbers = new float[SHOWN][NUMBERS];
  int further;

  void clear(long workloadId) {
    workload = workloadId;
    shown = 0;
    further = 0;
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(workload);
    out.writeVInt(shown);
    for (int i = 0; i < shown; i++) {
      out.writeVInt(query[i]);
      for (float number : numbers[i]) {
        out.writeInt(Float.floatToRawIntBits(number));
      }
    }
    out.writeVInt(further);
  }

  void read(DataInput in) throws IOException {
    workload = in.readLong();
    shown = in.readVInt();
    for (int i = 0; i < shown; i++) {
      query[i] = in.readVInt();
      for (int n = 0; n < numbers[i].length; n++) {
        numbers[i][n] = Float.intBitsToFloat(in.readInt());
      }
    }
    further = in.readVInt();
  }
}
