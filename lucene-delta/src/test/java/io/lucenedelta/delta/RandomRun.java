// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.workload.Workload;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.column.ColumnBatch;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * One seed of the comparison with plain Lucene: random operations through a {@link
 * DeltaIndexWriter}, after each commit the store against {@link SlowAnswer}, at the end the history
 * against the sequence of all commits.
 */
final class RandomRun implements Closeable {
  private static final int KEYS = 12;

  private final Random random;
  private final Directory directory;
  private final DeltaConfig config;
  private final RandomDocuments documents;
  private final Analyzer analyzer = new FailingAnalyzer();
  private final Similarity similarity;
  private final boolean sorted;
  private final String softField;
  private final boolean threads;
  private final int bufferedDocs;
  private final int mergeKind;
  private final boolean concurrentMerges;
  private final long mergeWait;
  private final Map<Long, Ranks> ranksOf = Collections.synchronizedMap(new HashMap<>());
  private final List<String> troubles = Collections.synchronizedList(new ArrayList<>());
  private DeltaIndexWriter writer;

  RandomRun(long seed, Path folder) throws IOException {
    this.random = new Random(seed);
    this.directory =
        seed % 8 == 0 ? FSDirectory.open(folder.resolve("index")) : new ByteBuffersDirectory();
    this.similarity =
        switch (random.nextInt(3)) {
          case 0 -> new ClassicSimilarity();
          case 1 -> new LMDirichletSimilarity();
          default -> new BM25Similarity();
        };
    this.sorted = random.nextInt(3) == 0;
    this.softField = random.nextInt(3) == 0 ? "soft" : null;
    this.threads = random.nextInt(3) == 0;
    this.bufferedDocs = 2 + random.nextInt(10);
    this.mergeKind = random.nextInt(3);
    this.concurrentMerges = random.nextBoolean();
    this.mergeWait = random.nextBoolean() ? 0 : 500;
    DeltaConfig.Builder builder =
        DeltaConfig.builder(workload(random))
            .keyField("url")
            .statePath(folder.resolve("state"))
            .fetchTimeField("fetched")
            .rebuildEvery(1 + random.nextInt(5))
            .listener(new Listener());
    int fields = 1 + random.nextInt(3);
    for (int field = 0; field < fields; field++) {
      builder.scoredField("f" + field, 1 + random.nextInt(3));
    }
    this.config = builder.build();
    this.documents = new RandomDocuments(config, random, KEYS);
    open();
  }

