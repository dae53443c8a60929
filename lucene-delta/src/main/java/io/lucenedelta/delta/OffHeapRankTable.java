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
 * pages do: {@link FollowedRanks} in a buffer. In a file, queries that no page answers take a bit.
 *
 * <pre>
 * table → (which of the next 64 queries have results (int64), {@link FollowedRanks} of each) ^ ⌈queries / 64⌉
 * </pre>
 */
final class OffHeapRankTable implements RankTable {
  /** Queries that a table can hold: a buffer has no more bytes. */
  static final int MOST = Integer.MAX_VALUE / FollowedRanks.BYTES;

  private final FollowedRanks ranks;

  OffHeapRankTable(int queries) {
    int bytes = Math.multiplyExact(queries, FollowedRanks.BYTES);
    ranks = new FollowedRanks(ByteBuffer.allocateDirect(bytes));
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

  @Override
  public float pointScore(int query, int point) {
    return ranks.pointScore(query, point);
  }

  @Override
  public double pointRank(int query, int point) {
    return ranks.pointRank(query, point);
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

  /** Writes the table, some queries at a time: there may be more bytes than heap. */
  void write(DataOutput out) throws IOException {
    byte[] records = new byte[Long.SIZE * FollowedRanks.BYTES];
    for (int first = 0; first < size(); first += Long.SIZE) {
      long known = 0;
      int length = 0;
      for (int query = first; query < size() && query < first + Long.SIZE; query++) {
        if (ranks.copyTo(query, records, length)) {
          known |= 1L << (query - first);
          length += FollowedRanks.BYTES;
        }
      }
      out.writeLong(known);
      out.writeBytes(records, length);
    }
  }

  static OffHeapRankTable read(DataInput in, int queries) throws IOException {
    OffHeapRankTable table = new OffHeapRankTable(queries);
    byte[] records = new byte[Long.SIZE * FollowedRanks.BYTES];
    for (int first = 0; first < queries; first += Long.SIZE) {
      long known = in.readLong();
      in.readBytes(records, 0, Long.bitCount(known) * FollowedRanks.BYTES);
      for (int at = 0; known != 0; at += FollowedRanks.BYTES) {
        table.ranks.copyFrom(first + Long.numberOfTrailingZeros(known), records, at);
        known &= known - 1;
      }
    }
    return table;
  }
}
