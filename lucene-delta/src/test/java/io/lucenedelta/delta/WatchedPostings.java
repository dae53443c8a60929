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

/** A format of postings that does as another, and is told of flushes and merges before. */
abstract class WatchedPostings extends PostingsFormat {
  private final PostingsFormat in;

  WatchedPostings(PostingsFormat in) {
    super(in.getName());
    this.in = in;
  }

  /** A flush comes; returns the norms that the other format gets for it. */
  abstract NormsProducer flushing(SegmentWriteState state, NormsProducer norms);

  /** A merge comes. */
  void merging() {}

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    FieldsConsumer consumer = in.fieldsConsumer(state);
    return new FieldsConsumer() {
      @Override
      public void write(Fields fields, NormsProducer norms) throws IOException {
        consumer.write(fields, flushing(state, norms));
      }

      @Override
      public void merge(MergeState mergeState, NormsProducer norms) throws IOException {
        merging();
        consumer.merge(mergeState, norms);
      }

      @Override
      public void close() throws IOException {
        consumer.close();
      }
    };
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    return in.fieldsProducer(state);
  }
}
