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
 *           large ones, which have no code of their own, lie beside in their order
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
  private int[] large = new int[1024];

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
    for (int doc = first; doc < to; doc = in.nextDoc()) {
      if (place == postings.length) {
        makeRoom();
      }
      int frequency = frequencies ? in.freq() : 1;
      postings[place++] = VectorBuffer.coded(doc - from, frequency);
      large[larges] = frequency; // counts when it is large; asking first would cost more
      larges += (LARGE - frequency) >>> (Integer.SIZE - 1);
    }
    size = place;
    endTerm(number);
  }

  private void makeRoom() {
    postings = Arrays.copyOf(postings, Math.multiplyExact(2, postings.length));
    large = Arrays.copyOf(large, postings.length);
  }

  private void endTerm(int number) {
    if (terms == term.length) {
      term = Arrays.copyOf(term, 2 * terms);
      end = Arrays.copyOf(end, term.length);
    }
    term[terms] = number;
    end[terms++] = size;
  }

  /** Counts the postings of every document into {@code counts[document + 1]}. */
  void count(int[] counts) {
    for (int i = 0; i < size; i++) {
      counts[(postings[i] >>> CODE_BITS) + 1]++;
    }
  }

  int size() {
    return size;
  }

  /**
   * Hands out all postings to the places of their documents.
   *
   * @param next by document: the place of its next posting, which this moves on
   * @param target gets term and code at each place
   * @param frequency gets the large frequencies at theirs
   */
  void spread(int[] next, int[] target, int[] frequency) {
    int at = 0;
    int nextLarge = 0;
    for (int i = 0; i < terms; i++) {
      int head = term[i] << CODE_BITS;
      for (; at < end[i]; at++) {
        int posting = postings[at];
        int place = next[posting >>> CODE_BITS]++;
        target[place] = head | (posting & LARGE);
        if ((posting & LARGE) == LARGE) {
          frequency[place] = large[nextLarge++];
        }
      }
    }
  }
}
