// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.Visits;
import java.util.ArrayList;
import java.util.List;

/**
 * The change profiles of a page (2008, section 4.1): up to h base versions, each with the
 * divergence of every later visit from it.
 *
 * <p>The paper starts a profile at each refresh and keeps h of them, at sizes of 4 to 12
 * observations. It does not say which are kept; here a profile that has 12 observations is closed
 * and the next visit starts a new one in its place. So with h = 1 one profile is filled after the
 * other. Computed from the visits alone.
 */
record ChangeProfiles(List<Profile> profiles) {
  /** Observations after which a profile is replaced. */
  private static final int FULL = 12;

  /**
   * One profile.
   *
   * @param base number of the visit whose contents are compared
   * @param end number of the last visit that is compared
   */
  record Profile(int base, int end) {}

  /** The profiles after a record of visits. */
  static ChangeProfiles of(Visits visits, int h) {
    return of(visits.size(), h);
  }

  /** The profiles after the first {@code size} visits. */
  static ChangeProfiles of(int size, int h) {
    List<Integer> bases = new ArrayList<>();
    for (int visit = 0; visit < size; visit++) {
      if (!bases.isEmpty() && bases.size() == h && visit - bases.get(0) >= FULL) {
        bases.removeFirst();
      }
      if (bases.size() < h) {
        bases.add(visit);
      }
    }
    return new ChangeProfiles(bases.stream().map(base -> new Profile(base, size - 1)).toList());
  }
}
