// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.PageShifts;
import java.io.IOException;

/**
 * Measures candidates of a batch, for one of the threads that share in it; used once.
 *
 * <p>A candidate whose ΔQ_A or usefulness is not finite is recorded as not measured, and told to
 * the batch: a single infinite gain would leave no order among all pages.
 */
final class CandidateMeasure {
  /** Usefulness as long as there are no rank functions. */
  private static final double UNKNOWN = -1;

  private final Batch batch;
  private final PageStore pages;
  private final FoundPages found;
  private final PageMeasure measure;
  private final Costs.Loop costs;
  private final boolean named; // whether somebody asks for the page's name
  private final AuditSample sample;
  private final BatchShifts.Part kept;
  private final UndatedTimes undated;
  private final RefreshDetails details = new RefreshDetails();
  private final PageEntry known = new PageEntry();
  private final VectorBuffer vector = new VectorBuffer();

  /**
   * Records refreshes without measuring them when {@code measure} is null.
   *
   * @param found gets what the store knows of each page
   * @param sample is offered every measured refresh that changed its page; null when nothing is
   *     audited
   * @param kept gets the score shifts; null when nobody is told of them
   */
  CandidateMeasure(
      Batch batch,
      PageStore pages,
      FoundPages found,
      PageMeasure measure,
      long workloadId,
      Costs.Loop costs,
      DeltaConfig config,
      AuditSample sample,
      BatchShifts.Part kept,
      UndatedTimes undated) {
    this.batch = batch;
    this.pages = pages;
    this.found = found;
    this.measure = measure;
    this.costs = costs;
    this.named = config.importance() != null;
    this.sample = sample;
    this.kept = kept;
    this.undated = undated;
    details.clear(workloadId);
  }

  /** Measures the candidates of some pages and says in the batch, and to a file, what they are. */
  void measure(Batch.Pages cursor, RefreshFile.Buffer target) throws IOException {
    while (cursor.next()) {
      costs.round();
      pages.get(cursor.key(), known);
      found.add(cursor.page(), known);
      costs.step(Costs.Step.STORE_GET);
      known.page = named ? PageKeys.name(cursor.key()) : null;
      batch.wasPresent[cursor.page()] = known.present;
      target.beginPage(cursor.key(), cursor.count());
      for (int copy = 0; copy < cursor.count(); copy++) {
        target.refresh(candidate(cursor, copy));
        costs.step(Costs.Step.HISTORY);
      }
    }
  }

  private Refresh candidate(Batch.Pages cursor, int copy) {
    CapturedSegment segment = cursor.segment(copy);
    int entry = cursor.entry(copy);
    int candidate = cursor.candidate(copy);
    segment.vector(entry, vector);
    long fetched = segment.time(entry) == FetchTimes.UNKNOWN ? undated.now() : segment.time(entry);
    long interval = known.fetched() ? fetched - known.lastRefresh : 0;
    boolean measured = measure != null && known.present && interval > 0;
    boolean sameVector = vector.sameAs(known.vector);
    boolean same = known.present && sameVector; // else what is known is of the text that left
    double qualityChange = 0;
    double useful = known.usefulness;
    if (measured && !same) {
      qualityChange = measure.measure(known, vector, details);
      useful = measure.usefulness();
      keep(candidate, measure.shifts());
    } else if (measure == null) {
      useful = same ? useful : UNKNOWN;
    } else if (!same || useful < 0) {
      useful = measure.usefulness(known, vector);
      costs.step(Costs.Step.QUALITY);
      if (!known.present) {
        keep(candidate, measure.entering());
      }
    }
    if (!Double.isFinite(qualityChange) || !Float.isFinite((float) useful)) {
      batch.tellNotFinite(cursor.key(), Double.isFinite(qualityChange) ? useful : qualityChange);
      measured = false;
      qualityChange = 0;
      useful = Float.isFinite((float) useful) ? useful : UNKNOWN; // known of the new text
    }
    if (!known.isDated(undated.firstSeen())) {
      measured = false;
      qualityChange = 0;
    }
    if (measured && !same && sample != null) {
      sample.offer(cursor.key(), known.vector, vector, qualityChange);
    }
    costs.step(Costs.Step.SHIFT);
    boolean explained = measured && qualityChange != 0;
    long since = measured ? interval : 0;
    float usefulness = same || useful >= 0 ? (float) useful : Refresh.FORGOTTEN;
    Refresh refresh =
        new Refresh(
            batch.generation,
            fetched,
            measured,
            since,
            qualityChange,
            usefulness,
            segment.name(),
            segment.doc(entry),
            vector.hash(),
            explained ? details : null);
    batch.setCandidate(candidate, refresh, !sameVector);
    return refresh;
  }

  private void keep(int candidate, PageShifts shifts) {
    if (kept != null) {
      kept.add(candidate, shifts);
    }
  }
}
