// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.Optional;

/**
 * One line of a log → what it says. Implementations never throw for what stands in a line: a line
 * they cannot read is a {@link LogRemark} with its cause. They keep no state and are safe for use
 * by several threads.
 */
public interface LogFormat {
  /** The name by which users ask for it. */
  String name();

  /** What may have been taken for something else when the format was recognised; mostly nothing. */
  default Optional<String> doubt() {
    return Optional.empty();
  }

  /** Reads a line, without its line end. */
  LogRecord read(String line);
}
