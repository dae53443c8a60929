// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs({OS.LINUX, OS.MAC})
class FileAccessTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "rw-r-----,rw-------",
    "rw-rw----,rw-------",
    "rw-rw-r--,rw-r--r--",
    "rwxr-x--x,rwx--x--x",
    "rw----r--,rw----r--"
  })
  void whereTheGroupCannotBeKeptItMayNoMoreThanOthers(String before, String after) {
    assertThat(FileAccess.forAnyGroup(PosixFilePermissions.fromString(before)))
        .isEqualTo(PosixFilePermissions.fromString(after));
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:gid", "unix:uid"})
  void groupAndOwnerAreKeptWhereThisUserMayGiveThem(String attribute) throws IOException {
    Path replaced = Files.writeString(directory.resolve("replaced"), "before");
    Files.setPosixFilePermissions(replaced, PosixFilePermissions.fromString("rw-r-----"));
    int another = 1 + (int) Files.getAttribute(replaced, attribute);
    try {
      Files.setAttribute(replaced, attribute, another);
    } catch (FileSystemException e) {
      abort("this user may not: " + e);
    }
    Path made = Files.createFile(directory.resolve("made"), FileAccess.of(replaced).whileWritten());
    assertThat(permissions(made)).isEqualTo("rw-------");
    FileAccess.of(replaced).giveTo(made);
    assertThat(Files.getAttribute(made, attribute)).isEqualTo(another);
    assertThat(permissions(made)).isEqualTo("rw-r-----");
  }

  @Test
  void whereThereIsNoFileYetTheNewOneIsAsTheSystemMakesIt() throws IOException {
    FileAccess none = FileAccess.of(directory.resolve("none"));
    Path usual = Files.createFile(directory.resolve("usual"));
    Path made = Files.createFile(directory.resolve("made"), none.whileWritten());
    none.giveTo(made);
    assertThat(permissions(made)).isEqualTo(permissions(usual));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
