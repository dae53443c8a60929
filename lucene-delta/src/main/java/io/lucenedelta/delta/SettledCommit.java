// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.index.IndexCommit;

/**
 * The commit that the pages, when they are right, stand for; and what of the captured segments
 * later commits have, in them or merged.
 *
 * <p>To be used under the lock of the {@link Measurer}, whose batches these are.
 */
final class SettledCommit {
  private final Capture capture;
  private final SegmentMerges merges;
  private Set<String> segments; // those of the last commit settled; null when not known
  private String id = "";

  SettledCommit(Capture capture, SegmentMerges merges) {
    this.capture = capture;
    this.merges = merges;
  }

  /** The pages stand for what the writer was opened on. */
  void becomes(OpenedOn opened) throws IOException {
    IndexCommit commit = opened.commit();
    segments = opened.segments();
    id = commit == null ? "" : CommittedIndex.idOf(commit);
  }

  /** The pages stand for a commit; null for an index that has none. */
  void becomes(LiveDocuments live) {
    segments = live == null ? Set.of() : live.segments();
    id = live == null ? "" : live.id();
  }

  /**
   * The pages stand for a later commit as well, which closed no batch; its segments were made of
   * those known, if it holds nothing else.
   */
  void goesOnAs(LiveDocuments live) {
    id = live.id();
  }

  /** What tells the commit from every other; empty when there is none. */
  String id() {
    return id;
  }

  /** Names of its segments; null when they are not known. */
  Set<String> segments() {
    return segments;
  }

  /** Whether all segments of a later commit are known to be of this one, or made of those alone. */
  boolean leadsTo(LiveDocuments later) {
    return segments != null && merges.leadFrom(segments, later.segments());
  }

  /** Whether a commit has pages that were captured after its batch was named. */
  boolean hasMore(IndexCommit commit, Batch batch) {
    Set<CapturedSegment> later = new HashSet<>(capture.segments());
    batch.segments.forEach(later::remove);
    if (later.isEmpty()) {
      return false;
    }
    try {
      Set<String> contained = containedIn(CommittedIndex.segmentsOf(commit));
      return later.stream().anyMatch(segment -> contained.contains(segment.name()));
    } catch (IOException unreadable) {
      return false; // the batch cannot be settled now, and it is told why
    }
  }

  /** Segments of a batch whose documents are not in its commit, as far as that is known. */
  Set<String> gone(Batch batch, LiveDocuments live) {
    Set<String> captured = batch.segmentNames();
    Set<String> known = new HashSet<>(captured);
    if (segments == null) {
      return Set.of();
    }
    known.addAll(segments);
    captured.removeAll(containedIn(live.segments()));
    // looked at last: merges may have been forgotten before the segments were looked up
    return merges.leadFrom(known, live.segments()) ? captured : Set.of();
  }

  /** Forgets captured pages that were read: they would be compared with themselves. */
  void releaseRead(LiveDocuments live) {
    Set<String> read = containedIn(live.segments());
    capture.release(
        capture.segments().stream().filter(segment -> read.contains(segment.name())).toList());
  }

  /**
   * Forgets what was captured for a batch whose commit is settled. A segment that this does not
   * have was dropped before it, all its documents deleted, and comes with no other.
   */
  void releaseSettled(Batch batch) {
    capture.release(batch.segments);
    capture.forget(batch.troubles);
  }

  /** Segments of a commit, and all that were merged into one of them. */
  private Set<String> containedIn(Set<String> inCommit) {
    return merges.restingPlaces(inCommit).keySet();
  }

  /** Forgets merges that need not be known when the next commit is settled. */
  void forgetMerges() {
    merges.forgetOthers(this::followed);
  }

  private Set<String> followed() {
    Set<String> names = new HashSet<>(segments);
    capture.segments().forEach(segment -> names.add(segment.name()));
    return names;
  }
}
