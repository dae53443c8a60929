// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedOrderTest {
  private static final int PAGES = 60;
  private static final Instant NOW = RandomDocuments.time(400);

  private final List<String> troubles = new ArrayList<>();

  @TempDir Path folder;

  private DeltaConfig config() {
    return DeltaConfig.builder(
            Workload.builder().add(List.of("alpha"), 10).add(List.of("beta"), 3).build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .listener(new Troubles(troubles))
        .build();
  }

  private DeltaIndexWriter open() throws IOException {
    return open(new IndexWriterConfig(new WhitespaceAnalyzer()));
  }

  private DeltaIndexWriter open(IndexWriterConfig settings) throws IOException {
    return new DeltaIndexWriter(FSDirectory.open(folder.resolve("index")), settings, config());
  }

  /** Every page once, then some of them again. */
  private void batch(DeltaIndexWriter writer, int week) throws IOException {
    for (int page = 0; page < PAGES; page++) {
      if (week == 0 || page % (week + 2) == 0) {
        String url = "https://s%d.test/d/%d".formatted(page % 3, page);
        String text = "alpha ".repeat(1 + page * week % 7) + "word ".repeat(page % 5 + week);
        put(writer, url, week, text + (page % 2 == 0 ? "beta" : ""));
      }
    }
    writer.commit();
  }

  private void put(DeltaIndexWriter writer, String url, int week, String text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.YES));
    document.add(config().fetchTime(RandomDocuments.time(24 * week)));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", url), document);
  }

  /** Closes a writer after some batches; returns the order it gave last. */
  private List<PagePriority> closed(int weeks) throws IOException {
    try (DeltaIndexWriter writer = open()) {
      for (int week = 0; week < weeks; week++) {
        batch(writer, week);
        if (week == 2) {
          assertThat(writer.status().orderBytes()).as("before it was asked for").isZero();
          writer.nextPages(1, NOW);
        }
      }
      assertThat(writer.status().orderBytes()).isPositive();
      return writer.nextPages(20, NOW);
    }
  }

  private Optional<List<PagePriority>> left(Manifest manifest) throws IOException {
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        Directory files = FSDirectory.open(folder.resolve("index.delta"));
        DirectoryReader reader = DirectoryReader.open(index)) {
      return left(files, reader, manifest);
    }
  }

  private Optional<List<PagePriority>> left(
      Directory files, DirectoryReader reader, Manifest manifest) {
    Path state = folder.resolve("index.delta");
    OrderSources sources = OrderSources.of(new ToldChanges(0));
    return SavedOrder.next(state, files, reader, manifest, sources, 20, NOW)
        .map(LiveOrder.Ordered::pages);
  }

  private Manifest manifest() throws IOException {
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      return Manifest.read(files);
    }
  }

  @Test
  void aLengthBeyondTheFileIsDamageAndNoReasonToAskForMemory() throws IOException {
    List<PagePriority> before = closed(3);
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      String name = OrderFile.PREFIX + manifest().columnsNumber;
      StateFiles.write(
          files, name, "LuceneDeltaOrder", 3, out -> out.writeVInt(Integer.MAX_VALUE - 8));
    }
    assertThat(readOnly()).as("from the index").hasSameSizeAs(before);
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.nextPages(20, NOW)).as("from the page store").hasSameSizeAs(before);
    }
    assertThat(troubles).singleElement().asString().contains("made anew");
  }

  private List<PagePriority> readOnly() throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      return state.nextPages(20, NOW);
    }
  }

  private static List<String> names(List<PagePriority> order) {
    return order.stream().map(PagePriority::page).toList();
  }

  @Test
  void whatAWriterLeftIsTheOrderOfReadersAndOfTheNextWriter() throws Exception {
    List<PagePriority> order = closed(8);
    assertThat(left(manifest())).contains(order);
    assertThat(readOnly()).isEqualTo(order);
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(state.status().orderBytes()).isPositive();
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.nextPages(20, NOW)).isEqualTo(order);
      batch(writer, 8);
      ColumnsCheck.compare(writer.measurer(), "after a batch of the next writer");
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void copiesThatSomebodyKeepsBesideItAreNotCountedAsBytesOfTheOrder() throws Exception {
    closed(4);
    Path state = folder.resolve("index.delta");
    long bytes = Files.size(OrderFile.columns(state, manifest().columnsNumber));
    bytes += Files.size(state.resolve(OrderFile.PREFIX + manifest().columnsNumber));
    for (String copy : List.of("columns_4.map.bak", "order_4.bak", "columns_copy.map")) {
      Files.writeString(state.resolve(copy), "kept");
    }
    try (DeltaState opened = DeltaState.open(folder.resolve("index"))) {
      assertThat(opened.status().orderBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void columnsThatAWriterUsesAreNotBelievedByReaders() throws Exception {
    closed(4);
    try (DeltaIndexWriter writer = open()) {
      assertThat(left(manifest())).isEmpty();
      batch(writer, 4);
      assertThat(left(manifest())).isEmpty();
      assertThat(names(readOnly())).isEqualTo(names(writer.nextPages(20, NOW)));
    }
    assertThat(left(manifest())).isPresent();
  }

  @Test
  void anAnswerReadWhileAWriterOpenedIsThrownAway() throws Exception {
    closed(4);
    Manifest before = manifest();
    open().close();
    assertThat(left(manifest())).isPresent();
    assertThat(left(before)).isEmpty();
  }

  /** A pass over all pages takes longer, and no interrupt breaks it off. */
  @Test
  void whoIsInterruptedHearsOfThatAndIsNotGivenTheOrderByAnotherWay() throws Exception {
    closed(4);
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> state.nextPages(20, NOW))
          .isInstanceOf(UncheckedIOException.class)
          .hasCauseInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).as("interrupted still").isTrue();
      assertThat(state.nextPages(20, NOW)).hasSize(20);
      assertThat(state.troubles()).isEmpty();
    }
  }

  @Test
  void aPageIndexedWhileAReaderIsOpenIsADiscoveryToItStill() throws Exception {
    closed(4);
    String found = "https://new.test/d/1";
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      IndexWriterConfig keeping =
          new IndexWriterConfig(new WhitespaceAnalyzer())
              .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE); // so that columns are looked at
      try (DeltaIndexWriter writer = open(keeping)) {
        writer.nextPages(1, NOW);
        put(writer, found, 30, "alpha beta");
        writer.commit();
      }
      Discoveries told = state.discoveries(new WhitespaceAnalyzer());
      told.add(found, null, NOW.minusSeconds(1));
      assertThat(names(state.nextPages(told, 2 * PAGES, NOW))).hasSize(PAGES + 1).contains(found);
      assertThat(told.indexed()).isEmpty();
    }
  }

  @Test
  void aLengthThatWasDamagedAsksForNoMemory() throws Exception {
    List<PagePriority> order = closed(4);
    Path file = folder.resolve("index.delta").resolve("order_" + manifest().columnsNumber);
    byte[] bytes = Files.readAllBytes(file);
    byte[] longest = {-1, -1, -1, -1, 7}; // as a vint the largest int
    System.arraycopy(longest, 0, bytes, CodecUtil.headerLength("LuceneDeltaOrder"), longest.length);
    Files.write(file, bytes);
    assertThat(left(manifest())).isEmpty();
    assertThat(names(readOnly())).isEqualTo(names(order));
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.nextPages(20, NOW)).isEqualTo(order);
    }
    assertThat(troubles).singleElement().asString().contains("cannot be read and is made anew");
  }

  @Test
  void aDescriptionThatWasDamagedAnywhereIsNotBelieved() throws Exception {
    List<PagePriority> order = closed(4);
    Path file = folder.resolve("index.delta").resolve("order_" + manifest().columnsNumber);
    byte[] bytes = Files.readAllBytes(file);
    Manifest manifest = manifest();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        Directory files = FSDirectory.open(folder.resolve("index.delta"));
        DirectoryReader reader = DirectoryReader.open(index)) {
      for (int at = 0; at < bytes.length; at++) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= 1;
        Files.write(file, damaged);
        assertThat(left(files, reader, manifest)).as("byte %d of %d", at, bytes.length).isEmpty();
      }
      Files.write(file, bytes);
      assertThat(left(files, reader, manifest)).contains(order);
    }
  }

  @Test
  void whatAKilledWriterLeftOfItsColumnsIsDeleted() throws Exception {
    closed(4);
    Path killed = folder.resolve("killed");
    try (DeltaIndexWriter writer = open()) {
      writer.nextPages(1, NOW);
      FolderCopy.make(folder.resolve("index"), killed.resolve("index"));
      FolderCopy.make(folder.resolve("index.delta"), killed.resolve("index.delta"));
    }
    Files.delete(killed.resolve("index").resolve("write.lock"));
    Directory directory = FSDirectory.open(killed.resolve("index"));
    try (DeltaIndexWriter writer =
        new DeltaIndexWriter(
            directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config())) {
      assertThat(writer.status().orderBytes()).isZero();
      ColumnsCheck.compare(writer.measurer(), "made anew");
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void columnsAreLeftAgainByAWriterThatNeverLookedAtThem() throws Exception {
    List<PagePriority> order = closed(4);
    open().close();
    assertThat(left(manifest())).contains(order);
  }
}
