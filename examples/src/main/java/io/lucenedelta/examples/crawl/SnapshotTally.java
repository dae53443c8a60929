// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the records of a snapshot, or of several: each is a page, or is counted by why it
 * is none. Records of type {@code warcinfo}, which describe their file, are not counted. Not safe
 * for use by several threads.
 */
public final class SnapshotTally {
  private final Map<LeftOut, Cases> others = new EnumMap<>(LeftOut.class);
  private int pages;

  /** A tally of nothing yet. */
  public SnapshotTally() {}

  /** How many records, and what the first was. */
  private record Cases(long count, String first) {
    Cases plus(Cases later) {
      return new Cases(count + later.count, first);
    }
  }

  /** Counts a page. */
  void page() {
    pages++;
  }

  /**
   * Counts a record that is no page.
   *
   * @param example which it is, for people
   */
  void leftOut(LeftOut reason, String example) {
    others.merge(reason, new Cases(1, example), Cases::plus);
  }

  /** Counts what another tally has counted, later than this one. */
  public void add(SnapshotTally later) {
    pages += later.pages;
    later.others.forEach((reason, cases) -> others.merge(reason, cases, Cases::plus));
  }

  /** Pages handed out. */
  public int pages() {
    return pages;
  }

  /** Answers and files that should have been pages and are none, whatever the reason. */
  public long leftOut() {
    return others.keySet().stream().filter(LeftOut::isAnswer).mapToLong(this::count).sum();
  }

  /** Records that are no page for one reason. */
  public long count(LeftOut reason) {
    Cases cases = others.get(reason);
    return cases == null ? 0 : cases.count();
  }

  /** A line for each reason that there was: how many records, and the first of them. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    others.forEach(
        (reason, cases) ->
            lines.add(
                "%s, %s: %d, first %s"
                    .formatted(
                        reason.isAnswer() ? "left out" : "no pages",
                        reason.label(),
                        cases.count(),
                        cases.first())));
    return lines;
  }
}
