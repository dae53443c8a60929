// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * The queries that counted most in one refresh; reusable, for one thread.
 *
 * <pre>
 * details → workload (int64), shown, (query, score before, score after, rank before, rank after,
 *            own part, others' part) ^ shown, further
 * </pre>
 *
 * Counts and query numbers are variable-length, the rest 32-bit floats; parts are per query asked
 * once. What the further queries added is the refresh's ΔQ_A less what is shown.
 */
final class RefreshDetails {
  static final int SHOWN = 10;

  /** Where the numbers of a query stand in {@link #numbers}, and in the file. */
  static final int SCORE_BEFORE = 0;

  static final int SCORE_AFTER = 1;
  static final int RANK_BEFORE = 2;
  static final int RANK_AFTER = 3;
  static final int OWN_PART = 4;
  static final int OTHERS_PART = 5;
  private static final int NUMBERS = 6;

  /** What {@link #write} takes at most. */
  static final int MOST_BYTES = 8 + 1 + SHOWN * (5 + NUMBERS * Float.BYTES) + 5;

  long workload;
  int shown;
  final int[] query = new int[SHOWN];
  final float[][] numbers = new float[SHOWN][NUMBERS]; // by place among the queries shown
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

  /**
   * Where those end that begin at a place.
   *
   * @throws CorruptIndexException if they show more queries than there can be
   */
  static int end(byte[] bytes, int begin) throws IOException {
    int at = begin + Long.BYTES;
    int shown = bytes[at++]; // few enough for a byte
    if (shown < 0 || shown > SHOWN) {
      throw new CorruptIndexException(
          "queries of a refresh, of which 0 to %d are shown, begin with %d: the file is damaged"
              .formatted(SHOWN, shown),
          "refresh");
    }
    for (int i = 0; i < shown; i++) {
      at = StoredRefresh.endOfNumber(bytes, at) + NUMBERS * Float.BYTES;
    }
    return StoredRefresh.endOfNumber(bytes, at);
  }
}
