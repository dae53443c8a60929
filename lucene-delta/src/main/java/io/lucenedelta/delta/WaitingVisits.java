// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.util.BytesRef;

/**
 * Visits that found their pages unchanged and wait for the batch that records them. Not safe for
 * several threads: {@link WriterOperations} guards it with its lock.
 */
final class WaitingVisits implements Closeable {
  private final long mostBytes;
  private HeardVisits visits = HeardVisits.NONE;
  private Path folder; // where visits wait in files, null until there is one
  private int files; // made so far, which numbers the next
  private long heard; // visits so far, which numbers the next
  private long latest; // see FetchTimes.latest, when the last visit was heard of
  private boolean back; // visits wait that a batch could not record, or that came too late for it
  private int dropped;
  private IOException whyDropped;

  /**
   * No visits yet.
   *
   * @param mostBytes heap that the visits of one batch may take; further ones wait in a file
   */
  WaitingVisits(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Visits that the heap has no room for wait in this folder; without one they are counted. */
  void spillTo(Path directory) {
    folder = directory;
  }

  /** See {@link WriterOperations#unchanged}. */
  boolean unchanged(BytesRef key, long time, long latestTime) {
    latest = latestTime;
    return visited(key, time, ++heard);
  }

  private boolean visited(BytesRef key, long time, long number) {
    if (visits == HeardVisits.NONE) {
      Path file = folder == null ? null : folder.resolve(HeardVisits.PREFIX + files++ + ".map");
      visits = new HeardVisits(mostBytes, file);
    }
    int before = visits.size();
    if (!visits.hear(key, time, number, latest)) {
      dropped++;
      whyDropped = visits.trouble();
    }
    return before == 0 && visits.size() == 1;
  }

  /** How many visits were heard of so far. */
  long heard() {
    return heard;
  }

  /**
   * Ends hearing for a batch, to go on with {@link #goOn}.
   *
   * @param until number of the last visit for it
   * @return how many wait, the later ones included
   */
  int end(long until) {
    return visits.end(until);
  }

  /** Those for the batch, once {@linkplain #end ended}. */
  HeardVisits ended() {
    return visits.isEmpty() ? HeardVisits.NONE : visits;
  }

  /** How many there was no room for. */
  int dropped() {
    return dropped;
  }

  /** Why the last of them was dropped, null where none was. */
  IOException whyDropped() {
    return whyDropped;
  }

  /**
   * Goes on for the next batch: what was ended belongs to whoever took it, but for later visits.
   *
   * @param all what {@link #end} has returned
   * @return whether there are later ones
   */
  boolean goOn(int all) {
    HeardVisits taken = visits;
    int now = taken.size();
    visits = HeardVisits.NONE;
    dropped = 0;
    whyDropped = null;
    for (int later = now; later < all; later++) {
      taken.read(later);
      visited(taken.page(), taken.time(), taken.number());
    }
    if (now == 0) {
      visits.goOnAfter(taken);
      taken.close();
    }
    back = all > now;
    return back;
  }

  /** Takes back what no commit has settled. */
  void giveBack(HeardVisits given) {
    for (int visit = 0; visit < given.size(); visit++) {
      given.read(visit);
      visited(given.page(), given.time(), 0);
    }
    visits.goOnAfter(given);
    given.close();
    back |= !given.isEmpty();
  }

  /** Whether visits were given back, or were left, since the last batch; says so once. */
  boolean cameBack() {
    boolean told = back;
    back = false;
    return told;
  }

  /** Forgets the visits. */
  @Override
  public void close() {
    visits.close();
    visits = HeardVisits.NONE;
  }
}
