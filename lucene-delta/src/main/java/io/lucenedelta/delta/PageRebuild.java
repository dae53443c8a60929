// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.delta.StateUpkeep.Found;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.List;
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
  private long highestNumberTried; // of a store: the number of one that failed is not given again

  /**
   * What the batch that a commit names has left in files and is not settled.
   *
   * @param isNewBatch whether it is newer than the manifest; else nothing is left of it
   * @param candidates file of its candidates, null when none is there that is whole
   * @param visits file of its visits that found nothing, likewise
   * @param visitsDamaged whether that file was there and is not whole, now or in an earlier try
   */
  private record Leftovers(
      boolean isNewBatch, String candidates, String visits, boolean visitsDamaged) {}

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
    Leftovers left = leftovers(closed);
    PageStore fresh = create(reader, old);
    try {
      Reconciliation pages =
          new Reconciliation(config, terms, folder.path(), fresh, manifest.firstSeen);
      addHistory(pages, old, sumsRight);
      readCommit(pages, reader, closed, left, old == null);
      String live = settle(pages, left);
      tellManifest(closed, left, pages, live);
      return fresh;
    } catch (Throwable t) {
      long last = fresh.number() + 1; // it may have failed while it grew
      highestNumberTried = Math.max(highestNumberTried, last);
      fresh.discard();
      throw t;
    }
  }

  private Leftovers leftovers(ClosedBatch closed) throws IOException {
    long generation = closed.generation();
    if (generation <= manifest.generation) {
      return new Leftovers(false, null, null, false);
    }
    String candidates = StateFiles.batch(generation);
    boolean captured = state.checkOrSetAside(candidates) == Found.WHOLE;
    String visits = StateFiles.visits(generation);
    Found visited = state.checkOrSetAside(visits);
    boolean aside = List.of(files.listAll()).contains(StateFiles.DAMAGED + visits);
    return new Leftovers(
        true,
        captured ? candidates : null,
        visited == Found.WHOLE ? visits : null,
        visited != Found.WHOLE && aside);
  }

  private void addHistory(Reconciliation pages, PageStore old, boolean sumsRight)
      throws IOException {
    if (sumsRight) {
      pages.addHistory(old);
    } else {
      state.setDamagedAside(manifest);
      pages.addHistory(files, manifest.refreshFiles);
    }
    if (old == null) {
      pages.lookForOthers();
    }
  }

  private void readCommit(
      Reconciliation pages,
      DirectoryReader reader,
      ClosedBatch closed,
      Leftovers left,
      boolean opening)
      throws IOException {
    if (left.candidates != null) {
      pages.addCandidates(files, left.candidates, closed);
    }
    boolean unrecorded = left.candidates == null || closed.incomplete() != null;
    if (closed.foreign() || (left.isNewBatch && unrecorded)) {
      pages.takeTimes();
      manifest.outdateUsefulness(); // the files may have the usefulness of former texts
    } else if (left.isNewBatch && opening) { // a commit that closed no batch may have named it, too
      pages.takeTimes();
    }
    if (reader != null) {
      pages.readIndex(reader);
    }
  }

  /** Returns the file of the candidates that turned out live, null when there were none. */
  private String settle(Reconciliation pages, Leftovers left) throws IOException {
    String live = null;
    if (left.candidates != null) {
      live = StateFiles.newRefreshes(manifest);
      pages.settle(files, left.candidates, live);
    }
    if (left.visits != null) {
      pages.addVisits(files, left.visits);
    }
    return pages.refreshes() > 0 ? live : null;
  }

  /** Says in the manifest what the store stands for now. */
  private void tellManifest(ClosedBatch closed, Leftovers left, Reconciliation pages, String live) {
    manifest.pages = pages.present();
    manifest.keylessDocuments = pages.keyless();
    manifest.extraCopies = pages.extraCopies();
    if (left.isNewBatch) {
      noteIncomplete(closed, left, pages.replaced());
      manifest.generation = closed.generation();
    }
    if (live != null) {
      manifest.addRefreshFile(live);
    }
    if (left.visits != null) {
      manifest.addRefreshFile(left.visits);
    }
    if (left.candidates != null) {
      manifest.batchesMeasured++;
      manifest.changedSinceRanks += pages.pagesWithOtherVector();
      manifest.changedSinceStatistics += pages.pagesWithOtherVector();
      untold.add(new MeasuredBatch(closed.generation(), pages.refreshes(), pages.change()));
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
    long number = Math.max(used, highestNumberTried) + 1;
    highestNumberTried = number;
    PageStore store = PageStore.create(folder.path(), number, expected, config.faults());
    store.expectAsMuchRoom(manifest.pagesBytes, manifest.pagesCapacity);
    return store;
  }

  /** Counts the batch once, however much of it is lost. */
  private void noteIncomplete(ClosedBatch closed, Leftovers left, long replaced) {
    long generation = closed.generation();
    String reason = closed.incomplete();
    if (reason == null && left.candidates == null) {
      reason = "batch " + generation + " was committed, but what was measured of it is missing";
      config.listener().trouble(Trouble.LOST, reason, null);
    } else if (reason == null && left.visitsDamaged) {
      reason = "visits of batch " + generation + " that found nothing are lost: damaged";
    }
    if (replaced > 0) {
      reason =
          "%d pages of batch %d were replaced by another writer, or imported, before the batch was settled: their refreshes in it are lost"
              .formatted(replaced, generation);
      config.listener().trouble(Trouble.LOST, reason, null);
    }
    if (reason != null) {
      manifest.countIncomplete(reason);
    }
  }
}
