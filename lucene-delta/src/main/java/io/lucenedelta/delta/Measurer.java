// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.StringHelper;

/**
 * Keeps the state of one index: measures each batch before its commit, settles it after.
 *
 * <p>Before the commit: old vectors against captured ones, ΔQ_A of every candidate, all of it in a
 * durable file of the generation that the commit will name. After the commit: the live candidates
 * enter the page store, and the manifest names their file. Whatever goes wrong in between, the next
 * opening finds either the old generation in the index and forgets the file, or the new one and
 * settles it from the index.
 *
 * <p>One lock, this object's, guards everything; it is taken inside the index writer's own locks
 * and never the other way round. Callers report what is thrown; nothing may escape to indexing.
 */
final class Measurer implements Closeable {
  static final String GENERATION = "lucene-delta.generation";
  static final String STATE = "lucene-delta.state";

  /** Statistics are read anew when there are so many times more pages than there were. */
  private static final double GROWN = 1.1;

  private final Object writer;
  private final DeltaConfig config;
  private final Directory index;
  private final Similarity similarity;
  private final String softDeletesField;
  private final Capture capture;
  private final Changes changes;
  private final Costs costs;
  private final StateFolder folder;
  private final Directory files;
  private final WorkloadTerms terms;
  private final Manifest manifest;
  private final long workloadId;
  private final KeptWorkloads workloads;
  private final RefreshAuditor auditor;

  private PageStore pages;
  private long learnable;
  private boolean pagesRight; // whether the store stands for the last commit settled
  private boolean standsForLatest; // whether that commit is the index's latest
  private Ranks ranks;
  private Batch batch; // measured, its commit not yet settled
  private Changes.Taken taken = Changes.NONE;
  private IndexCommit committed; // a commit to be settled
  private volatile long lastNamed; // changes under the index writer's commit lock only
  private final Set<String> carried = new HashSet<>();

  Measurer(
      Object writer,
      DeltaConfig config,
      Directory index,
      Similarity similarity,
      String softDeletesField,
      WorkloadTerms terms,
      Capture capture,
      Changes changes,
      Costs costs,
      StateFolder folder)
      throws IOException {
    this.writer = writer;
    this.config = config;
    this.index = index;
    this.similarity = similarity;
    this.softDeletesField = softDeletesField;
    this.capture = capture;
    this.changes = changes;
    this.costs = costs;
    this.folder = folder;
    this.files = folder.directory();
    this.workloads = new KeptWorkloads(folder.path());
    this.terms = terms;
    this.workloadId = WorkloadIdentity.of(config.workload());
    Manifest known = Manifest.read(files);
    this.manifest = known == null ? new Manifest() : known;
    this.auditor = new RefreshAuditor(config, terms, files);
  }

  /**
   * Brings state and index together.
   *
   * @param userData of the commit the writer was opened on
   * @param opened what the writer was opened on
   */
  synchronized void open(Map<String, String> userData, OpenedOn opened) throws IOException {
    if (manifest.stateId.isEmpty()) {
      manifest.stateId = UUID.randomUUID().toString();
      manifest.firstSeen = config.clock().instant().toEpochMilli();
    }
    String named = userData.get(GENERATION);
    boolean ours = named != null && manifest.stateId.equals(userData.get(STATE));
    long generation = ours ? Long.parseLong(named) : manifest.generation;
    long measuredBefore = manifest.workloadId;
    boolean sameFields =
        manifest.keyField.equals(config.keyField())
            && manifest.scoredFields.equals(config.scoredFields());
    boolean clean =
        sameFields
            && manifest.softDeletesField.equals(softDeletesField == null ? "" : softDeletesField)
            && opened.commit() != null
            && generation == manifest.generation
            && manifest.cleanCommit.equals(idOf(opened.commit()));
    manifest.cleanCommit = "";
    boolean sameQuestions = sameFields && measuredBefore == workloadId;
    boolean sameScores = sameQuestions && manifest.similarity.equals(similarity.toString());
    auditor.open(sameScores);
    if (sameScores) {
      readRanks();
    } else {
      manifest.ranksFile = "";
    }
    adoptQuestions();
    lastNamed = Math.max(generation, manifest.generation);
    if (generation < manifest.generation) {
      new RefreshCompaction(files, manifest).forgetAfter(generation);
      manifest.generation = generation;
    }
    deleteSpills();
    pagesRight = clean && openPages() && (sameQuestions || completePages(measuredBefore, opened));
    if (!pagesRight) {
      rebuildPages(opened.reader(), generation);
    }
    if (!sameQuestions && workloads.several()) {
      workloads.forgetUnused(files, manifest.refreshFiles, workloadId);
    }
    standsForLatest = opened.latest();
    notePages();
    manifest.write(files);
    deleteOtherFiles();
  }

