// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files beside the page store that are damaged, gone or another's. */
class DamagedStateFilesTest implements DeltaListener {
  private static final int PAGES = 40;
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final Workload WORKLOAD =
      Workload.builder().add(List.of("alpha"), 3).add(List.of("beta"), 1).build();

  @TempDir Path folder;
  private final List<String> troubles = new ArrayList<>();
  private final List<Trouble> kinds = new ArrayList<>();
  private Path state;
  private Consumer<String> told = sentence -> {};
  private int week;

  @Override
  public void trouble(Trouble kind, String sentence, Throwable cause) {
    troubles.add(sentence);
    kinds.add(kind);
    told.accept(sentence);
  }

  @BeforeEach
  void makeState() throws IOException {
    state = folder.resolve("index.delta");
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      index(writer, 2);
    }
    assertThat(troubles).isEmpty();
  }

  private DeltaIndexWriter open(Directory directory) throws IOException {
    return open(directory, WORKLOAD);
  }

  private DeltaIndexWriter open(Directory directory, Workload workload) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField("url")
            .scoredField("body")
            .clock(() -> START.plus(Duration.ofDays(7L * week)))
            .listener(this)
            .build();
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private void index(DeltaIndexWriter writer, int batches) throws IOException {
    for (int batch = 0; batch < batches; batch++) {
      week++;
      for (int page = 0; page < PAGES; page++) {
        Document document = new Document();
        document.add(new StringField("url", "page" + page, Field.Store.YES));
        String body = " alpha".repeat((page + week) % 5) + " beta".repeat(page % 3);
        document.add(new TextField("body", "page" + body, Field.Store.NO));
        writer.updateDocument(new Term("url", "page" + page), document);
      }
      writer.commit();
    }
  }

  private Path file(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(state)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(state)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private Manifest manifest() {
    try (Directory files = FSDirectory.open(state)) {
      return Manifest.read(files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  private List<MeasuredRefresh> refreshes(String page) throws IOException {
    try (DeltaState opened = DeltaState.open(folder.resolve("index"))) {
      return opened.explain(page).orElseThrow().refreshes();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 70, 100})
  void aDamagedWorkloadIsWrittenAnewByTheNextWriter(int at) throws IOException {
    List<MeasuredRefresh> right = refreshes("page7");
    assertThat(right.get(0).contributions()).isNotEmpty();
    flip(file("workload_"), at);
    assertThatThrownBy(() -> refreshes("page7")).isInstanceOf(IOException.class);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(troubles).singleElement().asString().endsWith("is written anew");
      assertThat(writer.explain("page7").orElseThrow().refreshes()).isEqualTo(right);
    }
    assertThat(refreshes("page7")).isEqualTo(right);
  }

  @Test
  void aWorkloadInTheFileOfAnotherIsNoWorkloadOfThisState() throws IOException {
    List<MeasuredRefresh> right = refreshes("page7");
    Workload.builder().add(List.of("gamma"), 1).build().write(file("workload_"));
    assertThatThrownBy(() -> refreshes("page7"))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("there is no query 1");
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(troubles).hasSize(1);
      assertThat(writer.explain("page7").orElseThrow().refreshes()).isEqualTo(right);
    }
  }

  /** Measured are alpha 3 times and beta once. */
  private static Stream<Workload> othersInOneRespect() {
    return Stream.of(
        Workload.builder().add(List.of("alpha"), 3).add(List.of("beta"), 2).build(),
        Workload.builder().add(List.of("alpha"), 1).add(List.of("beta"), 3).build(),
        Workload.builder().add(List.of("alpha"), 3).add(List.of("gamma"), 1).build(),
        Workload.builder().add(List.of("alpha", "beta"), 3).add(List.of("gamma"), 1).build(),
        Workload.builder()
            .add(List.of("alpha"), 2)
            .add(List.of("beta"), 1)
            .add(List.of("alpha", "beta"), 1)
            .build());
  }

  @ParameterizedTest
  @MethodSource("othersInOneRespect")
  void aWorkloadThatDiffersInFrequenciesTermsOrQueriesIsWrittenAnew(Workload other)
      throws IOException {
    other.write(file("workload_"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      open(directory).close();
    }
    assertThat(troubles).singleElement().asString().endsWith("is written anew");
    assertThat(refreshes("page7").get(0).contributions())
        .extracting(QueryContribution::frequency)
        .containsExactlyInAnyOrder(3.0, 1.0);
  }

  /** A word would be taken for another in the vectors of all pages. */
  @Test
  void pagesAreReadAnewWhereTheFileOfTheWorkloadBeforeIsOfAnother() throws IOException {
    Workload gamma = Workload.builder().add(List.of("alpha"), 3).add(List.of("gamma"), 1).build();
    gamma.write(file("workload_"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      open(directory, gamma).close();
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .startsWith("pages cannot be brought to the new workload and are built anew");
  }

  @Test
  void whoAsksWhyWithoutTheWorkloadOfThenHearsHowMuchButNotOfWhichQueries() throws IOException {
    MeasuredRefresh whole = refreshes("page7").get(0);
    assertThat(whole.contributions()).isNotEmpty();
    Files.delete(file("workload_"));
    MeasuredRefresh left = refreshes("page7").get(0);
    assertThat(left.qualityChange()).isEqualTo(whole.qualityChange());
    assertThat(left.contributions()).isEmpty();
    assertThat(left.otherQueries()).isZero();
    assertThat(left.otherQueriesChange()).as("all of it").isEqualTo(whole.qualityChange());
  }

  @Test
  void whatAKilledWriterLeftOfAWorkloadIsDeletedAtTheNextOpening() throws IOException {
    String workload = file("workload_").getFileName().toString();
    Path left = state.resolve(workload + "." + UUID.randomUUID() + ".tmp");
    Files.write(left, new byte[100]);
    Path anothers = Files.createFile(state.resolve(workload + ".copy"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      open(directory).close();
    }
    assertThat(left).doesNotExist();
    assertThat(anothers).exists();
    assertThat(troubles).isEmpty();
  }

  @Test
  void withoutAManifestFilesOfRefreshesAreKeptAndThatIsTold() throws IOException {
    Files.delete(file("delta_"));
    byte[] batch = Files.readAllBytes(state.resolve("batch_2"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(troubles)
          .singleElement()
          .asString()
          .startsWith("the manifest is gone")
          .contains("3 files of refreshes"); // of two batches, and usefulness
      assertThat(names()).contains("damaged_batch_1", "damaged_batch_2").doesNotContain("batch_2");
      index(writer, 1);
      assertThat(writer.explain("page7").orElseThrow().refreshes()).hasSize(1);
      assertThat(writer.nextPages(PAGES, START.plus(Duration.ofDays(90)))).hasSize(PAGES);
    }
    assertThat(troubles).hasSize(1);
    assertThat(Files.readAllBytes(state.resolve("damaged_batch_2"))).isEqualTo(batch);
  }

  /** Batches are numbered from one again. */
  @Test
  void whatWasKeptWithoutAManifestStaysWhenTheNextManifestIsLostToo() throws IOException {
    byte[] batch = Files.readAllBytes(state.resolve("batch_2"));
    for (int lost = 0; lost < 2; lost++) {
      Files.delete(file("delta_"));
      try (Directory directory = FSDirectory.open(folder.resolve("index"));
          DeltaIndexWriter writer = open(directory)) {
        index(writer, 2);
      }
    }
    assertThat(Files.readAllBytes(state.resolve("damaged_batch_2"))).isEqualTo(batch);
    assertThat(names()).contains("damaged_damaged_batch_2", "batch_2");
  }

  @Test
  void whoAsksWhyWhileAFileOfRefreshesIsGoneHearsWhichAndWhatToDo() throws IOException {
    Path kept = folder.resolve("kept");
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      index(writer, 1);
      Path file = file("batch_2");
      Files.move(file, kept);
      assertThatThrownBy(() -> writer.explain("page7"))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining(file + " is missing")
          .hasMessageContaining("put it back")
          .hasMessageContaining("open the index with a new DeltaIndexWriter");
      try (DeltaState opened = DeltaState.open(folder.resolve("index"))) {
        assertThatThrownBy(() -> opened.explain("page7"))
            .hasMessageContaining(file + " is missing");
      }
      Files.move(kept, file);
      assertThat(writer.explain("page7").orElseThrow().refreshes()).hasSize(3);
      Files.delete(file);
    }
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      index(writer, 1);
      assertThat(writer.explain("page7").orElseThrow().refreshes()).as("as told").hasSize(3);
      assertThat(troubles).anyMatch(sentence -> sentence.contains("batch_2 is gone"));
    }
  }

  /** As empty as a crash of the machine may leave it, or broken off; nothing is cut off a third. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1})
  void whoAsksWhyWhileAFileOfRefreshesIsDamagedHearsWhichAndWhatToDo(double left)
      throws IOException {
    Path file = file("batch_2");
    byte[] bytes = Files.readAllBytes(file);
    byte[] damaged = Arrays.copyOf(bytes, (int) (left * bytes.length));
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      Arrays.fill(damaged, damaged.length / 2, damaged.length, (byte) 0);
      Files.write(file, damaged);
      assertDamageIsTold(file, () -> writer.explain("page7"));
      try (DeltaState opened = DeltaState.open(folder.resolve("index"))) {
        Instant now = START.plus(Duration.ofDays(90));
        assertDamageIsTold(file, () -> opened.explain("page7"));
        assertDamageIsTold(file, () -> opened.nextPages(1, now)); // as of a killed writer
        assertDamageIsTold(file, () -> opened.histories().of("page7"));
      }
    }
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(troubles).singleElement().asString().startsWith("batch_2 is damaged and kept as");
      assertThat(writer.status().lastIncomplete()).isEqualTo(troubles.get(0));
      assertThat(writer.explain("page7").orElseThrow().refreshes()).hasSize(1);
    }
  }

  /** Where the checksum of a file lies behind all pages that are in the index. */
  @Test
  void damageInAFileOfRefreshesIsToldWhereThePagesAtItsEndHaveLeftTheIndex() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      writer.deleteDocuments(new Term("url", "page9"));
      writer.commit();
    }
    Path file = file("batch_2");
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    flip(file, bytes.indexOf("page0") + "page0".length() + 3); // the time at which it was fetched
    try (DeltaState opened = DeltaState.open(folder.resolve("index"))) {
      assertDamageIsTold(file, () -> opened.histories().forEach(page -> {}));
    }
  }

  private static void assertDamageIsTold(Path file, ThrowingCallable question) {
    assertThatThrownBy(question)
        .isInstanceOfAny(CorruptIndexException.class, UncheckedIOException.class)
        .hasMessageContaining(file + " is damaged")
        .hasMessageContaining("put a whole one in its place")
        .hasMessageContaining("move the file away and open the index with a new DeltaIndexWriter");
  }

  @Test
  void whoAsksForPagesWhileAFileOfRefreshesIsGoneHearsWhichAndWhatToDo() throws IOException {
    Path file = file("batch_2");
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      index(writer, 1); // what a clean close saved counts no more
      Files.delete(file);
      try (DeltaState opened = DeltaState.open(folder.resolve("index"))) {
        assertThatThrownBy(() -> opened.nextPages(1, START.plus(Duration.ofDays(90))))
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining(file + " is missing")
            .hasMessageContaining("put it back");
      }
    }
  }

  @Test
  void whatAKilledWriterLeftOfAnAuditLogIsDeletedThoughNothingIsAuditedAnyMore()
      throws IOException {
    Path left = Files.write(state.resolve("pending_audit"), new byte[100]);
    Path before = Files.createFile(state.resolve("audit_copy"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      open(directory).close();
    }
    assertThat(left).doesNotExist();
    assertThat(before).exists();
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"closed", "open"})
  void aFileThatIsPutBackTooLateIsKeptAndThatIsTold(String writerThen) throws IOException {
    Path kept = folder.resolve("kept");
    Path file = state.resolve("batch_2");
    Files.move(file, kept);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(troubles).singleElement().asString().startsWith("batch_2 is gone");
      if (writerThen.equals("open")) {
        Files.copy(kept, file);
        index(writer, 1);
      }
    }
    if (writerThen.equals("closed")) {
      Files.copy(kept, file);
      try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
        open(directory).close();
      }
    }
    assertThat(state.resolve("damaged_batch_2")).hasSameBinaryContentAs(kept);
    assertThat(troubles)
        .hasSize(2)
        .last()
        .asString()
        .startsWith("batch_2 was put back")
        .contains("kept as damaged_batch_2");
    assertThat(names()).doesNotContain("batch_2", "missed_batch_2");
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      open(directory).close();
    }
    assertThat(troubles).as("told once").hasSize(2);
  }

  @Test
  void ofAFileThatWasDamagedAGoodCopyIsKeptBesideIt() throws IOException {
    Path file = state.resolve("batch_2");
    Path good = Files.copy(file, folder.resolve("good"));
    flip(file, (int) Files.size(file) / 2);
    Files.delete(file("check_")); // so the store is built anew
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      open(directory).close();
      assertThat(troubles).anyMatch(sentence -> sentence.contains("kept as damaged_batch_2"));
      Files.copy(good, file);
      open(directory).close();
    }
    assertThat(troubles).last().asString().contains("kept as damaged_damaged_batch_2");
    assertThat(state.resolve("damaged_damaged_batch_2")).hasSameBinaryContentAs(good);
    assertThat(Files.readAllBytes(state.resolve("damaged_batch_2")))
        .isNotEqualTo(Files.readAllBytes(good));
  }

  /** An opening that was killed before it wrote its manifest. */
  @Test
  void aFileThatIsPutBackBeforeTheManifestIsWrittenCounts() throws IOException {
    Files.createFile(state.resolve("missed_batch_2"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(writer.explain("page7").orElseThrow().refreshes()).hasSize(2);
    }
    assertThat(troubles).isEmpty();
    assertThat(names()).contains("batch_2").doesNotContain("missed_batch_2");
  }

  @Test
  void aBatchWhoseFileIsGoneIsTold() throws IOException {
    Path earlier = folder.resolve("earlier");
    FolderCopy.make(state, earlier);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      index(writer, 1);
    }
    state = folder.resolve("restored");
    FolderCopy.make(folder.resolve("index"), folder.resolve("other"));
    FolderCopy.make(earlier, folder.resolve("other.delta"));
    try (Directory directory = FSDirectory.open(folder.resolve("other"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(troubles)
          .containsExactly("batch 3 was committed, but what was measured of it is missing");
      assertThat(writer.status().lastIncomplete()).isEqualTo(troubles.get(0));
    }
  }

  /** It is whole, and its checksum with it; the manifest knows how many pages there were. */
  @Test
  void aPageStoreOfAnotherNumberOfPagesIsBuiltAnew() throws IOException {
    Path pages = file("pages_");
    Path check = file("check_");
    byte[] fewer = Files.readAllBytes(pages);
    byte[] itsCheck = Files.readAllBytes(check);
    long number;
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      Document document = new Document();
      document.add(new StringField("url", "another", Field.Store.YES));
      document.add(new TextField("body", "alpha", Field.Store.NO));
      writer.updateDocument(new Term("url", "another"), document);
      writer.commit();
      number = writer.status().pages();
    }
    Files.write(pages, fewer);
    Files.write(check, itsCheck);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      assertThat(troubles).singleElement().asString().contains("built anew");
      assertThat(writer.nextPages(PAGES + 9, START.plus(Duration.ofDays(90))))
          .hasSize((int) number);
    }
  }

  /** A full disk, or a file cut short: what orders the pages is a cache that nothing else needs. */
  @Test
  void columnsThatCannotFollowAreToldAndMadeAnew() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      writer.nextPages(PAGES, START.plus(Duration.ofDays(90)));
      OrderColumns.cut(state);
      index(writer, 1);
      assertThat(troubles)
          .singleElement()
          .asString()
          .startsWith("what orders the pages could not follow a change");
      assertThat(writer.nextPages(PAGES, START.plus(Duration.ofDays(90)))).hasSize(PAGES);
      assertThat(writer.status().batchesMeasured()).isEqualTo(3);
    }
    assertThat(troubles).hasSize(1);
  }

  /** Damage in its outermost parts can end the process; the next one must not meet it again. */
  @Test
  void aPageStoreIsInUseOnDiskBeforeItIsOpened() throws IOException {
    flip(file("pages_"), 0);
    List<String> clean = new ArrayList<>();
    told = sentence -> clean.add(manifest().cleanCommit);
    assertThat(manifest().cleanCommit).isNotEmpty();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      open(directory).close();
    }
    assertThat(troubles).singleElement().asString().contains("built anew");
    assertThat(clean).as("when the store could not be opened").containsExactly("");
  }

  @Test
  void aDamagedFileOfRefreshesIsSetAsideWhereItKeepsOthersFromBeingMerged() throws IOException {
    Path damaged = state.resolve("batch_2");
    flip(damaged, (int) Files.size(damaged) / 2);
    byte[] left = Files.readAllBytes(damaged);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      List<PagePriority> before = writer.nextPages(PAGES, START.plus(Duration.ofDays(900)));
      index(writer, 12);
      assertThat(troubles).as("once, and not with every batch").hasSize(2);
      assertThat(troubles.get(0)).startsWith("the files of refreshes cannot be merged");
      assertThat(troubles.get(1)).startsWith("batch_2 is damaged and kept as damaged_batch_2");
      assertThat(kinds).containsExactly(Trouble.RETRIED, Trouble.LOST);
      assertThat(writer.status().refreshFiles()).isLessThan(10); // of more than 13 written
      assertThat(writer.explain("page7").orElseThrow().refreshes()).hasSize(13);
      assertThat(writer.nextPages(PAGES, START.plus(Duration.ofDays(900)))).hasSameSizeAs(before);
    }
    assertThat(Arrays.equals(Files.readAllBytes(state.resolve("damaged_batch_2")), left)).isTrue();
  }
}
