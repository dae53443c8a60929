// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.GainParameters;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.TopPages;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers choose is hashed by a seed that they do not know. */
class HashSeedTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final String VICTIM = "https://victim.test/";
  private static final int WEEKS = 4;

  @TempDir Path folder;
  private final List<String> troubles = new ArrayList<>();
  private Instant now = START;

  private DeltaConfig.Builder config() {
    WorkloadBuilder workload = Workload.builder();
    for (int topic = 0; topic < 20; topic++) {
      workload.add(List.of("topic" + topic), 10 + topic);
    }
    return DeltaConfig.builder(workload.build())
        .keyField("url")
        .scoredField("body")
        .clock(() -> now)
        .listener(new Troubles(troubles));
  }

  private DeltaIndexWriter open(String index, DeltaConfig config) throws IOException {
    return new DeltaIndexWriter(
        FSDirectory.open(folder.resolve(index)),
        new IndexWriterConfig(new WhitespaceAnalyzer()),
        config);
  }

  private Manifest manifest(String index) throws IOException {
    try (Directory files = FSDirectory.open(folder.resolve(index + ".delta"))) {
      return Manifest.read(files);
    }
  }

  private static void put(DeltaIndexWriter writer, String url, String text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.YES));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", url), document);
  }

  /** Two sites whose pages change, and one of many pages that never do and that nobody asks for. */
  private void crawl(DeltaIndexWriter writer, String useless) throws IOException {
    Random random = new Random(1);
    for (int week = 0; week < WEEKS; week++) {
      now = START.plus(Duration.ofDays(7L * week));
      for (String site : List.of(VICTIM, "https://other.test/")) {
        for (int page = 0; page < 30; page++) {
          StringBuilder text = new StringBuilder();
          for (int word = 0; word < 10; word++) {
            text.append("topic").append(random.nextInt(20)).append(' ');
          }
          put(writer, site + page, text.toString());
        }
      }
      for (int page = 0; page < 300; page++) {
        if (week == 0) {
          put(writer, useless + page, "nothing");
        } else {
          writer.recordUnchanged(useless + page, now);
        }
      }
      writer.commit();
    }
    now = START.plus(Duration.ofDays(7L * WEEKS));
  }

  private static double ofVictim(List<PagePriority> order) {
    return order.stream()
        .filter(page -> page.page().startsWith(VICTIM))
        .mapToDouble(PagePriority::priority)
        .sum();
  }

  private double ofVictim(String index, String useless, long seed) throws IOException {
    return ofVictim(index, useless, seed, writer -> writer.nextPages(400));
  }

  /** Which pages come next. */
  @FunctionalInterface
  private interface Order {
    List<PagePriority> of(DeltaIndexWriter writer) throws IOException;
  }

  private double ofVictim(String index, String useless, long seed, Order order) throws IOException {
    try (DeltaIndexWriter writer = open(index, config().hashSeed(seed).build())) {
      crawl(writer, useless);
      return ofVictim(order.of(writer));
    }
  }

  /** A host with the number that another has everywhere is found in less than a second. */
  private static String chosen(boolean sameNumber) {
    int number = DirectoryPath.of(VICTIM).number(0);
    for (int host = 0; ; host++) {
      String site = "https://h%d.test/".formatted(host);
      if ((DirectoryPath.of(site).number(0) == number) == sameNumber) {
        return site;
      }
    }
  }

  @Test
  void aHostChosenForItsNumberChangesNoPrioritiesOfAnother() throws IOException {
    double foreseen = ofVictim("foreseen", chosen(true), 0);
    double alone = ofVictim("alone", chosen(false), 0);
    assertThat(foreseen).as("what can be foreseen can be used").isLessThan(0.8 * alone);
    RefreshPolicy trusting = // neighbours for longer
        new UserUtility(GainParameters.LEARNING.withRateSpread(false), 1);
    Order late = writer -> writer.nextPages(trusting, 400, now);
    assertThat(ofVictim("late foreseen", chosen(true), 0, late))
        .isLessThan(ofVictim("late alone", chosen(false), 0, late) / 2);
    assertThat(ofVictim("chosen", chosen(true), 7)).isEqualTo(ofVictim("any", chosen(false), 7));
  }

  @Test
  void whichOfNewAddressesThatPromiseAsMuchComeFirstCannotBeForeseen() throws IOException {
    List<String> byHash =
        IntStream.range(100, 2_100)
            .mapToObj(page -> VICTIM + page)
            .sorted(Comparator.comparingLong(page -> TopPages.hash(0, page)))
            .toList();
    List<String> chosen = byHash.subList(0, 100);
    List<String> told = new ArrayList<>(chosen);
    told.addAll(byHash.subList(1_900, 2_000));
    assertThat(firstOfNew("foreseen", told, 0)).hasSameElementsAs(chosen);
    List<String> first = firstOfNew("any", told, 7);
    assertThat(first.stream().filter(chosen::contains).count()).isBetween(20L, 80L);
  }

  /** Half of the addresses told: those that come first, for writers and readers. */
  private List<String> firstOfNew(String index, List<String> told, long seed) throws IOException {
    try (DeltaIndexWriter writer = open(index, config().hashSeed(seed).build())) {
      crawl(writer, "https://useless.test/");
      FetchQueue queue = writer.fetchQueue(Duration.ofHours(1));
      told.forEach(queue::discovered);
      queue.save();
      now = now.plusSeconds(1);
      List<PagePriority> order = onlyNew(queue.nextFree(1_000));
      assertThat(order).hasSameSizeAs(told);
      assertThat(order.stream().map(PagePriority::priority).distinct()).hasSize(1);
      try (DeltaState state = DeltaState.open(folder.resolve(index))) {
        Discoveries discoveries = state.discoveries(new WhitespaceAnalyzer());
        assertThat(onlyNew(state.nextPages(discoveries, 1_000, now))).isEqualTo(order);
      }
      List<String> first = queue.take(told.size() / 2);
      assertThat(first)
          .hasSameElementsAs(
              order.stream().limit(told.size() / 2).map(PagePriority::page).toList());
      return first;
    }
  }

  private static List<PagePriority> onlyNew(List<PagePriority> order) {
    return order.stream().filter(PagePriority::neverFetched).toList();
  }

  @Test
  void everyFolderHasASeedOfItsOwnAndKeepsIt() throws IOException {
    open("one", config().build()).close();
    open("two", config().build()).close();
    long one = manifest("one").hashSeed;
    assertThat(one).isNotZero().isNotEqualTo(manifest("two").hashSeed);
    List<PagePriority> right;
    try (DeltaIndexWriter writer = open("one", config().build())) {
      crawl(writer, "https://useless.test/");
      writer.fetchQueue(Duration.ofHours(1)).modified(VICTIM + 1, now);
      right = writer.nextPages(400);
    }
    try (DeltaState state = DeltaState.open(folder.resolve("one"))) {
      assertThat(state.nextPages(400, now)).as("from columns").isEqualTo(right);
    }
    try (DeltaIndexWriter writer = open("one", config().hashSeed(5).build())) {
      writer.fetchQueue(Duration.ofHours(1));
      assertThat(writer.nextPages(400)).isEqualTo(right);
      try (DeltaState state = DeltaState.open(folder.resolve("one"))) {
        assertThat(state.nextPages(400, now)).as("from the index").isEqualTo(right);
      }
    }
    assertThat(manifest("one").hashSeed).isEqualTo(one);
    assertThat(troubles).isEmpty();
  }

  @Test
  void aFolderOfAFormerVersionGoesOnWithoutASeed() throws IOException {
    List<PagePriority> right;
    try (DeltaIndexWriter writer = open("index", config().hashSeed(0).build())) {
      crawl(writer, "https://useless.test/");
      writer.fetchQueue(Duration.ofHours(1)).modified(VICTIM + 1, now);
      right = writer.nextPages(400);
    }
    makeFormer();
    try (DeltaIndexWriter writer = open("index", config().build())) {
      writer.fetchQueue(Duration.ofHours(1));
      assertThat(writer.nextPages(400)).isEqualTo(right);
    }
    assertThat(manifest("index").hashSeed).isZero();
    assertThat(troubles).isEmpty();
  }

  /** Cuts the seed off the manifest, with what came after it, and off the queue. */
  private void makeFormer() throws IOException {
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      for (String file : files.listAll()) {
        if (file.startsWith("delta_") || file.startsWith("queue_")) {
          byte[] bytes;
          try (IndexInput in = files.openInput(file, IOContext.READONCE)) {
            bytes = new byte[(int) in.length()];
            in.readBytes(bytes, 0, bytes.length);
          }
          int later = Long.BYTES;
          if (file.startsWith("delta_")) {
            bytes[CodecUtil.headerLength("LuceneDeltaManifest") - 1] = 11;
            later++; // an empty ranksFailure
          }
          files.deleteFile(file);
          try (IndexOutput out = files.createOutput(file, IOContext.DEFAULT)) {
            out.writeBytes(bytes, bytes.length - CodecUtil.footerLength() - later);
            CodecUtil.writeFooter(out);
          }
        }
      }
    }
  }

  /** Else a site would be taken for another that never said anything. */
  @Test
  void whatPagesToldIsToldAgainToAFolderWhoseManifestIsGone() throws IOException {
    try (Directory files = FSDirectory.open(folder.resolve("queue"))) {
      QueueFile file = QueueFile.read(files, null, 5);
      file.discover("https://a.test/new", now, null);
      file.modified(VICTIM + 1, now, now);
      file.write(files, List.of(), null);
      assertThat(heard(QueueFile.read(files, null, 5))).isEqualTo(now);
      QueueFile other = QueueFile.read(files, null, 6);
      assertThat(heard(other)).isEqualTo(Instant.MIN);
      assertThat(other.discovered()).containsOnlyKeys("https://a.test/new");
      assertThat(other.told.byPage()).containsOnlyKeys(VICTIM + 1);
      other.write(files, List.of(), null);
      assertThat(heard(QueueFile.read(files, null, 6))).isEqualTo(Instant.MIN);
    }
  }

  private static Instant heard(QueueFile file) {
    Publishers publishers = file.told.publishers();
    for (long seed : new long[] {5, 6}) {
      Instant heard = publishers.published(0, List.of(), DirectoryPath.of(VICTIM, seed)).heard();
      if (heard.isAfter(Instant.MIN)) {
        return heard;
      }
    }
    return Instant.MIN;
  }
}
