// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.FilterLeafReader.FilterFields;
import org.apache.lucene.index.FilterLeafReader.FilterTerms;
import org.apache.lucene.index.FilterLeafReader.FilterTermsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * The fields of a flush as the delegate's consumer sees them, noting postings as it iterates.
 *
 * <p>Fields that are not scored, not the key and not the fetch time are handed out as they are; of
 * the others only the postings of terms that matter are wrapped. A consumer may iterate a field or
 * a term more than once: only the first time is noted.
 */
final class NotedFields extends FilterFields {
  private final SegmentNotes notes;

  NotedFields(Fields in, SegmentNotes notes) {
    super(in);
    this.notes = notes;
  }

  @Override
  public Terms terms(String field) throws IOException {
    Terms terms = in.terms(field);
    if (terms == null) {
      return null;
    }
    int role = notes.roleOf(field);
    return role == SegmentNotes.NO_ROLE ? terms : noted(terms, role);
  }

  /** The terms wrapped, or as they are when memory does not even suffice for that. */
  private Terms noted(Terms terms, int role) {
    try {
      return new NotedTerms(terms, notes, role);
    } catch (Throwable t) {
      notes.fail(t);
      return terms;
    }
  }

  private static final class NotedTerms extends FilterTerms {
    private final SegmentNotes notes;
    private final int role;

    NotedTerms(Terms in, SegmentNotes notes, int role) {
      super(in);
      this.notes = notes;
      this.role = role;
    }

    @Override
    public TermsEnum iterator() throws IOException {
      TermsEnum terms = in.iterator();
      boolean frequencies = in.hasFreqs();
      try {
        return notes.beginField(role, frequencies) ? new NotedTermsEnum(terms, notes) : terms;
      } catch (Throwable t) {
        notes.fail(t);
        return terms;
      }
    }
  }

  private static final class NotedTermsEnum extends FilterTermsEnum {
    private final SegmentNotes notes;
    private final NotedPostings wrapper;
    private boolean noteworthy;

    NotedTermsEnum(TermsEnum in, SegmentNotes notes) {
      super(in);
      this.notes = notes;
      this.wrapper = new NotedPostings(notes);
    }

    @Override
    public BytesRef next() throws IOException {
      BytesRef term = in.next();
      noteworthy = term != null && notes.beginTerm(term);
      return term;
    }

    @Override
    public PostingsEnum postings(PostingsEnum reuse, int flags) throws IOException {
      PostingsEnum inner = in.postings(reuse == wrapper ? wrapper.wrapped() : reuse, flags);
      if (!noteworthy) {
        return inner;
      }
      noteworthy = false;
      wrapper.wrap(inner);
      return wrapper;
    }
  }

  /** One instance a field: a consumer works on one term at a time. */
  private static final class NotedPostings extends PostingsEnum {
    private final SegmentNotes notes;
    private final boolean frequencies;
    private PostingsEnum in;

    NotedPostings(SegmentNotes notes) {
      this.notes = notes;
      this.frequencies = notes.fieldHasFrequencies();
    }

    void wrap(PostingsEnum postings) {
      in = postings;
    }

    PostingsEnum wrapped() {
      return in;
    }

    @Override
    public int nextDoc() throws IOException {
      int doc = in.nextDoc();
      if (doc != NO_MORE_DOCS) {
        notes.addPosting(doc, frequencies ? in.freq() : 1);
      }
      return doc;
    }

    @Override
    public int advance(int target) throws IOException {
      return slowAdvance(target);
    }

    @Override
    public int docID() {
      return in.docID();
    }

    @Override
    public long cost() {
      return in.cost();
    }

    @Override
    public int freq() throws IOException {
      return in.freq();
    }

    @Override
    public int nextPosition() throws IOException {
      return in.nextPosition();
    }

    @Override
    public int startOffset() throws IOException {
      return in.startOffset();
    }

    @Override
    public int endOffset() throws IOException {
      return in.endOffset();
    }

    @Override
    public BytesRef getPayload() throws IOException {
      return in.getPayload();
    }
  }
}
