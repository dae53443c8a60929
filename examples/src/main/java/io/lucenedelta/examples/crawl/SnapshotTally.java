// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What became of the records of a snapshot, or of several: each is a page, or is counted by why it
 * is none. Records of type {@code warcinfo}, which describe their file, are not counted. Not safe
 * for use by several threads.
 */
public final class SnapshotTally {
  private static final int KINDS_SHOWN = 5;
  private static final int KINDS_COUNTED = 1000;

  private final Map<LeftOut, Cases> others = new EnumMap<>(LeftOut.class);
  private int pages;

  /** A tally of nothing yet. */
  public SnapshotTally() {}

  /** Records that are no page for one reason: how many, of what kinds, and what the first was. */
  private static final class Cases {
    private final String first;
    private final Map<String, Long> kinds = new TreeMap<>();
    private long count;

    Cases(String first) {
      this.first = first;
    }

    /** Kinds that come late are counted only if they are known: a crawl may name any. */
    void add(String kind, long more) {
      if (!kind.isEmpty() && (kinds.size() < KINDS_COUNTED || kinds.containsKey(kind))) {
        kinds.merge(kind, more, Long::sum);
      }
    }

    /** The most frequent kinds, unless the first record stands for all and shows its kind. */
    String kinds() {
      if (kinds.isEmpty()
          || (kinds.size() == 1 && first.contains(kinds.keySet().iterator().next()))) {
        return "";
      }
      String most =
          kinds.entrySet().stream()
              .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
              .limit(KINDS_SHOWN)
              .map(kind -> kind.getKey() + " " + kind.getValue())
              .collect(Collectors.joining(", "));
      return " (" + most + (kinds.size() > KINDS_SHOWN ? " and others" : "") + ")";
    }
  }

  /** Counts a page. */
  void page() {
    pages++;
  }

  /** Counts a record that is no page, for a reason without kinds. */
  void leftOut(LeftOut reason, String example) {
    leftOut(reason, "", example);
  }

  /**
   * Counts a record that is no page.
   *
   * @param kind of what kind it is, if records of this reason have kinds; else empty
   * @param example which it is, for people
   */
  void leftOut(LeftOut reason, String kind, String example) {
    Cases cases = others.computeIfAbsent(reason, none -> new Cases(example));
    cases.count++;
    cases.add(kind, 1);
  }

  /** Counts what another tally has counted, later than this one. */
  public void add(SnapshotTally later) {
    pages += later.pages;
    later.others.forEach(
        (reason, more) -> {
          Cases cases = others.computeIfAbsent(reason, none -> new Cases(more.first));
          cases.count += more.count;
          more.kinds.forEach(cases::add);
        });
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
    return cases == null ? 0 : cases.count;
  }

  /**
   * A line for each reason that there was: how many records, of what kinds most, and the first of
   * them.
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    others.forEach(
        (reason, cases) ->
            lines.add(
                "%s, %s: %d%s, first %s"
                    .formatted(
                        reason.isAnswer() ? "left out" : "no pages",
                        reason.label(),
                        cases.count,
                        cases.kinds(),
                        cases.first)));
    return lines;
  }
}