  private boolean openPages() {
    try {
      pages =
          PageStore.open(
              folder.path(), manifest.pagesNumber, manifest.pagesCapacity, config.faults());
      return true;
    } catch (Throwable t) {
      trouble("the page store cannot be read and is built anew from the index", t);
      return false;
    }
  }

  /** Brings the pages of another workload to this one; false when they must be built anew. */
  private boolean completePages(long measuredBefore, OpenedOn opened) throws IOException {
    if (manifest.duplicates > 0) {
      return false; // which copy of a page its vector came from is not known
    }
    manifest.write(files); // says that the store is not clean
    try (DirectoryReader reader = opened.reader()) {
      Workload before = workloads.open(measuredBefore);
      if (before == null) {
        return false;
      }
      WorkloadChange change = WorkloadChange.of(before, terms);
      new VectorCompletion(config, terms, change, pages).complete(reader, manifest.present);
      return true;
    } catch (IOException | RuntimeException e) {
      trouble("pages cannot be brought to the new workload and are built anew from the index", e);
      return false;
    }
  }

  private static String idOf(IndexCommit commit) throws IOException {
    return StringHelper.idToString(
        SegmentInfos.readCommit(commit.getDirectory(), commit.getSegmentsFileName()).getId());
  }

  private void adoptQuestions() throws IOException {
    manifest.workloadId = workloadId;
    manifest.wholeQueries = config.selection().taken();
    manifest.coverage = config.selection().coverage();
    manifest.keyField = config.keyField();
    manifest.scoredFields = new ArrayList<>(config.scoredFields());
    manifest.similarity = similarity.toString();
    manifest.softDeletesField = softDeletesField == null ? "" : softDeletesField;
    workloads.keep(config.workload(), workloadId);
  }

  private void readRanks() {
    if (!manifest.ranksFile.isEmpty()) {
      try {
        ranks = Ranks.read(files, manifest.ranksFile, workloadId, config, terms, similarity);
      } catch (IOException e) {
        config.listener().trouble("rank functions could not be read and are built anew", e);
        manifest.ranksFile = "";
      }
    }
  }

  /** Rebuilds the store from index and refresh files; settles an unsettled batch on the way. */
  private void rebuildPages(DirectoryReader opened, long generation) throws IOException {
    try (DirectoryReader reader = opened) {
      rebuildPagesFrom(reader, generation);
    }
  }

  private void rebuildPagesFrom(DirectoryReader reader, long generation) throws IOException {
    learnable++;
    boolean sumsRight = pagesRight;
    long settled = manifest.generation;
    pagesRight = false;
    String unsettled =
        generation > manifest.generation && readable(batchFile(generation))
            ? batchFile(generation)
            : null;
    if (generation > manifest.generation) {
      noteIncomplete(generation, unsettled == null);
    }
    PageStore old = pages;
    PageStore fresh = createPages(reader);
    Reconciliation reconciliation = new Reconciliation(config, terms, fresh, manifest.firstSeen);
    if (sumsRight) {
      reconciliation.addHistory(old);
    } else {
      reconciliation.addHistory(files, manifest.refreshFiles);
    }
    finishRebuild(reconciliation, reader, generation, unsettled);
    if (generation > settled && readable(visitsFile(generation))) {
      reconciliation.addVisits(files, visitsFile(generation));
      manifest.addRefreshFile(visitsFile(generation));
    }
    if (old != null) {
      old.discard();
    }
    pages = fresh;
    pagesRight = true;
  }

