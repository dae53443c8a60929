// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * The visits of a batch that found their pages as the index has them: refreshes worth nothing. They
 * are written to a file of their own before the commit and enter the page store after it, as
 * measured refreshes do.
 *
 * <p>Left out are pages that are in the batch themselves, whose refresh is already there, and,
 * counted, pages that are not in the index, visits that are not later than the page's last refresh
 * and those of days to come.
 */
final class UnchangedVisits {
  static final UnchangedVisits NONE = new UnchangedVisits(List.of(), List.of());

  private record Visit(BytesRef page, Refresh refresh) {}

  private final List<Visit> visits;
  private final List<LeftOut> leftOut;

  private record LeftOut(BytesRef page, Cause cause) {}

  /** Why a visit is not recorded. */
  private enum Cause {
    NOT_INDEXED("of a page that is not in the index"),
    NOT_LATER("not later than the page's last refresh"),
    TO_COME("more than a day ahead of the clock");

    private final String words;

    Cause(String words) {
      this.words = words;
    }
  }

  private UnchangedVisits(List<Visit> visits, List<LeftOut> leftOut) {
    this.visits = visits;
    this.leftOut = leftOut;
  }

  /**
   * Finds out what each visit is worth recording.
   *
   * @param asked times of visits by page, in milliseconds
   * @param pages stands for the commit before the batch
   * @param latest a later time is none, in milliseconds
   */
  static UnchangedVisits of(Batch batch, Map<BytesRef, Long> asked, PageStore pages, long latest) {
    TreeMap<BytesRef, Long> rest = new TreeMap<>(asked);
    Batch.Pages indexed = batch.pages();
    while (!rest.isEmpty() && indexed.next()) {
      rest.remove(indexed.key());
    }
    List<Visit> visits = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    PageEntry known = new PageEntry();
    rest.forEach(
        (page, time) -> {
          boolean there = pages.get(page, known) && known.present && known.fetched();
          Cause cause = there ? cause(time, known.lastRefresh, latest) : Cause.NOT_INDEXED;
          if (cause == null) {
            visits.add(new Visit(page, visit(batch.generation, time, known.lastRefresh)));
          } else {
            leftOut.add(new LeftOut(page, cause));
          }
        });
    return new UnchangedVisits(visits, leftOut);
  }

  /** Why a visit of a page in the index is left out; null when it is not. */
  private static Cause cause(long time, long lastRefresh, long latest) {
    if (time > latest) {
      return Cause.TO_COME;
    }
    boolean later =
        time > lastRefresh && time - lastRefresh > 0; // or no number can tell how much later
    return later ? null : Cause.NOT_LATER;
  }

  /** Finds it out and writes it down; tells the listener of visits that are left out. */
  static UnchangedVisits record(
      Batch batch, Map<BytesRef, Long> asked, PageStore pages, Directory files, DeltaConfig config)
      throws IOException {
    config.faults().at(FaultPoints.VISITS);
    UnchangedVisits visits = of(batch, asked, pages, FetchTimes.latest(config.now()));
    if (visits.complaint() != null) {
      config.listener().trouble(visits.complaint(), null);
    }
    if (!visits.isEmpty()) {
      visits.write(files, StateFiles.visits(batch.generation));
    }
    return visits;
  }

  private static Refresh visit(long generation, long time, long before) {
    return new Refresh(generation, time, true, time - before, 0, -1, null, 0, 0, null);
  }

  boolean isEmpty() {
    return visits.isEmpty();
  }

  /** Number of visits that are recorded. */
  int size() {
    return visits.size();
  }

  /** Writes the visits, durably. */
  void write(Directory directory, String name) throws IOException {
    try (RefreshFile.Writer file = new RefreshFile.Writer(directory, name)) {
      for (Visit visit : visits) {
        file.page(visit.page(), List.of(visit.refresh()));
      }
      file.finish();
    }
  }

  /** Adds the visits to the sums of their pages. */
  void apply(PageStore pages) throws IOException {
    PageEntry entry = new PageEntry();
    for (Visit visit : visits) {
      if (pages.get(visit.page(), entry)) {
        entry.add(visit.refresh());
        pages.put(visit.page(), entry);
      }
    }
  }

  /** What to tell of the visits that are left out, or null. */
  String complaint() {
    if (leftOut.isEmpty()) {
      return null;
    }
    StringJoiner causes = new StringJoiner("; ");
    for (Cause cause : Cause.values()) {
      List<LeftOut> these = leftOut.stream().filter(out -> out.cause() == cause).toList();
      if (!these.isEmpty()) {
        causes.add(
            "%d %s (the first is of %s)"
                .formatted(these.size(), cause.words, PageKeys.name(these.get(0).page())));
      }
    }
    return "visits not recorded: " + causes;
  }
}
