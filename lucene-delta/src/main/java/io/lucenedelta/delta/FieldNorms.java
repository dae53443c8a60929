// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.FixedBitSet;

/**
 * One scored field's norms in a flush, read once, and handed out from memory to whoever asks: the
 * consumer of the postings asks for one with every posting, which takes it longer to read where
 * they are written than to find here.
 *
 * <p>Made to be reused, for one thread.
 */
final class FieldNorms {
  static final long NONE = 1; // what Lucene scores a document without a norm with

  private final FlushHeap heap;
  private long[] values = new long[64]; // by document
  private FixedBitSet present; // documents that have one; null when all have
  private int documents;

  FieldNorms(FlushHeap heap) {
    this.heap = heap;
  }

  /**
   * Reads a segment's norms.
   *
   * @param field the scored field, or null if the segment does not have it
   * @param producer the segment's norms, or null if no field has any
   */
  void read(FieldInfo field, NormsProducer producer, int newDocuments) throws IOException {
    documents = newDocuments;
    values = heap.growNoCopy(values, documents);
    present = null;
    NumericDocValues in =
        field != null && field.hasNorms() && producer != null ? producer.getNorms(field) : null;
    int next = 0;
    if (in != null) {
      for (int doc = in.nextDoc(); doc != NumericDocValues.NO_MORE_DOCS; doc = in.nextDoc()) {
        leaveOut(next, doc);
        values[doc] = in.longValue();
        next = doc + 1;
      }
    }
    leaveOut(next, documents);
  }

  private void leaveOut(int from, int to) {
    if (from == to) {
      return;
    }
    if (present == null) {
      present = new FixedBitSet(documents);
      present.set(0, documents);
    }
    present.clear(from, to);
    Arrays.fill(values, from, to, NONE);
  }

  /** A document's norm, {@link #NONE} if it has none. */
  long of(int document) {
    return values[document];
  }

  /** The norms as Lucene hands them out, valid until the next segment. */
  NumericDocValues iterator(PassedPostings passed) {
    return new Iterator(values, present, documents, passed);
  }

  /** Tells {@link PassedPostings} which documents it is asked about. */
  private static final class Iterator extends NumericDocValues {
    private final long[] values;
    private final FixedBitSet present;
    private final int documents;
    private final PassedPostings passed;
    private int document = -1;

    Iterator(long[] values, FixedBitSet present, int documents, PassedPostings passed) {
      this.values = values;
      this.present = present;
      this.documents = documents;
      this.passed = passed;
    }

    @Override
    public boolean advanceExact(int target) {
      passed.pass(target);
      document = target;
      return present == null || present.get(target);
    }

    @Override
    public long longValue() {
      return values[document];
    }

    @Override
    public int docID() {
      return document;
    }

    @Override
    public int nextDoc() {
      return advance(document + 1);
    }

    @Override
    public int advance(int target) {
      if (target >= documents) {
        document = NO_MORE_DOCS;
      } else {
        document = present == null ? target : present.nextSetBit(target);
      }
      return document;
    }

    @Override
    public long cost() {
      return documents;
    }
  }
}
