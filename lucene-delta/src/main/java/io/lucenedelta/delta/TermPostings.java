// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/**
 * One term's documents in one segment, all scored fields together, with scores; for one thread.
 *
 * <p>An instance serves one segment and any number of terms, one after the other.
 */
final class TermPostings {
  private final LeafReader reader;
  private final List<ScoredField> fields;
  private final WorkloadTerms terms;
  private final TermScores scores;
  private final TermsEnum[] cursors;
  private final PostingsEnum[] open;
  private final PostingsEnum[] reuse;
  private final TermPlaces places;
  private final NumericDocValues[] norms; // null until the first score of a term
  private final BytesRef text = new BytesRef();
  private int term;
  private int doc;
  private long cost;

  /** Postings with scores, or without when {@code scores} is null. */
  TermPostings(
      LeafReader reader,
      List<ScoredField> fields,
      WorkloadTerms terms,
      TermScores scores,
      TermPlaces places)
      throws IOException {
    this.places = places;
    this.reader = reader;
    this.fields = fields;
    this.terms = terms;
    this.scores = scores;
    int n = fields.size();
    this.cursors = new TermsEnum[n];
    this.open = new PostingsEnum[n];
    this.reuse = new PostingsEnum[n];
    this.norms = new NumericDocValues[n];
    for (int field = 0; field < n; field++) {
      Terms indexed = reader.terms(fields.get(field).name());
      cursors[field] = indexed == null ? null : indexed.iterator();
    }
  }

  /** Starts a term, before its first document; false when no document has it. */
  boolean seek(int next) throws IOException {
    terms.get(next, text);
    term = next;
    doc = -1;
    cost = 0;
    boolean found = false;
    Arrays.fill(open, null);
    Arrays.fill(norms, null);
    for (int field = 0; field < open.length; field++) {
      if (cursors[field] != null && places.seek(cursors[field], field, next, text)) {
        int flags = scores == null ? PostingsEnum.NONE : PostingsEnum.FREQS;
        reuse[field] = cursors[field].postings(reuse[field], flags);
        open[field] = reuse[field];
        cost += open[field].cost();
        found = true;
      }
    }
    return found;
  }

  long cost() {
    return cost;
  }

  int doc() {
    return doc;
  }

  /** Moves to the first document not before {@code target}, which is after the current one. */
  int advance(int target) throws IOException {
    int next = DocIdSetIterator.NO_MORE_DOCS;
    for (PostingsEnum postings : open) {
      if (postings != null) {
        int at = postings.docID();
        next = Math.min(next, at < target ? moveTo(postings, at, target) : at);
      }
    }
    doc = next;
    return next;
  }

  private static int moveTo(PostingsEnum postings, int at, int target) throws IOException {
    return target == at + 1 ? postings.nextDoc() : postings.advance(target);
  }

  /** The current document's score for the term. */
  float score() throws IOException {
    float sum = 0;
    for (int field = 0; field < open.length; field++) {
      if (open[field] != null && open[field].docID() == doc) {
        sum += scores.score(field, term, open[field].freq(), norm(field));
      }
    }
    return sum;
  }

  /** The current document's norm. Most results are short or empty, so it is opened when needed. */
  private long norm(int field) throws IOException {
    if (norms[field] == null) {
      norms[field] = reader.getNormValues(fields.get(field).name());
    }
    return norms[field] != null && norms[field].advanceExact(doc)
        ? norms[field].longValue()
        : FieldNorms.NONE;
  }
}
