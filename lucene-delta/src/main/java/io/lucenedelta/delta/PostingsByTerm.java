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

  private final FlushHeap heap;
  private int documents;
  private int terms;
  private int[] term = new int[256];
  private int[] end = new int[256]; // where a term's postings end
  private int size; // postings of terms that are kept
  private int next; // those from size to here are of a term of which that is not yet known
  private int[] postings = new int[1024];
  private int larges;
  private int nextLarge;
  private long[] large = new long[256];

  PostingsByTerm(FlushHeap heap) {
    this.heap = heap;
  }

  /** Forgets everything; what comes is of the given number of documents. */
  void begin(int newDocuments) {
    documents = newDocuments;
    terms = 0;
    size = 0;
    larges = 0;
    drop();
  }

  /** Adds a posting of a term that {@linkplain #keep may be kept}; documents ascend. */
  void add(int document, int frequency) {
    if (next == postings.length || nextLarge == large.length) {
      makeRoom();
    }
    postings[next++] = VectorBuffer.coded(document, frequency);
    // counts when it is large; asking first would cost more
    large[nextLarge] = largePosting(document, frequency);
    nextLarge += (LARGE - frequency) >>> (Integer.SIZE - 1);
  }

  private void makeRoom() {
    postings = heap.grow(postings, Math.addExact(next, 1));
    large = heap.grow(large, Math.addExact(nextLarge, 1));
  }

  private static long largePosting(int document, int frequency) {
    return (long) document << Integer.SIZE | frequency;
  }

  /** Drops the postings added since the last term that was kept. */
  void drop() {
    next = size;
    nextLarge = larges;
  }

  /** Keeps them: they are those of a term that is after all those before it. */
  void keep(int number) {
    if (terms == term.length) {
      term = heap.grow(term, terms + 1);
      end = heap.grow(end, terms + 1);
    }
    term[terms] = number;
    end[terms++] = next;
    size = next;
    larges = nextLarge;
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
    drop();
    for (int doc = first; doc < to; doc = in.nextDoc()) {
      add(doc - from, frequencies ? in.freq() : 1);
    }
    keep(number);
  }

  /** Number of postings of terms that are kept. */
  int size() {
    return size;
  }

  /** Number of postings added since the last term that was kept. */
  int pending() {
    return next - size;
  }

  /**
   * Whether one of those is a posting.
   *
   * @param place counted from the first of them
   * @param largePlace how many of those before it have a large frequency
   */
  boolean isPending(int place, int largePlace, int document, int frequency) {
    return place < pending()
        && postings[size + place] == VectorBuffer.coded(document, frequency)
        && (frequency <= LARGE || large[larges + largePlace] == largePosting(document, frequency));
  }

  /** The document of a posting at a place, kept or not. */
  int document(int place) {
    return postings[place] >>> CODE_BITS;
  }

  /** Number of postings with a large frequency, of terms that are kept. */
  int larges() {
    return larges;
  }

  /** Finds where the postings and the large frequencies of every document begin once grouped. */
  void begins(int[] places, int[] largePlaces) {
    Arrays.fill(places, 0, documents, 0);
    Arrays.fill(largePlaces, 0, documents, 0);
    for (int i = 0; i < size; i++) {
      places[postings[i] >>> CODE_BITS]++;
    }
    for (int i = 0; i < larges; i++) {
      largePlaces[(int) (large[i] >>> Integer.SIZE)]++;
    }
    countsToPlaces(places);
    countsToPlaces(largePlaces);
  }

  private void countsToPlaces(int[] counts) {
    int sum = 0;
    for (int doc = 0; doc < documents; doc++) {
      int count = counts[doc];
      counts[doc] = sum;
      sum += count;
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
      target[next[(int) (large[i] >>> Integer.SIZE)]++] = (int) large[i];
    }
  }
}
