// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.crawl.SnapshotReader;
import io.lucenedelta.examples.crawl.SnapshotTally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;

/** Indexes the weeks of a crawl one after the other, each as a whole or not at all. */
final class WeekIndexing implements SnapshotReader {
  private final MeasuredIndex measured;
  private final SnapshotArchive archive;
  private final Set<String> known = new HashSet<>();
  private final Set<String> unseen = new HashSet<>(); // in the week read last
  private final SnapshotTally total;
  private final Progress progress;
  private long updated; // in the week under way

  /**
   * Goes on with the pages that are measured already.
   *
   * @param total gets what is read of all weeks
   */
  WeekIndexing(
      MeasuredIndex measured, SnapshotArchive archive, SnapshotTally total, Progress progress)
      throws IOException {
    this.measured = measured;
    this.archive = archive;
    this.total = total;
    this.progress = progress;
    measured.writer().withHistories(pages -> pages.forEach(page -> known.add(page.page())));
  }

  /**
   * Indexes a week, with pages of those from {@code from} on, which were skipped; or nothing, if
   * something fails.
   */
  SnapshotTally index(int from, int week) throws IOException {
    updated = 0;
    try {
      for (int skipped = from; skipped < week; skipped++) {
        total.add(archive.read(skipped, this));
      }
      unseen.addAll(known);
      SnapshotTally tally = archive.read(week, this);
      total.add(tally);
      for (String page : unseen) {
        measured.writer().recordUnchanged(page, archive.time(week));
      }
      if (!known.isEmpty()) { // else the same weeks can be indexed once they have pages
        measured.commit(archive.time(week));
      }
      return tally;
    } catch (UncheckedIOException e) {
      measured.rollback();
      throw e.getCause();
    } catch (Throwable failure) {
      measured.rollback();
      throw failure;
    }
  }

  @Override
  public void page(CrawledPage page) {
    try {
      measured.update(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    known.add(page.key());
    unseen.remove(page.key());
    progress.within(++updated, "pages");
  }

  @Override
  public void failed(String key) {
    unseen.remove(key); // asked for, but nobody knows what it holds now
  }

  /** Pages that the week read last leaves out: they were visited and found unchanged. */
  int unchanged() {
    return unseen.size();
  }

  /** Whether neither the weeks so far nor the measurements before hold a page. */
  boolean foundNoPage() {
    return known.isEmpty();
  }
}
