// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.InfoStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Writing the postings of a flush, a page: as Lucene does; with the workload's noted meanwhile; and
 * with those read by a loop of our own afterwards. What noting costs is a difference, and what
 * wrapping does to the loops of Lucene is in it.
 *
 * <p>{@code mvn -Pbench -pl examples -am verify -DskipTests -Dbench=NotingBenchmark
 * -Dbench.options="-prof perfnorm"}, which counts instructions too, where {@code perf} is installed.
 *
 * <p>Pages have 1,500 words of a vocabulary of 200,000; of the 60,000 most frequent every second one
 * is a query. The flush waits in a thread of its own while it is written over and over.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 3)
@Measurement(iterations = 10, time = 2)
@Fork(2)
public class NotingBenchmark {
  private static final int PAGES = 2_000;
  private static final int WORDS = 1_500;
  private static final int VOCABULARY = 200_000;
  private static final int ASKED = 60_000;

  private record Flush(SegmentWriteState state, Fields fields, NormsProducer norms) {}

  private final CompletableFuture<Flush> begun = new CompletableFuture<>();
  private final CountDownLatch done = new CountDownLatch(1);
  private final PostingsFormat format = new Lucene104PostingsFormat();
  private Flush flush;
  private SegmentNotes notes;
  private Thread indexing;
  private Path folder;

  /** Indexes pages up to the point where their postings are to be written. */
  @Setup
  public void prepare() throws IOException {
    WorkloadBuilder workload = Workload.builder();
    for (int word = 0; word < ASKED; word += 2) {
      workload.add(List.of(word(word)), 1);
    }
    DeltaConfig config =
        DeltaConfig.builder(workload.build()).keyField("url").scoredField("body").build();
    notes = new SegmentNotes(config, WorkloadTerms.of(config.workload()), FlushHeap.unlimited());
    folder = Files.createTempDirectory("noting-benchmark");
    indexing = new Thread(this::index, "indexing");
    indexing.start();
    flush = begun.join();
  }

  private static String word(int number) {
    return Integer.toString(number * 31 + 1_000_000, Character.MAX_RADIX);
  }

  private void index() {
    Random random = new Random(7);
    IndexWriterConfig config =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setRAMBufferSizeMB(1_000)
            .setCodec(new Waiting(Codec.getDefault()));
    try (Directory directory = new MMapDirectory(folder);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int page = 0; page < PAGES; page++) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) { // about as Zipf has it
          text.append(word((int) Math.pow(VOCABULARY, random.nextDouble()))).append(' ');
        }
        Document document = new Document();
        document.add(new StringField("url", "https://example.org/" + page, Store.YES));
        document.add(new TextField("body", text.toString(), Store.NO));
        writer.addDocument(document);
      }
    } catch (Throwable t) {
      begun.completeExceptionally(t); // or preparing would wait for ever
    }
  }

  /** Lets the flush end. */
  @TearDown
  public void finish() throws IOException, InterruptedException {
    done.countDown();
    indexing.join();
    IOUtils.rm(folder);
  }

  /** As plain indexing does. */
  @Benchmark
  @OperationsPerInvocation(PAGES)
  public int plain() throws IOException {
    return write(flush.fields(), flush.norms());
  }

  /** As measuring does. */
  @Benchmark
  @OperationsPerInvocation(PAGES)
  public int noted() throws IOException {
    notes.begin(PAGES, flush.state().fieldInfos, flush.norms());
    int files =
        write(new NotedFields(flush.fields(), notes), new NotedNorms(flush.norms(), notes));
    requireNoted();
    return files;
  }

  private void requireNoted() {
    if (notes.failure() != null || notes.keyed() != PAGES) {
      throw new IllegalStateException("not noted", notes.failure());
    }
  }

  /** As plain indexing does, then the workload's postings are read again. */
  @Benchmark
  @OperationsPerInvocation(PAGES)
  public int readAgain() throws IOException {
    int files = write(flush.fields(), flush.norms());
    notes.begin(PAGES, flush.state().fieldInfos, flush.norms());
    for (String field : List.of("body", "url")) {
      Terms terms = flush.fields().terms(field);
      notes.beginField(notes.roleOf(field), terms.hasFreqs());
      TermsEnum cursor = terms.iterator();
      PostingsEnum postings = null;
      for (BytesRef term = cursor.next(); term != null; term = cursor.next()) {
        if (notes.beginTerm(term)) {
          postings = cursor.postings(postings, notes.fieldFlags());
          notes.addPostings(postings);
        }
      }
    }
    requireNoted();
    return files;
  }

  private int write(Fields fields, NormsProducer norms) throws IOException {
    try (ByteBuffersDirectory target = new ByteBuffersDirectory()) {
      SegmentWriteState state =
          new SegmentWriteState(
              InfoStream.NO_OUTPUT,
              target,
              flush.state().segmentInfo,
              flush.state().fieldInfos,
              null,
              flush.state().context);
      try (FieldsConsumer consumer = format.fieldsConsumer(state)) {
        consumer.write(fields, norms);
      }
      return target.listAll().length;
    }
  }

  /** Lucene's codec, whose flush waits until the benchmark has done with it and writes nothing. */
  private final class Waiting extends FilterCodec {
    Waiting(Codec delegate) {
      super(delegate.getName(), delegate);
    }

    @Override
    public PostingsFormat postingsFormat() {
      return new PostingsFormat(delegate.postingsFormat().getName()) {
        @Override
        public FieldsConsumer fieldsConsumer(SegmentWriteState state) {
          return new Handover(state);
        }

        @Override
        public FieldsProducer fieldsProducer(SegmentReadState state) {
          throw new UnsupportedOperationException("nothing was written");
        }
      };
    }
  }

  private final class Handover extends FieldsConsumer {
    private final SegmentWriteState state;

    Handover(SegmentWriteState state) {
      this.state = state;
    }

    @Override
    public void write(Fields fields, NormsProducer norms) throws IOException {
      try {
        begun.complete(new Flush(state, fields, norms));
        done.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("the benchmark was given up");
      }
    }

    @Override
    public void close() {}
  }
}
