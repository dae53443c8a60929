// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.DemoCrawl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = FreshScripts.RUN, mode = ResourceAccessMode.READ)
class MissingFlagsTest {
  @TempDir Path directory;

  @Test
  void aJvmWithoutTheFlagsOfTheStoreIsToldWhichToAdd() throws Exception {
    new DemoCrawl(5, 2, 5, 20, 1).write(directory);
    Path err = directory.resolve("err.txt");
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "index",
                "--crawl",
                DemoCrawl.snapshots(directory).toString(),
                "--query-log",
                DemoCrawl.queryLog(directory).toString(),
                "--index",
                directory.resolve("index").toString())
            .redirectError(err.toFile())
            .start();
    assertThat(jvm.waitFor()).isEqualTo(1);
    List<String> lines = Files.readAllLines(err);
    assertThat(lines.get(lines.size() - 1))
        .startsWith("lucene-delta index: ")
        .contains("--add-opens=java.base/java.lang=ALL-UNNAMED");
    assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
  }
}
