// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
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

  @ParameterizedTest
  @ValueSource(strings = {"index", "audit"})
  @EnabledOnOs(OS.LINUX)
  void aDirectoryThatCannotBeMadeIsSaidToBeSo(String verb) throws IOException {
    Path crawl = Files.createDirectories(folder.resolve("crawl/2024-01-01")).getParent();
    Path log = Files.writeString(folder.resolve("q.log"), "2024-01-01T00:00:00Z\ts\ttext\t0\n");
    Path place = Path.of("/proc/no-such-place");
    CommandRun run =
        verb.equals("index")
            ? CommandRun.of(
                "index", "--crawl", crawl, "--query-log", log, "--index", place.resolve("a"))
            : CommandRun.of("audit", "--out", place);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .startsWith("lucene-delta " + verb + ": ")
        .containsAnyOf(
            "directory " + place + " cannot be made: name one in another place",
            "no permission to write /proc: name another place");
  }
}
