// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOSupplier;

/**
 * Keeps the state of one index: measures each batch before its commit, settles it after.
 *
 * <p>Before the commit: old vectors against captured ones, ΔQ_A of every candidate, all of it in a
 * durable file of the generation that the commit will name. After the commit: the live candidates
 * enter the page store, and the manifest names their file. Whatever goes wrong in between, the next
 * opening finds either the old generation in the index and forgets the file, or the new one and
 * settles it from the index.
 *
 * <p>One lock, this object's, guards everything but what a status shows meanwhile; it is taken
 * inside the index writer's own locks and never the other way round, but in opening, when nobody
 * else has this object. Callers report what is thrown; nothing may escape to indexing.
 *
 * <p>Long because opening, measuring, settling and closing share that lock and what it guards: what
 * each step does is elsewhere, what may follow what is here.
 */
final class Measurer implements Closeable {
  private static final String TAKEN_OVER =
      "the writer was opened on a reader of one before it that had not committed what the reader"
          + " has: refreshes of these pages are not recorded";

  /** What a question hears that comes too late, here and at a {@link DeltaState}. */
  static final String CLOSED = "these measurements are closed; ask a new writer or DeltaState";

  private static final String UNSETTLED =
      "the last commit is being settled, and a listener was told of it: ask when batchMeasured is"
          + " called, or when the listener has returned";

  private static final String MEASURING =
      "a batch is being measured, and a listener was told of it: ask when batchMeasured is called, or"
          + " when the listener has returned";

  private static final String REBUILDING =
      "the measurements are being built anew, or read, and the application was told or asked on the"
          + " way: rebuild when it has returned";

  private final IndexWriter writer;
  private final DeltaConfig config;
  private final CommittedIndex index;
  private final Similarity similarity;
  private final String softDeletesField;
  private final Capture capture;
  private final WriterOperations operations;
  private final BatchNames names;
  private final SettledCommit settledCommit;
  private final Costs costs;
  private final StateFolder folder;
  private final Directory files;
  private final Manifest manifest;
  private final long workloadId;
  private final KeptWorkloads workloads;
  private final RefreshAuditor auditor;
  private final StateUpkeep state;
  private final HistoryRollback rollback;
  private final RecordedBatches recorded;
  private final CurrentRanks ranks;
  private final PageUsefulness usefulness;
  private final UntoldBatches untold;
  private final CurrentPages pages;
  private final SetupCheck setup;
  private final FoundPages found = new FoundPages(); // when the batch was measured
  private final MeasuringThreads threads;
  private final UnmeasuredCommits unmeasuredCommits = new UnmeasuredCommits();

  private boolean ready; // opened to the end: pages, histories and index belong together
  private boolean standsForLatest; // whether the settled commit is the index's latest
  private Batch batch; // measured, its commit not yet settled
  private WriterOperations.Taken taken = WriterOperations.NONE;
  private int visitsPutOff; // visits that the last batch put off to the next
  private IndexCommit unsettledCommit; // a commit to be settled

  /** While settling, or reporting its failure: a listener that asks then is refused. */
  private boolean settling;

  private String whyUnsettled; // the last commit, when that was tried last; else null

  /** While something that may take long holds the lock: how measuring stood before that. */
  private volatile StatusBefore before;

  private boolean measuring; // pages: who hears of it asks, but neither replaces nor rebuilds them
  private boolean building; // rank functions and what comes of them; or reading what was built
  private boolean triedRanks; // a question has tried to build them, or to find usefulness
  private boolean
      warnedOfFutureFetches; // the listener heard that fetches still to come are not believed

