// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/**
 * Some whole lines of a log, or the beginning of one that is too long.
 *
 * @param bytes the lines with their line ends, in the first {@code length} bytes
 * @param tooLong whether this is the beginning of one line that is too long
 * @param cutOff whether the input broke off within the last line
 */
record LogBlock(byte[] bytes, int length, boolean tooLong, boolean cutOff) {}
