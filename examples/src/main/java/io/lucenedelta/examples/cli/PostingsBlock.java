// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.util.Arrays;

/**
 * The scored postings of some pages: they come term by term and leave page by page. Not safe for
 * use by several threads.
 */
final class PostingsBlock {
  private static final int TYPICAL = 1 << 16;

  private final int[] end; // by page: first how many postings, then where they end
  private int[] pages = new int[TYPICAL];
  private int[] terms = new int[TYPICAL];
  private float[] scores = new float[TYPICAL];
  private int count;

  /** Takes the terms of a page, ascending, and its scores for them. */
  @FunctionalInterface
  interface Receiver {
    /** The first {@code length} elements count; the arrays are only lent. */
    void accept(int[] terms, float[] scores, int length);
  }

  /**
   * @param pageCount pages are numbered from 0 to below this
   */
  PostingsBlock(int pageCount) {
    end = new int[pageCount];
  }

  /** Adds a posting; terms come in ascending order. */
  void add(int page, int term, float score) {
    if (count == pages.length) {
      pages = Arrays.copyOf(pages, 2 * count);
      terms = Arrays.copyOf(terms, 2 * count);
      scores = Arrays.copyOf(scores, 2 * count);
    }
    pages[count] = page;
    terms[count] = term;
    scores[count++] = score;
    end[page]++;
  }

  /** Passes on the pages that have a posting, ascending; after that the block is used up. */
  void forEachPage(Receiver receiver) {
    int[] sorted = sorted();
    int[] pageTerms = new int[16];
    float[] pageScores = new float[16];
    int from = 0;
    for (int to : end) {
      int length = to - from;
      if (length > pageTerms.length) {
        pageTerms = new int[2 * length];
        pageScores = new float[2 * length];
      }
      for (int i = 0; i < length; i++) {
        pageTerms[i] = terms[sorted[from + i]];
        pageScores[i] = scores[sorted[from + i]];
      }
      if (length > 0) {
        receiver.accept(pageTerms, pageScores, length);
      }
      from = to;
    }
  }

  /** The postings in the order of their pages, otherwise as they came. */
  private int[] sorted() {
    int before = 0;
    for (int page = 0; page < end.length; page++) {
      int here = end[page];
      end[page] = before;
      before += here;
    }
    int[] sorted = new int[count];
    for (int i = 0; i < count; i++) {
      sorted[end[pages[i]]++] = i;
    }
    return sorted;
  }
}
