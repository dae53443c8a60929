// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * What is known of one page's past refreshes.
 *
 * <p>A refresh is <em>measured</em> when the page had been fetched before, so that an interval and
 * a quality change exist. Intervals are in days; quality changes are ΔQ_A (2005, section 5), in
 * units of query frequency × score.
 *
 * <p>In {@linkplain Knowledge#HINDSIGHT hindsight} a refresh is measured at each change of the
 * page, and no other: {@link #changes} is {@link #refreshes}, and {@link #totalDays} has also the
 * time from the last change to the end of what is recorded. How often the page was looked at,
 * {@link KnownPage#visits} tell.
 *
 * <p>Sums are finite. {@link UserUtility} and {@link UserCentric}, which learn from all pages,
 * refuse others by an {@link IllegalArgumentException} that names the page: leave a refresh
 * unmeasured whose quality change is not finite.
 */
public interface PageHistory {
  /** The page's key, usually its URL. */
  String page();

  /** When the page was last fetched: LR(p, t). */
  Instant lastRefresh();

  /** The last fetch as it is recorded, also where {@link #lastRefresh} does not believe that. */
  default Instant recordedRefresh() {
    return lastRefresh();
  }

  /** Number of measured refreshes, 0 or more. */
  int refreshes();

  /** The sum over measured refreshes of {@link UserCentric#rateOfRefresh ΔQ_A / interval}. */
  double sumOfRates();

  /** The sum over measured refreshes of ΔQ_A. */
  double totalGain();

  /**
   * The sum over measured refreshes of the interval, in days; in hindsight, with the time since the
   * last of them.
   */
  double totalDays();

  /**
   * Number of measured refreshes that found the page changed, from 0 to {@link #refreshes}. In a
   * live index, those whose ΔQ_A was above 0. Where storage cannot tell, every measured refresh of
   * a page that ever gained.
   */
  default int changes() {
    return totalGain() > 0 ? refreshes() : 0;
  }

  /**
   * The sum over measured refreshes of √ΔQ_A: tells one large gain from many small ones. Where
   * storage does not keep it, as if all changes had gained the same.
   */
  default double totalRootGain() {
    return Math.sqrt(changes() * Math.max(0, totalGain()));
  }

  /**
   * What users get from the page as it was last fetched: the sum over queries of f_q · I(rank) ·
   * score, its own part of equation 3 (2005), 0 or more; negative where it is not known, as it is
   * taken to be where it is not finite.
   */
  default double usefulness() {
    return -1;
  }

  /** The directories the page lies in. Storage that keeps them spares reading the key. */
  default DirectoryPath directories() {
    return DirectoryPath.of(page());
  }

  /** Another history, but for what is overridden. */
  interface Wrapper extends PageHistory {
    /** The other history. */
    PageHistory history();

    @Override
    default String page() {
      return history().page();
    }

    @Override
    default Instant lastRefresh() {
      return history().lastRefresh();
    }

    @Override
    default Instant recordedRefresh() {
      return history().recordedRefresh();
    }

    @Override
    default int refreshes() {
      return history().refreshes();
    }

    @Override
    default double sumOfRates() {
      return history().sumOfRates();
    }

    @Override
    default double totalGain() {
      return history().totalGain();
    }

    @Override
    default double totalDays() {
      return history().totalDays();
    }

    @Override
    default int changes() {
      return history().changes();
    }

    @Override
    default double totalRootGain() {
      return history().totalRootGain();
    }

    @Override
    default double usefulness() {
      return history().usefulness();
    }

    @Override
    default DirectoryPath directories() {
      return history().directories();
    }
  }
}
