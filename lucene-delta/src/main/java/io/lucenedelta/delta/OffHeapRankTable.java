// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.rank.FollowedRanks;
import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.RankTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * Rank functions outside the heap, {@value FollowedRanks#BYTES} bytes a query, that follow what
 * pages do: {@link FollowedRanks} in a buffer that is written to a file as it is.
 */
final class OffHeapRankTable implements RankTable {
  /** Queries that a table can hold: a buffer has no more bytes. */
  static final int MOST = Integer.MAX_VALUE / FollowedRanks.BYTES;

  private static final int PART = 1 << 16; // bytes of the file at a time

  private final ByteBuffer bytes;
  private final FollowedRanks ranks;

  OffHeapRankTable(int queries) {
    bytes = ByteBuffer.allocateDirect(Math.multiplyExact(queries, FollowedRanks.BYTES));
    ranks = new FollowedRanks(bytes);
  }

  void put(int query, KnotSample sample) {
    ranks.put(query, sample);
  }

  /** See {@link FollowedRanks#move}. */
  boolean move(int query, double before, double after) {
    return ranks.move(query, (float) before, (float) after);
  }

  /** See {@link FollowedRanks#renew}. */
  void renew(int query) {
    ranks.renew(query);
  }

  /** See {@link FollowedRanks#knowsFirst}. */
  boolean knowsFirst(int query) {
    return ranks.knowsFirst(query);
  }

  @Override
  public int size() {
    return ranks.size();
  }

  @Override
  public int results(int query) {
    return ranks.results(query);
  }

  @Override
  public float knotScore(int query, int knot) {
    return ranks.knotScore(query, knot);
  }

  /**
   * Looks whether a table can be made, before anything depends on it.
   *
   * @throws IllegalArgumentException if there are more than {@link #MOST} queries
   */
  static void requireRoom(int queries) {
    if (queries > MOST) {
      throw new IllegalArgumentException(
          ("%d queries are to be measured, more than the %d that can be; leave out rare ones, or"
                  + " measure only frequent ones whole with wholeQueries(share, bytes)")
              .formatted(queries, MOST));
    }
  }

  /** Bytes that a table of some queries takes. */
  static long sizeInBytes(int queries) {
    return (long) queries * FollowedRanks.BYTES;
  }

  /** Writes the bytes of the table, part by part: there may be more of them than heap. */
  void write(DataOutput out) throws IOException {
    byte[] part = new byte[PART];
    int length;
    for (int at = 0; at < bytes.capacity(); at += length) {
      length = Math.min(PART, bytes.capacity() - at);
      bytes.get(at, part, 0, length);
      out.writeBytes(part, length);
    }
  }

  static OffHeapRankTable read(DataInput in, int queries) throws IOException {
    OffHeapRankTable table = new OffHeapRankTable(queries);
    byte[] part = new byte[PART];
    int length;
    for (int at = 0; at < table.bytes.capacity(); at += length) {
      length = Math.min(PART, table.bytes.capacity() - at);
      in.readBytes(part, 0, length);
      table.bytes.put(at, part, 0, length);
    }
    return table;
  }
}
