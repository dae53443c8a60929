// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;

/**
 * Follows a commit through the places where Lucene lets one look: before the flush, when the commit
 * data is read, after the flush, and, as a deletion policy, after {@code segments_N} is written.
 *
 * <p>The application's own deletion policy decides as before. Nothing of ours is thrown. A thread
 * that was interrupted before it commits is so afterwards, and its batch is measured.
 */
final class CommitWatch extends IndexDeletionPolicy {
  private final BorrowedConfig config;
  private final IndexDeletionPolicy delegate;
  private final DeltaListener listener;
  private final ThreadLocal<Long> named = new ThreadLocal<>();
  private final ThreadLocal<Long> visitsBefore = new ThreadLocal<>(); // the flush under way
  private volatile Measurer measurer;
  private String seen = ""; // the file of the last commit told; within the index writer's monitor

  CommitWatch(BorrowedConfig config, DeltaListener listener) {
    this.config = config;
    this.delegate = config.policy();
    this.listener = listener;
  }

  void start(Measurer measurer) {
    this.measurer = measurer;
  }

  void stop() {
    measurer = null;
  }

  /**
   * Adds the batch's name to the commit data; a new one when a commit reads the data, which it does
   * holding the writer's monitor.
   */
  void addName(List<Map.Entry<String, String>> data) {
    Measurer current = measurer;
    if (current == null) {
      return;
    }
    BatchNames names = current.names();
    if (names.canName()) {
      try {
        long before = names.last();
        Long visits = visitsBefore.get();
        Long given = named.get(); // and not measured: the application may look at the data, too
        long generation = names.name(visits == null ? Long.MAX_VALUE : visits, given);
        if (generation != before) {
          named.set(generation);
        }
      } catch (Throwable t) {
        putOff("a batch could not be named and is measured with the next", t);
      }
    }
    names.addTo(data);
  }

  /** Whether the calling thread is where a commit reads its data. */
  boolean isCommitting() {
    Measurer current = measurer;
    return current != null && current.names().canName();
  }

  /**
   * The writer begins to flush.
   *
   * @param visits heard of so far, see {@link WriterOperations#visitsHeard}
   */
  void beforeFlush(long visits) {
    visitsBefore.set(visits);
    Measurer current = measurer;
    if (current != null) {
      current.names().beforeFlush();
    }
  }

  /** Measures the batch that this thread has just named, if it has. */
  void afterFlush() {
    Long generation = named.get();
    Measurer current = measurer;
    if (generation != null && current != null) {
      named.remove();
      visitsBefore.remove();
      boolean interrupted = Thread.interrupted(); // or no file could be written
      try {
        BatchNames.NamedBatch batch = current.names().take(generation);
        if (batch != null) {
          current.measure(batch);
        }
      } catch (Throwable t) {
        putOff("a batch cannot be measured yet and is measured with the next", t);
      } finally {
        interruptAgain(interrupted);
      }
    }
  }

  @Override
  public void onInit(List<? extends IndexCommit> commits) throws IOException {
    seen = commits.isEmpty() ? "" : commits.get(commits.size() - 1).getSegmentsFileName();
    config.returnPolicy(); // the writer has taken ours; who asks gets his own
    delegate.onInit(commits);
  }

  @Override
  public void onCommit(List<? extends IndexCommit> commits) throws IOException {
    IndexCommit last = commits.get(commits.size() - 1);
    delegate.onCommit(commits);
    boolean asked = last.getSegmentsFileName().equals(seen); // once more, to delete unused files
    seen = last.getSegmentsFileName();
    Measurer current = measurer;
    if (current != null && !asked) {
      boolean interrupted = Thread.interrupted(); // as above
      try {
        current.committed(last);
      } catch (Throwable t) {
        report(Trouble.RETRIED, "a committed batch could not be settled yet", t);
      } finally {
        interruptAgain(interrupted);
      }
    }
  }

  private static void interruptAgain(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Tells that the batch of a commit is left to the next one; its status will say why.
   *
   * @param sentence a constant: memory may lack for another
   */
  void putOff(String sentence, Throwable cause) {
    Measurer current = measurer;
    if (current != null) {
      current.couldNotBegin(cause);
    }
    report(Trouble.RETRIED, sentence, cause);
  }

  void report(Trouble kind, String sentence, Throwable cause) {
    listener.trouble(kind, sentence, cause);
  }
}
