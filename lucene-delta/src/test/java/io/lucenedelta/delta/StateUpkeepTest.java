// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files of every kind are kept, by their names. */
class StateUpkeepTest {
  private final SyncedFiles files = new SyncedFiles();
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
  void temporaryFilesOfEveryNumberAndColumnsThatWereNotKeptAreDeleted() throws IOException {
    make("columns_5.map", "order_5", "pages_3.map");
    make("columns_4.map", "order_4", "columns_6.map", "reading_0.map", "reading_1.map");
    make("heard_2.map", "spill_vectors_1.tmp", "reading.map");
    make("pending_audit", "pending_queue", "queue_3", "told_2");
    state.deleteSpills(5);
    assertThat(files.listAll())
        .containsExactlyInAnyOrder("columns_5.map", "order_5", "pages_3.map", "queue_3", "told_2");
  }

  /** Such as a copy that somebody made first, or a download of what is put back. */
  @Test
  void whatOnlyBeginsLikeOneOfThemIsLeftAlone() throws IOException {
    String[] ofOthers = {
      "batch_1.bak",
      "visits_1~",
      "incomplete_1.old",
      "refreshes_12.bak",
      "refreshes_12.Ab3f9",
      "refreshes_12.1234abcd.partial",
      "ranks_5 (copy)",
      "pages_5",
      "pages_5.map.bak",
      "check_5.bak",
      "columns_4.map.bak",
      "order_4.bak",
      "reading_0.map.bak",
      "heard_2.map.bak",
      "pending_audit.bak",
      "pending_queue.bak",
      "spilled.txt",
      "refreshes_",
      "batch_x"
    };
    make(ofOthers);
    make("refreshes_0", "ranks_0", "batch_1", "pages_0.map", "check_0", "columns_4.tmp");
    state.deleteSpills(5);
    state.deleteOthers(new Manifest(), 6, null);
    assertThat(files.listAll()).containsExactlyInAnyOrder(ofOthers);
    assertThat(state.setUnnamedAside()).isFalse();
    assertThat(files.listAll()).containsExactlyInAnyOrder(ofOthers);
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

  @Test
  void batchesThatWereNeverSettledAreCountedFromTheFirst() throws IOException {
    make("batch_2", "batch_4");
    Manifest manifest = new Manifest();
    manifest.generation = 2;
    state.noteMissing(manifest, 4);
    assertThat(manifest.batchesIncomplete).isZero();
    make("batch_3");
    state.noteMissing(manifest, 4);
    assertThat(manifest.batchesIncomplete).isOne();
    assertThat(manifest.lastIncomplete).contains("of 1 batch between batch 2 and batch 4");
    assertThat(troubles).containsExactly(manifest.lastIncomplete);
  }

  /** Of a writer opened on batch 3, which none had settled, though batch 4 was there. */
  @Test
  void ofBatchesThatWereNeverSettledThoseOfABranchThatWasLeftAreNotMissing() throws IOException {
    make("batch_3", "batch_4", "batch_6", "batch_7", "batch_8");
    Manifest manifest = new Manifest();
    manifest.generation = 2;
    manifest.branches.add(new Manifest.Branch(6, 3));
    state.noteMissing(manifest, 8);
    assertThat(manifest.batchesIncomplete).as("3, 6 and 7").isEqualTo(3);
  }

  @Test
  void aNumberThatAnyFileOfABatchHasIsTaken() throws IOException {
    assertThat(state.lastMeasured()).isZero();
    make("damaged_batch_9", "refreshes_9");
    for (String file : List.of("batch_2", "visits_3", "incomplete_4")) {
      make(file);
      assertThat(file).endsWith("_" + state.lastMeasured());
    }
  }

  @Test
  void aFileThatWasPutBackAndCannotBeRenamedStaysUntilItCan() throws IOException {
    make("batch_1", "missed_batch_1");
    Directory inUse =
        new FilterDirectory(files) {
          @Override
          public void rename(String source, String target) throws IOException {
            throw new IOException("injected: used by another program");
          }
        };
    new StateUpkeep(inUse, new Troubles(troubles)).deleteOthers(new Manifest(), 1, null);
    assertThat(files.listAll()).containsExactlyInAnyOrder("batch_1", "missed_batch_1");
    assertThat(troubles).isEmpty();
    state.deleteOthers(new Manifest(), 1, null);
    assertThat(files.listAll()).containsExactly("damaged_batch_1");
    assertThat(troubles).singleElement().asString().contains("batch_1 was put back");
  }

  /** Where names and ends alone are looked at, and where all that is in the files is. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileThatIsGoneIsTakenOffTheManifestAndMissed(boolean endsAlone) throws IOException {
    setAside(endsAlone, "batch_1");
    assertThat(troubles)
        .containsExactly("batch_1 is gone; the histories of its pages lack the refreshes in it");
    assertThat(files.listAll()).containsExactly("missed_batch_1");
    assertThat(files.synced).containsExactly("missed_batch_1");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileThatAKilledOpeningSetAsideIsDamagedAndNotGone(boolean endsAlone) throws IOException {
    make("damaged_batch_1", "missed_batch_1");
    setAside(endsAlone, "batch_1");
    assertThat(troubles)
        .singleElement()
        .asString()
        .startsWith("batch_1 is damaged and kept as damaged_batch_1;");
  }

  private void setAside(boolean endsAlone, String file) throws IOException {
    Manifest manifest = new Manifest();
    manifest.addRefreshFile(file);
    if (endsAlone) {
      state.setLostAside(manifest);
    } else {
      state.setDamagedAside(manifest);
    }
    assertThat(manifest.refreshFiles).isEmpty();
    assertThat(manifest.batchesIncomplete).isOne();
    assertThat(troubles).containsExactly(manifest.lastIncomplete);
  }
}
