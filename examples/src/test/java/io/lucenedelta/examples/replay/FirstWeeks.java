// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.function.IntPredicate;

/** The first weeks of a run, where a test looks at no later ones. */
final class FirstWeeks implements ReplayProgress {
  private final IntPredicate enough;
  private int done;

  private FirstWeeks(IntPredicate enough) {
    this.enough = enough;
  }

  /**
   * Executes a run until a week after which it is enough, or to its end.
   *
   * @param enough is told after each week how many the run has gone through
   */
  static void of(Run run, IntPredicate enough) {
    try {
      run.execute(new FirstWeeks(enough));
    } catch (Enough e) {
      // what the run has fetched stands in its visits
    }
  }

  @Override
  public void begin(String task, long steps) {}

  @Override
  public void step() {
    if (enough.test(++done)) {
      throw new Enough();
    }
  }

  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