  Measurer(IndexWriter writer, WriterParts parts, StateFolder folder) throws IOException {
    this.writer = writer;
    this.config = parts.config();
    this.similarity = writer.getConfig().getSimilarity();
    this.softDeletesField = writer.getConfig().getSoftDeletesField();
    this.index = new CommittedIndex(writer.getDirectory(), softDeletesField);
    this.capture = parts.capture();
    this.operations = parts.operations();
    this.costs = parts.costs();
    this.folder = folder;
    this.files = folder.directory();
    this.workloads = new KeptWorkloads(folder.path());
    this.threads = new MeasuringThreads(config.measuringThreads(), config.measuringBlock());
    config.checkWorkload();
    this.workloadId = WorkloadIdentity.of(config.workload());
    Manifest known = Manifest.read(files);
    this.manifest = known == null ? new Manifest() : known;
    this.names = new BatchNames(writer, capture, operations, manifest);
    this.settledCommit = new SettledCommit(capture, operations.merges());
    this.auditor = new RefreshAuditor(config, parts.terms(), files);
    this.untold = new UntoldBatches(config.listener());
    this.pages = new CurrentPages(config, parts.terms(), folder, manifest, workloads, untold);
    this.setup = new SetupCheck(config, folder.path());
    this.state = new StateUpkeep(files, config.listener());
    this.rollback = new HistoryRollback(files);
    this.recorded = new RecordedBatches(files, manifest, state, setup, rollback, config.listener());
    this.ranks =
        new CurrentRanks(
            config, parts.terms(), workloadId, similarity, this.index, files, manifest, costs);
    this.usefulness = new PageUsefulness(config, this.index, files, manifest, pages, ranks, costs);
  }

  /**
   * Brings state and index together.
   *
   * @param userData of the commit the writer was opened on
   * @param opened what the writer was opened on
   */
  synchronized void open(Map<String, String> userData, OpenedOn opened) throws IOException {
    boolean toldOfIndex = recognise(userData, opened);
    long generation = BatchNames.generationOf(userData, manifest);
    MeasuredSetup before = MeasuredSetup.of(manifest);
    setup.keyField(before.keyField(), manifest.pages);
    MeasuredSetup now = MeasuredSetup.of(config, workloadId, similarity, softDeletesField);
    boolean closedCleanly = manifest.closedCleanlyAt(generation, opened.commit());
    boolean beyond = opened.isBeyondItsCommit();
    boolean another = manifest.isForeign(generation, opened.readable());
    boolean foreign = beyond || another || isOnOtherPages(opened, generation);
    boolean unmeasured =
        !beyond
            && another
            && generation == manifest.generation
            && !opened.isBefore(manifest.settledCommit); // or an opening after it has counted
    boolean clean = now.samePages(before) && closedCleanly;
    manifest.cleanCommit = "";
    ranks.open(now.sameScores(before));
    if (!now.sameEstimates(before)) {
      manifest.outdateUsefulness();
    }
    manifest.measures(now, config);
    workloads.keep(config.workload(), workloadId, config.listener());
    names.startAfter(Math.max(generation, manifest.generation), recorded.lastNamed());
    recorded.goTo(generation, opened.latest());
    auditor.open(now.sameEstimates(before), manifest.isTentative());
    IncompleteBatch lacks =
        IncompleteBatch.unknownTo(manifest, generation, files, config.listener());
    lacks.countEarlier(manifest, generation); // before what this opening finds is counted
    if (beyond) {
      countLost(TAKEN_OVER);
    } else if (unmeasured) { // an older index was told of, and has lost no batch of its own
      countUnmeasured(generation, toldOfIndex);
    }
    if (!manifest.isTentative()) {
      state.setLostAside(manifest);
    }
    state.deleteSpills(clean || manifest.isTentative() ? manifest.columnsNumber : 0);
    manifest.columnsNumber = clean ? manifest.columnsNumber : 0;
    boolean sameWorkload = before.workload() == workloadId;
    if (!clean || !pages.open(before.workload(), sameWorkload, opened)) {
      boolean alike = sameWorkload && now.samePages(before);
      rebuildPages(
          opened.reader(), new ClosedBatch(generation, lacks.why(), alike, Set.of(), foreign));
    }
    if (!opened.latest()) {
      ranks.buildOf(opened);
    }
    standFor(opened);
    // only now: until then the manifest on disk may be of the workload before
    if (!sameWorkload && workloads.several() && !manifest.isTentative()) {
      workloads.forgetUnused(files, manifest.refreshFiles, workloadId, config.listener());
    }
    ready = true;
    untold.tell();
  }

  /**
   * Whether what the folder has may be of other pages than those that are opened, whoever has
   * committed them: histories go back to a commit, some perhaps that were forgotten meanwhile; and
   * statistics and usefulness, if a writer on such a commit has died, are of those before.
   */
  private boolean isOnOtherPages(OpenedOn opened, long generation) throws IOException {
    boolean earlier = opened.isNamed() && !opened.latest();
    return earlier || !manifest.branchesTo(generation).isEmpty();
  }

