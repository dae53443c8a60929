// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where results go is looked at before long work, and touched when there is something to write. */
class OutputPlaceTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"replay", "audit", "overhead"})
  void aRunRefusedForItsInputLeavesNothingBehind(String verb) {
    Path out = folder.resolve("new").resolve("results");
    CommandRun run =
        CommandRun.of(
            verb, "--crawl", folder.resolve("nowhere"), "--query-log", "no.log", "--out", out);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("nowhere");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "file/in/it"})
  void aFileInTheWayIsNamedBeforeTheInputIsLookedAt(String out) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    CommandRun run =
        CommandRun.of(
            "replay",
            "--crawl",
            folder.resolve("nowhere"),
            "--query-log",
            "no.log",
            "--out",
            folder.resolve(out));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains(file + " is a file: name a directory");
    assertThat(file).hasContent("mine");
  }
}
