// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/**
 * When the documents of a segment were fetched, read back from the postings of the field that says
 * so; 8 bytes a document outside the heap where there is such a field.
 */
final class FetchTimes {
  /** In place of a time: nobody said when. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private final ByteBuffer times; // null: of no document is it known

  private FetchTimes(ByteBuffer times) {
    this.times = times;
  }

  /**
   * Reads a segment.
   *
   * @param field null when the application does not say when it fetched a page
   * @param memory asked once, for what all times take
   */
  static FetchTimes of(LeafReader leaf, String field, OffHeapBytes.Blocks memory)
      throws IOException {
    Terms indexed = field == null ? null : leaf.terms(field);
    if (indexed == null) {
      return new FetchTimes(null);
    }
    ByteBuffer times = memory.add(IndexPages.bytesOf(leaf, Long.BYTES));
    for (int doc = 0; doc < leaf.maxDoc(); doc++) {
      times.putLong(Long.BYTES * doc, UNKNOWN);
    }
    TermsEnum cursor = indexed.iterator();
    PostingsEnum list = null;
    for (BytesRef term = cursor.next(); term != null; term = cursor.next()) {
      long time = parse(term);
      list = cursor.postings(list, PostingsEnum.NONE);
      for (int doc = list.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = list.nextDoc()) {
        times.putLong(Long.BYTES * doc, time);
      }
    }
    return new FetchTimes(times);
  }

  /** Milliseconds since 1970 of a fetch time's term, {@link #UNKNOWN} if it is none. */
  static long parse(BytesRef text) {
    try {
      return Instant.parse(text.utf8ToString()).toEpochMilli();
    } catch (RuntimeException e) { // what is no UTF-8 fails in its own ways
      return UNKNOWN;
    }
  }

  /** The time of a document in milliseconds, or {@link #UNKNOWN}. */
  long of(int doc) {
    return times == null ? UNKNOWN : times.getLong(Long.BYTES * doc);
  }
}
