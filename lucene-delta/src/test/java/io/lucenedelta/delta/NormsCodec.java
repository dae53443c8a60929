// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.search.DocIdSetIterator;

/**
 * Lucene's codec, as one that asks for norms in its own way: all of a field for each term before it
 * goes through the term's documents, then again those that it is told to.
 */
final class NormsCodec extends FilterCodec {
  /** Which norms are asked for while documents are gone through. */
  interface Asked {
    /**
     * Whether a document's is asked for.
     *
     * @param term how many terms the field had before this one
     */
    boolean test(int term, int document);
  }

  private final Asked asked;

  NormsCodec(Codec delegate, Asked asked) {
    super(delegate.getName(), delegate);
    this.asked = asked;
  }

  @Override
  public PostingsFormat postingsFormat() {
    return new WatchedPostings(delegate.postingsFormat()) {
      @Override
      NormsProducer flushing(SegmentWriteState state, NormsProducer norms) {
        return norms == null ? null : new OwnNorms(norms, asked, state.segmentInfo.maxDoc());
      }
    };
  }

  private static final class OwnNorms extends NormsProducer {
    private final NormsProducer in;
    private final Asked asked;
    private final int maxDoc;
    private FieldInfo field;
    private int term;

    OwnNorms(NormsProducer in, Asked asked, int maxDoc) {
      this.in = in;
      this.asked = asked;
      this.maxDoc = maxDoc;
    }

    @Override
    public NumericDocValues getNorms(FieldInfo newField) throws IOException {
      term = newField == field ? term + 1 : 0;
      field = newField;
      int number = term;
      long[] norms = new long[maxDoc];
      NumericDocValues all = in.getNorms(field);
      for (int doc = all.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = all.nextDoc()) {
        norms[doc] = all.longValue();
      }
      NumericDocValues again = in.getNorms(field);
      return new NumericDocValues() {
        private int doc = -1;

        @Override
        public boolean advanceExact(int target) throws IOException {
          doc = target;
          if (asked.test(number, target)) {
            again.advanceExact(target);
          }
          return norms[target] != 0;
        }

        @Override
        public long longValue() {
          return norms[doc];
        }

        @Override
        public int docID() {
          return doc;
        }

        @Override
        public int nextDoc() {
          throw new UnsupportedOperationException();
        }

        @Override
        public int advance(int target) {
          throw new UnsupportedOperationException();
        }

        @Override
        public long cost() {
          return maxDoc;
        }
      };
    }

    @Override
    public void checkIntegrity() throws IOException {
      in.checkIntegrity();
    }

    @Override
    public void close() {}
  }
}
