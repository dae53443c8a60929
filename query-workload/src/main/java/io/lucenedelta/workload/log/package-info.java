// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes of query logs → what was asked how often, with an honest count of every line.
 *
 * <p>Logs enter as files or streams, packed or plain, in one of several formats; a workload leaves
 * through {@link io.lucenedelta.workload.log.WorkloadIngest}, where to start, as {@link
 * io.lucenedelta.workload.log.IngestSettings} say, together with a {@link
 * io.lucenedelta.workload.log.ParseTally} in which each line has one {@link
 * io.lucenedelta.workload.log.Fate}. A format is one class: a line in, a {@link
 * io.lucenedelta.workload.log.LogRecord} out, no state, no exceptions; formats of columns, in which
 * the long logs are, read the bytes where they lie.
 *
 * <p>Lines are parsed by several threads and received by one, in order: the same logs give the same
 * workload whatever the number of threads.
 */
package io.lucenedelta.workload.log;

// Inside: such a format is a ByteLogFormat. Either way lines become columns of numbers
// (ParsedLines), which LogFold adds up. What needs the lines before, such as which requests belong
// to one query, is in one place: SessionRules.
