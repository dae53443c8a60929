// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The copies of one page in an unsettled batch, of which at most one is live.
 *
 * <p>A page has one, mostly. Where what was taken for the key of pages is shared by many documents,
 * it has as many as there are documents, and each of them is read: so of many copies none is looked
 * for one by one. For one thread.
 */
final class CandidateCopies {
  private static final Pattern NUMBERED = Pattern.compile("_[0-9a-z]{1,12}");
  private static final NavigableMap<Long, Integer> NOWHERE = Collections.emptyNavigableMap();

  /** Copies that are compared one by one; more take memory to be found. */
  static final int FEW = 8;

  static final int NONE = -1;

  private final List<Copy> copies;
  private final Set<String> segments; // of the commit
  private final boolean comparable; // vectors tell copies apart
  private long latest = Long.MIN_VALUE; // fetch of a copy, once all were looked at
  private int live = NONE;
  private long replaced = FetchTimes.UNKNOWN;
  private Map<Place, Integer> byPlace; // the last copy there; null until one is looked for

  /**
   * Copies whose segments were merged away, by content and segment: the last of those of a segment
   * and of earlier ones.
   */
  private Map<Content, NavigableMap<Long, Integer>> byContent;

  /** What tells a copy from others. */
  record Copy(String segment, int document, long fetched, long vectorHash) {}

  private record Place(String segment, int document) {}

  /** What is left to know a copy by. */
  private record Content(long vectorHash, long fetched) {}

  /**
   * Copies of which none is known to be live.
   *
   * @param segments of the commit that live documents are in
   * @param comparable whether vectors tell copies apart
   */
  CandidateCopies(List<Copy> copies, Set<String> segments, boolean comparable) {
    this.copies = copies;
    this.segments = segments;
    this.comparable = comparable;
  }

  /** Which copy the live document identified last is, {@link #NONE} if it is none. */
  int live() {
    return live;
  }

  /**
   * When the live document identified last was fetched, if it is none of the copies and says that
   * it is later than all of them; else {@link FetchTimes#UNKNOWN}.
   */
  long replaced() {
    return replaced;
  }

  /**
   * Finds out which copy a live document of the page is. One whose segment was merged away is known
   * by its vector and by when it was fetched; by the latter alone where vectors tell nothing, since
   * a refresh that was committed must not be lost for another workload. It is in none of the
   * segments that were there before its own: these were not made of it.
   *
   * @param fetched when the document was, or {@link FetchTimes#UNKNOWN}
   */
  void identify(String segment, int document, long fetched, long vectorHash) {
    Place place = new Place(segment, document);
    Content content = new Content(comparable ? vectorHash : 0, fetched);
    live = copies.size() <= FEW ? matchOneByOne(place, content) : matchByTable(place, content);
    boolean later = live == NONE && !copies.isEmpty() && fetched > latest;
    replaced = later ? fetched : FetchTimes.UNKNOWN;
  }

  private int matchOneByOne(Place place, Content content) {
    int match = NONE;
    for (int i = 0; i < copies.size(); i++) {
      Copy copy = copies.get(i);
      latest = Math.max(latest, copy.fetched());
      if (!segments.contains(copy.segment())) {
        boolean earlier = number(copy.segment()) < number(place.segment());
        boolean same = content(copy, content.fetched()).equals(content);
        match = earlier && same ? i : match;
      } else if (place(copy).equals(place)) {
        return i;
      }
    }
    return match;
  }

  private int matchByTable(Place place, Content content) {
    if (byPlace == null) {
      byPlace = new HashMap<>();
      byContent = new HashMap<>();
      for (int i = 0; i < copies.size(); i++) {
        Copy copy = copies.get(i);
        latest = Math.max(latest, copy.fetched());
        if (segments.contains(copy.segment())) {
          byPlace.put(place(copy), i);
        } else {
          add(content(copy, copy.fetched()), i);
          add(content(copy, FetchTimes.UNKNOWN), i);
        }
      }
    }
    Integer there = byPlace.get(place);
    if (there != null) {
      return there;
    }
    Map.Entry<Long, Integer> last =
        byContent.getOrDefault(content, NOWHERE).lowerEntry(number(place.segment()));
    return last == null ? NONE : last.getValue();
  }

  private void add(Content content, int copy) {
    NavigableMap<Long, Integer> last = byContent.computeIfAbsent(content, any -> new TreeMap<>());
    long number = number(copies.get(copy).segment());
    last.tailMap(number, true).clear(); // this copy is the later one for them, too
    last.put(number, copy);
  }

  /** Lucene numbers segments as they are begun; one of another name may be made of any. */
  private static long number(String segment) {
    return NUMBERED.matcher(segment).matches()
        ? Long.parseLong(segment, 1, segment.length(), Character.MAX_RADIX)
        : Long.MAX_VALUE;
  }

  private static Place place(Copy copy) {
    return new Place(copy.segment(), copy.document());
  }

  /** As a document tells it that says, or does not say, when it was fetched. */
  private Content content(Copy copy, long told) {
    long fetched = told == FetchTimes.UNKNOWN ? told : copy.fetched();
    return new Content(comparable ? copy.vectorHash() : 0, fetched);
  }
}
