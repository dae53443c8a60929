// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.delta.StateUpkeep.Found;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;

/**
 * Builds the page store anew from a commit and the refresh files, and settles a batch that was not
 * on the way; or completes it for another workload.
 */
final class PageRebuild {
  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final StateFolder folder;
  private final Directory files;
  private final StateUpkeep state;
  private final Manifest manifest;
  private final UntoldBatches untold;
  private long tried; // the last number of a store: one that failed is not given again

  PageRebuild(
      DeltaConfig config,
      WorkloadTerms terms,
      StateFolder folder,
      Manifest manifest,
      UntoldBatches untold) {
    this.config = config;
    this.terms = terms;
    this.folder = folder;
    this.files = folder.directory();
    this.state = new StateUpkeep(files, config.listener());
    this.manifest = manifest;
    this.untold = untold;
  }

  /**
   * Builds a store.
   *
   * @param reader of the commit, null when there is none
   * @param closed the batch that the commit names
   * @param old the store until now, null when there is none; stays open
   * @param sumsRight whether its sums can be taken over
   */
  PageStore build(DirectoryReader reader, ClosedBatch closed, PageStore old, boolean sumsRight)
      throws IOException {
    long generation = closed.generation();
    boolean unknown = generation > manifest.generation;
    String batch = StateFiles.batch(generation);
    String unsettled = unknown && state.checkOrSetAside(batch) == Found.WHOLE ? batch : null;
    String visits = StateFiles.visits(generation);
    Found visited = unknown ? state.checkOrSetAside(visits) : Found.NOTHING;
    PageStore fresh = create(reader, old);
    try {
      Reconciliation pages =
          new Reconciliation(config, terms, folder.path(), fresh, manifest.firstSeen);
      if (sumsRight) {
        pages.addHistory(old);
      } else {
        state.setDamagedAside(manifest);
        pages.addHistory(files, manifest.refreshFiles);
      }
      if (unsettled != null) {
        pages.addCandidates(files, unsettled, closed);
      }
      boolean unrecorded = unsettled == null || closed.incomplete() != null;
      if (closed.foreign() || (unknown && unrecorded)) {
        pages.takeTimes();
        manifest.usefulPages = 0; // the files may have the usefulness of former texts
      }
      if (old == null) {
        pages.lookForOthers();
      }
      if (reader != null) {
        pages.readIndex(reader);
      }
      String settled = null;
      if (unsettled != null) {
        settled = StateFiles.newRefreshes(manifest);
        pages.settle(files, unsettled, settled);
      }
      if (visited == Found.WHOLE) {
        pages.addVisits(files, visits);
      }
      manifest.pages = pages.present();
      manifest.keylessDocuments = pages.keyless();
      manifest.extraCopies = pages.extraCopies();
      if (unknown) {
        noteIncomplete(closed, unsettled == null, visited == Found.DAMAGED, pages.replaced());
        manifest.generation = generation;
      }
      if (pages.refreshes() > 0) {
        manifest.addRefreshFile(settled);
      }
      if (visited == Found.WHOLE) {
        manifest.addRefreshFile(visits);
      }
      if (unsettled != null) {
        manifest.batchesMeasured++;
        manifest.changedSinceRanks += pages.refreshes();
        manifest.changedSinceStatistics += pages.refreshes();
        untold.add(new MeasuredBatch(generation, pages.refreshes(), pages.change()));
      }
      return fresh;
    } catch (Throwable t) {
      tried = Math.max(tried, fresh.number() + 1); // it may have failed while it grew
      fresh.discard();
      throw t;
    }
  }

  /**
   * Brings a store that stands for a commit to the workload measured now, reading the new terms'
   * postings alone.
   *
   * @param before the workload of the store's vectors, null when it is not kept
   * @return false, and nothing done, when the store must be built anew
   */
  boolean complete(PageStore pages, DirectoryReader reader, Workload before) throws IOException {
    if (before == null || manifest.extraCopies > 0) {
      return false; // which of several copies of a page the vector came from is not known
    }
    WorkloadChange change = WorkloadChange.of(before, terms);
    new VectorCompletion(config, terms, folder.path(), change, pages)
        .complete(reader, manifest.pages);
    return true;
  }

  private PageStore create(DirectoryReader reader, PageStore old) throws IOException {
    long expected = Math.max(manifest.pagesKnown, reader == null ? 0 : reader.numDocs());
    long used = Math.max(manifest.pagesNumber, old == null ? 0 : old.number());
    long number = Math.max(used, tried) + 1;
    tried = number;
    return PageStore.create(folder.path(), number, expected, config.faults());
  }

  /** Counts the batch once, however much of it is lost. */
  private void noteIncomplete(
      ClosedBatch closed, boolean missing, boolean visitsDamaged, long replaced) {
    long generation = closed.generation();
    String reason = closed.incomplete();
    if (reason == null && missing) {
      reason = "batch " + generation + " was committed, but what was measured of it is missing";
      config.listener().trouble(reason, null);
    } else if (reason == null && visitsDamaged) {
      reason = "visits of batch " + generation + " that found nothing are lost: damaged";
    }
    if (replaced > 0) {
      reason =
          "%d pages of batch %d were replaced by another writer, or imported, before the batch was settled: their refreshes in it are lost"
              .formatted(replaced, generation);
      config.listener().trouble(reason, null);
    }
    if (reason != null) {
      manifest.batchesIncomplete++;
      manifest.lastIncomplete = reason;
    }
  }
}
