// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What tests need that write scripts and run them. */
public final class FreshScripts {
  /**
   * Held by test classes that run what they have just written; shared by those that start other
   * programs. For a moment a new process has open whatever this one has, and a file that is open
   * for writing cannot be run ("Text file busy"). {@link CleanCheckoutTest} does not share it: it
   * starts one program alone, and everybody would wait until a whole build has ended.
   */
  public static final String RUN = "scripts just written";

  private FreshScripts() {}

  /**
   * Whether they can be run where temporary files are: not where that is mounted noexec. The
   * library that reads zstd is put there, too.
   */
  public static boolean canRun() throws IOException {
    Path script = Files.createTempFile("script", ".sh");
    try {
      return script.toFile().setExecutable(true) && Files.isExecutable(script);
    } finally {
      Files.delete(script);
    }
  }

  /** Whether a terminal can be made: in some chroots there is none. */
  static boolean canOpenTerminal() {
    try (FileChannel terminal = FileChannel.open(Path.of("/dev/ptmx"), StandardOpenOption.WRITE)) {
      return terminal.isOpen();
    } catch (IOException e) {
      return false;
    }
  }
}
