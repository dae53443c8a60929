// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/**
 * A codec that counts the CPU of writing flushed postings, during which they are noted: the
 * measuring writer's, less a plain one's, is what noting costs seen from outside. Otherwise the
 * codec it wraps, of whose name it is. Safe for several threads.
 */
final class FlushClock extends FilterCodec {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final LongAdder nanos = new LongAdder();
  private final PostingsFormat postings;

  FlushClock(Codec delegate) {
    super(delegate.getName(), delegate);
    this.postings = new Postings(delegate.postingsFormat(), nanos);
  }

  /** CPU nanoseconds of all threads so far. */
  long nanos() {
    return nanos.sum();
  }

  @Override
  public PostingsFormat postingsFormat() {
    return postings;
  }

  private static final class Postings extends PostingsFormat {
    private final PostingsFormat in;
    private final LongAdder nanos;

    Postings(PostingsFormat in, LongAdder nanos) {
      super(in.getName());
      this.in = in;
      this.nanos = nanos;
    }

    @Override
    public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
      return new Consumer(in.fieldsConsumer(state), nanos);
    }

    @Override
    public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
      return in.fieldsProducer(state);
    }
  }

  /** Closing closes the delegate. */
  private static final class Consumer extends FieldsConsumer {
    private final FieldsConsumer in;
    private final LongAdder nanos;

    Consumer(FieldsConsumer in, LongAdder nanos) {
      this.in = in;
      this.nanos = nanos;
    }

    @Override
    public void write(Fields fields, NormsProducer norms) throws IOException {
      long begin = THREADS.getCurrentThreadCpuTime();
      try {
        in.write(fields, norms);
      } finally {
        nanos.add(THREADS.getCurrentThreadCpuTime() - begin);
      }
    }

    @Override
    public void merge(MergeState state, NormsProducer norms) throws IOException {
      in.merge(state, norms);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
