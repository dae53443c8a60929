// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.Objects;

/**
 * Refreshes the pages whose refresh gains most now, by their true exact gain: the upper reference.
 *
 * <p>Greedy and near-sighted: gains are taken one by one against the repository at the start of the
 * round, so neither how two refreshes in one period interact nor how long a gain will last is
 * considered. A strategy that looks further ahead could beat it. Pages that gain nothing are left
 * alone.
 */
public final class Clairvoyant implements RefreshPolicy {
  private final Foresight foresight;
  private final long seed;

  /**
   * Sees the live Web through {@code foresight}.
   *
   * @throws NullPointerException if that is null
   */
  public Clairvoyant(Foresight foresight, long seed) {
    this.foresight = Objects.requireNonNull(foresight, "the clairvoyant needs foresight, was null");
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    Priority gain =
        (page, now) -> {
          double exact = foresight.qualityGain(page.page());
          return exact > 0 ? exact : Priority.NEVER;
        };
    return gain.highestFirst(seed);
  }
}
