// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.store.Directory;

/**
 * The visits of a batch that found nothing new: recorded with it, or kept for the next where that
 * fails. Under the lock of the {@link Measurer}.
 */
final class BatchVisits {
  private final DeltaConfig config;
  private final WriterOperations operations;
  private final StateFolder folder;
  private final Directory files;
  private final Manifest manifest;
  private final CurrentPages pages;
  private final UnderWay underWay;

  BatchVisits(MeasurerParts parts, UnderWay underWay) {
    this.config = parts.config;
    this.operations = parts.operations;
    this.folder = parts.folder;
    this.files = parts.files;
    this.manifest = parts.manifest;
    this.pages = parts.pages;
    this.underWay = underWay;
  }

  /** Writes down what visits found nothing, if it is known of which pages. */
  void write() {
    Batch batch = underWay.batch;
    tellDropped(underWay.taken);
    boolean pagesKnown = batch.incomplete == null && pages.areRight();
    batch.visitsWait = !pagesKnown && !underWay.taken.visits().isEmpty();
    if (pagesKnown) {
      record();
    }
  }

  /** Tells of visits that there is no room for. */
  void tellDropped(WriterOperations.Taken taken) {
    if (taken.visitsDropped() > 0) {
      config
          .listener()
          .trouble(
              Trouble.LOST,
              "%d visits that found nothing are not recorded: beyond %d of this batch they need a file in %s, which cannot be written; make room on its disk, or commit more often"
                  .formatted(taken.visitsDropped(), taken.visits().size(), folder.path()),
              taken.whyDropped());
    }
  }

  /** What cannot be written now waits for the next batch. */
  private void record() {
    Batch batch = underWay.batch;
    if (underWay.taken.visits().isEmpty()) {
      return;
    }
    try {
      batch.visits =
          UnchangedVisits.record(
              batch, underWay.taken.visits(), pages.store(), manifest.firstSeen, files, config);
    } catch (Throwable t) {
      config
          .listener()
          .trouble(
              Trouble.RETRIED, "visits that found nothing are recorded with the next batch", t);
      underWay.visitsPutOff = underWay.taken.visits().size();
      operations.giveBack(underWay.taken.visitsAlone());
      underWay.taken = underWay.taken.withoutVisits();
    }
  }

  /** Visits of pages that had to be read first; no other batch may come after to record them. */
  void recordWaiting() throws IOException {
    Batch batch = underWay.batch;
    if (!batch.visitsWait) {
      return;
    }
    batch.visitsWait = false;
    record();
    if (!batch.visits.isEmpty()) { // first, or the next try, which reads the files, lacks them
      manifest.addRefreshFile(StateFiles.visits(batch.generation));
      batch.visits.apply(pages.store());
    }
  }

  /** Tells of visits that are not recorded, since no batch comes any more. */
  void tellLost() {
    boolean waiting = underWay.unsettledCommit != null && underWay.batch.visitsWait;
    int lost = underWay.visitsPutOff + (waiting ? underWay.taken.visits().size() : 0);
    if (lost > 0) {
      config
          .listener()
          .trouble(
              Trouble.LOST,
              "%d visits that found nothing are not recorded: the writer was closed before another batch"
                  .formatted(lost),
              null);
    }
  }
}
