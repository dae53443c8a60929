// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * The record of visits to one page: when, and how what was found compares with what was found
 * before.
 *
 * <p>Visits are numbered from 0, oldest first, each a second or more after the one before: time is
 * counted in seconds, and a rate of changes in no time means nothing. Visit 0 is the first fetch;
 * every later one is a refresh. {@link ChangeRate}, by which most strategies go that read visits,
 * refuses others by an {@link IllegalArgumentException}, but for two of the same second that found
 * the same.
 */
public interface Visits {
  /** The record of a page of which no visit is kept. */
  Visits NONE =
      new Visits() {
        @Override
        public int size() {
          return 0;
        }

        @Override
        public Instant time(int visit) {
          throw noVisit(visit);
        }

        @Override
        public boolean changed(int visit) {
          throw noVisit(visit);
        }

        @Override
        public double divergence(int from, int to) {
          throw noVisit(from);
        }

        private IndexOutOfBoundsException noVisit(int visit) {
          return new IndexOutOfBoundsException("visit " + visit + " of a page without visits");
        }
      };

  /** Number of visits, 0 or more. */
  int size();

  /** When a visit took place. */
  Instant time(int visit);

  /** Whether a visit found other contents than the visit before; false for visit 0. */
  boolean changed(int visit);

  /**
   * The divergence in [0, 1] between the contents found at two visits (2008, section 2.1): fragment
   * staleness, 0 for equal fragments.
   */
  double divergence(int from, int to);

  /** Days from one visit to another. */
  default double days(int from, int to) {
    return Days.between(time(from), time(to));
  }

  /** Days from the first visit to the last; 0 if there are fewer than two. */
  default double daysWatched() {
    return size() < 2 ? 0 : days(0, size() - 1);
  }
}
