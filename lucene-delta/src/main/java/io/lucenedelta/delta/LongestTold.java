// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.queue.RefreshQueue;
import io.lucenedelta.scorer.queue.WantedPages;
import io.lucenedelta.scorer.refresh.GainParameters;
import io.lucenedelta.scorer.refresh.LongestWaiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The pages of a batch that have their place for having waited longest: addresses and changes that
 * were told and {@linkplain ToldChanges#catchUp caught up with}, of pages that nobody holds. Not
 * safe for use by several threads.
 */
final class LongestTold {
  /** Pages to begin with where not all may be wanted: to look a second time takes as long again. */
  private static final int BEGIN = 1_000;

  private final QueueFile file;
  private final RefreshQueue queue;
  private final long seed;
  private Instant latest = Instant.MAX; // since when addresses are known; not looked at yet

  /**
   * What a file holds.
   *
   * @param seed of the order among those that have waited as long, that of the manifest
   */
  LongestTold(QueueFile file, RefreshQueue queue, long seed) {
    this.file = file;
    this.queue = queue;
    this.seed = seed;
  }

  /** The address of a page is known since a time. */
  void addressKnownSince(Instant since) {
    latest = since.isAfter(latest) ? since : latest;
  }

  /**
   * Looks at all that was told only if there is a place for one of them, in small batches seldom.
   */
  Set<String> of(int count, WantedPages wanted, Instant now) {
    if (latest.isAfter(now)) {
      setBack(now);
    }
    LongestWaiting share = new LongestWaiting(GainParameters.LEARNING, count, now, seed);
    List<String> longest =
        wanted.first(
            share.places(),
            BEGIN,
            Set.of(),
            Function.identity(),
            pages -> longest(share.keeping(pages), now));
    return new LinkedHashSet<>(longest);
  }

  private List<String> longest(LongestWaiting waiting, Instant now) {
    if (waiting.hasPlaces()) {
      file.discovered().forEach((page, known) -> offer(waiting, page, known.since(), now));
      ToldChanges told = file.told;
      told.byPage()
          .forEach(
              (page, changes) -> {
                if (told.isOfIndex(page)) {
                  offer(waiting, page, changes.get(0), now);
                }
              });
    }
    return List.copyOf(waiting.pages());
  }

  /** Pages that were told by a clock that was set back since wait from now on. */
  private void setBack(Instant now) {
    List<String> ahead = new ArrayList<>();
    latest = Instant.MIN;
    file.discovered()
        .forEach(
            (page, known) -> {
              Instant since = known.since();
              if (since.isAfter(now)) {
                ahead.add(page);
              }
              addressKnownSince(since.isAfter(now) ? now : since);
            });
    file.setBack(ahead, now);
  }

  /** Offers a page that nobody holds; it waits since it was tried last, if it was. */
  private void offer(LongestWaiting waiting, String page, Instant since, Instant now) {
    if (since.isAfter(now) || !waiting.mayTake(since)) {
      return; // the change is still to come, or the page has not waited long enough
    }
    RefreshQueue.Hold hold = queue.hold(page).orElse(null);
    if (hold == null) {
      waiting.offer(page, since);
    } else if (!now.isBefore(hold.until())) {
      waiting.offer(page, hold.since().isAfter(since) ? hold.since() : since);
    }
  }
}
