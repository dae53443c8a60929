// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.Directory;

/**
 * Brings state and index together when a writer is opened: whose measurements these are, what has
 * happened to the index since, and what of the state still holds. Used once, when nobody else has
 * the {@link Measurer} yet.
 */
final class Opening {
  private static final String TAKEN_OVER =
      "the writer was opened on a reader of one before it that had not committed what the reader"
          + " has: refreshes of these pages are not recorded";

  private final DeltaConfig config;
  private final Similarity similarity;
  private final String softDeletesField;
  private final BatchNames names;
  private final SettledCommit settledCommit;
  private final Directory files;
  private final Manifest manifest;
  private final long workloadId;
  private final KeptWorkloads workloads;
  private final RefreshAuditor auditor;
  private final StateUpkeep state;
  private final HistoryRollback rollback;
  private final RecordedBatches recorded;
  private final CurrentRanks ranks;
  private final CurrentPages pages;
  private final SetupCheck setup;
  private final UnderWay underWay;
  private final ReadBack readBack;

  Opening(MeasurerParts parts, UnderWay underWay, ReadBack readBack) {
    this.config = parts.config;
    this.similarity = parts.similarity;
    this.softDeletesField = parts.softDeletesField;
    this.names = parts.names;
    this.settledCommit = parts.settledCommit;
    this.files = parts.files;
    this.manifest = parts.manifest;
    this.workloadId = parts.workloadId;
    this.workloads = parts.workloads;
    this.auditor = parts.auditor;
    this.state = parts.state;
    this.rollback = parts.rollback;
    this.recorded = parts.recorded;
    this.ranks = parts.ranks;
    this.pages = parts.pages;
    this.setup = parts.setup;
    this.underWay = underWay;
    this.readBack = readBack;
  }

  /**
   * Brings state and index together.
   *
   * @param userData of the commit the writer was opened on
   * @param opened what the writer was opened on
   */
  void open(Map<String, String> userData, OpenedOn opened) throws IOException {
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
      readBack.countLost(TAKEN_OVER);
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
      readBack.rebuildPages(
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
    underWay.standsForLatest = opened.latest();
    settledCommit.becomes(opened);
    if (underWay.standsForLatest) {
      manifest.settledCommit = settledCommit.id();
    }
    pages.note();
    setup.settled(manifest);
    if (!manifest.isTentative()) {
      rollback.makeDurable();
    }
    manifest.write(files);
    state.deleteOthers(manifest, pages.store().number(), underWay.batch);
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
      manifest.countIncomplete(why);
    } else {
      readBack.countLost(why);
    }
  }

  /** When measuring began; a clock that fails is no reason not to open. */
  private Instant beginning() {
    try {
      return config.now();
    } catch (Throwable t) {
      config
          .listener()
          .trouble(
              Trouble.SETUP,
              "the configured clock failed; measuring begins by that of the system",
              t);
      return Instant.now();
    }
  }
}
