// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/**
 * The ranks in use, and when they are built anew: when there are none, after a number of measured
 * batches, when a share of the pages has changed, when pages were read back from the index, when
 * statistics are old, and on request. For one thread at a time.
 */
// Long because whatever makes ranks old, or new again, stands here once.
final class CurrentRanks {
  /** Statistics are read anew when there are so many times more or fewer pages than there were. */
  private static final double GROWN = 1.1;

  /** And when the pages have changed so many times since, on average. */
  private static final int AGED = 10;

  /**
   * How many changes a page that comes or leaves counts beside the one that it is, so that all
   * pages have aged when they were exchanged for others.
   */
  private static final int EXCHANGED = AGED / 2 - 1;

  /**
   * Whether a scored field has come to pages, or left them, is looked at whenever changes have gone
   * on by this share of the pages that statistics were read of, one that comes or leaves counting
   * five times: a look opens a reader of the commit.
   */
  private static final double LOOKED_AT = 0.5;

  /** How much a changed page counts that rank functions have followed: they drift, but slowly. */
  private static final double FOLLOWED = 0.01;

  /** When more than this share of what is asked has lost its first places, it counts in full. */
  private static final double MOST_LOST = 0.05;

  /** Batches that are let go by at most after a failure: what was amiss may have been mended. */
  private static final int LONGEST_PAUSE = 15;

  /**
   * The same where there are no former ones, and batches cannot be measured until they are built.
   */
  private static final int LONGEST_WITHOUT = 3;

  /** Changes nobody could count: more than there can be, whatever share of the pages may change. */
  private static final long UNCOUNTED = 1L << 60;

  /** About what a query takes of the heap, and a term in a scored field. */
  private static final long QUERY_BYTES = 600;

  private static final long TERM_BYTES = 16;

  private static final String UNREAD = "could not be read";

  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final long workloadId;
  private final Similarity similarity;
  private final CommittedIndex index;
  private final Directory files;
  private final Manifest manifest;
  private final Costs costs;
  private final BatchShifts shifts;
  private Ranks ranks;
  private long builds;
  private boolean unwritten; // whether ranks have followed pages since they were written
  private int failures; // how many builds have failed one after the other
  private Throwable failure; // why the last of these builds failed
  private int pause; // batches to let go by before the next try

  CurrentRanks(
      DeltaConfig config,
      WorkloadTerms terms,
      long workloadId,
      Similarity similarity,
      CommittedIndex index,
      Directory files,
      Manifest manifest,
      Costs costs) {
    this.config = config;
    this.terms = terms;
    this.workloadId = workloadId;
    this.similarity = similarity;
    this.index = index;
    this.files = files;
    this.manifest = manifest;
    this.costs = costs;
    this.shifts = new BatchShifts(config.measuringThreads());
  }

  /** The ranks in use, null before the first are built. */
  Ranks inUse() {
    return ranks;
  }

  /** How often they were built. */
  long builds() {
    return builds;
  }

  /**
   * Reads the manifest's ranks, or forgets them when they are of another set-up or damaged. Not
   * when there was no memory for them: a writer with more can read them.
   */
  void open(boolean sameScores) {
    if (sameScores && !manifest.ranksFile.isEmpty()) {
      try {
        ranks = Ranks.read(files, manifest.ranksFile, workloadId, config, terms, similarity);
        readAfterAll();
        return;
      } catch (IOException | RuntimeException e) {
        trouble("rank functions could not be read and are built anew", e);
        failed(e, UNREAD);
      } catch (Error e) {
        failed(e, UNREAD);
        trouble(
            "rank functions could not be read, and batches are incomplete until they can be built anew: %s%s"
                .formatted(e, remedy()),
            e);
        return;
      }
    }
    if (!sameScores) {
      manifest.ranksFailure = ""; // of others
    }
    manifest.ranksFile = "";
  }

