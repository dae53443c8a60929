// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;

/**
 * The postings of one term as the consumer of a flush passes them, so that they need not be read a
 * second time.
 *
 * <p>Lucene's postings format asks for the norm of each document of a term while it iterates them,
 * since its impacts need it. That is when a posting is kept here, see {@link NotedNorms}; of the
 * consumer's iterator, its own, nothing is asked but the frequency and, once a term, the document:
 * one that gathers documents and asks for norms afterwards stands behind the first by then, and its
 * term is read. No format has to ask for every norm: what was passed is compared with what there is
 * ({@link #isDue}) for the first term, the first of every length in bits, and every 256th.
 *
 * <p>Made to be reused, for one thread.
 */
final class PassedPostings {
  private static final int CHECKED = 256;

  private final FlushHeap heap;
  private long[] postings = new long[64]; // document (upper 32 bits), frequency
  private boolean frequencies;
  private PostingsEnum iterator; // the consumer's; null until it asks for it
  private int size;
  private boolean compared; // the current term's
  private boolean trusted;
  private boolean used; // postings of the segment that nobody compared
  private int unchecked; // terms used since the last check
  private long lengths; // a bit for each length in bits that was checked

  PassedPostings(FlushHeap heap) {
    this.heap = heap;
  }

  /** Forgets everything and gets ready for a segment. */
  void begin(int documents) {
    postings = heap.growNoCopy(postings, documents);
    trusted = true;
    used = false;
    unchecked = 0;
    lengths = 0;
    forget();
  }

  void beginField(boolean newFrequencies) {
    frequencies = newFrequencies;
    forget();
  }

  /** The consumer goes to another term. */
  void forget() {
    iterate(null);
  }

  /** The consumer is about to iterate the postings of its term. */
  void iterate(PostingsEnum consumers) {
    iterator = consumers;
    size = 0;
    compared = false;
  }

  /** The consumer asks for a document's norm. Throws nothing. */
  void pass(int document) {
    PostingsEnum at = iterator;
    if (at == null) {
      return;
    }
    try {
      if (size == 0 && frequencies && at.docID() != document) { // its frequency is another's
        forget();
      } else {
        keep(document, at);
      }
    } catch (Throwable t) { // not what a term's documents look like
      forget();
    }
  }

  private void keep(int document, PostingsEnum at) throws IOException {
    int frequency = frequencies ? at.freq() : 1;
    postings[size] = (long) document << Integer.SIZE | frequency;
    size++;
  }

  /** Passes them once more, for what that costs; they must have been used. */
  void repeat() {
    int passed = size;
    size = 0;
    try {
      for (int i = 0; i < passed; i++) {
        keep((int) (postings[i] >>> Integer.SIZE), iterator);
      }
    } catch (Throwable t) { // as above
      forget();
    }
  }

  /** Whether what was passed is to be {@linkplain #check compared} before it is used. */
  boolean isDue() {
    return isUsable() && ((lengths & length()) == 0 || unchecked == CHECKED);
  }

  private long length() {
    return Long.highestOneBit(size);
  }

  /**
   * Compares what was passed with what there is.
   *
   * @throws IllegalStateException if they differ, and others have been used unseen
   */
  void check(PostingsEnum read) throws IOException {
    int same = 0;
    for (int doc = read.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = read.nextDoc()) {
      long posting = (long) doc << Integer.SIZE | (frequencies ? read.freq() : 1);
      trusted &= same < size && postings[same] == posting;
      same++;
    }
    trusted &= same == size;
    if (!trusted && used) {
      throw new IllegalStateException(
          "the postings format asks for the norms of some documents only: of %d, %d were seen"
              .formatted(same, size));
    }
    compared = true;
    lengths |= length();
    unchecked = 0;
  }

  /** Whether any were passed, and no check of the segment has found that some were not. */
  boolean isUsable() {
    return size > 0 && trusted;
  }

  /** Number of postings passed. */
  int size() {
    return size;
  }

  /** The postings passed: document (upper 32 bits) and frequency, valid until the next term. */
  long[] use() {
    used |= !compared;
    unchecked++;
    return postings;
  }
}
