// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.HashMap;
import java.util.Map;

/** Counts the steps that tasks promise and those that they take. */
final class CountedSteps implements ReplayProgress {
  final Map<String, Long> promised = new HashMap<>();
  final Map<String, Long> taken = new HashMap<>();
  private String current;

  @Override
  public synchronized void begin(String task, long steps) {
    current = task;
    promised.merge(task, steps, Long::sum);
  }

  @Override
  public synchronized void step() {
    taken.merge(current, 1L, Long::sum);
  }
}
