// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.index.IndexCommit;

/**
 * What the classes of a {@link Measurer} tell each other: the batch from its beginning until its
 * commit is settled, what is to be done with a commit, and what is being done, so that nobody who
 * is told or asked on the way undoes it. Under its lock.
 */
final class UnderWay {
  /** Whether the settled commit is the index's latest; not of a writer on an earlier one. */
  boolean standsForLatest;

  /** Begun, and its commit not yet settled; null if there is none. */
  Batch batch;

  /** What the batch has of the writer's operations; see {@link WriterOperations#take}. */
  WriterOperations.Taken taken = WriterOperations.NONE;

  /** Visits that the last batch put off to the next. */
  int visitsPutOff;

  /** A commit to be settled; null if there is none. */
  IndexCommit unsettledCommit;

  /** While settling, or reporting its failure: a listener that asks then is refused. */
  boolean settling;

  /** While pages are measured: who hears of it asks, but neither replaces nor rebuilds them. */
  boolean measuring;

  /** While rank functions and what comes of them are built, or what was built is read. */
  boolean building;
}
