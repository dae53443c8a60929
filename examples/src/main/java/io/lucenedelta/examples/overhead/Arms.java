// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.delta.AnalyzedQueries;
import io.lucenedelta.delta.Costs;
import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;

/**
 * The writers that are compared. All index the same: the key, the time of the fetch and the text,
 * nothing stored but the key, which makes plain indexing as cheap and so the ratio as large as it
 * gets.
 */
final class Arms {
  private final double ramBuffer;
  private final int measuringThreads;
  private final DeltaListener listener;

  /**
   * Writers that hold so many megabytes before they flush, and measure with so many threads.
   *
   * @param listener hears of the measuring ones
   */
  Arms(double ramBuffer, int measuringThreads, DeltaListener listener) {
    this.ramBuffer = ramBuffer;
    this.measuringThreads = measuringThreads;
    this.listener = listener;
  }

  /** Lucene's own writer with its defaults, but for the buffer. */
  Arm plain(Path index) throws IOException {
    return arm(index, Arms::update);
  }

  private Arm arm(Path index, Arm.Update update) throws IOException {
    return arm(index, PageAnalysis.analyzer(), update);
  }

  /** An arm that closes the analyzer, too. */
  private Arm arm(Path index, Analyzer analyzer, Arm.Update update) throws IOException {
    FlushClock flushes = new FlushClock(Codec.getDefault());
    return new Arm(
        new IndexWriter(FSDirectory.open(index), configuration(analyzer).setCodec(flushes)),
        flushes,
        update,
        Map::of,
        () -> {});
  }

  /** The measuring writer, likewise, counting its CPU step by step. */
  Arm measuring(Path index, Workload workload) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField(PageAnalysis.KEY)
            .scoredField(PageAnalysis.BODY)
            .fetchTimeField(PageAnalysis.FETCHED)
            .statePath(stateOf(index))
            .measuringThreads(measuringThreads)
            .listener(listener)
            .countCosts(true)
            .build();
    FlushClock flushes = new FlushClock(Codec.getDefault());
    DeltaIndexWriter writer =
        new DeltaIndexWriter(
            FSDirectory.open(index),
            configuration(PageAnalysis.analyzer()).setCodec(flushes),
            config);
    return new Arm(
        writer, flushes, Arms::update, () -> nanos(writer.costs()), () -> writer.nextPages(1));
  }

  /**
   * A part of what a user could do: store term vectors. To read the old ones and compare them with
   * the new ones would come on top.
   */
  Arm storingTermVectors(Path index) throws IOException {
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setStoreTermVectors(true);
    type.freeze();
    return arm(
        index,
        (writer, page) ->
            update(writer, page, new Field(PageAnalysis.BODY, PageAnalysis.body(page), type)));
  }

  /** What a user could do: keep the old text, and analyse both again where the new one differs. */
  Arm analysingAgain(Path index) throws IOException {
    Map<String, String> texts = new ConcurrentHashMap<>();
    Analyzer analyzer = PageAnalysis.analyzer();
    AnalyzedQueries words = AnalyzedQueries.of(analyzer, PageAnalysis.BODY);
    return arm(
        index,
        analyzer,
        (writer, page) -> {
          String text = PageAnalysis.body(page);
          String old = texts.put(page.key(), text);
          if (old != null && !old.equals(text) && sameWords(words.terms(old), words.terms(text))) {
            texts.put(page.key(), old); // as if nothing had changed
          }
          update(writer, page);
        });
  }

  private static boolean sameWords(List<String> old, List<String> now) {
    return counts(old).equals(counts(now));
  }

  private static Map<String, Integer> counts(List<String> words) {
    Map<String, Integer> counts = new HashMap<>();
    words.forEach(word -> counts.merge(word, 1, Integer::sum));
    return counts;
  }

  /** Where the measuring writer of an index keeps what it measures. */
  static Path stateOf(Path index) {
    return index.resolveSibling(index.getFileName() + ".delta");
  }

  /** Settings of a writer; whoever closes it closes the analyzer. */
  IndexWriterConfig configuration(Analyzer analyzer) {
    return new IndexWriterConfig(analyzer).setRAMBufferSizeMB(ramBuffer);
  }

  static void update(IndexWriter writer, CrawledPage page) throws IOException {
    update(writer, page, new TextField(PageAnalysis.BODY, PageAnalysis.body(page), Field.Store.NO));
  }

  private static void update(IndexWriter writer, CrawledPage page, Field body) throws IOException {
    Document document = new Document();
    document.add(new StringField(PageAnalysis.KEY, page.key(), Field.Store.YES));
    document.add(new StringField(PageAnalysis.FETCHED, page.fetched().toString(), Field.Store.NO));
    document.add(body);
    writer.updateDocument(new Term(PageAnalysis.KEY, page.key()), document);
  }

  private static Map<String, Long> nanos(Costs costs) {
    Map<String, Long> nanos = new LinkedHashMap<>();
    costs.nanos().forEach((step, sum) -> nanos.put(step.name().toLowerCase(Locale.ROOT), sum));
    return nanos;
  }
}
