// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/** What a line of a log says: a query, a click, or neither. */
public sealed interface LogRecord permits LogEntry, LogClick, LogRemark {}
