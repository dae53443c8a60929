// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.FetchQueue;
import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.workload.Workload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Pages never fetched, given to {@code next} as a list. */
class NextDiscoveredTest {
  private static final int PAGES = 60;
  private static final String NEW = "https://new.example/a";

  @TempDir static Path demo;

  @TempDir Path directory;

  private Path index;

  @BeforeAll
  static void makeCrawl() throws IOException {
    new DemoCrawl(PAGES, 4, 80, 2000, 11).write(demo);
    assertThat(index(demo.resolve("made"), "0-2").status()).isZero();
  }

  @BeforeEach
  void copyIndex() throws IOException {
    index = directory.resolve("i");
    for (String folder : List.of("", ".delta")) {
      try (Stream<Path> files = Files.walk(demo.resolve("made" + folder))) {
        for (Path file : files.toList()) {
          Path copy =
              Path.of(index + folder).resolve(demo.resolve("made" + folder).relativize(file));
          Files.copy(file, copy);
        }
      }
    }
  }

  private static CommandRun index(Path index, String weeks) {
    return CommandRun.of(
        "index",
        "--crawl",
        DemoCrawl.snapshots(demo),
        "--query-log",
        DemoCrawl.queryLog(demo),
        "--index",
        index,
        "--weeks",
        weeks);
  }

  private CommandRun next(Object... more) {
    Object[] usual = {"next", "--index", index, "--at", "2024-02-01T00:00:00Z", "--count", 100};
    return CommandRun.of(Stream.concat(Stream.of(usual), Stream.of(more)).toArray());
  }

  private Path list(String... lines) throws IOException {
    return Files.write(directory.resolve("list.tsv"), List.of(lines));
  }

  private static String cell(String row, int column) {
    return row.split("\t", -1)[column];
  }

  private static String withoutRank(String row) {
    return row.substring(row.indexOf('\t'));
  }

  private static List<String> pages(CommandRun run) {
    return run.out().stream().skip(1).map(row -> cell(row, 1)).toList();
  }

  private static String row(CommandRun run, String page) {
    return run.out().stream().filter(row -> cell(row, 1).equals(page)).findFirst().orElseThrow();
  }

  @Test
  void discoveredPagesStandInOneOrderWithKnownOnesAndAreMarked() throws IOException {
    CommandRun run = next("--discovered", list(NEW + "\tsome words", "https://new.example/b"));
    assertThat(run.status()).isZero();
    assertThat(run.out().get(0)).endsWith("last_refresh\trefreshes_measured\tdiscovered");
    assertThat(run.out()).hasSize(1 + PAGES + 2);
    assertThat(run.out().stream().skip(1).map(row -> Double.valueOf(cell(row, 2))))
        .isSortedAccordingTo(Comparator.reverseOrder());
    String found = row(run, NEW);
    assertThat(Double.parseDouble(cell(found, 2))).isPositive().isFinite();
    assertThat(found).endsWith("\t0\t\t0\ttrue");
    assertThat(run.out().stream().filter(row -> row.endsWith("\tfalse"))).hasSize(PAGES);
    assertThat(run.err().get(0)).contains("2 lines; 2 pages never fetched (0 of them told before)");
  }

  @Test
  void jsonSaysWhichPagesAreDiscovered() throws IOException {
    CommandRun run = next("--discovered", list(NEW), "--format", "json");
    int discovered = 0;
    for (JsonNode page : new ObjectMapper().readTree(String.join("\n", run.out()))) {
      assertThat(page.get("discovered").asBoolean())
          .isEqualTo(page.get("page").asText().equals(NEW));
      assertThat(page.get("last_refresh").isNull()).isEqualTo(page.get("discovered").asBoolean());
      discovered += page.get("discovered").asBoolean() ? 1 : 0;
    }
    assertThat(discovered).isEqualTo(1);
  }

  @Test
  void withoutTheOptionTheAnswerIsAsBefore() throws IOException {
    List<String> before = next().out();
    next("--discovered", list(NEW));
    assertThat(next().out()).isEqualTo(before).noneMatch(row -> row.contains(NEW));
  }

  @Test
  void pagesOfTheIndexAreNoDiscoveriesButCounted() throws IOException {
    CommandRun plain = next();
    String known = pages(plain).get(3);
    CommandRun run = next("--discovered", list(known + "\twords", NEW, known));
    assertThat(pages(run)).hasSize(PAGES + 1).doesNotHaveDuplicates();
    assertThat(withoutRank(row(run, known))).isEqualTo(withoutRank(row(plain, known)) + "\tfalse");
    assertThat(run.err().get(0))
        .contains("3 lines; 1 page never fetched")
        .endsWith(
            ", 1 already in the index (ignored), 0 malformed lines, 1 more line of these pages");
    try (MeasuredIndex measured = open()) {
      assertThat(measured.writer().fetchQueue(Duration.ofDays(1)).discoveredCount()).isEqualTo(1);
    }
  }