  /**
   * Builds them anew if that is due; with new statistics only when those are old. Where that fails
   * the former ones, if there are any, stay in use. What fails again and again, for want of memory
   * say, takes its time with every try, so from the second failure on some batches are let go by.
   *
   * @throws IOException if there are none and they cannot be built, or that is not tried now
   */
  void renew() throws IOException {
    if (isFileMissing()) {
      write();
    }
    boolean statisticsToo = ranks == null || areStatisticsOld();
    if (manifest.pages == 0 || !(statisticsToo || areRanksOld())) {
      return;
    }
    if (pause == 0) {
      attempt(statisticsToo, index::openLatest);
      return;
    }
    pause--;
    if (ranks == null) {
      throw noRanks();
    }
  }

  /**
   * Builds the first ones for somebody who asks, whatever failed before.
   *
   * @throws IOException if they cannot be built
   */
  void buildFirst() throws IOException {
    attempt(true, index::openLatest);
  }

  /**
   * Builds those of what a writer was opened on that is not the index's latest commit. It cannot be
   * read alone later, so this does not wait until they are needed; the former ones are of pages
   * that the writer has not.
   */
  void buildOf(OpenedOn opened) {
    ranks = null;
    manifest.ranksFile = "";
    try {
      attempt(true, opened::reader);
    } catch (IOException e) {
      trouble(
          "rank functions could not be built of the commit that the writer was opened on: its first"
              + " batch cannot be measured, the one after it tries again: "
              + failure
              + remedy(),
          failure);
    }
  }

  /**
   * Looks whether there are any.
   *
   * @throws IOException if there are none, though there are pages
   */
  void require() throws IOException {
    if (ranks == null && manifest.pages > 0) {
      throw noRanks();
    }
  }

  private void attempt(boolean statisticsToo, IOSupplier<DirectoryReader> pages)
      throws IOException {
    try {
      build(statisticsToo, false, pages);
    } catch (IOException | RuntimeException | Error e) {
      if (!StateFolder.wasInterrupted(e)) { // which says nothing of the next try
        int longest = ranks == null ? LONGEST_WITHOUT : LONGEST_PAUSE;
        pause = Math.min(longest, (1 << failures) - 1);
        failures = Math.min(failures + 1, Integer.SIZE - 2);
      }
      if (ranks == null) {
        throw noRanks();
      }
      trouble(
          "rank functions could not be built anew: the former ones stay in use, " + nextTry(), e);
    }
  }

  /** What an earlier writer could not read has no failure left to show, but that of another try. */
  private void readAfterAll() {
    int what = manifest.ranksFailure.indexOf(' ') + 1; // after the time
    if (manifest.ranksFailure.startsWith(UNREAD, what)) {
      manifest.ranksFailure = "";
    }
  }

  /** For the status, which shows it until they are read, built, or written. */
  private void failed(Throwable reason, String what) {
    failure = reason;
    manifest.ranksFailure = "%s: %s: %s%s".formatted(now(), what, reason, remedy());
  }

  private Instant now() {
    try {
      return config.now();
    } catch (RuntimeException | Error e) {
      return Instant.now(); // it may be the clock that failed
    }
  }

  private IOException noRanks() {
    return new IOException(
        "rank functions could not be built, %s: %s%s".formatted(nextTry(), failure, remedy()),
        failure);
  }

  private String remedy() {
    return failure instanceof OutOfMemoryError
        ? "; "
            + remedy(
                String.valueOf(failure.getMessage()),
                config.workload().queryCount(),
                terms.longestQuery(),
                terms.size(),
                config.scoredFields().size())
        : "";
  }

