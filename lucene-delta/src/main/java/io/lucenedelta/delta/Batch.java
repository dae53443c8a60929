// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.util.BytesRef;

/**
 * A batch between being measured, before its commit, and being settled, after it: the captured
 * segments, their pages in key order, and of each captured copy what its refresh would be worth.
 *
 * <p>Copies of a page are its candidates: which of them is live is known after the commit only.
 */
final class Batch {
  final long generation;
  final List<CapturedSegment> segments;

  /** The file that holds the candidates, or null when there are none or they were not measured. */
  String file;

  /** Why the batch's refreshes are not measured, or null. */
  String incomplete;

  UnchangedVisits visits = UnchangedVisits.NONE;

  int pages;
  int candidates;
  boolean[] wasPresent = new boolean[64]; // by page
  boolean[] measured = new boolean[64]; // by candidate, as the following
  long[] fetched = new long[64];
  long[] interval = new long[64];
  double[] change = new double[64];
  float[] usefulness = new float[64];

  Batch(long generation, List<CapturedSegment> segments) {
    this.generation = generation;
    this.segments = segments;
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

  void forgetPages() {
    pages = 0;
    candidates = 0;
  }

  /** A cursor over the pages in key order, always the same order. */
  Pages pages() {
    return new Pages();
  }

  /** Joins the segments' entries by key. */
  final class Pages {
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

    private final PriorityQueue<Head> heads =
        new PriorityQueue<>(
            (a, b) -> {
              int order = a.key.compareTo(b.key);
              return order != 0 ? order : Integer.compare(a.number, b.number);
            });
    private final BytesRef key = new BytesRef();
    private int count;
    private int[] segmentNumber = new int[8];
    private int[] entry = new int[8];

    private Pages() {
      for (int i = 0; i < segments.size(); i++) {
        if (segments.get(i).size() > 0) {
          heads.add(new Head(i));
        }
      }
    }

    boolean next() {
      count = 0;
      if (heads.isEmpty()) {
        return false;
      }
      Head first = heads.element();
      key.bytes = first.key.bytes;
      key.offset = first.key.offset;
      key.length = first.key.length;
      while (!heads.isEmpty() && heads.element().key.bytesEquals(key)) {
        Head head = heads.remove();
        add(head);
        if (++head.entry < head.segment.size()) {
          head.segment.key(head.entry, head.key);
          heads.add(head);
        }
      }
      return true;
    }

    private void add(Head head) {
      if (count == entry.length) {
        entry = Arrays.copyOf(entry, 2 * count);
        segmentNumber = Arrays.copyOf(segmentNumber, 2 * count);
      }
      segmentNumber[count] = head.number;
      entry[count++] = head.entry;
    }

    BytesRef key() {
      return key;
    }

    /** Number of copies of the page. */
    int count() {
      return count;
    }

    int segmentNumber(int copy) {
      return segmentNumber[copy];
    }

    CapturedSegment segment(int copy) {
      return segments.get(segmentNumber[copy]);
    }

    int entry(int copy) {
      return entry[copy];
    }
  }

  List<String> segmentNames() {
    List<String> names = new ArrayList<>();
    segments.forEach(segment -> names.add(segment.name()));
    return names;
  }
}
