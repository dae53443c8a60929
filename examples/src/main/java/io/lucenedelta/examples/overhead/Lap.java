// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What it took to index one batch once, or a part of it.
 *
 * @param wallSeconds time on the wall, until commits returned and merges were done
 * @param commitSeconds the part of it that commits took, until they returned
 * @param commits how many these were
 * @param cpuSeconds CPU of the whole process, garbage collection and compilation included
 * @param compilerSeconds for how long the compiler's own threads were at work meanwhile, on the
 *     wall: an upper bound of their part of the CPU
 * @param flushSeconds CPU of writing flushed postings, noting them included
 * @param allocatedBytes heap allocated by all threads
 * @param nanosByStep CPU that measuring accounted for, by step; empty without measuring
 */
record Lap(
    double wallSeconds,
    double commitSeconds,
    int commits,
    double cpuSeconds,
    double compilerSeconds,
    double flushSeconds,
    long allocatedBytes,
    Map<String, Long> nanosByStep) {

  /** What one commit took, on the mean; there must be one. */
  double secondsPerCommit() {
    return commitSeconds / commits;
  }

  /** This and another part of the same batch. */
  Lap plus(Lap other) {
    return with(other, 1);
  }

  /** What came after an earlier reading of the same clocks. */
  Lap less(Lap earlier) {
    return with(earlier, -1);
  }

  private Lap with(Lap other, int sign) {
    Map<String, Long> steps = new LinkedHashMap<>(nanosByStep);
    other.nanosByStep.forEach((step, nanos) -> steps.merge(step, sign * nanos, Long::sum));
    return new Lap(
        wallSeconds + sign * other.wallSeconds,
        commitSeconds + sign * other.commitSeconds,
        commits + sign * other.commits,
        cpuSeconds + sign * other.cpuSeconds,
        compilerSeconds + sign * other.compilerSeconds,
        flushSeconds + sign * other.flushSeconds,
        allocatedBytes + sign * other.allocatedBytes,
        steps);
  }
}
