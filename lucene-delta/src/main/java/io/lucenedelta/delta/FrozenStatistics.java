// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.BytesRef;

/**
 * The corpus statistics scores are computed with, as they stood at one commit: what Lucene's
 * searcher would use there, deleted documents counted as it does.
 *
 * <p>Frozen, so that a shift of a page's score tells of the page alone (document frequency and
 * average length do not move between rebuilds). A term that no document had then is scored as if
 * one had it. Immutable; memory is 12 bytes a term and field.
 */
final class FrozenStatistics {
  /** A field that a smaller share of all documents has, then and now, is one that few have. */
  private static final double MANY = 0.01;

  /** A field has come to documents, or left them, when so many times as many have it. */
  private static final double OTHER = 2;

  private final List<ScoredField> fields;
  private final long[][] collection; // by field: maxDoc, docCount, sumTotalTermFreq, sumDocFreq
  private final int[][] docFreq;
  private final long[][] totalTermFreq;

  private FrozenStatistics(
      List<ScoredField> fields, long[][] collection, int[][] docFreq, long[][] totalTermFreq) {
    this.fields = fields;
    this.collection = collection;
    this.docFreq = docFreq;
    this.totalTermFreq = totalTermFreq;
  }

  /** Reads the statistics of a commit in one pass over its term dictionaries. */
  static FrozenStatistics of(IndexReader reader, List<ScoredField> fields, WorkloadTerms terms)
      throws IOException {
    long[][] collection = new long[fields.size()][4];
    int[][] docFreq = new int[fields.size()][terms.size()];
    long[][] totalTermFreq = new long[fields.size()][terms.size()];
    BytesRef text = new BytesRef();
    for (int field = 0; field < fields.size(); field++) {
      collection[field][0] = reader.maxDoc();
      for (LeafReaderContext leaf : reader.leaves()) {
        Terms indexed = leaf.reader().terms(fields.get(field).name());
        if (indexed == null) {
          continue;
        }
        collection[field][1] += indexed.getDocCount();
        collection[field][2] += indexed.getSumTotalTermFreq();
        collection[field][3] += indexed.getSumDocFreq();
        TermsEnum cursor = indexed.iterator();
        for (int term = 0; term < terms.size(); term++) {
          terms.get(term, text);
          if (cursor.seekExact(text)) {
            docFreq[field][term] += cursor.docFreq();
            totalTermFreq[field][term] += cursor.totalTermFreq();
          }
        }
      }
    }
    return new FrozenStatistics(fields, collection, docFreq, totalTermFreq);
  }

  /**
   * Whether a field has come to documents of an index, or left them: scores in it are then those of
   * another index. Every term of a field that no document had weighs next to nothing, as if one
   * document had the field, and that one all its terms. Looks at one number of each field and
   * segment. If statistics are read anew each time, a field that comes to all documents brings that
   * about seven times at most: at a hundredth of them, and at each doubling.
   *
   * <p>Documents deleted since, of which this number knows nothing, do not decide. Where the few
   * pages that have a field are those that are updated, the documents that have it become many, and
   * few again with each merge, though no page got or lost it. So the share of live documents must
   * have become another one, too. It has risen if it has where as many of the live documents of
   * each segment have the field as of the deleted ones: of pages that were updated since, this
   * counts the former documents once more at most, which makes no share more than twice as large.
   * It has fallen if it has whichever documents of a segment are the deleted ones. Those that the
   * statistics counted are not known: where they were most that had a field, it seems to have left
   * documents, once, when they are merged away.
   */
  boolean areOfOtherFields(IndexReader reader) throws IOException {
    for (int field = 0; field < fields.size(); field++) {
      double then = share(collection[field][1], collection[field][0]);
      long documents = 0;
      double live = 0;
      long mostLive = 0;
      for (LeafReaderContext leaf : reader.leaves()) {
        Terms indexed = leaf.reader().terms(fields.get(field).name());
        int count = indexed == null ? 0 : indexed.getDocCount();
        documents += count;
        live += count * share(leaf.reader().numDocs(), leaf.reader().maxDoc());
        mostLive += Math.min(count, leaf.reader().numDocs());
      }
      double now = share(documents, reader.maxDoc());
      double risen = Math.min(now, live / Math.max(1, reader.numDocs()));
      double atMost = Math.max(now, share(mostLive, reader.numDocs()));
      if (isOther(risen, then) || isOther(then, atMost)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOther(double more, double less) {
    return more >= MANY && more > OTHER * less;
  }

  private static double share(long documents, long all) {
    return (double) documents / Math.max(1, all);
  }

  /** In how many documents each term occurs, summed over fields; saturating. */
  int[] documentFrequencies() {
    int[] sums = new int[docFreq[0].length];
    for (int[] field : docFreq) {
      for (int term = 0; term < sums.length; term++) {
        sums[term] = (int) Math.min(Integer.MAX_VALUE, (long) sums[term] + field[term]);
      }
    }
    return sums;
  }

  /** Whether some document had a term of the workload in a field. */
  boolean hasTerms(int field) {
    return Arrays.stream(docFreq[field]).anyMatch(documents -> documents > 0);
  }

  /** The term with the fewest documents of a field, the first of several. */
  int rarestTerm(int field) {
    int rarest = 0;
    for (int term = 1; term < docFreq[field].length; term++) {
      rarest = docFreq[field][term] < docFreq[field][rarest] ? term : rarest;
    }
    return rarest;
  }

  /** The scorer of a term in a field. */
  Similarity.SimScorer scorer(Similarity similarity, int field, int term, BytesRef text) {
    long maxDoc = Math.max(1, collection[field][0]);
    long docCount = Math.max(1, collection[field][1]);
    long sumDocFreq = Math.max(docCount, collection[field][3]);
    long sumTotalTermFreq = Math.max(sumDocFreq, collection[field][2]);
    long frequency = Math.clamp(docFreq[field][term], 1L, docCount);
    return similarity.scorer(
        fields.get(field).boost(),
        new CollectionStatistics(
            fields.get(field).name(), maxDoc, docCount, sumTotalTermFreq, sumDocFreq),
        new TermStatistics(
            BytesRef.deepCopyOf(text), frequency, Math.max(frequency, totalTermFreq[field][term])));
  }

  void write(DataOutput out) throws IOException {
    for (int field = 0; field < fields.size(); field++) {
      for (long value : collection[field]) {
        out.writeVLong(value);
      }
      for (int term = 0; term < docFreq[field].length; term++) {
        out.writeVInt(docFreq[field][term]);
        if (docFreq[field][term] > 0) {
          out.writeVLong(totalTermFreq[field][term]);
        }
      }
    }
  }

  static FrozenStatistics read(DataInput in, List<ScoredField> fields, int terms)
      throws IOException {
    long[][] collection = new long[fields.size()][4];
    int[][] docFreq = new int[fields.size()][terms];
    long[][] totalTermFreq = new long[fields.size()][terms];
    for (int field = 0; field < fields.size(); field++) {
      for (int i = 0; i < 4; i++) {
        collection[field][i] = in.readVLong();
      }
      for (int term = 0; term < terms; term++) {
        docFreq[field][term] = in.readVInt();
        if (docFreq[field][term] > 0) {
          totalTermFreq[field][term] = in.readVLong();
        }
      }
    }
    return new FrozenStatistics(fields, collection, docFreq, totalTermFreq);
  }
}