  /**
   * What to do, by what the JVM says; there is no other way to tell what ran out. Outside the heap
   * the number of queries is what there must be memory for, on the heap that or the number of terms
   * times fields, whichever takes more.
   *
   * @param longest terms of the longest query: where none has several, measuring fewer whole
   *     measures as many
   */
  static String remedy(String message, int queries, int longest, int terms, int fields) {
    String said = message.toLowerCase(Locale.ROOT);
    if (said.contains("thread")) {
      return "allow the process more threads";
    }
    if (said.contains("metaspace") || said.contains("class space")) {
      return "allow the JVM more memory for classes, as by -XX:MaxMetaspaceSize";
    }
    boolean outside = said.contains("direct buffer memory");
    boolean statistics =
        !outside && fields > 1 && TERM_BYTES * terms * fields > QUERY_BYTES * queries;
    String fewer =
        statistics
            ? String.format(
                Locale.ENGLISH,
                "score fewer than the %,d fields or take a workload of fewer than its %,d terms, each of which counts once for each field",
                fields,
                terms)
            : String.format(
                Locale.ENGLISH,
                longest > 1
                    ? "measure fewer of the %,d queries whole"
                    : "take a workload of fewer than the %,d queries",
                queries);
    if (said.contains("exceeds vm limit")) { // one array is too long, whatever room there is
      return fewer;
    }
    return outside
        ? "allow the JVM more memory outside the heap by -XX:MaxDirectMemorySize, or " + fewer
        : "give the JVM more heap, or " + fewer;
  }

  private String nextTry() {
    return pause == 0
        ? "which is tried again by the next commit, or at once by rebuild()"
        : "which is tried again after %d more commit%s, or at once by rebuild()"
            .formatted(pause, pause == 1 ? "" : "s");
  }

  /** What is measured without any is another trouble, of the batch that lacks them. */
  private void trouble(String sentence, Throwable cause) {
    config.listener().trouble(Trouble.RETRIED, sentence, cause);
  }

  /** Whether pages were read back from the index since, of which they were not told. */
  boolean areChangesUncounted() {
    return manifest.changedSinceRanks >= UNCOUNTED;
  }

  private boolean areRanksOld() {
    return manifest.batchesMeasured - manifest.ranksBatch >= config.rebuildEvery()
        || areChangesUncounted()
        || manifest.changedSinceRanks + followed() * manifest.followedSinceRanks
            >= config.rebuildShare() * manifest.pages;
  }

  private boolean areStatisticsOld() {
    return manifest.pages > ranks.pages() * GROWN
        || manifest.pages * GROWN < ranks.pages()
        || haveAged();
  }

  private boolean haveAged() {
    return manifest.changedSinceStatistics >= manifest.pages * AGED;
  }

  /**
   * Has the statistics read anew if a scored field has come to pages, or left them, long before
   * they have aged. When this is looked at is told by numbers of the manifest and the ranks, and
   * what is found is kept there, so that closing and opening changes no measurement.
   *
   * @param before changes counted before those of the commit
   */
  private void lookAtFields(long before, IndexCommit commit) {
    if (ranks == null || areStatisticsOld()) {
      return;
    }
    // of the pages then: where some leave, what was counted may have passed a step of those left
    long step = Math.max(1, Math.round(ranks.pages() * LOOKED_AT));
    if (before / step == manifest.changedSinceStatistics / step) {
      return;
    }
    try (DirectoryReader reader = index.open(commit)) {
      if (ranks.areOfOtherFields(reader)) {
        manifest.changedSinceStatistics = UNCOUNTED;
      }
    } catch (IOException | RuntimeException | Error e) {
      // what cannot be read is told where it is needed; the next look is as far off as any
    }
  }

  private double followed() {
    return ranks.lostShare() > MOST_LOST ? 1 : FOLLOWED;
  }

  /**
   * Counts pages that have changed.
   *
   * @param exchanged how many came to the index or left it
   * @param followed whether the ranks were told of each
   * @param commit that has them
   */
  void changed(int pages, int exchanged, boolean followed, IndexCommit commit) {
    long before = manifest.changedSinceStatistics;
    manifest.changedSinceStatistics += pages + (long) EXCHANGED * exchanged;
    if (followed) {
      manifest.followedSinceRanks += pages;
      unwritten |= pages > 0;
    } else {
      manifest.changedSinceRanks += pages;
    }
    lookAtFields(before, commit);
  }

