// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.contentOf;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeFileTest {
  @TempDir Path directory;

  @Test
  void aFileHasItsNameWhenItIsWhole() throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    WholeFile.writeText(
        file,
        out -> {
          out.write("after");
          out.flush();
          assertThat(file).hasContent("before");
          assertThat(directory)
              .isDirectoryContaining(
                  part -> !part.equals(file) && contentOf(part.toFile()).equals("after"));
        });
    assertThat(file).hasContent("after");
    assertThat(directory).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void whatHasTheNameOfAPartStaysAndALinkOfThatNameIsNotFollowed() throws IOException {
    Path victim = Files.writeString(directory.resolve("victim"), "of others");
    Path link = Files.createSymbolicLink(directory.resolve("a.tsv.part"), victim);
    Path mine = Files.writeString(directory.resolve("b.tsv.part"), "of the user");
    for (String name : List.of("a.tsv", "b.tsv")) {
      WholeFile.writeText(directory.resolve(name), out -> out.write("after"));
      assertThat(directory.resolve(name)).hasContent("after").isRegularFile();
    }
    assertThat(victim).hasContent("of others");
    assertThat(link).isSymbolicLink();
    assertThat(mine).hasContent("of the user");
    assertThat(Files.isSymbolicLink(directory.resolve("a.tsv"))).isFalse();
  }

  @Test
  void ofTwoThatWriteOneFileAtOnceEachWritesItWhole() throws IOException {
    Path file = directory.resolve("a.tsv");
    WholeFile.writeText(
        file,
        out -> {
          out.write("one ");
          out.flush();
          WholeFile.writeText(file, other -> other.write("another"));
          assertThat(file).hasContent("another");
          out.write("in full");
        });
    assertThat(file).hasContent("one in full");
    assertThat(directory).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void aFileThatCannotBeBegunIsNamedAsItWasAskedFor() {
    Path file = directory.resolve("none").resolve("a.tsv");
    assertThatThrownBy(() -> WholeFile.write(file, out -> {}))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(file.toString());
  }

  @Test
  void aFileThatCannotBeWrittenToItsEndStaysAsItWas() throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    Path part = WholeFile.partOf(file);
    assertThatThrownBy(
            () ->
                new WholeFile(file, part, full(part))
                    .fill(
                        out -> {
                          out.write("12345".getBytes(UTF_8));
                          out.write("67890".getBytes(UTF_8));
                        }))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(file + ": No space left on device");
    assertThat(file).hasContent("before");
    assertThat(part).doesNotExist();
  }

  /** A disk of 8 bytes, on which there is space again after a failure. */
  private static OutputStream full(Path part) throws IOException {
    OutputStream disk = Files.newOutputStream(part);
    return new OutputStream() {
      private int room = 8;

      @Override
      public void write(int one) throws IOException {
        if (room-- == 0) {
          throw new IOException("No space left on device");
        }
        disk.write(one);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
          write(bytes[i]);
        }
      }

      @Override
      public void close() throws IOException {
        disk.close();
      }
    };
  }

  @Test
  void whatIsWrittenAfterAGapIsNotKept() throws IOException {
    Path file = directory.resolve("a.tsv");
    Path part = WholeFile.partOf(file);
    WholeFile whole = new WholeFile(file, part, full(part));
    assertThatThrownBy(() -> whole.fill(WholeFileTest::writeOnAfterFailures))
        .hasMessageContaining("No space");
    assertThat(directory).isEmptyDirectory();
  }

  private static void writeOnAfterFailures(OutputStream out) {
    assertThatThrownBy(() -> out.write("123456789".getBytes(UTF_8)))
        .hasMessageContaining("No space");
    assertThatThrownBy(() -> out.write("0".getBytes(UTF_8))).hasMessageContaining("No space");
    assertThatThrownBy(out::close).hasMessageContaining("No space");
  }

  @Test
  void aFileWhoseContentsFailOtherwiseStaysAsItWas() throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    for (Throwable failure : List.of(new IllegalStateException("no row"), new Error("no heap"))) {
      assertThatThrownBy(
              () ->
                  WholeFile.writeText(
                      file,
                      out -> {
                        out.write("half of it");
                        out.flush();
                        throwAnyway(failure);
                      }))
          .isSameAs(failure);
      assertThat(file).hasContent("before");
      assertThat(directory).isDirectoryNotContaining(other -> !other.equals(file));
    }
  }

  private static void throwAnyway(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  @Test
  void aStreamThatIsClosedWithinTheContentsMakesNoFileWhole() throws IOException {
    Path file = directory.resolve("a.gz");
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    out -> {
                      try (OutputStream packed = new GZIPOutputStream(out)) {
                        packed.write(1);
                        throw new IllegalStateException("half of it");
                      }
                    }))
        .hasMessage("half of it");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aSymbolicLinkStaysOne() throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    WholeFile.writeText(link, out -> out.write("after"));
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("after");
  }

  @Test
  void aLinkToAFileThatIsNotThereYetStaysOne() throws IOException {
    Path first = Files.createSymbolicLink(directory.resolve("first"), Path.of("second"));
    Files.createDirectory(directory.resolve("folder"));
    Path second = Files.createSymbolicLink(directory.resolve("second"), Path.of("folder", "a.tsv"));
    WholeFile.writeText(first, out -> out.write("after"));
    assertThat(first).isSymbolicLink();
    assertThat(second).isSymbolicLink();
    assertThat(directory.resolve("folder")).isDirectoryContaining("glob:**/a.tsv");
    assertThat(first).hasContent("after");
  }

  @Test
  void linksThatLeadInACircleAreNotFollowed() throws IOException {
    Path first = Files.createSymbolicLink(directory.resolve("first"), Path.of("second"));
    Files.createSymbolicLink(directory.resolve("second"), Path.of("first"));
    assertThatThrownBy(() -> WholeFile.writeText(first, out -> out.write("after")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("first");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aDeviceIsWrittenAsItStands() throws IOException {
    WholeFile.writeText(Path.of("/dev/null"), out -> out.write("nothing"));
    assertThat(Path.of("/dev")).isDirectoryNotContaining("glob:**.part");
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    assertThatThrownBy(() -> WholeFile.writeText(Path.of("/dev/full"), out -> out.write("nothing")))
        .hasMessage("/dev/full: No space left on device");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileThatIsReplacedKeepsItsPermissionsAndIsItsOwnersUntilThen() throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    for (String permissions : List.of("rw-------", "rw-rw-rw-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
      WholeFile.writeText(
          file,
          out ->
              assertThat(directory)
                  .isDirectoryContaining(
                      part -> !part.equals(file) && permissions(part).equals("rw-------")));
      assertThat(permissions(file)).isEqualTo(permissions);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:gid", "unix:uid"})
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileThatIsReplacedKeepsGroupAndOwnerWhereThisUserMayGiveIt(String attribute)
      throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    int another = 1 + (int) Files.getAttribute(file, attribute);
    try {
      Files.setAttribute(file, attribute, another);
    } catch (FileSystemException e) {
      abort("this user may not: " + e);
    }
    WholeFile.writeText(file, out -> out.write("after"));
    assertThat(Files.getAttribute(file, attribute)).isEqualTo(another);
    assertThat(permissions(file)).isEqualTo("rw-r-----");
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileThatMayNotBeWrittenIsNotReplaced() throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    if (!Files.isWritable(file)) { // to root everything is
      assertThatThrownBy(() -> WholeFile.write(file, out -> {}))
          .isInstanceOf(AccessDeniedException.class);
    }
    assertThat(file).hasContent("before");
  }
}
