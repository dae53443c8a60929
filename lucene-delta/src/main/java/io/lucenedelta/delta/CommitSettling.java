// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * Settles commits: what was measured of a batch becomes history when its commit is made, by what
 * was captured where that tells all, else by the index. What fails is tried again by the next
 * batch, question or opening. Under the lock of the {@link Measurer}, but for {@link #requireOpen}
 * and {@link #whyClosed}.
 */
final class CommitSettling {
  private static final String UNSETTLED =
      "the last commit is being settled, and a listener was told of it: ask when batchMeasured is"
          + " called, or when the listener has returned";

  /** What a listener hears that would replace the pages that are being measured. */
  static final String MEASURING =
      "a batch is being measured, and a listener was told of it: ask when batchMeasured is called, or"
          + " when the listener has returned";

  private final IndexWriter writer;
  private final DeltaConfig config;
  private final CommittedIndex index;
  private final String softDeletesField;
  private final Capture capture;
  private final WriterOperations operations;
  private final SettledCommit settledCommit;
  private final Costs costs;
  private final StateFolder folder;
  private final Directory files;
  private final Manifest manifest;
  private final RefreshAuditor auditor;
  private final StateUpkeep state;
  private final HistoryRollback rollback;
  private final CurrentRanks ranks;
  private final UntoldBatches untold;
  private final CurrentPages pages;
  private final SetupCheck setup;
  private final FoundPages found;
  private final MeasuringThreads threads;
  private final UnmeasuredCommits unmeasuredCommits;
  private final UnderWay underWay;
  private final CurrentStatus status;
  private final ReadBack readBack;
  private final BatchVisits visits;

  CommitSettling(
      MeasurerParts parts,
      UnderWay underWay,
      CurrentStatus status,
      ReadBack readBack,
      BatchVisits visits) {
    this.writer = parts.writer;
    this.config = parts.config;
    this.index = parts.index;
    this.softDeletesField = parts.softDeletesField;
    this.capture = parts.capture;
    this.operations = parts.operations;
    this.settledCommit = parts.settledCommit;
    this.costs = parts.costs;
    this.folder = parts.folder;
    this.files = parts.files;
    this.manifest = parts.manifest;
    this.auditor = parts.auditor;
    this.state = parts.state;
    this.rollback = parts.rollback;
    this.ranks = parts.ranks;
    this.untold = parts.untold;
    this.pages = parts.pages;
    this.setup = parts.setup;
    this.found = parts.found;
    this.threads = parts.threads;
    this.unmeasuredCommits = parts.unmeasuredCommits;
    this.underWay = underWay;
    this.status = status;
    this.readBack = readBack;
    this.visits = visits;
  }

  /** A commit was made; settles it if that can be done without reading the index. */
  void committed(IndexCommit commit) throws IOException {
    Batch batch = underWay.batch;
    String name = commit.getUserData().get(BatchNames.GENERATION);
    if (batch == null) {
      checkUnchanged(commit);
    } else if (isOf(batch, name) && !settledCommit.hasMore(commit, batch)) {
      underWay.unsettledCommit = commit;
      settle(false);
    } else {
      putOff();
    }
  }

  private static boolean isOf(Batch batch, String name) {
    return name != null && Long.parseLong(name) == batch.generation;
  }

  /**
   * The latest commit has a batch whose own failed, or could not be settled, and names another or
   * none: the next one measures all that is captured.
   */
  private void putOff() throws IOException {
    mergeUnsettled();
    unmeasuredCommits.add();
    leaveEarlierCommit();
  }

  /** A commit that could not be settled is part of the next batch. */
  void mergeUnsettled() {
    if (underWay.unsettledCommit != null) {
      underWay.batch.merged++;
      underWay.batch.mergedItself = true;
      underWay.unsettledCommit = null;
    }
  }

  /**
   * If this follows the earlier commit that the writer was opened on, pages are to be read. An
   * index begun anew had none.
   */
  private void leaveEarlierCommit() throws IOException {
    if (!manifest.isTentative()) {
      return;
    }
    standForLatest();
    pages.setRight(pages.areRight() && settledCommit.segments() != null);
    pages.note();
    manifest.write(files);
  }

  /**
   * A commit that closes no batch must hold what the one before it held. If it holds more, and that
   * was captured, then commit data set meanwhile took the place of the batch's name: the next one
   * measures it. Else the index is read.
   */
  private void checkUnchanged(IndexCommit commit) throws IOException {
    boolean right = pages.areRight();
    boolean mayHoldMore = !capture.isEmpty() || operations.any();
    boolean same = false;
    Closeable earlier = this::leaveEarlierCommit;
    try (earlier) { // whatever comes of the rest
      try {
        LiveDocuments live = new LiveDocuments(commit, softDeletesField);
        same = live.count() == manifest.liveDocuments() && settledCommit.leadsTo(live);
        settledCommit.goesOnAs(live);
      } finally { // not known if the commit cannot be looked at
        if (!same && mayHoldMore) {
          unmeasuredCommits.add();
        }
        pages.setRight(right && (same || unmeasuredCommits.any()));
      }
    }
    if (right && same && !unmeasuredCommits.any() && underWay.standsForLatest) {
      readBack.passUnmeasured(commit);
      noteUnchanged(settledCommit.id());
    }
  }

  /** Or the next opening would take the commit for another writer's. */
  private void noteUnchanged(String commit) {
    manifest.settledCommit = commit;
    try {
      manifest.write(files);
    } catch (Throwable t) {
      config
          .listener()
          .trouble(
              Trouble.RETRIED,
              "that a commit has changed no page cannot be written; the next batch writes it",
              t);
    }
  }

  /**
   * Settles the last commit if it is not; reads the index where needed only if allowed.
   *
   * @throws IllegalStateException if a listener asks that is told of the very thing: the batch
   *     would enter the histories once more
   */
  void settle(boolean mayReadIndex) throws IOException {
    if (underWay.settling) {
      throw new IllegalStateException(UNSETTLED);
    }
    underWay.settling = true;
    try {
      settleOnce(mayReadIndex);
    } finally {
      underWay.settling = false;
    }
    if (underWay.unsettledCommit == null
        && pages.areRight()) { // else the next time: it may not be on disk
      status.settled();
      untold.tell();
    }
  }

  private void settleOnce(boolean mayReadIndex) throws IOException {
    if (underWay.standsForLatest && pages.store().damaged()) {
      pages.setRight(false);
    }
    if (underWay.unsettledCommit == null && (pages.areRight() || !mayReadIndex)) {
      return;
    }
    if (underWay.measuring) {
      throw new IllegalStateException(MEASURING);
    }
    StatusBefore outer = status.tell();
    try {
      boolean known =
          underWay.unsettledCommit != null && pages.areRight() && underWay.batch.incomplete == null;
      if (!(known && !underWay.batch.visitsWait && settleBatch()) && mayReadIndex) {
        long begin = costs.begin();
        try {
          settleFromIndex();
        } finally {
          costs.end(Costs.Step.HISTORY, begin);
        }
      }
    } catch (Throwable t) {
      pages.setRight(false); // some of them may have been written
      throw t;
    } finally {
      status.restore(outer);
    }
  }

  /** Settles by what was captured; false when only the index can tell. */
  private boolean settleBatch() throws IOException {
    Batch batch = underWay.batch;
    long begin = costs.begin();
    config.faults().at(FaultPoints.SETTLE);
    if (underWay.taken.imported()) {
      return false;
    }
    LiveDocuments live = new LiveDocuments(underWay.unsettledCommit, softDeletesField);
    Settlement settlement;
    Set<BytesRef> deleted;
    boolean certain;
    try (KeyLookup lookup =
        new KeyLookup(underWay.unsettledCommit, softDeletesField, config.keyField())) {
      settlement =
          new Settlement(
              batch, operations.merges(), settledCommit.segments(), live, underWay.taken, lookup);
      deleted = settlement.deleted(underWay.taken.deletedKeys(), pages.store());
      long keyed = manifest.pages + manifest.extraCopies;
      certain = settlement.certain(keyed, manifest.keylessDocuments, deleted.size());
    }
    costs.end(Costs.Step.RESOLVE, begin);
    if (!certain) {
      return false;
    }
    RankUpkeep upkeep = ranks.upkeep();
    BatchResult result =
        new BatchResult(
            batch, settlement, pages.store(), found, upkeep, threads, costs, config.faults());
    result.apply(deleted);
    begin = costs.begin();
    batch.visits.apply(pages.store());
    pages.countHistoryChanges(1 + result.refreshes() + batch.visits.size());
    begin = costs.end(Costs.Step.STORE_PUT, begin);
    settlement.count(manifest, deleted.size());
    ranks.changed(
        result.pagesWithOtherVector(),
        result.exchanged(),
        upkeep != null,
        underWay.unsettledCommit);
    enter(result);
    finishBatch(live);
    costs.end(Costs.Step.HISTORY, begin);
    return true;
  }

  /** Enters what was measured into the manifest. */
  private void enter(BatchResult result) throws IOException {
    Batch batch = underWay.batch;
    if (result.refreshes() > 0) {
      manifest.addRefreshFile(result.rejected() == 0 ? batch.file : result.write(files, manifest));
    }
    if (!batch.visits.isEmpty()) {
      manifest.addRefreshFile(StateFiles.visits(batch.generation));
    }
    manifest.batchesMeasured++;
    untold.add(new MeasuredBatch(batch.generation, result.refreshes(), result.qualityChange()));
  }

  private void finishBatch(LiveDocuments live) throws IOException {
    Batch batch = underWay.batch;
    manifest.generation = batch.generation; // first, or what fails here has it recorded once more
    settledCommit.releaseSettled(batch);
    settledCommit.becomes(live);
    manifest.settledCommit = settledCommit.id();
    standForLatest();
    int merged = batch.merged + unmeasuredCommits.missed();
    manifest.batchesIncomplete += merged;
    if (merged > 0 && batch.incomplete == null) {
      manifest.lastIncomplete = IncompleteBatch.settledByNobody(merged, batch.generation);
    }
    underWay.batch = null;
    underWay.unsettledCommit = null;
    unmeasuredCommits.counted();
    underWay.taken.visits().close();
    underWay.taken = WriterOperations.NONE;
    try {
      pages.note();
      config.faults().at(FaultPoints.BEFORE_MANIFEST);
      manifest.write(files);
      config.faults().at(FaultPoints.AFTER_MANIFEST);
    } finally {
      auditor.settled(); // whatever of that fails is tried again, and this is not
    }
    setup.settled(manifest);
    state.deleteOthers(manifest, pages.store().number(), underWay.batch);
    settledCommit.forgetMerges();
  }

  /** The commit is the index's latest, whatever the writer was opened on. */
  private void standForLatest() throws IOException {
    underWay.standsForLatest = true;
    if (manifest.isTentative()) {
      rollback.makeDurable();
      auditor.confirm();
      manifest.confirm();
    }
  }

  private void settleFromIndex() throws IOException {
    Batch batch = underWay.batch;
    if (batch == null || underWay.unsettledCommit == null) {
      readBack.rebuildFrom(index.latest());
      pages.note();
      manifest.write(files);
      return;
    }
    LiveDocuments live = new LiveDocuments(underWay.unsettledCommit, softDeletesField);
    readBack.rebuildPages(
        index.open(underWay.unsettledCommit), batch.generation, settledCommit.gone(batch, live));
    visits.recordWaiting();
    finishBatch(live);
  }

  /** Settles the last commit for whoever asks, by the index if need be. */
  void settleForQuestions() throws IOException {
    requireOpen();
    try {
      settle(true);
    } catch (RuntimeException e) {
      throw interruptedOr(e);
    }
  }

  /** Chronicle tells an interrupt by exceptions of its own, as if another process had the pages. */
  IOException interruptedOr(RuntimeException e) {
    if (!StateFolder.wasInterrupted(e)) {
      throw e;
    }
    return new IOException(
        "interrupted while the pages in %s were written; ask again".formatted(folder.path()), e);
  }

  /**
   * Refuses to answer once this is closed, or its writer is: one that failed is closed by Lucene,
   * and these measurements by whoever notices.
   */
  void requireOpen() {
    if (!pages.isOpen() || whyClosed() != null) {
      throw new AlreadyClosedException(Measurer.CLOSED, whyClosed());
    }
  }

  /** What failed, if that made Lucene close the writer by itself; null if it did not. */
  Throwable whyClosed() {
    return writer.getTragicException();
  }

  /**
   * Settles the last commit, by the index if need be; what fails is told.
   *
   * @param what failed then
   * @return why it could not be settled; null if it is
   */
  String settleOrSayWhyNot(Trouble kind, String what) {
    if (underWay.settling) {
      return UNSETTLED; // who asks is a listener, and has been told or will be
    }
    try {
      settle(true);
      return null;
    } catch (Throwable t) {
      String reason = "%s in %s: %s".formatted(what, folder.path(), t);
      StatusBefore outer = status.tellUnsettled(reason);
      underWay.settling = true;
      config.listener().trouble(kind, reason, t);
      underWay.settling = false;
      status.restore(outer);
      return reason;
    }
  }
}
