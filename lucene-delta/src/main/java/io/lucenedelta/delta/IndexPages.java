// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/**
 * Reads the vectors of all pages of segments back from the index, in document order.
 *
 * <p>Every workload posting is read once, and every term looked up once a segment. Documents are
 * taken in windows, so that memory on the heap does not grow with the segment; keys and fetch
 * times, needed for every document at once, lie in a mapped file meanwhile. For one thread.
 */
final class IndexPages {
  /** How the files begin that are there while segments are read. */
  static final String READING = "reading_";

  /** The one file of former versions. */
  static final String READING_BEFORE = "reading.map";

  private static final int WINDOW = 1 << 14;
  private static final long NO_KEY = -1;
  private static final int LENGTH_AT = Long.BYTES; // of a key, behind where it begins
  static final int ADDRESS = LENGTH_AT + Integer.BYTES; // bytes of both

  /** Takes a live page; key and vector are reused for the next one. */
  @FunctionalInterface
  interface Taker {
    void page(BytesRef key, String segment, int doc, long fetched, VectorBuffer vector)
        throws IOException;
  }

  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final Path folder;
  private final int[] chosen; // null: all
  private final PostingsByDocument grouped;
  private final VectorBuffer vector = new VectorBuffer();
  private final long[] norms;
  private final PostingsByTerm postings = new PostingsByTerm(FlushHeap.unlimited());
  private final BytesRef text = new BytesRef();
  private final BytesRef key = new BytesRef(new byte[256]);

  /**
   * Reads all terms of the workload.
   *
   * @param folder for a file that is there while segments are read
   */
  IndexPages(DeltaConfig config, WorkloadTerms terms, Path folder) {
    this(config, terms, folder, null);
  }

  /** Reads nothing but the chosen terms, whose numbers ascend. */
  IndexPages(DeltaConfig config, WorkloadTerms terms, Path folder, int[] chosen) {
    this.config = config;
    this.terms = terms;
    this.folder = folder;
    this.chosen = chosen;
    this.grouped = new PostingsByDocument(config.scoredFields().size(), FlushHeap.unlimited());
    this.norms = new long[config.scoredFields().size()];
  }

  /** The name of a reader's segment, through the wrapper that hides soft deletes. */
  static String segmentName(LeafReader leaf) {
    LeafReader inner = leaf;
    while (inner instanceof FilterCodecReader filter) {
      inner = filter.getDelegate();
    }
    return FilterLeafReader.unwrap(inner) instanceof SegmentReader segment
        ? segment.getSegmentName()
        : leaf.toString();
  }

  /**
   * How much memory a number of bytes a document of a segment takes.
   *
   * @throws IllegalStateException if that is more than one block can have
   */
  static int bytesOf(LeafReader leaf, int bytes) {
    if (leaf.maxDoc() > Integer.MAX_VALUE / bytes) {
      throw new IllegalStateException(
          "segment %s has %d documents, of which no more than %d can be read back; no merge splits a segment:"
                  .formatted(segmentName(leaf), leaf.maxDoc(), Integer.MAX_VALUE / bytes)
              + " index its pages anew, and keep segments smaller, for instance by"
              + " TieredMergePolicy.setMaxMergedSegmentMB");
    }
    return bytes * leaf.maxDoc();
  }

  /**
   * Hands out the pages of segments, one after the other. All use one file: where each had its own
   * and none could be deleted while it is mapped, there would be as many as segments.
   */
  void read(List<LeafReaderContext> leaves, Taker taker) throws IOException {
    long number = MappedBlocks.free(this::reading, 0);
    MappedBlocks memory = MappedBlocks.create(reading(number));
    try {
      for (LeafReaderContext leaf : leaves) {
        memory.startOver();
        read(leaf.reader(), memory, taker);
      }
    } finally {
      memory.discard(); // what was handed out was copied
    }
  }

  private Path reading(long number) {
    return folder.resolve(READING + number + ".map");
  }

  private void read(LeafReader leaf, MappedBlocks memory, Taker taker) throws IOException {
    int maxDoc = leaf.maxDoc();
    OffHeapBytes keys = OffHeapBytes.mapped(memory);
    ByteBuffer addresses = memory.add(bytesOf(leaf, ADDRESS));
    for (int doc = 0; doc < maxDoc; doc++) {
      addresses.putLong(ADDRESS * doc, NO_KEY);
    }
    PageKeys.of(leaf, config.keyField())
        .forEach(
            (ref, doc) -> {
              byte[] bytes = BytesRef.deepCopyOf(ref).bytes;
              addresses.putLong(ADDRESS * doc, keys.append(bytes, bytes.length));
              addresses.putInt(ADDRESS * doc + LENGTH_AT, bytes.length);
            });
    long latest = config.fetchTimeField() == null ? Long.MAX_VALUE : FetchTimes.latest(config);
    FetchTimes times = FetchTimes.of(leaf, config.fetchTimeField(), latest, memory::add);
    String segment = segmentName(leaf);
    TermPlaces places =
        maxDoc <= WINDOW
            ? TermPlaces.notRemembered()
            : TermPlaces.remembered(terms.size(), norms.length);
    for (int from = 0; from < maxDoc; from += WINDOW) {
      int to = Math.min(maxDoc, from + WINDOW);
      readWindow(leaf, places, from, to);
      NumericDocValues[] norm = norms(leaf);
      for (int doc = from; doc < to; doc++) {
        long address = addresses.getLong(ADDRESS * doc);
        if (address == NO_KEY) {
          continue;
        }
        key.length = addresses.getInt(ADDRESS * doc + LENGTH_AT);
        key.bytes = ArrayUtil.grow(key.bytes, key.length);
        keys.read(address, key.bytes, key.length);
        for (int field = 0; field < norm.length; field++) {
          norms[field] =
              norm[field] != null && norm[field].advanceExact(doc)
                  ? norm[field].longValue()
                  : FieldNorms.NONE;
        }
        grouped.write(doc - from, norms, vector);
        taker.page(key, segment, doc, times.of(doc), vector);
      }
    }
  }

  private NumericDocValues[] norms(LeafReader leaf) throws IOException {
    NumericDocValues[] values = new NumericDocValues[config.scoredFields().size()];
    for (int field = 0; field < values.length; field++) {
      values[field] = leaf.getNormValues(config.scoredFields().get(field).name());
    }
    return values;
  }

  private void readWindow(LeafReader leaf, TermPlaces places, int from, int to) throws IOException {
    grouped.begin(to - from);
    for (int field = 0; field < config.scoredFields().size(); field++) {
      postings.begin(to - from);
      Terms indexed = leaf.terms(config.scoredFields().get(field).name());
      if (indexed != null) {
        readField(indexed, field, places, from, to);
      }
      grouped.group(field, postings);
    }
  }

  private void readField(Terms indexed, int field, TermPlaces places, int from, int to)
      throws IOException {
    TermsEnum cursor = indexed.iterator();
    boolean frequencies = indexed.hasFreqs();
    PostingsEnum list = null;
    int toRead = chosen == null ? terms.size() : chosen.length;
    for (int i = 0; i < toRead; i++) {
      int term = chosen == null ? i : chosen[i];
      terms.get(term, text);
      if (!places.seek(cursor, field, term, text)) {
        continue;
      }
      list = cursor.postings(list, frequencies ? PostingsEnum.FREQS : PostingsEnum.NONE);
      postings.add(term, list, list.advance(from), from, to, frequencies);
    }
  }
}
