// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.delta.DeltaConfig;

/**
 * When rank functions of a replay are due to be built anew: when page changes since make up {@link
 * DeltaConfig#REBUILD_SHARE} of the pages, each page counted as often as it changed. Those of a
 * live index follow every batch, and a change that was followed counts far less there. Not safe for
 * use by several threads.
 */
final class RankAge {
  private final double share;
  private double changes = Double.POSITIVE_INFINITY; // none were built yet

  private RankAge(double share) {
    this.share = share;
  }

  /** After as many changes as make a live index build them that did not follow. */
  static RankAge byChanges() {
    return new RankAge(DeltaConfig.REBUILD_SHARE);
  }

  /** Built once and never again. */
  static RankAge once() {
    return new RankAge(Double.POSITIVE_INFINITY);
  }

  /**
   * Whether they are due with so many pages known; they count as built from then on. Without pages
   * there is nothing to build.
   */
  boolean due(int pages) {
    boolean due = pages > 0 && changes >= share * pages;
    changes = due ? 0 : changes;
    return due;
  }

  /** A page with a change is refreshed. */
  void changed() {
    changes++;
  }
}
