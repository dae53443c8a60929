// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * The visits of a batch that found their pages as the index has them: refreshes worth nothing. They
 * are written to a file of their own before the commit and enter the page store after it, as
 * measured refreshes do.
 *
 * <p>Left out are pages that are in the batch themselves, whose refresh is already there, and,
 * counted, pages that are not in the index, visits that are not later than the page's last refresh
 * and those of days to come. A last refresh of days to come, or from before there was a Web, says
 * nothing: the visit after it is recorded as not measured. So is the first visit of a page of which
 * no fetch is known, be it from before measuring began: the next refresh is measured from it.
 */
final class UnchangedVisits {
  static final UnchangedVisits NONE = new UnchangedVisits(null, "", 0);

  private final Directory files;
  private final String name;
  private final int size;

  /** Why a visit is not recorded. */
  private enum Cause {
    NOT_INDEXED("of a page that is not in the index"),
    NOT_LATER("not later than the page's last refresh"),
    BEFORE_THE_WEB("dated before 1990"),
    TO_COME("more than a day ahead of the clock");

    private final String words;

    Cause(String words) {
      this.words = words;
    }
  }

  /** How many visits are left out, and the first of their pages. */
  private static final class LeftOut {
    private final BytesRef first;
    private int count;

    LeftOut(BytesRef first, int count) {
      this.first = BytesRef.deepCopyOf(first);
      this.count = count;
    }
  }

  private UnchangedVisits(Directory files, String name, int size) {
    this.files = files;
    this.name = name;
    this.size = size;
  }

  /**
   * Finds out what each visit is worth recording and writes it down, durably; tells the listener of
   * visits that are left out.
   *
   * @param heard visits that are ended
   * @param pages stands for the commit before the batch
   * @param firstSeen the time of pages that were there before anything was measured, and whose
   *     documents tell none: see {@link PageEntry#isUntimed}
   */
  static UnchangedVisits record(
      Batch batch,
      HeardVisits heard,
      PageStore pages,
      long firstSeen,
      Directory files,
      DeltaConfig config)
      throws IOException {
    config.faults().at(FaultPoints.VISITS);
    long latest = FetchTimes.latest(config.now());
    heard.sort();
    String name = StateFiles.visits(batch.generation);
    Sieve sieve = new Sieve(batch.generation, pages, firstSeen, latest);
    if (heard.ahead() > 0) {
      sieve.leftOut.put(Cause.TO_COME, new LeftOut(heard.firstAhead(), heard.ahead()));
    }
    int size;
    try (RefreshFile.Writer file = new RefreshFile.Writer(files, name)) {
      size = write(file, batch, heard, sieve);
      if (size > 0) {
        file.finish();
      }
    }
    if (!sieve.leftOut.isEmpty()) {
      config.listener().trouble(Trouble.REJECTED, complaint(sieve.leftOut), null);
    }
    return size == 0 ? NONE : new UnchangedVisits(files, name, size);
  }

  /** Writes what the sieve lets through of pages that are not in the batch, and counts it. */
  private static int write(RefreshFile.Writer file, Batch batch, HeardVisits heard, Sieve sieve)
      throws IOException {
    Batch.Pages indexed = batch.pages();
    boolean more = indexed.next();
    int size = 0;
    for (int visit = 0; visit < heard.size(); visit++) {
      heard.read(visit);
      BytesRef page = heard.page();
      while (more && indexed.key().compareTo(page) < 0) {
        more = indexed.next();
      }
      if (more && indexed.key().bytesEquals(page)) {
        continue;
      }
      Refresh refresh = sieve.refresh(page, heard.time());
      if (refresh != null) {
        file.page(page, List.of(refresh));
        size++;
      }
    }
    return size;
  }

  /** Tells visits that are recorded from those that are left out, which it counts by the cause. */
  private static final class Sieve {
    private final long generation;
    private final PageStore pages;
    private final long firstSeen;
    private final long latest; // a later time is none
    private final PageEntry known = new PageEntry();
    private final Map<Cause, LeftOut> leftOut = new EnumMap<>(Cause.class);

    Sieve(long generation, PageStore pages, long firstSeen, long latest) {
      this.generation = generation;
      this.pages = pages;
      this.firstSeen = firstSeen;
      this.latest = latest;
    }

    /** What is recorded of a visit; null if it is left out. */
    Refresh refresh(BytesRef page, long time) throws IOException {
      boolean there = pages.get(page, known) && known.present && known.fetched();
      boolean dated = known.lastRefresh <= latest; // or by a clock that was ahead
      long before = dated ? known.lastRefresh : FetchTimes.UNKNOWN;
      Cause cause = there ? cause(time, before, latest) : Cause.NOT_INDEXED;
      if (cause == Cause.NOT_LATER && known.isUntimed(firstSeen)) { // than no refresh at all
        cause = time < FetchTimes.EARLIEST ? Cause.BEFORE_THE_WEB : null;
      }
      if (cause != null) {
        leftOut.computeIfAbsent(cause, first -> new LeftOut(page, 0)).count++;
        return null;
      }
      return visit(generation, time, known.isDated(firstSeen) ? before : FetchTimes.UNKNOWN);
    }
  }

  /** Why a visit of a page in the index is left out; null when it is not. */
  private static Cause cause(long time, long lastRefresh, long latest) {
    if (time > latest) {
      return Cause.TO_COME;
    }
    boolean later =
        time > lastRefresh && time - lastRefresh > 0; // or no number can tell how much later
    return later || lastRefresh == FetchTimes.UNKNOWN ? null : Cause.NOT_LATER;
  }

  private static Refresh visit(long generation, long time, long before) {
    boolean measured = before != FetchTimes.UNKNOWN;
    long interval = measured ? time - before : 0;
    return new Refresh(generation, time, measured, interval, 0, -1, null, 0, 0, null);
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Number of visits that are recorded. */
  int size() {
    return size;
  }

  /** Adds the visits to the sums of their pages. */
  void apply(PageStore pages) throws IOException {
    if (!isEmpty()) {
      pages.add(files, name);
    }
  }

  private static String complaint(Map<Cause, LeftOut> leftOut) {
    StringJoiner causes = new StringJoiner("; ");
    leftOut.forEach(
        (cause, out) ->
            causes.add(
                "%d %s (the first is of %s)"
                    .formatted(out.count, cause.words, PageKeys.start(PageKeys.name(out.first)))));
    return "visits not recorded: " + causes;
  }
}