  /**
   * Whose measurements these are; tells of what looks like those of another index.
   *
   * @return whether it told
   */
  private boolean recognise(Map<String, String> userData, OpenedOn opened) throws IOException {
    setup.workload();
    boolean told = false;
    if (!manifest.stateId.isEmpty() || !state.setUnnamedAside()) {
      boolean indexed = opened.latest() || opened.isNamed();
      told = setup.opening(userData, indexed, manifest);
    }
    if (manifest.stateId.isEmpty()) {
      manifest.stateId = UUID.randomUUID().toString();
      manifest.hashSeed = config.hashSeed();
      manifest.firstSeen = FetchTimes.millis(beginning());
    }
    return told;
  }

  /** All is brought together; the manifest says so. */
  private void standFor(OpenedOn opened) throws IOException {
    standsForLatest = opened.latest();
    settledCommit.becomes(opened);
    if (standsForLatest) {
      manifest.settledCommit = settledCommit.id();
    }
    pages.note();
    setup.settled(manifest);
    if (!manifest.isTentative()) {
      rollback.makeDurable();
    }
    manifest.write(files);
    state.deleteOthers(manifest, pages.store().number(), batch);
  }

  private void rebuildPages(DirectoryReader opened, long generation, Set<String> gone)
      throws IOException {
    String incomplete = batch == null ? null : batch.incomplete;
    rebuildPages(opened, new ClosedBatch(generation, incomplete, true, gone, isLost()));
  }

  /** Whether what the latest commit brought, if it is read, is measured by nobody. */
  private boolean isLost() {
    return unmeasuredCommits.any() && unsettledCommit == null;
  }

  private void rebuildPages(DirectoryReader opened, ClosedBatch closed) throws IOException {
    pages.rebuild(opened, closed);
    boolean another = closed.foreign() && !unmeasuredCommits.any();
    if (isLost()) {
      manifest.batchesIncomplete += Math.max(0, unmeasuredCommits.missed() - 1);
      countLost(unmeasuredCommits.whyRead());
      unmeasuredCommits.counted();
    }
    unmeasuredCommits.read();
    ranks.changesUncounted(another);
  }

  private void countLost(String why) {
    countIncomplete(why);
    trouble(Trouble.LOST, why, null);
  }

  private void countIncomplete(String why) {
    manifest.batchesIncomplete++;
    manifest.lastIncomplete = why;
  }

  /**
   * Counts, as one batch, what came by commits that were not measured.
   *
   * @param generation of the last batch known
   * @param told whether the listener has heard of that index already
   */
  private void countUnmeasured(long generation, boolean told) {
    String why =
        "the index was committed without being measured since batch %d, by another writer, if only to merge, or by one killed just then, or went back to before such a commit; what changed, if anything, was read, not measured"
            .formatted(generation);
    if (told) {
      countIncomplete(why);
    } else {
      countLost(why);
    }
  }

  /** What the commits of this index are named by. */
  BatchNames names() {
    return names;
  }

  /** Measures what was captured when the batch was named; the commit comes next. */
  synchronized void measure(BatchNames.NamedBatch named) {
    StatusBefore outer = tellBefore();
    try {
      measureBatch(named);
    } finally {
      before = outer;
    }
  }

  /** See {@link UnmeasuredCommits#couldNotBegin}. */
  void couldNotBegin(Throwable failure) {
    unmeasuredCommits.couldNotBegin(failure);
  }

  private void begin(BatchNames.NamedBatch named) {
    String unsettled = settleOrSayWhyNot(Trouble.LOST, "the batch before could not be settled");
    before = statusBefore(); // once more: the batch before is settled by now, or is known not to be
    mergeUnsettled();
    operations.giveBack(taken);
    taken = WriterOperations.NONE; // or what fails next has it given back once more
    taken = operations.take(named.visits());
    boolean begun = false;
    try {
      config.faults().at(FaultPoints.BEGIN);
      Batch next = new Batch(named.generation(), capture.notReleased(named.flushed()));
      next.incomplete = unsettled;
      next.merged = batch == null ? 0 : batch.merged;
      next.missed = unmeasuredCommits.missed();
      batch = next;
      visitsPutOff = 0;
      unmeasuredCommits.begun();
      begun = true;
    } finally {
      if (!begun) { // or the next commit, if nothing else is asked for, names no batch
        WriterOperations.Taken lacking = taken;
        visitsPutOff = lacking.visits().size();
        operations.giveBack(lacking);
        taken = WriterOperations.NONE;
        tellDropped(lacking);
      }
    }
  }

