// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The page store as refresh strategies see it: pages that are in the index. */
final class StoredHistories implements RowHistories {
  private final PageStore pages;
  private final long present;

  StoredHistories(PageStore pages, long present) {
    this.pages = pages;
    this.present = present;
  }

  /** The same for whoever orders pages; see {@link BelievedHistories}. */
  RowHistories believed(long latest) {
    return isAnyAfter(latest) ? new BelievedHistories(this, latest) : this;
  }

  /** Whether a page was fetched after a time, in milliseconds, or had been until it was again. */
  boolean isAnyAfter(long time) {
    return columns().latestRefresh() > time;
  }

  /** The same without those that were fetched again; a look at all pages. */
  boolean isStillAnyAfter(long time) {
    columns().findLatestRefresh();
    return isAnyAfter(time);
  }

  @Override
  public long size() {
    return present;
  }

  @Override
  public Optional<PageHistory> of(String page) {
    return columns().of(page);
  }

  /** Pages written since {@link #forgetWritten}, now perhaps gone; empty if they are not known. */
  Optional<Set<String>> written() throws IOException {
    return pages.columns().written();
  }

  /** What was written until now was looked at. */
  void forgetWritten() throws IOException {
    pages.columns().forgetWritten();
  }

  @Override
  public void forEach(Consumer<? super PageHistory> reader) {
    columns().forEach(reader);
  }

  @Override
  public void forEachBut(Set<String> pages, Consumer<? super PageHistory> reader) {
    columns().forEachBut(pages, reader);
  }

  @Override
  public Optional<LearnedGains> learned(Instant now) {
    return Optional.of(columns().learned(this, now));
  }

  @Override
  public void markAll(Publishers publishers, Set<String> missed) {
    columns().markAll(publishers, missed);
  }

  @Override
  public void forEachUnseen(Publishers publishers, Consumer<String> taker) {
    columns().forEachUnseen(publishers, taker);
  }

  @Override
  public void unmark() {
    columns().unmark();
  }

  @Override
  public void mark(String page, int published, boolean missed) {
    columns().mark(page, published, missed);
  }

  @Override
  public LearnedGains learned(KnownPages told, Instant now) {
    return columns().learned(told, now);
  }

  private PageColumns columns() {
    try {
      return pages.columns();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
