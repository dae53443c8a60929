// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.crawl.SnapshotReader;
import io.lucenedelta.examples.crawl.SnapshotTally;
import io.lucenedelta.scorer.refresh.PageHistories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Indexes the weeks of a crawl one after the other, each as a whole or not at all. */
final class WeekIndexing implements SnapshotReader {
  /** Clocks of crawlers differ, and some tell local time; further ahead the index takes none. */
  private static final Duration AHEAD = Duration.ofDays(1);

  private final MeasuredIndex measured;
  private final SnapshotArchive archive;
  private final Silence silence;
  private final Map<String, Instant> known = new HashMap<>(); // when fetched last, by the commit
  private final Map<String, Instant> fetched = new TreeMap<>(); // in the week under way
  private final Map<String, Told> told = new HashMap<>(); // by the week read last
  private final SnapshotTally total;
  private final Progress progress;
  private long updated; // in the week under way
  private int unchanged; // in the week read last
  private long notLater; // pages that were fetched no later than before, of all weeks
  private String firstNotLater;
  private final Instant latest = Instant.now().plus(AHEAD);
  private Instant timeOfWeek; // that is read
  private long ahead; // pages and visits that were dated later than that, of all weeks
  private String firstAhead;

  /** What a week says of an address; of what it says several times the first of these counts. */
  private enum Told {
    PAGE,
    UNCHANGED,
    FAILED
  }

  /**
   * Goes on with the pages that are measured already.
   *
   * @param silence what it means that a week says nothing of a page
   * @param total gets what is read of all weeks
   */
  WeekIndexing(
      MeasuredIndex measured,
      SnapshotArchive archive,
      Silence silence,
      SnapshotTally total,
      Progress progress)
      throws IOException {
    this.measured = measured;
    this.archive = archive;
    this.silence = silence;
    this.total = total;
    this.progress = progress;
    measured.writer().withHistories(this::take);
  }

  /**
   * Indexes a week, with pages of those from {@code from} on, which were skipped; or nothing, if
   * something fails.
   */
  SnapshotTally index(int from, int week) throws IOException {
    updated = 0;
    fetched.clear();
    try {
      measured.requireWhole();
      for (int skipped = from; skipped < week; skipped++) {
        total.add(read(skipped));
      }
      told.clear();
      SnapshotTally tally = read(week);
      total.add(tally);
      unchanged = 0;
      for (String page : known.keySet()) {
        Told of = told.get(page);
        boolean saidBySilence = of == null && silence == Silence.UNCHANGED && archive.canHold(page);
        if (saidBySilence) {
          measured.writer().recordUnchanged(page, archive.time(week));
        }
        unchanged += saidBySilence || of == Told.UNCHANGED ? 1 : 0;
      }
      if (!known.isEmpty()) { // else the same weeks can be indexed once they have pages
        measured.commit(archive.time(week), this::committed);
      }
      return tally;
    } catch (UncheckedIOException e) {
      giveUp(e.getCause());
      throw e.getCause();
    } catch (Throwable failure) {
      giveUp(failure);
      throw failure;
    }
  }

  private void giveUp(Throwable why) {
    try {
      measured.rollback();
    } catch (Throwable also) {
      why.addSuppressed(also);
    }
  }

  private SnapshotTally read(int week) {
    timeOfWeek = archive.time(week);
    return archive.read(week, this);
  }

  @Override
  public void page(CrawledPage page) {
    Instant when = possible(page.key(), page.fetched());
    try {
      measured.update(new CrawledPage(page.key(), when, page.title(), page.text()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    known.putIfAbsent(page.key(), Instant.MIN);
    fetched.put(page.key(), when.truncatedTo(ChronoUnit.MILLIS)); // as the index keeps it
    tell(page.key(), Told.PAGE);
    progress.within(++updated, "pages");
  }

  @Override
  public void failed(String key) {
    tell(key, Told.FAILED); // asked for, but nobody knows what it holds now
  }

  @Override
  public boolean unchanged(String key, Instant visited) {
    boolean isKnown = known.containsKey(key);
    if (isKnown) {
      measured.writer().recordUnchanged(key, possible(key, visited));
      tell(key, Told.UNCHANGED);
    }
    return isKnown;
  }

  /**
   * When a page was fetched or visited, or its week where the crawler's clock was ahead: the index
   * would take it for fetched today, years after the crawl perhaps, and leave the visit out.
   */
  private Instant possible(String key, Instant told) {
    if (!told.isAfter(latest) || timeOfWeek.isAfter(latest)) {
      return told;
    }
    firstAhead = ahead == 0 ? key : firstAhead;
    ahead++;
    return timeOfWeek;
  }

  private void committed(PageHistories pages) {
    fetched.forEach(
        (page, time) -> {
          if (!time.isAfter(known.get(page))) {
            firstNotLater = notLater == 0 ? page : firstNotLater;
            notLater++;
          }
        });
    take(pages);
  }

  private void take(PageHistories pages) {
    pages.forEach(page -> known.put(page.page(), page.recordedRefresh()));
  }

  /** What to say of times that records told, if there is anything. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (ahead > 0) {
      remarks.add(
          "dated more than a day ahead of the clock, counted as of their snapshot's time: %d, first %s"
              .formatted(ahead, firstAhead));
    }
    if (notLater > 0) {
      remarks.add(
          "not measured, fetched no later than the page was before: %d, first %s"
              .formatted(notLater, firstNotLater));
    }
    return remarks;
  }

  private void tell(String key, Told now) {
    told.merge(key, now, (before, also) -> before.compareTo(also) < 0 ? before : also);
  }

  /**
   * Pages that the week read last says are what they were, by its silence too if that says so: they
   * were visited and found unchanged.
   */
  int unchanged() {
    return unchanged;
  }

  /** Whether neither the weeks so far nor the measurements before hold a page. */
  boolean foundNoPage() {
    return known.isEmpty();
  }
}
