// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The longer examples of {@code docs/crawlers.md}, compiled and run. */
class CrawlersExampleTest {
  private Instant now = Instant.parse("2024-01-01T00:00:00Z");

  @Test
  void aBatchHoldsFivePagesOfAHostAtMost(@TempDir Path folder) throws Exception {
    Workload workload = Workload.builder().add(List.of("travel"), 1).build();
    DeltaConfig config = DeltaConfig.builder(workload).keyField("url").scoredField("body").build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = writer(directory, config)) {
      FetchQueue queue = writer.fetchQueue(Duration.ofHours(6));
      for (int page = 0; page < 50; page++) {
        queue.discovered("https://example.org/" + page);
      }
      queue.discovered("no {address}");
      queue.discovered("https://example.com/");
      assertThat(politely(queue)).hasSize(7).contains("https://example.com/");
      assertThat(politely(queue)).hasSize(5);
      assertThat(queue.heldCount()).isEqualTo(12);
    }
  }

  private static List<String> politely(FetchQueue queue) throws IOException {
    Map<String, Integer> ofHost = new HashMap<>();
    UnaryOperator<String> host = url -> url.replaceFirst("(://[^/?#]*).*", "$1"); // of any key
    List<String> urls = queue.take(100, url -> ofHost.merge(host.apply(url), 1, Integer::sum) <= 5);
    return urls;
  }

  /** Ten of 50 pages of the one index and 100 of 200 of the other have what is asked for. */
  @Test
  void aBatchOfSeveralIndexesHoldsTheBestOfAll(@TempDir Path folder) throws Exception {
    Workload workload = Workload.builder().add(List.of("travel"), 1).build();
    DeltaConfig config =
        DeltaConfig.builder(workload).keyField("url").scoredField("body").clock(() -> now).build();
    try (Directory one = FSDirectory.open(folder.resolve("one"));
        Directory two = FSDirectory.open(folder.resolve("two"));
        DeltaIndexWriter writerOfOne = writer(one, config);
        DeltaIndexWriter writerOfTwo = writer(two, config)) {
      List<FetchQueue> queues =
          List.of(
              writerOfOne.fetchQueue(Duration.ofHours(6)),
              writerOfTwo.fetchQueue(Duration.ofHours(6)));
      Set<String> best = new HashSet<>();
      for (int week = 1; week <= 2; week++) {
        for (int page = 0; page < 250; page++) {
          String url = "https://example.org/" + page;
          boolean asked = page % 5 == 0 ? page % 25 == 0 : page % 5 < 3;
          String text = (asked ? "travel " : "cooking ").repeat(week + page % 3);
          put(page % 5 == 0 ? writerOfOne : writerOfTwo, url, text);
          if (asked) {
            best.add(url);
          }
        }
        writerOfOne.commit();
        writerOfTwo.commit();
        now = now.plus(Duration.ofDays(7));
      }
      assertThat(ofSeveral(queues)).hasSize(100).doesNotHaveDuplicates().isSubsetOf(best);
      assertThat(ofSeveral(queues)).hasSize(100);
      assertThat(ofSeveral(queues)).hasSize(50);
      assertThat(queues.get(0).heldCount()).isEqualTo(50);
      assertThat(queues.get(1).heldCount()).isEqualTo(200);
    }
  }

  private static void put(DeltaIndexWriter writer, String url, String text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.NO));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", url), document);
  }

  private static DeltaIndexWriter writer(Directory directory, DeltaConfig config)
      throws IOException {
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()), config);
  }

  private static List<String> ofSeveral(List<FetchQueue> queues) throws IOException {
    record Free(FetchQueue queue, PagePriority page) {}
    List<Free> all = new ArrayList<>();
    for (FetchQueue queue : queues) {
      queue.nextFree(100).forEach(page -> all.add(new Free(queue, page)));
    }
    all.sort(Comparator.comparingDouble(free -> -free.page().priority()));
    Map<FetchQueue, Integer> shares = new LinkedHashMap<>();
    all.stream().limit(100).forEach(free -> shares.merge(free.queue(), 1, Integer::sum));
    List<String> urls = new ArrayList<>();
    for (Map.Entry<FetchQueue, Integer> share : shares.entrySet()) {
      urls.addAll(share.getKey().take(share.getValue()));
    }
    return urls;
  }

  @Test
  void theDocumentShowsTheCodeThatRunsHere() throws Exception {
    String document = squeezed(Files.readString(Path.of("..", "docs", "crawlers.md")));
    String source =
        Files.readString(Path.of("src/test/java/io/lucenedelta/delta/CrawlersExampleTest.java"));
    for (String begin : List.of("Map<String, Integer> ofHost", "record Free(")) {
      int from = source.indexOf(begin);
      String example = source.substring(from, source.indexOf("return", from));
      assertThat(document).contains(squeezed(example));
    }
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
