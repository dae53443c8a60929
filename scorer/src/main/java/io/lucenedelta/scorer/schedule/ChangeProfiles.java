// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.Visits;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The change profiles of a page (2008, section 4.1): up to h base versions, each with the
 * divergence of every later visit from it.
 *
 * <p>The paper starts a profile at each refresh and keeps h of them, at sizes of 4 to 12
 * observations (section 5.2), the base measurement being the first of them (section 4.1). It does
 * not say which are kept. Here a profile that has 12 observations, its base and 11 later visits, is
 * closed, and the next visit starts a new one in its place: at most h are open, and never more than
 * 12. One that is closed grows no more, so it needs no summary of its base version, and counts
 * until the one in its place has 4 observations. So with h = 1 one profile is filled after the
 * other, and none is ever forgotten before another can stand for it. Distances that differ by
 * little count as {@linkplain #sameDays equal}. Computed from the visits alone.
 */
record ChangeProfiles(List<Profile> profiles) {
  /** Share of the shortest interval between visits by which equal distances may differ. */
  private static final double SAME = 0.01;

  /** Observations, the base among them, with which a profile is closed. */
  private static final int FULL = 12;

  /** Observations, the base among them, with which it takes the place of a closed one. */
  private static final int FEWEST = 4;

  /**
   * One profile.
   *
   * @param base number of the visit whose contents are compared
   * @param end number of the last visit that is compared
   */
  record Profile(int base, int end) {}

  /**
   * Days by which two distances between visits may differ and yet count as equal: snapshots begin
   * some minutes early or late. A hundredth of the shortest interval between the first {@code size}
   * visits, 0 for fewer than two.
   */
  static double sameDays(Visits visits, int size) {
    double shortest = 0;
    for (int visit = 1; visit < size; visit++) {
      double interval = visits.days(visit - 1, visit);
      shortest = visit == 1 ? interval : Math.min(shortest, interval);
    }
    return SAME * shortest;
  }

  /** The profiles after a record of visits. */
  static ChangeProfiles of(Visits visits, int h) {
    return of(visits.size(), h);
  }

  /** The profiles after the first {@code size} visits. */
  static ChangeProfiles of(int size, int h) {
    List<Integer> open = new ArrayList<>();
    List<Profile> closed = new ArrayList<>();
    for (int visit = 0; visit < size; visit++) {
      if (!open.isEmpty() && visit - open.get(0) >= FULL) {
        if (size - visit < FEWEST) {
          closed.add(new Profile(open.get(0), visit - 1));
        }
        open.removeFirst();
      }
      if (open.size() < h) {
        open.add(visit);
      }
    }
    Stream<Profile> growing = open.stream().map(base -> new Profile(base, size - 1));
    return new ChangeProfiles(Stream.concat(closed.stream(), growing).toList());
  }
}
