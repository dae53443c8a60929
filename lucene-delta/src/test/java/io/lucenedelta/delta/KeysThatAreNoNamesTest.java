// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.UserCentric;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys of bytes that are no UTF-8: their pages are measured, and nobody is told of them unless all
 * are like that.
 */
class KeysThatAreNoNamesTest {
  private static final List<BytesRef> KEYS =
      List.of(
          key("a"),
          key("b"),
          new BytesRef(new byte[] {(byte) 0xf4}),
          new BytesRef(new byte[] {'c', (byte) 0xff, 'd'}));

  private final List<String> troubles = new ArrayList<>();
  private Instant now = Instant.parse("2024-01-01T00:00:00Z");
  @TempDir Path folder;

  private static BytesRef key(String name) {
    return new BytesRef(name.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void ordersNameTheOthersWhoeverAsks() throws IOException {
    try (DeltaIndexWriter writer = open(null)) {
      commitThrice(writer);
      assertThat(names(writer.nextPages(9, now))).containsExactlyInAnyOrder("a", "b");
      assertThat(names(writer.nextPages(new UserCentric(0), 9, now)))
          .containsExactlyInAnyOrder("a", "b");
      assertThat(writer.fetchQueue(Duration.ofDays(1)).take(9)).containsExactlyInAnyOrder("a", "b");
      assertThat(writer.status().batchesIncomplete()).isZero();
      assertThat(writer.status().pages()).isEqualTo(4);
    }
    readersNameTheOthers();
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("col")).toList()) {
        Files.delete(file);
      }
    }
    readersNameTheOthers();
    assertThat(troubles).isEmpty();
  }

  @Test
  void theyAreHandedOutNeitherWhereTheyAreMostOfThePagesAndTheMostUrgent() throws IOException {
    List<BytesRef> named = IntStream.range(0, 20).mapToObj(i -> key("p" + i)).toList();
    List<BytesRef> nameless = new ArrayList<>();
    for (int i = 0; i < 1_100; i++) { // more than a short list holds
      nameless.add(
          new BytesRef(
              new byte[] {(byte) 0xff, 'q', (byte) ('0' + i / 70), (byte) ('0' + i % 70)}));
    }
    try (DeltaIndexWriter writer = open(null)) {
      commit(writer, nameless, 1);
      commit(writer, named, 1);
      assertThat(names(writer.nextPages(30, now))).hasSize(20).allMatch(p -> p.startsWith("p"));
      assertThat(names(writer.nextPages(new UserCentric(0), 9, now))).hasSize(9);
      commit(writer, named, 2);
      commit(writer, nameless, 2);
    }
    now = now.plus(Duration.ofDays(7));
    try (DeltaIndexWriter writer = open(null)) { // with the columns that the other left
      assertThat(names(writer.nextPages(30, now))).hasSize(20).allMatch(p -> p.startsWith("p"));
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(1));
      assertThat(queue.take(9)).hasSize(9).allMatch(page -> page.startsWith("p"));
      assertThat(queue.take(30)).hasSize(11).allMatch(page -> page.startsWith("p"));
      assertThat(queue.take(30)).isEmpty();
    }
    assertThat(troubles)
        .as("of the first commit alone")
        .singleElement()
        .asString()
        .contains("of the first 1100 pages is UTF-8");
  }

  @Test
  void thatNoneOfAHundredIsANameIsToldOnce() throws IOException {
    List<BytesRef> numbers = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      byte[] bytes = new byte[Long.BYTES];
      NumericUtils.longToSortableBytes(i, bytes, 0);
      numbers.add(new BytesRef(bytes));
    }
    try (DeltaIndexWriter writer = open(null)) {
      commit(writer, numbers, 1);
      assertThat(troubles).as("few pages tell nothing").isEmpty();
      commit(writer, numbers, 2);
      commit(writer, numbers, 3);
      assertThat(writer.nextPages(9, now)).isEmpty();
    }
    assertThat(troubles)
        .containsExactly(
            "none of the keys in field url of the first 120 pages is UTF-8, so pages are measured,"
                + " but named by no order and handed out by no queue: index keys as text, such as"
                + " the digits of a number");
  }

  @Test
  void aHundredAmongWhichIsANameAreNotTold() throws IOException {
    List<BytesRef> keys = new ArrayList<>(List.of(key("zürich")));
    for (int i = 0; i < 120; i++) {
      keys.add(new BytesRef(new byte[] {(byte) 0xff, (byte) i}));
    }
    try (DeltaIndexWriter writer = open(null)) {
      commit(writer, keys, 1);
      commit(writer, keys.subList(1, keys.size()), 2);
    }
    assertThat(troubles).isEmpty();
  }

  private void readersNameTheOthers() throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(names(state.nextPages(9, now))).containsExactlyInAnyOrder("a", "b");
      assertThat(names(state.nextPages(new UserCentric(0), 9, now)))
          .containsExactlyInAnyOrder("a", "b");
      List<String> histories = new ArrayList<>();
      state.histories().forEach(page -> histories.add(page.page()));
      assertThat(histories).containsExactly("a", "b");
    }
  }

  @Test
  void importanceIsAskedOfThemToo() throws IOException {
    try (DeltaIndexWriter writer = open(new Importance(String::length, Importance.Role.ALONE))) {
      commitThrice(writer);
      writer.rebuild();
      assertThat(writer.status().batchesIncomplete()).isZero();
      assertThat(names(writer.nextPages(9, now))).containsExactlyInAnyOrder("a", "b");
    }
    assertThat(troubles).isEmpty();
  }

  private static List<String> names(List<PagePriority> order) {
    return order.stream().map(PagePriority::page).toList();
  }

  private DeltaIndexWriter open(Importance importance) throws IOException {
    DeltaConfig.Builder config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .listener(new Troubles(troubles));
    if (importance != null) {
      config.importance(importance);
    }
    Directory directory = FSDirectory.open(folder.resolve("index"));
    return new DeltaIndexWriter(
        directory, new IndexWriterConfig(new SimpleAnalyzer()), config.build());
  }

  private void commitThrice(DeltaIndexWriter writer) throws IOException {
    for (int batch = 1; batch <= 3; batch++) {
      commit(writer, KEYS, batch);
    }
  }

  private void commit(DeltaIndexWriter writer, List<BytesRef> keys, int batch) throws IOException {
    for (int i = 0; i < keys.size(); i++) {
      String text = "alpha ".repeat(batch) + "word ".repeat(1 + i % 50);
      Document document = new Document();
      document.add(new StringField("url", keys.get(i), Field.Store.NO));
      document.add(new TextField("body", text, Field.Store.NO));
      writer.updateDocument(new Term("url", keys.get(i)), document);
    }
    writer.commit();
    now = now.plus(Duration.ofDays(7));
  }
}
