// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** What was asked of a writer reaches the batch that it belongs to. */
class ChangesTest {
  @Test
  void additionsCountForTheNextBatchTooSinceLuceneMayHaveFlushedBeforeThem() {
    Changes changes = new Changes();
    changes.added();
    changes.imported();
    for (int batch = 0; batch < 2; batch++) {
      Changes.Taken taken = changes.take();
      assertThat(taken.added()).as("batch %d", batch).isTrue();
      assertThat(taken.imported()).as("batch %d", batch).isTrue();
    }
    assertThat(changes.take().added()).isFalse();
    assertThat(changes.take().imported()).isFalse();
  }

  @Test
  void deletionsCountOnce() {
    Changes changes = new Changes();
    changes.deletedKey(new BytesRef("page"));
    changes.selective();
    assertThat(changes.take().deletedKeys()).containsExactly(new BytesRef("page"));
    assertThat(changes.take()).isEqualTo(Changes.NONE);
  }
}
