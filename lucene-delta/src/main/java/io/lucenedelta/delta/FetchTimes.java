// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
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

  /**
   * 1990: no page was fetched before there was a Web. A crawler that does not know when writes the
   * year 1 or 1970, and a clock that was never set tells the latter.
   */
  static final long EARLIEST = 631_152_000_000L;

  /** Clocks of crawlers differ, and some tell local time. */
  private static final Duration AHEAD = Duration.ofDays(1);

  private final ByteBuffer times; // null: of no document is it known

  private FetchTimes(ByteBuffer times) {
    this.times = times;
  }

  /**
   * Reads a segment.
   *
   * @param field null when the application does not say when it fetched a page
   * @param latest see {@link #parse}
   * @param memory asked once, for what all times take
   */
  static FetchTimes of(LeafReader leaf, String field, long latest, OffHeapBytes.Blocks memory)
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
      long time = parse(term, latest);
      list = cursor.postings(list, PostingsEnum.NONE);
      for (int doc = list.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = list.nextDoc()) {
        times.putLong(Long.BYTES * doc, time);
      }
    }
    return new FetchTimes(times);
  }

  /**
   * The latest time, in milliseconds, that a page can say it was fetched. A page fetched in the
   * year 50,000, milliseconds taken for seconds, would have no measurement until then.
   */
  static long latest(Instant now) {
    long millis = millis(now);
    return millis > Long.MAX_VALUE - AHEAD.toMillis() ? millis : millis + AHEAD.toMillis();
  }

  /** The same by the configured clock, or the machine's if that one fails. */
  static long latest(DeltaConfig config) {
    try {
      return latest(config.now());
    } catch (Throwable t) { // an application's clock can throw anything
      return latest(Instant.now());
    }
  }

  /**
   * Milliseconds since 1970 of a fetch time's term, {@link #UNKNOWN} if it is none.
   *
   * @param latest a later time is none
   */
  static long parse(BytesRef text, long latest) {
    try {
      long time = Instant.parse(text.utf8ToString()).toEpochMilli();
      return time <= latest ? time : UNKNOWN;
    } catch (RuntimeException e) { // what is no UTF-8 fails in its own ways
      return UNKNOWN;
    }
  }

  /** The nearest that 64 bits hold: a clock or a crawler can tell any time. */
  static long millis(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** The time of a document in milliseconds, or {@link #UNKNOWN}. */
  long of(int doc) {
    return times == null ? UNKNOWN : times.getLong(Long.BYTES * doc);
  }
}
