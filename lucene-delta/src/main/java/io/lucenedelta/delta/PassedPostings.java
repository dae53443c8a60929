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
 * since its impacts need it. That is when a posting is noted here, see {@link NotedNorms}; of the
 * consumer's iterator, its own, nothing but the frequency is asked. It is kept if the term turns
 * out to be one of the workload's, which is looked up when the consumer has done with it. No format
 * has to ask for every norm: what was passed is compared with what there is ({@link #isDue}) for
 * the first term, the first of every length in bits, and every 256th.
 *
 * <p>Made to be reused, for one thread.
 */
final class PassedPostings {
  private static final int CHECKED = 256;

  private int documents; // of the segment
  private PostingsByTerm target; // the current field's
  private boolean frequencies;
  private PostingsEnum iterator; // the consumer's; null until it asks for it
  private int begin; // where the current term's postings begin in the target
  private boolean compared; // the current term's
  private boolean trusted;
  private boolean used; // postings of the segment that nobody compared
  private int unchecked; // terms used since the last check
  private long lengths; // a bit for each length in bits that was checked

  /** Forgets everything and gets ready for a segment. */
  void begin(int newDocuments) {
    documents = newDocuments;
    trusted = true;
    used = false;
    unchecked = 0;
    lengths = 0;
    iterator = null;
    target = null;
  }

  /**
   * Gets ready for a field.
   *
   * @param newTarget gets what is passed; null of a field that is not scored
   */
  void beginField(PostingsByTerm newTarget, boolean newFrequencies) {
    target = newTarget;
    frequencies = newFrequencies;
    forget();
  }

  /** The consumer goes to another term. */
  void forget() {
    iterate(null);
  }

  /** The consumer is about to iterate the postings of its term. */
  void iterate(PostingsEnum consumers) {
    iterator = target == null ? null : consumers;
    compared = false;
    if (target != null) {
      target.drop();
      begin = target.size();
    }
  }

  /** The consumer asks for a document's norm. Throws nothing. */
  void pass(int document) {
    PostingsEnum at = iterator;
    if (at == null) {
      return;
    }
    try {
      target.add(document, frequencies ? at.freq() : 1);
    } catch (Throwable t) { // not what a term's documents look like
      forget();
    }
  }

  /** Passes them once more, for what that costs; they have been kept, or are not to be. */
  void repeat() {
    if (target == null) {
      return; // keys and fetch times are not passed
    }
    int end = begin + (target.size() > begin ? target.size() - begin : target.pending());
    for (int place = begin; place < end; place++) {
      pass(target.document(place));
    }
  }

  /** Whether what was passed is to be {@linkplain #check compared} before it is used. */
  boolean isDue() {
    return isUsable() && ((lengths & length()) == 0 || unchecked == CHECKED);
  }

  private long length() {
    return Long.highestOneBit(target.pending());
  }

  /**
   * Compares what was passed with what there is.
   *
   * @throws IllegalStateException if they differ, and others have been used unseen
   */
  void check(PostingsEnum read) throws IOException {
    int same = 0;
    int large = 0;
    for (int doc = read.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = read.nextDoc()) {
      int frequency = frequencies ? read.freq() : 1;
      trusted &= target.isPending(same, large, doc, frequency);
      same++;
      large += frequency > VectorBuffer.LARGE ? 1 : 0;
    }
    int seen = target.pending();
    trusted &= same == seen;
    if (!trusted && used) {
      throw new IllegalStateException(
          "the postings format asks for the norms of some documents only: of %d, %d were seen"
              .formatted(same, seen));
    }
    compared = true;
    lengths |= length();
    unchecked = 0;
  }

  /** Whether any were passed, and no check of the segment has found that some were not. */
  boolean isUsable() {
    return trusted && iterator != null && target.pending() > 0 && target.pending() <= documents;
  }

  /** Keeps the postings passed as those of a term that is after all those kept before. */
  void keep(int term) {
    used |= !compared;
    unchecked++;
    target.keep(term);
  }
}
