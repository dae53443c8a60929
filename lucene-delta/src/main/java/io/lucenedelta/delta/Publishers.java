// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.PublishedChanges;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * The pages of the index whose sites say when they change, and what became of what they said.
 *
 * <p>Keeps for each page when it was fetched last, how many of its fetches had found a change when
 * it was looked at last, and how many changes it published that were fetched. Keeps for each site
 * when it said anything, and how many of the changes that fetches found on its pages since it had
 * not said. A site is the number of its host, see {@link DirectoryPath}: of sites that share one,
 * what the one says is heard for the other.
 *
 * <p>Not safe for use by several threads.
 */
final class Publishers {
  /**
   * So many found changes count as published before any was found: one that was not, which can be
   * chance, tells of a quarter.
   */
  private static final double PRESUMED = 3;

  /** Found changes of a site of which more say no more; older ones count half as much then. */
  private static final int REMEMBERED = 128;

  /** A rise of the share that a site does not publish which those who order pages hear of. */
  private static final double NOTABLE = 0.1;

  private static final int MOST = Character.MAX_VALUE; // published changes are counted up to here
  private static final long MOST_SECONDS = 0xFFFFFFFFL;
  private static final long SECONDS_A_DAY = 86_400;

  /** The state of no page: all counts are at their most. */
  static final long NOT_KNOWN = -1;

  private final long hashSeed;
  private NumberByKey pages;
  private long doubts;
  private Site[] sites = {}; // by number once any was heard; last, that of keys without a host

  /** What was heard of a site. */
  private static final class Site {
    private Instant heard = Instant.MIN;
    private int found;
    private int unpublished;
    private double noted; // share not published when that was notable, or less since

    Site copy() {
      Site copy = new Site();
      copy.heard = heard;
      copy.found = found;
      copy.unpublished = unpublished;
      return copy;
    }

    /** Whether what changed since a time, in seconds, could have been said. */
    boolean saidAnythingAfter(long time) {
      return heard.getEpochSecond() > time;
    }

    /** A fetch found a change; returns whether the share not published rose notably. */
    boolean found(boolean wasPublished) {
      if (found == REMEMBERED) {
        found /= 2;
        unpublished /= 2;
      }
      found++;
      unpublished += wasPublished ? 0 : 1;
      double share = unpublishedShare();
      boolean notable = share >= noted + NOTABLE;
      noted = notable ? share : Math.min(noted, share);
      return notable;
    }

    double unpublishedShare() {
      return unpublished / (found + PRESUMED);
    }
  }

  /**
   * None.
   *
   * @param hashSeed as that of the columns whose pages these are
   */
  Publishers(long hashSeed) {
    this(new NumberByKey(), hashSeed);
  }

  private Publishers(NumberByKey pages, long hashSeed) {
    this.pages = pages;
    this.hashSeed = hashSeed;
  }

  /** What sites have said is copied; pages are the same, for whoever keeps them from changing. */
  Publishers copyOfSites() {
    Publishers copy = new Publishers(pages, hashSeed);
    copy.doubts = doubts;
    copy.sites = new Site[sites.length];
    for (int i = 0; i < sites.length; i++) {
      copy.sites[i] = sites[i] == null ? null : sites[i].copy();
    }
    return copy;
  }

  /**
   * How often the share that a site does not publish was found to have risen by a tenth or more:
   * then all of its pages are more urgent than before, whether anything came of them or not.
   */
  long doubts() {
    return doubts;
  }

  boolean isEmpty() {
    return pages.size() == 0;
  }

  /** Number of pages. */
  int size() {
    return pages.size();
  }

  /** A page's site says something about it. */
  void hear(String page, Instant now) {
    Site site = site(DirectoryPath.of(page, hashSeed));
    // by more than a day: by a clock that was set back since
    boolean wrong = site.heard.getEpochSecond() - now.getEpochSecond() > SECONDS_A_DAY;
    site.heard = wrong || now.isAfter(site.heard) ? now : site.heard;
  }

