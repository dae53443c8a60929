// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.Locale;

/** What a strategy may learn from. */
public enum Knowledge {
  /**
   * What a crawler that saw every week would have recorded, as in the 2005 paper's section 6.2:
   * every week is among a page's {@linkplain KnownPage#visits visits}, but a refresh is measured
   * only where the page changed, as if each change were refreshed at once.
   *
   * <p>Where the weeks recorded are those to come, what did not change in them is known not to, and
   * strategies leave it alone, but for {@link UserCentric}, which spends on it what is left of the
   * budget, and {@code IncrementalBuckets}, where it has the frequency of its bucket.
   */
  HINDSIGHT,
  /** What the strategy itself has fetched so far. */
  ONLINE;

  /** The name on the command line and in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
