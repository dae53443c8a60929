// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/**
 * A line that reports a click on a result and nothing else.
 *
 * @param rank rank of the clicked result, from 1; 0 when the log does not say, and {@link
 *     LogEntry#RANK_ZERO} where it says 0
 */
public record LogClick(int rank) implements LogRecord {}
