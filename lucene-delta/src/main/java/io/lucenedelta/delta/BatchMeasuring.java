// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.store.Directory;

/**
 * Measures a batch before its commit: begins it with what was captured, and writes what every
 * candidate would be worth into the durable file of the generation that the commit will name. Under
 * the lock of the {@link Measurer}.
 */
final class BatchMeasuring {
  private final DeltaConfig config;
  private final CommittedIndex index;
  private final Capture capture;
  private final WriterOperations operations;
  private final Costs costs;
  private final StateFolder folder;
  private final Directory files;
  private final Manifest manifest;
  private final long workloadId;
  private final RefreshAuditor auditor;
  private final RecordedBatches recorded;
  private final CurrentRanks ranks;
  private final CurrentPages pages;
  private final SetupCheck setup;
  private final FoundPages found;
  private final MeasuringThreads threads;
  private final UnmeasuredCommits unmeasuredCommits;
  private final UnderWay underWay;
  private final CurrentStatus status;
  private final CommitSettling settling;
  private final BatchVisits visits;
  private final RankRenewal renewal;

  BatchMeasuring(
      MeasurerParts parts,
      UnderWay underWay,
      CurrentStatus status,
      CommitSettling settling,
      BatchVisits visits,
      RankRenewal renewal) {
    this.config = parts.config;
    this.index = parts.index;
    this.capture = parts.capture;
    this.operations = parts.operations;
    this.costs = parts.costs;
    this.folder = parts.folder;
    this.files = parts.files;
    this.manifest = parts.manifest;
    this.workloadId = parts.workloadId;
    this.auditor = parts.auditor;
    this.recorded = parts.recorded;
    this.ranks = parts.ranks;
    this.pages = parts.pages;
    this.setup = parts.setup;
    this.found = parts.found;
    this.threads = parts.threads;
    this.unmeasuredCommits = parts.unmeasuredCommits;
    this.underWay = underWay;
    this.status = status;
    this.settling = settling;
    this.visits = visits;
    this.renewal = renewal;
  }

  /** Measures what was captured when the batch was named; the commit comes next. */
  void measure(BatchNames.NamedBatch named) {
    long generation = named.generation();
    String unmeasured = // made now: when that fails, memory may lack for it
        "batch %d could not be measured into %s".formatted(generation, folder.path());
    begin(named);
    Batch batch = underWay.batch;
    if (!batch.troubles.isEmpty()) {
      batch.incomplete = because("pages of a flush could not be captured", batch.troubles.get(0));
      config.listener().trouble(Trouble.LOST, batch.incomplete, batch.troubles.get(0));
    }
    try {
      if (batch.missed > 0) {
        config
            .listener()
            .trouble(
                Trouble.LOST,
                IncompleteBatch.settledByNobody(batch.missed, generation),
                unmeasuredCommits.notBegun());
      }
      measure(batch);
    } catch (Throwable t) {
      batch.file = null;
      batch.incomplete = because(unmeasured, t);
      config.listener().trouble(Trouble.LOST, batch.incomplete, t);
      if (underWay.standsForLatest && t instanceof RuntimeException) {
        pages.setRight(false); // perhaps of pages that were damaged
      }
    }
    long begin = costs.begin();
    visits.write();
    costs.end(Costs.Step.HISTORY, begin);
  }

  private void measure(Batch batch) throws IOException {
    setup.captured(batch, manifest.pages, index::openLatest);
    config.faults().at(FaultPoints.MEASURE);
    if (manifest.isTentative()) {
      manifest.announce(files, batch.generation);
    }
    long begin = costs.begin();
    recorded.compact();
    costs.end(Costs.Step.MERGE, begin);
    renewal.renew();
    setup.ranked(ranks.inUse(), ranks.builds(), pages.store(), index::openLatest);
    renewal.findUsefulness();
    batch.writeIncomplete(manifest, files);
    AuditSample sample = auditor.sample(batch.generation);
    underWay.measuring = true;
    try {
      writeCandidates(sample);
    } finally {
      underWay.measuring = false;
    }
    if (underWay.standsForLatest && !unmeasuredCommits.any()) {
      auditor.audit(sample, index, ranks.inUse());
    }
  }

  private void begin(BatchNames.NamedBatch named) {
    String unsettled =
        settling.settleOrSayWhyNot(Trouble.LOST, "the batch before could not be settled");
    status.tellAgain(); // once more: the batch before is settled by now, or is known not to be
    settling.mergeUnsettled();
    operations.giveBack(underWay.taken);
    underWay.taken = WriterOperations.NONE; // or what fails next has it given back once more
    underWay.taken = operations.take(named.visits());
    boolean begun = false;
    try {
      config.faults().at(FaultPoints.BEGIN);
      Batch next = new Batch(named.generation(), capture.notReleased(named.flushed()));
      next.incomplete = unsettled;
      next.merged = underWay.batch == null ? 0 : underWay.batch.merged;
      next.missed = unmeasuredCommits.missed();
      underWay.batch = next;
      underWay.visitsPutOff = 0;
      unmeasuredCommits.begun();
      begun = true;
    } finally {
      if (!begun) { // or the next commit, if nothing else is asked for, names no batch
        WriterOperations.Taken lacking = underWay.taken;
        underWay.visitsPutOff = lacking.visits().size();
        operations.giveBack(lacking);
        underWay.taken = WriterOperations.NONE;
        visits.tellDropped(lacking);
      }
    }
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

  private void writeCandidates(AuditSample sample) throws IOException {
    Batch batch = underWay.batch;
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
}
