// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/**
 * Decides after a commit which captured copy of each page is the live one.
 *
 * <p>A copy in a segment of the commit is live when its document is. A copy whose segment was
 * merged before the commit is taken to be live when it is the page's only possibility, or the last
 * of those in one segment that is not sorted, and is looked up if its key was deleted in the batch;
 * then the number of live documents of the commit must come out as expected. Whenever it does not,
 * or a page has several possibilities, the settlement is not {@link #certain}, and the index itself
 * must be asked.
 *
 * <p>Why the number suffices: it can only come out lower than expected, by documents that left
 * without being noticed, never higher. Every segment of the commit was in the commit before, was
 * captured, or is a merge of such ones; what makes documents more in a segment that is known, and
 * second copies of a page, is looked up. So there is nothing by which a document that left could be
 * made up for.
 *
 * <p>All this holds of the documents with a key alone, too. So if the number is lower, these are
 * counted: if they are as many as expected, those that left had no key, as the children of a block
 * that was replaced, and the pages are right.
 */
final class Settlement {
  /** The page is not in the commit. */
  static final int GONE = -1;

  /** No copy of the batch is live, the page's older document is. */
  static final int UNTOUCHED = -2;

  private final Batch batch;
  private final SegmentMerges merges;
  private final LiveDocuments live;
  private final boolean selective;
  private final boolean added;
  private final Set<BytesRef> deletedKeys;
  private final KeyLookup lookup;
  private final String[] place;
  private final Bits[] bits;
  private final int[] chosen; // by page: number of the live copy, GONE or UNTOUCHED
  private boolean uncertain;
  private long arrived;
  private long pagesGone;
  private long extraCopies;
  private long keyless;

  /**
   * Decides about a batch.
   *
   * @param before the segments of the commit before; null when they are not known
   */
  Settlement(
      Batch batch,
      SegmentMerges merges,
      Set<String> before,
      LiveDocuments live,
      WriterOperations.Taken asked,
      KeyLookup lookup)
      throws IOException {
    this.batch = batch;
    this.merges = merges;
    this.live = live;
    this.selective = asked.selective();
    this.added = asked.added();
    this.deletedKeys = asked.deletedKeys();
    this.lookup = lookup;
    this.place = new String[batch.segments.size()];
    this.bits = new Bits[batch.segments.size()];
    this.chosen = new int[batch.pageCount()];
    locate();
    // after it: the merges by which it locates may be forgotten at any time, but come back never
    this.uncertain = before == null || !accountedFor(before);
    decideAll();
  }

  private boolean accountedFor(Set<String> before) {
    Set<String> known = batch.segmentNames();
    known.addAll(before);
    return merges.leadFrom(known, live.segments());
  }

  private void locate() throws IOException {
    Map<String, String> places = merges.restingPlaces(live.segments());
    for (int i = 0; i < place.length; i++) {
      CapturedSegment segment = batch.segments.get(i);
      place[i] = places.get(segment.name());
      if (segment.name().equals(place[i])) {
        bits[i] = live.of(segment.name());
      }
      if (place[i] != null) {
        keyless += bits[i] == null ? segment.keylessLive() : keylessLive(segment, bits[i]);
      }
    }
  }

  private static int keylessLive(CapturedSegment segment, Bits live) {
    int count = 0;
    for (int doc = 0; doc < live.length(); doc++) {
      count += live.get(doc) ? 1 : 0;
    }
    for (int entry = 0; entry < segment.size(); entry++) {
      count -= live.get(segment.doc(entry)) ? 1 : 0;
    }
    return count;
  }

  private void decideAll() throws IOException {
    Batch.Pages pages = batch.pages();
    while (pages.next()) {
      int page = pages.page();
      chosen[page] = anyCommitted(pages) ? decide(pages, batch.wasPresent[page]) : UNTOUCHED;
      pagesGone += chosen[page] == GONE && batch.wasPresent[page] ? 1 : 0;
      arrived += chosen[page] >= 0 && !batch.wasPresent[page] ? 1 : 0;
    }
  }

  private boolean anyCommitted(Batch.Pages pages) {
    for (int i = 0; i < pages.count(); i++) {
      if (place[pages.segmentNumber(i)] != null) {
        return true;
      }
    }
    return false;
  }

  private int decide(Batch.Pages pages, boolean wasPresent) throws IOException {
    int last = GONE;
    int alive = 0;
    int merged = GONE;
    int mergedCopies = 0;
    for (int i = 0; i < pages.count(); i++) {
      int segment = pages.segmentNumber(i);
      if (place[segment] == null) {
        continue;
      }
      if (!batch.segments.get(segment).name().equals(place[segment])) {
        mergedCopies += merged != GONE && replaces(pages, i, merged) ? 0 : 1;
        merged = i;
        uncertain |= selective || batch.segments.get(segment).deadUnknown();
      } else if (isLive(pages, i)) {
        alive++;
        last = last == GONE || isLater(pages, i, last) ? i : last;
      }
    }
    extraCopies += Math.max(0, alive - 1);
    if (alive == 0 && merged != GONE && hasLeft(pages.key())) {
      return GONE;
    }
    uncertain |= alive == 0 && mergedCopies > 1;
    int choice = alive > 0 ? last : merged;
    boolean doubtful = wasPresent || pages.count() > 1;
    if (choice == GONE ? wasPresent : added && doubtful) {
      int expected = alive > 0 ? alive : mergedCopies; // who came after merged ones replaced them
      return checked(choice, expected, lookup.live(pages.key()));
    }
    return choice;
  }

  /** Whether the index was asked to delete a key, and has no document of it that came later. */
  private boolean hasLeft(BytesRef key) throws IOException {
    return deletedKeys.contains(key) && lookup.live(key) == 0;
  }

  /**
   * Whether a copy is later than another in one segment: deletions by key leave of the documents of
   * a key those that came last. If none is added beside another, that is one.
   */
  private static boolean replaces(Batch.Pages pages, int copy, int earlier) {
    return pages.segmentNumber(copy) == pages.segmentNumber(earlier)
        && !pages.segment(copy).sorted();
  }

  private int checked(int choice, int expected, int found) {
    if (choice == GONE) {
      uncertain |= found > 1;
      return found == 0 ? GONE : UNTOUCHED;
    }
    uncertain |= found != expected;
    return choice;
  }

  private boolean isLive(Batch.Pages pages, int copy) {
    Bits known = bits[pages.segmentNumber(copy)];
    return known == null || known.get(pages.segment(copy).doc(pages.entry(copy)));
  }

  private boolean isLater(Batch.Pages pages, int copy, int than) {
    int segment = pages.segmentNumber(copy);
    int other = pages.segmentNumber(than);
    if (segment == other) {
      return pages.segment(copy).doc(pages.entry(copy))
          > pages.segment(than).doc(pages.entry(than));
    }
    return live.order(place[segment]) > live.order(place[other]);
  }

  /**
   * Whether everything adds up, but perhaps for documents without a key that left: they are taken
   * off then.
   *
   * @param keyedBefore live documents with a key before the batch
   * @param keylessBefore those without one
   * @param deleted pages known to have been deleted that have no copy in the batch
   */
  boolean certain(long keyedBefore, long keylessBefore, long deleted) throws IOException {
    if (uncertain) {
      return false;
    }
    long keyed = keyedBefore + arrived - pagesGone - deleted + extraCopies;
    long missing = keyed + keylessBefore + keyless - live.count();
    if (missing > 0 && lookup.liveDocuments() == keyed) {
      keyless -= missing;
      return true;
    }
    return missing == 0;
  }

  /** The copy of a page that is live, {@link #GONE} or {@link #UNTOUCHED}. */
  int chosen(int page) {
    return chosen[page];
  }

  /** Pages that were not in the index before. */
  long arrived() {
    return arrived;
  }

  /**
   * Counts what the batch brought to the index, and what left it.
   *
   * @param deleted pages that left without a copy in the batch, since their key was deleted
   */
  void count(Manifest manifest, long deleted) {
    manifest.pages += arrived - pagesGone - deleted;
    manifest.keylessDocuments += keyless;
    manifest.extraCopies += extraCopies;
  }

  /** The pages among those with a deleted key that have no copy in the batch and left the index. */
  Set<BytesRef> deleted(Set<BytesRef> keys, PageStore pages) throws IOException {
    Set<BytesRef> gone = new HashSet<>();
    PageEntry entry = new PageEntry();
    for (BytesRef key : withoutCopy(keys)) {
      if (pages.get(key, entry) && entry.present && lookup.live(key) == 0) {
        gone.add(key);
      }
    }
    return gone;
  }

  private Set<BytesRef> withoutCopy(Set<BytesRef> keys) {
    Set<BytesRef> rest = new HashSet<>(keys);
    Batch.Pages pages = batch.pages();
    while (!rest.isEmpty() && pages.next()) {
      if (anyCommitted(pages)) {
        rest.remove(pages.key());
      }
    }
    return rest;
  }
}
