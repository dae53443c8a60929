// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

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
  private final int[][] largeEnd; // by field: where a document's large frequencies end
  private final int[][] large; // by field: large frequencies, grouped by document

  PostingsByDocument(int fields) {
    this.fields = fields;
    this.end = new int[fields][64];
    this.sorted = new int[fields][1024];
    this.largeEnd = new int[fields][64];
    this.large = new int[fields][256];
  }

  void begin(int documents) {
    this.documents = documents;
  }

  /** Groups one field's postings, of as many documents as were begun with. */
  void group(int field, PostingsByTerm postings) {
    end[field] = ArrayUtil.growNoCopy(end[field], documents);
    largeEnd[field] = ArrayUtil.growNoCopy(largeEnd[field], documents);
    postings.begins(end[field], largeEnd[field]);
    sorted[field] = ArrayUtil.growNoCopy(sorted[field], postings.size());
    postings.spread(end[field], sorted[field]);
    large[field] = ArrayUtil.growNoCopy(large[field], postings.larges());
    postings.spreadLarge(largeEnd[field], large[field]);
  }

  /** Writes a document's vector; {@code norms} holds its norm by field. */
  void write(int doc, long[] norms, VectorBuffer vector) {
    vector.clear();
    for (int field = 0; field < fields; field++) {
      int from = begin(end[field], doc);
      int to = end[field][doc];
      if (from < to) {
        int fromLarge = begin(largeEnd[field], doc);
        int toLarge = largeEnd[field][doc];
        vector.addField(
            field, norms[field], sorted[field], from, to, large[field], fromLarge, toLarge);
      }
    }
  }

  private static int begin(int[] ends, int doc) {
    return doc == 0 ? 0 : ends[doc - 1];
  }
}
