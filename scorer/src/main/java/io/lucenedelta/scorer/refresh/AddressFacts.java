// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.List;

/**
 * Facts of a page of which no more than the address is public, and what its site tells of changes.
 *
 * @param published {@link PublishedChanges#NONE} where the site tells nothing
 */
record AddressFacts(PageHistory history, PublishedChanges published) implements PageFacts {
  @Override
  public String site() {
    return PageFacts.siteOf(history.page());
  }

  /** As many of every page, since nobody knows. */
  @Override
  public double expectedViews() {
    return 1;
  }

  @Override
  public double importance() {
    return 1;
  }

  @Override
  public int words() {
    return 0;
  }

  @Override
  public Provider provider() {
    return published.isNone() ? Provider.NORMAL : Provider.SMART;
  }

  @Override
  public int publishedChanges() {
    return published.fetched() + published.missed().size();
  }

  /** For a change that was fetched, the latest time at which it can have taken place. */
  @Override
  public Instant publishedChange(int i) {
    return i < published.fetched()
        ? history.lastRefresh()
        : published.missed().get(i - published.fetched());
  }

  /** Those fetched are counted at once: a feed may have announced tens of thousands. */
  @Override
  public int publishedSince(Instant since) {
    List<Instant> missed = published.missed();
    int first = missed.size();
    while (first > 0 && missed.get(first - 1).isAfter(since)) {
      first--;
    }
    boolean fetchedToo = first == 0 && history.lastRefresh().isAfter(since);
    return missed.size() - first + (fetchedToo ? published.fetched() : 0);
  }

  @Override
  public double changeProbability() {
    return 0;
  }

  @Override
  public Instant heardUntil(Instant now) {
    return published.heard().isAfter(now) ? now : published.heard();
  }

  @Override
  public double unpublishedShare() {
    return published.unpublishedShare();
  }
}
