// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.Days;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds out which addresses told are those of pages in the index, and forgets these, but not before
 * a commit holds the page that began after the address was told: who deletes a document may tell
 * its address before that is committed. Until then the address is hidden.
 *
 * <p>Forgets addresses, too, whose pages came and left again since the last look. Such a page has
 * another last fetch than it had then, one after it was told; nothing else tells that it came. If
 * it was told again since then it is kept: that may be of its deletion.
 *
 * <p>Not safe for use by several threads.
 */
final class ToldAddresses {
  private static final long LONG_AGO = -1;

  private final QueueFile file;
  private final Map<String, Told> notLookedUp = new HashMap<>();
  private final Map<String, Long> hidden = new HashMap<>(); // with the last batch begun then
  private final Map<String, Instant> left = new HashMap<>(); // last fetches of those once indexed
  private boolean looked; // whether all were looked up that a file held
  private long settledThen; // the batch settled last when they were looked up

  /** Whether a page was in the index when it was looked up last. */
  private enum Seen {
    NOT_YET,
    ABSENT,
    PRESENT
  }

  /** What is to be known of an address when it is looked up. */
  private record Told(long begun, Seen seen) {
    /**
     * Whether the page came into the index since it was told. Where it was not looked up before,
     * its first fetch tells, as far as fetches were measured.
     */
    boolean came(Discovery known, PageHistory found) {
      return seen == Seen.NOT_YET
          ? Days.between(known.since(), found.lastRefresh()) >= found.totalDays()
          : seen == Seen.ABSENT;
    }
  }

  ToldAddresses(QueueFile file) {
    this.file = file;
  }

  /**
   * An address is told; before the file hears of it.
   *
   * @param begun see {@link BatchNames#begun}
   */
  void tell(String page, long begun) {
    notLookedUp.put(page, new Told(begun, seen(page)));
  }

  private Seen seen(String page) {
    Told before = notLookedUp.get(page);
    if (before != null) {
      return before.seen();
    }
    boolean absent = looked && file.discovered().containsKey(page);
    return absent ? Seen.ABSENT : file.hidden().containsKey(page) ? Seen.PRESENT : Seen.NOT_YET;
  }

  /**
   * Looks up what was told or written since the last time.
   *
   * @param written pages whose histories may have changed since then; empty if it is not known
   *     which
   * @param settled the batch of the latest commit that the histories know
   * @param came gets each page that came into the index since it was told, once, and what was told;
   *     one that was there already says nothing of what words promise, however often links name it
   * @param missed gets each address that is that of no page of the index any more
   */
  void catchUp(
      StoredHistories histories,
      Optional<Set<String>> written,
      long settled,
      BiConsumer<Discovery, PageHistory> came,
      BiConsumer<String, Discovery> missed) {
    Map<String, Discovery> known = file.discovered();
    for (String page : written.orElse(known.keySet())) {
      if (known.containsKey(page)) {
        notLookedUp.putIfAbsent(page, new Told(LONG_AGO, seen(page)));
      }
    }
    notLookedUp.keySet().retainAll(known.keySet());
    if (written.isEmpty()) { // all are looked up; else too many to look through each time
      left.keySet().retainAll(known.keySet());
    }
    if (settled != settledThen || written.isEmpty()) {
      lookAgain(histories, settled, missed);
      settledThen = settled;
    }
    notLookedUp.forEach(
        (page, told) ->
            histories
                .columns()
                .of(page, gone -> lookUpLeft(page, told, gone))
                .ifPresent(found -> lookUp(page, told, found, settled, came)));
    notLookedUp.clear();
    looked = true;
  }

  private void lookUp(
      String page,
      Told told,
      PageHistory found,
      long settled,
      BiConsumer<Discovery, PageHistory> came) {
    boolean kept = settled <= told.begun();
    Discovery known = kept ? file.hide(page) : file.forget(page);
    left.remove(page);
    if (kept) {
      hidden.put(page, told.begun());
    }
    if (told.came(known, found)) {
      came.accept(known, found);
    }
  }

  private void lookUpLeft(String page, Told told, PageHistory gone) {
    Instant fetched = gone.lastRefresh();
    boolean another = !fetched.equals(left.put(page, fetched));
    boolean isToldAgain = told.begun() != LONG_AGO;
    if (looked && another && !isToldAgain && fetched.isAfter(file.discovered().get(page).since())) {
      left.remove(page);
      file.forget(page);
    }
  }

  private void lookAgain(
      StoredHistories histories, long settled, BiConsumer<String, Discovery> missed) {
    hidden.keySet().retainAll(file.hidden().keySet()); // others were forgotten, or told again
    Iterator<Map.Entry<String, Long>> each = hidden.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, Long> told = each.next();
      String page = told.getKey();
      boolean present =
          histories.columns().of(page, gone -> left.put(page, gone.lastRefresh())).isPresent();
      if (!present) {
        missed.accept(page, file.show(page));
      } else if (settled > told.getValue()) {
        file.forget(page);
      } else {
        continue;
      }
      each.remove();
    }
  }
}
