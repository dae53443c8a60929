// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/**
 * The scores of all pages of one segment that have a term, read block by block: what rank functions
 * of single terms are built from. {@link QueryMatches} does the same for any query, one posting
 * after the other. Asking for terms in ascending order is fastest. For one thread.
 *
 * <p>Memory: one byte a document of the segment.
 */
final class PostingScores {
  private final TermsEnum cursor; // null when no document has the field
  private final WorkloadTerms terms;
  private final TermScores scores;
  private final Bits pages;
  private final byte[] norms;
  private final DocAndFloatFeatureBuffer block = new DocAndFloatFeatureBuffer();
  private final BytesRef text = new BytesRef();
  private PostingsEnum postings;

  private PostingScores(
      TermsEnum cursor, WorkloadTerms terms, TermScores scores, Bits pages, byte[] norms) {
    this.cursor = cursor;
    this.terms = terms;
    this.scores = scores;
    this.pages = pages;
    this.norms = norms;
  }

  /**
   * The scores in the first scored field, or null when its norms are no bytes, as they are with
   * Lucene's own similarities.
   *
   * @param pages the live pages, or null when that is every document
   */
  static PostingScores of(
      LeafReader reader, ScoredField field, WorkloadTerms terms, TermScores scores, Bits pages)
      throws IOException {
    Terms indexed = reader.terms(field.name());
    byte[] norms = norms(reader.getNormValues(field.name()), reader.maxDoc());
    return norms == null
        ? null
        : new PostingScores(
            indexed == null ? null : indexed.iterator(), terms, scores, pages, norms);
  }

  private static byte[] norms(NumericDocValues values, int documents) throws IOException {
    byte[] norms = new byte[documents];
    Arrays.fill(norms, (byte) 1);
    if (values != null) {
      for (int doc = values.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = values.nextDoc()) {
        long norm = values.longValue();
        if (norm != (byte) norm) {
          return null;
        }
        norms[doc] = (byte) norm;
      }
    }
    return norms;
  }

  /** Adds the scores of a term's pages. */
  void read(int term, ScoreList target) throws IOException {
    if (cursor == null) {
      return;
    }
    terms.get(term, text);
    if (!cursor.seekExact(text)) {
      return;
    }
    postings = cursor.postings(postings, PostingsEnum.FREQS);
    int doc = postings.nextDoc();
    while (doc != DocIdSetIterator.NO_MORE_DOCS) {
      postings.nextPostings(DocIdSetIterator.NO_MORE_DOCS, block);
      if (pages != null) {
        block.apply(pages);
      }
      int from = target.grow(block.size);
      scores.scoreAll(term, block, norms, target.values(), from);
      doc = postings.docID();
    }
  }
}
