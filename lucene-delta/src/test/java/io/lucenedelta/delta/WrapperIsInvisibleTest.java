// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.TermVectorsFormat;
import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingTermVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index written through the wrapper cannot be told from one written without it. */
class WrapperIsInvisibleTest {
  private static final String SEED = "-Dtests.seed=ABC";

  @TempDir static Path both;
  private static Path plain;
  private static Path measured;
  @TempDir Path folder;

  @BeforeAll
  static void indexWithAndWithout() throws Exception {
    plain = both.resolve("plain");
    measured = both.resolve("measured");
    assertThat(Child.run(IndexingProgram.class, List.of(SEED), "plain", plain)).isZero();
    assertThat(Child.run(IndexingProgram.class, List.of(SEED), "measured", measured)).isZero();
  }

  @Test
  void theSameOperationsGiveTheSameFilesByteByByte() throws Exception {
    assertThat(names(measured)).isEqualTo(names(plain)).hasSizeGreaterThan(10);
    for (String name : names(plain)) {
      if (!name.endsWith(".si") && !name.startsWith("segments")) {
        assertThat(measured.resolve(name)).hasSameBinaryContentAs(plain.resolve(name));
      }
    }
    assertThat(segments(measured)).isEqualTo(segments(plain));
  }

  private static List<String> names(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** What {@code segments_N} and {@code .si} say, times and our two entries of user data aside. */
  private static Map<String, String> segments(Path index) throws IOException {
    Map<String, String> said = new TreeMap<>();
    try (Directory directory = FSDirectory.open(index)) {
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      Map<String, String> user = new TreeMap<>(infos.getUserData());
      user.remove(BatchNames.GENERATION);
      user.remove(BatchNames.STATE);
      said.put("user data", user.toString());
      for (SegmentCommitInfo info : infos) {
        Map<String, String> diagnostics = new TreeMap<>(info.info.getDiagnostics());
        diagnostics.remove("timestamp");
        said.put(
            info.info.name,
            info.info.getCodec().getName()
                + info.info.getAttributes()
                + diagnostics
                + new TreeMap<>(
                    info.info.files().stream().collect(Collectors.toMap(f -> f, f -> 1)))
                + info.getDelCount());
      }
    }
    return said;
  }

  @Test
  void whenMemoryOutsideTheHeapRunsOutTheIndexIsTheSame() throws Exception {
    Path index = folder.resolve("starved");
    Path troubles = folder.resolve("troubles");
    // what opening takes and hardly more
    List<String> starved = List.of(SEED, "-XX:MaxDirectMemorySize=67k");
    assertThat(Child.run(IndexingProgram.class, starved, "measured", index, troubles)).isZero();
    assertThat(segments(index)).isEqualTo(segments(plain));
    assertThat(Files.readString(troubles)).contains("OutOfMemoryError");
  }

  @Test
  void aJvmWithLuceneCoreAloneFindsTheIndexClean() throws Exception {
    Path core = Child.jarOf(CheckIndex.class);
    assertThat(core.getFileName().toString()).startsWith("lucene-core");
    assertThat(Child.runWith(List.of(core), CheckIndex.class, List.of(), measured.toString()))
        .as("exit status of CheckIndex")
        .isZero();
  }

  @Test
  void mergesDecompressNoMoreThanWithoutTheWrapper() throws Exception {
    int plain = decompressionsOfAMerge(false);
    assertThat(decompressionsOfAMerge(true)).isEqualTo(plain);
  }

  @Test
  void mergesOfPostingsAndDocValuesAreTheDelegatesOwn() throws Exception {
    AtomicInteger merged = new AtomicInteger();
    AtomicInteger rewritten = new AtomicInteger();
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .build();
    IndexWriterConfig writerConfig =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setCodec(new MergeCountingCodec(TestUtil.getDefaultCodec(), merged, rewritten))
            .setMergeScheduler(new SerialMergeScheduler())
            .setMaxBufferedDocs(20);
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new DeltaIndexWriter(directory, writerConfig, config)) {
      for (int i = 0; i < 60; i++) {
        Document document = new Document();
        document.add(new StringField("url", "p" + i, Field.Store.YES));
        document.add(new TextField("body", "alpha beta " + i, Field.Store.NO));
        document.add(new NumericDocValuesField("number", i));
        writer.updateDocument(new Term("url", "p" + i), document);
      }
      writer.flush();
      merged.set(0);
      rewritten.set(0);
      writer.forceMerge(1);
    }
    assertThat(merged).as("merges of postings and of doc values").hasValue(2);
    assertThat(rewritten).as("writes of postings, which is what a flush does").hasValue(0);
  }

  /** Counts what is asked of the delegate's postings and doc values. */
  private static final class MergeCountingCodec extends FilterCodec {
    private final AtomicInteger merged;
    private final AtomicInteger rewritten;

    MergeCountingCodec(Codec delegate, AtomicInteger merged, AtomicInteger rewritten) {
      super(delegate.getName(), delegate);
      this.merged = merged;
      this.rewritten = rewritten;
    }

    @Override
    public PostingsFormat postingsFormat() {
      return new WatchedPostings(delegate.postingsFormat()) {
        @Override
        NormsProducer flushing(SegmentWriteState state, NormsProducer norms) {
          rewritten.incrementAndGet();
          return norms;
        }

        @Override
        void merging() {
          merged.incrementAndGet();
        }
      };
    }

