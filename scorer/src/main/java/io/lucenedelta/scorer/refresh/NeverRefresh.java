// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.List;

/** Refreshes nothing: the lower reference. */
public final class NeverRefresh implements RefreshPolicy {
  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    return (pages, now, left) -> List.of();
  }
}
