// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.examples.crawl.DemoCrawl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  @CsvSource({
    "--query-log nowhere.log, no file nowhere.log",
    "--query-log FILE, no query could be read from",
    "--workload FILE, not a workload file",
    "--log-format soup, soup",
    "--columns soup, no column soup",
  })
  void noDemoIsGeneratedForARunRefusedForItsInput(String options, String complaint)
      throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "2024-01-01T00:00:00Z\ts\t\t0\n");
    for (String verb : List.of("replay", "audit", "overhead")) {
      Path out = folder.resolve("results");
      String[] words = options.replace("FILE", file.toString()).split(" ", -1);
      CommandRun run = CommandRun.of(verb, words[0], words[1], "--out", out);
      assertThat(run.status()).as(verb).isNotZero();
      assertThat(run.complaint()).contains(complaint);
      assertThat(out).doesNotExist();
    }
  }

  /** As it is where a log is read; a file of that name would be there unseen. */
  @Test
  void aHyphenIsNoPlaceForResults() throws IOException {
    Path log = Files.writeString(folder.resolve("counts.tsv"), "words\t7\n");
    for (String option : List.of("--out", "--report")) {
      CommandRun run =
          CommandRun.of("workload", "--query-log", log, "--log-format", "counts", option, "-");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.complaint()).contains("- is no place here: name one, ./- if it is called so");
    }
    for (String verb : List.of("replay", "audit", "overhead")) {
      assertThat(CommandRun.of(verb, "--query-log", "no.log", "--out", "-").complaint())
          .contains("- is no place here");
    }
    assertThat(Path.of("-")).doesNotExist();
  }

  @Test
  void noDemoIsGeneratedForATableOfInlinksThatIsNotThere() {
    for (String verb : List.of("replay", "audit")) {
      CommandRun run =
          CommandRun.of(
              verb, "--scoring", "importance", "--importance", "nowhere.tsv", "--out", folder);
      assertThat(run.complaint()).contains("no file nowhere.tsv");
      assertThat(folder).isEmptyDirectory();
    }
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

  @ParameterizedTest
  @ValueSource(strings = {"replay", "audit", "overhead"})
  void nothingIsWrittenIntoTheCrawl(String verb) throws IOException {
    Path crawl = Files.createDirectories(folder.resolve("crawl/2024-01-01")).getParent();
    Path link = Files.createSymbolicLink(folder.resolve("link"), crawl);
    Path log = Files.writeString(folder.resolve("q.log"), "2024-01-01T00:00:00Z\ts\tpond\t0\n");
    for (Path out : List.of(crawl, link, link.resolve("new/results"))) {
      CommandRun run = CommandRun.of(verb, "--crawl", crawl, "--query-log", log, "--out", out);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.complaint())
          .endsWith(
              "--out %s is in the crawl %s, which is read: name a directory outside of it"
                  .formatted(out, crawl));
    }
    assertThat(crawl.resolve("new")).doesNotExist();
  }

  @Test
  void noIndexIsMadeInTheCrawl() throws IOException {
    Path crawl = Files.createDirectories(folder.resolve("crawl/2024-01-01")).getParent();
    Path log = Files.writeString(folder.resolve("q.log"), "2024-01-01T00:00:00Z\ts\tpond\t0\n");
    for (Path index : List.of(crawl, crawl.resolve("index"))) {
      CommandRun run =
          CommandRun.of("index", "--crawl", crawl, "--query-log", log, "--index", index);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.complaint())
          .endsWith(
              "--index %s is in the crawl %s, which is read: name a directory outside of it"
                  .formatted(index, crawl));
    }
    assertThat(crawl.resolve("index")).doesNotExist();
  }

  @Test
  void noTableOrPageIsWrittenOverWhatIsRead() throws IOException {
    List<String> names = new ArrayList<>(DocumentedTables.documented().keySet());
    names.addAll(List.of("report.html", "figure-quality.tsv"));
    names.addAll(List.of("Summary.tsv", "FIGURE-quality.TSV")); // some systems tell no capitals
    for (String name : names) {
      Path log = Files.writeString(folder.resolve(name), "mine");
      for (Path read : List.of(log, folder)) {
        assertThatThrownBy(() -> OutputPlace.requireUnread(folder, null, List.of(read)))
            .isInstanceOf(CommandFailure.class)
            .hasMessage(
                log
                    + " is read, and has the name of a result in --out "
                    + folder
                    + ": name another directory");
      }
      Files.delete(log);
    }
    Path log = Files.writeString(folder.resolve("queries.tsv"), "mine");
    assertThatCode(() -> OutputPlace.requireUnread(folder, null, List.of(log)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay", "audit", "overhead"})
  void aDemoIsNotWrittenOverTheLogThatIsRead(String verb) throws IOException {
    new DemoCrawl(5, 2, 4, 10, 1).write(folder);
    Path log = DemoCrawl.queryLog(folder);
    byte[] before = Files.readAllBytes(log);
    CommandRun run = CommandRun.of(verb, "--query-log", log, "--out", folder);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .contains("the demo crawl would be written over what " + folder + " holds");
    assertThat(log).hasBinaryContent(before);
  }

  @Test
  void indexesOfAnEarlierRunAreNotRemovedWhenTheyHoldWhatIsRead() throws IOException {
    Path crawl = Files.createDirectories(folder.resolve("indexes/crawl/2024-01-01")).getParent();
    Path log = Files.writeString(folder.resolve("indexes/q.log"), "mine");
    CommandRun run =
        CommandRun.of("overhead", "--crawl", crawl, "--query-log", "no.log", "--out", folder);
    assertThat(run.complaint())
        .contains(crawl + " is read, and " + folder.resolve("indexes") + " is removed");
    assertThat(log).hasContent("mine");
    assertThat(crawl).isNotEmptyDirectory();
  }
}
