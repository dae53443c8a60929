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
 * The fields of a flush as the delegate's consumer sees them, noting postings as it goes from term
 * to term.
 *
 * <p>Fields that are not scored, not the key and not the fetch time are handed out as they are. A
 * consumer may iterate a field more than once: only the first time is noted.
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

  /**
   * Looks a term up in the workload, and notes its postings, when the consumer has done with it and
   * asks for the next one: as {@linkplain PassedPostings passed}, or from an iterator of its own
   * that reads no positions. The term is the one the consumer was handed, which is not the
   * consumer's to change, and in the processor's cache by then. The consumer's iterator is left
   * alone: a wrapper around it would stand in the way of every position, and be one more class than
   * the compiler takes into its loops.
   */
  private static final class NotedTermsEnum extends FilterTermsEnum {
    private final SegmentNotes notes;
    private final Costs.Noting costs; // null when not counted
    private final PassedPostings passed;
    private PostingsEnum reuse;
    private BytesRef current; // the term the consumer is at, null at none

    NotedTermsEnum(TermsEnum in, SegmentNotes notes) {
      super(in);
      this.notes = notes;
      this.costs = notes.costs();
      this.passed = notes.passed();
    }

    @Override
    public BytesRef next() throws IOException {
      if (current != null) {
        note();
      }
      passed.forget();
      current = in.next();
      if (current != null) {
        notes.awaitTerm();
      }
      return current;
    }

    @Override
    public PostingsEnum postings(PostingsEnum consumers, int flags) throws IOException {
      PostingsEnum postings = in.postings(consumers, flags);
      passed.iterate(postings);
      return postings;
    }

    private void note() {
      if (costs == null) {
        noteTerm();
      } else {
        costs.term();
        noteTerm();
        if (costs.sampling()) {
          passed.repeat();
        }
        costs.noted();
      }
    }

    private void noteTerm() {
      if (notes.beginTerm(current)) {
        notePostings();
      }
    }

    private void notePostings() {
      try {
        if (passed.isDue()) {
          passed.check(read());
        }
        if (passed.isUsable()) {
          notes.addPassed();
        } else {
          notes.addPostings(read());
        }
      } catch (Throwable t) {
        notes.fail(t);
      }
    }

    private PostingsEnum read() throws IOException {
      reuse = in.postings(reuse, notes.fieldFlags());
      return reuse;
    }
  }
}
