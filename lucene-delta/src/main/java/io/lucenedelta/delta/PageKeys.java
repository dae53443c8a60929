// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.UnicodeUtil;

/** Which documents of a segment are pages, by one pass over the postings of the key field. */
final class PageKeys {
  static final int NONE = -1; // no document
  private static final int SHOWN = 80; // letters of a key in a sentence

  private final LeafReader reader;
  private final Terms keys;

  private PageKeys(LeafReader reader, Terms keys) {
    this.reader = reader;
    this.keys = keys;
  }

  static PageKeys of(LeafReader reader, String keyField) throws IOException {
    return new PageKeys(reader, reader.terms(keyField));
  }

  /** Live documents with a key; null when that is all documents. */
  Bits livePages() throws IOException {
    return livePages(() -> {});
  }

  /** The same, one step for each page that is looked for. */
  Bits livePages(Step step) throws IOException {
    if (keys != null && keys.getDocCount() == reader.maxDoc()) {
      return reader.getLiveDocs();
    }
    FixedBitSet pages = new FixedBitSet(Math.max(1, reader.maxDoc()));
    forEach(
        (key, doc) -> {
          step.done();
          pages.set(doc);
        });
    return pages;
  }

  /**
   * How many live documents have a key; of a segment that all are live in without a look at them.
   */
  int countLive() throws IOException {
    if (keys == null) {
      return 0;
    }
    if (reader.getLiveDocs() == null || keys.getDocCount() == reader.maxDoc()) {
      return Math.min(keys.getDocCount(), reader.numDocs());
    }
    int[] count = {0};
    forEach((key, doc) -> count[0]++);
    return count[0];
  }

  /** Hears that work goes on, and may end it. */
  @FunctionalInterface
  interface Step {
    void done() throws IOException;
  }

  /** A key as a sentence names it: one of a megabyte would hide the rest. */
  static String start(String key) {
    return key.length() <= SHOWN ? key : key.substring(0, SHOWN) + "…";
  }

  /** Whether a key is UTF-8, as that of a page must be that can be asked for by its name. */
  static boolean isNamed(BytesRef key) {
    for (int i = key.offset; i < key.offset + key.length; i++) {
      if (key.bytes[i] < 0) {
        return isNamed(key, name(key));
      }
    }
    return true;
  }

  /** A page's key to read; of one that is no UTF-8 something like it. */
  static String name(BytesRef key) {
    return new String(key.bytes, key.offset, key.length, StandardCharsets.UTF_8);
  }

  /** The name under which a page is indexed: Lucene replaces halves of surrogate pairs. */
  static String indexed(String name) {
    return UnicodeUtil.validUTF16String(name) ? name : new BytesRef(name).utf8ToString();
  }

  /** Whether a text is indexed as a key; without encoding it where it is ASCII, as most are. */
  static boolean isKey(String text, BytesRef key) {
    if (text.length() != key.length) {
      return new BytesRef(text).bytesEquals(key);
    }
    for (int i = 0; i < key.length; i++) {
      if (text.charAt(i) != key.bytes[key.offset + i]) { // what is not ASCII takes more bytes
        return false;
      }
    }
    return true;
  }

  /** Whether a key is what its name says, so that it can be asked for by that. */
  static boolean isNamed(BytesRef key, String name) {
    return new BytesRef(name).bytesEquals(key);
  }

  /** The last live document, which counts where there are several; {@link #NONE} without one. */
  static int lastLive(PostingsEnum postings, Bits live) throws IOException {
    int last = NONE;
    for (int doc = postings.nextDoc();
        doc != DocIdSetIterator.NO_MORE_DOCS;
        doc = postings.nextDoc()) {
      last = live == null || live.get(doc) ? doc : last;
    }
    return last;
  }

  /** A number of each page by document; 0 where there is no live page. */
  float[] numbers(ToDoubleFunction<String> ofPage) throws IOException {
    float[] byDoc = new float[reader.maxDoc()];
    forEach((key, doc) -> byDoc[doc] = (float) ofPage.applyAsDouble(name(key)));
    return byDoc;
  }

  /** Takes a live page. The key is reused for the next one. */
  @FunctionalInterface
  interface Reader {
    void page(BytesRef key, int doc) throws IOException;
  }

  /** Every live document with its key, in key order; of several keys the first counts. */
  void forEach(Reader taker) throws IOException {
    if (keys == null) {
      return;
    }
    Bits live = reader.getLiveDocs();
    FixedBitSet several =
        keys.getSumDocFreq() > keys.getDocCount() ? new FixedBitSet(reader.maxDoc()) : null;
    TermsEnum cursor = keys.iterator();
    PostingsEnum postings = null;
    for (BytesRef key = cursor.next(); key != null; key = cursor.next()) {
      postings = cursor.postings(postings, PostingsEnum.NONE);
      for (int doc = postings.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = postings.nextDoc()) {
        if ((live == null || live.get(doc)) && (several == null || !several.getAndSet(doc))) {
          taker.page(key, doc);
        }
      }
    }
  }
}
