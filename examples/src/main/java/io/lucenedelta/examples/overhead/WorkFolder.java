// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders that a probe fills and leaves no trace of. */
final class WorkFolder {
  private WorkFolder() {}

  /** Deletes a folder and everything in it, if it is there. */
  static void remove(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
