// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * What no crawler can know: the live Web now. Strategies that need it are reference lines; they
 * receive it through their constructor, so that none has it by accident.
 */
public interface Foresight {
  /**
   * The numerator of equation 6 (2005) if the page were refreshed now, everything else in the
   * repository staying as it is; can be negative by interaction with other stale pages.
   */
  double qualityGain(String page);

  /**
   * Divergence in [0, 1] between a page's contents at two times, the later one not after now.
   *
   * @param base the time whose contents are compared
   * @param at the other time
   */
  double divergence(String page, Instant base, Instant at);
}
