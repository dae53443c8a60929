// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** What was asked of a writer reaches the batch that it belongs to. */
class ChangesTest {
  @Test
  void whatWasAskedCountsForTheNextBatchTooSinceLuceneMayHaveFlushedBefore() {
    Changes changes = new Changes();
    changes.added();
    changes.imported();
    changes.selective();
    changes.deletedKey(new BytesRef("page"));
    for (int batch = 0; batch < 2; batch++) {
      Changes.Taken taken = changes.take();
      assertThat(taken.added()).as("batch %d", batch).isTrue();
      assertThat(taken.imported()).as("batch %d", batch).isTrue();
      assertThat(taken.selective()).as("batch %d", batch).isTrue();
      assertThat(taken.deletedKeys()).as("batch %d", batch).containsExactly(new BytesRef("page"));
    }
    assertThat(changes.take()).isEqualTo(Changes.NONE);
  }

  @Test
  void onlyTheFirstOfTheTwoMayGoOn() {
    Changes changes = new Changes();
    changes.deletedKey(new BytesRef("page"));
    assertThat(changes.goesOn()).isFalse();
    changes.take();
    assertThat(changes.goesOn()).isTrue();
    changes.take();
    assertThat(changes.goesOn()).isFalse();
  }

  @Test
  void visitsCountOnce() {
    Changes changes = new Changes();
    changes.unchanged(new BytesRef("page"), 1);
    assertThat(changes.take().visits()).containsOnlyKeys(new BytesRef("page"));
    assertThat(changes.take()).isEqualTo(Changes.NONE);
  }
}
