// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** How long something may still take; for one thread. */
final class TimeBudget {
  /** Calls of {@link #spend} between two looks at the clock. */
  private static final int STEPS = 256;

  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private final LongSupplier nanos;
  private final long begin;
  private final long most;
  private int steps;

  /** The time is up; what was under way is given up. */
  static final class Spent extends IOException {
    private static final long serialVersionUID = 1;

    private Spent() {
      super("the time budget is spent");
    }
  }

  /** A budget that begins to run now, by a clock that tells nanoseconds; 292 years at most. */
  TimeBudget(Duration most, LongSupplier nanos) {
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
    this.most = most.compareTo(LONGEST) < 0 ? most.toNanos() : Long.MAX_VALUE;
  }

  /** Notes a small step of work; looks at the clock now and then. */
  void spend() throws Spent {
    if (++steps >= STEPS) {
      check();
    }
  }

  /** Looks at the clock. */
  void check() throws Spent {
    steps = 0;
    if (nanos.getAsLong() - begin >= most) {
      throw new Spent();
    }
  }
}
