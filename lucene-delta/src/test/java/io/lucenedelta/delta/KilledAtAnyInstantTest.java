// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * After {@code kill -9} at any instant, index, store and history agree.
 *
 * <p>Every other kill comes at a random moment, the rest at a named step of a commit or a flush.
 */
class KilledAtAnyInstantTest {
  /** How many kills; {@code -Dkills=300 -Dkill.pages=FOLDER} for a long look with real pages. */
  private static final int KILLS = Integer.getInteger("kills", 10);

  private static final List<String> STEPS =
      List.of(
          FaultPoints.MEASURE,
          FaultPoints.APPLY,
          FaultPoints.AFTER_RUN,
          FaultPoints.COLUMNS_SAVED,
          FaultPoints.SETTLE,
          FaultPoints.BEFORE_MANIFEST,
          FaultPoints.BEFORE_RUN,
          FaultPoints.AFTER_MANIFEST,
          FaultPoints.END_SEGMENT);

  @TempDir Path folder;
  private final List<String> texts = realTexts();
  private int checked;

  private static List<String> realTexts() {
    try {
      return KilledProgram.texts();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void eachCommittedBatchIsThereOnceAndAnUncommittedOneNotAtAll() throws Exception {
    long seed = Long.getLong("kill.seed", System.nanoTime());
    Random random = new Random(seed);
    int first = random.nextInt(STEPS.size());
    for (int kill = 0; kill < KILLS; kill++) {
      String step = kill % 2 == 0 ? null : STEPS.get((first + kill / 2) % STEPS.size());
      runAndKill(step, random, "kill " + kill + ", seed " + seed);
      check("kill " + kill + " at " + step + ", seed " + seed);
    }
    // the second half are: by then a kill at a step that only a commit reaches has been made
    assertThat(checked).as("kills after a first commit").isGreaterThanOrEqualTo(KILLS / 2);
  }

  private void runAndKill(String step, Random random, String when) throws Exception {
    Path sign = folder.resolve(step == null ? "ready" : "there");
    Files.deleteIfExists(sign);
    List<String> flags = new ArrayList<>();
    if (!texts.isEmpty()) {
      flags.add("-D" + KilledProgram.PAGES + "=" + System.getProperty(KilledProgram.PAGES));
    }
    Process child =
        step == null
            ? Child.start(KilledProgram.class, flags, folder)
            : Child.start(KilledProgram.class, flags, folder, step, 1 + random.nextInt(8));
    for (int waited = 0; !Files.exists(sign) && child.isAlive(); waited++) {
      assertThat(waited).as("does not hang, %s", when).isLessThan(300_000);
      Thread.sleep(2);
    }
    assertThat(child.isAlive()).as("the program opens and runs, %s", when).isTrue();
    if (step == null) {
      Thread.sleep(random.nextInt(400));
    }
    child.destroyForcibly().waitFor();
  }

  private void check(String when) throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      int last = KilledProgram.lastBatch(directory);
      if (last < 0) {
        return;
      }
      checked++;
      try (CheckIndex check = new CheckIndex(directory)) {
        assertThat(check.checkIndex().clean).as("index is clean, %s", when).isTrue();
      }
      DeltaConfig config = KilledProgram.config(texts, FaultPoints.NONE);
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        SlowAnswer slow = latest(directory, config);
        compareStore(writer, slow, last, when);
        compareHistory(writer, last, when);
        assertThat(writer.nextPages(100, KilledProgram.time(last + 1)))
            .as("next, %s", when)
            .extracting(PagePriority::page)
            .containsExactlyInAnyOrderElementsOf(slow.pages.keySet());
        ColumnsCheck.compare(writer.measurer(), when);
      }
    }
  }

  private static SlowAnswer latest(Directory directory, DeltaConfig config) throws IOException {
    List<IndexCommit> commits = DirectoryReader.listCommits(directory);
    return SlowAnswer.of(commits.get(commits.size() - 1), config, null);
  }

  private void compareStore(DeltaIndexWriter writer, SlowAnswer slow, int last, String when)
      throws Exception {
    Map<String, List<Instant>> fetches = KilledProgram.fetches(last, texts);
    assertThat(writer.status().pages()).as(when).isEqualTo(slow.pages.size());
    PageEntry entry = new PageEntry();
    for (Map.Entry<String, SlowAnswer.Page> page : slow.pages.entrySet()) {
      assertThat(writer.measurer().page(new BytesRef(page.getKey()), entry)).as(when).isTrue();
      assertThat(SlowAnswer.decode(entry.vector)).as(when).isEqualTo(page.getValue().postings());
      List<Instant> known = fetches.get(page.getKey());
      assertThat(entry.lastRefresh())
          .as("last refresh of %s, %s", page.getKey(), when)
          .isEqualTo(known.get(known.size() - 1));
    }
  }

  private void compareHistory(DeltaIndexWriter writer, int last, String when) throws Exception {
    for (Map.Entry<String, List<Instant>> page : KilledProgram.fetches(last, texts).entrySet()) {
      List<Instant> fetched = new ArrayList<>();
      writer
          .explain(page.getKey())
          .orElseThrow(() -> new AssertionError(page.getKey() + " is unknown, " + when))
          .refreshes()
          .forEach(refresh -> fetched.add(refresh.fetched()));
      Collections.reverse(fetched);
      assertThat(fetched).as("refreshes of %s, %s", page.getKey(), when).isEqualTo(page.getValue());
    }
  }
}
