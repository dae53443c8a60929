// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.PageHistory;

/** A history that tells, without a look at its key, what {@link Publishers} knows of the page. */
interface MarkedHistory extends PageHistory {
  /** How many changes the page published that were fetched; −1 if it never published any word. */
  int publishedAndFetched();

  /** Whether it published others, some of which may be still to come. */
  boolean missed();
}
