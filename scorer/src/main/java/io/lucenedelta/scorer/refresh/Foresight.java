// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import io.lucenedelta.scorer.divergence.SampledCurve;
import java.time.Instant;

/**
 * What no crawler can know: the live Web now. Strategies that need it are reference lines; they
 * receive it through their constructor, so that none has it by accident. Not safe for use by
 * several threads.
 */
public interface Foresight {
  /**
   * The numerator of equation 6 (2005) if the page were refreshed now, everything else in the
   * repository staying as it is; can be negative by interaction with other stale pages.
   */
  double qualityGain(String page);

  /**
   * How a page drifted from what it was: its true fragment staleness at every known time after
   * {@code since} up to now.
   */
  SampledCurve drift(String page, Instant since);

  /** The same in holistic staleness: 1 where any fragment differed, 0 where none did. */
  SampledCurve holisticDrift(String page, Instant since);
}
