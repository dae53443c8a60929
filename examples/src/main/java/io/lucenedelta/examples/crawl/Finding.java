// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.time.Instant;
import java.util.Optional;

/** What a record or a file of a snapshot turned out to be. */
sealed interface Finding {
  /** Prepares what hands it out and counts it when its turn comes. */
  Runnable turn(SnapshotFilter filter, SnapshotTally tally);

  /** A page that can be read. */
  record Page(CrawledPage page) implements Finding {
    @Override
    public Runnable turn(SnapshotFilter filter, SnapshotTally tally) {
      Optional<LeftOut> why = filter.leavesOut(page.key());
      if (why.isPresent()) {
        return () -> tally.leftOut(why.get(), WarcPages.shown(page.key()));
      }
      Runnable prepared = filter.prepare(page);
      return () -> {
        if (filter.wants(page.key(), page.fetched())) {
          tally.page();
          prepared.run();
        } else {
          tally.leftOut(LeftOut.EARLIER, WarcPages.shown(page.key()));
        }
      };
    }
  }

  /**
   * A page that is what it was, by the crawler.
   *
   * @param example which it is, for people
   */
  record Unchanged(String example, String key, Instant visited) implements Finding {
    @Override
    public Runnable turn(SnapshotFilter filter, SnapshotTally tally) {
      Optional<LeftOut> why = filter.leavesOut(key);
      if (why.isPresent()) {
        return () -> tally.leftOut(why.get(), example);
      }
      return () -> {
        boolean known = filter.unchanged(key, visited);
        tally.leftOut(known ? LeftOut.UNCHANGED : LeftOut.UNSEEN, example);
      };
    }
  }

  /**
   * No page.
   *
   * @param kind what of its reason it is, such as a media type; empty if its reason has no kinds
   * @param example which it is, for people
   * @param failed the address that was asked for and gave no page, if it was one
   */
  record NoPage(LeftOut reason, String kind, String example, Optional<String> failed)
      implements Finding {
    NoPage(LeftOut reason, String example, Optional<String> failed) {
      this(reason, "", example, failed);
    }

    @Override
    public Runnable turn(SnapshotFilter filter, SnapshotTally tally) {
      Optional<LeftOut> why = failed.flatMap(filter::leavesOut);
      if (why.isPresent()) {
        return () -> tally.leftOut(why.get(), example);
      }
      return () -> {
        tally.leftOut(reason, kind, example);
        failed.ifPresent(filter::failed);
      };
    }
  }
}
