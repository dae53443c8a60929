// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * Collects what flushes write about pages, until a batch takes it.
 *
 * <p>Flushes run in several threads, each with notes of its own; a segment is handed over whole or
 * not at all. What the memory of a batch does not hold goes to files. Nothing here throws into a
 * flush: a segment that could not be captured is kept as a {@link Flushed#troubles trouble}, and
 * the batch is then completed from the index instead.
 */
final class Capture {
  /**
   * Larger arrays, in bytes, are not kept for the next flush: a flush of Lucene's default buffer of
   * 16 MB seldom needs them, larger flushes are rare, and slow anyway.
   */
  private static final long MOST_KEPT = 32L << 20;

  /**
   * Nor, once the batch is done, larger ones than these, except while the JVM has memory to spare:
   * to one of many writers the next batch may never come, but if it does it would have to let them
   * grow again. Some 400 pages of 300 words fill them.
   */
  private static final long MOST_KEPT_IDLE = 1L << 20;

  private final DeltaConfig config;
  private final Costs costs;
  private final WorkloadTerms terms;
  private final Predicate<Directory> measured;
  private volatile boolean enabled = true;
  private volatile Directory spills; // null until the state is open
  private volatile boolean refused; // whether a flush got no memory since a batch was named
  private final ConcurrentLinkedQueue<Scratch> scratch = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<SoftReference<Scratch>> idle = new ConcurrentLinkedQueue<>();
  private final Map<SegmentNotes.Oddity, CapturedSegment> told =
      new ConcurrentHashMap<>(); // oddities told, and of which segment, until that is released
  private final List<CapturedSegment> segments = new ArrayList<>();
  private long heapBytes; // bytes that segments take, and those being added; under their lock
  private long vectorBytes; // bytes that their vectors take outside the heap; under their lock
  private final List<Throwable> troubles = new ArrayList<>(); // failures; under their lock, too

  /**
   * Nothing was captured yet.
   *
   * @param measured whether an index is the one to be measured: the application may write another
   *     one with the codec of a configuration that was lent ours
   */
  Capture(DeltaConfig config, WorkloadTerms terms, Costs costs, Predicate<Directory> measured) {
    this.config = config;
    this.terms = terms;
    this.measured = measured;
    this.costs = costs;
  }

  /** Where pages go that the memory of a batch does not hold. */
  void spillTo(Directory directory) {
    spills = directory;
  }

  /** Stops noting anything: measuring was closed or given up. */
  void disable() {
    enabled = false;
    clear(); // a reader may hold the codec, and this, for long
  }

  /**
   * What notes a segment about to be written, or null when it is not to be captured.
   *
   * @param norms the segment's, or null if no field has any
   */
  Scratch beginSegment(SegmentWriteState state, NormsProducer norms) {
    if (!enabled || refused || !measured.test(state.segmentInfo.dir)) {
      return null;
    }
    long begin = costs.begin();
    try {
      config.faults().at(FaultPoints.BEGIN_SEGMENT);
      int maxDoc = state.segmentInfo.maxDoc();
      if (maxDoc > PostingsByTerm.MOST_DOCUMENTS) {
        throw new IllegalStateException(
            "a flush of %d documents is not captured, only of up to %d"
                .formatted(maxDoc, PostingsByTerm.MOST_DOCUMENTS));
      }
      Scratch free = free();
      free.notes.begin(maxDoc, state.fieldInfos, norms);
      costs.end(Costs.Step.FLUSH, begin);
      free.notes.count(costs.noting());
      return free;
    } catch (Throwable t) {
      addTrouble(t);
      return null;
    }
  }

  private Scratch free() {
    Scratch free = scratch.poll();
    while (free == null) {
      SoftReference<Scratch> kept = idle.poll();
      free = kept == null ? new Scratch(config, terms) : kept.get(); // null if the JVM took it
    }
    return free;
  }

  private void clear() {
    scratch.clear();
    idle.clear();
  }

  /** Takes over what was noted; {@code written} is false when the delegate's own write failed. */
  void endSegment(Scratch used, SegmentWriteState state, boolean written) {
    long begin = costs.begin();
    SegmentNotes notes = used.notes;
    try {
      config.faults().at(FaultPoints.END_SEGMENT);
      if (notes.costs() != null) {
        notes.costs().end();
      }
      if (notes.failure() != null) {
        addTrouble(notes.failure());
      } else if (written) {
        CapturedSegment segment = used.capture(state);
        add(segment);
        notes.tell(segment, told, config.listener());
      }
      keep(used);
    } catch (Throwable t) {
      addTrouble(t);
    } finally {
      costs.end(Costs.Step.FLUSH, begin);
    }
  }

  private void keep(Scratch used) {
    if (used.heap.bytes() <= MOST_KEPT && used.notes.failure() == null) {
      scratch.add(used);
    }
    if (!enabled) { // meanwhile
      clear();
    }
  }

  private void add(CapturedSegment segment) throws IOException {
    Directory directory = spills;
    boolean toFile;
    synchronized (segments) {
      requireRoom(heapBytes + segment.heapBytes());
      heapBytes += segment.heapBytes();
      toFile = directory != null && vectorBytes + segment.bytes() > config.batchMemory();
      vectorBytes += toFile ? 0 : segment.bytes();
    }
    if (toFile) {
      spill(segment, directory);
    }
    synchronized (segments) {
      segments.add(segment);
    }
  }

  private void requireRoom(long heap) {
    if (heap > config.batchHeap()) {
      refused = true; // every further flush of such a batch would be too much
      throw new IllegalStateException(
          "keys and documents of the batch would take %d bytes of heap, more than %d; commit more"
                  .formatted(heap, config.batchHeap())
              + " often, or give the JVM more heap, for batches of this size to be measured");
    }
  }

  private void spill(CapturedSegment segment, Directory directory) throws IOException {
    try {
      segment.spill(directory);
    } catch (Throwable t) {
      synchronized (segments) {
        heapBytes -= segment.heapBytes();
      }
      throw t;
    }
  }

  private void addTrouble(Throwable t) {
    synchronized (segments) {
      refused |= t instanceof OutOfMemoryError;
      troubles.add(t);
    }
  }

  /**
   * Captures again after memory was refused, or would have been too much. Until then flushes do
   * without: the JVM collects and waits for half a second before it refuses memory outside the
   * heap, which is too much for every flush of a batch that is completed from the index anyway. A
   * segment that nobody captured, of whatever batch, is noticed when that batch is settled.
   */
  void askForMemoryAgain() {
    refused = false;
  }

  /**
   * What has been flushed so far and no batch has released, oldest first.
   *
   * @param troubles what went wrong: flushes that are not among the segments
   */
  record Flushed(List<CapturedSegment> segments, List<Throwable> troubles) {}

  Flushed flushed() {
    synchronized (segments) {
      return new Flushed(List.copyOf(segments), List.copyOf(troubles));
    }
  }

  /** What has not been released of something flushed earlier. */
  Flushed notReleased(Flushed earlier) {
    Flushed now = flushed();
    Set<CapturedSegment> segmentsNow = new HashSet<>(now.segments());
    Set<Throwable> troublesNow = new HashSet<>(now.troubles());
    return new Flushed(
        earlier.segments().stream().filter(segmentsNow::contains).toList(),
        earlier.troubles().stream().filter(troublesNow::contains).toList());
  }

  /** The segments captured so far that no batch has released, oldest first. */
  List<CapturedSegment> segments() {
    synchronized (segments) {
      return List.copyOf(segments);
    }
  }

  /** Forgets segments whose batch is done, and what flushes after it need not have at once. */
  void release(List<CapturedSegment> done) {
    Set<CapturedSegment> released = new HashSet<>(done); // there may be thousands
    synchronized (segments) {
      released.retainAll(new HashSet<>(segments)); // some may have been before
      segments.removeAll(released);
      for (CapturedSegment segment : released) {
        heapBytes -= segment.heapBytes();
        vectorBytes -= segment.bytes();
      }
      told.values().retainAll(segments); // another batch may go on
    }
    released.forEach(CapturedSegment::close);
    for (Scratch kept : scratch) {
      if (kept.heap.bytes() > MOST_KEPT_IDLE && scratch.remove(kept)) { // else a flush has it
        idle.add(new SoftReference<>(kept));
      }
    }
  }

  boolean isEmpty() {
    synchronized (segments) {
      return segments.isEmpty() && troubles.isEmpty();
    }
  }

  /** Forgets what went wrong with flushes that are settled. */
  void forget(List<Throwable> settled) {
    synchronized (segments) {
      troubles.removeAll(new HashSet<>(settled));
    }
  }

  /** What one flush needs while it is captured; reused by later ones, of later batches, too. */
  static final class Scratch {
    private final FlushHeap heap;
    private final SegmentNotes notes;
    private final PostingsByDocument grouped;
    private final VectorBuffer vector = new VectorBuffer();
    private final BytesRef key = new BytesRef();
    private final long[] norms;

    Scratch(DeltaConfig config, WorkloadTerms terms) {
      int fields = config.scoredFields().size();
      this.heap = new FlushHeap(config.flushHeap());
      this.notes = new SegmentNotes(config, terms, heap);
      this.grouped = new PostingsByDocument(fields, heap);
      this.norms = new long[fields];
    }

    /** Where the segment is noted. */
    SegmentNotes notes() {
      return notes;
    }

    private CapturedSegment capture(SegmentWriteState state) throws IOException {
      int maxDoc = notes.maxDoc();
      notes.group(grouped);
      boolean sorted = state.segmentInfo.getIndexSort() != null;
      CapturedSegment segment = new CapturedSegment(state.segmentInfo.name, notes.keyed());
      int keyedDead = 0;
      for (int entry = 0; entry < notes.keyed(); entry++) {
        int doc = notes.doc(entry);
        if (state.liveDocs != null && !sorted && !state.liveDocs.get(doc)) {
          keyedDead++;
          continue;
        }
        for (int field = 0; field < norms.length; field++) {
          norms[field] = notes.norms(field).of(doc);
        }
        grouped.write(doc, norms, vector);
        notes.key(entry, key);
        segment.add(doc, key, notes.time(doc), vector);
      }
      int dead = sorted ? 0 : state.delCountOnFlush;
      boolean deadOnArrival = state.fieldInfos.getSoftDeletesField() != null; // some, by their own
      return segment.finish(
          maxDoc - notes.keyed() - (dead - keyedDead),
          (sorted && state.liveDocs != null) || deadOnArrival || notes.severalKeys(),
          sorted,
          grouped.fieldsWritten(),
          notes.isTimed());
    }
  }

  // What follows is for tests.

  /** Whether arrays of more than a small flush are kept for the next one come what may. */
  boolean keepsLargeArrays() {
    return scratch.stream().anyMatch(kept -> kept.heap.bytes() > MOST_KEPT_IDLE);
  }
}
