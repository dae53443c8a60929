// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOSupplier;

/**
 * Keeps the state of one index: measures each batch before its commit, settles it after.
 *
 * <p>Before the commit ({@link BatchMeasuring}): old vectors against captured ones, ΔQ_A of every
 * candidate, all of it in a durable file of the generation that the commit will name. After the
 * commit ({@link CommitSettling}): the live candidates enter the page store, and the manifest names
 * their file. Whatever goes wrong in between, the next {@link Opening} finds either the old
 * generation in the index and forgets the file, or the new one and settles it from the index.
 *
 * <p>One lock, this object's, guards all of them and {@link UnderWay what they share}, everything
 * but what a {@linkplain CurrentStatus status} shows meanwhile; it is taken inside the index
 * writer's own locks and never the other way round, but in opening, when nobody else has this
 * object. Callers report what is thrown; nothing may escape to indexing.
 */
final class Measurer implements Closeable {
  /** What a question hears that comes too late, here and at a {@link DeltaState}. */
  static final String CLOSED = "these measurements are closed; ask a new writer or DeltaState";

  private static final String REBUILDING =
      "the measurements are being built anew, or read, and the application was told or asked on the"
          + " way: rebuild when it has returned";

  private final MeasurerParts parts;
  private final DeltaConfig config;
  private final Directory files;
  private final Manifest manifest;
  private final CurrentPages pages;
  private final CurrentRanks ranks;
  private final UnmeasuredCommits unmeasuredCommits;
  private final UnderWay underWay = new UnderWay();
  private final CurrentStatus status;
  private final BatchVisits visits;
  private final ReadBack readBack;
  private final RankRenewal renewal;
  private final CommitSettling settling;
  private final BatchMeasuring measuring;

  private boolean ready; // opened to the end: pages, histories and index belong together
  private boolean
      warnedOfFutureFetches; // the listener heard that fetches still to come are not believed

  Measurer(IndexWriter writer, WriterParts writerParts, StateFolder folder) throws IOException {
    this.parts = new MeasurerParts(writer, writerParts, folder);
    this.config = parts.config;
    this.files = parts.files;
    this.manifest = parts.manifest;
    this.pages = parts.pages;
    this.ranks = parts.ranks;
    this.unmeasuredCommits = parts.unmeasuredCommits;
    this.status = new CurrentStatus(parts, underWay);
    this.visits = new BatchVisits(parts, underWay);
    this.readBack = new ReadBack(parts, underWay);
    this.renewal = new RankRenewal(parts, underWay, readBack, status);
    this.settling = new CommitSettling(parts, underWay, status, readBack, visits);
    this.measuring = new BatchMeasuring(parts, underWay, status, settling, visits, renewal);
  }

  /**
   * Brings state and index together.
   *
   * @param userData of the commit the writer was opened on
   * @param opened what the writer was opened on
   */
  synchronized void open(Map<String, String> userData, OpenedOn opened) throws IOException {
    new Opening(parts, underWay, readBack).open(userData, opened);
    ready = true;
    parts.untold.tell();
  }

  /** What the commits of this index are named by. */
  BatchNames names() {
    return parts.names;
  }

  /** Measures what was captured when the batch was named; the commit comes next. */
  synchronized void measure(BatchNames.NamedBatch named) {
    StatusBefore outer = status.tell();
    try {
      measuring.measure(named);
    } finally {
      status.restore(outer);
    }
  }

  /** See {@link UnmeasuredCommits#couldNotBegin}. */
  void couldNotBegin(Throwable failure) {
    unmeasuredCommits.couldNotBegin(failure);
  }

  /** A commit was made; settles it if that can be done without reading the index. */
  synchronized void committed(IndexCommit commit) throws IOException {
    try {
      settling.committed(commit);
    } finally {
      unmeasuredCommits.made();
    }
  }

  /** Where what is measured lies. */
  Directory files() {
    return files;
  }

  /** The batch that was settled last. */
  synchronized long settledBatch() {
    return manifest.generation;
  }

  /** What is measured. */
  MeasuredSetup measured() {
    return MeasuredSetup.of(manifest); // does not change once the writer is open
  }

