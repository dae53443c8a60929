// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Asks before long work begins whether its result can be written where it is wanted. */
final class OutputPlace {
  private OutputPlace() {}

  /**
   * A directory for files, which may be there already. It is made when there is something to write,
   * so that a run refused for its input leaves nothing behind.
   *
   * @throws CommandFailure if nothing can be written there
   */
  static void requireFolder(Path folder) {
    Path there = folder.toAbsolutePath();
    Path missing = null;
    while (!Files.exists(there)) {
      missing = there;
      there = there.getParent();
    }
    if (!Files.isDirectory(there)) {
      throw new CommandFailure(there + " is a file: name a directory");
    }
    requireWritable(there);
    if (missing != null) {
      requireMakeable(missing);
    }
  }

  /** Some systems' folders, such as /proc, take no other folder, whatever their permissions say. */
  private static void requireMakeable(Path folder) {
    try {
      Files.createDirectory(folder);
      Files.delete(folder);
    } catch (IOException e) {
      throw new CommandFailure(
          "directory " + folder + " cannot be made: name one in another place", e);
    }
  }

  /**
   * A file, which may be there already; its directory must be.
   *
   * @throws CommandFailure if it cannot be written
   */
  static void requireFile(Path file) {
    if (Files.isDirectory(file)) {
      throw new CommandFailure(file + " is a directory: name a file in it");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.exists(file) && !Files.isDirectory(folder)) {
      throw new CommandFailure("no directory " + folder + ": make it, or write elsewhere");
    }
    requireWritable(Files.exists(file) ? file : folder);
  }

  private static void requireWritable(Path place) {
    if (!Files.isWritable(place)) {
      throw new CommandFailure("no permission to write " + place + ": name another place");
    }
  }
}