  private PageStore createPages(DirectoryReader reader) throws IOException {
    long expected = Math.max(manifest.known, reader == null ? 0 : reader.numDocs());
    long number = Math.max(manifest.pagesNumber, pages == null ? 0 : pages.number()) + 1;
    return PageStore.create(folder.path(), number, expected, config.faults());
  }

  private void finishRebuild(
      Reconciliation reconciliation, DirectoryReader reader, long generation, String unsettled)
      throws IOException {
    if (unsettled != null) {
      reconciliation.addCandidates(files, unsettled);
    }
    if (reader != null) {
      reconciliation.readIndex(reader);
    }
    manifest.present = reconciliation.present();
    manifest.keyless = reconciliation.keyless();
    manifest.duplicates = reconciliation.extraCopies();
    if (unsettled != null) {
      SortedMap<BytesRef, Refresh> live = reconciliation.refreshes();
      if (!live.isEmpty()) {
        manifest.addRefreshFile(writeSettled(live));
      }
      manifest.batchesMeasured++;
      manifest.changedSinceRanks += live.size();
      report(generation, live);
    }
    manifest.generation = Math.max(manifest.generation, generation);
  }

  private String writeSettled(SortedMap<BytesRef, Refresh> live) throws IOException {
    String name = "refreshes_" + manifest.nextFile++;
    try (RefreshFile.Writer writer = new RefreshFile.Writer(files, name)) {
      for (Map.Entry<BytesRef, Refresh> page : live.entrySet()) {
        writer.page(page.getKey(), List.of(page.getValue()));
      }
      writer.finish();
    }
    return name;
  }

  private void report(long generation, SortedMap<BytesRef, Refresh> live) {
    double sum = 0;
    for (Refresh refresh : live.values()) {
      sum += refresh.change();
    }
    config.listener().batchMeasured(generation, live.size(), sum);
  }

  /** Whether a file of refreshes is there and whole. */
  private boolean readable(String file) throws IOException {
    if (!List.of(files.listAll()).contains(file)) {
      return false;
    }
    try (RefreshFile.Reader reader = new RefreshFile.Reader(files, file)) {
      while (reader.next()) {
        // the end checks the checksum
      }
      return true;
    } catch (IOException | RuntimeException e) {
      trouble("what was measured before the commit cannot be read: " + file, e);
      return false;
    }
  }

  private static String batchFile(long generation) {
    return "batch_" + generation;
  }

  private static String visitsFile(long generation) {
    return "visits_" + generation;
  }

  /** Deletes what a process that died left of its batches. */
  private void deleteSpills() throws IOException {
    for (String file : files.listAll()) {
      if (file.startsWith(CapturedSegment.SPILLED)) {
        IOUtils.deleteFilesIgnoringExceptions(files, file);
      }
    }
  }

  private void deleteOtherFiles() throws IOException {
    Set<String> kept = new HashSet<>(manifest.refreshFiles);
    kept.add(manifest.ranksFile);
    for (String file : files.listAll()) {
      boolean ofOurs =
          file.startsWith("batch_")
              || file.startsWith("visits_")
              || file.startsWith("refreshes_")
              || file.startsWith("ranks_");
      boolean stalePages =
          file.startsWith("pages_") && !file.equals("pages_" + pages.number() + ".map");
      if ((ofOurs && !kept.contains(file)) || stalePages) {
        IOUtils.deleteFilesIgnoringExceptions(files, file);
      }
    }
  }

  /**
   * Names the batch that the commit now being prepared will close. Called inside the index writer's
   * monitor: only looks and counts.
   */
  long nameBatch() {
    if (capture.isEmpty() && !changes.any()) {
      return lastNamed;
    }
    long next = lastNamed + 1;
    lastNamed = next;
    return next;
  }

  /** The index writer, whose monitor a commit holds when it names a batch. */
  Object writer() {
    return writer;
  }

  /** The last name given to a batch; 0 before the first. */
  long lastNamed() {
    return lastNamed;
  }

  String stateId() {
    return manifest.stateId;
  }

