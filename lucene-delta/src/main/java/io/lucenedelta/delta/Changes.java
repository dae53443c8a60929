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
 * What a writer was asked to do that flushes do not show: deletions, imports, merges, and visits
 * that found nothing.
 *
 * <p>What makes documents more must be known, and the visits; deletions need not be complete for
 * the store to be right: after each commit the number of live documents is compared with what is
 * expected, and whatever does not add up is read back from the index. Only because nothing that
 * makes documents more escapes can two things that were not known not hide each other. Safe for
 * several threads.
 */
final class Changes implements Closeable {
  /** Heap for a key in a set, beside its bytes. */
  private static final int KEY_BYTES = 112;

  private final long mostKeyBytes;
  private final long mostVisitBytes;
  private Set<BytesRef> deletedKeys = new HashSet<>();
  private long deletedKeyBytes; // more than the most: keys are no longer noted
  private HeardVisits visits = HeardVisits.NONE;
  private Path folder; // of files for visits, null until there is one
  private int files; // numbers them
  private long visitsHeard; // numbers them
  private long latestVisit; // by the clock when the last was heard of
  private boolean visitsBack; // for a batch that could not record them, or came too late for it
  private int visitsDropped;
  private IOException whyDropped;
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
  Changes(long mostKeyBytes, long mostVisitBytes) {
    this.mostKeyBytes = mostKeyBytes;
    this.mostVisitBytes = mostVisitBytes;
  }

  /** Visits that the heap has no room for wait in this folder; without one they are counted. */
  synchronized void spillTo(Path directory) {
    folder = directory;
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
   * @return whether it is the first such page since the last {@link #take}
   */
  synchronized boolean unchanged(BytesRef key, long time, long latest) {
    latestVisit = latest;
    return visited(key, time, ++visitsHeard);
  }

  private boolean visited(BytesRef key, long time, long number) {
    any = true;
    if (visits == HeardVisits.NONE) {
      Path file = folder == null ? null : folder.resolve(HeardVisits.PREFIX + files++ + ".map");
      visits = new HeardVisits(mostVisitBytes, file);
    }
    int before = visits.size();
    if (!visits.hear(key, time, number, latestVisit)) {
      visitsDropped++;
      whyDropped = visits.trouble();
    }
    return before == 0 && visits.size() == 1;
  }

  /** How many visits were heard of so far. */
  synchronized long visitsHeard() {
    return visitsHeard;
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
    Set<BytesRef> deleted = new HashSet<>(deletedBefore);
    deleted.addAll(deletedKeys);
    HeardVisits heard = visits;
    int all = heard.end(visitsUntil);
    int now = heard.size();
    Taken taken =
        new Taken(
            deleted,
            now == 0 ? HeardVisits.NONE : heard,
            visitsDropped,
            whyDropped,
            selective || selectiveBefore,
            added || addedBefore || adding.get() > 0,
            imported || importedBefore || importing.get() > 0);
    deletedBefore = deletedKeys;
    selectiveBefore = selective;
    addedBefore = added;
    importedBefore = imported;
    deletedKeys = new HashSet<>();
    deletedKeyBytes = 0;
    visits = HeardVisits.NONE;
    visitsDropped = 0;
    whyDropped = null;
    for (int later = now; later < all; later++) {
      heard.read(later);
      visited(heard.page(), heard.time(), heard.number());
    }
    if (now == 0) {
      visits.goOnAfter(heard);
      heard.close();
    }
    visitsBack = all > now;
    any = visitsBack;
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
      for (int visit = 0; visit < taken.visits().size(); visit++) {
        taken.visits().read(visit);
        visited(taken.visits().page(), taken.visits().time(), 0);
      }
      visits.goOnAfter(taken.visits());
      taken.visits().close();
      visitsBack |= !taken.visits().isEmpty();
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
    visits = HeardVisits.NONE;
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
