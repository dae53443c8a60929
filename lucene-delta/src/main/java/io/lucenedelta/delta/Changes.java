// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.util.BytesRef;

/**
 * What a writer was asked to do that flushes do not show: deletions, imports, merges, and visits
 * that found nothing.
 *
 * <p>What makes documents more must be known, and the visits; deletions need not be complete for
 * the store to be right: after each commit the number of live documents is compared with what is
 * expected, and whatever does not add up is read back from the index. Only because nothing that
 * makes documents more escapes can two things that were not known not hide each other. Safe for
 * several threads.
 */
final class Changes {
  /** Heap for a key in a set, beside its bytes. */
  private static final int KEY_BYTES = 112;

  /** Heap for a visit, beside the bytes of its key, until its refresh is written. */
  private static final int VISIT_BYTES = 272;

  private final long mostKeyBytes;
  private final long mostVisitBytes;
  private Set<BytesRef> deletedKeys = new HashSet<>();
  private long deletedKeyBytes; // more than the most: keys are no longer noted
  private Map<BytesRef, Visit> visits = new HashMap<>();
  private long visitsHeard; // numbers them
  private boolean visitsBack; // for a batch that could not record them, or came too late for it
  private long visitBytes;
  private int visitsDropped;
  private volatile boolean any;
  private boolean selective;
  private volatile boolean added;
  private boolean imported;
  private final AtomicInteger adding = new AtomicInteger(); // calls under way
  private final AtomicInteger importing = new AtomicInteger();
  private final SegmentMerges merges = new SegmentMerges();

  // what the last take found
  private Set<BytesRef> deletedBefore = Set.of();
  private boolean selectiveBefore;
  private boolean addedBefore;
  private boolean importedBefore;
  private volatile boolean goesOn;

  /**
   * A page was found unchanged.
   *
   * @param time when, in milliseconds
   * @param number of the visit, 0 for one that was given back
   */
  private record Visit(long time, long number) {
    Visit latest(Visit other) {
      return new Visit(Math.max(time, other.time), Math.max(number, other.number));
    }
  }

  /** What was asked since the last {@link #take}; visits that did not fit are counted alone. */
  record Taken(
      Set<BytesRef> deletedKeys,
      Map<BytesRef, Long> visits,
      int visitsDropped,
      boolean selective,
      boolean added,
      boolean imported) {
    boolean isEmpty() {
      return deletedKeys.isEmpty() && visits.isEmpty() && !selective && !added && !imported;
    }

    Taken visitsAlone() {
      return new Taken(Set.of(), visits, 0, false, false, false);
    }

    Taken withoutVisits() {
      return new Taken(deletedKeys, Map.of(), 0, selective, added, imported);
    }
  }

  static final Taken NONE = new Taken(Set.of(), Map.of(), 0, false, false, false);

  /**
   * Notes of an index to be measured.
   *
   * @param mostKeyBytes heap that the keys deleted in one batch may take; of a batch with more none
   *     is kept, and the pages are read back from the index
   * @param mostVisitBytes heap that the visits of one batch may take; further ones are counted
   */
  Changes(long mostKeyBytes, long mostVisitBytes) {
    this.mostKeyBytes = mostKeyBytes;
    this.mostVisitBytes = mostVisitBytes;
  }

  /** A page's key was deleted. */
  synchronized void deletedKey(BytesRef key) {
    any = true;
    if (deletedKeyBytes > mostKeyBytes) {
      return;
    }
    if (deletedKeys.add(BytesRef.deepCopyOf(key))) {
      deletedKeyBytes += KEY_BYTES + key.length;
    }
    if (deletedKeyBytes > mostKeyBytes) {
      deletedKeys = new HashSet<>();
      selective = true;
    }
  }

  /**
   * A page was found unchanged at a time, in milliseconds; of several times the latest counts.
   *
   * @return whether it is the first such page since the last {@link #take}
   */
  synchronized boolean unchanged(BytesRef key, long time) {
    return visited(key, new Visit(time, ++visitsHeard));
  }

  private boolean visited(BytesRef key, Visit visit) {
    any = true;
    if (visits.computeIfPresent(key, (page, before) -> before.latest(visit)) != null) {
      return false;
    }
    if (visitBytes > mostVisitBytes) {
      visitsDropped++;
      return false;
    }
    visits.put(BytesRef.deepCopyOf(key), visit); // a key made of a string has room to spare
    visitBytes += VISIT_BYTES + key.length;
    return visits.size() == 1;
  }

