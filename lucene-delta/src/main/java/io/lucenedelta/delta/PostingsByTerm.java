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
  private long[] counts = new long[64]; // by document: postings, large ones in the upper 32 bits
  private int terms;
  private int[] term = new int[256];
  private int[] end = new int[256]; // where a term's postings end
  private int size;
  private int[] postings = new int[1024];
  private int larges;
  private long[] large = new long[256];
  private long[] read = new long[64]; // postings of one term

  PostingsByTerm(FlushHeap heap) {
    this.heap = heap;
  }

  /** Forgets everything; what comes is of the given number of documents. */
  void begin(int newDocuments) {
    documents = newDocuments;
    terms = 0;
    size = 0;
    larges = 0;
    counts = heap.growNoCopy(counts, documents);
    Arrays.fill(counts, 0, documents, 0);
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
    int count = 0;
    for (int doc = first; doc < to; doc = in.nextDoc()) {
      if (count == read.length) {
        read = heap.grow(read, count + 1);
      }
      read[count++] = (long) (doc - from) << Integer.SIZE | (frequencies ? in.freq() : 1);
    }
    add(number, read, count);
  }

  /** Adds the postings of a term that is after all those before it, as they were passed. */
  void add(int number, PassedPostings in) {
    add(number, in.use(), in.size());
  }

  /** Documents in the upper 32 bits, frequencies in the lower. */
  private void add(int number, long[] in, int count) {
    postings = heap.grow(postings, Math.addExact(size, count));
    large = heap.grow(large, Math.addExact(larges, count));
    int place = size;
    int largePlace = larges;
    for (int i = 0; i < count; i++) {
      long posting = in[i];
      int document = (int) (posting >>> Integer.SIZE);
      int frequency = (int) posting;
      int isLarge = (LARGE - frequency) >>> (Integer.SIZE - 1);
      postings[place++] = VectorBuffer.coded(document, frequency);
      // counts when it is large; asking first would cost more
      large[largePlace] = posting;
      largePlace += isLarge;
      counts[document] += 1 | (long) isLarge << 32;
    }
    size = place;
    larges = largePlace;
    endTerm(number);
  }

  private void endTerm(int number) {
    if (terms == term.length) {
      term = heap.grow(term, terms + 1);
      end = heap.grow(end, terms + 1);
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

  /** Finds where the postings and the large frequencies of every document begin once grouped. */
  void begins(int[] places, int[] largePlaces) {
    long sum = 0;
    for (int doc = 0; doc < documents; doc++) {
      places[doc] = (int) sum;
      largePlaces[doc] = (int) (sum >>> 32);
      sum += counts[doc];
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
