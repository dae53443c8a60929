// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.security.SecureRandom;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/**
 * What tells the copies of the pages of an unsettled batch apart, and which of them are live: 61 to
 * 83 bytes a page on the heap and half as many while it grows, whatever the keys are and the
 * refreshes tell. A batch may have the share of the heap that capturing allows it, and is settled
 * in what is left; the refreshes themselves stay in its file. Pages are known by their {@link
 * NumberByKey hashes}. For one thread.
 */
final class Candidates {
  private static final int NONE = CandidateCopies.NONE;

  private static final long SEED = new SecureRandom().nextLong(); // nothing of it is kept

  private final boolean comparable; // vectors tell copies apart
  private Set<String> segments = Set.of(); // of the commit
  private final NumberByKey pages = new NumberByKey();
  private int pageCount;
  private int[] end = new int[0]; // by page: where its copies end
  private int[] live = new int[0]; // among the page's copies
  private long[] replaced = new long[0];
  private int copyCount;
  private int[] segment = new int[0]; // by copy, a number of a name
  private int[] document = new int[0];
  private long[] fetched = new long[0];
  private long[] vectorHash = new long[0];
  private final List<String> names = new ArrayList<>(); // names of segments
  private final Map<String, Integer> numbers = new HashMap<>(); // places of these names

  /** Pages with so many copies that finding one takes memory, which is kept for the next. */
  private final Map<Integer, CandidateCopies> ofMany = new HashMap<>();

  /**
   * Candidates that are yet to be added.
   *
   * @param comparable whether vectors tell copies apart
   */
  Candidates(boolean comparable) {
    this.comparable = comparable;
  }

  /** Takes the next page, and its copies in the order of the file. */
  void add(BytesRef key, List<Refresh> copies) {
    for (Refresh copy : copies) {
      add(copy);
    }
    end = ArrayUtil.grow(end, pageCount + 1);
    live = ArrayUtil.grow(live, pageCount + 1);
    replaced = ArrayUtil.grow(replaced, pageCount + 1);
    end[pageCount] = copyCount;
    live[pageCount] = NONE;
    replaced[pageCount] = FetchTimes.UNKNOWN;
    pages.put(NumberByKey.hash(key, SEED), pageCount);
    pageCount++;
  }

  private void add(Refresh copy) {
    segment = ArrayUtil.grow(segment, copyCount + 1);
    document = ArrayUtil.grow(document, copyCount + 1);
    fetched = ArrayUtil.grow(fetched, copyCount + 1);
    vectorHash = ArrayUtil.grow(vectorHash, copyCount + 1);
    segment[copyCount] = number(copy.segment());
    document[copyCount] = copy.document();
    fetched[copyCount] = copy.fetched();
    vectorHash[copyCount] = copy.vectorHash();
    copyCount++;
  }

  private int number(String name) {
    Integer known = numbers.putIfAbsent(name, names.size());
    if (known == null) {
      names.add(name);
      return names.size() - 1;
    }
    return known;
  }

  /** Begins the live documents of a commit, once, when all candidates are added. */
  void beginCommit(Set<String> segmentsOfIt) {
    segments = segmentsOfIt;
  }

  /**
   * Finds out which copy a live document is, if its page is in the batch; see {@link
   * CandidateCopies#identify}.
   */
  void identify(BytesRef key, String segmentName, int doc, long time, long hash) {
    int page = (int) pages.get(NumberByKey.hash(key, SEED), NONE);
    if (page == NONE) {
      return;
    }
    CandidateCopies copies = copies(page);
    copies.identify(segmentName, doc, time, hash);
    live[page] = copies.live();
    replaced[page] = copies.replaced();
  }

  private CandidateCopies copies(int page) {
    Copies copies = new Copies(page == 0 ? 0 : end[page - 1], end[page]);
    return copies.size() <= CandidateCopies.FEW
        ? new CandidateCopies(copies, segments, comparable)
        : ofMany.computeIfAbsent(page, first -> new CandidateCopies(copies, segments, comparable));
  }

  /** Which copy of a page the live document identified last is, negative if it is none. */
  int live(int page) {
    return live[page];
  }

  /** See {@link CandidateCopies#replaced}. */
  long replaced(int page) {
    return replaced[page];
  }

  private final class Copies extends AbstractList<CandidateCopies.Copy> {
    private final int from;
    private final int to;

    Copies(int from, int to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public CandidateCopies.Copy get(int i) {
      int copy = from + i;
      return new CandidateCopies.Copy(
          names.get(segment[copy]), document[copy], fetched[copy], vectorHash[copy]);
    }

    @Override
    public int size() {
      return to - from;
    }
  }
}
