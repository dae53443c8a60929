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

  @Override
  public long size() {
    return present;
  }

  @Override
  public Optional<PageHistory> of(String page) {
    try {
      return pages.columns().of(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    try {
      pages.columns().forEach(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void forEachBut(Set<String> pages, Consumer<? super PageHistory> reader) {
    try {
      this.pages.columns().forEachBut(pages, reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<LearnedGains> learned(Instant now) {
    try {
      return Optional.of(pages.columns().learned(this, now));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void markAll(Publishers publishers, Set<String> missed) {
    try {
      pages.columns().markAll(publishers, missed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void forEachUnseen(Publishers publishers, Consumer<String> taker) {
    try {
      pages.columns().forEachUnseen(publishers, taker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void unmark() {
    try {
      pages.columns().unmark();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void mark(String page, int published, boolean missed) {
    try {
      pages.columns().mark(page, published, missed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public LearnedGains learned(KnownPages told, Instant now) {
    try {
      return pages.columns().learned(told, now);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
