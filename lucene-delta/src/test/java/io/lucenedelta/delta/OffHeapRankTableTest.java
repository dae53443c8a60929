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
  @ValueSource(ints = {0, 1, 372, 373, 4_096, 10_000})
  void aTableOfAnyLengthIsReadAsItWasWritten(int queries) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    OffHeapRankTable table = new OffHeapRankTable(queries);
    for (int query = 0; query < queries; query++) {
      float[] scores = new float[random.nextInt(30)];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = random.nextFloat() * 9;
      }
      table.put(query, KnotSample.of(scores, scores.length));
    }
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexOutput out = directory.createOutput("table", IOContext.DEFAULT)) {
        table.write(out);
        out.writeInt(7);
      }
      assertThat(directory.fileLength("table")).isEqualTo((long) queries * FollowedRanks.BYTES + 4);
      try (IndexInput in = directory.openInput("table", IOContext.DEFAULT)) {
        OffHeapRankTable read = OffHeapRankTable.read(in, queries);
        assertThat(in.readInt()).as("what follows the table").isEqualTo(7);
        assertThat(read.size()).isEqualTo(queries);
        for (int query = 0; query < queries; query++) {
          assertThat(read.results(query)).as("seed %d", seed).isEqualTo(table.results(query));
          for (int knot = 0; knot < RankTable.KNOTS && read.results(query) > 0; knot++) {
            assertThat(read.knotScore(query, knot)).isEqualTo(table.knotScore(query, knot));
          }
        }
      }
    }
  }
}
