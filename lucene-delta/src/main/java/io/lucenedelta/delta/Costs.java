// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * CPU time by step of measuring, in thread CPU nanoseconds; counts only when switched on, since
 * asking for a thread's CPU time costs about a microsecond.
 *
 * <p>Safe for several threads. What noting a posting costs inside the codec's own iteration is in
 * no step: it is too small to be timed by itself.
 */
public final class Costs {
  /** The steps of measuring that are told apart. */
  public enum Step {
    /** Grouping a flush's postings by page and encoding vectors. */
    FLUSH,
    /** Reading old vectors from the store. */
    STORE_GET,
    /** Score shifts from old and new vectors. */
    SHIFT,
    /** ΔQ_A from score shifts. */
    QUALITY,
    /** Writing the batch's refreshes. */
    HISTORY,
    /** Finding out which captured copies are live. */
    RESOLVE,
    /** Writing new vectors and sums to the store. */
    STORE_PUT,
    /** Building rank functions from the index. */
    RANKS
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final boolean enabled;
  private final EnumMap<Step, LongAdder> nanos = new EnumMap<>(Step.class);

  Costs(boolean enabled) {
    this.enabled = enabled && THREADS.isCurrentThreadCpuTimeSupported();
    for (Step step : Step.values()) {
      nanos.put(step, new LongAdder());
    }
  }

  long begin() {
    return enabled ? THREADS.getCurrentThreadCpuTime() : 0;
  }

  /** Counts the time since {@code begin} and returns now, the begin of what follows. */
  long end(Step step, long begin) {
    if (!enabled) {
      return 0;
    }
    long now = THREADS.getCurrentThreadCpuTime();
    nanos.get(step).add(now - begin);
    return now;
  }

  /** CPU nanoseconds by step since the writer was opened; all 0 when not switched on. */
  public Map<Step, Long> nanos() {
    EnumMap<Step, Long> sums = new EnumMap<>(Step.class);
    nanos.forEach((step, sum) -> sums.put(step, sum.sum()));
    return sums;
  }
}
