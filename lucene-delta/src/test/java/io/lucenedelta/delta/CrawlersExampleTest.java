// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The longer examples of {@code docs/crawlers.md}, compiled and run. */
class CrawlersExampleTest {
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

  @Test
  void aBatchOfSeveralIndexesHoldsTheBestOfAll(@TempDir Path folder) throws Exception {
    Workload workload = Workload.builder().add(List.of("travel"), 1).build();
    DeltaConfig config = DeltaConfig.builder(workload).keyField("url").scoredField("body").build();
    try (Directory one = FSDirectory.open(folder.resolve("one"));
        Directory two = FSDirectory.open(folder.resolve("two"));
        DeltaIndexWriter writerOfOne = writer(one, config);
        DeltaIndexWriter writerOfTwo = writer(two, config)) {
      List<FetchQueue> queues =
          List.of(
              writerOfOne.fetchQueue(Duration.ofHours(6)),
              writerOfTwo.fetchQueue(Duration.ofHours(6)));
      for (int page = 0; page < 250; page++) {
        queues.get(page % 5 == 0 ? 0 : 1).discovered("https://example.org/" + page);
      }
      assertThat(ofSeveral(queues)).hasSize(100).doesNotHaveDuplicates();
      assertThat(ofSeveral(queues)).hasSize(100);
      assertThat(ofSeveral(queues)).hasSize(50);
      assertThat(queues.get(0).heldCount()).isEqualTo(50);
      assertThat(queues.get(1).heldCount()).isEqualTo(200);
    }
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
