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
 * Rank functions outside the heap, {@value RankTable#BYTES} bytes a query:
 *
 * <pre>
 * query → results (int32), scores as {@link KnotCode} packs them (int64) ^ {@value KnotCode#LONGS}
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
    for (int part = 0; part < KnotCode.LONGS; part++) {
      bytes.putLong(offset(query, part), KnotCode.pack(sample, part));
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
    return KnotCode.unpack(bytes.getLong(offset(query, KnotCode.part(knot))), knot);
  }

  private static int offset(int query, int part) {
    return query * BYTES + Integer.BYTES + part * Long.BYTES;
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
