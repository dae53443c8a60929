// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;

/**
 * One field's workload postings in term order, as they are noted; four bytes each, so that those of
 * a flush stay near the processor until they are grouped by document.
 *
 * <pre>
 * posting → document (upper 30 bits), code (2 bits), as a vector codes frequencies
 * large   → document (upper 32 bits), frequency, for those that have no code of their own, in the
 *           same order
 * </pre>
 *
 * Made to be reused, for one thread.
 */
final class PostingsByTerm {
  private static final int CODE_BITS = VectorBuffer.CODE_BITS;
  private static final int LARGE = VectorBuffer.LARGE;

  /** More documents than this cannot be told apart. */
  static final int MOST_DOCUMENTS = 1 << 30;

  private int terms;
  private int[] term = new int[256];
  private int[] end = new int[256]; // of a term's postings
  private int size;
  private int[] postings = new int[1024];
  private int larges;
  private long[] large = new long[256];

  void clear() {
    terms = 0;
    size = 0;
    larges = 0;
  }

  /** Adds the postings of a term that is after all those before it. */
  void add(int number, PostingsEnum in, boolean frequencies) throws IOException {
    add(number, in, in.nextDoc(), 0, DocIdSetIterator.NO_MORE_DOCS, frequencies);
  }

  /**
   * Adds a term's postings from the document {@code first}, at which they are, up to {@code to}.
   *
   * @param from becomes document 0
   */
  void add(int number, PostingsEnum in, int first, int from, int to, boolean frequencies)
      throws IOException {
    int place = size;
    int largePlace = larges;
    for (int doc = first; doc < to; doc = in.nextDoc()) {
      if (place == postings.length) {
        postings = Arrays.copyOf(postings, Math.multiplyExact(2, place));
      }
      if (largePlace == large.length) {
        large = Arrays.copyOf(large, Math.multiplyExact(2, largePlace));
      }
      int frequency = frequencies ? in.freq() : 1;
      postings[place++] = VectorBuffer.coded(doc - from, frequency);
      // counts when it is large; asking first would cost more
      large[largePlace] = (long) (doc - from) << 32 | frequency;
      largePlace += (LARGE - frequency) >>> (Integer.SIZE - 1);
    }
    size = place;
    larges = largePlace;
    endTerm(number);
  }

  private void endTerm(int number) {
    if (terms == term.length) {
      term = Arrays.copyOf(term, 2 * terms);
      end = Arrays.copyOf(end, term.length);
    }
    term[terms] = number;
    end[terms++] = size;
  }

  int size() {
    return size;
  }

  /** Number of postings with a large frequency. */
  int larges() {
    return larges;
  }

  /** Counts the postings of every document into {@code counts[document + 1]}. */
  void count(int[] counts) {
    for (int i = 0; i < size; i++) {
      counts[(postings[i] >>> CODE_BITS) + 1]++;
    }
  }

  /** Counts the large frequencies of every document into {@code counts[document + 1]}. */
  void countLarge(int[] counts) {
    for (int i = 0; i < larges; i++) {
      counts[(int) (large[i] >>> 32) + 1]++;
    }
  }

  /**
   * Hands out all postings to the places of their documents.
   *
   * @param next by document: the place of its next posting, which this moves on
   * @param target gets term and code at each place
   */
  void spread(int[] next, int[] target) {
    int at = 0;
    for (int i = 0; i < terms; i++) {
      int head = term[i] << CODE_BITS;
      for (int to = end[i]; at < to; at++) {
        int posting = postings[at];
        target[next[posting >>> CODE_BITS]++] = head | (posting & LARGE);
      }
    }
  }

  /** The same for large frequencies, apart: the loop above would often be surprised by one. */
  void spreadLarge(int[] next, int[] target) {
    for (int i = 0; i < larges; i++) {
      target[next[(int) (large[i] >>> 32)]++] = (int) large[i];
    }
  }
}
