// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
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

  /** They may hold what people typed. */
  @Test
  void whatIsMadeIsForItsOwnerAloneInAFolderThatIsMadeWithIt() throws IOException {
    Path file = TemporaryFiles.file(directory.resolve("made").resolve("with it"), "terms");
    Path folder = TemporaryFiles.folder(directory, "merge");
    assertThat(file).isEmptyFile();
    assumeThat(Files.getFileStore(file).supportsFileAttributeView("posix")).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
  }

  /** As on Windows, where a file stays that is mapped: here a folder that is full has its name. */
  @Test
  void aSpoolWhoseFileCannotBeDeletedHandsOutWhatWasWrittenAndIsClosed() throws IOException {
    byte[] many = new byte[3 << 20];
    many[many.length - 1] = 7;
    Spool spool = new Spool(directory, "terms");
    spool.put(many, 0, many.length);
    ByteBuffer written = spool.buffer();
    Path file;
    try (Stream<Path> files = Files.list(directory)) {
      file = files.findAny().orElseThrow();
    }
    Files.delete(file);
    Files.createDirectories(file.resolve("full"));
    assertThatCode(spool::close).doesNotThrowAnyException();
    assertThatCode(() -> TemporaryFiles.delete(directory)).doesNotThrowAnyException();
    assertThat(written.get(many.length - 1)).isEqualTo((byte) 7);
  }

  @Test
  void aFolderWhoseFileCouldNotBeDeletedGoesWithItWhenTheJvmEnds() throws IOException {
    Path folder = TemporaryFiles.folder(directory, "merge");
    Path file = TemporaryFiles.file(folder, "terms");
    Files.delete(file);
    Path full = Files.createDirectories(file.resolve("full"));
    TemporaryFiles.delete(file);
    TemporaryFiles.delete(folder);
    assertThat(file).exists();
    Files.delete(full);
    TemporaryFiles.deleteLeft(); // as then
    assertThat(folder).doesNotExist();
  }

  @Test
  void whatStillCannotBeDeletedWhenTheJvmEndsKeepsNothingElse() throws IOException {
    Path first = TemporaryFiles.file(directory, "terms");
    Path second = TemporaryFiles.file(directory, "terms");
    for (Path file : List.of(first, second)) {
      Files.delete(file);
      Files.createDirectories(file.resolve("full"));
      TemporaryFiles.delete(file);
    }
    Files.delete(second.resolve("full"));
    TemporaryFiles.deleteLeft(); // as then
    assertThat(first).exists();
    assertThat(second).doesNotExist();
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
