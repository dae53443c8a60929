// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * What is known of a page beside its visits: where it stands, how users meet it, what its site
 * publishes about it. Nothing here says more than was public at the time of the decision.
 */
public interface PageFacts {
  /** What a site's owner tells about changes (survey, section 1: Xu and others 2007). */
  enum Provider {
    /** Tells nothing. */
    NORMAL,
    /** Tells when the page changed. */
    SMART,
    /** Tells when the page changed and how likely it changes in the next period. */
    SUPER
  }

  /**
   * The site of the page: the host of its address, or the address up to the first slash; empty
   * where it has neither, as an id has.
   */
  String site();

  /**
   * Expected views a workload brings to the page: sum over queries of f_q · I(rank), by the
   * rankings at the start; 0 or more, the same for all pages where nobody knows. They stand where
   * sources have the clicks of a page, which no log of queries alone tells.
   */
  double expectedViews();

  /** Static importance of the page, 1 + in-links where they are known, else 1. */
  double importance();

  /** Number of words at the last visit, 0 when never fetched. */
  int words();

  /** What the site tells about this page. */
  Provider provider();

  /**
   * Number of changes the site has published for the page so far, 0 for {@link Provider#NORMAL}.
   */
  int publishedChanges();

  /** When the i-th published change took place, oldest first, never later than now. */
  Instant publishedChange(int i);

  /**
   * Published probability that the page changes within the next period, in [0, 1]; 0 unless {@link
   * Provider#SUPER}.
   */
  double changeProbability();

  /**
   * Until when the silence of the page's site means that the page has not changed, not later than
   * {@code now}: for a site that tells of every change at once, now. Means nothing for {@link
   * Provider#NORMAL}.
   */
  default Instant heardUntil(Instant now) {
    return now;
  }

  /**
   * The share of changes that the site had not published, among those that fetches found on pages
   * for which it publishes, in [0, 1]; 0 where nobody counts. Means nothing for {@link
   * Provider#NORMAL}.
   */
  default double unpublishedShare() {
    return 0;
  }

  /** Number of published changes later than {@code since}. */
  default int publishedSince(Instant since) {
    int first = publishedChanges();
    while (first > 0 && publishedChange(first - 1).isAfter(since)) {
      first--;
    }
    return publishedChanges() - first;
  }

  /** Whether the site published a change later than {@code since}. */
  default boolean anyPublishedSince(Instant since) {
    return publishedChanges() > 0 && publishedChange(publishedChanges() - 1).isAfter(since);
  }

  /** Where the host of an address begins: behind its scheme, or at 0 if it has none. */
  static int afterScheme(String address) {
    int slash = address.indexOf('/'); // one before "://" would be of a path
    return slash > 0 && address.startsWith("://", slash - 1) ? slash + 2 : 0;
  }

  /**
   * The site part of an address: its host, or without a scheme what stands before a slash, nothing
   * where there is none. So ids such as {@code 4711} are all of one site, as in {@link
   * DirectoryPath}.
   */
  static String siteOf(String address) {
    int start = afterScheme(address);
    int end = start;
    while (end < address.length() && !endsSite(address.charAt(end), start > 0)) {
      end++;
    }
    return start == 0 && end == address.length() ? "" : address.substring(start, end);
  }

  private static boolean endsSite(char c, boolean host) {
    return c == '/' || (host && (c == '?' || c == '#'));
  }
}
