// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.openhft.chronicle.algo.hashing.LongHashFunction;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk may give back other bytes than were written, in the middle of a page store whose header
 * and size are right.
 */
class DamagedPageStoreTest {
  private static final int PAGES = 300;
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  /** Where Chronicle Map keeps what it is made of, which opening the map checks by itself. */
  private static final int HEADER = 16 * 1024;

  @TempDir Path folder;
  private final List<String> troubles = new ArrayList<>();
  private int week;

  @BeforeEach
  void makeState() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      for (int batch = 0; batch < 3; batch++) {
        index(writer, 0, 1);
      }
    }
  }

  private DeltaIndexWriter open(Directory directory) throws IOException {
    Workload workload =
        Workload.builder()
            .add(List.of("alpha"), 3)
            .add(List.of("beta"), 1)
            .add(List.of("alpha", "gamma"), 1)
            .build();
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField("url")
            .scoredField("body")
            .clock(this::now)
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private Instant now() {
    return START.plus(Duration.ofDays(7L * week));
  }

  /** When every page has waited for a while. */
  private Instant later() {
    return now().plus(Duration.ofDays(3));
  }

  private static String key(int page) {
    return "https://example.org/page/%03d".formatted(page);
  }

  /** Indexes and commits every {@code step}th page of a week, in another text. */
  private void index(DeltaIndexWriter writer, int first, int step) throws IOException {
    week++;
    for (int page = first; page < PAGES; page += step) {
      Random random = new Random(1000L * week + page);
      StringBuilder body = new StringBuilder("page");
      for (String word : List.of(" alpha", " beta", " gamma", " other")) {
        body.append(word.repeat(random.nextInt(4)));
      }
      Document document = new Document();
      document.add(new StringField("url", key(page), Field.Store.YES));
      document.add(new TextField("body", body.toString(), Field.Store.NO));
      writer.updateDocument(new Term("url", key(page)), document);
    }
    writer.commit();
  }

  private Path pagesOf(Path copy) throws IOException {
    try (Stream<Path> files = Files.list(copy.resolve("index.delta"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("pages_"))
          .findFirst()
          .orElseThrow();
    }
  }

  private Path copied(String name) throws IOException {
    Path copy = folder.resolve(name);
    FolderCopy.make(folder.resolve("index"), copy.resolve("index"));
    FolderCopy.make(folder.resolve("index.delta"), copy.resolve("index.delta"));
    return copy;
  }

  /** Behind its key lies how many bytes a page takes. */
  private void damageSize(Path copy, int page, int value) throws IOException {
    Path file = pagesOf(copy);
    byte[] bytes = Files.readAllBytes(file);
    byte[] key = key(page).getBytes(StandardCharsets.UTF_8);
    int at = 0;
    while (!Arrays.equals(bytes, at, at + key.length, key, 0, key.length)) {
      at++;
    }
    Arrays.fill(bytes, at + key.length, at + key.length + 4, (byte) value);
    Files.write(file, bytes);
  }

  private List<PagePriority> asked(Path copy) throws IOException {
    try (Directory directory = FSDirectory.open(copy.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      return writer.nextPages(PAGES, later());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x80, 0xff})
  void aQuestionIsAnsweredFromWhatIsDurable(int value) throws IOException {
    List<PagePriority> right = asked(copied("whole"));
    assertThat(troubles).isEmpty();
    Path copy = copied("damaged");
    damageSize(copy, 123, value);
    assertThat(asked(copy)).hasSize(PAGES).isEqualTo(right);
    assertThat(troubles).singleElement().asString().contains("built anew");
    troubles.clear();
    assertThat(asked(copy)).as("by the next process").isEqualTo(right);
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x80, 0xff})
  void theBatchThatMeetsTheDamageIsIncompleteAndTheNextOneIsMeasured(int value) throws IOException {
    Path copy = copied("damaged");
    damageSize(copy, 123, value);
    try (Directory directory = FSDirectory.open(copy.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      index(writer, 0, 3);
      assertThat(troubles).anyMatch(sentence -> sentence.contains("could not be measured"));
      troubles.clear();
      index(writer, 0, 3);
      assertThat(writer.status().lastIncomplete()).startsWith("batch 4 could not be measured");
      assertThat(writer.explain(key(123)).orElseThrow().refreshes().get(0).measured()).isTrue();
      assertThat(writer.nextPages(PAGES, later())).hasSize(PAGES);
      assertThat(troubles).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x80, 0xff})
  void sumsAreReadFromTheFilesWhenTheStoreCannotGiveThem(int value) throws IOException {
    Path copy = copied("damaged");
    damageSize(copy, 123, value);
    try (Directory directory = FSDirectory.open(copy.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      writer.rebuild();
      assertThat(troubles).singleElement().asString().contains("built anew");
      assertThat(writer.explain(key(123)).orElseThrow().refreshes()).hasSize(3);
      assertThat(writer.nextPages(PAGES, later())).hasSize(PAGES);
    }
  }

  @Test
  void aVisitToADamagedPageIsRecordedWithTheNextBatch() throws IOException {
    Path copy = copied("damaged");
    damageSize(copy, 123, 0);
    try (Directory directory = FSDirectory.open(copy.resolve("index"));
        DeltaIndexWriter writer = open(directory)) {
      Instant visited = now().plus(Duration.ofHours(3));
      writer.recordUnchanged(key(123), visited);
      writer.commit();
      assertThat(troubles)
          .as("only what was said of the visit")
          .containsExactly("visits that found nothing are recorded with the next batch");
      writer.commit();
      assertThat(troubles).hasSize(1);
      assertThat(writer.explain(key(123)).orElseThrow().refreshes().get(0).fetched())
          .isEqualTo(visited);
      long generation = writer.status().generation();
      writer.commit();
      assertThat(writer.status().generation())
          .as("nothing is left to commit")
          .isEqualTo(generation);
    }
  }

  /** Where locks, counters and the places of entries lie: the map would follow them anywhere. */
  @ParameterizedTest
  @ValueSource(ints = {4096, 4104, 4113, 4118, 4300, 12_480, 12_486, 12_600})
  void damageBeforeTheEntriesIsFoundBeforeTheMapIsOpened(int at) throws IOException {
    List<PagePriority> right = asked(copied("whole"));
    Path copy = copied("damaged");
    byte[] bytes = Files.readAllBytes(pagesOf(copy));
    bytes[at] ^= 0x20;
    Files.write(pagesOf(copy), bytes);
    assertThat(asked(copy)).hasSize(PAGES).isEqualTo(right);
    assertThat(troubles).singleElement().asString().contains("built anew");
    troubles.clear();
    assertThat(asked(copy)).as("by the next process").isEqualTo(right);
    assertThat(troubles).isEmpty();
  }

  /** Whoever can write to the folder may not run what he likes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "keySizeMarshaller: !io.lucenedelta.delta.DamagedPageStoreTest$Named {",
        "keySizeMarshaller: !io.lucenedelta.delta.DamagedPageStoreTest$Named ",
        "keyClass: !type io.lucenedelta.delta.DamagedPageStoreTest$Named,",
        "keyClass: io.lucenedelta.delta.DamagedPageStoreTest$Named,",
        "keyClass: \"io.lucenedelta.delta.DamagedPageStoreTest$Named\","
      })
  void noClassIsRunThatAPageStoreNames(String line) throws IOException {
    List<PagePriority> right = asked(copied("whole"));
    Path copy = copied("forged");
    forge(copy, line);
    assertThat(asked(copy)).isEqualTo(right);
    assertThat(System.getProperty(Named.RUN)).as("by what runs").isNull();
    assertThat(troubles).singleElement().asString().contains("built anew");
    troubles.clear();
    Path harmless = copied("harmless");
    forge(harmless, "keyClass: !type byte[],");
    assertThat(asked(harmless)).isEqualTo(right);
    assertThat(troubles).as("the name alone is refused").isEmpty();
  }

  /** Sets a line of the header, its hash and the check of the map in place of what was there. */
  private void forge(Path copy, String line) throws IOException {
    Path file = pagesOf(copy);
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = all.getInt(8);
    String text = new String(bytes, 12, length, StandardCharsets.ISO_8859_1);
    String name = line.substring(0, line.indexOf(':') + 1);
    String before = text.lines().filter(l -> l.strip().startsWith(name)).findFirst().orElseThrow();
    String forged =
        text.replace(before, "  " + line) // the longer line takes the room of what does not matter
            .replace("  log2TiersInBulk: 0,\n", "")
            .replace("  tierBulkInnerOffsetToTiers: 0,\n", "")
            .replace("  tierEntrySpaceInnerOffset: 0,\n", "");
    assertThat(forged).hasSizeLessThanOrEqualTo(length);
    int room = length - forged.length();
    forged = forged.replace("maxBloatFactor: 8.0", "maxBloatFactor: 8.0" + "0".repeat(room));
    System.arraycopy(forged.getBytes(StandardCharsets.ISO_8859_1), 0, bytes, 12, length);
    all.putLong(0, LongHashFunction.xx_r39().hashBytes(bytes, 8, 4 + length));
    Files.write(file, bytes);
    long number = Long.parseLong(file.getFileName().toString().replaceAll("\\D", ""));
    PagesCheck check = new PagesCheck();
    try (Directory state = FSDirectory.open(copy.resolve("index.delta"))) {
      String standsFor;
      try (IndexInput in =
          StateFiles.openWhole(state, PagesCheck.name(number), "LuceneDeltaPagesCheck", 1)) {
        standsFor = in.readString();
        in.readInt();
        for (int left = in.readVInt(); left > 0; left--) {
          check.add(in.readVLong(), in.readVLong());
        }
      }
      check.write(state, number, file, standsFor);
    }
  }

  /** A class that leaves a trace when anything of it is run. */
  static final class Named {
    static final String RUN = "named.by.a.page.store"; // a constant: to read it runs nothing

    static {
      System.setProperty(RUN, "yes");
    }
  }

  @Test
  void whereverTheDamageIsNothingReachesTheApplication() throws IOException {
    long begin = Long.getLong("first.seed", 1);
    for (long seed = begin; seed < begin + 40; seed++) {
      Random random = new Random(seed);
      Path copy = copied("seed" + seed);
      Path file = pagesOf(copy);
      byte[] bytes = Files.readAllBytes(file);
      if (random.nextBoolean()) {
        byte[] other = new byte[4096];
        random.nextBytes(other);
        int at = HEADER + random.nextInt(bytes.length - HEADER - other.length);
        System.arraycopy(other, 0, bytes, at, other.length);
      } else {
        for (int flip = 0; flip < 50; flip++) {
          int at = HEADER + random.nextInt(bytes.length - HEADER);
          bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
      }
      Files.write(file, bytes);
      try (Directory directory = FSDirectory.open(copy.resolve("index"));
          DeltaIndexWriter writer = open(directory)) {
        if (random.nextBoolean()) {
          assertThat(writer.nextPages(10, later())).as("seed %d", seed).hasSize(10);
        }
        index(writer, random.nextInt(3), 3);
        assertThat(writer.nextPages(10, later())).as("seed %d", seed).hasSize(10);
        assertThat(writer.fetchQueue(Duration.ofHours(1)).take(5, later())).hasSize(5);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          assertThat(reader.numDocs()).as("seed %d", seed).isEqualTo(PAGES);
        }
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
