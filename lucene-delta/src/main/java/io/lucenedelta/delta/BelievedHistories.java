// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Histories for whoever orders pages: a last fetch still to come, of a clock that was ahead, is not
 * believed. When the page was fetched nobody knows then, and it counts as fetched {@linkplain
 * #UNKNOWN long ago}: it is due until it is fetched by a clock that is right. What is kept stays as
 * it is, since the clock may be wrong that says so.
 *
 * @param latest in milliseconds, see {@link FetchTimes#latest}
 */
record BelievedHistories(RowHistories all, long latest) implements RowHistories {
  /** The last fetch of pages of which nobody knows it. */
  static final Instant UNKNOWN = Instant.EPOCH;

  private PageHistory believed(PageHistory page) {
    boolean ahead = page.lastRefresh().toEpochMilli() > latest;
    return ahead ? new Undated((MarkedHistory) page) : page;
  }

  @Override
  public PageColumns columns() {
    return all.columns();
  }

  @Override
  public long size() {
    return all.size();
  }

  @Override
  public Optional<PageHistory> of(String page) {
    return all.of(page).map(this::believed);
  }

  @Override
  public void forEach(Consumer<? super PageHistory> reader) {
    all.forEach(page -> reader.accept(believed(page)));
  }

  @Override
  public void forEach(Set<String> pages, Consumer<? super PageHistory> reader) {
    all.forEach(pages, page -> reader.accept(believed(page)));
  }

  @Override
  public void forEachBut(Set<String> pages, Consumer<? super PageHistory> reader) {
    all.forEachBut(pages, page -> reader.accept(believed(page)));
  }

  /** From what is kept, not from what is believed: writes take out what they find there. */
  @Override
  public Optional<LearnedGains> learned(Instant now) {
    return all.learned(now);
  }

  /** A page of which nobody knows when it was fetched. */
  private record Undated(MarkedHistory history) implements MarkedHistory, PageHistory.Wrapper {
    @Override
    public Instant lastRefresh() {
      return UNKNOWN;
    }

    @Override
    public int publishedAndFetched() {
      return history.publishedAndFetched();
    }

    @Override
    public boolean missed() {
      return history.missed();
    }
  }
}
