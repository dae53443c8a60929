// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.Directory;

/**
 * Builds rank functions, and finds what users get from all pages by them, when that is due: with a
 * batch, for a question, or because it is asked for. Under the lock of the {@link Measurer}.
 */
final class RankRenewal {
  private final CommittedIndex index;
  private final Directory files;
  private final Manifest manifest;
  private final StateUpkeep state;
  private final DeltaConfig config;
  private final CurrentRanks ranks;
  private final PageUsefulness usefulness;
  private final CurrentPages pages;
  private final SetupCheck setup;
  private final UnmeasuredCommits unmeasuredCommits;
  private final UnderWay underWay;
  private final ReadBack readBack;
  private final CurrentStatus status;
  private boolean tried; // a question has tried to build what was lacking

  RankRenewal(MeasurerParts parts, UnderWay underWay, ReadBack readBack, CurrentStatus status) {
    this.index = parts.index;
    this.files = parts.files;
    this.manifest = parts.manifest;
    this.state = parts.state;
    this.config = parts.config;
    this.ranks = parts.ranks;
    this.usefulness = parts.usefulness;
    this.pages = parts.pages;
    this.setup = parts.setup;
    this.unmeasuredCommits = parts.unmeasuredCommits;
    this.underWay = underWay;
    this.readBack = readBack;
    this.status = status;
  }

  /** Built of an index that is ahead of the pages, they would be told twice what a batch brings. */
  void renew() throws IOException {
    if (!underWay.standsForLatest) {
      ranks.require(); // who was opened on another commit has built them then
    } else if (!unmeasuredCommits.any()) {
      ranks.renew();
    } else if (ranks.inUse() == null) {
      ranks.renew();
      ranks.changesUncounted(false);
    }
  }

  /** Finds what users get from all pages, if that is due and pages and index belong together. */
  void findUsefulness() {
    boolean upToDate = pages.areRight() && underWay.standsForLatest && !unmeasuredCommits.any();
    if (upToDate) {
      boolean within = underWay.building;
      underWay.building = true; // or who hears of progress might replace the pages
      try {
        usefulness.find();
      } finally {
        underWay.building = within;
      }
    }
  }

  /** What was built, and what comes of it, counts from now on. */
  private void keep() throws IOException {
    setup.ranked(ranks.inUse(), ranks.builds(), pages.store(), index::openLatest);
    findUsefulness();
    pages.note();
    manifest.write(files);
    state.deleteOthers(manifest, pages.store().number(), underWay.batch);
  }

  /**
   * Builds missing rank functions and usefulness for a question, as the next commit would; once, as
   * what fails then would fail again.
   */
  void buildMissing() {
    boolean lacking = ranks.inUse() == null || manifest.isUsefulnessOutdated();
    boolean due =
        lacking
            && manifest.pages > 0
            && underWay.batch == null
            && !unmeasuredCommits.any()
            && !underWay.building;
    if (!due || tried || !underWay.standsForLatest) {
      return;
    }
    tried = true;
    StatusBefore outer = status.tell();
    try {
      if (ranks.inUse() == null || ranks.areChangesUncounted()) {
        ranks.buildFirst();
      }
      keep();
    } catch (Throwable t) {
      config
          .listener()
          .trouble(Trouble.RETRIED, "pages may be ordered as if all were worth the same: " + t, t);
    } finally {
      tried = !Thread.currentThread().isInterrupted(); // else whoever asks next may succeed
      status.restore(outer);
    }
  }

  /**
   * Pages and rank functions of one commit: while this reads, another thread may bring the next one
   * to the disk, whose batch is settled when this is over.
   */
  void rebuildAll() throws IOException {
    IndexCommit latest = index.latest();
    if (underWay.standsForLatest
        && !unmeasuredCommits.any()) { // or what the latest brought would not be measured
      underWay.settling = true;
      try {
        readBack.rebuildFrom(latest);
      } finally {
        underWay.settling = false;
      }
    }
    if (underWay.standsForLatest) {
      ranks.build(latest);
    }
    if (unmeasuredCommits.any()) {
      ranks.changesUncounted(false);
    }
    ranks.require();
    manifest.outdateUsefulness();
    keep();
  }
}