  /** What was heard at a time still to come, by a clock that was set back since, was heard now. */
  void setBack(Instant now) {
    for (Site site : sites) {
      if (site != null && site.heard.isAfter(now)) {
        site.heard = now;
      }
    }
  }

  boolean has(String page) {
    return pages.has(NumberByKey.hash(page, hashSeed));
  }

  /** Whether a page was fetched at a time or later, as it was known when it was looked at last. */
  boolean fetchedSince(String page, Instant at) {
    long state = pages.get(NumberByKey.hash(page, hashSeed), NOT_KNOWN);
    return state != NOT_KNOWN && !at.isAfter(fetchedAt(state));
  }

  /**
   * Looks at a page that said something or was fetched.
   *
   * @param known its history, null if it is not in the index
   * @param said changes of which it said and that were not fetched when it was looked at last, or
   *     were not said then; increasing
   * @return whether anything of what is remembered changed
   */
  boolean update(String page, PageHistory known, List<Instant> said) {
    long hash = NumberByKey.hash(page, hashSeed);
    long before = pages.get(hash, NOT_KNOWN);
    if (known == null) {
      pages.remove(hash);
      return before != NOT_KNOWN;
    }
    long refreshed = seconds(known.lastRefresh());
    int fetched = 0;
    if (before != NOT_KNOWN) {
      fetched = fetched(before);
      if (refreshed > refreshed(before)) {
        int published = published(said, fetchedAt(before), known.lastRefresh());
        Site site = site(known.directories());
        if (foundMore(known.changes(), changes(before)) > 0
            && site.saidAnythingAfter(refreshed(before))) {
          doubts += site.found(published > 0) ? 1 : 0;
        }
        fetched = Math.min(MOST, fetched + published);
      }
    }
    long now = state(known, fetched);
    pages.put(hash, now);
    return now != before;
  }

  /** Forgets pages that are not in the index, and fetches that it lost as it went back. */
  void retain(PageHistories histories) {
    NumberByKey retained = new NumberByKey();
    histories.forEach(
        page -> {
          long hash = NumberByKey.hash(page.page(), hashSeed);
          long state = pages.get(hash, NOT_KNOWN);
          if (state != NOT_KNOWN) {
            boolean lost = seconds(page.lastRefresh()) < refreshed(state);
            retained.put(hash, lost ? state(page, fetchedBefore(page, state)) : state);
          }
        });
    pages = retained;
  }

  /**
   * How many changes that a page published were fetched by the fetches that are left: as large a
   * share as is left of the changes found. The others are news, and count when they are fetched
   * once more.
   */
  private static int fetchedBefore(PageHistory page, long state) {
    long found = page.changes() + (long) Math.max(0, foundMore(changes(state), page.changes()));
    return found == 0 ? 0 : (int) ((long) fetched(state) * page.changes() / found);
  }

  private static long state(PageHistory page, int fetched) {
    return seconds(page.lastRefresh()) << 32 | (long) (page.changes() & MOST) << 16 | fetched;
  }

  /**
   * How many changes fetches found more than others, negative if fewer. The low half of one of the
   * numbers is kept, which tells the difference however many there were, unless it is 32,768 or
   * more.
   */
  private static int foundMore(int changes, int others) {
    return (short) (changes - others);
  }

  /** How many changes were said to lie after a fetch, and not after the next. */
  private static int published(List<Instant> said, Instant after, Instant fetched) {
    int count = 0;
    for (Instant at : said) {
      count += at.isAfter(after) && !at.isAfter(fetched) ? 1 : 0;
    }
    return count;
  }

  /** How many changes a page published that were fetched; −1 if it never published any word. */
  int fetched(String page) {
    long state = pages.get(NumberByKey.hash(page, hashSeed), NOT_KNOWN);
    return state == NOT_KNOWN ? -1 : fetched(state);
  }

  /**
   * What is remembered of several pages.
   *
   * @param hashes of the pages, see {@link NumberByKey#hash}; states take their places, {@link
   *     #NOT_KNOWN} of a page that never published any word
   * @param count how many pages there are
   */
  void states(long[] hashes, int count) {
    pages.get(hashes, count, NOT_KNOWN);
  }

