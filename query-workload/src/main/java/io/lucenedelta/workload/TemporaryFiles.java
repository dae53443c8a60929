// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Makes files and folders of names that nothing else has: others may use the same directory. Where
 * there are permissions, only their owner may read them, since they may hold what people typed.
 */
final class TemporaryFiles {
  private static final String PLACE = "java.io.tmpdir";

  /** What could not be deleted, in this order: a folder comes behind its files. */
  private static final Queue<Path> LEFT = new ConcurrentLinkedQueue<>();

  private TemporaryFiles() {}

  /** Makes a file in a directory, which is made if it is not there. */
  static Path file(Path directory, String name) throws IOException {
    try {
      Files.createDirectories(directory);
      return Files.createTempFile(directory, name + "-", ".tmp");
    } catch (IOException e) {
      throw none(directory.toString(), "give another", e);
    }
  }

  /** Makes a folder where the JVM has its temporary files. */
  static Path folder(String name) throws IOException {
    return folder(Path.of(System.getProperty(PLACE)), name);
  }

  /** Makes a folder in a directory, which must be there. */
  static Path folder(Path directory, String name) throws IOException {
    try {
      return Files.createTempDirectory(directory, name);
    } catch (IOException e) {
      throw none(directory + " (" + PLACE + ")", "name another by -D" + PLACE, e);
    }
  }

  /**
   * Deletes a file or an empty folder now, or else when the JVM ends: Windows deletes no file that
   * is mapped, and a workload may have it mapped. What is still mapped then stays, and its folder.
   */
  static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      if (path.getFileSystem().equals(FileSystems.getDefault())) {
        deleteAtExit(path);
      }
    }
  }

  /**
   * {@link java.io.File#deleteOnExit} would begin with the last: the folder, which is not empty.
   */
  private static synchronized void deleteAtExit(Path path) {
    if (LEFT.isEmpty()) {
      Runtime.getRuntime().addShutdownHook(new Thread(TemporaryFiles::deleteLeft));
    }
    LEFT.add(path);
  }

  /** Tries again to delete what could not be deleted. */
  static void deleteLeft() {
    for (Path path = LEFT.poll(); path != null; path = LEFT.poll()) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // nobody is left to be told
      }
    }
  }

  /** The system's own message names a file that nobody chose, and not always what is wrong. */
  private static IOException none(String directory, String remedy, IOException e) {
    return new IOException(
        "no temporary file can be made in %s: make it a directory with room in which this process may write, or %s"
            .formatted(directory, remedy),
        e);
  }
}
