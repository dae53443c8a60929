// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.Map;

/**
 * What it took to index one batch once.
 *
 * @param wallSeconds time on the wall, until the commit returned and merges were done
 * @param cpuSeconds CPU of the whole process, garbage collection and compilation included
 * @param compilerSeconds what the compiler was busy meanwhile, in its own threads
 * @param flushSeconds CPU of writing flushed postings, noting them included
 * @param allocatedBytes heap allocated by all threads
 * @param nanosByStep CPU that measuring accounted for, by step; empty without measuring
 */
record Lap(
    double wallSeconds,
    double cpuSeconds,
    double compilerSeconds,
    double flushSeconds,
    long allocatedBytes,
    Map<String, Long> nanosByStep) {

  /** CPU that measuring accounted for, all steps. */
  double attributedSeconds() {
    return nanosByStep.values().stream().mapToLong(Long::longValue).sum() / 1e9;
  }
}
