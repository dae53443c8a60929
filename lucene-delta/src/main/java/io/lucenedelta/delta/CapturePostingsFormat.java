// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/**
 * A postings format that reports the delegate's name and lets {@link Capture} look at what a flush
 * writes. Reading and merging go straight to the delegate.
 *
 * <p>It wraps the codec's outermost format, usually a per-field one, so that the delegate chooses
 * formats, suffixes and attributes as it always does.
 */
final class CapturePostingsFormat extends PostingsFormat {
  private final PostingsFormat delegate;
  private final Capture capture;

  CapturePostingsFormat(PostingsFormat delegate, Capture capture) {
    super(delegate.getName());
    this.delegate = delegate;
    this.capture = capture;
  }

  boolean wraps(PostingsFormat format) {
    return delegate.equals(format);
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    return new Consumer(delegate.fieldsConsumer(state), state, capture);
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    return delegate.fieldsProducer(state);
  }

  /** Closing closes the delegate. */
  private static final class Consumer extends FieldsConsumer {
    private final FieldsConsumer in;
    private final SegmentWriteState state;
    private final Capture capture;

    Consumer(FieldsConsumer in, SegmentWriteState state, Capture capture) {
      this.in = in;
      this.state = state;
      this.capture = capture;
    }

    @Override
    public void write(Fields fields, NormsProducer norms) throws IOException {
      Capture.Scratch captured = capture.beginSegment(state, norms);
      if (captured == null) {
        in.write(fields, norms);
        return;
      }
      SegmentNotes notes = captured.notes();
      boolean written = false;
      try {
        in.write(new NotedFields(fields, notes), noted(norms, notes));
        written = true;
      } finally {
        capture.endSegment(captured, state, written);
      }
    }

    /** The norms wrapped, or as they are when memory does not even suffice for that. */
    private static NormsProducer noted(NormsProducer norms, SegmentNotes notes) {
      try {
        return norms == null ? null : new NotedNorms(norms, notes);
      } catch (Throwable t) {
        notes.fail(t);
        return norms;
      }
    }

    @Override
    public void merge(MergeState mergeState, NormsProducer norms) throws IOException {
      in.merge(mergeState, norms);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
