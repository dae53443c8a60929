// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;

/**
 * Reads pages back from the index, because what was captured does not tell them, nothing is known
 * of them yet, or somebody wants them anew; and sees to what nobody measures any more then, which
 * is counted once. Under the lock of the {@link Measurer}.
 */
final class ReadBack {
  private final DeltaConfig config;
  private final CommittedIndex index;
  private final String softDeletesField;
  private final SettledCommit settledCommit;
  private final Manifest manifest;
  private final CurrentRanks ranks;
  private final CurrentPages pages;
  private final UnmeasuredCommits unmeasuredCommits;
  private final UnderWay underWay;

  ReadBack(MeasurerParts parts, UnderWay underWay) {
    this.config = parts.config;
    this.index = parts.index;
    this.softDeletesField = parts.softDeletesField;
    this.settledCommit = parts.settledCommit;
    this.manifest = parts.manifest;
    this.ranks = parts.ranks;
    this.pages = parts.pages;
    this.unmeasuredCommits = parts.unmeasuredCommits;
    this.underWay = underWay;
  }

  /**
   * Reads the pages of a commit.
   *
   * @param opened null when there is none
   * @param generation of the batch that the commit closes
   * @param gone captured segments whose documents it does not have
   */
  void rebuildPages(DirectoryReader opened, long generation, Set<String> gone) throws IOException {
    String incomplete = underWay.batch == null ? null : underWay.batch.incomplete;
    rebuildPages(opened, new ClosedBatch(generation, incomplete, true, gone, isLost()));
  }

  /** The same, for what is known of the batch. */
  void rebuildPages(DirectoryReader opened, ClosedBatch closed) throws IOException {
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

  /** Whether what the latest commit brought, if it is read, is measured by nobody. */
  private boolean isLost() {
    return unmeasuredCommits.any() && underWay.unsettledCommit == null;
  }

  /** Counts an incomplete batch that the listener is told of. */
  void countLost(String why) {
    manifest.countIncomplete(why);
    config.listener().trouble(Trouble.LOST, why, null);
  }

  /** Reads the pages from the index's latest commit, null when there is none. */
  void rebuildFrom(IndexCommit latest) throws IOException {
    LiveDocuments live = latest == null ? null : new LiveDocuments(latest, softDeletesField);
    settledCommit.becomes(live);
    boolean unmeasured = unmeasuredCommits.any();
    rebuildPages(latest == null ? null : index.open(latest), manifest.generation, Set.of());
    manifest.settledCommit = settledCommit.id();
    if (unmeasured && live != null) {
      countRead(latest);
      settledCommit.releaseRead(live);
    }
    if (latest != null && underWay.standsForLatest) {
      passUnmeasured(latest);
    }
    countMerged();
  }

  /**
   * A batch that could not be settled, with commits that none could be begun for after it: all that
   * the next one would have held is read. Unless the latest names it: the next opening settles it.
   */
  private void countRead(IndexCommit latest) throws IOException {
    Batch batch = underWay.batch;
    long named = BatchNames.generationOf(latest.getUserData(), manifest);
    if (batch != null && batch.mergedItself && batch.generation != named) {
      manifest.batchesIncomplete += batch.merged;
      underWay.batch = null;
    }
  }

  /**
   * Commits that no batch may come after to tell of, all but the latest: that one is settled by the
   * next batch, or at the next opening.
   */
  private void countMerged() {
    Batch batch = underWay.batch;
    if (batch != null && batch.merged > 1) {
      manifest.batchesIncomplete += batch.merged - 1;
      manifest.lastIncomplete = IncompleteBatch.settledByNobody(batch.merged, batch.generation);
      batch.merged = 1;
    }
  }

  /**
   * A batch that could not be begun has no files that the next opening could look for, and what it
   * lacks is counted by now.
   */
  void passUnmeasured(IndexCommit commit) throws IOException {
    Batch batch = underWay.batch;
    long named = BatchNames.generationOf(commit.getUserData(), manifest);
    boolean another = batch != null && (batch.generation >= named || batch.merged > 0);
    if (!another && named > manifest.generation) {
      manifest.generation = named;
    }
  }
}
