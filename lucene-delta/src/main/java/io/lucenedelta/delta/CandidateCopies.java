// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The copies of one page in an unsettled batch, of which at most one is live.
 *
 * <p>A page has one, mostly. Where what was taken for the key of pages is shared by many documents,
 * it has as many as there are documents, and each of them is read: so of many copies none is looked
 * for one by one. For one thread.
 */
final class CandidateCopies {
  /** Copies that are compared one by one; more take memory to be found. */
  private static final int FEW = 8;

  private static final int NONE = -1;

  private final List<Refresh> copies;
  private int live = NONE;
  private Map<Place, Integer> byPlace; // the last copy there; null until one is looked for
  private Map<Content, Integer> byContent; // the same of copies whose segments were merged away

  private record Place(String segment, int document) {}

  /** What is left to know a copy by. */
  private record Content(long vectorHash, long fetched) {}

  /** Copies of which none is known to be live. */
  CandidateCopies(List<Refresh> copies) {
    this.copies = copies;
  }

  /** The copy that the live document read last is, null if it is none. */
  Refresh live() {
    return live == NONE ? null : copies.get(live);
  }

  /**
   * Finds out which copy a live document of the page is. One whose segment was merged away is known
   * by its vector and by when it was fetched; by the latter alone where vectors tell nothing, since
   * a refresh that was committed must not be lost for another workload.
   *
   * @param segments of the commit, the same in each call
   * @param comparable whether vectors tell copies apart, the same in each call
   * @param fetched when the document was, or {@link FetchTimes#UNKNOWN}
   */
  void read(
      Set<String> segments,
      boolean comparable,
      String segment,
      int document,
      long fetched,
      long vectorHash) {
    Place place = new Place(segment, document);
    Content content = new Content(comparable ? vectorHash : 0, fetched);
    live =
        copies.size() <= FEW
            ? compared(segments, comparable, place, content)
            : found(segments, comparable, place, content);
  }

  private int compared(Set<String> segments, boolean comparable, Place place, Content content) {
    int found = NONE;
    for (int i = 0; i < copies.size(); i++) {
      Refresh copy = copies.get(i);
      boolean same =
          segments.contains(copy.segment())
              ? place(copy).equals(place)
              : content(copy, comparable, content.fetched()).equals(content);
      found = same ? i : found;
    }
    return found;
  }

  private int found(Set<String> segments, boolean comparable, Place place, Content content) {
    if (byPlace == null) {
      byPlace = new HashMap<>();
      byContent = new HashMap<>();
      for (int i = 0; i < copies.size(); i++) {
        Refresh copy = copies.get(i);
        if (segments.contains(copy.segment())) {
          byPlace.put(place(copy), i);
        } else {
          byContent.put(content(copy, comparable, copy.fetched()), i);
          byContent.put(content(copy, comparable, FetchTimes.UNKNOWN), i);
        }
      }
    }
    return Math.max(byPlace.getOrDefault(place, NONE), byContent.getOrDefault(content, NONE));
  }

  private static Place place(Refresh copy) {
    return new Place(copy.segment(), copy.document());
  }

  /** As a document tells it that says, or does not say, when it was fetched. */
  private static Content content(Refresh copy, boolean comparable, long told) {
    long fetched = told == FetchTimes.UNKNOWN ? told : copy.fetched();
    return new Content(comparable ? copy.vectorHash() : 0, fetched);
  }
}
