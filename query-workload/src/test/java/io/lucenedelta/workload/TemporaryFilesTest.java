// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFilesTest {
  @TempDir Path directory;

  @Test
  void whereNoFolderCanBeMadeItIsSaidWhereAndWhatToDo() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> TemporaryFiles.folder(missing, "merge"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage(
            "no temporary file can be made in %s (java.io.tmpdir): make it a directory with room in which this process may write, or name another by -Djava.io.tmpdir",
            missing);
  }

  @Test
  void whatExceedsTheHeapAndFindsNoPlaceOnTheDiskIsToldWithThePlace() throws IOException {
    Path below = Files.createFile(directory.resolve("file")).resolve("below");
    try (Spool spool = new Spool(below, "terms")) {
      assertThatThrownBy(() -> spool.put(new byte[3 << 20], 0, 3 << 20))
          .isExactlyInstanceOf(IOException.class)
          .hasMessage(
              "no temporary file can be made in %s: make it a directory with room in which this process may write, or give another",
              below);
    }
  }
}
