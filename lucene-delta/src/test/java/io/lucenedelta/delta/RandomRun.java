// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.workload.Workload;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * One seed of the comparison with plain Lucene: random operations through a {@link
 * DeltaIndexWriter}, after each commit store, score shifts and history against {@link SlowHistory}.
 */
final class RandomRun implements Closeable {
  private static final int KEYS = 12;

  private final Random random;
  private final Directory directory;
  private final Analyzer analyzer = new FailingAnalyzer();
  private final RandomSettings settings;
  private final DeltaConfig config;
  private final RandomDocuments documents;
  private final RandomOperations operations;
  private final SlowHistory slow;
  private final Map<Long, RanksAsOf> ranksOf = Collections.synchronizedMap(new HashMap<>());
  private final List<String> troubles = Collections.synchronizedList(new ArrayList<>());
  private RanksAsOf measuredBy; // of the batch measured last
  private DeltaIndexWriter writer;
  private int rankComparisons;

  RandomRun(long seed, Path folder) throws IOException {
    this.random = new Random(seed);
    this.directory =
        seed % 8 == 0 ? FSDirectory.open(folder.resolve("index")) : new ByteBuffersDirectory();
    this.settings = new RandomSettings(seed, random, analyzer);
    DeltaConfig.Builder builder =
        DeltaConfig.builder(workload(random))
            .keyField("url")
            .statePath(folder.resolve("state"))
            .fetchTimeField("fetched")
            .rebuildEvery(1 + random.nextInt(5))
            .measuringThreads(1 + (int) (seed % 4))
            .measuringBlock(1 + (int) (seed % 3))
            .faults(this::reached)
            .listener(new Listener());
    int fields = 1 + random.nextInt(3);
    for (int field = 0; field < fields; field++) {
      builder.scoredField("f" + field, 1 + random.nextInt(3));
    }
    settings.importance.ifPresent(builder::importance);
    this.config = builder.build();
    this.documents = new RandomDocuments(config, random, KEYS);
    this.operations = new RandomOperations(seed, settings, documents, KEYS);
    this.slow = new SlowHistory(config, settings.softField);
    open();
  }

  /** How often rank functions that followed every page were compared. */
  int rankComparisons() {
    return rankComparisons;
  }

  /** The history that was compared. */
  SlowHistory slow() {
    return slow;
  }

  /** What the seed was run with. */
  @Override
  public String toString() {
    return settings.toString();
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

  private void reached(String point) {
    if (point.equals(FaultPoints.AFTER_RUN)) {
      Ranks ranks = writer == null ? null : writer.measurer().ranks();
      measuredBy = ranks == null ? null : RanksAsOf.of(ranks);
    }
  }

  private final class Listener implements DeltaListener {
    @Override
    public void batchMeasured(long generation, int refreshes, double qualityChange) {
      if (writer != null && measuredBy != null) {
        ranksOf.put(generation, measuredBy);
      }
    }

    @Override
    public void trouble(Trouble kind, String sentence, Throwable cause) {
      troubles.add(sentence + " " + cause);
    }
  }

  private void open() throws IOException {
    operations.use(null);
    writer = null;
    writer = new DeltaIndexWriter(directory, settings.writerConfig(true), config);
    operations.use(writer);
  }

  /** Runs batches of operations, comparing after each commit. */
  void run() throws Exception {
    int commits = 3 + random.nextInt(6);
    for (int i = 0; i < commits; i++) {
      if (operations.nextGoesByKey()) {
        operations.byKey();
      } else if (settings.threads && random.nextBoolean()) {
        inThreads();
      } else {
        for (int n = random.nextInt(30); n > 0; n--) {
          operations.any(random);
        }
      }
      finishBatch();
    }
    assertThat(writer.status().batchesIncomplete()).isZero();
    assertThat(troubles).as("troubles").isEmpty();
  }

  private void finishBatch() throws Exception {
    boolean looks = random.nextInt(4) > 0;
    switch (random.nextInt(14)) {
      case 0 -> {
        writer.rollback();
        open();
        looks = true;
      }
      case 1 -> {
        writer.prepareCommit();
        for (int i = 0; i < 3; i++) {
          operations.update(random, documents.key(random.nextInt(KEYS)));
        }
        writer.commit();
      }
      case 2 -> {
        writer.close(); // a commit, unless the settings say otherwise
        open();
      }
      case 3 -> {
        writer.prepareCommit();
        writer.rollback();
        open();
        looks = true;
      }
      case 4 -> {
        writer.commit();
        writer.rebuild();
      }
      default -> writer.commit();
    }
    if (looks) {
      compare();
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
                    operations.ofOnePage(own, documents.key(first + 3 * own.nextInt(KEYS / 3)));
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

  private void compare() throws IOException {
    DeltaStatus status = writer.status(); // settles what is left to settle
    slow.follow(commits(), ranksOf);
    if (slow.latest() != null) {
      compareStore(slow.latest(), status);
      compareRanks(status);
    }
    for (int key = 0; key < KEYS; key++) {
      slow.compare(writer, documents.key(key));
    }
  }

  private void compareStore(SlowAnswer index, DeltaStatus status) throws IOException {
    PageEntry entry = new PageEntry();
    for (Map.Entry<String, SlowAnswer.Page> page : index.pages.entrySet()) {
      assertThat(writer.measurer().page(new BytesRef(page.getKey()), entry) && entry.present)
          .as("%s is in the store", page.getKey())
          .isTrue();
      assertThat(SlowAnswer.decode(entry.vector))
          .as("vector of %s, document %s", page.getKey(), page.getValue().uid())
          .isIn(
              index.severalCopies.getOrDefault(page.getKey(), List.of(page.getValue())).stream()
                  .map(SlowAnswer.Page::postings)
                  .toList());
    }
    assertThat(status.pages()).as("pages").isEqualTo(index.pages.size());
    assertThat(status.keylessDocuments()).as("keyless").isEqualTo(index.keyless);
    assertThat(status.extraCopies()).as("extra copies").isEqualTo(index.extraCopies);
    assertThat(writer.nextPages(2 * KEYS, RandomDocuments.time(1_000_000)))
        .extracting(PagePriority::page)
        .containsExactlyInAnyOrderElementsOf(index.pages.keySet());
  }

  /** Rank functions that have followed every page are those of the index as it is now. */
  private void compareRanks(DeltaStatus status) throws IOException {
    Ranks followed = writer.measurer().ranks();
    if (followed == null || !writer.measurer().ranksFollow() || status.extraCopies() > 0) {
      return;
    }
    rankComparisons++;
    RankTable anew;
    try (DirectoryReader reader = new CommittedIndex(directory, settings.softField).openLatest()) {
      WorkloadTerms terms = WorkloadTerms.of(config.workload());
      anew = followed.renewed(reader, config, terms).table();
    }
    for (int query = 0; query < anew.size(); query++) {
      String what = config.workload().queryText(query);
      assertThat(followed.table().results(query))
          .as("N of %s", what)
          .isEqualTo(anew.results(query));
      for (int knot = 0; knot < RankTable.KNOTS; knot++) {
        float expected = anew.knotScore(query, knot);
        assertThat(followed.table().knotScore(query, knot))
            .as("knot %d of %s", knot, what)
            .isCloseTo(expected, offset(1e-3f * expected));
      }
    }
  }

  private List<IndexCommit> commits() throws IOException {
    try {
      return DirectoryReader.listCommits(directory);
    } catch (IndexNotFoundException none) {
      return List.of();
    }
  }

  @Override
  public void close() throws IOException {
    operations.use(null);
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