  /** A commit that could not be settled is part of the next batch. */
  private void mergeUnsettled() {
    if (unsettledCommit != null) {
      batch.merged++;
      batch.mergedItself = true;
      unsettledCommit = null;
    }
  }

  private void measureBatch(BatchNames.NamedBatch named) {
    long generation = named.generation();
    String unmeasured = // made now: when that fails, memory may lack for it
        "batch %d could not be measured into %s".formatted(generation, folder.path());
    begin(named);
    if (!batch.troubles.isEmpty()) {
      batch.incomplete = because("pages of a flush could not be captured", batch.troubles.get(0));
      trouble(Trouble.LOST, batch.incomplete, batch.troubles.get(0));
    }
    try {
      if (batch.missed > 0) {
        trouble(
            Trouble.LOST,
            IncompleteBatch.settledByNobody(batch.missed, generation),
            unmeasuredCommits.notBegun());
      }
      setup.captured(batch, manifest.pages, index::openLatest);
      config.faults().at(FaultPoints.MEASURE);
      if (manifest.isTentative()) {
        manifest.announce(files, generation);
      }
      long begin = costs.begin();
      recorded.compact();
      costs.end(Costs.Step.MERGE, begin);
      renewRanks();
      setup.ranked(ranks.inUse(), ranks.builds(), pages.store(), index::openLatest);
      findUsefulness();
      batch.writeIncomplete(manifest, files);
      AuditSample sample = auditor.sample(generation);
      measuring = true;
      try {
        writeCandidates(sample);
      } finally {
        measuring = false;
      }
      if (standsForLatest && !unmeasuredCommits.any()) {
        auditor.audit(sample, index, ranks.inUse());
      }
    } catch (Throwable t) {
      batch.file = null;
      batch.incomplete = because(unmeasured, t);
      trouble(Trouble.LOST, batch.incomplete, t);
      if (standsForLatest && t instanceof RuntimeException) {
        pages.setRight(false); // perhaps of pages that were damaged
      }
    }
    long begin = costs.begin();
    writeVisits();
    costs.end(Costs.Step.HISTORY, begin);
  }

  /**
   * What failed, and why; or what failed alone where memory lacks for more. A batch that is not
   * said to be incomplete would be settled as if it were measured.
   */
  private static String because(String what, Throwable why) {
    try {
      return what + ": " + why;
    } catch (Throwable another) {
      return what;
    }
  }

  /** Built of an index that is ahead of the pages, they would be told twice what a batch brings. */
  private void renewRanks() throws IOException {
    if (!standsForLatest) {
      ranks.require(); // who was opened on another commit has built them then
    } else if (!unmeasuredCommits.any()) {
      ranks.renew();
    } else if (ranks.inUse() == null) {
      ranks.renew();
      ranks.changesUncounted(false);
    }
  }

  private void findUsefulness() {
    boolean upToDate = pages.areRight() && standsForLatest && !unmeasuredCommits.any();
    if (upToDate) {
      boolean within = building;
      building = true; // or who hears of progress might replace the pages
      try {
        usefulness.find();
      } finally {
        building = within;
      }
    }
  }

  /** Writes down what visits found nothing, if it is known of which pages. */
  private void writeVisits() {
    tellDropped(taken);
    boolean pagesKnown = batch.incomplete == null && pages.areRight();
    batch.visitsWait = !pagesKnown && !taken.visits().isEmpty();
    if (pagesKnown) {
      recordVisits();
    }
  }

  private void tellDropped(WriterOperations.Taken taken) {
    if (taken.visitsDropped() > 0) {
      trouble(
          Trouble.LOST,
          "%d visits that found nothing are not recorded: beyond %d of this batch they need a file in %s, which cannot be written; make room on its disk, or commit more often"
              .formatted(taken.visitsDropped(), taken.visits().size(), folder.path()),
          taken.whyDropped());
    }
  }

  /** What cannot be written now waits for the next batch. */
  private void recordVisits() {
    if (taken.visits().isEmpty()) {
      return;
    }
    try {
      batch.visits =
          UnchangedVisits.record(
              batch, taken.visits(), pages.store(), manifest.firstSeen, files, config);
    } catch (Throwable t) {
      trouble(Trouble.RETRIED, "visits that found nothing are recorded with the next batch", t);
      visitsPutOff = taken.visits().size();
      operations.giveBack(taken.visitsAlone());
      taken = taken.withoutVisits();
    }
  }