  private MeasuredIndex open() throws IOException {
    Workload workload = Workload.builder().add(List.of("any"), 1).build();
    return MeasuredIndex.open(index, workload, new MeasuringOptions(), new DeltaListener() {});
  }

  @Test
  void theFetchQueueHandsOutWhatWasTold() throws IOException {
    next("--discovered", list(NEW + "\tsome words"));
    assertThat(pages(next("--discovered"))).as("remembered").contains(NEW).hasSize(PAGES + 1);
    assertThat(next("--discovered", list(NEW)).err().get(0)).contains("(1 of them told before)");
    try (MeasuredIndex measured = open()) {
      FetchQueue queue = measured.writer().fetchQueue(Duration.ofDays(1));
      assertThat(queue.take(100)).contains(NEW).hasSize(PAGES + 1);
    }
  }

  @Test
  void aPageThatWasIndexedSinceIsNoDiscoveryAndForgotten() throws IOException {
    Path fresh = directory.resolve("fresh");
    Path crawl = Files.createDirectories(directory.resolve("crawl/2024-01-01"));
    Files.writeString(crawl.resolve("a.html"), "<title>a</title>text");
    Object[] make = {
      "index",
      "--crawl",
      crawl.getParent(),
      "--query-log",
      DemoCrawl.queryLog(demo),
      "--index",
      fresh
    };
    assertThat(CommandRun.of(make).status()).isZero();
    index = fresh;
    assertThat(pages(next("--discovered", list("b.html")))).contains("a.html", "b.html");
    Path later = Files.createDirectories(directory.resolve("crawl/2024-01-08"));
    Files.writeString(later.resolve("b.html"), "<title>b</title>text");
    assertThat(CommandRun.of(make).status()).isZero();
    assertThat(row(next("--discovered"), "b.html")).endsWith("\tfalse");
    try (MeasuredIndex measured = open()) {
      assertThat(measured.writer().fetchQueue(Duration.ofDays(1)).discoveredCount()).isZero();
    }
  }

  @Test
  void anIndexThatIsBeingWrittenIsAskedAllTheSame() throws IOException {
    try (MeasuredIndex measured = open()) {
      CommandRun run = next("--discovered", list(NEW));
      assertThat(run.status()).isZero();
      assertThat(pages(run)).contains(NEW);
      assertThat(String.join("\n", run.err()))
          .contains("listed but not remembered", "in use by this process");
      assertThat(measured.writer().fetchQueue(Duration.ofDays(1)).discoveredCount()).isZero();
    }
    assertThat(pages(next("--discovered"))).doesNotContain(NEW);
  }

  @Test
  void pagesThatCannotBeRememberedAreListedButThatIsAFailure() throws IOException {
    Path lock = Path.of(index + ".delta", "writer.lock");
    Files.delete(lock);
    Files.createDirectory(lock);
    CommandRun run = next("--discovered", list(NEW));
    assertThat(pages(run)).contains(NEW);
    assertThat(String.join("\n", run.err())).contains("listed but not remembered");
    assertThat(run.status()).isEqualTo(1);
    assertThat(next("--discovered").status()).as("of those remembered").isZero();
  }

  @Test
  void linesThatAreNoPagesAreCountedAndSaidAndDoNoHarm() throws IOException {
    String[] lines = {
      "\uFEFF" + NEW,
      "",
      "not a page",
      "\twords alone",
      "word",
      "http:/no-host",
      "http://",
      "https://new.example/" + "ü".repeat(20_000),
      NEW + "\tagain\tand again",
      "  https://b.example/ "
    };
    CommandRun run = next("--discovered", list(lines));
    assertThat(run.status()).isZero();
    assertThat(pages(run)).hasSize(PAGES + 2).contains(NEW, "https://b.example/");
    assertThat(run.err().get(0))
        .contains("9 lines; 2 pages never fetched")
        .endsWith(", 6 malformed lines, 1 more line of these pages");
    assertThat(run.err().get(1)).contains("line 3 has white space", "not a page");
    assertThat(run.err().get(2)).contains("line 4 has no address before the tab");
    assertThat(run.err().get(3)).contains("line 5 is no URL such as", "word");
    assertThat(run.err().get(4)).contains("3 more malformed lines");
  }

