// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.Directory;
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

  /** Whether this batch's own commit could not be settled and is one of these. */
  boolean mergedItself;

  /** Commits before this batch's whose own could not be begun; likewise. */
  int missed;

  UnchangedVisits visits = UnchangedVisits.NONE;

  /** Whether visits are looked up when the batch is settled: pages are not known before. */
  boolean visitsWait;

  private long[] order; // segment << 32 | entry; a candidate's number is its place here
  private int[] begins; // by page: its first candidate; one more, where the last page ends
  private int pageCount;
  boolean[] wasPresent; // by page
  boolean[] measured; // by candidate, as the following
  boolean[] vectorDiffers; // whether the vector differs from the one known
  long[] fetched;
  long[] interval;
  double[] qualityChange;
  float[] usefulness;
  private int notFinite; // candidates that were not measured for it
  private BytesRef notFiniteFirst; // the first of their pages by key
  private double notFiniteValue;

  Batch(long generation, Capture.Flushed flushed) {
    this.generation = generation;
    this.segments = flushed.segments();
    this.troubles = flushed.troubles();
  }

  /** Writes down what it lacks: who finds its candidates after a crash has not all there was. */
  void writeIncomplete(Manifest manifest, Directory files) throws IOException {
    if (incomplete != null || merged + missed > 0 || manifest.countsMoreThanOnDisk()) {
      long all = manifest.batchesIncomplete + merged + missed + (incomplete == null ? 0 : 1);
      new IncompleteBatch(all, incomplete == null ? "" : incomplete).write(files, generation);
    }
  }

  /** A cursor over the pages in key order, always the same order. */
  Pages pages() {
    join();
    return new Pages(0, pageCount);
  }

  /** A cursor over the pages from a number to before another one. */
  Pages pages(int from, int to) {
    join();
    return new Pages(from, to);
  }

  /** Number of pages. */
  int pageCount() {
    join();
    return pageCount;
  }

  /** Number of copies of all pages. */
  int candidates() {
    join();
    return order.length;
  }

  /** Entries in key order, entries of one key in the order of their segments. */
  private void join() {
    if (order != null) {
      return;
    }
    Heads heads = new Heads(segments.size());
    int entries = 0;
    for (int i = 0; i < segments.size(); i++) {
      entries = Math.addExact(entries, segments.get(i).size());
      if (segments.get(i).size() > 0) {
        heads.add(new Head(i));
      }
    }
    long[] joined = new long[entries];
    int[] first = new int[entries + 1];
    int found = 0;
    BytesRef last = new BytesRef();
    for (int i = 0; i < entries; i++) {
      Head head = heads.top();
      joined[i] = (long) head.number << 32 | head.entry;
      if (i == 0 || !last.bytesEquals(head.key)) {
        first[found++] = i;
        head.segment.key(head.entry, last);
      }
      if (++head.entry < head.segment.size()) {
        head.segment.key(head.entry, head.key);
        heads.updateTop();
      } else {
        heads.pop();
      }
    }
    first[found] = entries;
    begins = first;
    pageCount = found;
    wasPresent = new boolean[found];
    measured = new boolean[entries];
    vectorDiffers = new boolean[entries];
    fetched = new long[entries];
    interval = new long[entries];
    qualityChange = new double[entries];
    usefulness = new float[entries];
    order = joined; // last, so that memory that ran out before leaves nothing half done
  }

  /**
   * Says what is known of a candidate; several threads may, of different ones.
   *
   * @param differs whether it came with another vector than its page had
   */
  void setCandidate(int candidate, Refresh refresh, boolean differs) {
    measured[candidate] = refresh.measured();
    vectorDiffers[candidate] = differs;
    fetched[candidate] = refresh.fetched();
    interval[candidate] = refresh.interval();
    qualityChange[candidate] = refresh.qualityChange();
    usefulness[candidate] = refresh.usefulness();
  }

  /** Says that a page could not be measured, for it comes to no finite number. */
  synchronized void tellNotFinite(BytesRef page, double value) {
    notFinite++;
    if (notFiniteFirst == null || page.compareTo(notFiniteFirst) < 0) {
      notFiniteFirst = BytesRef.deepCopyOf(page);
      notFiniteValue = value;
    }
  }

  /** What to tell of the pages that could not be measured, or null. */
  synchronized String complaint() {
    return notFinite == 0
        ? null
        : "%d refreshes are recorded as not measured, for ΔQ_A or usefulness was beyond single precision: %s of page %s; see whether the similarity gives scores that are not finite, or scores, importance, frequencies of queries or views are near the largest float"
            .formatted(notFinite, notFiniteValue, PageKeys.name(notFiniteFirst));
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

  /** Goes through pages one by one; several may at once. */
  final class Pages {
    private final BytesRef key = new BytesRef();
    private final int end;
    private int page;

    private Pages(int from, int to) {
      page = from - 1;
      end = to;
    }

    boolean next() {
      if (++page >= end) {
        return false;
      }
      segment(0).key(entry(0), key);
      return true;
    }

    BytesRef key() {
      return key;
    }

    /** The page's number among those of the batch. */
    int page() {
      return page;
    }

    /** Number of copies of the page. */
    int count() {
      return begins[page + 1] - begins[page];
    }

    /** A copy's number among those of all pages. */
    int candidate(int copy) {
      return begins[page] + copy;
    }

    int segmentNumber(int copy) {
      return (int) (order[begins[page] + copy] >>> 32);
    }

    CapturedSegment segment(int copy) {
      return segments.get(segmentNumber(copy));
    }

    int entry(int copy) {
      return (int) order[begins[page] + copy];
    }
  }

  Set<String> segmentNames() {
    Set<String> names = new HashSet<>();
    segments.forEach(segment -> names.add(segment.name()));
    return names;
  }
}
