// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What this process has open, as Linux tells it. */
final class OpenFiles {
  private OpenFiles() {}

  /** The open files of a folder, deleted ones among them. */
  static List<Path> in(Path folder) throws IOException {
    Path real = folder.toRealPath(); // which is what is told: the folder may be behind a link
    List<Path> open = new ArrayList<>();
    try (DirectoryStream<Path> links = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path link : links) {
        try {
          Path file = Files.readSymbolicLink(link);
          if (file.startsWith(real)) {
            open.add(file);
          }
        } catch (NoSuchFileException e) {
          // closed meanwhile, by another test
        }
      }
    }
    return open;
  }
}
