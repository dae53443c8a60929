// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.rank.FollowedRanks;
import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffHeapRankTableTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 4_096, 10_000})
  void aTableOfAnyLengthIsReadAsItWasWrittenAndGoesOnAlike(int queries) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    OffHeapRankTable table = new OffHeapRankTable(queries);
    int answered = 0;
    for (int query = 0; query < queries; query++) {
      float[] scores = new float[Math.max(0, random.nextInt(60) - 30)];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = random.nextFloat() * 9;
      }
      if (scores.length > 0) {
        table.put(query, KnotSample.of(scores, scores.length));
        answered++;
      }
    }
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexOutput out = directory.createOutput("table", IOContext.DEFAULT)) {
        table.write(out);
        out.writeInt(7);
      }
      assertThat(directory.fileLength("table"))
          .as("a bit of those without results, seed %d", seed)
          .isEqualTo((queries + 63) / 64 * 8L + (long) answered * FollowedRanks.BYTES + 4);
      try (IndexInput in = directory.openInput("table", IOContext.DEFAULT)) {
        OffHeapRankTable read = OffHeapRankTable.read(in, queries);
        assertThat(in.readInt()).as("what follows the table, seed %d", seed).isEqualTo(7);
        assertThat(read.size()).as("seed %d", seed).isEqualTo(queries);
        compare(read, table, seed);
        for (int shift = 0; shift < 2 * queries; shift++) {
          int query = random.nextInt(queries);
          float after = random.nextFloat() * 9;
          assertThat(read.move(query, 0, after))
              .as("seed %d", seed)
              .isEqualTo(table.move(query, 0, after));
          read.renew(query);
          table.renew(query);
        }
        compare(read, table, seed);
      }
    }
  }

  private static void compare(OffHeapRankTable read, OffHeapRankTable table, long seed) {
    for (int query = 0; query < table.size(); query++) {
      assertThat(read.results(query)).as("seed %d", seed).isEqualTo(table.results(query));
      assertThat(read.knowsFirst(query)).as("seed %d", seed).isEqualTo(table.knowsFirst(query));
      for (int knot = 0; knot < RankTable.KNOTS && read.results(query) > 0; knot++) {
        assertThat(read.knotScore(query, knot))
            .as("seed %d", seed)
            .isEqualTo(table.knotScore(query, knot));
      }
    }
  }
}