    @Override
    public DocValuesFormat docValuesFormat() {
      DocValuesFormat in = delegate.docValuesFormat();
      return new DocValuesFormat(in.getName()) {
        @Override
        public DocValuesConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
          return new MergeCountingDocValues(in.fieldsConsumer(state), merged);
        }

        @Override
        public DocValuesProducer fieldsProducer(SegmentReadState state) throws IOException {
          return in.fieldsProducer(state);
        }
      };
    }
  }

  private static final class MergeCountingDocValues extends DocValuesConsumer {
    private final DocValuesConsumer in;
    private final AtomicInteger merged;

    MergeCountingDocValues(DocValuesConsumer in, AtomicInteger merged) {
      this.in = in;
      this.merged = merged;
    }

    @Override
    public void merge(MergeState mergeState) throws IOException {
      merged.incrementAndGet();
      in.merge(mergeState);
    }

    @Override
    public void addNumericField(FieldInfo field, DocValuesProducer values) throws IOException {
      in.addNumericField(field, values);
    }

    @Override
    public void addBinaryField(FieldInfo field, DocValuesProducer values) throws IOException {
      in.addBinaryField(field, values);
    }

    @Override
    public void addSortedField(FieldInfo field, DocValuesProducer values) throws IOException {
      in.addSortedField(field, values);
    }

    @Override
    public void addSortedNumericField(FieldInfo field, DocValuesProducer values)
        throws IOException {
      in.addSortedNumericField(field, values);
    }

    @Override
    public void addSortedSetField(FieldInfo field, DocValuesProducer values) throws IOException {
      in.addSortedSetField(field, values);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  @Test
  void everyFormatButPostingsIsTheDelegatesOwn() {
    Codec delegate = TestUtil.getDefaultCodec();
    Codec wrapped = CapturedPostingsLawBook.capturing(delegate);
    assertThat(wrapped.getName()).isEqualTo(delegate.getName());
    assertThat(wrapped.postingsFormat().getName()).isEqualTo(delegate.postingsFormat().getName());
    assertThat(wrapped.storedFieldsFormat()).isSameAs(delegate.storedFieldsFormat());
    assertThat(wrapped.termVectorsFormat()).isSameAs(delegate.termVectorsFormat());
    assertThat(wrapped.docValuesFormat()).isSameAs(delegate.docValuesFormat());
    assertThat(wrapped.normsFormat()).isSameAs(delegate.normsFormat());
    // Lucene's codec makes a new one each time
    assertThat(wrapped.pointsFormat()).hasSameClassAs(delegate.pointsFormat());
    assertThat(wrapped.knnVectorsFormat()).isSameAs(delegate.knnVectorsFormat());
    assertThat(wrapped.liveDocsFormat()).isSameAs(delegate.liveDocsFormat());
    assertThat(wrapped.compoundFormat()).isSameAs(delegate.compoundFormat());
    assertThat(wrapped.segmentInfoFormat()).isSameAs(delegate.segmentInfoFormat());
    assertThat(wrapped.fieldInfosFormat()).isSameAs(delegate.fieldInfosFormat());
  }

  /** How often a merge decompresses stored fields and term vectors; bulk copies do not. */
  private int decompressionsOfAMerge(boolean measured) throws Exception {
    AtomicInteger decompressed = new AtomicInteger();
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .build();
    IndexWriterConfig writerConfig =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setCodec(new CountingCodec(TestUtil.getDefaultCodec(), decompressed))
            .setMergeScheduler(new SerialMergeScheduler())
            .setMaxBufferedDocs(200);
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            measured
                ? new DeltaIndexWriter(directory, writerConfig, config)
                : new IndexWriter(directory, writerConfig)) {
      FieldType vectors = new FieldType(TextField.TYPE_STORED);
      vectors.setStoreTermVectors(true);
      for (int i = 0; i < 1000; i++) {
        Document document = new Document();
        document.add(new StringField("url", "p" + i, Field.Store.YES));
        document.add(new Field("body", "alpha beta gamma ".repeat(20) + i, vectors));
        writer.updateDocument(new Term("url", "p" + i), document);
      }
      writer.flush();
      decompressed.set(0);
      writer.forceMerge(1);
      return decompressed.get();
    }
  }

  private static final class CountingCodec extends FilterCodec {
    private final CompressionMode mode;

    CountingCodec(Codec delegate, AtomicInteger decompressed) {
      super(delegate.getName(), delegate);
      this.mode = new CountingMode(decompressed);
    }

    @Override
    public StoredFieldsFormat storedFieldsFormat() {
      return new Lucene90CompressingStoredFieldsFormat("Counting", mode, 1 << 10, 32, 10);
    }

    @Override
    public TermVectorsFormat termVectorsFormat() {
      return new Lucene90CompressingTermVectorsFormat("CountingVectors", "", mode, 1 << 10, 32, 10);
    }
  }

  private static final class CountingMode extends CompressionMode {
    private final AtomicInteger decompressed;

    CountingMode(AtomicInteger decompressed) {
      this.decompressed = decompressed;
    }

    @Override
    public Compressor newCompressor() {
      return CompressionMode.FAST.newCompressor();
    }

    @Override
    public Decompressor newDecompressor() {
      Decompressor in = CompressionMode.FAST.newDecompressor();
      return new Counting(in, decompressed);
    }
  }

  private static final class Counting extends Decompressor {
    private final Decompressor in;
    private final AtomicInteger decompressed;

    Counting(Decompressor in, AtomicInteger decompressed) {
      this.in = in;
      this.decompressed = decompressed;
    }

    @Override
    public void decompress(
        DataInput input, int originalLength, int offset, int length, BytesRef bytes)
        throws IOException {
      decompressed.incrementAndGet();
      in.decompress(input, originalLength, offset, length, bytes);
    }

    @Override
    public Decompressor clone() {
      return new Counting(in.clone(), decompressed);
    }
  }
}
