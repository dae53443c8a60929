// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many crawlers ask for pages all the time, and one thread commits. */
@Timeout(60)
class CommitAmongCrawlersTest {
  private static final int CRAWLERS = 50;
  private static final int FEW = 30; // whoever comes just then may be first, some times in a row

  private final Instant now = Instant.parse("2024-01-01T00:00:00Z");
  private final List<String> troubles = new ArrayList<>();
  private final Directory index = new ByteBuffersDirectory();
  private final Set<Thread> taking = ConcurrentHashMap.newKeySet();
  private final AtomicInteger takesBefore = new AtomicInteger(-1); // the commit had its turn
  private volatile Elsewhere whenTaking = () -> {};
  @TempDir Path folder;

  @Test
  void aCommitDoesNotWaitForEveryCrawlerThatAskedBeforeIt() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "a");
      writer.commit();
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(1));
      put(writer, "b");
      List<FutureTask<Void>> asked = new ArrayList<>();
      whenTaking =
          () -> {
            whenTaking = () -> taking.add(Thread.currentThread());
            takesBefore.set(-1);
            for (int crawler = 0; crawler < CRAWLERS; crawler++) {
              asked.add(startAndWaitForThisThread(() -> queue.take(0)));
            }
            asked.add(startAndWaitForThisThread(writer::commit));
          };
      queue.take(0);
      for (FutureTask<Void> each : asked) {
        each.get();
      }
      assertThat(takesBefore.get()).as("takes that the commit waited for").isBetween(0, FEW);
    }
    assertThat(troubles).isEmpty();
  }

  /** Begins something in another thread that waits for a lock of this one. */
  private static FutureTask<Void> startAndWaitForThisThread(Elsewhere action) throws Exception {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              action.run();
              return null;
            });
    Thread thread = Thread.ofPlatform().daemon().start(task);
    ThreadInfo info;
    do {
      Thread.sleep(1);
      info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.threadId());
    } while (info.getLockOwnerId() != Thread.currentThread().threadId());
    return task;
  }

  private static void put(DeltaIndexWriter writer, String page) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", "alpha of " + page, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .clock(this::time)
            .listener(new Troubles(troubles))
            .faults(this::reached)
            .build();
    return new DeltaIndexWriter(index, new IndexWriterConfig(new SimpleAnalyzer()), config);
  }

  /** A take looks at the clock while commits wait for it. */
  private Instant time() {
    try {
      whenTaking.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return now;
  }

  private void reached(String point) {
    if (point.equals(FaultPoints.MEASURE)) {
      taking.remove(Thread.currentThread());
      takesBefore.compareAndSet(-1, taking.size());
    }
  }
}
