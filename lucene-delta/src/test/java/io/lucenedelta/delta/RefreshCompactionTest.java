// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class RefreshCompactionTest {
  private static final BytesRef PAGE = new BytesRef("a");

  private final Directory files = new ByteBuffersDirectory();
  private final Manifest manifest = new Manifest();

  private void batch(long generation, boolean explained) throws IOException {
    RefreshDetails details = explained ? new RefreshDetails() : null;
    String name = StateFiles.batch(generation);
    try (RefreshFile.Writer writer = new RefreshFile.Writer(files, name)) {
      writer.page(
          PAGE, List.of(new Refresh(generation, generation, true, 1, 0.5, 1, null, 0, 0, details)));
      writer.finish();
    }
    manifest.addRefreshFile(name);
  }

  private boolean compact() throws IOException {
    return new RefreshCompaction(files, manifest).compact();
  }

  private List<Refresh> refreshes() throws IOException {
    List<Refresh> found = new ArrayList<>();
    for (String name : manifest.refreshFiles) {
      found.addAll(RefreshFile.find(files, name, PAGE));
    }
    return found;
  }

  @Test
  void eightFilesOfALevelBecomeOneOfTheNext() throws IOException {
    for (int batches = 1; batches <= 512; batches++) {
      batch(batches, true);
      assertThat(compact()).as("after %d", batches).isEqualTo(batches % 8 == 0);
      int digits = Integer.toOctalString(batches).chars().map(digit -> digit - '0').sum();
      assertThat(manifest.refreshFiles).as("after %d", batches).hasSize(digits);
    }
    assertThat(manifest.refreshLevels).containsExactly(3);
    assertThat(refreshes()).hasSize(512);
  }

  @Test
  void batchesThatBringSeveralFilesLeaveAsFew() throws IOException {
    int files = 0;
    for (int batches = 1; batches <= 512; batches++) {
      for (int file = 0; file <= batches % 3; file++) { // one with visits, say, and of usefulness
        batch(++files, true);
      }
      compact();
      assertThat(manifest.refreshFiles).as("after %d", batches).hasSizeLessThan(4 * 8);
      assertThat(manifest.refreshLevels).isSortedAccordingTo(Comparator.reverseOrder());
    }
    assertThat(refreshes()).extracting(Refresh::generation).doesNotHaveDuplicates().hasSize(files);
  }

  @Test
  void filesThatWereLeftBetweenLargerOnesAreMergedWithThem() throws IOException {
    for (int batch = 1; batch <= 20; batch++) {
      batch(batch, true);
      manifest.refreshLevels.set(batch - 1, batch % 2);
    }
    batch(21, true);
    assertThat(compact()).as("one file is the last of its level").isFalse();
    manifest.refreshLevels.set(20, 1);
    assertThat(compact()).isTrue();
    assertThat(manifest.refreshLevels).containsExactly(2);
    assertThat(refreshes()).hasSize(21);
  }

  @Test
  void contributionsStayForTheLatestThreeRefreshesThatHaveThem() throws IOException {
    for (int batch = 1; batch <= 8; batch++) {
      batch(batch, batch != 7);
    }
    assertThat(compact()).isTrue();
    List<Refresh> kept = refreshes();
    assertThat(kept)
        .extracting(Refresh::generation)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(kept).extracting(Refresh::qualityChange).containsOnly(0.5);
    assertThat(kept)
        .filteredOn(refresh -> refresh.details() != null)
        .extracting(Refresh::generation)
        .containsExactly(5L, 6L, 8L);
  }

  @Test
  void usefulnessFoundAgainAndAgainIsKeptOnceAndAsItWasToldLast() throws IOException {
    batch(1, true); // a visit, which tells it, too
    for (int found = 2; found <= 7; found++) {
      tell(Refresh.useful(1, found));
    }
    tell(new Refresh(8, 8, false, 0, 0, -1, null, 0, 0, null)); // a visit that leaves it
    assertThat(compact()).isTrue();
    assertThat(refreshes()).extracting(Refresh::usefulness).containsExactly(1f, 7f, -1f);
    for (int i = 0; i < 7; i++) {
      tell(Refresh.useful(8, Refresh.FORGOTTEN));
    }
    assertThat(compact()).as("seven, and one of a higher level").isFalse();
    tell(new Refresh(9, 9, false, 0, 0, 4, null, 0, 0, null));
    assertThat(compact()).isTrue();
    assertThat(refreshes()).extracting(Refresh::usefulness).containsExactly(1f, 7f, -1f, 4f);
  }

  private void tell(Refresh refresh) throws IOException {
    String name = "told_" + manifest.refreshFiles.size() + "_" + refresh.usefulness();
    try (RefreshFile.Writer writer = new RefreshFile.Writer(files, name)) {
      writer.page(PAGE, List.of(refresh));
      writer.finish();
    }
    manifest.addRefreshFile(name);
  }

  @Test
  void everyPageKeepsItsOwnRefreshesAndNoOthers() throws IOException {
    for (int batch = 1; batch <= 8; batch++) {
      String name = StateFiles.batch(batch);
      try (RefreshFile.Writer writer = new RefreshFile.Writer(files, name)) {
        for (String page : batch % 2 == 0 ? List.of("a", "b", "c") : List.of("b")) {
          float useful = page.charAt(0);
          writer.page(
              new BytesRef(page),
              List.of(new Refresh(batch, batch, false, 0, 0, useful, null, 0, 0, null)));
        }
        writer.finish();
      }
      manifest.addRefreshFile(name);
    }
    assertThat(compact()).isTrue();
    for (String page : List.of("a", "b", "c")) {
      List<Refresh> found =
          RefreshFile.find(files, manifest.refreshFiles.get(0), new BytesRef(page));
      assertThat(found).as(page).hasSize(page.equals("b") ? 8 : 4);
      assertThat(found).extracting(Refresh::usefulness).containsOnly((float) page.charAt(0));
    }
  }

  @Test
  void whatCameAfterTheBatchThatAnIndexWentBackToIsForgottenAndNoMore() throws IOException {
    RefreshCompaction compaction = new RefreshCompaction(files, manifest);
    compaction.forgetAfter(3);
    assertThat(manifest.refreshFiles).isEmpty();
    for (int batch = 1; batch <= 5; batch++) {
      batch(batch, true);
    }
    compaction.forgetAfter(3);
    assertThat(refreshes()).extracting(Refresh::generation).containsExactly(1L, 2L, 3L);
    assertThat(manifest.refreshFiles).hasSize(1);
    compaction.forgetAfter(0);
    assertThat(manifest.refreshFiles).isEmpty();
  }
}
