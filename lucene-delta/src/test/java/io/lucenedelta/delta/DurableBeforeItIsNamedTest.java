// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
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
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the power fails, a file is whole if it was synced, and there if its folder was. */
class DurableBeforeItIsNamedTest {
  private static final int PAGES = 10;
  private static final String WENT_BACK = "went_back";
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final List<String> troubles = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final Set<String> named = new TreeSet<>(); // by manifests, without their numbers
  private final Set<String> unsynced = new TreeSet<>();
  private final Set<String> uncertain = new TreeSet<>(); // names since the folder was synced
  private final Set<String> synced = new TreeSet<>(); // since a manifest without a clean mark
  private boolean incompleteThere; // ever
  private boolean toldThere; // when a queue was named
  private boolean goneBack; // when a manifest was named
  private FaultPoints failing = FaultPoints.NONE;
  private int commits;
  private volatile Instant now = START;

  @TempDir private Path folder;

  private void require(boolean durable, String what) {
    if (!durable) {
      faults.add(what);
    }
  }

  /** The folder of what is measured. */
  private final class State extends FilterDirectory {
    State(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      unsynced.add(name);
      uncertain.add(name);
      incompleteThere |= name.startsWith("incomplete_");
      return in.createOutput(name, context);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      in.sync(names);
      unsynced.removeAll(names);
      synced.addAll(names);
    }

    @Override
    public void syncMetaData() throws IOException {
      in.syncMetaData();
      uncertain.clear();
    }

    @Override
    public void rename(String source, String target) throws IOException {
      require(!unsynced.contains(source), target + " is renamed before it is synced");
      in.rename(source, target);
      uncertain.remove(source);
      uncertain.add(target);
      if (target.startsWith("queue_")) {
        Set<String> missing = missing("told_.*");
        require(missing.isEmpty(), target + " is there before " + missing);
        toldThere |= Stream.of(in.listAll()).anyMatch(file -> file.startsWith("told_"));
      }
      if (target.startsWith("delta_")) {
        boolean lasts = !unsynced.contains(WENT_BACK) && !uncertain.contains(WENT_BACK);
        require(lasts, target + " forgets batches, and that they went back may be lost");
        goneBack |= List.of(in.listAll()).contains(WENT_BACK);
        Manifest manifest = Manifest.read(in);
        List<String> files = new ArrayList<>(manifest.refreshFiles);
        files.add(manifest.ranksFile);
        if (manifest.cleanCommit.isEmpty()) {
          synced.clear();
        } else {
          String pages = StateFiles.pages(manifest.pagesNumber);
          named.add(pages.replaceAll("[0-9]+", ""));
          require(synced.contains(pages), target + " calls clean " + pages + ", not synced in use");
          files.add(PagesCheck.name(manifest.pagesNumber));
          files.add(OrderFile.PREFIX + manifest.columnsNumber);
        }
        for (String file : files) {
          named.add(file.replaceAll("[0-9]+", ""));
          require(!unsynced.contains(file), target + " names " + file + ", which is not synced");
        }
      }
    }

    @Override
    public void deleteFile(String name) throws IOException {
      if (!name.startsWith("pending_")) {
        boolean replaced = uncertain.stream().noneMatch(file -> file.matches("(delta|queue)_.*"));
        require(replaced, name + " is deleted while " + uncertain + " may be lost");
      }
      in.deleteFile(name);
      unsynced.remove(name);
      uncertain.remove(name);
    }
  }

  /** Files of a kind that a failure of the machine may still take away. */
  private Set<String> missing(String kind) {
    Set<String> missing = new TreeSet<>(unsynced);
    missing.addAll(uncertain);
    missing.removeIf(file -> !file.matches(kind));
    return missing;
  }

  /** The folder of the index: what was measured is durable before the commit is. */
  private final class Index extends FilterDirectory {
    Index(Directory in) {
      super(in);
    }

