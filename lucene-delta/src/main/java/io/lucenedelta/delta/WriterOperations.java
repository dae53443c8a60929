// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.util.BytesRef;

/**
 * Everything that can add live documents is noted, and every visit. Deletions may be missed: after
 * each commit the number of live documents is compared, and a mismatch is read back from the index.
 * That is sound only because no addition is missed: it could hide a missed deletion.
 *
 * <p>So this is what a writer was asked to do that flushes do not show: deletions, additions,
 * imports, merges, and visits that found nothing. Safe for several threads.
 */
final class WriterOperations implements Closeable {
  /** Heap for a key in a set, beside its bytes. */
  private static final int KEY_BYTES = 112;

  private final long mostKeyBytes;
  private Set<BytesRef> deletedKeys = new HashSet<>();
  private long deletedKeyBytes; // more than the most: keys are no longer noted
  private final WaitingVisits visits;
  private volatile boolean any;
  private boolean selective;
  private volatile boolean added;
  private boolean imported;
  private final AtomicInteger adding = new AtomicInteger(); // calls under way
  private final AtomicInteger importing = new AtomicInteger();
  private final SegmentMerges merges = new SegmentMerges();

  private Taken before = NONE; // what was asked between the last two takes, without visits
  private volatile boolean goesOn;

  /** What was asked since the last {@link #take}; visits that did not fit are counted alone. */
  record Taken(
      Set<BytesRef> deletedKeys,
      HeardVisits visits,
      int visitsDropped,
      IOException whyDropped,
      boolean selective,
      boolean added,
      boolean imported) {
    boolean isEmpty() {
      return deletedKeys.isEmpty() && visits.isEmpty() && !selective && !added && !imported;
    }

    Taken visitsAlone() {
      return new Taken(Set.of(), visits, 0, null, false, false, false);
    }

    Taken withoutVisits() {
      return new Taken(deletedKeys, HeardVisits.NONE, 0, null, selective, added, imported);
    }
  }

  static final Taken NONE = new Taken(Set.of(), HeardVisits.NONE, 0, null, false, false, false);

  /**
   * Notes of an index to be measured.
   *
   * @param mostKeyBytes heap that the keys deleted in one batch may take; of a batch with more none
   *     is kept, and the pages are read back from the index
   * @param mostVisitBytes heap that the visits of one batch may take; further ones wait in a file
   */
  WriterOperations(long mostKeyBytes, long mostVisitBytes) {
    this.mostKeyBytes = mostKeyBytes;
    this.visits = new WaitingVisits(mostVisitBytes);
  }

  /** Visits that the heap has no room for wait in this folder; without one they are counted. */
  synchronized void spillTo(Path directory) {
    visits.spillTo(directory);
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
   * A page was found unchanged at a time, in milliseconds; of several times the latest counts that
   * is not of days to come.
   *
   * @param latest see {@link FetchTimes#latest}
   * @return whether it is the only visit that waits: for others the next commit is made already
   */
  synchronized boolean unchanged(BytesRef key, long time, long latest) {
    any = true;
    return visits.unchanged(key, time, latest);
  }

  /** How many visits were heard of so far. */
  synchronized long visitsHeard() {
    return visits.heard();
  }

  /** Documents may have come or gone that only a look at the index can tell. */
  synchronized void noteSelective() {
    any = true;
    selective = true;
  }

  /**
   * Documents are being added that need not replace the older ones of their pages. While that is
   * under way, and a call may take long, it counts for every batch.
   */
  void addingBegins() {
    adding.incrementAndGet();
    noteAdded();
  }

  /** What {@link #addingBegins} told is over, whether or not it came to anything. */
  void addingEnds() {
    noteAdded();
    adding.decrementAndGet();
  }

  private void noteAdded() {
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
    noteImported();
  }

  /** What {@link #importingBegins} told is over. */
  void importingEnds() {
    noteImported();
    importing.decrementAndGet();
  }

  private synchronized void noteImported() {
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
    Set<BytesRef> deleted = new HashSet<>(before.deletedKeys());
    deleted.addAll(deletedKeys);
    int all = visits.end(visitsUntil);
    Taken taken =
        new Taken(
            deleted,
            visits.ended(),
            visits.dropped(),
            visits.whyDropped(),
            selective || before.selective(),
            added || before.added() || adding.get() > 0,
            imported || before.imported() || importing.get() > 0);
    before = new Taken(deletedKeys, HeardVisits.NONE, 0, null, selective, added, imported);
    deletedKeys = new HashSet<>();
    deletedKeyBytes = 0;
    any = visits.goOn(all);
    selective = false;
    added = false;
    imported = false;
    return taken;
  }

  /** Whether visits were given back, or were left, since the last {@link #take}; says so once. */
  synchronized boolean visitsCameBack() {
    return visits.cameBack();
  }

  /** Gives back what no commit has settled. */
  synchronized void giveBack(Taken taken) {
    if (!taken.isEmpty()) {
      taken.deletedKeys().forEach(this::deletedKey);
      visits.giveBack(taken.visits());
      selective |= taken.selective();
      added |= taken.added();
      imported |= taken.imported();
      any = true;
    }
  }

  /** Forgets the visits. */
  @Override
  public synchronized void close() {
    visits.close();
  }

  /**
   * A merge begins.
   *
   * @return null when it is not followed: then the next batches are read from the index
   */
  SegmentMerges.Merge mergeBegins(MergePolicy.OneMerge merge) {
    SegmentMerges.Merge begun = merges.begins(merge);
    if (begun == null) {
      noteImported();
    }
    return begun;
  }

  /** Which segments were merged into which. */
  SegmentMerges merges() {
    return merges;
  }
}
