// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.RankTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * Rank functions outside the heap, 20 bytes a query:
 *
 * <pre>
 * query → results (int32), six scores as {@link KnotCode} packs them (int64) ^ 2
 * </pre>
 *
 * Written by one thread, then handed over and only read.
 */
final class OffHeapRankTable implements RankTable {
  private final ByteBuffer bytes;

  OffHeapRankTable(int queries) {
    bytes =
        ByteBuffer.allocateDirect(Math.multiplyExact(queries, BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
  }

  void put(int query, KnotSample sample) {
    bytes.putInt(query * BYTES, sample.results());
    for (int half = 0; half < 2; half++) {
      bytes.putLong(offset(query, half), KnotCode.pack(sample, half));
    }
  }

  @Override
  public int size() {
    return bytes.capacity() / BYTES;
  }

  @Override
  public int results(int query) {
    return bytes.getInt(query * BYTES);
  }

  @Override
  public float knotScore(int query, int knot) {
    return KnotCode.unpack(bytes.getLong(offset(query, KnotCode.half(knot))), knot);
  }

  private static int offset(int query, int half) {
    return query * BYTES + Integer.BYTES + half * Long.BYTES;
  }

  /** Bytes that a table of some queries takes. */
  static long sizeInBytes(int queries) {
    return (long) queries * BYTES;
  }

  void write(DataOutput out) throws IOException {
    byte[] copy = new byte[bytes.capacity()];
    bytes.get(0, copy);
    out.writeBytes(copy, copy.length);
  }

  static OffHeapRankTable read(DataInput in, int queries) throws IOException {
    OffHeapRankTable table = new OffHeapRankTable(queries);
    byte[] copy = new byte[table.bytes.capacity()];
    in.readBytes(copy, 0, copy.length);
    table.bytes.put(0, copy);
    return table;
  }
}
