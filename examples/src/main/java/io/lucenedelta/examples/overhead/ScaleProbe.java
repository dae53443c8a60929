// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.delta.Costs;
import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * How the cost of measuring grows: update batches of one size on ever larger stores, on indexes of
 * more and more segments, and with ever larger workloads.
 *
 * <p>Pages are short and random; a batch gives a part of them, spread evenly and another part each
 * time, as far as there are others, a wholly different text. An index is made by a plain writer,
 * adopted, and gets one batch that builds rank functions, after which the order of pages is asked
 * for once, and one to warm up before three are counted.
 *
 * <p>Where segments vary, a batch has at most a tenth of the pages: a segment whose last page was
 * replaced leaves the index.
 */
public final class ScaleProbe {
  /** Terms of the workload unless it is terms that vary. */
  private static final int TERMS = 30_000;

  private static final int BATCH = 10_000;
  private static final int WORDS_A_PAGE = 60;
  private static final int UNCOUNTED = 2;
  private static final int COUNTED = 3;
  private static final List<Integer> SEGMENTS = List.of(1, 10, 50);
  private static final List<Integer> WORKLOADS = List.of(1_000, 10_000, 100_000, 1_000_000);

  /** A workload of more terms than this a page says nothing of the pages. */
  private static final long MOST_TERMS_A_PAGE = 500;

  private final GeneratedPages generated = new GeneratedPages(WORDS_A_PAGE);
  private final Path work;
  private final List<Long> sizes;
  private final List<Integer> workloads;
  private final UnmeasuredBatches unmeasured = new UnmeasuredBatches();

