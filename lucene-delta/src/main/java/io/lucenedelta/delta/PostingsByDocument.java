// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * Postings in term order turned into vectors in document order: a counting sort a field.
 *
 * <p>Fields must be finished in ascending order. Reusable, for one thread.
 */
final class PostingsByDocument {
  private final int fields;
  private int documents;
  private final int[][] end; // by field: where a document's postings end
  private final int[][] sorted; // by field: term and code, grouped by document
  private final int[][] frequency; // by field: beside the codes of large frequencies

  PostingsByDocument(int fields) {
    this.fields = fields;
    this.end = new int[fields][64];
    this.sorted = new int[fields][1024];
    this.frequency = new int[fields][1024];
  }

  void begin(int documents) {
    this.documents = documents;
  }

  /** Groups one field's postings, of documents numbered below those begun with. */
  void group(int field, PostingsByTerm postings) {
    end[field] = ArrayUtil.growNoCopy(end[field], documents + 1);
    int[] next = end[field];
    Arrays.fill(next, 0, documents + 1, 0);
    postings.count(next);
    for (int doc = 0; doc < documents; doc++) {
      next[doc + 1] += next[doc];
    }
    sorted[field] = ArrayUtil.growNoCopy(sorted[field], postings.size());
    frequency[field] = ArrayUtil.growNoCopy(frequency[field], postings.size());
    postings.spread(next, sorted[field], frequency[field]);
  }

  /** Writes a document's vector; {@code norms} holds its norm by field. */
  void write(int doc, long[] norms, VectorBuffer vector) {
    vector.clear();
    for (int field = 0; field < fields; field++) {
      int from = doc == 0 ? 0 : end[field][doc - 1];
      int to = end[field][doc];
      if (from < to) {
        vector.addField(field, norms[field], sorted[field], frequency[field], from, to);
      }
    }
  }
}
