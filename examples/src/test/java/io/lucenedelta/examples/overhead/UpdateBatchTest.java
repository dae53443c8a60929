// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpdateBatchTest {
  @TempDir Path demo;

  @Test
  void aBatchHasTheSizeAndTheShareOfChangesAskedFor() throws IOException {
    new DemoCrawl(50, 6, 10, 10, 1).write(demo);
    PageVersionPool pool =
        PageVersionPool.read(SnapshotArchive.open(DemoCrawl.snapshots(demo)), 1_000_000);
    UpdateBatch batch = UpdateBatch.of(pool, 1.5, 0, 0.65);
    assertThat(batch.megabytes()).isBetween(1.5, 1.52);
    Set<String> keys = new HashSet<>();
    for (int round = 1; round < 5; round++) {
      int changed = 0;
      for (int i = 0; i < batch.size(); i++) {
        keys.add(batch.page(i, round).key());
        String before = batch.page(i, round - 1).text();
        changed += batch.page(i, round).text().equals(before) ? 0 : 1;
      }
      assertThat((double) changed / batch.size()).isBetween(0.649, 0.651);
    }
    assertThat(keys).as("a repeated page has an address of its own").hasSize(batch.size());
  }

  @Test
  void aSmallCrawlIsRepeatedUntilABatchHasThePagesAskedFor() throws IOException {
    new DemoCrawl(50, 6, 10, 10, 1).write(demo);
    PageVersionPool pool =
        PageVersionPool.read(SnapshotArchive.open(DemoCrawl.snapshots(demo)), 1_000_000);
    assertThat(UpdateBatch.of(pool, 0.001, 1234, 0.65).size()).isEqualTo(1234);
  }

  @Test
  void quartilesLieAroundTheMedian() {
    assertThat(Spread.of(4, 1, 3, 2, 5)).isEqualTo(new Spread(3, 2, 4));
    assertThat(Spread.of(7)).isEqualTo(new Spread(7, 7, 7));
  }

  @Test
  void fewerThanFiveValuesHaveTheLeastAndTheMostInPlaceOfQuartiles() {
    assertThat(Spread.of(3, 1)).isEqualTo(new Spread(2, 1, 3));
    assertThat(Spread.of(4, 1, 3, 9)).isEqualTo(new Spread(3.5, 1, 9));
  }
}
