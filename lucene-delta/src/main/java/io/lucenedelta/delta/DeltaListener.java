// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * Hears of what is measured. {@link #batchMeasured} and {@link #progress} are called by the thread
 * that commits, opens, closes or asks, while it holds the writer's locks. {@link #trouble} may be
 * called by every thread that uses the writer, those that flush and merge included, with or without
 * its locks and by several at once. What a method throws is ignored. A method may ask the fetch
 * queue and what {@link DeltaIndexWriter} adds to its superclass, but nothing else of the writer:
 * it must not change or commit the index, record a visit, nor wait for another thread that does,
 * asks or reports: that one waits for the locks. Nor may it ask another writer or its queue: two
 * that commit at once would wait for each other for ever. While the last commit is being read back,
 * questions of {@link #progress} and {@link #trouble} end with an {@link IllegalStateException},
 * and the {@linkplain DeltaIndexWriter#status status} is that of before, as it is while the pages
 * of a batch are measured; {@link DeltaIndexWriter#rebuild} ends with one while rebuilding is under
 * way, or a batch is measured, and questions then where pages would have to be read back. A thread
 * that a method leaves interrupted goes on to write files, those of the index too: what fails then
 * fails as after any interrupt.
 */
public interface DeltaListener {
  /**
   * A committed batch was measured.
   *
   * @param generation the batch's number in the commit's user data
   * @param refreshes refreshes recorded, including first fetches, without visits that found nothing
   * @param qualityChange the sum of their ΔQ_A
   */
  default void batchMeasured(long generation, int refreshes, double qualityChange) {}

  /**
   * Measuring met trouble; indexing did not.
   *
   * @param kind what somebody should do about it
   * @param sentence what happened and what it means for the measurements
   * @param cause the exception, or null: in Kotlin a {@code Throwable?}, since a listener that
   *     takes a {@code Throwable} compiles, but hears of no trouble without an exception
   */
  default void trouble(Trouble kind, String sentence, Throwable cause) {}

  /**
   * Long work goes on: 10,000 pages more were read from the index, or measured for a commit, or
   * their usefulness was found; or the rank functions of 10,000 queries more are built.
   *
   * @param task what is being done, such as {@code "reading pages from the index"}
   * @param done how far it is
   * @param total when it is done, in the same unit
   */
  default void progress(String task, long done, long total) {}
}