  /** Hands out the hashes of all pages, and what is remembered of each. */
  <E extends Exception> void forEach(NumberByKey.Taker<E> taker) throws E {
    pages.forEach(taker);
  }

  /** Whether nothing of a page changed since it was looked at last: no fetch came, or was lost. */
  static boolean isLookedAt(long state, PageHistory page) {
    return state == state(page, fetched(state));
  }

  /** What a page that publishes has published. */
  PublishedChanges published(int fetched, List<Instant> missed, DirectoryPath directories) {
    Site site = site(directories);
    return new PublishedChanges(fetched, missed, site.heard, site.unpublishedShare());
  }

  private Site site(DirectoryPath directories) {
    int number = directories.depth() == 0 ? DirectoryPath.NUMBERS : directories.number(0);
    makeRoomForSites();
    if (sites[number] == null) {
      sites[number] = new Site();
    }
    return sites[number];
  }

  private void makeRoomForSites() {
    if (sites.length == 0) {
      sites = new Site[DirectoryPath.NUMBERS + 1];
    }
  }

  private static long seconds(Instant time) {
    return Math.max(0, Math.min(MOST_SECONDS - 1, time.getEpochSecond()));
  }

  private static long refreshed(long state) {
    return state >>> 32;
  }

  /**
   * When a page was fetched, or up to a second later, as whole seconds are kept. Sitemaps and HTTP
   * say whole seconds, too: of these it is certain which the fetch came after.
   */
  private static Instant fetchedAt(long state) {
    return Instant.ofEpochSecond(refreshed(state));
  }

  private static int changes(long state) {
    return (int) (state >>> 16) & MOST;
  }

  /** How many changes a page published that were fetched. */
  static int fetched(long state) {
    return (int) state & MOST;
  }

  /** Forgets everything: it was hashed by another seed. */
  void clear() {
    pages = new NumberByKey();
    sites = new Site[] {};
  }

  /** Writes all pages. */
  void writePages(DataOutput out) throws IOException {
    out.writeVInt(pages.size());
    pages.forEach(
        (hash, state) -> {
          out.writeLong(hash);
          out.writeLong(state);
        });
  }

  void readPages(DataInput in) throws IOException {
    for (int left = in.readVInt(); left > 0; left--) {
      long hash = in.readLong();
      pages.put(hash, in.readLong());
    }
  }

  /** Writes a page that {@linkplain #has is here}. */
  void write(String page, DataOutput out) throws IOException {
    out.writeLong(pages.get(NumberByKey.hash(page, hashSeed), NOT_KNOWN));
  }

  void read(String page, DataInput in) throws IOException {
    pages.put(NumberByKey.hash(page, hashSeed), in.readLong());
  }

  void forget(String page) {
    pages.remove(NumberByKey.hash(page, hashSeed));
  }

  /** Writes all sites. */
  void writeSites(DataOutput out) throws IOException {
    int count = 0;
    for (Site site : sites) {
      count += isHeard(site) ? 1 : 0;
    }
    out.writeVInt(count);
    for (int number = 0; number < sites.length; number++) {
      Site site = sites[number];
      if (isHeard(site)) {
        out.writeVInt(number);
        out.writeZLong(FetchTimes.millis(site.heard));
        out.writeVInt(site.found);
        out.writeVInt(site.unpublished);
      }
    }
  }

  private static boolean isHeard(Site site) {
    return site != null && site.heard.isAfter(Instant.MIN);
  }

  void readSites(DataInput in) throws IOException {
    for (int left = in.readVInt(); left > 0; left--) {
      makeRoomForSites();
      Site site = new Site();
      sites[in.readVInt()] = site;
      site.heard = Instant.ofEpochMilli(in.readZLong());
      site.found = in.readVInt();
      site.unpublished = in.readVInt();
      site.noted = site.unpublishedShare();
    }
  }
}