  /** Measures everything captured so far under a generation; the commit comes next. */
  synchronized void measure(long generation) {
    String unsettled = settleOrSayWhyNot();
    changes.giveBack(taken);
    taken = changes.take();
    committed = null;
    batch = new Batch(generation, capture.segments());
    batch.incomplete = unsettled;
    List<Throwable> troubles = capture.takeTrouble();
    if (!troubles.isEmpty()) {
      batch.incomplete = "pages of a flush could not be captured: " + troubles.get(0);
      trouble(batch.incomplete, troubles.get(0));
    }
    try {
      config.faults().at(FaultPoints.MEASURE);
      long begin = costs.begin();
      if (new RefreshCompaction(files, manifest).compact()) {
        manifest.write(files);
      }
      costs.end(Costs.Step.HISTORY, begin);
      renewRanks();
      AuditSample sample = auditor.sample(generation);
      writeCandidates(sample);
      audit(sample);
    } catch (Throwable t) {
      batch.file = null;
      batch.incomplete = "batch " + generation + " could not be measured: " + t;
      trouble(batch.incomplete, t);
    }
    writeVisits();
  }

  /** Writes down what visits found nothing; what cannot be written now waits for the next batch. */
  private void writeVisits() {
    if (taken.visits().isEmpty()) {
      return;
    }
    if (batch.incomplete == null && pagesRight) {
      try {
        config.faults().at(FaultPoints.VISITS);
        UnchangedVisits visits = UnchangedVisits.of(batch, taken.visits(), pages);
        if (visits.complaint() != null) {
          trouble(visits.complaint(), null);
        }
        if (!visits.isEmpty()) {
          visits.write(files, visitsFile(batch.generation));
        }
        batch.visits = visits;
        return;
      } catch (Throwable t) {
        trouble("visits that found nothing are recorded with the next batch", t);
      }
    }
    changes.giveBack(new Changes.Taken(Set.of(), taken.visits(), false, false, false));
    taken = taken.withoutVisits();
  }

  private void ensureOpen() {
    if (pages == null) {
      throw new AlreadyClosedException(
          "these measurements are closed; ask a new writer or DeltaState");
    }
  }

  private String settleOrSayWhyNot() {
    try {
      settle(true);
      return null;
    } catch (Throwable t) {
      String reason = "the batch before could not be settled: " + t;
      trouble(reason, t);
      return reason;
    }
  }

  private void renewRanks() throws IOException {
    boolean grown = ranks == null || manifest.present > ranks.pages() * GROWN;
    boolean due =
        grown
            || manifest.batchesMeasured - manifest.ranksBatch >= config.rebuildEvery()
            || manifest.changedSinceRanks >= config.rebuildShare() * ranks.pages();
    if (due && manifest.present > 0) {
      buildRanks(grown);
    }
  }

  private void buildRanks(boolean statisticsToo) throws IOException {
    long begin = costs.begin();
    try (DirectoryReader reader = openLatest()) {
      if (reader == null) {
        return;
      }
      Ranks built =
          statisticsToo || ranks == null
              ? Ranks.build(reader, config, terms, similarity)
              : ranks.renewed(reader, config, terms);
      String name = "ranks_" + manifest.nextFile++;
      built.write(files, name, workloadId);
      ranks = built;
      manifest.ranksFile = name;
      manifest.ranksBatch = manifest.batchesMeasured;
      manifest.changedSinceRanks = 0;
      manifest.ranksTime = config.clock().instant().toEpochMilli();
    } finally {
      costs.end(Costs.Step.RANKS, begin);
    }
  }

  private DirectoryReader openLatest() throws IOException {
    IndexCommit commit = latestCommit();
    return commit == null ? null : LiveDocuments.open(commit, softDeletesField);
  }

  private void writeCandidates(AuditSample sample) throws IOException {
    long now = config.clock().instant().toEpochMilli();
    Costs.Loop loop = costs.loop();
    PageMeasure measure = ranks == null ? null : new PageMeasure(ranks, config, loop);
    CandidateWriter writer =
        new CandidateWriter(
            batch, pages, pagesRight ? measure : null, workloadId, loop, config, sample);
    String name = batchFile(batch.generation);
    writer.write(files, name, now);
    batch.file = name;
  }

