// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexWriter;

/**
 * Names batches, by numbers that ascend, in the data of the commits that close them.
 *
 * <p>A batch is named while Lucene prepares a commit, within the index writer's monitor and without
 * the lock of the {@link Measurer}, which may be busy with the batch before. Everything else may be
 * asked by any thread at any time.
 */
final class BatchNames {
  /** The commit data's entry with the number of the batch that the commit closes. */
  static final String GENERATION = "lucene-delta.generation";

  /** Whose the name is: the measurements', for an index may be measured by others later. */
  static final String STATE = "lucene-delta.state";

  private final IndexWriter writer;
  private final Capture capture;
  private final WriterOperations operations;
  private final Manifest manifest;
  private volatile long last;
  private volatile boolean flushing; // since a commit named a batch, or nothing
  private long used; // the highest number that files of batches have, committed or not
  private final Map<Long, NamedBatch> waiting = new ConcurrentHashMap<>(); // batches not taken yet

  /**
   * A batch as it was named: another may be before it is measured.
   *
   * @param flushed what it holds
   * @param visits how many had been heard of when its commit began to flush
   */
  record NamedBatch(long generation, Capture.Flushed flushed, long visits) {}

  BatchNames(IndexWriter writer, Capture capture, WriterOperations operations, Manifest manifest) {
    this.writer = writer;
    this.capture = capture;
    this.operations = operations;
    this.manifest = manifest;
  }

  /** The batch that a commit has closed; of a commit that is not ours, the last one known. */
  static long generationOf(Map<String, String> commitData, Manifest manifest) {
    String generation = commitData.get(GENERATION);
    boolean ours = generation != null && manifest.stateId.equals(commitData.get(STATE));
    return ours ? Long.parseLong(generation) : manifest.generation;
  }

  /**
   * The next batch will have the number after both.
   *
   * @param generation of the last batch
   * @param found the highest number that a batch's files were found to have, of whatever came of it
   */
  void startAfter(long generation, long found) {
    last = generation;
    used = found;
  }

  /** Whether the calling thread is where a commit names its batch: in the writer's monitor. */
  boolean canName() {
    return Thread.holdsLock(writer);
  }

  /**
   * Names the batch that the commit now being prepared will close, if there will be one and it
   * needs a name of its own. While no flush but the commit's may come to an end: what is captured
   * now is what the commit holds, or nobody will ever have. Only looks and counts.
   *
   * @param visitsBefore that were heard of before the commit's flush began; {@link Long#MAX_VALUE}
   *     if this thread has none under way
   * @param given the name that it was given before, which it keeps; null for none
   * @return the last name given
   */
  long name(long visitsBefore, Long given) {
    long generation = nameOrLast(visitsBefore, given);
    if (visitsBefore != Long.MAX_VALUE) {
      flushing = false;
    }
    return generation;
  }

  private long nameOrLast(long visitsBefore, Long given) {
    boolean any =
        !capture.isEmpty() || operations.any() || operations.goesOn() || manifest.isTentative();
    if (!any || !writer.hasUncommittedChanges()) {
      return last;
    }
    capture.askForMemoryAgain();
    long generation = given != null && given == last ? given : Math.max(last, used) + 1;
    waiting.put(generation, new NamedBatch(generation, capture.flushed(), visitsBefore));
    last = generation;
    return generation;
  }

  /** The last name given to a batch; 0 before the first. */
  long last() {
    return last;
  }

  /** A flush begins, perhaps that of a commit. */
  void beforeFlush() {
    flushing = true;
  }

  /**
   * The highest number that a batch may have whose commit has begun: what is deleted or indexed by
   * now all later ones hold.
   */
  long begun() {
    boolean next = flushing; // before the name that ends it is read
    return Math.max(last, used) + (next ? 1 : 0);
  }

  /** Takes a batch that was named; null when a later one was taken before. */
  NamedBatch take(long generation) {
    NamedBatch batch = waiting.get(generation);
    waiting.keySet().removeIf(earlier -> earlier <= generation);
    return batch;
  }

  /** Adds the last name given, if there is one. */
  void addTo(List<Map.Entry<String, String>> commitData) {
    if (last > 0) {
      commitData.add(Map.entry(GENERATION, Long.toString(last)));
      commitData.add(Map.entry(STATE, manifest.stateId));
    }
  }
}
