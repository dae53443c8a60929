// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.PriorityQueue;

/**
 * A batch between being measured, before its commit, and being settled, after it: the captured
 * segments, their pages in key order, and of each captured copy what its refresh would be worth.
 *
 * <p>Copies of a page are its candidates: which of them is live is known after the commit only.
 */
final class Batch {
  final long generation;
  final List<CapturedSegment> segments;
  final List<Throwable> troubles; // flushes that are not among the segments

  /** The file that holds the candidates, or null when there are none or they were not measured. */
  String file;

  /** Why the batch's refreshes are not measured, or null. */
  String incomplete;

  /** Commits before this batch's that could not be settled: their refreshes are part of its own. */
  int merged;

  UnchangedVisits visits = UnchangedVisits.NONE;

  private long[] order; // segment << 32 | entry
  int pages;
  int candidates;
  boolean[] wasPresent = new boolean[64]; // by page
  boolean[] measured = new boolean[64]; // by candidate, as the following
  boolean[] changed = new boolean[64]; // whether the vector differs from the one known
  long[] fetched = new long[64];
  long[] interval = new long[64];
  double[] change = new double[64];
  float[] usefulness = new float[64];

  Batch(long generation, Capture.Flushed flushed) {
    this.generation = generation;
    this.segments = flushed.segments();
    this.troubles = flushed.troubles();
  }

  void addPage(boolean present) {
    if (pages == wasPresent.length) {
      wasPresent = Arrays.copyOf(wasPresent, 2 * pages);
    }
    wasPresent[pages++] = present;
  }

  void addCandidate(boolean isMeasured, long time, long since, double qualityChange, float useful) {
    if (candidates == measured.length) {
      measured = Arrays.copyOf(measured, 2 * candidates);
      changed = Arrays.copyOf(changed, 2 * candidates);
      fetched = Arrays.copyOf(fetched, 2 * candidates);
      interval = Arrays.copyOf(interval, 2 * candidates);
      change = Arrays.copyOf(change, 2 * candidates);
      usefulness = Arrays.copyOf(usefulness, 2 * candidates);
    }
    measured[candidates] = isMeasured;
    fetched[candidates] = time;
    interval[candidates] = since;
    change[candidates] = qualityChange;
    usefulness[candidates++] = useful;
  }

  /** Notes whether the candidate added last differs from the page as it was known. */
  void noteChanged(boolean differs) {
    changed[candidates - 1] = differs;
  }

  /** A cursor over the pages in key order, always the same order. */
  Pages pages() {
    if (order == null) {
      order = joined();
    }
    return new Pages();
  }

  /** Entries in key order, entries of one key in the order of their segments. */
  private long[] joined() {
    Heads heads = new Heads(segments.size());
    int entries = 0;
    for (int i = 0; i < segments.size(); i++) {
      entries = Math.addExact(entries, segments.get(i).size());
      if (segments.get(i).size() > 0) {
        heads.add(new Head(i));
      }
    }
    long[] joined = new long[entries];
    for (int i = 0; i < entries; i++) {
      Head head = heads.top();
      joined[i] = (long) head.number << 32 | head.entry;
      if (++head.entry < head.segment.size()) {
        head.segment.key(head.entry, head.key);
        heads.updateTop();
      } else {
        heads.pop();
      }
    }
    return joined;
  }

  /** The next entry of a segment. */
  private final class Head {
    final CapturedSegment segment;
    final int number;
    int entry;
    final BytesRef key = new BytesRef();

    Head(int number) {
      this.number = number;
      this.segment = segments.get(number);
      segment.key(0, key);
    }
  }

  /** The segments' next entries, the one that comes first on top. */
  private static final class Heads extends PriorityQueue<Head> {
    Heads(int segments) {
      super(segments);
    }

    @Override
    protected boolean lessThan(Head a, Head b) {
      int byKey = a.key.compareTo(b.key);
      return byKey != 0 ? byKey < 0 : a.number < b.number;
    }
  }

  /** Goes through the joined entries page by page. */
  final class Pages {
    private final BytesRef key = new BytesRef();
    private final BytesRef nextKey = new BytesRef();
    private int first;
    private int end;

    private Pages() {}

    boolean next() {
      first = end;
      if (first == order.length) {
        return false;
      }
      keyOf(first, key);
      end = first + 1;
      while (end < order.length && hasKey(end)) {
        end++;
      }
      return true;
    }

    private boolean hasKey(int place) {
      keyOf(place, nextKey);
      return nextKey.bytesEquals(key);
    }

    private void keyOf(int place, BytesRef ref) {
      segments.get((int) (order[place] >>> 32)).key((int) order[place], ref);
    }

    BytesRef key() {
      return key;
    }

    /** Number of copies of the page. */
    int count() {
      return end - first;
    }

    int segmentNumber(int copy) {
      return (int) (order[first + copy] >>> 32);
    }

    CapturedSegment segment(int copy) {
      return segments.get(segmentNumber(copy));
    }

    int entry(int copy) {
      return (int) order[first + copy];
    }
  }

  Set<String> segmentNames() {
    Set<String> names = new HashSet<>();
    segments.forEach(segment -> names.add(segment.name()));
    return names;
  }
}
