// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * This writer's commits that closed no batch: what they brought the next batch measures, or nobody
 * if the index is read before.
 *
 * <p>Guarded by the lock of the {@link Measurer}, but for {@link #couldNotBegin}.
 */
final class UnmeasuredCommits {
  private static final String BEHIND =
      "the application set commit data while a commit was made, so that it cannot be recognised as"
          + " this writer's: its batch is measured with the next commit; set commit data before"
          + " commit()";
  private static final String READ =
      "the application set commit data while a commit was made, and what that brought was read from"
          + " the index before another commit could measure it; set commit data before commit()";

  private boolean any; // the latest commit is one

  /** What kept the batch of the commit under way from being begun, or null. */
  private volatile Throwable failure;

  private int missed; // those whose batches could not be begun, and that are not counted yet
  private Throwable notBegun; // the failure of the last of these

  /**
   * The batch of the commit being prepared could not be named, or begun: the next one measures what
   * it holds. Waits for nothing.
   */
  void couldNotBegin(Throwable failure) {
    this.failure = failure;
  }

  /** The batch of the commit being prepared is begun. */
  void begun() {
    failure = null;
  }

  /** The commit just made closed no batch. */
  void add() {
    any = true;
    if (failure != null) {
      missed++;
      notBegun = failure;
    }
  }

  /** A commit was made: what failed before is none of the next one's. */
  void made() {
    failure = null;
  }

  /** Whether what the latest commit brought is to be measured with the next. */
  boolean any() {
    return any;
  }

  /** Those that count as incomplete batches, and are not counted yet. */
  int missed() {
    return missed;
  }

  /** What kept the batch of the last of them from being begun, or null. */
  Throwable notBegun() {
    return notBegun;
  }

  /** What they brought has been read from the index. */
  void read() {
    any = false;
  }

  /** They are measured or read, and counted. */
  void counted() {
    any = false;
    notBegun = null;
    missed = 0;
  }

  /** Why they are to be measured with the next commit. */
  String why() {
    return notBegun == null
        ? BEHIND
        : "a batch could not be begun and is measured with the next commit: " + notBegun;
  }

  /** Why they are measured by nobody, if the index is read now. */
  String whyRead() {
    return notBegun == null
        ? READ
        : "a batch could not be begun, and what it brought was read from the index before another commit could measure it: "
            + notBegun;
  }
}
