// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * How measuring stands, for those who ask; while something that may take long holds the {@link
 * Measurer}'s lock they are told how it stood before that, and wait for nothing. Under that lock,
 * but for {@link #before}.
 */
final class CurrentStatus {
  private final Manifest manifest;
  private final CurrentRanks ranks;
  private final RefreshAuditor auditor;
  private final UnmeasuredCommits unmeasuredCommits;
  private final UnderWay underWay;
  private String whyUnsettled; // the last commit, when that was tried last; else null
  private volatile StatusBefore before; // null when nothing takes long, or it could not be told

  CurrentStatus(MeasurerParts parts, UnderWay underWay) {
    this.manifest = parts.manifest;
    this.ranks = parts.ranks;
    this.auditor = parts.auditor;
    this.unmeasuredCommits = parts.unmeasuredCommits;
    this.underWay = underWay;
  }

  /** How measuring stood before what holds the lock; null if who asks is to wait for that. */
  StatusBefore before() {
    return before;
  }

  /**
   * Others hear from now on how measuring stands now, if they do not hear of an earlier time.
   *
   * @return what they heard so far, to be {@linkplain #restore restored}
   */
  StatusBefore tell() {
    StatusBefore outer = before;
    before = outer == null ? now() : outer;
    return outer;
  }

  /** The same, also if they hear of an earlier time. */
  StatusBefore tellAgain() {
    StatusBefore outer = before;
    before = now();
    return outer;
  }

  /** The same, with why the last commit could not be settled. */
  StatusBefore tellUnsettled(String why) {
    whyUnsettled = why;
    return tellAgain();
  }

  /** Others hear what they heard before. */
  void restore(StatusBefore outer) {
    before = outer;
  }

  /** The last commit is settled. */
  void settled() {
    whyUnsettled = null;
  }

  /** How measuring stood before what is half done, for a listener who is told on the way. */
  StatusBefore stood() {
    return before == null ? of(manifest, whyUnsettled) : before;
  }

  /**
   * How measuring stands, while the lock is held.
   *
   * @param why the last commit cannot be settled; null if it is
   */
  StatusBefore now(String why) {
    return of(manifest, why);
  }

  /** Null where it cannot be told: who asks then waits. */
  private StatusBefore now() {
    try {
      return of(manifest.copy(), whyUnsettled);
    } catch (Throwable t) {
      return null;
    }
  }

  private StatusBefore of(Manifest counts, String why) {
    boolean late = why == null && unmeasuredCommits.any();
    int missed = unmeasuredCommits.missed();
    Batch batch = underWay.batch;
    boolean itself =
        batch != null && (missed == 0 || underWay.unsettledCommit != null); // and not merged
    int unsettled = missed + (batch == null ? 0 : batch.merged) + (itself ? 1 : 0);
    return new StatusBefore(
        counts,
        ranks.inUse(),
        auditor.selfAudit(),
        late ? Math.max(1, missed) : why == null ? 0 : unsettled,
        late ? unmeasuredCommits.why() : why);
  }
}
