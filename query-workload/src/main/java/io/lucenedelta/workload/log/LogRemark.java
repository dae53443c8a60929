// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/**
 * A line that is neither query nor click.
 *
 * @param fate why not
 * @param field the field that cannot be read, behind the name of its column; empty if it is not one
 */
public record LogRemark(Fate fate, String field) implements LogRecord {
  /** A line of which no field is at fault. */
  public LogRemark(Fate fate) {
    this(fate, "");
  }
}
