// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;

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

  /** Pages written since {@link #forgetWritten}, now perhaps gone; empty if they are not known. */
  Optional<Set<String>> written() throws IOException {
    return pages.columns().written();
  }

  /** What was written until now was looked at. */
  void forgetWritten() throws IOException {
    pages.columns().forgetWritten();
  }

  @Override
  public PageColumns columns() {
    try {
      return pages.columns();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