  /** By which keys are hashed; see {@link Manifest#hashSeed}. */
  long hashSeed() {
    return manifest.hashSeed; // does not change once the writer is open
  }

  /** Whether the histories went back, until a queue has compared what it remembers. */
  HistoryRollback rollback() {
    return parts.rollback;
  }

  /**
   * Whether the writer was opened on an earlier commit, or anew over an index, and has made no
   * commit since, or none that is settled.
   */
  boolean isTentative() {
    return manifest.isTentative();
  }

  /**
   * Settles the commit by which that ends: where only the index can tell what it holds, this was
   * put off. Does nothing if there is none, or if a listener asks that is told on the way.
   */
  synchronized void settleFirst() throws IOException {
    boolean due = manifest.isTentative() && underWay.unsettledCommit != null && pages.isOpen();
    if (due && !underWay.settling && !underWay.measuring) {
      try {
        settling.settle(true);
      } catch (RuntimeException e) {
        throw settling.interruptedOr(e);
      }
    }
  }

  synchronized boolean isOpen() {
    return pages.isOpen();
  }

  /** See {@link CommitSettling#requireOpen}. */
  void requireOpen() {
    settling.requireOpen();
  }

  /** What failed, if that made Lucene close the writer by itself; null if it did not. */
  Throwable whyClosed() {
    return settling.whyClosed();
  }

  /** See {@link CurrentPages#historyChanges}. */
  synchronized long historyChanges() throws IOException {
    settling.settleForQuestions();
    return pages.historyChanges();
  }

  /** The pages as a port of the refresh strategies, settled first. */
  synchronized StoredHistories histories() throws IOException {
    settling.settleForQuestions();
    try {
      pages.store().columns();
    } catch (IOException | RuntimeException | Error e) {
      if (!pages.store().damaged() || !underWay.standsForLatest) {
        throw e;
      }
      pages.tellDamage(e);
      settling.settleForQuestions();
    }
    return new StoredHistories(pages.store(), manifest.pages);
  }

  /**
   * The histories, ready for ordering. Builds missing rank functions and usefulness first, as the
   * next commit would; else all pages seem equally useful, or as useful as under another set-up.
   */
  synchronized StoredHistories toOrder() throws IOException {
    settling.settleForQuestions();
    renewal.buildMissing();
    StoredHistories histories = histories(); // after all that: who hears of it may rebuild them
    return tellsOfFetchesToCome(histories) ? histories() : histories;
  }

  /** Lets the histories be read by what may ask the application, which cannot replace them then. */
  synchronized <T> T reading(IOSupplier<T> reader) throws IOException {
    boolean within = underWay.building;
    underWay.building = true;
    try {
      return reader.get();
    } finally {
      underWay.building = within;
    }
  }

  /** Tells, once, of last fetches that are not believed; see {@link BelievedHistories}. */
  private boolean tellsOfFetchesToCome(StoredHistories histories) {
    long latest = FetchTimes.latest(config);
    if (warnedOfFutureFetches
        || !histories.isAnyAfter(latest)
        || !histories.isStillAnyAfter(latest)) {
      return false;
    }
    warnedOfFutureFetches = true;
    config
        .listener()
        .trouble(
            Trouble.SETUP,
            "pages were fetched more than a day from now, after %s: the clock was ahead then, or is behind now, which only you can set right; they are due until they are fetched once more, which is not measured"
                .formatted(Instant.ofEpochMilli(latest)),
            null);
    return true;
  }

  /** The measured refreshes of all pages one by one, for one question; see {@link #reading}. */
  synchronized VisitRecords visitRecords(RowHistories histories) {
    return new VisitRecords(
        files, manifest.refreshFiles, manifest.hashSeed, histories.columns()::has);
  }

  /** Every refresh of a page, the latest first; empty when the page is not known. */
  synchronized List<MeasuredRefresh> refreshesOf(String page) throws IOException {
    settling.settleForQuestions();
    return new RefreshHistory(files, manifest, parts.folder.path()).of(page);
  }

