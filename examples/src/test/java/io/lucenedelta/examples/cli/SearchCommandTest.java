// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SearchCommandTest {
  @TempDir Path folder;

  @Test
  @Timeout(120)
  void whereItServesIsToldOnStandardErrorIfStandardOutputCannotBeWritten() throws Exception {
    Path index = folder.resolve("index");
    Workload workload = Workload.builder().add(List.of("word"), 1).build();
    try (MeasuredIndex measured =
        MeasuredIndex.open(index, workload, new MeasuringOptions(), new DeltaListener() {})) {
      Instant time = Instant.parse("2024-01-01T00:00:00Z");
      measured.update(new CrawledPage("https://a.example/", time, "", "word"));
      measured.commit(time, pages -> {});
    }
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    StringWriter err = new StringWriter();
    String[] words = {"search", "--index", index.toString(), "--port", "0"};
    Thread serving = new Thread(() -> Main.run(full, new PrintWriter(err), words));
    serving.setDaemon(true);
    serving.start();
    while (serving.isAlive() && !err.toString().contains("\n")) {
      Thread.sleep(10);
    }
    String told = err.toString();
    serving.interrupt();
    serving.join();
    assertThat(told).containsPattern("Search at http://localhost:[0-9]+/ \\(stop with Ctrl-C\\)\n");
  }
}
