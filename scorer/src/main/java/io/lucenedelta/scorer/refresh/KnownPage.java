// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Everything a strategy may know about one page when it decides.
 *
 * <p>The sums of {@link PageHistory} are enough for the strategy of the 2005 paper; {@link #visits}
 * and {@link #facts} serve the others and are empty where storage does not keep them. A strategy
 * cannot use what is not reachable from here: that is how an online replay hides the future.
 */
public interface KnownPage extends PageHistory {
  /** The record of past visits, oldest first; empty where it is not kept. */
  Visits visits();

  /**
   * When it was fetched, oldest first and at {@link #lastRefresh} last; empty where that is not
   * kept. With hindsight {@link #visits} tell of more than that; without, of the same.
   */
  default List<Instant> fetches() {
    Visits visits = visits();
    return IntStream.range(0, visits.size()).mapToObj(visits::time).toList();
  }

  /** Its measured refreshes one by one, where storage keeps more than their sums. */
  default MeasuredRefreshes measured() {
    return MeasuredRefreshes.NOT_KEPT;
  }

  /** What is known beside the page's own contents. */
  PageFacts facts();

  /**
   * Whether the page's address is known but its contents were never fetched. Then {@link
   * #lastRefresh} is when the address became known.
   */
  default boolean neverFetched() {
    return false;
  }

  /**
   * End of the period that the measured refreshes cover; {@link #totalDays} counts back from it.
   * Usually the last refresh; earlier where one learning serves many periods.
   */
  default Instant recordedUntil() {
    return lastRefresh();
  }

  /**
   * For a page never fetched: by what factor the words told about it promise it to be more useful
   * than is usual in its directory; 1 without words.
   */
  default double wordFactor() {
    return 1;
  }

  /**
   * A page of which only the address is known.
   *
   * @param page its key, and since when it is known as {@link PageHistory#lastRefresh}
   * @param wordFactor what words about it promise, 1 where none are known
   */
  static KnownPage neverFetched(PageHistory page, double wordFactor) {
    return new KnownPages.SummedPage(page, true, PublishedChanges.NONE, wordFactor);
  }

  /** Days since the last refresh, t − LR(p, t); 0 when {@code now} is not later. */
  default double age(Instant now) {
    return Math.max(0, Days.between(lastRefresh(), now));
  }
}