  /** Audits a sample of the batch against the commit before it; nothing that fails here matters. */
  private void audit(AuditSample sample) {
    if (sample == null || ranks == null || !standsForLatest) {
      return;
    }
    try (DirectoryReader before = openLatest()) {
      if (before != null) {
        auditor.audit(sample, before, ranks);
      }
    } catch (Throwable t) {
      trouble("a sample of batch " + batch.generation + " could not be audited", t);
    }
  }

  /** A commit was made; settles it if that can be done without reading the index. */
  synchronized void committed(IndexCommit commit) throws IOException {
    String named = commit.getUserData().get(GENERATION);
    if (batch == null || named == null || Long.parseLong(named) != batch.generation) {
      return;
    }
    committed = commit;
    settle(false);
  }

  /** Settles the last commit if it is not; reads the index where needed only if allowed. */
  private void settle(boolean mayReadIndex) throws IOException {
    if (committed == null && (pagesRight || !mayReadIndex)) {
      return;
    }
    try {
      if (committed != null && pagesRight && batch.incomplete == null && settleBatch()) {
        return;
      }
      if (mayReadIndex) {
        settleFromIndex();
      }
    } catch (Throwable t) {
      pagesRight = false;
      throw t;
    }
  }

  private boolean settleBatch() throws IOException {
    long begin = costs.begin();
    config.faults().at(FaultPoints.RESOLVE);
    if (taken.imported()) {
      return false;
    }
    LiveDocuments live = new LiveDocuments(committed, softDeletesField);
    Settlement settlement;
    Set<BytesRef> deleted;
    try (KeyLookup lookup = new KeyLookup(committed, softDeletesField, config.keyField())) {
      settlement = new Settlement(batch, changes, live, taken, lookup);
      deleted = deletedPages(settlement, lookup);
    }
    if (!settlement.certain(
        manifest.present, manifest.keyless, manifest.duplicates, deleted.size())) {
      return false;
    }
    begin = costs.end(Costs.Step.RESOLVE, begin);
    pagesRight = false;
    learnable++;
    BatchResult result = new BatchResult(batch, settlement, pages, config.faults());
    result.apply(deleted);
    batch.visits.apply(pages);
    pagesRight = true;
    begin = costs.end(Costs.Step.STORE_PUT, begin);
    manifest.present += settlement.pagesGained() - deleted.size();
    manifest.keyless += settlement.keylessGained();
    manifest.duplicates += settlement.extraCopiesGained();
    manifest.changedSinceRanks += result.changed();
    if (result.refreshes() > 0) {
      manifest.addRefreshFile(result.rejected() == 0 ? batch.file : result.write(files, manifest));
    }
    if (!batch.visits.isEmpty()) {
      manifest.addRefreshFile(visitsFile(batch.generation));
    }
    manifest.batchesMeasured++;
    finishBatch();
    costs.end(Costs.Step.HISTORY, begin);
    config.listener().batchMeasured(manifest.generation, result.refreshes(), result.change());
    return true;
  }

  /** Pages whose key was deleted, that have no copy in the batch and are gone from the commit. */
  private Set<BytesRef> deletedPages(Settlement settlement, KeyLookup lookup) throws IOException {
    Set<BytesRef> gone = new HashSet<>();
    PageEntry entry = new PageEntry();
    for (BytesRef key : settlement.withoutCopy(taken.deletedKeys())) {
      if (pages.get(key, entry) && entry.present && lookup.live(key) == 0) {
        gone.add(key);
      }
    }
    return gone;
  }

