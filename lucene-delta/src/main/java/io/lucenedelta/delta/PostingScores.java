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
 * after the other. Terms must be asked for in ascending order: unless the segment has many more
 * terms than the workload, both are walked through side by side, which is cheaper than looking up
 * each term. For one thread.
 *
 * <p>Memory: one byte a document of the segment.
 */
final class PostingScores {
  /** A segment with more than so many times the workload's terms is not walked through. */
  private static final int MANY = 8;

  private final TermsEnum cursor; // null when no document has the field
  private final boolean walks;
  private int at = -1; // the workload's term the cursor came to last; their number at the end
  private int ceiling; // the workload's first term that is not before the cursor's
  private final WorkloadTerms terms;
  private final TermScores scores;
  private final Bits pages;
  private final byte[] norms;
  private final DocAndFloatFeatureBuffer block = new DocAndFloatFeatureBuffer();
  private final BytesRef text = new BytesRef();
  private PostingsEnum postings;

  private PostingScores(
      Terms indexed, WorkloadTerms terms, TermScores scores, Bits pages, byte[] norms)
      throws IOException {
    this.cursor = indexed == null ? null : indexed.iterator();
    this.walks = indexed != null && indexed.size() >= 0 && indexed.size() / MANY <= terms.size();
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
    return norms == null ? null : new PostingScores(indexed, terms, scores, pages, norms);
  }

  private static byte[] norms(NumericDocValues values, int documents) throws IOException {
    byte[] norms = new byte[documents];
    Arrays.fill(norms, (byte) FieldNorms.NONE);
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
    if (cursor == null || !moveTo(term)) {
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

  private boolean moveTo(int term) throws IOException {
    if (!walks) {
      terms.get(term, text);
      return cursor.seekExact(text);
    }
    while (at < term) {
      BytesRef indexed = cursor.next();
      int found = indexed == null ? -1 - terms.size() : terms.seek(indexed, ceiling);
      ceiling = found < 0 ? -1 - found : found + 1;
      at = found >= 0 ? found : ceiling == terms.size() ? ceiling : at;
    }
    return at == term;
  }
}
