// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders that a probe fills and leaves no trace of; a file in them says that they are ours. */
public final class WorkFolder {
  private static final String MARK = "made-and-removed-by-lucene-delta-overhead";

  private WorkFolder() {}

  /** Whether a folder can be made anew: it is not there, holds nothing, or was made here. */
  public static boolean isFree(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return !Files.exists(directory);
    }
    try (Stream<Path> files = Files.list(directory)) {
      return Files.exists(directory.resolve(MARK)) || files.findAny().isEmpty();
    }
  }

  /**
   * Makes a folder anew, without what an earlier probe left in it.
   *
   * @throws IOException if it cannot be made, or is somebody else's
   */
  static void make(Path directory) throws IOException {
    remove(directory);
    Files.createDirectories(directory);
    Files.createFile(directory.resolve(MARK));
  }

  /**
   * Deletes a folder and everything in it, if it is there.
   *
   * @throws IOException if it cannot be deleted, or is somebody else's
   */
  static void remove(Path directory) throws IOException {
    if (!isFree(directory)) {
      throw new IOException(directory + " was not made here: move it away, or work elsewhere");
    }
    if (Files.exists(directory)) {
      Path mark = directory.resolve(MARK);
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          if (!file.equals(mark) && !file.equals(directory)) {
            Files.delete(file);
          }
        }
      }
      Files.deleteIfExists(mark); // last: a folder that is half removed is still ours
      Files.delete(directory);
    }
  }
}