  private static Workload workload(Random random) {
    String[] asked = {
      "alpha",
      "beta",
      "gamma",
      "delta",
      "epsilon",
      "zeta",
      "eta",
      "caf\u00e9",
      "\ud835\udd38",
      "never"
    };
    var builder = Workload.builder();
    for (int query = 0; query < 12; query++) {
      List<String> terms = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        terms.add(asked[random.nextInt(asked.length)]);
      }
      builder.add(terms, 1 + random.nextInt(9));
    }
    return random.nextBoolean() ? builder.build() : builder.build().singleTerm();
  }

  private final class Listener implements DeltaListener {
    @Override
    public void batchMeasured(long generation, int refreshes, double qualityChange) {
      Ranks ranks = writer == null ? null : writer.measurer().ranks();
      if (ranks != null) {
        ranksOf.put(generation, ranks);
      }
    }

    @Override
    public void trouble(String sentence, Throwable cause) {
      troubles.add(sentence + " " + cause);
    }
  }

  private void open() throws IOException {
    writer = null;
    writer = new DeltaIndexWriter(directory, writerConfig(true), config);
  }

  private IndexWriterConfig writerConfig(boolean keepCommits) {
    IndexWriterConfig writerConfig =
        new IndexWriterConfig(analyzer)
            .setSimilarity(similarity)
            .setMaxBufferedDocs(bufferedDocs)
            .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH)
            .setMaxFullFlushMergeWaitMillis(mergeWait)
            .setMergeScheduler(
                concurrentMerges ? new ConcurrentMergeScheduler() : new SerialMergeScheduler());
    if (mergeKind == 0) {
      writerConfig.setMergePolicy(NoMergePolicy.INSTANCE);
    } else if (mergeKind == 1) {
      LogDocMergePolicy policy = new LogDocMergePolicy();
      policy.setMergeFactor(2 + bufferedDocs % 3);
      writerConfig.setMergePolicy(policy);
    } else {
      writerConfig.setMergePolicy(new TieredMergePolicy().setSegmentsPerTier(2));
    }
    if (keepCommits) {
      writerConfig.setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    }
    if (sorted) {
      writerConfig.setIndexSort(new Sort(new SortField("sort", SortField.Type.LONG)));
    }
    if (softField != null) {
      writerConfig.setSoftDeletesField(softField);
    }
    return writerConfig;
  }

  /** Runs batches of operations, comparing after each commit and all history at the end. */
  void run() throws Exception {
    int commits = 3 + random.nextInt(6);
    for (int i = 0; i < commits; i++) {
      if (threads && random.nextBoolean()) {
        inThreads();
      } else {
        for (int n = random.nextInt(30); n > 0; n--) {
          operation(random, random.nextInt(KEYS));
        }
      }
      finishBatch();
    }
    assertThat(writer.status().batchesIncomplete()).isZero();
    compareHistory();
    assertThat(troubles).as("troubles").isEmpty();
  }

  private void finishBatch() throws Exception {
    switch (random.nextInt(12)) {
      case 0 -> {
        writer.rollback();
        open();
        compareStore();
        return;
      }
      case 1 -> {
        writer.prepareCommit();
        simpleUpdates(random, 3);
        writer.commit();
      }
      case 2 -> {
        writer.close();
        open();
      }
      case 3 -> {
        writer.prepareCommit();
        writer.rollback();
        open();
        compareStore();
        return;
      }
      default -> writer.commit();
    }
    if (random.nextInt(4) > 0) {
      compareStore();
    }
  }

  private void simpleUpdates(Random source, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = documents.key(source.nextInt(KEYS));
      writer.updateDocument(new Term("url", key), documents.document(source, key, false, "u"));
    }
  }

  /** Operations of one key stay in one thread, so that their order is defined. */
  private void inThreads() throws Exception {
    List<Thread> workers = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < 3; t++) {
      int first = t;
      Random own = new Random(random.nextLong());
      Thread worker =
          new Thread(
              () -> {
                try {
                  for (int n = 0; n < 15; n++) {
                    String key = documents.key(first + 3 * own.nextInt(KEYS / 3));
                    if (own.nextInt(6) == 0) {
                      writer.deleteDocuments(new Term("url", key));
                    } else {
                      writer.updateDocument(
                          new Term("url", key), documents.document(own, key, false, "u"));
                    }
                  }
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      workers.add(worker);
      worker.start();
    }
    writer.commit();
    for (Thread worker : workers) {
      worker.join();
    }
    assertThat(failures).isEmpty();
  }

  private void operation(Random source, int number) throws Exception {
    String key = documents.key(number);
    Term term = new Term("url", key);
    switch (source.nextInt(40)) {
      case 0 -> writer.deleteDocuments(new TermQuery(new Term("tag", "c" + source.nextInt(4))));
      case 1 -> writer.deleteDocuments(new Term("tag", "c" + source.nextInt(4)));
      case 2, 3, 4 -> writer.deleteDocuments(term);
      case 5 -> {
        if (source.nextInt(6) == 0) {
          writer.deleteAll();
        }
      }
      case 6 -> writer.addDocument(documents.document(source, key, false, "u"));
      case 7 -> writer.addDocument(documents.document(source, null, false, "u"));
      case 8 -> writer.updateDocuments(term, block(source, key));
      case 9 -> writer.addDocuments(block(source, null));
      case 10, 11 -> failing(source, term, key);
      case 12 -> {
        if (softField != null) {
          writer.softUpdateDocument(
              term, documents.document(source, key, false, "u"), softDelete());
        }
      }
      case 13 -> {
        if (softField != null) {
          writer.softUpdateDocuments(term, block(source, key), softDelete());
        }
      }
      case 14 -> {
        if (writer.getFieldNames().contains("number")) {
          writer.updateNumericDocValue(term, "number", source.nextInt(100));
        }
      }
      case 15 -> {
        if (softField != null && writer.getFieldNames().contains(softField)) {
          writer.updateDocValues(term, softDelete());
        }
      }
      case 16 -> {
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          assertThat(reader.numDocs()).isNotNegative();
        }
      }
      case 17 -> writer.forceMerge(1 + source.nextInt(2));
      case 18 -> imports(source);
      case 19, 20, 25 -> columns(source, term, key);
      case 21 -> tryDelete(source);
      case 22 -> writer.flush();
      case 23 ->
          writer.updateDocuments(
              new TermQuery(term), List.of(documents.document(source, key, false, "u")));
      case 24 -> writer.flushNextBuffer();
      default -> writer.updateDocument(term, documents.document(source, key, false, "u"));
    }
  }

  private void columns(Random source, Term term, String key) throws IOException {
    ColumnBatch batch = documents.batch(source, List.of(key));
    switch (source.nextInt(3)) {
      case 0 -> writer.addBatch(batch);
      case 1 -> writer.updateDocuments(term, batch);
      default -> writer.updateDocuments(new TermQuery(term), batch);
    }
  }

  private NumericDocValuesField softDelete() {
    return new NumericDocValuesField(softField, 1);
  }

  private List<Document> block(Random source, String lastKey) {
    List<Document> block = new ArrayList<>();
    // no true blocks with an index sort: they need a parent field, and then Lucene 10.5.1 cannot
    // merge a segment whose last document failed
    for (int i = 0; !sorted && i < 1 + source.nextInt(3); i++) {
      block.add(documents.document(source, null, false, "u"));
    }
    if (lastKey != null || sorted) {
      block.add(documents.document(source, lastKey, false, "u"));
    }
    return block;
  }

  private void failing(Random source, Term term, String key) throws IOException {
    try {
      writer.updateDocument(term, documents.document(source, key, true, "u"));
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessage(RandomDocuments.BOOM);
    }
  }

  private void imports(Random source) throws IOException {
    try (Directory other = new ByteBuffersDirectory()) {
      IndexWriterConfig plain = writerConfig(false);
      try (IndexWriter otherWriter = new IndexWriter(other, plain)) {
        for (int i = 0; i < 4; i++) {
          String key = documents.key(source.nextInt(KEYS));
          Document document = documents.document(source, key, false, "i");
          otherWriter.updateDocument(new Term("url", key), document);
        }
      }
      if (source.nextBoolean()) {
        writer.addIndexes(other);
      } else {
        try (DirectoryReader reader = DirectoryReader.open(other)) {
          List<CodecReader> readers = new ArrayList<>();
          for (LeafReaderContext leaf : reader.leaves()) {
            readers.add((CodecReader) leaf.reader());
          }
          writer.addIndexes(readers.toArray(CodecReader[]::new));
        }
      }
    }
  }

  private void tryDelete(Random source) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      if (reader.maxDoc() > 0) {
        writer.tryDeleteDocument(reader, source.nextInt(reader.maxDoc()));
      }
    }
  }

  private void compareStore() throws IOException {
    List<IndexCommit> commits = commits();
    if (commits.isEmpty()) {
      return;
    }
    SlowAnswer slow = SlowAnswer.of(commits.get(commits.size() - 1), config, softField);
    PageEntry entry = new PageEntry();
    for (Map.Entry<String, SlowAnswer.Page> page : slow.pages.entrySet()) {
      assertThat(writer.measurer().page(new BytesRef(page.getKey()), entry) && entry.present)
          .as("%s is in the store", page.getKey())
          .isTrue();
      assertThat(SlowAnswer.decode(entry.vector))
          .as("vector of %s, document %s", page.getKey(), page.getValue().uid())
          .isIn(
              slow.severalCopies.getOrDefault(page.getKey(), List.of(page.getValue())).stream()
                  .map(SlowAnswer.Page::postings)
                  .toList());
    }
    DeltaStatus status = writer.status();
    assertThat(status.pages()).as("pages").isEqualTo(slow.pages.size());
    assertThat(status.keylessDocuments()).as("keyless").isEqualTo(slow.keyless);
    assertThat(status.extraCopies()).as("extra copies").isEqualTo(slow.extraCopies);
  }

  private List<IndexCommit> commits() throws IOException {
    try {
      return DirectoryReader.listCommits(directory);
    } catch (IndexNotFoundException none) {
      return List.of();
    }
  }

  /** What the histories must be, from all commits in order, against what they are. */
  private void compareHistory() throws IOException {
    Map<String, List<MeasuredRefresh>> expected = new TreeMap<>();
    Map<String, Long> lastRefresh = new HashMap<>();
    Set<String> seen = new HashSet<>();
    Set<String> ambiguous = new HashSet<>(); // had several live copies: any of them was the page
    SlowAnswer before = null;
    for (IndexCommit commit : commits()) {
      SlowAnswer after = SlowAnswer.of(commit, config, softField);
      long generation = Long.parseLong(commit.getUserData().getOrDefault(Measurer.GENERATION, "0"));
      for (Map.Entry<String, SlowAnswer.Page> page : after.pages.entrySet()) {
        String uid = page.getValue().uid();
        if (uid.startsWith("u") && !seen.contains(uid)) {
          SlowAnswer.Page old = before == null ? null : before.pages.get(page.getKey());
          Long since = old == null ? null : lastRefresh.get(page.getKey());
          expected
              .computeIfAbsent(page.getKey(), k -> new ArrayList<>())
              .add(0, refresh(generation, uid, since, old, page.getValue()));
          lastRefresh.put(page.getKey(), RandomDocuments.millis(uid));
        } else if (!expected.containsKey(page.getKey())) {
          lastRefresh.put(page.getKey(), RandomDocuments.millis(uid));
        }
      }
      seen.addAll(after.everyUid);
      ambiguous.addAll(after.severalCopies.keySet());
      before = after;
    }
    for (int key = 0; key < KEYS; key++) {
      if (!ambiguous.contains(documents.key(key))) {
        compare(documents.key(key), expected.getOrDefault(documents.key(key), List.of()));
      }
    }
  }

  private MeasuredRefresh refresh(
      long generation, String uid, Long since, SlowAnswer.Page old, SlowAnswer.Page now) {
    long time = RandomDocuments.millis(uid);
    Ranks ranks = ranksOf.get(generation);
    boolean measured = since != null && time > since && ranks != null;
    return new MeasuredRefresh(
        generation,
        Instant.ofEpochMilli(time),
        measured ? Duration.ofMillis(time - since) : null,
        measured ? SlowAnswer.change(old.postings(), now.postings(), config, ranks) : 0,
        List.of(),
        0,
        0);
  }

  private void compare(String key, List<MeasuredRefresh> expected) throws IOException {
    List<MeasuredRefresh> actual =
        writer.explain(key).map(PageExplanation::refreshes).orElse(List.of());
    assertThat(actual).as("refreshes of %s, expected %s", key, expected).hasSameSizeAs(expected);
    for (int i = 0; i < actual.size(); i++) {
      MeasuredRefresh a = actual.get(i);
      MeasuredRefresh e = expected.get(i);
      String what = "refresh " + i + " of " + key;
      assertThat(a.generation()).as(what).isEqualTo(e.generation());
      assertThat(a.fetched()).as(what).isEqualTo(e.fetched());
      assertThat(a.interval()).as(what).isEqualTo(e.interval());
      assertThat(a.qualityChange())
          .as(what)
          .isCloseTo(e.qualityChange(), within(1e-9 * Math.max(1, Math.abs(e.qualityChange()))));
    }
  }

  @Override
  public void close() throws IOException {
    if (writer != null && writer.isOpen()) {
      writer.close();
    }
    directory.close();
    analyzer.close();
  }

  /** Splits at spaces; throws at one word. */
  private static final class FailingAnalyzer extends Analyzer {
    @Override
    protected TokenStreamComponents createComponents(String field) {
      Tokenizer source = new WhitespaceTokenizer();
      return new TokenStreamComponents(
          source,
          new TokenFilter(source) {
            private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

            @Override
            public boolean incrementToken() throws IOException {
              boolean more = input.incrementToken();
              if (more && term.toString().equals(RandomDocuments.BOOM)) {
                throw new IllegalStateException(RandomDocuments.BOOM);
              }
              return more;
            }
          });
    }
  }
}
