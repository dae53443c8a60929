// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;

/**
 * Which segments of an index were merged into which, as far as that is needed to find captured
 * documents in a commit.
 *
 * <p>Only names are kept of a merge that is over: what Lucene keeps of it holds on to its segments,
 * some 90 KB each. No more than {@value #MOST} are kept: a writer may merge for days, for readers
 * that are opened of it, and never commit. Safe for several threads.
 */
final class SegmentMerges {
  /** Some 600 bytes each, of ten segments. */
  static final int MOST = 10_000;

  private final List<Merge> merges = new ArrayList<>(); // in the order in which they began

  /** A merge, under way or over. */
  static final class Merge {
    private final Set<String> segments;
    private MergePolicy.OneMerge running; // null when it is over
    private String result; // null when there is none, or none yet

    private Merge(MergePolicy.OneMerge running) {
      this.segments =
          running.segments.stream()
              .map(segment -> segment.info.name)
              .collect(Collectors.toUnmodifiableSet());
      this.running = running;
    }

    /** The segment made of the others, null as long as it has no name. */
    private synchronized String result() {
      if (running != null) {
        SegmentCommitInfo made = running.getMergeInfo();
        result = made == null ? null : made.info.name;
      }
      return result;
    }

    /** The merge is over, whatever came of it. */
    synchronized void ends() {
      result();
      running = null;
    }
  }

  /**
   * A merge begins; {@link Merge#ends} must follow.
   *
   * @return null when there were too many: then all before it are forgotten, and it is not followed
   */
  synchronized Merge begins(MergePolicy.OneMerge merge) {
    if (merges.size() == MOST) {
      merges.clear();
      return null;
    }
    Merge begun = new Merge(merge);
    merges.add(begun);
    return begun;
  }

  private synchronized List<Merge> all() {
    return List.copyOf(merges);
  }

  /**
   * Where documents are in a commit: from the names of its segments, and of all whose documents
   * were merged into one of them, to the name of that one. No other segment is a key.
   */
  Map<String, String> restingPlaces(Set<String> committed) {
    Map<String, String> places = new HashMap<>();
    committed.forEach(segment -> places.put(segment, segment));
    List<Merge> known = all();
    for (int i = known.size() - 1; i >= 0; i--) { // what is made of its result began after it
      Merge merge = known.get(i);
      String place = places.get(merge.result());
      if (place != null) {
        for (String segment : merge.segments) {
          places.put(segment, committed.contains(segment) ? segment : place);
        }
      }
    }
    return places;
  }

  /** Whether every segment of a commit is a known one, or was merged of known ones alone. */
  boolean leadFrom(Set<String> known, Set<String> committed) {
    Set<String> reached = new HashSet<>(known);
    for (Merge merge : all()) { // what is made of its result began after it
      String result = merge.result();
      if (result != null && reached.containsAll(merge.segments)) {
        reached.add(result);
      }
    }
    return reached.containsAll(committed);
  }

  /**
   * Forgets merges that no document of some segments went through.
   *
   * @param segments tells which; asked after looking at the merges, so that one that begins in
   *     between with a segment flushed in between stays
   */
  void forgetOthers(Supplier<Set<String>> segments) {
    List<Merge> known = all();
    Set<String> reached = new HashSet<>(segments.get());
    Set<Merge> others = new HashSet<>(known);
    for (Merge merge : known) { // what is made of its result began after it
      if (merge.segments.stream().anyMatch(reached::contains)) {
        others.remove(merge);
        if (merge.result() != null) {
          reached.add(merge.result());
        }
      }
    }
    synchronized (this) {
      merges.removeAll(others);
    }
  }

  // What follows is for tests.

  synchronized int size() {
    return merges.size();
  }
}