    @Override
    public void rename(String source, String target) throws IOException {
      Set<String> missing = missing("(batch|visits|incomplete)_.*");
      require(missing.isEmpty(), target + " is there before " + missing);
      commits++;
      in.rename(source, target);
    }
  }

  private DeltaIndexWriter open() throws IOException {
    return open(
        new Index(FSDirectory.open(folder.resolve("index"))),
        new IndexWriterConfig(new WhitespaceAnalyzer()));
  }

  private DeltaIndexWriter open(Directory index, IndexWriterConfig settings) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .stateDirectory(State::new)
            .clock(() -> now)
            .faults(point -> failing.at(point))
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(index, settings, config);
  }

  private void commitBatch(DeltaIndexWriter writer, int number) throws IOException {
    now = now.plus(Duration.ofDays(1));
    int unchanged = number == 1 ? PAGES : PAGES - 1;
    for (int page = 0; page < unchanged; page++) {
      Document document = new Document();
      document.add(new StringField("url", "p" + page, Field.Store.NO));
      document.add(new TextField("body", "alpha" + " word".repeat(number + page), Field.Store.NO));
      writer.updateDocument(new Term("url", "p" + page), document);
    }
    if (unchanged < PAGES) {
      writer.recordUnchanged("p" + unchanged, now);
    }
    writer.commit();
  }

  @Test
  void nothingIsNamedBeforeItIsDurableNorDeletedBeforeWhatReplacesItIs() throws IOException {
    for (int opening = 0; opening < 2; opening++) {
      try (DeltaIndexWriter writer = open()) {
        for (int batch = 1; batch <= 9; batch++) { // eight of them become one file
          commitBatch(writer, batch);
          if (batch % 4 == 0) {
            writer.rebuild();
          }
          writer.fetchQueue(Duration.ofHours(1)).discovered("new" + opening + batch);
          writer.fetchQueue(Duration.ofHours(1)).take(2);
        }
        writer.nextPages(3);
      }
    }
    assertThat(faults).isEmpty();
    assertThat(troubles).isEmpty();
    assertThat(named)
        .contains("batch_", "refreshes_", "visits_", "ranks_", "check_", "order_", "pages_.map");
    assertThat(commits).isEqualTo(18);
  }

  @Test
  void whyABatchIsIncompleteIsDurableBeforeItsCommit() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      commitBatch(writer, 1);
      failing =
          point -> {
            if (point.equals(FaultPoints.END_SEGMENT)) {
              throw new IllegalStateException("injected");
            }
          };
      commitBatch(writer, 2);
      failing = FaultPoints.NONE;
      assertThat(writer.status().batchesIncomplete()).isOne();
    }
    assertThat(faults).isEmpty();
    assertThat(incompleteThere).as("a file that says why").isTrue();
  }

  @Test
  void whatCrawlersToldIsDurableBeforeTheQueueThatNamesIt() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      FetchQueue queue = writer.fetchQueue(Duration.ofHours(1));
      for (int round = 1; round <= 2; round++) {
        for (int page = 0; page < 2_000; page++) {
          queue.discovered("new" + round + "/" + page);
        }
        queue.save();
      }
    }
    assertThat(faults).isEmpty();
    assertThat(toldThere).as("a file of what was told").isTrue();
  }

  @Test
  void thatTheHistoriesWentBackIsDurableBeforeTheManifestThatForgets() throws IOException {
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(index, settings())) {
        for (int batch = 1; batch <= 3; batch++) {
          commitBatch(writer, batch);
        }
      }
      assertThat(goneBack).isFalse();
      IndexCommit earlier = DirectoryReader.listCommits(index).get(0);
      try (DeltaIndexWriter writer = open(index, settings().setIndexCommit(earlier))) {
        commitBatch(writer, 4);
      }
    }
    assertThat(goneBack).isTrue();
    assertThat(faults).isEmpty();
    assertThat(troubles).isEmpty();
  }

  /** All commits are kept. */
  private static IndexWriterConfig settings() {
    return new IndexWriterConfig(new WhitespaceAnalyzer())
        .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
  }
}
