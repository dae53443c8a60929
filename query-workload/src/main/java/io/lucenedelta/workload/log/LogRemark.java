// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/**
 * A line that is neither query nor click.
 *
 * @param fate why not
 */
public record LogRemark(Fate fate) implements LogRecord {}
