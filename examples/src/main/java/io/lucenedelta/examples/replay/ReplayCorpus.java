// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.scorer.divergence.FragmentChange;
import io.lucenedelta.scorer.divergence.Fragments;
import io.lucenedelta.scorer.refresh.Days;
import io.lucenedelta.workload.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.analysis.Analyzer;

/**
 * A recorded crawl as a replay needs it: for every page its versions and since which week each was
 * live.
 *
 * <p>Pages are numbered from 0 in key order, which is the order that breaks ties in rankings.
 * Versions of a page are numbered from 0 in time order; a version starts when title or text differ
 * from the week before. Over all pages, versions have consecutive <em>serial numbers</em>. A page
 * that is not in the first week appears later: before, it has no live version (-1).
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class ReplayCorpus {
  /** Pairs of versions that tables over them can have. */
  static final int MOST_PAIRS = Integer.MAX_VALUE - 8;

  /** No version: the page is not there. */
  static final int ABSENT = -1;

  private final Workload workload;
  private final String[] pages;
  private final int[][] titleTerms; // by page
  private final Instant[] times;
  private final int[] firstVersion; // by page, pages + 1 serial numbers
  private final int[] since; // week, by serial number
  private final PageVersion[] versions; // by serial number
  private final Fragments[] newest; // by page, of its last version
  private final FragmentChange[] back; // by serial number, from the next version; null of the last
  private final int[] firstPair; // by page, offset into tables over pairs of versions
  private final short[] live; // version by page × week

  private ReplayCorpus(Workload workload, Instant[] times, Map<String, History> histories) {
    this.workload = workload;
    this.times = times;
    this.pages = histories.keySet().toArray(String[]::new);
    this.titleTerms = new int[pages.length][];
    Arrays.setAll(titleTerms, page -> histories.get(pages[page]).titleTerms);
    this.firstVersion = new int[pages.length + 1];
    this.firstPair = new int[pages.length + 1];
    this.newest = new Fragments[pages.length];
    List<Dated> all = new ArrayList<>();
    for (int page = 0; page < pages.length; page++) {
      History history = histories.get(pages[page]);
      all.addAll(history.versions);
      newest[page] = history.newest;
      int n = history.versions.size();
      firstVersion[page + 1] = firstVersion[page] + n;
      firstPair[page + 1] = firstPair[page] + n * (n - 1) / 2;
    }
    this.since = all.stream().mapToInt(Dated::week).toArray();
    this.versions = all.stream().map(Dated::version).toArray(PageVersion[]::new);
    this.back = all.stream().map(Dated::back).toArray(FragmentChange[]::new);
    this.live = new short[pages.length * times.length];
    for (int page = 0; page < pages.length; page++) {
      short version = ABSENT;
      for (int week = 0; week < times.length; week++) {
        if (version + 1 < versionCount(page) && since(page, version + 1) == week) {
          version++;
        }
        live[page * times.length + week] = version;
      }
    }
  }

  /** Refuses what tables over pages and weeks, or over pairs of versions, cannot hold. */
  static void requireRoom(long pages, long snapshots, long pairs) {
    if (snapshots > Short.MAX_VALUE || Math.max(pages * snapshots, pairs) > MOST_PAIRS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ENGLISH,
              "%,d %s in %,d snapshots with %,d pairs of versions: a replay can hold"
                  + " %,d snapshots, %,d pairs and as many pages times snapshots; take fewer"
                  + " snapshots, or a part of the pages",
              pages,
              pages == 1 ? "page" : "pages",
              snapshots,
              pairs,
              Short.MAX_VALUE,
              MOST_PAIRS));
    }
  }

  /**
   * A builder.
   *
   * @param workload whose terms are kept
   * @param analyzer of the pages; the builder does not close it
   * @param wordsPerFragment k of the shingles
   */
  public static Builder builder(Workload workload, Analyzer analyzer, int wordsPerFragment) {
    return new Builder(workload, new PageVersions(analyzer, workload, wordsPerFragment));
  }

  /** Number of pages. */
  public int pageCount() {
    return pages.length;
  }

  /** The key of a page. */
  public String page(int page) {
    return pages[page];
  }

  /** The number of a page, negative when there is none of this key. */
  public int number(String page) {
    return Arrays.binarySearch(pages, page);
  }

  /**
   * The terms of the title of a page's first version that the workload has, ascending; null when
   * that has none. No later one, which nobody could know of before.
   */
  int[] titleTerms(int page) {
    return titleTerms[page];
  }

  /** Number of weeks, the synchronised week 0 included. */
  public int weeks() {
    return times.length;
  }

  /** When the snapshot of a week was taken. */
  public Instant time(int week) {
    return times[week];
  }

  /**
   * The week of a snapshot time.
   *
   * @throws IllegalArgumentException if no snapshot was taken then
   */
  int week(Instant time) {
    int week = Arrays.binarySearch(times, time);
    if (week < 0) {
      throw new IllegalArgumentException("no snapshot was taken at " + time);
    }
    return week;
  }

  /** Days from one week to another. */
  double days(int from, int to) {
    return Days.between(times[from], times[to]);
  }

  /** The workload whose terms the versions hold. */
  public Workload workload() {
    return workload;
  }

  /** Number of versions of a page, at least 1. */
  public int versionCount(int page) {
    return firstVersion[page + 1] - firstVersion[page];
  }

  /** Number of versions of all pages. */
  public int versionCount() {
    return versions.length;
  }

  /** The week in which a version of a page appeared. */
  int since(int page, int version) {
    return since[firstVersion[page] + version];
  }

  /** The version of a page that is live in a week, {@link #ABSENT} before the page appears. */
  int liveVersion(int page, int week) {
    return live[page * times.length + week];
  }

  /**
   * Whether two versions of a page, neither of them {@link #ABSENT}, hold the same: contents that
   * went away may have come back.
   */
  boolean same(int page, int a, int b) {
    return a == b || version(page, a).fingerprint() == version(page, b).fingerprint();
  }

  /** The serial number of a page's version. */
  int serial(int page, int version) {
    return firstVersion[page] + version;
  }

  PageVersion version(int page, int version) {
    return versions[serial(page, version)];
  }

  /** F(P) of every version of a page. Put together anew: ask once for all versions. */
  Fragments[] fragments(int page) {
    Fragments[] fragments = new Fragments[versionCount(page)];
    fragments[fragments.length - 1] = newest[page];
    for (int version = fragments.length - 2; version >= 0; version--) {
      fragments[version] = back[serial(page, version)].from(fragments[version + 1]);
    }
    return fragments;
  }

  /** Number of pairs of versions of one page, over all pages. */
  int pairCount() {
    return firstPair[pages.length];
  }

  /** The number of a pair of versions of a page, {@code earlier < later}. */
  int pair(int page, int earlier, int later) {
    return firstPair[page] + later * (later - 1) / 2 + earlier;
  }

  /** A version, and what leads back to its fragments from those of the next. */
  private record Dated(int week, PageVersion version, FragmentChange back) {
    Dated with(FragmentChange change) {
      return new Dated(week, version, change);
    }
  }

  /**
   * The versions of a page so far. Only the newest has its fragments whole, since what is added in
   * its week may still replace it.
   */
  private static final class History {
    private final List<Dated> versions = new ArrayList<>(1);
    private Fragments newest;
    private int[] titleTerms; // of the first version; null where that has no title

    void add(int week, PageVersions.Analysed analysed) {
      if (newest != null) {
        versions.add(removeLast().with(FragmentChange.between(analysed.fragments(), newest)));
      }
      newest = analysed.fragments();
      versions.add(new Dated(week, analysed.version(), null));
    }

    /** Forgets the newest version. */
    void forget() {
      removeLast();
      if (versions.isEmpty()) {
        newest = null;
      } else {
        Dated last = removeLast();
        newest = last.back().from(newest);
        versions.add(last.with(null));
      }
    }

    private Dated removeLast() {
      return versions.remove(versions.size() - 1);
    }

    Dated last() {
      return versions.get(versions.size() - 1);
    }

    boolean isNew(long fingerprint) {
      return versions.isEmpty() || last().version().fingerprint() != fingerprint;
    }
  }

  /** Reads weeks in order. Not safe for use by several threads, but for {@link #adding}. */
  public static final class Builder {
    private final Workload workload;
    private final PageVersions analysis;
    private final Map<String, History> histories = new TreeMap<>();
    private final Map<String, Long> newest = new ConcurrentHashMap<>(); // fingerprints
    private final List<Instant> times = new ArrayList<>();

    private Builder(Workload workload, PageVersions analysis) {
      this.workload = workload;
      this.analysis = analysis;
    }

    /** Starts the next week; pages added from now on belong to it. */
    public Builder week(Instant time) {
      times.add(time);
      return this;
    }

    /**
     * Adds what a page held in the current week, {@link #adding} without a title.
     *
     * @throws IllegalStateException before the first {@link #week}
     */
    public Builder add(String page, String text) {
      adding(page, "", text).run();
      return this;
    }

    /**
     * Analyses what a page held, which may be done on any thread; of a text that it seems to hold
     * already, only when it is added.
     *
     * @param title that of a page's first version counts; blank where there is none
     * @return adds it to the week that is current then; unchanged contents start no version, and of
     *     contents added twice for a page in one week the last count
     */
    Runnable adding(String page, String title, String text) {
      long fingerprint = PageVersions.fingerprint(text);
      Long known = newest.get(page);
      int[] titleTerms = known == null ? titleTerms(title) : null;
      boolean seemsNew = known == null || known != fingerprint;
      PageVersions.Analysed analysed = seemsNew ? analysis.of(text) : null;
      return () -> {
        History history = before(page);
        if (history.versions.isEmpty()) {
          history.titleTerms = titleTerms == null ? titleTerms(title) : titleTerms;
        }
        if (history.isNew(fingerprint)) {
          history.add(times.size() - 1, analysed == null ? analysis.of(text) : analysed);
        }
        newest.put(page, fingerprint);
      };
    }

    /** Whether a page was added so far. */
    boolean holds(String page) {
      return histories.containsKey(page);
    }

    /** Null where there is no title. */
    private int[] titleTerms(String title) {
      return title.isBlank() ? null : analysis.of(title).version().terms().numbers();
    }

    /** The versions of a page before the current week. */
    private History before(String page) {
      if (times.isEmpty()) {
        throw new IllegalStateException("start a week before adding page " + page);
      }
      History history = histories.computeIfAbsent(page, p -> new History());
      if (!history.versions.isEmpty() && history.last().week() == times.size() - 1) {
        history.forget();
      }
      return history;
    }

    /**
     * Builds the corpus of what was added.
     *
     * @throws IllegalArgumentException if nothing was added, or more than tables can hold
     */
    public ReplayCorpus build() {
      if (histories.isEmpty()) {
        throw new IllegalArgumentException(SnapshotArchive.NO_PAGE);
      }
      long pairs = 0;
      for (History history : histories.values()) {
        int n = history.versions.size();
        pairs += n * (n - 1L) / 2;
      }
      requireRoom(histories.size(), times.size(), pairs);
      return new ReplayCorpus(workload, times.toArray(Instant[]::new), histories);
    }
  }
}
