// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.nio.file.Path;

/** A file that cannot be opened as a {@link Workload}; the message says what to do about it. */
public final class WorkloadFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What is wrong with the file. */
  public enum Problem {
    /** The file does not begin as a workload does: another kind of file. */
    NOT_A_WORKLOAD,
    /** A workload, written by another version of this software. */
    OTHER_VERSION,
    /** A workload whose end is missing. */
    TRUNCATED,
    /** A workload whose bytes are not those that were written. */
    CORRUPT
  }

  private final Problem problem;

  WorkloadFileException(Problem problem, Path file, String what) {
    super(file + ": " + what);
    this.problem = problem;
  }

  /** What is wrong with the file. */
  public Problem problem() {
    return problem;
  }
}
