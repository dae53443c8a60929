// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** Measures the candidates of a batch and writes them down before the commit; used once. */
final class CandidateWriter {
  private final Batch batch;
  private final PageStore pages;
  private final PageMeasure measure;
  private final Costs costs;
  private final FaultPoints faults;
  private final AuditSample sample;
  private final RefreshDetails details = new RefreshDetails();
  private final PageEntry known = new PageEntry();
  private final VectorBuffer vector = new VectorBuffer();

  /**
   * A writer that records refreshes without measuring them when {@code measure} is null.
   *
   * @param sample is offered every refresh that changed its page; null when nothing is audited
   */
  CandidateWriter(
      Batch batch,
      PageStore pages,
      PageMeasure measure,
      long workloadId,
      Costs costs,
      DeltaConfig config,
      AuditSample sample) {
    this.batch = batch;
    this.pages = pages;
    this.measure = measure;
    this.costs = costs;
    this.faults = config.faults();
    this.sample = sample;
    details.clear(workloadId);
  }

  /** Writes the file, durably; {@code now} is the fetch time of documents that tell none. */
  void write(Directory directory, String name, long now) throws IOException {
    faults.at(FaultPoints.BEFORE_RUN);
    try (RefreshFile.Writer file = new RefreshFile.Writer(directory, name)) {
      Batch.Pages cursor = batch.pages();
      while (cursor.next()) {
        long begin = costs.begin();
        pages.get(cursor.key(), known);
        costs.end(Costs.Step.STORE_GET, begin);
        known.page = cursor.key().utf8ToString();
        batch.addPage(known.present);
        file.beginPage(cursor.key(), cursor.count());
        for (int copy = 0; copy < cursor.count(); copy++) {
          file.refresh(candidate(cursor, copy, now));
        }
      }
      long begin = costs.begin();
      file.finish();
      costs.end(Costs.Step.HISTORY, begin);
    }
    faults.at(FaultPoints.AFTER_RUN);
  }

  private Refresh candidate(Batch.Pages cursor, int copy, long now) {
    CapturedSegment segment = cursor.segment(copy);
    int entry = cursor.entry(copy);
    segment.vector(entry, vector);
    long fetched = segment.time(entry) == SegmentNotes.NO_TIME ? now : segment.time(entry);
    long interval = known.fetched() ? fetched - known.lastRefresh : 0;
    boolean measured = measure != null && known.present && interval > 0;
    boolean same = vector.sameAs(known.vector);
    double change = measured && !same ? change(cursor.key()) : 0;
    float useful = same && known.usefulness >= 0 ? known.usefulness : usefulness();
    boolean explained = measured && change != 0;
    batch.addCandidate(measured, fetched, measured ? interval : 0, change, useful);
    return new Refresh(
        batch.generation,
        fetched,
        measured,
        measured ? interval : 0,
        change,
        useful,
        segment.name(),
        segment.doc(entry),
        vector.hash(),
        explained ? details : null);
  }

  /** Negative as long as there are no rank functions. */
  private float usefulness() {
    return measure == null ? -1 : (float) measure.usefulness(known.page, vector);
  }

  private double change(BytesRef key) {
    double change = measure.measure(known.page, known.vector, vector, details);
    if (sample != null) {
      sample.offer(key, known.vector, vector, change);
    }
    return change;
  }
}
