// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;

/** Who holds a folder of measurements, in the words that stand in its lock file for others. */
final class LockHolder {
  /** Where this very process does, be it by classes that were loaded a second time. */
  static final String HERE = "this process";

  /** Where Linux tells what this machine is called, or this container. */
  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

  private static final String SAVING = ", which saves discovered pages";

  private LockHolder() {}

  /**
   * This process: its number, where that counts, and since when it runs. In each of two containers
   * that share a folder it may be number 1.
   */
  static String self() {
    ProcessHandle process = ProcessHandle.current();
    String host = host();
    String started =
        process
            .info()
            .startInstant()
            .map(instant -> ", started " + instant.truncatedTo(ChronoUnit.SECONDS))
            .orElse("");
    return "process " + process.pid() + (host.isEmpty() ? "" : " on " + host) + started;
  }

  /** The same where this process gives the folder free at once. */
  static String saving() {
    return self() + SAVING;
  }

  /** Whether somebody gives the folder free at once. */
  static boolean isSaving(String holder) {
    return holder.endsWith(SAVING);
  }

  /** Empty if it is not known; nobody asks the network, which may keep one waiting. */
  private static String host() {
    try {
      return Files.readString(HOST).strip();
    } catch (IOException | RuntimeException e) { // another system
      String windows = System.getenv("COMPUTERNAME");
      String others = windows == null ? System.getenv("HOSTNAME") : windows;
      return others == null ? "" : others;
    }
  }
}
