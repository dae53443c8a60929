// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.Optional;

/**
 * One line of a log → what it says. Never throws for what stands in a line: one that cannot be read
 * is a {@link LogRemark} with its cause. Keeps no state; safe for use by several threads.
 *
 * <p>Ask {@link LogFormats} for one, to read lines by. There is no way to give an ingest one of
 * your own: make a table of such a log ({@code docs/query-logs.md} has an example), or count its
 * queries by {@link io.lucenedelta.workload.QueryCounts}.
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
