// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where queries that take more than the heap go while logs are read. */
final class TemporaryFolder {
  private TemporaryFolder() {}

  /**
   * Makes an empty one, which whoever asks for it {@linkplain #delete deletes}.
   *
   * @throws CommandFailure if none can be made: the system names a path that the user never gave
   */
  static Path make() {
    try {
      return Files.createTempDirectory("lucene-delta-workload");
    } catch (IOException e) {
      throw new CommandFailure(
          "no temporary file can be made in %s (java.io.tmpdir): make it a directory with room in which this user may write, or name another by LUCENE_DELTA_JVM_OPTS=-Djava.io.tmpdir=DIR"
              .formatted(System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  /**
   * Deletes one that is empty again. Windows deletes no file that is mapped, as a workload of many
   * queries is until the program ends; who runs the program hears of what stays.
   */
  static void delete(Path folder, PrintWriter err) {
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      err.printf(
          "%s cannot be deleted yet, and holds queries: delete it when this has ended%n", folder);
      err.flush();
    }
  }
}