  private void settleForQuestions() throws IOException {
    requireOpen();
    try {
      settle(true);
    } catch (RuntimeException e) {
      throw interruptedOr(e);
    }
  }

  /** Chronicle tells an interrupt by exceptions of its own, as if another process had the pages. */
  private IOException interruptedOr(RuntimeException e) {
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
      throw new AlreadyClosedException(CLOSED, whyClosed());
    }
  }

  /** What failed, if that made Lucene close the writer by itself; null if it did not. */
  Throwable whyClosed() {
    return writer.getTragicException();
  }

  private String settleOrSayWhyNot(Trouble kind, String what) {
    if (settling) {
      return UNSETTLED; // who asks is a listener, and has been told or will be
    }
    try {
      settle(true);
      return null;
    } catch (Throwable t) {
      String reason = "%s in %s: %s".formatted(what, folder.path(), t);
      whyUnsettled = reason;
      StatusBefore outer = before;
      before = statusBefore();
      settling = true;
      trouble(kind, reason, t);
      settling = false;
      before = outer;
      return reason;
    }
  }

  private void writeCandidates(AuditSample sample) throws IOException {
    UndatedTimes undated = new UndatedTimes(FetchTimes.millis(config.now()), manifest.firstSeen);
    long begin = costs.begin();
    BatchShifts shifts = ranks.beginShifts(batch.candidates());
    costs.end(Costs.Step.HISTORY, begin);
    boolean comparable = pages.areRight() && batch.merged == 0; // or some are of its own copies
    CandidateWriter candidates =
        new CandidateWriter(
            batch,
            pages.store(),
            found,
            comparable && setup.anyQueries() ? ranks.inUse() : null,
            shifts,
            workloadId,
            costs,
            config,
            sample,
            threads);
    String name = StateFiles.batch(batch.generation);
    candidates.write(files, name, undated);
    setup.fetched(batch, undated.now());
    batch.file = name;
  }

  /** A commit was made; settles it if that can be done without reading the index. */
  synchronized void committed(IndexCommit commit) throws IOException {
    try {
      settleOrPutOff(commit);
    } finally {
      unmeasuredCommits.made();
    }
  }

  private void settleOrPutOff(IndexCommit commit) throws IOException {
    String name = commit.getUserData().get(BatchNames.GENERATION);
    if (batch == null) {
      checkUnchanged(commit);
    } else if (isOf(batch, name) && !settledCommit.hasMore(commit, batch)) {
      unsettledCommit = commit;
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
    if (right && same && !unmeasuredCommits.any() && standsForLatest) {
      passUnmeasured(commit);
      noteUnchanged(settledCommit.id());
    }
  }

  /**
   * A batch that could not be begun has no files that the next opening could look for, and what it
   * lacks is counted by now.
   */
  private void passUnmeasured(IndexCommit commit) throws IOException {
    long named = BatchNames.generationOf(commit.getUserData(), manifest);
    boolean another = batch != null && (batch.generation >= named || batch.merged > 0);
    if (!another && named > manifest.generation) {
      manifest.generation = named;
    }
  }

  /** Or the next opening would take the commit for another writer's. */
  private void noteUnchanged(String commit) {
    manifest.settledCommit = commit;
    try {
      manifest.write(files);
    } catch (Throwable t) {
      trouble(
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
  private void settle(boolean mayReadIndex) throws IOException {
    if (settling) {
      throw new IllegalStateException(UNSETTLED);
    }
    settling = true;
    try {
      settleOnce(mayReadIndex);
    } finally {
      settling = false;
    }
    if (unsettledCommit == null && pages.areRight()) { // else the next time: it may not be on disk
      whyUnsettled = null;
      untold.tell();
    }
  }

  private void settleOnce(boolean mayReadIndex) throws IOException {
    if (standsForLatest && pages.store().damaged()) {
      pages.setRight(false);
    }
    if (unsettledCommit == null && (pages.areRight() || !mayReadIndex)) {
      return;
    }
    if (measuring) {
      throw new IllegalStateException(MEASURING);
    }
    StatusBefore outer = tellBefore();
    try {
      boolean known = unsettledCommit != null && pages.areRight() && batch.incomplete == null;
      if (!(known && !batch.visitsWait && settleBatch()) && mayReadIndex) {
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
      before = outer;
    }
  }

  /** Settles by what was captured; false when only the index can tell. */
  private boolean settleBatch() throws IOException {
    long begin = costs.begin();
    config.faults().at(FaultPoints.SETTLE);
    if (taken.imported()) {
      return false;
    }
    LiveDocuments live = new LiveDocuments(unsettledCommit, softDeletesField);
    Settlement settlement;
    Set<BytesRef> deleted;
    boolean certain;
    try (KeyLookup lookup = new KeyLookup(unsettledCommit, softDeletesField, config.keyField())) {
      settlement =
          new Settlement(batch, operations.merges(), settledCommit.segments(), live, taken, lookup);
      deleted = settlement.deleted(taken.deletedKeys(), pages.store());
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
    manifest.pages += settlement.pagesGained() - deleted.size();
    manifest.keylessDocuments += settlement.keylessGained();
    manifest.extraCopies += settlement.extraCopiesGained();
    ranks.changed(
        result.pagesWithOtherVector(), result.exchanged(), upkeep != null, unsettledCommit);
    if (result.refreshes() > 0) {
      manifest.addRefreshFile(result.rejected() == 0 ? batch.file : result.write(files, manifest));
    }
    if (!batch.visits.isEmpty()) {
      manifest.addRefreshFile(StateFiles.visits(batch.generation));
    }
    manifest.batchesMeasured++;
    untold.add(new MeasuredBatch(batch.generation, result.refreshes(), result.qualityChange()));
    finishBatch(live);
    costs.end(Costs.Step.HISTORY, begin);
    return true;
  }

  private void finishBatch(LiveDocuments live) throws IOException {
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
    batch = null;
    unsettledCommit = null;
    unmeasuredCommits.counted();
    taken.visits().close();
    taken = WriterOperations.NONE;
    try {
      pages.note();
      config.faults().at(FaultPoints.BEFORE_MANIFEST);
      manifest.write(files);
      config.faults().at(FaultPoints.AFTER_MANIFEST);
    } finally {
      auditor.settled(); // whatever of that fails is tried again, and this is not
    }
    setup.settled(manifest);
    state.deleteOthers(manifest, pages.store().number(), batch);
    settledCommit.forgetMerges();
  }

  /** The commit is the index's latest, whatever the writer was opened on. */
  private void standForLatest() throws IOException {
    standsForLatest = true;
    if (manifest.isTentative()) {
      rollback.makeDurable();
      auditor.confirm();
      manifest.confirm();
    }
  }

  private void settleFromIndex() throws IOException {
    if (batch == null || unsettledCommit == null) {
      rebuildFrom(index.latest());
      pages.note();
      manifest.write(files);
      return;
    }
    LiveDocuments live = new LiveDocuments(unsettledCommit, softDeletesField);
    rebuildPages(index.open(unsettledCommit), batch.generation, settledCommit.gone(batch, live));
    recordWaitingVisits();
    finishBatch(live);
  }

  /** Visits of pages that had to be read first; no other batch may come after to record them. */
  private void recordWaitingVisits() throws IOException {
    if (!batch.visitsWait) {
      return;
    }
    batch.visitsWait = false;
    recordVisits();
    if (!batch.visits.isEmpty()) { // first, or the next try, which reads the files, lacks them
      manifest.addRefreshFile(StateFiles.visits(batch.generation));
      batch.visits.apply(pages.store());
    }
  }

  /** Reads the pages from the index's latest commit, null when there is none. */
  private void rebuildFrom(IndexCommit latest) throws IOException {
    LiveDocuments live = latest == null ? null : new LiveDocuments(latest, softDeletesField);
    settledCommit.becomes(live);
    boolean unmeasured = unmeasuredCommits.any();
    rebuildPages(latest == null ? null : index.open(latest), manifest.generation, Set.of());
    manifest.settledCommit = settledCommit.id();
    if (unmeasured && live != null) {
      countRead(latest);
      settledCommit.releaseRead(live);
    }
    if (latest != null && standsForLatest) {
      passUnmeasured(latest);
    }
    countMerged();
  }

  /**
   * A batch that could not be settled, with commits that none could be begun for after it: all that
   * the next one would have held is read. Unless the latest names it: the next opening settles it.
   */
  private void countRead(IndexCommit latest) throws IOException {
    long named = BatchNames.generationOf(latest.getUserData(), manifest);
    if (batch != null && batch.mergedItself && batch.generation != named) {
      manifest.batchesIncomplete += batch.merged;
      batch = null;
    }
  }

  /**
   * Commits that no batch may come after to tell of, all but the latest: that one is settled by the
   * next batch, or at the next opening.
   */
  private void countMerged() {
    if (batch != null && batch.merged > 1) {
      manifest.batchesIncomplete += batch.merged - 1;
      manifest.lastIncomplete = IncompleteBatch.settledByNobody(batch.merged, batch.generation);
      batch.merged = 1;
    }
  }

  /** When measuring began; a clock that fails is no reason not to open. */
  private Instant beginning() {
    try {
      return config.now();
    } catch (Throwable t) {
      trouble(
          Trouble.SETUP, "the configured clock failed; measuring begins by that of the system", t);
      return Instant.now();
    }
  }

  private void trouble(Trouble kind, String sentence, Throwable cause) {
    config.listener().trouble(kind, sentence, cause);
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
    return rollback;
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
    boolean due = manifest.isTentative() && unsettledCommit != null && pages.isOpen();
    if (due && !settling && !measuring) {
      try {
        settle(true);
      } catch (RuntimeException e) {
        throw interruptedOr(e);
      }
    }
  }

  synchronized boolean isOpen() {
    return pages.isOpen();
  }

  /** See {@link CurrentPages#historyChanges}. */
  synchronized long historyChanges() throws IOException {
    settleForQuestions();
    return pages.historyChanges();
  }

  /** The pages as a port of the refresh strategies, settled first. */
  synchronized StoredHistories histories() throws IOException {
    settleForQuestions();
    try {
      pages.store().columns();
    } catch (IOException | RuntimeException | Error e) {
      if (!pages.store().damaged() || !standsForLatest) {
        throw e;
      }
      pages.tellDamage(e);
      settleForQuestions();
    }
    return new StoredHistories(pages.store(), manifest.pages);
  }

  /**
   * The histories, ready for ordering. Builds missing rank functions and usefulness first, as the
   * next commit would; else all pages seem equally useful, or as useful as under another set-up.
   */
  synchronized StoredHistories toOrder() throws IOException {
    settleForQuestions();
    boolean lacking = ranks.inUse() == null || manifest.isUsefulnessOutdated();
    boolean due =
        lacking && manifest.pages > 0 && batch == null && !unmeasuredCommits.any() && !building;
    if (due && !triedRanks && standsForLatest) {
      triedRanks = true;
      StatusBefore outer = tellBefore();
      try {
        if (ranks.inUse() == null || ranks.areChangesUncounted()) {
          ranks.buildFirst();
        }
        keepRanks();
      } catch (Throwable t) {
        trouble(Trouble.RETRIED, "pages may be ordered as if all were worth the same: " + t, t);
      } finally {
        triedRanks = !Thread.currentThread().isInterrupted(); // else whoever asks next may succeed
        before = outer;
      }
    }
    StoredHistories histories = histories(); // after all that: who hears of it may rebuild them
    return tellsOfFetchesToCome(histories) ? histories() : histories;
  }

  /** Lets the histories be read by what may ask the application, which cannot replace them then. */
  synchronized <T> T reading(IOSupplier<T> reader) throws IOException {
    boolean within = building;
    building = true;
    try {
      return reader.get();
    } finally {
      building = within;
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
    trouble(
        Trouble.SETUP,
        "pages were fetched more than a day from now, after %s: the clock was ahead then, or is behind now, which only you can set right; they are due until they are fetched once more, which is not measured"
            .formatted(Instant.ofEpochMilli(latest)),
        null);
    return true;
  }

  private void keepRanks() throws IOException {
    setup.ranked(ranks.inUse(), ranks.builds(), pages.store(), index::openLatest);
    findUsefulness();
    pages.note();
    manifest.write(files);
    state.deleteOthers(manifest, pages.store().number(), batch);
  }

  /** The measured refreshes of all pages one by one, for one question; see {@link #reading}. */
  synchronized VisitRecords visitRecords(RowHistories histories) {
    return new VisitRecords(
        files, manifest.refreshFiles, manifest.hashSeed, histories.columns()::has);
  }

  /** Every refresh of a page, the latest first; empty when the page is not known. */
  synchronized List<MeasuredRefresh> refreshesOf(String page) throws IOException {
    settleForQuestions();
    return new RefreshHistory(files, manifest, folder.path()).of(page);
  }

  /**
   * Builds statistics, rank functions and vectors anew from the last commit. Those of a writer
   * opened on an earlier one are of that, read then, until it commits.
   *
   * @throws IllegalStateException if a listener asks that is told of the very thing: it would be
   *     told again, and so on; or whoever is asked while the histories are read
   */
  synchronized void rebuild() throws IOException {
    settleForQuestions();
    if (building) {
      throw new IllegalStateException(REBUILDING);
    }
    if (measuring) {
      throw new IllegalStateException(MEASURING);
    }
    StatusBefore outer = tellBefore();
    building = true;
    try {
      rebuildAll();
    } catch (RuntimeException e) {
      throw interruptedOr(e);
    } finally {
      building = false;
      before = outer;
    }
  }

  /**
   * Pages and rank functions of one commit: while this reads, another thread may bring the next one
   * to the disk, whose batch is settled when this is over.
   */
  private void rebuildAll() throws IOException {
    IndexCommit latest = index.latest();
    if (standsForLatest
        && !unmeasuredCommits.any()) { // or what the latest brought would not be measured
      settling = true;
      try {
        rebuildFrom(latest);
      } finally {
        settling = false;
      }
    }
    if (standsForLatest) {
      ranks.build(latest);
    }
    if (unmeasuredCommits.any()) {
      ranks.changesUncounted(false);
    }
    ranks.require();
    manifest.outdateUsefulness();
    keepRanks();
  }

  /**
   * The state as people and programs ask for it, also when the last commit cannot be settled, and
   * while something that may take long is under way.
   */
  DeltaStatus status() throws IOException {
    StatusBefore asked = Thread.holdsLock(this) ? null : before;
    if (asked == null) {
      return statusNow();
    }
    requireOpen();
    return asked.status(files, config.workload());
  }

  private synchronized DeltaStatus statusNow() throws IOException {
    requireOpen();
    if (settling || measuring) { // who asks is a listener; half done it would count what is none
      StatusBefore stood = before == null ? standing(manifest, whyUnsettled) : before;
      return stood.status(files, config.workload());
    }
    String why = settleOrSayWhyNot(Trouble.RETRIED, "the last commit could not be settled yet");
    pages.note();
    return standing(manifest, why).status(files, config.workload());
  }

  /** Others hear from now on how measuring stands now; returns what they heard so far. */
  private StatusBefore tellBefore() {
    StatusBefore outer = before;
    before = outer == null ? statusBefore() : outer;
    return outer;
  }

  /** Null where it cannot be told: who asks then waits. */
  private StatusBefore statusBefore() {
    try {
      return standing(manifest.copy(), whyUnsettled);
    } catch (Throwable t) {
      return null;
    }
  }

  private StatusBefore standing(Manifest counts, String why) {
    boolean late = why == null && unmeasuredCommits.any();
    int missed = unmeasuredCommits.missed();
    boolean itself = batch != null && (missed == 0 || unsettledCommit != null); // and not merged
    int unsettled = missed + (batch == null ? 0 : batch.merged) + (itself ? 1 : 0);
    return new StatusBefore(
        counts,
        ranks.inUse(),
        auditor.selfAudit(),
        late ? Math.max(1, missed) : why == null ? 0 : unsettled,
        late ? unmeasuredCommits.why() : why);
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
    capture.disable();
    Closeable captured = () -> capture.release(capture.segments());
    Closeable store = this::closeStore;
    Closeable visits = taken.visits();
    try (folder;
        operations;
        visits;
        captured;
        threads;
        store) {
      if (ready && pages.isOpen()) {
        pages.setRight(pages.areRight() && !unmeasuredCommits.any());
        Closeable lost = this::tellLost;
        try (lost) { // whatever comes of the rest
          settle(true);
        }
        saveFor(index.latest());
      }
    }
  }

  /** What the next opening does not find, settled or not. */
  private void tellLost() {
    boolean unsettled = unsettledCommit != null;
    int visits = visitsPutOff + (unsettled && batch.visitsWait ? taken.visits().size() : 0);
    if (visits > 0) {
      trouble(
          Trouble.LOST,
          "%d visits that found nothing are not recorded: the writer was closed before another batch"
              .formatted(visits),
          null);
    }
    auditor.close(unsettled);
  }

  /** Closes all for the next writer: it may have the index by now, and have committed. */
  private void saveFor(IndexCommit commit) throws IOException {
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
    state.deleteOthers(manifest, pagesNumber, batch);
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
    settleForQuestions();
    return pages.store().get(key, entry);
  }

  /** Whether the ranks have been told of every page since they were built. */
  synchronized boolean ranksFollow() {
    return manifest.changedSinceRanks == 0;
  }
}
