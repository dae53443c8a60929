// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One opening and one batch with compaction, new ranks and spilled pages, with a fault at its first
 * step, its second, and so on to the last: the index is right, the trouble is told, the next commit
 * measures again. The same for closing, with what orders the pages left to the next writer.
 */
class FaultAtEveryStepTest {
  private static final int PAGES = 4;
  private static final int FAULT_WEEK = 9; // the eight files before it are due for compaction

  /** Every kind of fault at every step, not one of them: {@code -Dfaults=all}. */
  private static final boolean ALL = "all".equals(System.getProperty("faults"));

  private final FaultySteps faults = new FaultySteps();
  private final List<String> troubles = Collections.synchronizedList(new ArrayList<>());
  private final List<Trouble> kinds = Collections.synchronizedList(new ArrayList<>());

  private final List<Long> told = new ArrayList<>(); // batches measured
  @TempDir Path folder;

  private DeltaConfig config(Path run) {
    return DeltaConfig.builder(
            Workload.builder()
                .add(List.of("alpha"), 3)
                .add(List.of("beta"), 2)
                .add(List.of("beta", "gamma"), 1)
                .build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .statePath(run.resolve("state"))
        .rebuildEvery(2)
        .batchMemory(20)
        .measuringThreads(2)
        .measuringBlock(1)
        .faults(faults)
        .stateDirectory(faults::over)
        .listener(new ToldBatches(told, new Troubles(troubles, kinds)))
        .build();
  }

  private static DeltaIndexWriter open(Directory directory, DeltaConfig config) throws IOException {
    return new DeltaIndexWriter(
        directory, new IndexWriterConfig(new WhitespaceAnalyzer()).setMaxBufferedDocs(3), config);
  }

  /** Everything but page 0 anew; from the fault's week on without page 0. */
  private static void batch(DeltaIndexWriter writer, DeltaConfig config, int week)
      throws IOException {
    for (int i = week == 0 ? 0 : 1; i < PAGES; i++) {
      Document document = new Document();
      document.add(new StringField("url", "p" + i, Field.Store.YES));
      document.add(new StringField("uid", "u" + (PAGES * week + i), Field.Store.YES));
      document.add(config.fetchTime(RandomDocuments.time(week)));
      String text = week % 2 == 0 ? "alpha beta" : "beta gamma alpha alpha";
      document.add(new TextField("body", text + " word".repeat(i), Field.Store.NO));
      writer.updateDocument(new Term("url", "p" + i), document);
    }
    if (week == FAULT_WEEK) {
      writer.deleteDocuments(new Term("url", "p0"));
    }
    writer.commit();
  }

  /** What a writer left that was asked for the order of pages; returns the index. */
  private Directory base() throws IOException {
    Directory base = new ByteBuffersDirectory(); // its files are no step that fails
    DeltaConfig config = config(folder.resolve("base"));
    try (DeltaIndexWriter writer = open(base, config)) {
      for (int week = 0; week < FAULT_WEEK; week++) {
        batch(writer, config, week);
      }
      writer.nextPages(2);
    }
    return base;
  }

  private static Directory copyOf(Directory index) throws IOException {
    Directory copy = new ByteBuffersDirectory();
    for (String file : index.listAll()) {
      copy.copyFrom(index, file, file, IOContext.DEFAULT);
    }
    return copy;
  }

  @Test
  void theIndexStaysRightTheTroubleIsToldAndTheNextCommitMeasures() throws IOException {
    Directory base = base();
    int steps = run(base, FaultySteps.Kind.EXCEPTION, Integer.MAX_VALUE);
    assertThat(steps).isGreaterThan(40);
    assertThat(troubles).isEmpty();
    for (int step = 0; step < steps; step++) {
      for (FaultySteps.Kind kind : kindsAt(step)) {
        run(base, kind, step);
      }
    }
  }

  private static List<FaultySteps.Kind> kindsAt(int step) {
    List<FaultySteps.Kind> kinds = List.of(FaultySteps.Kind.values());
    return ALL ? kinds : List.of(kinds.get(step % kinds.size()));
  }

  /** Returns how many steps there were. */
  private int run(Directory base, FaultySteps.Kind kind, int step) throws IOException {
    Path run = folder.resolve("run");
    FolderCopy.make(folder.resolve("base"), run);
    troubles.clear();
    kinds.clear();
    told.clear();
    DeltaConfig config = config(run);
    int steps;
    try (Directory directory = copyOf(base)) {
      faults.arm(kind, step);
      DeltaIndexWriter writer = openDespite(directory, config);
      batch(writer, config, FAULT_WEEK);
      steps = faults.steps();
      faults.disarm();
      String when = kind + " at step " + step + ", " + faults.failed();
      assertThat(uids(directory)).as(when).isEqualTo(expectedUids(FAULT_WEEK));
      assertThat(faults.failed().isEmpty() || isHarmless(faults.failed()) || !troubles.isEmpty())
          .as("told, %s", when)
          .isTrue();
      try (writer) {
        batch(writer, config, FAULT_WEEK + 1);
        compare(writer, directory, config, when);
        long measured = writer.status().batchesMeasured() - FAULT_WEEK;
        assertThat(told)
            .as("each told once, %s", when)
            .doesNotHaveDuplicates()
            .hasSize((int) measured);
      }
      try (DeltaIndexWriter again = open(directory, config)) {
        compare(again, directory, config, when + ", opened again");
        assertThat(kinds.contains(Trouble.LOST) || again.status().batchesIncomplete() == 0)
            .as("an incomplete batch is told as lost, %s: %s", when, troubles)
            .isTrue();
      }
    } finally {
      delete(run);
    }
    return steps;
  }

  @Test
  void aFaultInClosingIsToldAndHarmsNothing() throws IOException {
    Directory base = base();
    int steps = close(base, FaultySteps.Kind.EXCEPTION, Integer.MAX_VALUE);
    assertThat(steps).isGreaterThan(5);
    assertThat(troubles).isEmpty();
    for (int step = 0; step < steps; step++) {
      for (FaultySteps.Kind kind : kindsAt(step)) {
        close(base, kind, step);
      }
    }
  }

  /** Closes a writer that was asked for the order; returns how many steps there were. */
  private int close(Directory base, FaultySteps.Kind kind, int step) throws IOException {
    Path run = folder.resolve("close");
    FolderCopy.make(folder.resolve("base"), run);
    DeltaConfig config = config(run);
    troubles.clear();
    int steps;
    try (Directory directory = copyOf(base)) {
      DeltaIndexWriter writer = open(directory, config);
      batch(writer, config, FAULT_WEEK);
      writer.nextPages(2);
      faults.arm(kind, step);
      writer.close();
      steps = faults.steps();
      faults.disarm();
      String when = kind + " at step " + step + " of closing, " + faults.failed();
      assertThat(faults.failed().isEmpty() || isHarmless(faults.failed()) || !troubles.isEmpty())
          .as("told, %s", when)
          .isTrue();
      try (DeltaIndexWriter again = open(directory, config)) {
        batch(again, config, FAULT_WEEK + 1);
        compare(again, directory, config, when);
      }
    } finally {
      delete(run);
    }
    return steps;
  }

  /** The constructor may say that it cannot; then the next one must. */
  private DeltaIndexWriter openDespite(Directory directory, DeltaConfig config) throws IOException {
    try {
      return open(directory, config);
    } catch (IOException | IllegalStateException | OutOfMemoryError e) {
      assertThat(e).hasStackTraceContaining("injected");
      troubles.add("could not be opened: " + e);
      faults.disarm();
      return open(directory, config);
    }
  }

  /** Looking for files to tidy up; a page store that is full once, and then is made larger. */
  private static boolean isHarmless(String step) {
    return step.equals("list files") || step.equals(FaultPoints.STORE);
  }

  private static void compare(
      DeltaIndexWriter writer, Directory directory, DeltaConfig config, String when)
      throws IOException {
    List<IndexCommit> commits = DirectoryReader.listCommits(directory);
    SlowAnswer slow = SlowAnswer.of(commits.get(commits.size() - 1), config, null);
    DeltaStatus status = writer.status();
    assertThat(status.pages()).as(when).isEqualTo(slow.pages.size());
    PageEntry entry = new PageEntry();
    new TreeMap<>(slow.pages)
        .forEach((key, page) -> assertThat(vector(writer, key, entry)).as(when).isEqualTo(page));
    List<MeasuredRefresh> refreshes = writer.explain("p2").orElseThrow().refreshes();
    assertThat(refreshes.get(0).fetched()).as(when).isEqualTo(RandomDocuments.time(FAULT_WEEK + 1));
    assertThat(refreshes.get(0).measured()).as("measured again, %s", when).isTrue();
    boolean recorded = refreshes.get(1).fetched().equals(RandomDocuments.time(FAULT_WEEK));
    assertThat(recorded || !status.lastIncomplete().isEmpty())
        .as("the batch is recorded or the status says why not, %s", when)
        .isTrue();
    ColumnsCheck.compare(writer.measurer(), when);
    assertThat(refreshes).as(when).hasSize(recorded ? FAULT_WEEK + 2 : FAULT_WEEK + 1);
  }

  private static SlowAnswer.Page vector(DeltaIndexWriter writer, String key, PageEntry entry) {
    try {
      assertThat(writer.measurer().page(new BytesRef(key), entry) && entry.present).isTrue();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    long week = (entry.lastRefresh - RandomDocuments.time(0).toEpochMilli()) / 3_600_000L;
    int page = Integer.parseInt(key.substring(1));
    return new SlowAnswer.Page(key, "u" + (PAGES * week + page), SlowAnswer.decode(entry.vector));
  }

  private static Set<String> uids(Directory directory) throws IOException {
    List<IndexCommit> commits = DirectoryReader.listCommits(directory);
    try (DirectoryReader reader = DirectoryReader.open(commits.get(commits.size() - 1))) {
      Set<String> uids = new TreeSet<>();
      for (var leaf : reader.leaves()) {
        for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
          if (leaf.reader().getLiveDocs() == null || leaf.reader().getLiveDocs().get(doc)) {
            uids.add(leaf.reader().storedFields().document(doc).get("uid"));
          }
        }
      }
      return uids;
    }
  }

  private static Set<String> expectedUids(int week) {
    Set<String> uids = new TreeSet<>();
    for (int i = 1; i < PAGES; i++) {
      uids.add("u" + (PAGES * week + i));
    }
    return uids;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
