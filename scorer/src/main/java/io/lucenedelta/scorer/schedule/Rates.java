// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import java.util.Objects;

/** How a strategy comes to the rates at which pages change. */
public enum Rates {
  /**
   * Known, as sources that take them as given have it: what is recorded of a page is all there is,
   * so that no change is added to it, and a page that did not change has rate 0.
   */
  KNOWN,
  /** Estimated, once for good, from a record that ends before the periods that are planned for. */
  LEARNED,
  /** Estimated from a record that each fetch adds to. */
  LEARNING;

  /**
   * Rates, checked.
   *
   * @throws NullPointerException if they are null
   */
  static Rates named(Rates rates) {
    return Objects.requireNonNull(
        rates, "how rates of change come about, known, learned or learning, is needed, was null");
  }
}
