// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.store.Directory;

/** Measures the candidates of a batch and writes them down before the commit; used once. */
final class CandidateWriter {
  /** Usefulness as long as there are no rank functions. */
  private static final double UNKNOWN = -1;

  private final Batch batch;
  private final PageStore pages;
  private final FoundPages found;
  private final PageMeasure measure;
  private final Costs.Loop costs;
  private final FaultPoints faults;
  private final boolean named; // whether somebody asks for the page's name
  private final AuditSample sample;
  private final BatchShifts kept;
  private final RefreshDetails details = new RefreshDetails();
  private final PageEntry known = new PageEntry();
  private final VectorBuffer vector = new VectorBuffer();

  /**
   * A writer that records refreshes without measuring them when {@code measure} is null.
   *
   * @param found gets what the store knows of each page
   * @param sample is offered every refresh that changed its page; null when nothing is audited
   * @param kept gets the score shifts; null when nobody is told of them
   */
  CandidateWriter(
      Batch batch,
      PageStore pages,
      FoundPages found,
      PageMeasure measure,
      long workloadId,
      Costs.Loop costs,
      DeltaConfig config,
      AuditSample sample,
      BatchShifts kept) {
    this.batch = batch;
    this.pages = pages;
    this.found = found;
    this.measure = measure;
    this.costs = costs;
    this.faults = config.faults();
    this.named = config.importance() != null;
    this.sample = sample;
    this.kept = kept;
    details.clear(workloadId);
  }

  /** Writes the file, durably; {@code now} is the fetch time of documents that tell none. */
  void write(Directory directory, String name, long now) throws IOException {
    faults.at(FaultPoints.BEFORE_RUN);
    found.begin(pages);
    try (RefreshFile.Writer file = new RefreshFile.Writer(directory, name)) {
      Batch.Pages cursor = batch.pages();
      while (cursor.next()) {
        costs.round();
        pages.get(cursor.key(), known);
        found.add(known);
        costs.step(Costs.Step.STORE_GET);
        known.page = named ? cursor.key().utf8ToString() : null;
        batch.addPage(known.present);
        file.beginPage(cursor.key(), cursor.count());
        for (int copy = 0; copy < cursor.count(); copy++) {
          Refresh candidate = candidate(cursor, copy, now);
          file.refresh(candidate);
          costs.step(Costs.Step.HISTORY);
        }
      }
      file.finish();
    }
    costs.end(Costs.Step.HISTORY);
    faults.at(FaultPoints.AFTER_RUN);
  }

  private Refresh candidate(Batch.Pages cursor, int copy, long now) {
    CapturedSegment segment = cursor.segment(copy);
    int entry = cursor.entry(copy);
    segment.vector(entry, vector);
    long fetched = segment.time(entry) == FetchTimes.UNKNOWN ? now : segment.time(entry);
    long interval = known.fetched() ? fetched - known.lastRefresh : 0;
    boolean measured = measure != null && known.present && interval > 0;
    boolean same = vector.sameAs(known.vector);
    double change = 0;
    double useful = known.usefulness;
    if (measured && !same) {
      change = measure.measure(known, vector, details);
      useful = measure.usefulness();
      keep(measure.shifts());
      if (sample != null) {
        sample.offer(cursor.key(), known.vector, vector, change);
      }
    } else if (measure == null) {
      useful = same ? useful : UNKNOWN;
    } else if (!same || useful < 0) {
      useful = measure.usefulness(known, vector);
      if (!known.present) {
        keep(measure.entering());
      }
    }
    costs.step(Costs.Step.SHIFT);
    boolean explained = measured && change != 0;
    batch.addCandidate(measured, fetched, measured ? interval : 0, change, (float) useful);
    batch.noteChanged(!same);
    return new Refresh(
        batch.generation,
        fetched,
        measured,
        measured ? interval : 0,
        change,
        (float) useful,
        segment.name(),
        segment.doc(entry),
        vector.hash(),
        explained ? details : null);
  }

  private void keep(ShiftBuffer shifts) {
    if (kept != null) {
      kept.add(batch.candidates, shifts);
    }
  }
}
