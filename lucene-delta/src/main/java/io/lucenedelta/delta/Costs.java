// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * CPU time by step of measuring, in thread CPU nanoseconds; counts only when switched on, since
 * asking for a thread's CPU time takes about 0.4 µs. A virtual thread tells none: what one that
 * indexes, or commits, does of measuring counts as nothing. The self-audit, which has a time of its
 * own ({@link DeltaConfig.Builder#selfAudit}), is not counted beyond drawing its sample, nor are
 * pages that opening a writer or {@link DeltaIndexWriter#rebuild} reads from the index.
 *
 * <p>Safe for several threads. Noting takes less a term than asking for CPU time: it is timed on
 * the wall, as a share of what writing the flush takes there, and gets that share of its CPU.
 */
public final class Costs {
  /** The steps of measuring that are told apart. */
  public enum Step {
    /** Noting the workload's postings while the delegate writes them. */
    NOTE,
    /** Grouping a flush's postings by page and encoding vectors. */
    FLUSH,
    /** Reading old vectors from the store. */
    STORE_GET,
    /** Score shifts from old and new vectors. */
    SHIFT,
    /** ΔQ_A and usefulness from score shifts. */
    QUALITY,
    /**
     * Writing the batch's refreshes and visits, and the rest of what a commit waits for; pages that
     * are read back from the index to settle a commit, also where a question or closing does that.
     */
    HISTORY,
    /** Merging files of refreshes into fewer, which about every eighth batch does. */
    MERGE,
    /** Finding out which captured copies are live. */
    RESOLVE,
    /** Writing new vectors and sums to the store. */
    STORE_PUT,
    /** Keeping up to date what pages are ordered by; nothing until somebody asks for the order. */
    ORDER,
    /** Telling rank functions what became of the batch's pages. */
    FOLLOW,
    /** Building rank functions from the index, and finding the usefulness of all pages by them. */
    RANKS
  }

  private static final int SAMPLED = 16; // of so many terms, or rounds, one is timed

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final boolean enabled;
  private final EnumMap<Step, LongAdder> nanos = new EnumMap<>(Step.class);
  private final AtomicInteger flushes = new AtomicInteger();

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

  /** Begins the noting of a flush, or null when nothing is counted. */
  Noting noting() {
    return enabled ? new Noting(flushes.getAndIncrement()) : null;
  }

  /**
   * The CPU of noting one flush, found in every 16th of its terms: a clock read for each would take
   * as long as most, and keep the processor from reading ahead. For one thread.
   *
   * <p>What a clock takes of its own time, which each interval holds once, is found where it is
   * read: twice in a row after each term. The least that it takes in a loop of its own is less, and
   * would leave the difference in every term.
   */
  final class Noting {
    private final long cpu = Costs.this.begin();
    private final long wall = System.nanoTime();
    private int terms;
    private boolean sampling;
    private long sampled; // may be negative until there are some
    private long last;

    /** Flushes hold much the same terms, so each begins with another one. */
    private Noting(int flush) {
      terms = flush;
    }

    /** The codec has done with a term, which is looked for in the workload. */
    void term() {
      sampling = terms++ % SAMPLED == 0;
      if (sampling) {
        last = System.nanoTime();
      }
    }

    /** Whether the term's time is taken. */
    boolean sampling() {
      return sampling;
    }

    /** It was not found, or its postings were read. */
    void noted() {
      if (sampling) {
        long now = System.nanoTime();
        long clock = System.nanoTime() - now;
        sampled += now - last - clock;
      }
    }

    /** The flush is written. */
    void end() {
      double share = SAMPLED * (double) sampled / (System.nanoTime() - wall);
      long spent = Costs.this.begin() - cpu;
      nanos.get(Step.NOTE).add(Math.round(Math.clamp(share, 0.0, 1.0) * spent));
    }
  }

  /** Begins a loop whose steps are too short to be timed each time. */
  Loop loop() {
    return new Loop();
  }

  /**
   * The CPU of one loop: taken once, from begin to end, less what asking for it takes meanwhile,
   * and divided among steps as they are found in every 16th round. For one thread.
   *
   * <p>What asking takes is found where it is asked, twice in a row as such a round begins, as in
   * {@link Noting}.
   */
  final class Loop {
    private final long begin = Costs.this.begin();
    private final boolean counting = enabled && begin >= 0; // a virtual thread says -1
    private final EnumMap<Step, long[]> sampled = new EnumMap<>(Step.class); // time, intervals
    private int rounds;
    private boolean sampling;
    private long last;
    private long twice; // between asking and asking again
    private long roundsSampled;
    private long asked; // in rounds

    private Loop() {}

    /** A round begins. */
    void round() {
      sampling = counting && rounds++ % SAMPLED == 0;
      if (sampling) {
        long before = Costs.this.begin();
        last = Costs.this.begin();
        twice += last - before;
        roundsSampled++;
        asked += 2;
      }
    }

    /** What this round did since its begin, or its last step, belongs to a step. */
    void step(Step step) {
      if (sampling) {
        long now = Costs.this.begin();
        long[] of = sampled.computeIfAbsent(step, first -> new long[2]);
        of[0] += now - last;
        of[1]++;
        last = now;
        asked++;
      }
    }

    /** Ends the loop; what no round can share goes to the given step. */
    void end(Step otherwise) {
      if (!counting) {
        return;
      }
      double asking = roundsSampled == 0 ? 0 : (double) twice / roundsSampled;
      double spent = Math.max(0, Costs.this.begin() - begin - asked * asking);
      EnumMap<Step, Double> steps = new EnumMap<>(Step.class);
      sampled.forEach((step, of) -> steps.put(step, Math.max(0, of[0] - of[1] * asking)));
      double all = steps.values().stream().mapToDouble(Double::doubleValue).sum();
      if (all == 0) {
        nanos.get(otherwise).add(Math.round(spent));
      } else {
        steps.forEach((step, time) -> nanos.get(step).add(Math.round(spent * time / all)));
      }
    }
  }

  /** The sums in one line, for people. */
  @Override
  public String toString() {
    return enabled ? "CPU nanoseconds by step " + nanos() : "CPU time is not counted";
  }

  /** CPU nanoseconds by step since the writer was opened; all 0 when not switched on. */
  public Map<Step, Long> nanos() {
    EnumMap<Step, Long> sums = new EnumMap<>(Step.class);
    nanos.forEach((step, sum) -> sums.put(step, sum.sum()));
    return sums;
  }
}