  /** How many visits were heard of so far. */
  synchronized long visitsHeard() {
    return visitsHeard;
  }

  /** Documents may have come or gone that only a look at the index can tell. */
  synchronized void selective() {
    any = true;
    selective = true;
  }

  /**
   * Documents are being added that need not replace the older ones of their pages. While that is
   * under way, and a call may take long, it counts for every batch.
   */
  void addingBegins() {
    adding.incrementAndGet();
    added();
  }

  /** What {@link #addingBegins} told is over, whether or not it came to anything. */
  void addingEnds() {
    added();
    adding.decrementAndGet();
  }

  private void added() {
    if (!added || !any) { // mostly it is noted already, and costs no lock
      synchronized (this) { // or the end of a call beside a take were lost
        added = true;
        any = true; // documents without postings are in no flush that is captured
      }
    }
  }

  /** Documents come in, or back, that no flush shows; counts as long as additions do. */
  void importingBegins() {
    importing.incrementAndGet();
    imported();
  }

  /** What {@link #importingBegins} told is over. */
  void importingEnds() {
    imported();
    importing.decrementAndGet();
  }

  private synchronized void imported() {
    any = true;
    imported = true;
  }

  boolean any() {
    return any;
  }

  /** Whether what the last {@link #take} found may have come after the flush of its commit. */
  boolean goesOn() {
    return goesOn;
  }

  /**
   * Takes what was asked so far. All but visits counts for the next batch as well: Lucene has
   * flushed before this is called, and what other threads did in between is in the next commit. So
   * is a page that was indexed then, and its visit must not come before it.
   *
   * @param visitsUntil how many visits had been {@linkplain #visitsHeard heard of} when Lucene
   *     began to flush; later ones wait for the next batch
   */
  synchronized Taken take(long visitsUntil) {
    any = false;
    goesOn = !deletedKeys.isEmpty() || selective || added || imported;
    Set<BytesRef> deleted = new HashSet<>(deletedBefore);
    deleted.addAll(deletedKeys);
    Map<BytesRef, Visit> later = new HashMap<>();
    Map<BytesRef, Long> now = new HashMap<>();
    long laterBytes = 0;
    for (Map.Entry<BytesRef, Visit> visit : visits.entrySet()) {
      if (visit.getValue().number() <= visitsUntil) {
        now.put(visit.getKey(), visit.getValue().time());
      } else {
        later.put(visit.getKey(), visit.getValue());
        laterBytes += VISIT_BYTES + visit.getKey().length;
      }
    }
    Taken taken =
        new Taken(
            deleted,
            now,
            visitsDropped,
            selective || selectiveBefore,
            added || addedBefore || adding.get() > 0,
            imported || importedBefore || importing.get() > 0);
    deletedBefore = deletedKeys;
    selectiveBefore = selective;
    addedBefore = added;
    importedBefore = imported;
    deletedKeys = new HashSet<>();
    deletedKeyBytes = 0;
    visits = later;
    visitBytes = laterBytes;
    visitsBack = !later.isEmpty();
    any = visitsBack;
    visitsDropped = 0;
    selective = false;
    added = false;
    imported = false;
    return taken;
  }

  /** Whether visits were given back, or were left, since the last {@link #take}; says so once. */
  synchronized boolean visitsCameBack() {
    boolean told = visitsBack;
    visitsBack = false;
    return told;
  }

  /** Gives back what no commit has settled. */
  synchronized void giveBack(Taken taken) {
    if (!taken.isEmpty()) {
      taken.deletedKeys().forEach(this::deletedKey);
      taken.visits().forEach((page, time) -> visited(page, new Visit(time, 0)));
      visitsBack |= !taken.visits().isEmpty();
      selective |= taken.selective();
      added |= taken.added();
      imported |= taken.imported();
      any = true;
    }
  }

  /**
   * A merge begins.
   *
   * @return null when it is not followed: then the next batches are read from the index
   */
  SegmentMerges.Merge mergeBegins(MergePolicy.OneMerge merge) {
    SegmentMerges.Merge begun = merges.begins(merge);
    if (begun == null) {
      imported();
    }
    return begun;
  }

  /** Which segments were merged into which. */
  SegmentMerges merges() {
    return merges;
  }
}
