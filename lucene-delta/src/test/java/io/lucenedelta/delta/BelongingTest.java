// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Index and measurements that do not belong together, as a reader sees them. */
class BelongingTest {
  private static final String OF_ANOTHER =
      " holds measurements of another index, or former ones of this index, which was last measured"
          + " into another folder; if so, open that one, by DeltaState.open(index, state) or through"
          + " a link of this name";

  private Runnable beforeManifest = () -> {}; // of a batch
  private Runnable beforeWriting = () -> {}; // any manifest
  private final CountDownLatch looked = new CountDownLatch(1); // and is to look again
  private final CountDownLatch written = new CountDownLatch(1);
  @TempDir Path folder;

  private final class Watched extends FilterDirectory {
    Watched(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (name.equals("pending_delta")) {
        beforeWriting.run();
      }
      return in.createOutput(name, context);
    }
  }

  @Test
  void whatBelongsTogetherIsNoTrouble() throws IOException {
    index("a", 2);
    assertThat(troubles("a", "a.delta")).isEmpty();
  }

  @Test
  void anIndexFromBeforeIsTold() throws IOException {
    index("a", 2);
    FolderCopy.make(folder.resolve("a"), folder.resolve("before"));
    index("a", 3);
    assertThat(troubles("before", "a.delta"))
        .singleElement()
        .asString()
        .startsWith("the index is older than the measurements in ")
        .endsWith(
            "it holds batch 2, they go on to batch 5; the next writer forgets what was measured since");
  }

  @Test
  void measurementsFromBeforeAreTold() throws IOException {
    index("a", 2);
    FolderCopy.make(folder.resolve("a.delta"), folder.resolve("before"));
    index("a", 3);
    assertThat(troubles("a", "before"))
        .singleElement()
        .asString()
        .startsWith("the index is newer than the measurements in ")
        .contains("it holds batch 5, they go on to batch 2");
  }

  @Test
  void measurementsOfAnotherIndexAreTold() throws IOException {
    index("a", 2);
    index("b", 2);
    assertThat(troubles("a", "b.delta"))
        .singleElement()
        .asString()
        .endsWith("b.delta" + OF_ANOTHER);
  }

  @Test
  void formerMeasurementsOfAnIndexThatIsMeasuredIntoAnotherFolderNowAreTold() throws IOException {
    index("a", 2);
    Path elsewhere = folder.resolve("elsewhere");
    index("a", 1, elsewhere);
    assertThat(troubles("a", "a.delta"))
        .singleElement()
        .asString()
        .endsWith("a.delta" + OF_ANOTHER);
    assertThat(troubles("a", "elsewhere")).as("where the sentence leads").isEmpty();
  }

  /** Until the next writer comes, whoever opens the two would wait in vain. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitThatNoWriterIsAboutToSettleIsNotWaitedForLong(boolean measured) throws IOException {
    index("a", 2);
    FolderCopy.make(folder.resolve("a.delta"), folder.resolve("before"));
    if (measured) {
      index("a", 1);
    } else {
      commitUnmeasured("a");
    }
    try (Directory index = FSDirectory.open(folder.resolve("a"));
        Directory state = FSDirectory.open(folder.resolve("before"))) {
      IndexCommit commit = new CommittedIndex(index, null).latest();
      Path segments = folder.resolve("a").resolve(commit.getSegmentsFileName());
      Files.setLastModifiedTime(segments, FileTime.from(Instant.now().plusSeconds(60)));
      assertThat(belonging(index, state).attempts()).as("while it is new").isEqualTo(10);
      assertThat(looks("a", "before")).isEqualTo(10);
      Files.setLastModifiedTime(segments, FileTime.from(Instant.now().minusSeconds(60)));
      assertThat(belonging(index, state).attempts()).isEqualTo(2);
      assertThat(belonging(index, state).trouble()).isPresent();
      assertThat(looks("a", "before")).isEqualTo(2);
    }
  }

  /** How often a reader looks before it believes what it sees, without a pause. */
  private int looks(String index, String state) throws IOException {
    AtomicInteger looks = new AtomicInteger(1);
    Runnable pause = looks::incrementAndGet;
    try (DeltaState opened = DeltaState.open(folder.resolve(index), folder.resolve(state), pause)) {
      assertThat(opened.troubles()).hasSize(1);
    }
    return looks.get();
  }

  private Belonging belonging(Directory index, Directory state) throws IOException {
    try (DirectoryReader reader = new CommittedIndex(index, null).openLatest()) {
      return Belonging.of(reader, Manifest.read(state), folder);
    }
  }

