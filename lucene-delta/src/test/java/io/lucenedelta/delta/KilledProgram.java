// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Indexes batches until it is killed: {@code FOLDER [STEP COUNT]}, asks for the order of pages
 * between them, closes its writer after every few and opens another. What a batch does follows from
 * its number alone, and every batch refreshes the page {@code sentinel} with that number, so that
 * the index itself tells what was committed and what the history must be.
 *
 * <p>With a step, the program stops for ever when it comes there the given time, and says so in the
 * file {@code there}: to be killed at that very step.
 *
 * <p>Texts are random words, or those of the files in {@code -Dkill.pages=FOLDER}, one page a file.
 */
public final class KilledProgram {
  static final String SENTINEL = "sentinel";
  static final String PAGES = "kill.pages";
  private static final String[] WORDS = {"alpha", "beta", "gamma", "delta", "other", "words"};
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final int REAL_TERMS = 300;
  private static final int STILL_PAGES = 3;
  private static final int BATCHES_OF_A_WRITER = 6;

  private final DeltaConfig config;
  private final List<String> texts;
  private DeltaIndexWriter writer;

  private KilledProgram(DeltaConfig config, List<String> texts) {
    this.config = config;
    this.texts = texts;
  }

  /**
   * What a batch does, one page after the other; a page can come several times. Without a text the
   * page was visited and found as it was.
   */
  record Step(String key, boolean deletes, String text) {}

  static List<Step> steps(int batch, List<String> texts) {
    Random random = new Random(batch);
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(SENTINEL, false, text(random, texts)));
    for (int page = 0; batch == 0 && page < STILL_PAGES; page++) {
      steps.add(new Step("still" + page, false, text(random, texts)));
    }
    for (int i = batch == 0 ? 0 : random.nextInt(3); i > 0; i--) {
      steps.add(new Step("still" + random.nextInt(STILL_PAGES), false, null));
    }
    for (int i = random.nextInt(30); i > 0; i--) {
      boolean deletes = random.nextInt(10) == 0;
      steps.add(new Step("page" + random.nextInt(60), deletes, text(random, texts)));
    }
    return steps;
  }

  private static String text(Random random, List<String> texts) {
    if (!texts.isEmpty()) {
      return texts.get(random.nextInt(texts.size()));
    }
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 1 + random.nextInt(15); i++) {
      body.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
    }
    return body.toString();
  }

  /** When each page was fetched, oldest first, if batches 0 to {@code last} were committed. */
  static Map<String, List<Instant>> fetches(int last, List<String> texts) {
    Map<String, List<Instant>> fetches = new TreeMap<>();
    for (int batch = 0; batch <= last; batch++) {
      Map<String, Boolean> live = new TreeMap<>();
      steps(batch, texts).forEach(step -> live.put(step.key(), !step.deletes()));
      Instant time = time(batch);
      live.forEach(
          (key, alive) -> {
            if (alive) {
              fetches.computeIfAbsent(key, k -> new ArrayList<>()).add(time);
            }
          });
    }
    return fetches;
  }

  /** The texts to index; none when words are to be random. */
  static List<String> texts() throws IOException {
    String folder = System.getProperty(PAGES);
    if (folder == null) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      for (Path file : files.sorted().toList()) {
        texts.add(Files.readString(file));
      }
    }
    return texts;
  }

  static DeltaConfig config(List<String> texts, FaultPoints faults) {
    var workload =
        Workload.builder()
            .add(List.of("alpha"), 5)
            .add(List.of("beta", "gamma"), 3)
            .add(List.of("delta"), 1);
    texts.stream()
        .flatMap(SPACES::splitAsStream)
        .filter(word -> !word.isEmpty())
        .distinct()
        .limit(REAL_TERMS)
        .forEach(word -> workload.add(List.of(word), 2));
    return DeltaConfig.builder(workload.build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .rebuildEvery(7)
        .measuringThreads(3)
        .measuringBlock(2)
        .faults(faults)
        .build();
  }

  /** When batch {@code number} fetched its pages. */
  static Instant time(int number) {
    return RandomDocuments.START.plusSeconds(3600L * number);
  }

  /** The last batch that the index holds, -1 when there is none. */
  static int lastBatch(Directory directory) throws Exception {
    if (!DirectoryReader.indexExists(directory)) {
      return -1;
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      ScoreDoc[] found =
          new IndexSearcher(reader).search(new TermQuery(new Term("url", SENTINEL)), 1).scoreDocs;
      return found.length == 0
          ? -1
          : reader
              .storedFields()
              .document(found[0].doc)
              .getField("batch")
              .numericValue()
              .intValue();
    }
  }

  /** Runs until killed; the file {@code ready} says that the first commit is near. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    FaultPoints stop = FaultPoints.NONE;
    if (arguments.length > 1) {
      stop = stopAt(arguments[1], Integer.parseInt(arguments[2]), folder.resolve("there"));
    }
    List<String> texts = texts();
    new KilledProgram(config(texts, stop), texts).run(folder);
  }

  private static FaultPoints stopAt(String step, int time, Path there) {
    AtomicInteger left = new AtomicInteger(time); // several threads measure
    return point -> {
      if (point.equals(step) && left.decrementAndGet() == 0) {
        try {
          Files.writeString(there, "");
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
        while (true) {
          LockSupport.park();
        }
      }
    };
  }

  private void run(Path folder) throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      while (true) {
        IndexWriterConfig writerConfig =
            new IndexWriterConfig(new WhitespaceAnalyzer()).setMaxBufferedDocs(8);
        try (DeltaIndexWriter opened = new DeltaIndexWriter(directory, writerConfig, config)) {
          writer = opened;
          Files.writeString(folder.resolve("ready"), "");
          someBatches(lastBatch(directory) + 1);
        }
      }
    }
  }

  private void someBatches(int first) throws IOException {
    for (int batch = first; batch < first + BATCHES_OF_A_WRITER; batch++) {
      for (Step step : steps(batch, texts)) {
        take(step, batch);
      }
      writer.commit();
      if (batch % 2 == 0) {
        writer.nextPages(3, time(batch + 1));
      }
    }
  }

  private void take(Step step, int batch) throws IOException {
    Term page = new Term("url", step.key());
    if (step.deletes()) {
      writer.deleteDocuments(page);
      return;
    }
    if (step.text() == null) {
      writer.recordUnchanged(step.key(), time(batch));
      return;
    }
    Document document = new Document();
    document.add(new StringField("url", step.key(), Field.Store.YES));
    document.add(new StringField("uid", "u" + batch, Field.Store.YES));
    document.add(new StoredField("batch", batch));
    document.add(new TextField("body", step.text(), Field.Store.NO));
    document.add(config.fetchTime(time(batch)));
    writer.updateDocument(page, document);
  }
}