  private void finishBatch() throws IOException {
    Set<String> inCommit = new LiveDocuments(committed, null).segments();
    List<CapturedSegment> done = new ArrayList<>();
    for (CapturedSegment segment : batch.segments) {
      // a segment the commit does not have may come with the next one, but not with a later one
      boolean there = changes.restingPlace(segment.name(), inCommit) != null;
      if (there || !carried.add(segment.name())) {
        done.add(segment);
      }
    }
    capture.release(done);
    done.forEach(segment -> carried.remove(segment.name()));
    manifest.generation = batch.generation;
    standsForLatest = true;
    batch = null;
    committed = null;
    taken = Changes.NONE;
    notePages();
    config.faults().at(FaultPoints.BEFORE_MANIFEST);
    manifest.write(files);
    config.faults().at(FaultPoints.AFTER_MANIFEST);
    keepAudit();
    deleteOtherFiles();
    Set<String> held = new HashSet<>();
    capture.segments().forEach(segment -> held.add(segment.name()));
    changes.forgetMerges(held);
  }

  private void keepAudit() {
    try {
      auditor.settled();
    } catch (IOException | RuntimeException e) {
      trouble("what was audited could not be written", e);
    }
  }

  private void settleFromIndex() throws IOException {
    if (batch == null || committed == null) {
      rebuildPages(openLatest(), manifest.generation);
      notePages();
      manifest.write(files);
      return;
    }
    rebuildPages(LiveDocuments.open(committed, softDeletesField), batch.generation);
    finishBatch();
  }

  private IndexCommit latestCommit() throws IOException {
    try {
      List<IndexCommit> commits = DirectoryReader.listCommits(index);
      return commits.get(commits.size() - 1);
    } catch (IndexNotFoundException e) {
      return null;
    }
  }

  private void notePages() {
    manifest.pagesNumber = pages.number();
    manifest.pagesCapacity = pages.capacity();
    manifest.pagesBytes = pages.bytes();
    manifest.known = pages.size();
  }

  private void noteIncomplete(long generation, boolean missing) {
    String reason = batch == null ? null : batch.incomplete;
    if (reason != null || missing) {
      manifest.batchesIncomplete++;
      manifest.lastIncomplete =
          reason != null
              ? reason
              : "batch " + generation + " was committed, but what was measured of it is missing";
    }
  }

  private void trouble(String sentence, Throwable cause) {
    config.listener().trouble(sentence, cause);
  }

  /** Where what is measured lies. */
  Directory files() {
    return files;
  }

  /** Counts whatever changes histories: what was learned at another count is out of date. */
  synchronized long learnable() throws IOException {
    ensureOpen();
    settle(true);
    return learnable;
  }

  /** The pages as a port of the refresh strategies, settled first. */
  synchronized StoredHistories histories() throws IOException {
    ensureOpen();
    settle(true);
    return new StoredHistories(pages, manifest.present);
  }

  /** Every refresh of a page, the latest first; empty when the page is not known. */
  synchronized List<MeasuredRefresh> refreshesOf(String page) throws IOException {
    ensureOpen();
    settle(true);
    return new RefreshHistory(files, manifest, folder.path()).of(page);
  }

  /** Builds statistics, rank functions and vectors anew from the last commit. */
  synchronized void rebuild() throws IOException {
    ensureOpen();
    settle(true);
    rebuildPages(openLatest(), manifest.generation);
    if (manifest.present > 0) {
      buildRanks(true);
    }
    notePages();
    manifest.write(files);
    deleteOtherFiles();
  }

  /** The state as people and programs ask for it. */
  synchronized DeltaStatus status() throws IOException {
    ensureOpen();
    settle(true);
    notePages();
    return DeltaStatus.of(manifest, config.workload(), manifest.pagesBytes, auditor.tell());
  }

  /** Reads a page's vector; for tests of what the store holds. */
  synchronized boolean page(BytesRef key, PageEntry entry) throws IOException {
    ensureOpen();
    settle(true);
    return pages.get(key, entry);
  }

  synchronized Ranks ranks() {
    return ranks;
  }

  @Override
  public synchronized void close() throws IOException {
    capture.disable();
    try {
      if (pages != null) {
        settle(true);
        IndexCommit commit = latestCommit();
        notePages();
        pages.close();
        manifest.cleanCommit =
            commit == null || !pagesRight || !standsForLatest ? "" : idOf(commit);
        pages = null;
        manifest.write(files);
      }
    } finally {
      if (pages != null) {
        pages.close();
        pages = null;
      }
      capture.release(capture.segments());
      folder.close();
    }
  }
}
