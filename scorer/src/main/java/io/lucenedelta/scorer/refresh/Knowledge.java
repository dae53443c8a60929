// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.Locale;

/** What a strategy may learn from. */
public enum Knowledge {
  /** What a crawler that saw every week would have recorded, as in the 2005 paper's section 6.2. */
  HINDSIGHT,
  /** What the strategy itself has fetched so far. */
  ONLINE;

  /** The name on the command line and in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
