// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.delta.FetchQueue;
import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.workload.Workload;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;

/**
 * An index of pages on disk that is written and measured: the Lucene index in the directory named,
 * the measurements in {@code NAME.delta} beside it. {@link IndexOption} opens them for reading.
 */
final class MeasuredIndex implements Closeable {
  /** The entry of the commit data that holds the time of the last snapshot. */
  static final String CRAWLED = "lucene-delta.crawled";

  private final Directory directory;
  private final Analyzer analyzer;
  private final DeltaConfig config;
  private final DeltaIndexWriter writer;
  private Throwable afterCommit; // what failed after the last one; null if nothing did

  private MeasuredIndex(
      Directory directory, Analyzer analyzer, DeltaConfig config, DeltaIndexWriter writer) {
    this.directory = directory;
    this.analyzer = analyzer;
    this.config = config;
    this.writer = writer;
  }

  /**
   * The time of the last snapshot that was committed; nothing when there is none. Asked of the
   * commit, since a writer that is opened brings the measurements to its own queries.
   */
  static Optional<Instant> crawled(Path index) throws IOException {
    if (!isIndex(index)) {
      return Optional.empty();
    }
    try (Directory directory = FSDirectory.open(index)) {
      return crawledIn(directory);
    }
  }

  private static Optional<Instant> crawledIn(Directory directory) throws IOException {
    Map<String, String> told = SegmentInfos.readLatestCommit(directory).getUserData();
    return Optional.ofNullable(told.get(CRAWLED)).map(Instant::parse);
  }

  /** Whether there is a document that a key names. */
  static boolean hasPages(Path index) throws IOException {
    if (!isIndex(index)) {
      return false;
    }
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return hasPages(reader);
    }
  }

  private static boolean hasPages(DirectoryReader reader) {
    return reader.numDocs() > 0 && FieldInfos.getIndexedFields(reader).contains(PageAnalysis.KEY);
  }

  /** Whether there are measurements that can be read: others a writer makes anew. */
  static boolean isMeasured(Path index) {
    try {
      DeltaState.open(index).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Opens an index for writing, or makes one.
   *
   * @param measuring how it is measured
   * @throws CommandFailure if the index has documents that the verb {@code index} does not make
   */
  static MeasuredIndex open(
      Path index, Workload workload, MeasuringOptions measuring, DeltaListener listener)
      throws IOException {
    requireOwn(index);
    OutputPlace.requireFolder(index);
    Files.createDirectories(index);
    DeltaConfig.Builder settings =
        DeltaConfig.builder(workload)
            .keyField(PageAnalysis.KEY)
            .scoredField(PageAnalysis.BODY)
            .fetchTimeField(PageAnalysis.FETCHED)
            .hashSeed(0) // what is printed for a crawl repeats
            .listener(listener);
    measuring.applyTo(settings);
    DeltaConfig config = settings.build();
    Directory directory = FSDirectory.open(index);
    Analyzer analyzer = PageAnalysis.analyzer();
    try {
      DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory,
              // statistics count deleted pages until these are merged away: threads that merge
              // meanwhile would decide what is measured
              new IndexWriterConfig(analyzer).setMergeScheduler(new SerialMergeScheduler()),
              config);
      return new MeasuredIndex(directory, analyzer, config, writer);
    } catch (Throwable failure) {
      analyzer.close();
      directory.close();
      throw failure;
    }
  }

  DeltaIndexWriter writer() {
    return writer;
  }

  /** Adds a page, or replaces its older version. */
  void update(CrawledPage page) throws IOException {
    Document document = PageAnalysis.document(page);
    document.add(config.fetchTime(page.fetched()));
    writer.updateDocument(new Term(PageAnalysis.KEY, page.key()), document);
  }

  /**
   * Commits a snapshot, and that the crawl is indexed up to its time. Asks for the order afterwards
   * as the verbs that only read cannot: after the first snapshot rank functions are built then.
   *
   * <p>A failure of what follows on the commit, such as merging or settling what was measured, is
   * kept for {@link #requireWhole}: the snapshot is in the index, and whoever fails now would not
   * say so.
   *
   * @param use gets what is known of all pages then, unless something failed
   */
  void commit(Instant crawled, Consumer<PageHistories> use) throws IOException {
    writer.setLiveCommitData(Map.of(CRAWLED, crawled.toString()).entrySet());
    try {
      writer.commit();
      writer.withHistories(use);
    } catch (Throwable failure) {
      if (!isCommitted(crawled, failure)) {
        throw failure;
      }
      afterCommit = failure;
    }
  }

  private boolean isCommitted(Instant crawled, Throwable failure) {
    try {
      return crawledIn(directory).equals(Optional.of(crawled));
    } catch (IOException | RuntimeException also) {
      failure.addSuppressed(also);
      return false;
    }
  }

  /**
   * To be called before anything else is done with the index.
   *
   * @throws IOException if something failed after the last commit
   */
  void requireWhole() throws IOException {
    if (afterCommit != null) {
      throw IOUtils.rethrowAlways(afterCommit);
    }
  }

  /** What became of pages that {@code next --discovered} told of: how far words can be trusted. */
  void learnFromDiscovered() throws IOException {
    requireWhole();
    FetchQueue queue = writer.fetchQueue(Duration.ofDays(1));
    if (queue.discoveredCount() > 0) {
      queue.take(0);
    }
  }

  @Override
  public void close() throws IOException {
    try (directory;
        analyzer) {
      writer.close();
    }
  }

  /** Gives up what was not committed. */
  void rollback() throws IOException {
    writer.rollback();
  }

  private static boolean isIndex(Path index) throws IOException {
    if (!Files.isDirectory(index)) {
      return false;
    }
    try (Directory directory = FSDirectory.open(index)) {
      return DirectoryReader.indexExists(directory);
    }
  }

  /**
   * Checks that an index, if it is there, has no other documents than the verb {@code index} makes:
   * others would be beside these then, in fields of their own, analysed in another way, and what
   * was measured of them be measured by these fields.
   *
   * @throws CommandFailure if it has
   */
  static void requireOwn(Path index) throws IOException {
    if (Files.exists(index) && !Files.isDirectory(index)) {
      throw new CommandFailure(index + " is a file: name a directory for the index");
    }
    if (!isIndex(index)) {
      return;
    }
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      if (reader.numDocs() > 0 && !hasPages(reader)) {
        throw new CommandFailure(
            (reader.numDocs() == 1 ? "the document in " : reader.numDocs() + " documents in ")
                + index
                + (reader.numDocs() == 1 ? " has no field '" : " have no field '")
                + PageAnalysis.KEY
                + "' that names a page: name another directory, or index again with that field");
      }
      Optional<String> foreign = PageAnalysis.foreign(reader);
      if (foreign.isPresent()) {
        throw new CommandFailure(
            "%s was made by another program (%s): pages are indexed by their address and text in fields of our own, analysed with StandardAnalyzer, and would not go with those there; name another directory with --index"
                .formatted(index, foreign.get()));
      }
    }
  }
}
