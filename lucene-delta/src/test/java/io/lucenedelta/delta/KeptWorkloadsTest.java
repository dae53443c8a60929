// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptWorkloadsTest {
  @TempDir Path folder;

  /** As on Windows, where a file stays that is mapped: here a folder that is full has its name. */
  @Test
  void aWorkloadThatCannotBeDeletedStaysAndTheOthersThatNobodySpeaksOfGo() throws IOException {
    KeptWorkloads kept = new KeptWorkloads(folder);
    Files.createFile(kept.file(1));
    for (int unused = 2; unused < 9; unused++) {
      Files.createFile(kept.file(unused));
    }
    Files.createDirectories(kept.file(9).resolve("full"));
    List<String> troubles = new ArrayList<>();
    try (Directory files = FSDirectory.open(folder)) {
      kept.forgetUnused(files, List.of(), 1, new Troubles(troubles));
    }
    assertThat(troubles).isEmpty();
    assertThat(folder).isDirectoryContaining(file -> file.equals(kept.file(9)));
    for (int unused = 2; unused < 9; unused++) {
      assertThat(kept.file(unused)).doesNotExist();
    }
    assertThat(kept.file(1)).exists();
  }

  /** A damaged end, of which only who reads that far hears. */
  @Test
  void filesAreReadNoFurtherThanShowsThatEveryWorkloadIsSpokenOf() throws IOException {
    KeptWorkloads kept = new KeptWorkloads(Files.createDirectory(folder.resolve("state")));
    for (int workload = 1; workload <= 3; workload++) {
      Files.createFile(kept.file(workload));
    }
    List<String> troubles = new ArrayList<>();
    try (Directory files = FSDirectory.open(folder.resolve("state"))) {
      write(files, "batch_1", 2);
      write(files, "batch_2", 3);
      List<String> names = List.of("batch_1", "batch_2");
      for (String name : names) {
        Path file = folder.resolve("state").resolve(name);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
      }
      kept.forgetUnused(files, names, 1, new Troubles(troubles));
      assertThat(troubles).isEmpty();
      Files.createFile(kept.file(4));
      kept.forgetUnused(files, names, 1, new Troubles(troubles));
      assertThat(troubles).singleElement().asString().endsWith("all are kept");
    }
    for (int workload = 1; workload <= 4; workload++) {
      assertThat(kept.file(workload)).exists();
    }
  }

  private static void write(Directory files, String name, long workload) throws IOException {
    RefreshDetails details = new RefreshDetails();
    details.clear(workload);
    try (RefreshFile.Writer file = new RefreshFile.Writer(files, name)) {
      for (String page : List.of("a", "b", "c")) {
        file.page(
            new BytesRef(page), List.of(new Refresh(1, 1, true, 1, 0.5, 1, null, 0, 0, details)));
      }
      file.finish();
    }
  }

  @Test
  void aLinkInThePlaceOfAWorkloadIsReplacedAndNotFollowed() throws IOException {
    KeptWorkloads kept = new KeptWorkloads(Files.createDirectory(folder.resolve("state")));
    Path victim = Files.writeString(folder.resolve("victim"), "of others");
    Path nowhere = folder.resolve("nowhere");
    Workload workload = Workload.builder().add(List.of("pond"), 1).build();
    List<String> troubles = new ArrayList<>();
    for (Path target : List.of(victim, nowhere)) {
      Files.deleteIfExists(kept.file(1));
      Files.createSymbolicLink(kept.file(1), target);
      kept.keep(workload, 1, new Troubles(troubles));
      assertThat(Files.isSymbolicLink(kept.file(1))).isFalse();
      assertThat(kept.open(1).queryText(0)).isEqualTo("pond");
    }
    assertThat(victim).hasContent("of others");
    assertThat(nowhere).doesNotExist();
    assertThat(troubles).isEmpty();
  }
}
