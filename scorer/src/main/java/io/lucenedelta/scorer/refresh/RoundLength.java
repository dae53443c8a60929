// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Instant;

/**
 * How long a round takes, in which there is a refresh for every page: from when the pages were
 * first and last fetched, and how often in between. A page counts at most one refresh a day, as if
 * handed out once in each period of a live order: a few that others index again every hour would
 * make a round hours long and all pages overdue. Whole numbers, so that what is taken away leaves
 * no trace. Not safe for use by several threads while something is added.
 */
final class RoundLength {
  /** 2242: a fetch long after us is at a time that nobody knows. */
  private static final long LATEST_FETCH = 1L << 33;

  /** How much longer than by the record of all time a round can be for the age of the pages. */
  private static final double SLOWER = 4;

  private long pagesFetched;
  private long refreshes;
  private long firstFetches; // sum of seconds since 1970
  private long lastFetches;

  /** Adds a page that was fetched, or with a sign of −1 takes away what was added. */
  void add(KnownPage page, int sign) {
    pagesFetched += sign;
    refreshes += sign * refreshesByTheDay(page);
    long last = within(page.lastRefresh().getEpochSecond());
    firstFetches += sign * within(last - Math.round(page.totalDays() * Days.SECONDS_A_DAY));
    lastFetches += sign * last;
  }

  /** Measured refreshes, but no more than there are days in the record, one that has begun too. */
  private static long refreshesByTheDay(KnownPage page) {
    return Math.min(page.refreshes(), (long) Math.ceil(page.totalDays()));
  }

  /** Refreshes of all pages, of each at most one a day. */
  long refreshes() {
    return refreshes;
  }

  private static long within(long epochSecond) {
    return Math.max(RecordedChanges.EARLIEST_FETCH, Math.min(LATEST_FETCH, epochSecond));
  }

  /**
   * Days in which there is a refresh for every page, by the record: the days since all pages were
   * first fetched over the number of their refreshes, a day and page at most one, since nobody says
   * how many there will be. Where there have been fewer of late, the mean age of the pages tells it
   * sooner; up to a factor of {@value #SLOWER}, since pages that are gone but kept age as well.
   * Infinite as long as nothing was refreshed.
   */
  double days(Instant now) {
    if (refreshes <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    double seconds = pagesFetched * (double) now.getEpochSecond();
    double recorded = (seconds - firstFetches) / refreshes;
    double age = (seconds - lastFetches) / pagesFetched;
    double round = Math.max(recorded, Math.min(age, SLOWER * recorded));
    return round > 0 ? round / Days.SECONDS_A_DAY : Double.POSITIVE_INFINITY;
  }

  /** The same, independent of this one. */
  RoundLength copy() {
    RoundLength copy = new RoundLength();
    copy.pagesFetched = pagesFetched;
    copy.refreshes = refreshes;
    copy.firstFetches = firstFetches;
    copy.lastFetches = lastFetches;
    return copy;
  }

  /** Writes counts and sums. */
  void write(DataOutput out) throws IOException {
    out.writeLong(pagesFetched);
    out.writeLong(refreshes);
    out.writeLong(firstFetches);
    out.writeLong(lastFetches);
  }

  /** Goes on with what was written. */
  void read(DataInput in) throws IOException {
    pagesFetched = in.readLong();
    refreshes = in.readLong();
    firstFetches = in.readLong();
    lastFetches = in.readLong();
  }
}