  private void commitUnmeasured(String index) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    try (Directory directory = FSDirectory.open(folder.resolve(index));
        IndexWriter plain = new IndexWriter(directory, config)) {
      plain.addDocument(new Document());
    }
  }

  @Test
  void aCommitThatIsDeletedOnceItIsOpenedIsJudgedByWhatIsOpen() throws IOException {
    index("a", 2);
    try (Directory index = FSDirectory.open(folder.resolve("a"));
        Directory state = FSDirectory.open(folder.resolve("a.delta"));
        DirectoryReader settled = new CommittedIndex(index, null).openLatest()) {
      Manifest manifest = Manifest.read(state);
      commitUnmeasured("a");
      assertThat(index.listAll()).doesNotContain(settled.getIndexCommit().getSegmentsFileName());
      assertThat(Belonging.of(settled, manifest, folder))
          .isEqualTo(new Belonging(1, Optional.empty()));
      try (DirectoryReader unmeasured = new CommittedIndex(index, null).openLatest()) {
        commitUnmeasured("a");
        Belonging belonging = Belonging.of(unmeasured, manifest, folder);
        assertThat(belonging.attempts()).as("a writer is at work").isEqualTo(10);
        assertThat(belonging.trouble()).isPresent();
      }
    }
  }

  /** As where it takes longer to open the index than to make a commit. */
  @Test
  void aReaderBesideAWriterThatAlwaysHasMadeALaterCommitIsOpened() throws IOException {
    index("a", 2);
    commitUnmeasured("a");
    AtomicInteger looks = new AtomicInteger(1);
    try (DeltaState opened =
        DeltaState.open(
            new Committing(folder).wrapPath(folder.resolve("a")),
            folder.resolve("a.delta"),
            looks::incrementAndGet)) {
      assertThat(opened.status().generation()).isEqualTo(2);
      assertThat(opened.troubles()).singleElement().asString().contains("without being measured");
    }
    assertThat(looks).hasValue(10);
  }

  /** Has another commit made whenever it is asked how old the latest is. */
  private final class Committing extends FilterFileSystemProvider {
    Committing(Path folder) {
      super("committing", folder.getFileSystem());
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) throws IOException {
      if (path.getFileName().toString().startsWith("segments_")) {
        commitUnmeasured("a");
      }
      return super.readAttributes(path, type, options);
    }
  }

  @Test
  void anIndexThatALinkNamedIsOpenedThoughTheLinkLeadsToAnotherMeanwhile() throws IOException {
    index("a", 2);
    index("b", 3);
    commitUnmeasured("a");
    Path link = link("a");
    Runnable pause = () -> link("b");
    try (DeltaState opened = DeltaState.open(link, folder.resolve("a.delta"), pause)) {
      assertThat(opened.troubles()).singleElement().asString().contains("without being measured");
    }
  }

  @Test
  void measurementsBesideAnIndexThatALinkNamesAreOpenedWithThatIndex() throws IOException {
    index("a", 2);
    index("b", 3);
    try (DeltaState opened = DeltaState.open(new Relinking(folder).wrapPath(link("a")))) {
      assertThat(opened.troubles()).isEmpty();
      assertThat(opened.status().generation()).isEqualTo(2);
    }
  }

  /** Makes a link lead elsewhere when it is looked at a second time. */
  private final class Relinking extends FilterFileSystemProvider {
    private boolean seen;

    Relinking(Path folder) {
      super("relinking", folder.getFileSystem());
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) throws IOException {
      if (path.getFileName().toString().equals("current")) {
        link(seen ? "b" : "a");
        seen = true;
      }
      return super.readAttributes(path, type, options);
    }
  }

  private Path link(String index) {
    Path link = folder.resolve("current");
    try {
      Files.deleteIfExists(link);
      return Files.createSymbolicLink(link, folder.resolve(index));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By who puts another in its place, which would be moved into a folder that was made here. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "a.delta"})
  void aFolderThatIsMovedAwayWhileItIsOpenedIsNotMadeAnew(String moved) throws IOException {
    index("a", 2);
    commitUnmeasured("a"); // or it would be opened at the first look
    Runnable pause = () -> move(moved, "away");
    assertThatThrownBy(() -> DeltaState.open(folder.resolve("a"), folder.resolve("a.delta"), pause))
        .isInstanceOf(FileSystemException.class)
        .as("it is none that was never indexed: who indexed it now would make it anew")
        .isNotInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(moved + " was moved or deleted while it was opened; open the index");
    assertThat(folder.resolve(moved)).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a.delta"})
  void aFolderThatIsPutInItsPlaceMeanwhileIsOpened(String moved) throws IOException {
    index("a", 3);
    FolderCopy.make(folder.resolve(moved), folder.resolve("restored"));
    commitUnmeasured("a");
    AtomicInteger looks = new AtomicInteger(1);
    Runnable pause =
        () -> {
          move(moved, "away");
          if (looks.incrementAndGet() == 3) {
            move("restored", moved);
          }
        };
    try (DeltaState opened =
        DeltaState.open(folder.resolve("a"), folder.resolve("a.delta"), pause)) {
      assertThat(opened.status().generation()).isEqualTo(3);
    }
    assertThat(folder.resolve("restored")).doesNotExist();
  }

  /** Does nothing when that was done before. */
  private void move(String from, String to) {
    try {
      if (!Files.exists(folder.resolve(to))) {
        Files.move(folder.resolve(from), folder.resolve(to));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aReaderThatComesBetweenCommitAndMeasurementsWaitsForThem() throws Exception {
    index("a", 2);
    FutureTask<Long> reading = reading();
    beforeManifest = () -> waitFor(reading);
    index("a", 1);
    written.countDown();
    assertThat(reading.get()).isEqualTo(3);
  }

  @Test
  void soItDoesWhereTheCommitClosesNoBatch() throws Exception {
    index("a", 2);
    try (Directory directory = FSDirectory.open(folder.resolve("a"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new SimpleAnalyzer()), config(null))) {
      writer.setLiveCommitData(Map.of("app", "1").entrySet());
      FutureTask<Long> reading = reading();
      beforeWriting = () -> waitFor(reading);
      writer.commit();
      written.countDown();
      assertThat(reading.get()).isEqualTo(2);
    }
  }

  private FutureTask<Long> reading() {
    return new FutureTask<>(
        () -> {
          Path index = folder.resolve("a");
          try (DeltaState state = DeltaState.open(index, folder.resolve("a.delta"), this::pause)) {
            assertThat(state.troubles()).isEmpty();
            return state.status().generation();
          }
        });
  }

  /** However long the writer takes: by time a reader looks ten times in a fifth of a second. */
  private void pause() {
    looked.countDown();
    try {
      written.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens the reader, once, and goes on when that waits. */
  private void waitFor(FutureTask<Long> reading) {
    beforeManifest = () -> {};
    beforeWriting = () -> {};
    Thread.ofPlatform().daemon().start(reading);
    while (looked.getCount() > 0 && !reading.isDone()) {
      Thread.onSpinWait();
    }
  }

  /** Or all its looks might be over before the writer has a chance. */
  @Test
  void betweenTwoLooksAReaderWaits() throws Exception {
    index("a", 2);
    boolean waited = false;
    for (int attempt = 0; attempt < 20 && !waited; attempt++) { // none may be seen to wait
      commitUnmeasured("a");
      FutureTask<List<String>> opening = new FutureTask<>(() -> troubles("a", "a.delta"));
      Thread reader = Thread.ofPlatform().daemon().start(opening);
      while (!waited && !opening.isDone()) {
        waited = reader.getState() == Thread.State.TIMED_WAITING;
      }
      assertThat(opening.get()).isNotEmpty();
    }
    assertThat(waited).isTrue();
  }

  private List<String> troubles(String index, String state) throws IOException {
    try (DeltaState opened = DeltaState.open(folder.resolve(index), folder.resolve(state))) {
      return opened.troubles();
    }
  }

  /** Measures beside the index where no folder is given. */
  private DeltaConfig config(Path state) {
    return DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
        .keyField("url")
        .scoredField("body")
        .statePath(state)
        .stateDirectory(Watched::new)
        .faults(
            point -> {
              if (point.equals(FaultPoints.BEFORE_MANIFEST)) {
                beforeManifest.run();
              }
            })
        .build();
  }

  private void index(String name, int batches) throws IOException {
    index(name, batches, null);
    assertThat(Files.isDirectory(folder.resolve(name + ".delta"))).isTrue();
  }

  private void index(String name, int batches, Path state) throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new SimpleAnalyzer()), config(state))) {
      for (int batch = 0; batch < batches; batch++) {
        Document page = new Document();
        page.add(new StringField("url", "page", Field.Store.YES));
        page.add(new TextField("body", "alpha", Field.Store.NO));
        writer.updateDocument(new Term("url", "page"), page);
        writer.commit();
      }
    }
  }
}
