// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Locks the measurements in {@code FOLDER} and gives them free; its exit status tells how. With a
 * second argument it has them, as who saves discovered pages, until the file of that name, which it
 * makes, is deleted.
 */
public final class LockingProgram {
  static final int LOCKED = 0;
  static final int REFUSED = 3;

  private LockingProgram() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws Exception {
    try {
      if (arguments.length == 1) {
        StateFolder.lock(Path.of(arguments[0]), UnaryOperator.identity()).close();
      } else {
        save(Path.of(arguments[0]), Path.of(arguments[1]));
      }
    } catch (StateLockedException e) {
      System.exit(REFUSED);
    }
    System.exit(LOCKED);
  }

  private static void save(Path folder, Path until) throws Exception {
    try (StateFolder saving = StateFolder.lockToSave(folder)) {
      Files.createFile(until);
      while (Files.exists(until) && Files.exists(saving.path())) {
        Thread.sleep(1);
      }
    }
  }
}
