// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** Counts the live documents of keys in a commit; opens a reader when first asked. */
final class KeyLookup implements Closeable {
  private record Segment(TermsEnum keys, Bits live) {}

  private final IndexCommit commit;
  private final String softDeletesField;
  private final String keyField;
  private final List<Segment> segments = new ArrayList<>();
  private DirectoryReader reader;
  private PostingsEnum postings;

  KeyLookup(IndexCommit commit, String softDeletesField, String keyField) {
    this.commit = commit;
    this.softDeletesField = softDeletesField;
    this.keyField = keyField;
  }

  int live(BytesRef key) throws IOException {
    open();
    int count = 0;
    for (Segment segment : segments) {
      if (segment.keys().seekExact(key)) {
        postings = segment.keys().postings(postings, PostingsEnum.NONE);
        for (int doc = postings.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = postings.nextDoc()) {
          count += segment.live() == null || segment.live().get(doc) ? 1 : 0;
        }
      }
    }
    return count;
  }

  /** How many live documents of the commit have a key. */
  long liveDocuments() throws IOException {
    open();
    long count = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      count += PageKeys.of(leaf.reader(), keyField).countLive();
    }
    return count;
  }

  private void open() throws IOException {
    if (reader == null) {
      reader = LiveDocuments.open(commit, softDeletesField);
      for (LeafReaderContext leaf : reader.leaves()) {
        Terms keys = leaf.reader().terms(keyField);
        if (keys != null) {
          segments.add(new Segment(keys.iterator(), leaf.reader().getLiveDocs()));
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }
}
