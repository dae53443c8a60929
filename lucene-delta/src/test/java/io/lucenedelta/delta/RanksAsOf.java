// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.rank.RankTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.store.ByteBuffersDataOutput;

/** A copy of rank functions as they were when a batch was measured; the product's go on moving. */
record RanksAsOf(RankTable table, TermScores scores) {
  static RanksAsOf of(Ranks ranks) {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    try {
      ranks.table().write(out);
      int queries = ranks.table().size();
      return new RanksAsOf(OffHeapRankTable.read(out.toDataInput(), queries), ranks.scores());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