  /** Where the shifts of so many candidates are kept, or null when no ranks follow. */
  BatchShifts beginShifts(int candidates) {
    if (ranks == null || !ranks.follow()) {
      return null;
    }
    shifts.begin(ranks.scores(), candidates);
    return shifts;
  }

  /** What a batch's pages are told to, or null when no ranks follow them. */
  RankUpkeep upkeep() {
    return ranks == null || !ranks.follow() ? null : ranks.upkeep(shifts);
  }

  /**
   * Pages were read back from the index: what became of them the ranks were not told.
   *
   * @param statisticsToo whether others may have changed them, nobody knows how many
   */
  void changesUncounted(boolean statisticsToo) {
    if (ranks != null || !manifest.ranksFile.isEmpty()) { // in a file that could not be read
      manifest.changedSinceRanks = UNCOUNTED;
      manifest.changedSinceStatistics = statisticsToo ? UNCOUNTED : manifest.changedSinceStatistics;
    }
  }

  /** Writes down what was followed since the ranks were written last. */
  void close() {
    if (unwritten || isFileMissing()) {
      write();
    }
  }

  /** They could not be written when they were built. */
  private boolean isFileMissing() {
    return ranks != null && manifest.ranksFile.isEmpty();
  }

  /** What cannot be written is no loss while it is in use; without a file it is built anew. */
  private void write() {
    String name = StateFiles.newRanks(manifest);
    try {
      ranks.write(files, name, workloadId);
      manifest.ranksFile = name;
      manifest.ranksFailure = "";
      unwritten = false;
    } catch (IOException | RuntimeException | Error e) {
      manifest.ranksFile = "";
      manifest.ranksFailure = "%s: are in use but could not be written: %s".formatted(now(), e);
      trouble(
          "rank functions are in use but could not be written; the next batch writes them, the next"
              + " writer builds them anew",
          e);
    }
  }

  /** Builds them anew from a commit, if that has pages; null when there is none. */
  void build(IndexCommit commit) throws IOException {
    build(true, true, () -> commit == null ? null : index.open(commit));
  }

  private void build(boolean statisticsToo, boolean asked, IOSupplier<DirectoryReader> pages)
      throws IOException {
    try {
      if (manifest.pages > 0) {
        buildNow(statisticsToo, asked, pages);
      }
    } catch (IOException | RuntimeException | Error e) {
      boolean unread = ranks == null && !manifest.ranksFile.isEmpty();
      failed(e, unread ? UNREAD + ", nor built anew" : "could not be built");
      throw e;
    }
  }

  private void buildNow(boolean statisticsToo, boolean asked, IOSupplier<DirectoryReader> pages)
      throws IOException {
    config.faults().at(FaultPoints.RANKS);
    long time = FetchTimes.millis(config.now()); // which may fail
    long begin = costs.begin();
    try (DirectoryReader reader = pages.get()) {
      if (reader == null) {
        return;
      }
      boolean otherFields = ranks != null && ranks.areOfOtherFields(reader);
      boolean newStatistics = statisticsToo || ranks == null || otherFields;
      ranks =
          newStatistics
              ? Ranks.build(reader, manifest.pages, config, terms, similarity)
              : ranks.renewed(reader, config, terms);
      builds++;
      pause = 0;
      failures = 0;
      failure = null;
      manifest.ranksBatch = manifest.batchesMeasured;
      manifest.changedSinceRanks = 0;
      manifest.followedSinceRanks = 0;
      // another size alone begins no new count, or usefulness would never be old where that swings
      boolean old = asked || otherFields || haveAged() || manifest.isUsefulnessOld();
      if (newStatistics && old) {
        manifest.outdateUsefulness();
        manifest.changedSinceStatistics = 0;
      }
      manifest.ranksTime = time;
      write();
    } finally {
      costs.end(Costs.Step.RANKS, begin);
    }
  }
}
