// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of {@code docs/crawlers.md} of pages that are wanted, compiled and run. */
class CrawlersExampleTest {
  @Test
  void aBatchHoldsFivePagesOfAHostAtMost(@TempDir Path folder) throws Exception {
    Workload workload = Workload.builder().add(List.of("travel"), 1).build();
    DeltaConfig config = DeltaConfig.builder(workload).keyField("url").scoredField("body").build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new StandardAnalyzer()), config)) {
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
  void theDocumentShowsTheCodeThatRunsHere() throws Exception {
    String document = squeezed(Files.readString(Path.of("..", "docs", "crawlers.md")));
    String source =
        Files.readString(Path.of("src/test/java/io/lucenedelta/delta/CrawlersExampleTest.java"));
    int from = source.indexOf("Map<String, Integer> ofHost");
    String example = source.substring(from, source.indexOf("return", from));
    assertThat(document).contains(squeezed(example));
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
