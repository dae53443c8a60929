// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import org.apache.lucene.index.ConcurrentMergeScheduler;

/**
 * Merges as Lucene does by default, whose threads say nothing of a failure themselves: the writer
 * that a merge broke tells it with the next commit, and a stack trace would come before.
 */
final class QuietMerges extends ConcurrentMergeScheduler {
  @Override
  protected void handleMergeException(Throwable failure) {}
}
