// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

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

/** After {@code kill -9} at any instant, index, store and history agree. */
class KilledAtAnyInstantTest {
  /** How many kills; {@code -Dkills=300} for a long look. */
  private static final int KILLS = Integer.getInteger("kills", 10);

  @TempDir Path folder;

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void eachCommittedBatchIsThereOnceAndAnUncommittedOneNotAtAll() throws Exception {
    long seed = Long.getLong("kill.seed", System.nanoTime());
    Random random = new Random(seed);
    Path ready = folder.resolve("ready");
    for (int kill = 0; kill < KILLS; kill++) {
      Files.deleteIfExists(ready);
      Process child = Child.start(KilledProgram.class, List.of(), folder);
      while (!Files.exists(ready) && child.isAlive()) {
        Thread.sleep(2);
      }
      assertThat(child.isAlive()).as("the program opens after kill %d", kill).isTrue();
      Thread.sleep(random.nextInt(400));
      child.destroyForcibly().waitFor();
      check("kill " + kill + ", seed " + seed, kill % 3 == 2);
    }
  }

  /** Looks at the durable files, and now and then through a writer, which repairs the store. */
  private void check(String when, boolean throughWriter) throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      int last = KilledProgram.lastBatch(directory);
      if (last < 0) {
        return;
      }
      try (CheckIndex check = new CheckIndex(directory)) {
        assertThat(check.checkIndex().clean).as("index is clean, %s", when).isTrue();
      }
      if (throughWriter) {
        try (DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory,
                new IndexWriterConfig(new WhitespaceAnalyzer()),
                KilledProgram.config())) {
          compareStore(writer, directory, when);
          compareHistory(writer, last, when);
          assertThat(writer.nextPages(5, KilledProgram.time(last + 1))).isNotEmpty();
        }
      }
    }
  }

  private static void compareStore(DeltaIndexWriter writer, Directory directory, String when)
      throws Exception {
    List<IndexCommit> commits = DirectoryReader.listCommits(directory);
    SlowAnswer slow = SlowAnswer.of(commits.get(commits.size() - 1), KilledProgram.config(), null);
    assertThat(writer.status().pages()).as(when).isEqualTo(slow.pages.size());
    PageEntry entry = new PageEntry();
    for (Map.Entry<String, SlowAnswer.Page> page : slow.pages.entrySet()) {
      assertThat(writer.measurer().page(new BytesRef(page.getKey()), entry)).as(when).isTrue();
      assertThat(SlowAnswer.decode(entry.vector)).as(when).isEqualTo(page.getValue().postings());
      int batch = Integer.parseInt(page.getValue().uid().substring(1));
      assertThat(entry.lastRefresh())
          .as("last refresh of %s, %s", page.getKey(), when)
          .isEqualTo(KilledProgram.time(batch));
    }
  }

  private static void compareHistory(DeltaIndexWriter writer, int last, String when)
      throws Exception {
    List<Instant> fetched = new ArrayList<>();
    writer
        .explain(KilledProgram.SENTINEL)
        .orElseThrow()
        .refreshes()
        .forEach(refresh -> fetched.add(refresh.fetched()));
    Collections.reverse(fetched);
    List<Instant> expected = new ArrayList<>();
    for (int batch = 0; batch <= last; batch++) {
      expected.add(KilledProgram.time(batch));
    }
    assertThat(fetched).as("refreshes of the sentinel, %s", when).isEqualTo(expected);
  }
}
