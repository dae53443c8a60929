// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.math3.random.RandomDataGenerator;

/**
 * A region of a page under the generative model of Olston and Pandey (2008, section 3.3): updates
 * arrive as a Poisson process of rate λ; each puts a new item first and evicts the item that was
 * put K updates before.
 *
 * <p>K = 1 is the churn region, in which an update replaces everything (the paper notes that the
 * scroll model degenerates so); larger K is a scroll region; rate 0 is a static one.
 */
final class DemoRegion {
  private final double updatesPerWeek;
  private final Supplier<String> writer;
  private final Deque<String> items = new ArrayDeque<>();

  /**
   * A region that starts full.
   *
   * @param updatesPerWeek λ, 0 or more
   * @param capacity K, at least 1
   * @param writer writes the text of a new item
   */
  DemoRegion(double updatesPerWeek, int capacity, Supplier<String> writer) {
    this.updatesPerWeek = updatesPerWeek;
    this.writer = writer;
    for (int i = 0; i < capacity; i++) {
      items.addFirst(writer.get());
    }
  }

  /** Lets a week pass; tells whether anything changed. */
  boolean passWeek(RandomDataGenerator random) {
    long updates = updatesPerWeek > 0 ? random.nextPoisson(updatesPerWeek) : 0;
    for (long i = 0; i < updates; i++) {
      items.addFirst(writer.get());
      items.removeLast();
    }
    return updates > 0;
  }

  /** The items, newest first. */
  Collection<String> items() {
    return List.copyOf(items);
  }
}
