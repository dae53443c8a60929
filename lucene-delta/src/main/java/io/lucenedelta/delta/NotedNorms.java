// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterNumericDocValues;
import org.apache.lucene.index.NumericDocValues;

/**
 * The norms of a flush as the delegate's consumer sees them, telling {@link PassedPostings} which
 * documents it asks about. Norms of fields that are not scored are handed out as they are. Closing
 * does nothing: they are not the consumer's to close.
 */
final class NotedNorms extends NormsProducer {
  private final NormsProducer in;
  private final SegmentNotes notes;
  private FieldInfo last; // asked for: that of every term of a field
  private boolean lastScored;

  NotedNorms(NormsProducer in, SegmentNotes notes) {
    this.in = in;
    this.notes = notes;
  }

  @Override
  public NumericDocValues getNorms(FieldInfo field) throws IOException {
    NumericDocValues norms = in.getNorms(field);
    if (field != last) {
      lastScored = notes.roleOf(field.name) >= 0;
      last = field;
    }
    return lastScored && norms != null ? noted(norms) : norms;
  }

  private NumericDocValues noted(NumericDocValues norms) {
    try {
      return new PassedNorms(norms, notes.passed());
    } catch (Throwable t) {
      notes.fail(t);
      return norms;
    }
  }

  @Override
  public void checkIntegrity() throws IOException {
    in.checkIntegrity();
  }

  @Override
  public void close() {}

  private static final class PassedNorms extends FilterNumericDocValues {
    private final PassedPostings passed;

    PassedNorms(NumericDocValues in, PassedPostings passed) {
      super(in);
      this.passed = passed;
    }

    @Override
    public boolean advanceExact(int target) throws IOException {
      passed.pass(target);
      return in.advanceExact(target);
    }
  }
}
