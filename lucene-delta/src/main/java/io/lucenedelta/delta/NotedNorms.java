// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;

/**
 * The norms of a flush as the delegate's consumer sees them: those of scored fields {@linkplain
 * FieldNorms from memory}, telling {@link PassedPostings} which documents it asks about, those of
 * others as they are. Closing does nothing: they are not the consumer's to close.
 */
final class NotedNorms extends NormsProducer {
  private final NormsProducer in;
  private final SegmentNotes notes;
  private FieldInfo last; // the field asked for last; it is asked for with every term
  private int role; // the role of that field

  NotedNorms(NormsProducer in, SegmentNotes notes) {
    this.in = in;
    this.notes = notes;
  }

  @Override
  public NumericDocValues getNorms(FieldInfo field) throws IOException {
    if (field != last) {
      role = field.hasNorms() ? notes.roleOf(field.name) : SegmentNotes.NO_ROLE;
      last = field;
    }
    NumericDocValues norms = role < 0 ? null : noted(role);
    return norms == null ? in.getNorms(field) : norms;
  }

  /** A scored field's norms, or null when memory does not even suffice for that. */
  private NumericDocValues noted(int field) {
    try {
      return notes.norms(field).iterator(notes.passed());
    } catch (Throwable t) {
      notes.fail(t);
      return null;
    }
  }

  @Override
  public void checkIntegrity() throws IOException {
    in.checkIntegrity();
  }

  @Override
  public void close() {}
}
