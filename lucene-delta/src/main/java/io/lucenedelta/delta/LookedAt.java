// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/** Counts the pages of a store that a check looks at, up to as many as are looked at. */
final class LookedAt {
  private final long most;
  private long pages;

  LookedAt(DeltaConfig config) {
    this.most = config.mostLookedAt();
  }

  /** Counts a page, if it is in the index; whether it was the last one to be looked at. */
  boolean count(PageEntry page) {
    pages += page.present ? 1 : 0;
    return all();
  }

  /** Whether there may be more than were looked at. */
  boolean all() {
    return pages == most;
  }

  long pages() {
    return pages;
  }
}