  @Test
  void whereKeysAreNoAddressesWhateverCanBeAKeyIsAPage() throws IOException {
    index = directory.resolve("named");
    Path crawl = Files.createDirectories(directory.resolve("crawl/2024-01-01"));
    Files.writeString(crawl.resolve("release notes.md"), "# a\n\ntext");
    Object[] make = {"index", "--crawl", crawl.getParent(), "--index", index};
    Object[] log = {"--query-log", DemoCrawl.queryLog(demo)};
    assertThat(CommandRun.of(Stream.of(make, log).flatMap(Stream::of).toArray()).status()).isZero();
    String[] keys = {"0004711-B", "DOC:2024/17;v3", "urn:isbn:1", "mailto:a@b.example", "a b.md"};
    CommandRun run = next("--discovered", list(keys));
    assertThat(pages(run)).contains(keys).contains("release notes.md");
    CommandRun bad = next("--discovered", list("\twords", "a\u0001b", "ü".repeat(20_000)));
    assertThat(bad.err().get(0)).contains("0 pages never fetched").endsWith(" 3 malformed lines");
    assertThat(bad.err().get(2)).contains("line 2 has a control character in its address");
  }

  @Test
  void aFileOfThisMachineIsAnAddress() throws IOException {
    assertThat(pages(next("--discovered", list("file:///srv/a.txt"))))
        .contains("file:///srv/a.txt");
  }

  @Test
  void aLineWithoutEndIsABadLineAndTheOthersAreRead() throws IOException {
    String words = "word ".repeat(BoundedLines.LONGEST / 5 + 1);
    CommandRun run = next("--discovered", list(NEW, "https://b.example/\t" + words, "c.html"));
    assertThat(run.status()).isZero();
    assertThat(pages(run)).hasSize(PAGES + 2).contains(NEW, "c.html");
    assertThat(run.err().get(0)).contains("3 lines; 2 pages").endsWith(", 1 malformed line");
    assertThat(run.err().get(1))
        .contains("line 2 is longer than 8 MB: https://b.example/ word word")
        .hasSizeLessThan(150);
  }

  @Test
  void aBadLineCannotCommandATerminal() throws IOException {
    CommandRun run = next("--discovered", list("red\u009b31m\twords\u001b[2J"));
    assertThat(run.err().get(1)).endsWith(": red?31m words?[2J");
  }

  @Test
  void bytesThatAreNoTextAreBadLines() throws IOException {
    Path file = directory.resolve("bytes");
    Files.write(file, new byte[] {'h', ':', '/', '/', (byte) 0xff, (byte) 0xfe, '\n', 'x', '\n'});
    CommandRun run = next("--discovered", file);
    assertThat(run.status()).isZero();
    assertThat(run.err().get(0)).contains("0 pages never fetched", "2 malformed lines");
    assertThat(run.err().get(1)).contains("line 1 is not UTF-8");
  }

  @ResourceLock("System.in")
  @Test
  void theListCanComeFromStandardInput() {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream((NEW + "\r\n").getBytes(StandardCharsets.UTF_8)));
      CommandRun run = next("--discovered", "-");
      assertThat(pages(run)).contains(NEW);
      assertThat(run.err().get(0)).startsWith("standard input: 1 line;");
      assertThat(next("--discovered", "-").complaint())
          .as("read to its end")
          .contains("standard input has no line in it");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void aListThatIsNoneFailsWithASentence() throws IOException {
    CommandRun missing = next("--discovered", directory.resolve("none"));
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.err()).hasSize(1);
    assertThat(missing.complaint()).contains("no file ", "none of discovered pages");
    CommandRun folder = next("--discovered", directory);
    assertThat(folder.status()).isEqualTo(1);
    assertThat(folder.complaint()).contains(directory + " is a directory: name a file");
    CommandRun empty = next("--discovered", list(" ", ""));
    assertThat(empty.status()).isEqualTo(1);
    assertThat(empty.complaint()).contains("list.tsv has no line in it: give an address a line");
  }

  @Test
  void whatCannotGoTogetherIsBadUse() throws IOException {
    CommandRun paper = next("--policy", "user-centric", "--discovered", list(NEW));
    assertThat(paper.status()).isEqualTo(2);
    assertThat(paper.complaint()).contains("--discovered needs --policy user-utility");
    CommandRun unnamed = next("--discovered=");
    assertThat(unnamed.status()).isEqualTo(2);
    assertThat(unnamed.complaint()).contains("--discovered was given an empty name");
    assertThat(next("--discovered", "").status()).isEqualTo(2);
  }
}
