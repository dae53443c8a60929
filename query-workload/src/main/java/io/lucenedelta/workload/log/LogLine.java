// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/**
 * A line that was read.
 *
 * @param record what it says
 * @param excerpt its beginning, for a sample, if the record is a remark; null otherwise
 * @param recoded whether it was not UTF-8 and was read as windows-1252
 */
record LogLine(LogRecord record, String excerpt, boolean recoded) {}
