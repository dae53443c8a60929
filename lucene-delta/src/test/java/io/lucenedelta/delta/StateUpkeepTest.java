// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.junit.jupiter.api.Test;

/** Which files of every kind are kept, by their names. */
class StateUpkeepTest {
  private final Directory files = new ByteBuffersDirectory();
  private final List<String> troubles = new ArrayList<>();
  private final StateUpkeep state = new StateUpkeep(files, new Troubles(troubles));

  private void make(String... names) throws IOException {
    for (String name : names) {
      files.createOutput(name, IOContext.DEFAULT).close();
    }
  }

  @Test
  void whatTheManifestOrABatchUnderWayNeedsIsKeptOfEveryKind() throws IOException {
    String[] needed = {
      "batch_1",
      "visits_2",
      "refreshes_4",
      "ranks_5",
      "pages_6.map",
      "check_6",
      "batch_7",
      "visits_7",
      "incomplete_7",
      "damaged_batch_3",
      "queue_1",
      "delta_9",
      "workload_0000000000000001"
    };
    make(needed);
    make("batch_2", "visits_1", "refreshes_3", "ranks_4", "pages_5.map", "check_5");
    make("batch_6", "batch_8", "visits_8", "incomplete_6", "incomplete_8");
    Manifest manifest = new Manifest();
    manifest.addRefreshFile("batch_1");
    manifest.addRefreshFile("visits_2");
    manifest.addRefreshFile("refreshes_4");
    manifest.ranksFile = "ranks_5";
    state.deleteOthers(manifest, 6, new Batch(7, new Capture.Flushed(List.of(), List.of())));
    assertThat(files.listAll()).containsExactlyInAnyOrder(needed);
    state.deleteOthers(manifest, 6, null);
    assertThat(files.listAll())
        .as("settled")
        .doesNotContain("batch_7", "visits_7", "incomplete_7")
        .hasSize(10);
    assertThat(troubles).isEmpty();
  }

  @Test
  void withoutAManifestRefreshesOfEveryKindAreKeptAndCounted() throws IOException {
    make("batch_3", "visits_3", "refreshes_1", "ranks_2", "queue_1");
    assertThat(state.setUnnamedAside()).isTrue();
    assertThat(files.listAll())
        .containsExactlyInAnyOrder(
            "damaged_batch_3", "damaged_visits_3", "damaged_refreshes_1", "ranks_2", "queue_1");
    assertThat(troubles).singleElement().asString().contains("3 files of refreshes");
    assertThat(state.setUnnamedAside()).as("nothing is left to do").isFalse();
    assertThat(troubles).hasSize(1);
  }
}