  /**
   * A probe.
   *
   * @param work directory for indexes, which are removed again
   * @param sizes numbers of pages, at least one, each at least 1; segments and workloads vary on
   *     the first
   * @throws IllegalArgumentException if they are not
   */
  public ScaleProbe(Path work, List<Long> sizes) {
    if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException("numbers of pages must be at least 1, were " + sizes);
    }
    this.work = work;
    this.sizes = List.copyOf(sizes);
    this.workloads =
        WORKLOADS.stream().filter(terms -> terms <= MOST_TERMS_A_PAGE * sizes.get(0)).toList();
  }

  /** Rows that {@link #run} gives. */
  public int points() {
    return sizes.size() + SEGMENTS.size() + workloads.size();
  }

  /**
   * Measures everything.
   *
   * @param pointDone runs after each of {@link #points} measurements
   * @param listener hears of the measuring writers
   */
  public List<ScaleRow> run(Runnable pointDone, DeltaListener listener) throws IOException {
    List<ScaleRow> rows = new ArrayList<>();
    Workload usual = generated.singleWords(TERMS);
    for (long pages : sizes) {
      rows.add(measure("pages", pages, 0, usual, listener));
      pointDone.run();
    }
    for (int segments : SEGMENTS) {
      rows.add(measure("segments", sizes.get(0), segments, usual, listener));
      pointDone.run();
    }
    for (int terms : workloads) {
      rows.add(measure("terms", sizes.get(0), 0, generated.singleWords(terms), listener));
      pointDone.run();
    }
    return rows;
  }

  /** What is to be known of the rows: that batches could not be measured, if so. */
  public List<String> notes() {
    return unmeasured.notes();
  }

  /** One point; with 0 segments Lucene merges as it does by default. */
  private ScaleRow measure(
      String series, long pages, int segments, Workload workload, DeltaListener listener)
      throws IOException {
    WorkFolder.make(work);
    try (Directory directory = FSDirectory.open(work.resolve("index"))) {
      fill(directory, pages, segments);
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(directory, configuration(segments), config(workload, listener))) {
        Tally tally = new Tally();
        int batch = batch(pages, segments);
        int found = 0;
        for (int round = 0; round < UNCOUNTED + COUNTED; round++) {
          found = round == UNCOUNTED ? segmentsOf(directory) : found;
          Map<Costs.Step, Long> before = writer.costs().nanos();
          update(writer, pages, batch, round);
          tally.add(before, writer.costs().nanos(), round >= UNCOUNTED);
          if (round == 0) {
            writer.nextPages(1); // what the order is read from is kept up to date from now on
          }
        }
        unmeasured.add(writer.status());
        return new ScaleRow(
            series,
            pages,
            found,
            workload.termCount(),
            generated.termsAPage(workload),
            batch,
            tally.microsByStep(batch),
            tally.microsOfRanks(pages),
            writer.status().bytesPerPage());
      }
    } finally {
      WorkFolder.remove(work);
    }
  }

  /** Pages of a batch; with 0 segments Lucene merges as it does by default. */
  static int batch(long pages, int segments) {
    return (int) Math.min(BATCH, segments == 0 ? pages : Math.max(1, pages / 10));
  }

  private void fill(Directory directory, long pages, int segments) throws IOException {
    long flushed = segments == 0 ? Long.MAX_VALUE : (pages + segments - 1) / segments;
    try (IndexWriter writer = new IndexWriter(directory, configuration(segments))) {
      for (long page = 0; page < pages; page++) {
        writer.addDocument(generated.document(page));
        if ((page + 1) % flushed == 0) {
          writer.flush();
        }
      }
    }
  }

  private static int segmentsOf(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.leaves().size();
    }
  }

  private static IndexWriterConfig configuration(int segments) {
    IndexWriterConfig config = new IndexWriterConfig(new KeywordAnalyzer());
    config.setRAMBufferSizeMB(segments == 0 ? 64 : 1024);
    return segments == 0 ? config : config.setMergePolicy(NoMergePolicy.INSTANCE);
  }

  private DeltaConfig config(Workload workload, DeltaListener listener) {
    return DeltaConfig.builder(workload)
        .keyField("url")
        .scoredField(PageAnalysis.BODY)
        .statePath(work.resolve("state"))
        .listener(listener)
        .countCosts(true)
        .build();
  }

  /**
   * The pages of a round, {@code i} from 0 to the batch's size. Others than in the rounds before,
   * as long as there are any: what is put for a page for the first time moves in the store, and a
   * page that was put before mostly does not.
   */
  static long page(int i, long pages, int batch, int round) {
    return i * pages / batch + round % (pages / batch);
  }

  /** Gives every so-many-th page another text, and commits. */
  private void update(DeltaIndexWriter writer, long pages, int batch, int round)
      throws IOException {
    for (int i = 0; i < batch; i++) {
      long page = page(i, pages, batch, round);
      String key = GeneratedPages.key(page);
      writer.updateDocument(
          new Term("url", key), generated.document(key, page + (round + 1) * pages));
    }
    writer.commit();
  }

  /** CPU by step, batch by batch. */
  private static final class Tally {
    private final List<Map<Costs.Step, Long>> counted = new ArrayList<>();
    private long ranks;
    private int builds;

    void add(Map<Costs.Step, Long> before, Map<Costs.Step, Long> after, boolean counts) {
      Map<Costs.Step, Long> spent = new EnumMap<>(Costs.Step.class);
      after.forEach((step, nanos) -> spent.put(step, nanos - before.get(step)));
      long ranksNow = spent.remove(Costs.Step.RANKS);
      ranks += ranksNow;
      builds += ranksNow > 0 ? 1 : 0;
      if (counts) {
        counted.add(spent);
      }
    }

    Map<String, Double> microsByStep(int batch) {
      Map<String, Double> micros = new LinkedHashMap<>();
      for (Costs.Step step : counted.get(0).keySet()) {
        double[] nanos = counted.stream().mapToDouble(spent -> spent.get(step)).toArray();
        micros.put(step.name().toLowerCase(Locale.ROOT), Spread.of(nanos).median() / 1e3 / batch);
      }
      return micros;
    }

    double microsOfRanks(long pages) {
      return builds == 0 ? 0 : ranks / 1e3 / builds / pages;
    }
  }
}