  /**
   * Builds statistics, rank functions and vectors anew from the last commit. Those of a writer
   * opened on an earlier one are of that, read then, until it commits.
   *
   * @throws IllegalStateException if a listener asks that is told of the very thing: it would be
   *     told again, and so on; or whoever is asked while the histories are read
   */
  synchronized void rebuild() throws IOException {
    settling.settleForQuestions();
    if (underWay.building) {
      throw new IllegalStateException(REBUILDING);
    }
    if (underWay.measuring) {
      throw new IllegalStateException(CommitSettling.MEASURING);
    }
    StatusBefore outer = status.tell();
    underWay.building = true;
    try {
      renewal.rebuildAll();
    } catch (RuntimeException e) {
      throw settling.interruptedOr(e);
    } finally {
      underWay.building = false;
      status.restore(outer);
    }
  }

  /**
   * The state as people and programs ask for it, also when the last commit cannot be settled, and
   * while something that may take long is under way.
   */
  DeltaStatus status() throws IOException {
    StatusBefore asked = Thread.holdsLock(this) ? null : status.before();
    if (asked == null) {
      return statusNow();
    }
    settling.requireOpen();
    return asked.status(files, config.workload());
  }

  private synchronized DeltaStatus statusNow() throws IOException {
    settling.requireOpen();
    if (underWay.settling || underWay.measuring) { // half done it would count what is none
      return status.stood().status(files, config.workload());
    }
    String why =
        settling.settleOrSayWhyNot(Trouble.RETRIED, "the last commit could not be settled yet");
    pages.note();
    return status.now(why).status(files, config.workload());
  }

  synchronized Ranks ranks() {
    return ranks.inUse();
  }

  /**
   * Leaves everything to the next writer. Whatever of that fails, the folder is free. What was not
   * opened to the end is closed as it is: the manifest on disk does not say that any of it is done,
   * and the next opening does and counts all of it, once.
   */
  @Override
  public synchronized void close() throws IOException {
    Capture capture = parts.capture;
    capture.disable();
    Closeable captured = () -> capture.release(capture.segments());
    Closeable store = this::closeStore;
    Closeable taken = underWay.taken.visits();
    StateFolder folder = parts.folder;
    WriterOperations operations = parts.operations;
    MeasuringThreads threads = parts.threads;
    try (folder;
        operations;
        taken;
        captured;
        threads;
        store) {
      if (ready && pages.isOpen()) {
        pages.setRight(pages.areRight() && !unmeasuredCommits.any());
        Closeable lost = this::tellLost;
        try (lost) { // whatever comes of the rest
          settling.settle(true);
        }
        saveFor(parts.index.latest());
      }
    }
  }

  /** What the next opening does not find, settled or not. */
  private void tellLost() {
    boolean unsettled = underWay.unsettledCommit != null; // who hears of visits may have it settled
    visits.tellLost();
    parts.auditor.close(unsettled);
  }

  /** Closes all for the next writer: it may have the index by now, and have committed. */
  private void saveFor(IndexCommit commit) throws IOException {
    SettledCommit settledCommit = parts.settledCommit;
    pages.note();
    boolean right = commit != null && pages.areRight();
    boolean clean = right && CommittedIndex.idOf(commit).equals(settledCommit.id());
    if (clean) {
      manifest.settledCommit = settledCommit.id();
    }
    manifest.columnsNumber = clean ? pages.saveColumns() : 0;
    pages.store().close();
    ranks.close();
    manifest.cleanCommit = clean && pages.durable(settledCommit.id()) ? settledCommit.id() : "";
    long pagesNumber = pages.store().number();
    pages.forget();
    manifest.write(files);
    parts.state.deleteOthers(manifest, pagesNumber, underWay.batch);
  }

  private void closeStore() {
    if (pages.isOpen()) {
      PageStore store = pages.store();
      pages.forget();
      store.close();
    }
  }

  // What follows is for tests.

  /** Reads a page's vector, to compare what the store holds. */
  synchronized boolean page(BytesRef key, PageEntry entry) throws IOException {
    settling.settleForQuestions();
    return pages.store().get(key, entry);
  }

  /** Whether the ranks have been told of every page since they were built. */
  synchronized boolean ranksFollow() {
    return manifest.changedSinceRanks == 0;
  }
}
