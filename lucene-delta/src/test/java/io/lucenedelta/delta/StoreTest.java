// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import io.lucenedelta.workload.WorkloadFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.ThreadInterruptedException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The store holds what it is given, whatever its size, and says what is wrong with its files. */
class StoreTest {
  private static final int PAGES = Integer.getInteger("store.pages", 20_000);

  /** The first byte of a file's version, behind magic and name. */
  private static final int VERSION_AT =
      CodecUtil.headerLength("LuceneDeltaRefreshes") - Integer.BYTES;

  private final List<String> troubles = new ArrayList<>();

  @TempDir Path folder;

  @Test
  void growsFarBeyondItsFirstSizeWithLongKeysAndLargePages() throws IOException {
    PageEntry entry = new PageEntry();
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE)) {
      for (int i = 0; i < PAGES; i++) {
        fill(entry, i);
        store.put(key(i), entry);
      }
      assertThat(store.size()).isEqualTo(PAGES);
      PageEntry read = new PageEntry();
      for (int i = 0; i < PAGES; i += 97) {
        fill(entry, i);
        assertThat(store.get(key(i), read)).isTrue();
        assertThat(read.vector.sameAs(entry.vector)).as("vector of page %d", i).isTrue();
        assertThat(read.lastRefresh).isEqualTo(i);
      }
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).as("smaller files are gone").hasSize(1);
      }
    }
  }

  @Test
  void aStoreThatCannotBeMadeSaysWhereAndWhy() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> PageStore.create(missing, 7, 1_000, FaultPoints.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("page store " + missing.resolve("pages_7.map") + " for ")
        .hasMessageContaining(" pages cannot be made: ")
        .hasMessageContaining("No such file");
  }

  @ParameterizedTest
  @CsvSource({
    "No space left on device, true",
    "There is not enough space on the disk, true",
    "'posix_fallocate() returned 28', true",
    "Disk quota exceeded, true",
    "Mount point not found, false",
    "Permission denied, false"
  })
  void aStoreThatCannotBeMadeSaysHowMuchItNeedsWhereRoomLacks(String why, boolean told) {
    String start = "page store pages_7.map for 4,000 pages cannot be made";
    String room = "; see whether there are at least 336,000 bytes free";
    assertThat(PageStore.notMade(Path.of("pages_7.map"), 4_000, 336_000, new IOException(why)))
        .hasMessage(start + (told ? room : "") + ": " + why);
  }

  @Test
  void aStoreNeedsATenthMoreThanItsFileTakes() throws IOException {
    Path file = folder.resolve("pages_1.map");
    assertThat(PageStore.needed(file, 336_000)).as("at least").isEqualTo(369_601);
    PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE);
    store.close();
    assertThat(PageStore.needed(file, 336_000))
        .isGreaterThan(Files.size(file) / 10 * 11)
        .isLessThan(Files.size(file) / 8 * 9);
  }

  /** As Chronicle Map says it when its file cannot be extended. */
  private static void lackRoomIf(boolean full) {
    if (full) {
      throw new RuntimeException(
          "ChronicleMap{name=lucene-delta pages}",
          new IOException("Not enough space to fallocate 1 MiB to /, unallocated was 0 MiB"));
    }
  }

  @Test
  void aStoreThatCannotBeExtendedSaysWhyAndIsWrittenNoFurther() throws IOException {
    AtomicBoolean full = new AtomicBoolean();
    PageEntry entry = new PageEntry();
    PageStore store = PageStore.create(folder, 1, 0, point -> lackRoomIf(full.get()));
    try (Directory files = FSDirectory.open(folder)) {
      store.put(key(0), entry);
      full.set(true);
      String message =
          "page store %s cannot be extended; see whether its disk has room: Not enough space to fallocate 1 MiB to /, unallocated was 0 MiB"
              .formatted(folder.resolve("pages_1.map"));
      assertThatThrownBy(() -> store.put(key(1), entry))
          .isInstanceOf(IOException.class)
          .hasMessage(message);
      full.set(false);
      assertThatThrownBy(() -> store.put(key(2), entry)).as("later").hasMessage(message);
      assertThat(store.get(key(0), entry)).isTrue();
      store.close();
      assertThatThrownBy(() -> store.force(files, "a commit")).as("left").hasMessage(message);
    }
  }

  /** Whoever copies what has changed goes by it. */
  @Test
  void aStoreThatIsMadeDurableHasANewTime() throws IOException {
    PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE);
    store.close();
    Path file = folder.resolve("pages_1.map");
    FileTime longAgo = FileTime.fromMillis(0);
    Files.setLastModifiedTime(file, longAgo);
    try (Directory files = FSDirectory.open(folder)) {
      store.force(files, "a commit");
    }
    assertThat(Files.getLastModifiedTime(file)).isGreaterThan(longAgo);
  }

  @Test
  void aStoreWhoseCopyCannotBeExtendedWhileItGrowsIsAsBefore() throws IOException {
    AtomicBoolean full = new AtomicBoolean(true);
    Path larger = folder.resolve("pages_2.map");
    FaultPoints faults = point -> lackRoomIf(full.get() && Files.exists(larger));
    PageEntry entry = new PageEntry();
    try (PageStore store = PageStore.create(folder, 1, 0, faults)) {
      assertThatThrownBy(
              () -> {
                for (int page = 0; page < 2_000; page++) {
                  store.put(key(page), entry);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("page store " + larger + " cannot be extended; see whether");
      assertThat(larger).doesNotExist();
      long pages = store.size();
      assertThat(store.get(key((int) pages - 1), entry)).isTrue();
      full.set(false);
      store.put(key((int) pages), entry);
      assertThat(store.size()).isEqualTo(pages + 1);
      assertThat(larger).exists();
    }
  }

  @Test
  void aStoreMadeForItsPagesTakesLittleMoreThanTheyDo() throws IOException {
    PageEntry entry = new PageEntry();
    long bytes = 0;
    try (PageStore store = PageStore.create(folder, 1, PAGES, FaultPoints.NONE)) {
      for (int i = 0; i < PAGES; i++) {
        entry.clear();
        entry.add(true, i, 1000, i % 7, 1);
        entry.vector.addField(0, 1, 150);
        for (int term = 0; term < 150; term++) {
          entry.vector.addTerm(200 * term + (i + term * term) % 199, 1 + term % 3);
        }
        BytesRef key = new BytesRef(String.format("https://example.org/section/%040d.html", i));
        bytes += key.length + entry.encode();
        store.put(key, entry);
      }
      assertThat(store.size()).isEqualTo(PAGES);
      assertThat((double) store.bytes() / bytes).as("%d bytes of pages", bytes).isLessThan(1.25);
    }
  }

  @Test
  void aStoreOfFewHugePagesIsCopiedSeldom() throws IOException {
    PageEntry entry = new PageEntry();
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE)) {
      for (int page = 0; page < 300; page++) {
        fill(entry, 7);
        store.put(key(page), entry);
      }
      assertThat(store.size()).isEqualTo(300);
      assertThat(store.number() - 1).as("times copied").isLessThanOrEqualTo(2);
    }
  }

  /** It is filled from histories first, which have no vectors. */
  @Test
  void aStoreThatIsBuiltAnewIsLaidOutAsTheOneBefore() throws IOException {
    WorkloadBuilder asked = Workload.builder();
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < 150; word++) {
      asked.add(List.of("word" + word), 1);
      text.append(" word").append(word);
    }
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory,
                new IndexWriterConfig(new WhitespaceAnalyzer()),
                config(asked.build()))) {
      for (int page = 0; page < 3_000; page++) {
        put(writer, "p" + page, text.toString());
      }
      writer.commit();
      long before = pagesNumber();
      writer.rebuild();
      assertThat(pagesNumber() - before).as("the new store, and growths").isLessThanOrEqualTo(4);
    }
  }

  private long pagesNumber() throws IOException {
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      return Manifest.read(files).pagesNumber;
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 300000", "1200, 60000", "20000, 300000"})
  void aPageThatIsLargerThanAllOthersTogetherFindsRoom(int others, int terms) throws IOException {
    PageEntry entry = new PageEntry();
    PageEntry huge = new PageEntry();
    huge.vector.addField(0, 1, terms);
    for (int term = 0; term < terms; term++) {
      huge.vector.addTerm(2 * term + term % 2, 1 + term % 300);
    }
    try (PageStore store = PageStore.create(folder, 1, others, FaultPoints.NONE)) {
      for (int page = 0; page < others; page++) {
        entry.clear();
        entry.vector.addField(0, 1, 1);
        entry.vector.addTerm(page, 1);
        store.put(key(page), entry);
      }
      for (String name : List.of("huge", "another", "a third")) {
        store.put(new BytesRef(name), huge);
      }
      assertThat(store.size()).isEqualTo(others + 3L);
      for (String name : List.of("huge", "another", "a third")) {
        assertThat(store.get(new BytesRef(name), entry)).isTrue();
        assertThat(entry.vector.sameAs(huge.vector)).isTrue();
      }
      assertThat(store.get(key(1), entry)).isTrue();
    }
  }

  @Test
  void pagesThatShrinkAndGrowAgainAreNotMoved() throws IOException {
    PageEntry entry = new PageEntry();
    VectorBuffer vector = new VectorBuffer();
    long filled = 0;
    try (PageStore store = PageStore.create(folder, 1, 4_000, FaultPoints.NONE)) {
      for (int round = 0; round < 20; round++) {
        for (int page = 0; page < 4_000; page++) {
          boolean known = store.get(key(page), entry);
          assertThat(!known || entry.vector.sameAs(vectorOf(page, round - 1, vector)))
              .as("page %d comes back in round %d", page, round)
              .isTrue();
          entry.vector.copyFrom(vectorOf(page, round, vector));
          entry.add(true, round, 1000, 1, 1);
          store.put(key(page), entry);
        }
        filled = round == 1 ? store.number() : filled;
      }
      assertThat(store.number())
          .as("the store was copied since its pages were large")
          .isEqualTo(filled);
    }
  }

  /** Every other time a tenth smaller, one half of the pages when the other is not. */
  private static VectorBuffer vectorOf(int page, int round, VectorBuffer target) {
    int terms = (100 + page % 100) * (10 - (page + round) % 2) / 10;
    target.clear();
    target.addField(0, 1 + round, terms);
    for (int term = 0; term < terms; term++) {
      target.addTerm(200 * term + (page + term) % 199, 1 + term % 3);
    }
    return target;
  }

  private static BytesRef key(int page) {
    return new BytesRef("https://example.org/" + (page % 1000 == 7 ? "x".repeat(2000) : "") + page);
  }

  private static void fill(PageEntry entry, int page) {
    entry.clear();
    entry.present = true;
    entry.lastRefresh = page;
    int terms = page % 1000 == 7 ? 20_000 : 10 + page % 50;
    entry.vector.addField(0, page % 200, terms);
    for (int term = 0; term < terms; term++) {
      entry.vector.addTerm(term * 3 + page % 3, 1 + term % 4);
    }
  }

  private DeltaConfig config() {
    return config(Workload.builder().add(List.of("alpha"), 1).build());
  }

  private DeltaConfig config(Workload workload) {
    return builder(workload).build();
  }

  private DeltaConfig config(Path state) {
    return builder(Workload.builder().add(List.of("alpha"), 1).build()).statePath(state).build();
  }

  private DeltaConfig.Builder builder(Workload workload) {
    return DeltaConfig.builder(workload)
        .keyField("url")
        .scoredField("body")
        .listener(new Troubles(troubles));
  }

  private DeltaIndexWriter open(Directory directory) throws IOException {
    return new DeltaIndexWriter(
        directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config());
  }

  private static void put(DeltaIndexWriter writer, String key, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", key, Field.Store.YES));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", key), document);
  }

  private Path stateFile(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  private void makeState() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      put(writer, "a", "alpha");
      writer.commit();
    }
  }

  @Test
  void aClosedWriterLeavesOneFileOfRanks() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      for (String body : List.of("alpha", "alpha beta", "alpha alpha gamma")) {
        for (int page = 0; page < 30; page++) {
          put(writer, "p" + page, body);
        }
        writer.commit();
      }
    }
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      List<String> ranks =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.startsWith("ranks_"))
              .toList();
      assertThat(ranks).hasSize(1);
      assertThat(ranks.get(0)).as("written again at the close").isNotEqualTo("ranks_0");
    }
  }

  @Test
  void queriesThatNoPageAnswersTakeNextToNothingOfTheFileOfRanks() throws IOException {
    WorkloadBuilder queries = Workload.builder().add(List.of("alpha"), 1);
    for (int query = 0; query < 10_000; query++) {
      queries.add(List.of("missing" + query), 1);
    }
    DeltaConfig asked =
        DeltaConfig.builder(queries.build()).keyField("url").scoredField("body").build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), asked)) {
      for (int week = 0; week < 2; week++) {
        put(writer, "a", "alpha " + week);
        writer.commit();
      }
    }
    long statistics = 2L * Integer.BYTES * 10_001; // of each term, at most
    assertThat(Files.size(stateFile("ranks_"))).isBetween(1_000L, 5_000 + statistics);
  }

  @Test
  void aDamagedManifestAndAnUnknownVersionAreTwoErrors() throws IOException {
    makeState();
    Path manifest = stateFile("delta_");
    byte[] bytes = Files.readAllBytes(manifest);
    byte[] damaged = bytes.clone();
    damaged[bytes.length / 2] ^= 1;
    Files.write(manifest, damaged);
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      assertThatThrownBy(() -> open(directory))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageStartingWith("the manifest of these measurements is damaged, ")
          .hasMessageContaining("move this file away and begin anew, but leave its folder")
          .hasMessageContaining(manifest.toString());
      makeManifest(manifest, 99);
      assertThatThrownBy(() -> open(directory))
          .isInstanceOf(IndexFormatTooNewException.class)
          .hasMessageStartingWith(manifest + " is of version 99, this software reads 9 to ")
          .hasMessageContaining("later than this one; use that, or move the folder away");
      Files.write(manifest, bytes);
      try (DeltaIndexWriter writer = open(directory)) {
        assertThat(writer.status().pages()).isEqualTo(1);
      }
    }
  }

  /** A whole one of a version, of which nothing is understood. */
  private static void makeManifest(Path file, int version) throws IOException {
    try (Directory files = FSDirectory.open(file.getParent())) {
      String name = file.getFileName().toString();
      StateFiles.write(files, name, "LuceneDeltaManifest", version, out -> out.writeInt(7));
    }
  }

  /** As who lets the folder alone, as the error says, and the queue in it. */
  @Test
  void whoMovesADamagedManifestAwayKeepsTheFetchQueue() throws IOException {
    makeState();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory)) {
        FetchQueue queue = writer.fetchQueue(Duration.ofHours(1));
        queue.discovered("new");
        queue.gone("old");
      }
      Path manifest = stateFile("delta_");
      Files.write(manifest, new byte[0]);
      assertThatThrownBy(() -> open(directory)).isInstanceOf(CorruptIndexException.class);
      Files.move(manifest, folder.resolve("moved"));
      try (DeltaIndexWriter writer = open(directory)) {
        FetchQueue queue = writer.fetchQueue(Duration.ofHours(1));
        assertThat(queue.discoveredCount()).isEqualTo(1);
        assertThat(queue.heldCount()).isEqualTo(1);
      }
    }
  }

  @Test
  void aManifestOfAVersionThatIsReadNoMoreIsTooOldAndNotDamaged() throws IOException {
    makeState();
    Path manifest = stateFile("delta_");
    makeManifest(manifest, 8);
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      assertThatThrownBy(() -> Manifest.read(files))
          .isInstanceOf(IndexFormatTooOldException.class)
          .hasMessageStartingWith(manifest + " is of version 8, this software reads 9 to ")
          .hasMessageContaining("earlier than this one; use that, or move the folder away")
          .hasMessageNotContaining("Lucene");
    }
  }

  @Test
  void aFileOfAnotherVersionIsRefusedInWordsThatNameItsFolder() throws IOException {
    try (Directory files = FSDirectory.open(folder)) {
      StateFiles.write(files, "kind_1", "Kind", 3, out -> out.writeInt(1));
      assertThatThrownBy(() -> StateFiles.openWhole(files, "kind_1", "Kind", 2))
          .isInstanceOf(IndexFormatTooNewException.class)
          .hasToString(
              IndexFormatTooNewException.class.getName()
                  + ": "
                  + folder.resolve("kind_1")
                  + " is of version 3, this software reads 2: a later version of lucene-delta wrote it");
      assertThatThrownBy(() -> StateFiles.openWhole(files, "kind_1", "Kind", 4))
          .isInstanceOf(IndexFormatTooOldException.class)
          .hasMessage(
              folder.resolve("kind_1")
                  + " is of version 3, this software reads 4: an earlier version of lucene-delta wrote it");
    }
  }

  @Test
  void aManifestDamagedOrBrokenOffAnywhereIsCorrupt() throws IOException {
    makeState();
    Path manifest = stateFile("delta_");
    byte[] bytes = Files.readAllBytes(manifest);
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      for (int at = 0; at < bytes.length; at++) {
        Files.write(manifest, Arrays.copyOf(bytes, at));
        assertThatThrownBy(() -> Manifest.read(files))
            .as("%d bytes of %d", at, bytes.length)
            .isInstanceOf(CorruptIndexException.class);
        for (int bit = 0; bit < 8; bit++) {
          byte[] damaged = bytes.clone();
          damaged[at] ^= (byte) (1 << bit);
          Files.write(manifest, damaged);
          assertThatThrownBy(() -> Manifest.read(files))
              .as("bit %d of byte %d", bit, at)
              .isInstanceOf(CorruptIndexException.class);
        }
      }
      Files.write(manifest, bytes);
      Manifest whole = Manifest.read(files);
      assertThat(whole.refreshFiles).containsExactly("batch_1");
      assertThat(whole.generation).isEqualTo(1);
      assertThat(whole.pages).isEqualTo(1);
    }
  }

  @Test
  void aDamagedWorkloadFileIsRefusedBeforeAnythingIsMeasuredByIt() throws IOException {
    Path file = folder.resolve("workload");
    Workload.builder().add(List.of("alpha"), 1).add(List.of("beta"), 2).build().write(file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[64] ^= 1;
    Files.write(file, bytes);
    DeltaConfig config =
        DeltaConfig.builder(Workload.open(file)).keyField("url").scoredField("body").build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      assertThatThrownBy(
              () ->
                  new DeltaIndexWriter(
                      directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config))
          .isInstanceOf(WorkloadFileException.class)
          .hasMessageContaining("corrupt workload")
          .hasMessageContaining(file.toString());
      new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer())).close();
    }
  }

  @Test
  void aDamagedPageStoreIsBuiltAnewFromTheIndex() throws IOException {
    makeState();
    Files.write(stateFile("pages_"), new byte[100]);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(writer.status().pages()).isEqualTo(1);
      assertThat(troubles).anyMatch(sentence -> sentence.contains("built anew"));
    }
  }

  /** With the page store gone, only the files of refreshes know the sums of pages. */
  @ParameterizedTest
  @ValueSource(strings = {"changed", "another version", "broken off", "empty", "gone"})
  void aDamagedFileOfRefreshesIsSetAsideAndTheOthersAreRead(String damage) throws IOException {
    makeState(); // batch_1
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      put(writer, "b", "alpha alpha");
      writer.commit(); // batch_2
    }
    Path file = stateFile("batch_1");
    byte[] bytes = Files.readAllBytes(file);
    bytes[damage.equals("another version") ? VERSION_AT : bytes.length / 2] ^= 1;
    switch (damage) {
      case "changed", "another version" -> Files.write(file, bytes);
      case "broken off" -> Files.write(file, Arrays.copyOf(bytes, bytes.length - 3));
      case "empty" -> Files.write(file, new byte[0]);
      default -> Files.delete(file);
    }
    Files.delete(stateFile("pages_"));
    for (int time = 1; time <= 2; time++) { // the second time nothing is left to do
      try (Directory directory = FSDirectory.open(folder.resolve("index"));
          DeltaIndexWriter writer = open(directory)) {
        DeltaStatus status = writer.status();
        assertThat(status.pages()).isEqualTo(2);
        assertThat(status.refreshFiles()).as("batch_2, and usefulness").isEqualTo(2);
        assertThat(status.batchesIncomplete()).isEqualTo(1);
        assertThat(status.lastIncomplete()).startsWith("batch_1 is ");
        assertThat(writer.explain("a")).isEmpty();
        assertThat(writer.explain("b")).isPresent();
        assertThat(troubles).containsOnlyOnce(status.lastIncomplete());
      }
    }
    boolean kept = Files.exists(folder.resolve("index.delta").resolve("damaged_batch_1"));
    assertThat(kept).isEqualTo(!damage.equals("gone"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      put(writer, "a", "alpha beta");
      writer.commit();
      assertThat(writer.explain("a")).isPresent();
    }
  }

  @Test
  void aDamagedFileThatAnOpeningSetAsideBeforeItWasKilledIsToldToBeKept() throws IOException {
    makeState();
    Path file = stateFile("batch_1");
    Files.move(file, file.resolveSibling("damaged_batch_1"));
    Files.delete(stateFile("pages_"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(writer.status().lastIncomplete()).contains("kept as damaged_batch_1");
    }
  }

  @Test
  void aDamagedFileOfRefreshesKeepsNoEarlierCommitFromBeingOpened() throws IOException {
    IndexWriterConfig keepsCommits =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, keepsCommits, config())) {
      put(writer, "a", "alpha");
      writer.commit();
      put(writer, "b", "alpha alpha");
      writer.commit();
    }
    Path file = stateFile("batch_1");
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 40));
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      IndexCommit first = DirectoryReader.listCommits(directory).get(0);
      IndexWriterConfig fromFirst =
          new IndexWriterConfig(new WhitespaceAnalyzer()).setIndexCommit(first);
      try (DeltaIndexWriter writer = new DeltaIndexWriter(directory, fromFirst, config())) {
        assertThat(writer.status().pages()).isEqualTo(1);
        assertThat(troubles).anyMatch(sentence -> sentence.contains("kept as damaged_batch_1"));
      }
    }
  }

  @Test
  void aDamagedFileOfRefreshesKeepsNoOtherWorkloadFromBeingMeasured() throws IOException {
    makeState();
    Path file = stateFile("batch_1");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1; // its end is whole: else it is set aside before
    Files.write(file, bytes);
    DeltaConfig other = config(Workload.builder().add(List.of("beta"), 1).build());
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), other)) {
      assertThat(writer.status().pages()).isEqualTo(1);
      assertThat(troubles).anyMatch(sentence -> sentence.contains("all are kept"));
    }
  }

  @Test
  void aPageOf200KilobytesWithAKeyOf2KilobytesIsMeasured() throws IOException {
    int terms = 20_000;
    var asked = Workload.builder();
    StringBuilder body = new StringBuilder();
    for (int term = 0; term < terms; term++) {
      asked.add(List.of("term" + term), 1);
      body.append("term").append(term).append(' ');
    }
    String key = "https://example.org/" + "x".repeat(2000);
    DeltaConfig config =
        DeltaConfig.builder(asked.build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int week = 0; week < 3; week++) {
        Document document = new Document();
        document.add(new StringField("url", key, Field.Store.YES));
        document.add(new TextField("body", body + "term7 ".repeat(week), Field.Store.NO));
        document.add(config.fetchTime(RandomDocuments.time(week)));
        writer.updateDocument(new Term("url", key), document);
        put(writer, "small" + week, "term7");
        writer.commit();
      }
      PageEntry entry = new PageEntry();
      assertThat(writer.measurer().page(new BytesRef(key), entry)).isTrue();
      assertThat(SlowAnswer.decode(entry.vector).get(0)).hasSize(terms);
      assertThat(writer.explain(key).orElseThrow().refreshes().get(0).measured()).isTrue();
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void anIndexOfNoPagesAndOfOnePageIsOpenedMeasuredAndOpenedAgain() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      for (int pages = 0; pages < 2; pages++) {
        try (DeltaIndexWriter writer = open(directory)) {
          assertThat(writer.status().pages()).isZero();
          assertThat(writer.nextPages(3)).isEmpty();
          writer.rebuild();
          if (pages == 1) {
            put(writer, "only", "alpha");
          }
          writer.commit();
          assertThat(writer.status().pages()).isEqualTo(pages);
        }
      }
      try (DeltaIndexWriter writer = open(directory)) {
        writer.rebuild();
        put(writer, "only", "alpha alpha");
        writer.commit();
        assertThat(writer.nextPages(3)).extracting(PagePriority::page).containsExactly("only");
        writer.deleteAll();
        writer.commit();
        assertThat(writer.nextPages(3)).isEmpty();
        assertThat(writer.status().batchesIncomplete()).isZero();
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void anotherProcessIsRefusedWithTheNameOfWhoHoldsTheMeasurements() throws Exception {
    Path ready = folder.resolve("ready");
    Process holder = Child.start(KilledProgram.class, List.of(), folder);
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      for (int waited = 0; !Files.exists(ready) && holder.isAlive(); waited++) {
        assertThat(waited).as("the other program starts").isLessThan(60_000);
        Thread.sleep(5);
      }
      assertThatThrownBy(() -> open(directory))
          .isInstanceOf(StateLockedException.class)
          .hasMessageContaining("in use by process " + holder.pid())
          .as("two containers may both call it process 1")
          .hasMessageContaining(host().map(name -> " on " + name).orElse(""))
          .hasMessageEndingWith(
              ", started %s; close that writer first",
              holder.info().startInstant().orElseThrow().truncatedTo(ChronoUnit.SECONDS));
    } finally {
      holder.destroyForcibly().waitFor();
    }
  }

  /** As cron may do while the application is restarted. */
  @Test
  void aWriterWaitsForAnotherProcessThatSavesDiscoveredPages() throws Exception {
    Path saving = folder.resolve("saving");
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      open(directory).close();
      Process saver =
          Child.start(LockingProgram.class, List.of(), folder.resolve("index.delta"), saving);
      try {
        for (int waited = 0; !Files.exists(saving) && saver.isAlive(); waited++) {
          assertThat(waited).as("the other program starts").isLessThan(60_000);
          Thread.sleep(5);
        }
        FutureTask<Boolean> opening =
            new FutureTask<>(
                () -> {
                  try (DeltaIndexWriter writer = open(directory)) {
                    return writer.isOpen();
                  }
                });
        Thread opener = new Thread(opening);
        opener.start();
        while (opener.getState() != Thread.State.TIMED_WAITING && !opening.isDone()) {
          Thread.onSpinWait();
        }
        Thread.sleep(200); // longer than anybody is waited for who does not say that he saves
        Files.delete(saving);
        assertThat(opening.get()).isTrue();
        assertThat(saver.waitFor()).isEqualTo(LockingProgram.LOCKED);
      } finally {
        saver.destroyForcibly().waitFor();
      }
    }
  }

  private static Optional<String> host() throws IOException {
    Path linux = Path.of("/proc/sys/kernel/hostname");
    return Files.exists(linux) ? Optional.of(Files.readString(linux).strip()) : Optional.empty();
  }

  @Test
  void aWriterRefusedInThisProcessLeavesOtherProcessesRefused() throws Exception {
    Path state = folder.resolve("index.delta");
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory)) {
        assertThat(writer.isOpen()).isTrue();
        assertThatThrownBy(() -> open(directory))
            .isInstanceOf(StateLockedException.class)
            .hasMessageContaining("in use by this process; close");
        Path link = Files.createSymbolicLink(folder.resolve("link"), state);
        assertThatThrownBy(() -> StateFolder.requireFree(link, config()))
            .isInstanceOf(StateLockedException.class);
        assertThat(Child.run(LockingProgram.class, List.of(), state))
            .as("another process, while the first writer is open")
            .isEqualTo(LockingProgram.REFUSED);
      }
      assertThat(Child.run(LockingProgram.class, List.of(), state))
          .as("another process, when it is closed")
          .isEqualTo(LockingProgram.LOCKED);
    }
  }

  @Test
  void whoIsRefusedTheIndexLeavesNoFolder() throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        IndexWriter holder =
            new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      assertThatThrownBy(() -> open(directory)).isInstanceOf(LockObtainFailedException.class);
      assertThat(holder.isOpen()).isTrue();
      assertThat(folder.resolve("index.delta")).doesNotExist();
    }
  }

  @Test
  void whoFindsNoIndexToAppendToLeavesNoFolder() throws Exception {
    IndexWriterConfig append =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setOpenMode(OpenMode.APPEND);
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      assertThatThrownBy(() -> new DeltaIndexWriter(directory, append, config()))
          .isInstanceOf(IndexNotFoundException.class);
      assertThat(folder.resolve("index.delta")).doesNotExist();
    }
  }

  @Test
  void theIndexsOwnFolderIsRefusedBehindALinkToo() throws Exception {
    Path index = Files.createDirectories(folder.resolve("index"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), index);
    try (Directory directory = FSDirectory.open(index)) {
      for (Path own : List.of(index, link)) {
        assertThatThrownBy(() -> StateFolder.pathFor(directory, own))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("cannot lie in the index's own folder");
      }
    }
  }

  @Test
  void anIndexInARootFolderHasNoPlaceBesideItForTheState() throws Exception {
    Path root = folder.getRoot();
    Path link = Files.createSymbolicLink(folder.resolve("link"), root);
    try (Directory directory = FSDirectory.open(root)) {
      for (ThrowingCallable asked :
          List.<ThrowingCallable>of(
              () -> StateFolder.pathFor(directory, null),
              () -> DeltaState.open(root),
              () -> DeltaState.open(link))) {
        assertThatThrownBy(asked)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "the index is in the root folder %s, so the state has no place beside it; put the"
                    + " index into another folder, or give a statePath",
                root);
      }
      assertThat(StateFolder.pathFor(directory, folder)).isEqualTo(folder);
    }
  }

  @Test
  void whereNoFolderCanBeMadeItIsSaidWhatIsInTheWay() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
    Path toItself = folder.resolve("loop");
    Files.createSymbolicLink(toItself, toItself);
    Map<Path, String> inTheWay = new LinkedHashMap<>();
    inTheWay.put(file, file + " is a file");
    inTheWay.put(file.resolve("below/state"), file + " is a file");
    inTheWay.put(link, link + " is a link to " + folder.resolve("nowhere"));
    inTheWay.put(link.resolve("state"), link + " is a link to " + folder.resolve("nowhere"));
    inTheWay.put(toItself, toItself + " is a link to " + toItself);
    for (Map.Entry<Path, String> place : inTheWay.entrySet()) {
      DeltaConfig config = config(place.getKey());
      try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
        assertThatThrownBy(() -> new DeltaIndexWriter(directory, new IndexWriterConfig(), config))
            .isInstanceOf(NotDirectoryException.class)
            .hasMessageContaining(place.getKey().toString())
            .hasMessageContaining(place.getValue())
            .hasMessageContaining("another place");
        assertThat(DirectoryReader.indexExists(directory)).isFalse();
      }
    }
    Files.createDirectories(folder.resolve("nowhere"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(), config(link))) {
      assertThat(writer.status().pages()).isZero();
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsToldWithTheReasonAndTheRemedy() throws IOException {
    Path state = folder.resolve("index.delta");
    Files.createDirectories(state.resolve("writer.lock")); // a folder: no file can be written
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      assertThatThrownBy(() -> open(index))
          .isInstanceOf(FileSystemException.class)
          .hasMessageStartingWith(state + ": measurements cannot be written here (")
          .hasMessageEndingWith("); give this process the right to, or them another place");
      Files.delete(state.resolve("writer.lock"));
      open(index).close();
    }
  }

  @Test
  void whoIsRefusedLeavesTheLockOfClassesLoadedASecondTime() throws Exception {
    Path state = Files.createDirectories(folder.resolve("index.delta"));
    try (FileChannel theirs =
        FileChannel.open(
            state.resolve("writer.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      theirs.lock();
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> StateFolder.requireFree(state, config()))
            .isInstanceOf(StateLockedException.class);
        assertThat(Child.run(LockingProgram.class, List.of(), state))
            .as("another process")
            .isEqualTo(LockingProgram.REFUSED);
      }
    }
    StateFolder.requireFree(state, config());
    assertThat(Child.run(LockingProgram.class, List.of(), state)).isEqualTo(LockingProgram.LOCKED);
  }

  /** On Windows nobody can read what another process has locked; here it is no text. */
  @Test
  void whoCannotReadWhoHoldsTheFolderIsRefusedAllTheSame() throws Exception {
    Path state = Files.createDirectories(folder.resolve("index.delta"));
    try (FileChannel theirs =
        FileChannel.open(
            state.resolve("writer.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      theirs.lock();
      theirs.write(ByteBuffer.wrap(new byte[] {(byte) 0xff}));
      assertThat(Child.run(LockingProgram.class, List.of(), state))
          .isEqualTo(LockingProgram.REFUSED);
    }
  }

  @Test
  void aFullDiskIsNamedByWhoOpensOnIt() throws IOException {
    assumeThat(FullDisk.FULL).exists();
    FullDisk disk = new FullDisk(folder);
    Path state = disk.wrapPath(Files.createDirectory(folder.resolve("state")));
    assertThatThrownBy(() -> StateFolder.requireFree(state, config()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(state.toString())
        .hasMessageContaining("see whether its disk has room")
        .hasMessageContaining("No space left on device");
    disk.full = false;
    StateFolder.requireFree(state, config());
  }

  @Test
  void aFolderThatCannotBeLockedIsNamedWithTheReasonAndTheRemedy() throws IOException {
    Path state =
        new DiskWithoutLocks(folder).wrapPath(Files.createDirectory(folder.resolve("state")));
    assertThatThrownBy(() -> StateFolder.requireFree(state, config()))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "measurements in "
                + state
                + " cannot be locked (No locks available); give them a folder on a file system that"
                + " has locks, see DeltaConfig.Builder.statePath");
    StateFolder.requireFree(folder.resolve("state"), config()); // nothing of it stays locked
  }

  /** As one of another machine, where nobody there keeps locks. */
  private static final class DiskWithoutLocks extends FilterFileSystemProvider {
    DiskWithoutLocks(Path folder) {
      super("nolocks", folder.getFileSystem());
    }

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
          throw new IOException("No locks available");
        }
      };
    }
  }

  /** On which no lock file can be written until there is room. */
  private static final class FullDisk extends FilterFileSystemProvider {
    static final Path FULL = Path.of("/dev/full");

    private boolean full = true;

    FullDisk(Path folder) {
      super("full", folder.getFileSystem());
    }

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return full && path.getFileName().toString().equals("writer.lock")
          ? FileChannel.open(FULL, options, attributes)
          : super.newFileChannel(path, options, attributes);
    }
  }

  @Test
  void aLinkInThePlaceOfTheLockIsNotFollowed() throws IOException {
    Path state = Files.createDirectory(folder.resolve("index.delta"));
    Path victim = Files.writeString(folder.resolve("victim"), "of others");
    Path nowhere = folder.resolve("nowhere");
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      for (Path target : List.of(victim, nowhere)) {
        Path link = Files.createSymbolicLink(state.resolve("writer.lock"), target);
        assertThatThrownBy(() -> open(index))
            .isInstanceOf(FileSystemException.class)
            .hasMessage(
                state
                    + ": measurements cannot be written here: writer.lock is a link, and what it"
                    + " leads to would be written over; delete the link");
        Files.delete(link);
      }
      open(index).close();
    }
    assertThat(victim).hasContent("of others");
    assertThat(nowhere).doesNotExist();
  }

  @Test
  void anIndexIsAdoptedWhoseKeysTakeMoreThanTheMemoryOutsideTheHeap() throws Exception {
    int pages = 60_000;
    Path path = folder.resolve("index");
    String fetched = RandomDocuments.time(0).toString();
    try (Directory directory = FSDirectory.open(path);
        IndexWriter plain =
            new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (int page = 0; page < pages; page++) {
        Document document = new Document();
        String key = "https://example.org/%s/%09d".formatted("x".repeat(80), page);
        document.add(new StringField("url", key, Field.Store.NO));
        document.add(new StringField("fetched", fetched, Field.Store.NO));
        document.add(new TextField("body", "alpha", Field.Store.NO));
        plain.addDocument(document);
      }
      plain.forceMerge(1);
    }
    List<String> little = List.of("-XX:MaxDirectMemorySize=4m");
    assertThat(Child.run(AdoptingProgram.class, little, path, pages)).isZero();
  }

  @Test
  void placesOfKeysAndFetchTimesOfAllDocumentsWaitInAFile() throws IOException {
    int others = 20_000; // without a key, so that keys take little
    long least = 20L * others; // 12 bytes for the place of a key, 8 for a time
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .build();
    List<Long> sizes = new ArrayList<>();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        for (int i = 0; i < others; i++) {
          plain.addDocument(new Document());
        }
        Document page = new Document();
        page.add(new StringField("url", "a", Field.Store.NO));
        page.add(config.fetchTime(RandomDocuments.time(7)));
        plain.addDocument(page);
        plain.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        new IndexPages(config, WorkloadTerms.of(config.workload()), folder)
            .read(
                reader.leaves(),
                (key, segment, doc, fetched, vector) -> {
                  assertThat(key.utf8ToString()).isEqualTo("a");
                  assertThat(fetched).isEqualTo(RandomDocuments.time(7).toEpochMilli());
                  Path file = folder.resolve("reading_0.map");
                  sizes.add(Files.size(file));
                  Files.createLink(folder.resolve("seen"), file);
                });
      }
    }
    assertThat(sizes).hasSize(1).allMatch(size -> size > least);
    assertThat(folder.resolve("reading_0.map")).doesNotExist();
    assertThat(folder.resolve("seen")).as("takes no room though it was mapped").isEmptyFile();
  }

  @Test
  void closingAFolderTwiceLeavesItToWhoeverLockedItBetween() throws Exception {
    StateFolder first = StateFolder.lock(folder, UnaryOperator.identity());
    first.close();
    try (StateFolder second = StateFolder.lock(folder, UnaryOperator.identity())) {
      first.close();
      assertThatThrownBy(() -> StateFolder.lock(second.path(), UnaryOperator.identity()))
          .isInstanceOf(StateLockedException.class);
      assertThat(Child.run(LockingProgram.class, List.of(), folder))
          .isEqualTo(LockingProgram.REFUSED);
    }
  }

  @Test
  void aThreadThatIsInterruptedHearsOfItAsFromLuceneAndMayTryAgain() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      for (String doing : List.of("opening", "locking")) { // a new folder, and one that is there
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> open(directory))
            .isInstanceOf(ThreadInterruptedException.class)
            .cause()
            .isInstanceOf(InterruptedException.class)
            .hasMessageContaining(
                "interrupted while %s the measurements in %s"
                    .formatted(doing, folder.resolve("index.delta")));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        try (DeltaIndexWriter writer = open(directory)) {
          assertThat(writer.status().pages()).isZero();
        }
      }
    }
  }

  @Test
  void whyMeasurementsCannotBeOpenedIsToldEvenWhenClosingTheIndexFailsToo() throws IOException {
    AtomicBoolean failing = new AtomicBoolean();
    try (Directory directory =
        new FilterDirectory(FSDirectory.open(folder.resolve("index"))) {
          @Override
          public String[] listAll() throws IOException {
            if (failing.get()) {
              throw new IOException("the index cannot be listed");
            }
            return super.listAll();
          }
        }) {
      try (IndexWriter plain = new IndexWriter(directory, new IndexWriterConfig())) {
        Document page = new Document();
        page.add(new StringField("url", "a", Field.Store.NO));
        plain.addDocument(page);
      }
      DeltaConfig config =
          DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
              .keyField("url")
              .scoredField("body")
              .statePath(folder.resolve("state"))
              .faults(
                  point -> {
                    failing.set(true);
                    throw new IllegalStateException("the first cause");
                  })
              .build();
      assertThatThrownBy(() -> new DeltaIndexWriter(directory, new IndexWriterConfig(), config))
          .hasMessage("the first cause")
          .satisfies(
              thrown ->
                  assertThat(thrown.getSuppressed())
                      .singleElement()
                      .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                      .hasMessage("the index cannot be listed"));
      failing.set(false);
      StateFolder.requireFree(folder.resolve("state"), config);
    }
  }

  @Test
  void anIndexThatPlainLuceneHoldsIsRefusedAndCanBeOpenedLater() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        assertThat(plain.isOpen()).isTrue();
        assertThatThrownBy(() -> open(directory)).isInstanceOf(LockObtainFailedException.class);
      }
      try (DeltaIndexWriter writer = open(directory)) {
        assertThat(writer.status().pages()).isZero();
      }
    }
  }

  @Test
  void aClosedWriterSaysSoWhenAskedForPages() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      DeltaIndexWriter writer = open(directory);
      writer.close();
      assertThatThrownBy(() -> writer.nextPages(1))
          .isInstanceOf(AlreadyClosedException.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void aBatchLargerThanItsMemoryWaitsInFilesAndIsMeasuredAllTheSame() throws IOException {
    DeltaConfig small =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .batchMemory(10)
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), small)) {
      for (int week = 0; week < 3; week++) {
        for (int i = 0; i < 40; i++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + i, Field.Store.YES));
          document.add(new TextField("body", "alpha " + "other ".repeat(week), Field.Store.NO));
          document.add(small.fetchTime(RandomDocuments.time(week)));
          writer.updateDocument(new Term("url", "p" + i), document);
          if (i % 10 == 0) {
            writer.flush();
          }
        }
        assertThat(spills()).as("temporary files before the commit").isPositive();
        writer.commit();
        assertThat(spills()).as("temporary files after it").isZero();
      }
      DeltaStatus status = writer.status();
      assertThat(status.pages()).isEqualTo(40);
      assertThat(status.batchesMeasured()).isEqualTo(3);
      assertThat(status.batchesIncomplete()).isZero();
      assertThat(writer.explain("p7").orElseThrow().refreshes()).hasSize(3);
      put(writer, "p1", "alpha");
      writer.flush();
      writer.rollback();
    }
    assertThat(spills()).as("temporary files after a rollback").isZero();
  }

  @Test
  void flushesThatFitTheMemoryOfABatchEachButNotTogetherWaitInFiles() throws IOException {
    DeltaConfig small =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .batchMemory(20)
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), small)) {
      for (int page = 0; page < 5; page++) { // of seven bytes or a few more
        put(writer, "p" + page, "alpha");
        writer.flush();
      }
      assertThat(spills()).as("temporary files before the commit").isBetween(3L, 4L);
      writer.commit();
      assertThat(writer.status().pages()).isEqualTo(5);
    }
  }

  @Test
  void aBatchThatFitsItsMemoryAndItsHeapIsHeldThereHoweverManyCameBefore() throws IOException {
    DeltaConfig small =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .batchMemory(100)
            .batchHeap(2_000)
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), small)) {
      for (int batch = 0; batch < 100; batch++) {
        put(writer, "p", "alpha");
        writer.flush();
        assertThat(spills()).as("temporary files of batch %d", batch).isZero();
        writer.commit();
      }
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void whatCouldNotBeMovedToAFileTakesNoHeapOfTheNextBatches() throws IOException {
    List<String> troubles = new ArrayList<>();
    DeltaConfig small =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .batchMemory(1)
            .batchHeap(2_000)
            .stateDirectory(NoTemporaryFiles::new)
            .listener(new Troubles(troubles))
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), small)) {
      for (int batch = 0; batch < 10; batch++) {
        put(writer, "p", "alpha");
        writer.commit();
      }
      assertThat(writer.status().pages()).isEqualTo(1);
    }
    assertThat(troubles).hasSize(10).allMatch(trouble -> trouble.contains("no room for spills"));
  }

  private static final class NoTemporaryFiles extends FilterDirectory {
    NoTemporaryFiles(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      if (prefix.equals(CapturedSegment.SPILLED)) {
        throw new IOException("no room for spills");
      }
      return super.createTempOutput(prefix, suffix, context);
    }
  }

  private long spills() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      return files.filter(file -> file.getFileName().toString().contains("spill")).count();
    }
  }
}
