// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * Postings in term order turned into vectors in document order: a counting sort a field.
 *
 * <p>Postings of one field must come in ascending term order; fields must be finished in ascending
 * order. Reusable, for one thread.
 */
final class PostingsByDocument {
  private final int fields;
  private int documents;
  private final int[][] end; // by field: where a document's postings end
  private final long[][] sorted; // by field: term << 32 | frequency, grouped by document

  PostingsByDocument(int fields) {
    this.fields = fields;
    this.end = new int[fields][64];
    this.sorted = new long[fields][1024];
  }

  void begin(int documents) {
    this.documents = documents;
  }

  /**
   * Groups one field's postings: {@code docs[from..to)}, numbers below the documents begun with,
   * and their {@code postings} of a term in the upper and a frequency in the lower 32 bits.
   */
  void group(int field, int[] docs, long[] postings, int from, int to) {
    end[field] = ArrayUtil.growNoCopy(end[field], documents + 1);
    int[] next = end[field];
    Arrays.fill(next, 0, documents + 1, 0);
    for (int i = from; i < to; i++) {
      next[docs[i] + 1]++;
    }
    for (int doc = 0; doc < documents; doc++) {
      next[doc + 1] += next[doc];
    }
    sorted[field] = ArrayUtil.growNoCopy(sorted[field], to - from);
    long[] target = sorted[field];
    for (int i = from; i < to; i++) {
      target[next[docs[i]]++] = postings[i];
    }
  }

  /** Writes a document's vector; {@code norms} holds its norm by field. */
  void write(int doc, long[] norms, VectorBuffer vector) {
    vector.clear();
    for (int field = 0; field < fields; field++) {
      int from = doc == 0 ? 0 : end[field][doc - 1];
      int to = end[field][doc];
      if (from < to) {
        vector.addField(field, norms[field], sorted[field], from, to);
      }
    }
  }

  /** Whether a document has a posting in a field, hence needs its norm. */
  boolean occurs(int doc, int field) {
    return end[field][doc] > (doc == 0 ? 0 : end[field][doc - 1]);
  }
}
