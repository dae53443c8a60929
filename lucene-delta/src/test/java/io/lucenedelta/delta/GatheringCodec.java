// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;

/**
 * Lucene's codec, as one that looks at the postings before it writes them, to choose how: it
 * gathers the documents of each term, and asks for their norms when it has all of them.
 */
final class GatheringCodec extends FilterCodec {
  GatheringCodec(Codec delegate) {
    super(delegate.getName(), delegate);
  }

  @Override
  public PostingsFormat postingsFormat() {
    return new Format(delegate.postingsFormat());
  }

  private static final class Format extends PostingsFormat {
    private final PostingsFormat in;

    Format(PostingsFormat in) {
      super(in.getName());
      this.in = in;
    }

    @Override
    public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
      return new Consumer(in.fieldsConsumer(state), state);
    }

    @Override
    public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
      return in.fieldsProducer(state);
    }
  }

  private static final class Consumer extends FieldsConsumer {
    private final FieldsConsumer in;
    private final SegmentWriteState state;

    Consumer(FieldsConsumer in, SegmentWriteState state) {
      this.in = in;
      this.state = state;
    }

    @Override
    public void write(Fields fields, NormsProducer norms) throws IOException {
      for (String name : fields) {
        FieldInfo field = state.fieldInfos.fieldInfo(name);
        Terms terms = fields.terms(name);
        if (terms != null && field.hasNorms()) {
          lookAt(terms, field, norms);
        }
      }
      in.write(fields, norms);
    }

    private static void lookAt(Terms terms, FieldInfo field, NormsProducer norms)
        throws IOException {
      TermsEnum cursor = terms.iterator();
      PostingsEnum postings = null;
      while (cursor.next() != null) {
        postings = cursor.postings(postings, PostingsEnum.FREQS);
        List<Integer> gathered = new ArrayList<>();
        for (int doc = postings.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = postings.nextDoc()) {
          gathered.add(doc);
        }
        NumericDocValues values = norms.getNorms(field);
        for (int doc : gathered) {
          values.advanceExact(doc);
        }
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
