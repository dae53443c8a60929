// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Locks the measurements in {@code FOLDER} and gives them free; its exit status tells how. */
public final class LockingProgram {
  static final int LOCKED = 0;
  static final int REFUSED = 3;

  private LockingProgram() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws IOException {
    try {
      StateFolder.lock(Path.of(arguments[0]), UnaryOperator.identity()).close();
    } catch (StateLockedException e) {
      System.exit(REFUSED);
    }
    System.exit(LOCKED);
  }
}
