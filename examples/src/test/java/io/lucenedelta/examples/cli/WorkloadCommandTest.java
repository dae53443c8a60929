// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class WorkloadCommandTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theSummaryCountsEveryLineAndShowsTheBadOnes() throws IOException {
    Path log =
        log(
            "2001-09-28T10:00:00Z\ts1\tGarden Pond\t0",
            "2001-09-28T10:00:40Z\ts1\tGarden Pond\t10",
            "2001-09-28T10:01:00Z\ts2\tthe pond\t0",
            "2001-09-28T10:02:00Z\ts2\t\t0",
            "2001-09-28T10:03:00Z\ts3\tno offset");

    assertThat(run("--query-log", log.toString())).isZero();
    assertThat(lines())
        .contains("lines read 5", "kept 2 40.0 %", "next-page 1 20.0 %", "empty 1 20.0 %")
        .contains("rejected 1 20.0 %", "field missing 1 20.0 %")
        .anyMatch(line -> line.endsWith("queries.log:5: 2001-09-28T10:03:00Z→s3→no offset"))
        .contains("queries, Q 2 asked 2 times", "terms, Q′ 3 asked 4 times")
        .contains("1 garden pond", "2 pond");
  }

  @Test
  void noLineAndNoNameOfALogCommandsATerminal() throws IOException {
    Path logs = Files.createDirectories(directory.resolve("logs"));
    String line = "2001-09-28T10:00:00Z\ts1\tgarden pond\t0\n";
    Files.writeString(logs.resolve("good.log"), line.repeat(9) + "red\u009b31m\tshort\n");
    Files.writeString(logs.resolve("bad\u009b31m.log"), "no log of any known format at all\n");
    assertThat(run("--query-log", logs.toString())).isZero();
    assertThat(out.toString()).contains("red·31m").contains("bad?31m.log");
    assertThat(err.toString()).doesNotContainPattern("[\\p{Cc}&&[^\\n\\t]]");
    assertThat(out.toString()).doesNotContainPattern("[\\p{Cc}&&[^\\n\\t]]");
  }

  /** What turns the direction of letters is part of a word to the analyzer. */
  @Test
  void noQueryTurnsTheLettersOfATerminal() throws IOException {
    String log = log("2001-09-28T10:00:00Z\ts1\tgar\u202eden pond\t0").toString();
    assertThat(run("--query-log", log)).isZero();
    assertThat(lines()).contains("1 gar?den pond");
    assertThat(out.toString()).doesNotContain("\u202e");
    out.getBuffer().setLength(0);
    assertThat(run("--query-log", log, "--format", "json")).isZero();
    assertThat(out.toString()).doesNotContain("\u202e");
    assertThat(new ObjectMapper().readTree(out.toString()).at("/top_queries/0/query").asText())
        .isEqualTo("gar\u202eden pond");
  }

  @Test
  void theWorkloadIsWrittenAndADayIsMergedIntoIt() throws IOException {
    Path file = directory.resolve("running.workload");
    Path day = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0");
    assertThat(run("--query-log", day.toString(), "--out", file.toString())).isZero();
    assertThat(
            run(
                "--query-log",
                day.toString(),
                "--merge",
                file.toString(),
                "--older-weight",
                "0.5",
                "--out",
                file.toString()))
        .isZero();

    Workload running = Workload.open(file);
    assertThat(running.queryText(0)).isEqualTo("garden pond");
    assertThat(running.frequency(0)).isEqualTo(1.5);
  }

  @Test
  void whatFallsBelowTheFloorIsForgotten() throws IOException {
    Path before = Files.writeString(directory.resolve("before"), "garden pond\t4\nfern\t3\n");
    Path now = Files.writeString(directory.resolve("now"), "garden pond\t1\n");
    String older = directory.resolve("older.workload").toString();
    assertThat(run("--query-log", before.toString(), "--out", older)).isZero();

    for (String floor : List.of("1", "2")) {
      out.getBuffer().setLength(0);
      String merged = now + " --merge " + older + " --older-weight 0.5 --floor " + floor;
      assertThat(run(("--query-log " + merged).split(" ", -1))).isZero();
      assertThat(lines()).contains("3 garden pond");
      assertThat(lines().contains("1.500 fern")).as("floor %s", floor).isEqualTo(floor.equals("1"));
      String told = "forgotten, below --floor 1.500 33.3 % of the volume of old and new";
      assertThat(lines().contains(told)).as("floor %s", floor).isEqualTo(floor.equals("2"));
    }
    out.getBuffer().setLength(0);
    String merged = now + " --merge " + older + " --older-weight 0.0001 --floor 0.9";
    assertThat(run(("--query-log " + merged + " --format json").split(" ", -1))).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/forgotten_asked").asDouble())
        .isCloseTo(0.0003, within(1e-12));
  }

  /** 0.1 · 7 + 1 is more than the sum of the parts, by the last bit of a double. */
  @Test
  void whatRoundingTakesAwayIsNotForgotten() throws IOException {
    Path before = Files.writeString(directory.resolve("before"), "pond\t4\nfern\t2\nkoi\t1\n");
    Path now = Files.writeString(directory.resolve("now"), "pond\t1\n");
    String older = directory.resolve("older.workload").toString();
    assertThat(run("--query-log", before.toString(), "--out", older)).isZero();
    List<String> merged = List.of("--query-log", now.toString(), "--merge", older);
    out.getBuffer().setLength(0);
    assertThat(run(merged, "--older-weight", "0.1", "--format", "json")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/forgotten_asked").asDouble())
        .isZero();
  }

  @Test
  void aFrequencyThatHasFallenFarIsStillANumber() throws IOException {
    Path before = Files.writeString(directory.resolve("before"), "garden pond\t4\nfern\t3\n");
    Path now = Files.writeString(directory.resolve("now"), "garden pond\t1\n");
    String older = directory.resolve("older.workload").toString();
    Path report = directory.resolve("report.html");
    assertThat(run("--query-log", before.toString(), "--out", older)).isZero();
    List<String> merged = List.of("--query-log", now.toString(), "--merge", older);
    assertThat(run(merged, "--older-weight", "0.0001", "--report", report.toString())).isZero();
    assertThat(lines()).contains("0.000300 fern");
    assertThat(report).content().contains(">0.000300<");
  }

  @Test
  void theWindowSaysWhenTheSameTextIsAskedAgain() throws IOException {
    String log =
        log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0", "2001-09-28T10:09:00Z\ts1\tgarden pond\t0")
            .toString();

    assertThat(run("--query-log", log)).isZero();
    assertThat(lines()).contains("repeated 1 50.0 %", "queries, Q 1 asked 1 times");
    out.getBuffer().setLength(0);
    assertThat(run("--query-log", log, "--session-window", "8")).isZero();
    assertThat(lines()).contains("repeated 0 0.0 %", "queries, Q 1 asked 2 times");
  }

  @Test
  void whatASessionAsksBeyondItsShareIsARobotsAndCanBeLeftOut() throws IOException {
    String log =
        log(
                "2001-09-28T10:00:00Z\ts1\tgarden pond\t0",
                "2001-09-28T10:01:00Z\ts1\tfern\t0",
                "2001-09-28T10:02:00Z\ts1\tmoss\t0",
                "2001-09-28T10:02:00Z\ts2\tgarden pond\t0")
            .toString();
    String robots = "robots 1 session, 1 query beyond what a person asks in an hour, ";

    assertThat(run("--query-log", log)).isZero();
    assertThat(lines()).noneMatch(line -> line.startsWith("robot"));
    assertThat(run("--query-log", log, "--queries-an-hour", "2")).isZero();
    assertThat(lines()).contains(robots + "kept: see --drop-robots", "queries, Q 3 asked 4 times");
    out.getBuffer().setLength(0);
    assertThat(run("--query-log", log, "--queries-an-hour", "2", "--drop-robots")).isZero();
    assertThat(lines())
        .contains("robot 1 25.0 %", robots + "left out", "queries, Q 2 asked 3 times");
  }

  @Test
  void whereNoLogTellsWhoAsksThatNoRobotIsLeftOutIsSaid() throws IOException {
    String nobodys = log("2001-09-28T10:00:00Z\t-\tgarden pond\t0").toString();
    String somebodys =
        Files.writeString(directory.resolve("s"), "2001-09-28T10:00:00Z\ts1\tfern\t0\n").toString();
    String sentence =
        "--drop-robots had no effect: none of the logs read tells who asked and when\n";

    assertThat(run("--query-log", nobodys, "--log-format", "altavista")).isZero();
    assertThat(run("--query-log", nobodys, somebodys, "--drop-robots")).isZero();
    assertThat(err.toString()).isEmpty();
    out.getBuffer().setLength(0);
    assertThat(run("--query-log", nobodys, "--drop-robots", "--format", "json")).isZero();
    assertThat(err.toString()).isEqualTo(sentence);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/lines/kept").asInt()).isEqualTo(1);
    assertThat(json.get("robot_sessions").isNull()).isTrue();
    assertThat(json.get("robot_queries").isNull()).isTrue();
  }

  @Test
  void soManyQueriesAndTermsAreShownAsAreAskedFor() throws IOException {
    String log =
        Files.writeString(directory.resolve("counts"), "garden pond\t5\nfern\t3\nmoss\t2\n")
            .toString();
    Path report = directory.resolve("report.html");

    assertThat(run("--query-log", log, "--top", "2", "--report", report.toString())).isZero();
    assertThat(lines().stream().dropWhile(line -> !line.startsWith("frequency")))
        .containsExactly(
            "frequency query",
            "5 garden pond",
            "3 fern",
            "",
            "frequency term",
            "5 garden",
            "5 pond");
    assertThat(
            Jsoup.parse(report).select("table[aria-label=The most frequent queries] tr").eachText())
        .containsExactly("query asked", "garden pond 5", "fern 3");
    out.getBuffer().setLength(0);
    assertThat(run("--query-log", log, "--top", "2", "--format", "json")).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/top_queries").findValuesAsText("query"))
        .containsExactly("garden pond", "fern");
    assertThat(json.at("/top_terms").findValuesAsText("term")).containsExactly("garden", "pond");
  }

  @Test
  void aWorkloadIsNoLogAndThatIsSaid() throws IOException {
    Path file = directory.resolve("running.workload");
    Path day = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0");
    assertThat(run("--query-log", day.toString(), "--out", file.toString())).isZero();
    assertThat(run("--query-log", file.toString())).isNotZero();
    assertThat(err.toString())
        .contains("running.workload is no query log but a workload: add logs to it by --merge")
        .doesNotContain("no known query log format");
  }

  @Test
  void queriesOfOneSessionCanBeWithheld() throws IOException {
    Path log =
        log(
            "2001-09-28T10:00:00Z\ts1\tgarden pond\t0",
            "2001-09-28T10:00:01Z\ts2\tgarden pond\t0",
            "2001-09-28T10:00:02Z\ts2\tmy own name\t0");

    assertThat(run("--query-log", log.toString(), "--min-sessions", "2")).isZero();
    assertThat(lines())
        .contains("asked by too few sessions 1 33.3 % of the volume, 1 query")
        .noneMatch(line -> line.contains("own"));
  }

  @Test
  void queriesOfAnOlderWorkloadAreNotWithheldAndThatIsSaid() throws IOException {
    String log = log("2001-09-28T10:00:00Z\ts1\tmy own name\t0").toString();
    String older = directory.resolve("older.workload").toString();
    Path report = directory.resolve("report.html");
    assertThat(run("--query-log", log, "--out", older)).isZero();
    String note =
        "--min-sessions 2 holds for the logs of this run alone: what "
            + older
            + " holds of fewer sessions stays, and sessions of other runs do not count";
    assertThat(lines()).doesNotContain(note);

    List<String> merged = List.of("--query-log", log, "--merge", older);
    assertThat(run(merged, "--min-sessions", "2", "--report", report.toString())).isZero();
    assertThat(lines()).contains(note, "1 my own name");
    assertThat(Jsoup.parse(report).select("main > p").eachText()).contains(note);
    out.getBuffer().setLength(0);
    assertThat(run(merged, "--min-sessions", "2", "--format", "json")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/notes/0").asText()).isEqualTo(note);
    out.getBuffer().setLength(0);
    assertThat(run(merged)).isZero();
    assertThat(lines()).noneMatch(line -> line.startsWith("--min-sessions"));
    out.getBuffer().setLength(0);
    assertThat(run("--query-log", log, "--min-sessions", "2")).isZero();
    assertThat(lines()).noneMatch(line -> line.startsWith("--min-sessions"));
  }

  @Test
  void whereQueriesAreWithheldNoLineIsShownButItsPlace() throws IOException {
    Path logs = Files.createDirectories(directory.resolve("logs"));
    Path log =
        log(
            "2001-09-28T10:00:00Z\ts1\tgarden pond\t0",
            "2001-09-28T10:00:01Z\ts2\tgarden pond\t0",
            "2001-09-28T10:00:02Z\ts3\tgarden pond\t0",
            "2001-09-28T10:00:03Z\ts4\tgarden pond\t0",
            "2001-09-28T10:03:00Z\ts5\tmy own name");
    String place = Files.move(log, logs.resolve("a.log")) + ":5";
    Files.writeString(logs.resolve("readme"), "my own name\nis no log\n");
    Path report = directory.resolve("report.html");
    List<String> arguments = List.of("--query-log", logs.toString(), "--min-sessions", "2");

    assertThat(run(arguments, "--report", report.toString())).isZero();
    assertThat(lines()).contains(place).anyMatch(line -> line.contains("its first line is: not"));
    assertThat(out.toString()).doesNotContain("my own");
    assertThat(Jsoup.parse(report).select("td").eachText()).contains(place);
    assertThat(Jsoup.parse(report).text()).doesNotContain("my own");
    out.getBuffer().setLength(0);
    assertThat(run(arguments, "--format", "json")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/samples/field_missing/0").asText())
        .isEqualTo(place);
    assertThat(out.toString()).doesNotContain("my own");
  }

  @ResourceLock("System.in")
  @Test
  void aDashReadsStandardInput() {
    InputStream before = System.in;
    System.setIn(
        new ByteArrayInputStream("garden pond\t3\n".repeat(2).getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(run("--query-log", "-")).isZero();
    } finally {
      System.setIn(before);
    }
    assertThat(lines()).contains("queries, Q 1 asked 6 times");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void anEmptyNameIsNoLog(String name) {
    assertThat(run("--query-log", name)).isEqualTo(2);
    assertThat(err.toString()).contains("an empty name is no file or directory").hasLineCount(1);
  }

  @Test
  void aFolderWithoutAnIndexIsToldBeforeAnyLogIsRead() {
    assertThat(run("--query-log", "no such log", "--relevant-to", directory.toString()))
        .isEqualTo(1);
    assertThat(err.toString())
        .contains("there is no index in " + directory + ": name the directory of one")
        .hasLineCount(1);
  }

  @Test
  void onlyQueriesThatConcernThePagesAreKept() throws IOException {
    Path index = directory.resolve("pages.index");
    try (Analyzer analyzer = PageAnalysis.analyzer();
        FSDirectory store = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(store, new IndexWriterConfig(analyzer))) {
      for (String text : List.of("garden pond plants", "garden pond", "pond life", "plants")) {
        Document page = new Document();
        page.add(new TextField(PageAnalysis.BODY, text, Field.Store.NO));
        writer.addDocument(page);
      }
    }
    Path log = Files.writeString(directory.resolve("counts"), "garden pond\t5\npond tax\t4\n");
    Path report = directory.resolve("report.html");

    assertThat(
            run(
                "--query-log",
                log.toString(),
                "--relevant-to",
                index.toString(),
                "--report",
                report.toString()))
        .isZero();
    assertThat(lines())
        .contains("queries that a page answers 1 50.0 %", "asked 5 55.6 % of the volume")
        .contains("queries, Q 1 asked 5 times", "5 garden pond")
        .noneMatch(line -> line.contains("tax"));
    assertThat(Jsoup.parse(report).select("table tbody th, td").eachText())
        .contains("kept", "garden pond")
        .doesNotContain("pond tax");
  }

  @Test
  void whereNoPageAnswersAnyQueryNoKneeIsTold() throws IOException {
    Path index = directory.resolve("pages.index");
    try (FSDirectory store = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(store, new IndexWriterConfig())) {
      Document page = new Document();
      page.add(new TextField("text", "garden pond", Field.Store.NO));
      writer.addDocument(page);
    }
    Path log = Files.writeString(directory.resolve("counts"), "garden pond\t5\n");

    assertThat(run("--query-log", log.toString(), "--relevant-to", index.toString())).isZero();
    assertThat(lines())
        .contains("queries that a page answers 0 0.0 %")
        .anyMatch(line -> line.startsWith("relevant 0 the index needs text in its field 'body'"))
        .noneMatch(line -> line.contains("Infinity"));
  }

  @Test
  void whereNoQueryIsLeftNeitherTheIndexIsBlamedNorAShareTold() throws IOException {
    Path index = directory.resolve("pages.index");
    try (FSDirectory store = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(store, new IndexWriterConfig())) {
      Document page = new Document();
      page.add(new TextField(PageAnalysis.BODY, "garden pond", Field.Store.NO));
      writer.addDocument(page);
    }
    Path log =
        Files.writeString(directory.resolve("log"), "2024-01-01T00:00:00Z\ta\tgarden pond\n");

    assertThat(
            run(
                "--query-log",
                log.toString(),
                "--min-sessions",
                "2",
                "--relevant-to",
                index.toString()))
        .isZero();
    assertThat(lines())
        .contains("queries that a page answers 0", "queries, Q 0 asked 0 times")
        .noneMatch(line -> line.contains("the index needs text"))
        .noneMatch(line -> line.equals("asked 0 of the volume"));
  }

  private List<String> relevantTo40Pages() throws IOException {
    Path index = directory.resolve("pages.index");
    try (Analyzer analyzer = PageAnalysis.analyzer();
        FSDirectory store = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(store, new IndexWriterConfig(analyzer))) {
      for (int i = 0; i < 40; i++) {
        Document page = new Document();
        String text = "pond ".repeat(1 + i % 5) + (i % 2 == 0 ? "garden" : "word" + i);
        page.add(new TextField(PageAnalysis.BODY, text, Field.Store.NO));
        writer.addDocument(page);
      }
    }
    Path log =
        Files.writeString(directory.resolve("counts"), "pond\t5\ngarden\t4\nword1\t3\nword3\t2\n");
    return List.of("--query-log", log.toString(), "--relevant-to", index.toString());
  }

  @Test
  void theKneeIsAPictureInTheReport() throws IOException {
    Path report = directory.resolve("report.html");

    assertThat(run(relevantTo40Pages(), "--report", report.toString())).isZero();
    String knee = Jsoup.parse(report).select("figure#knee").text();
    assertThat(knee).contains("Which queries concern these pages", "of 4");
    assertThat(directory.resolve("figure-knee.tsv")).content().contains("knee").hasLineCount(7);
    DocumentedTables.assertSeries(directory, "knee");
  }

  /** Reading the logs took hours, perhaps. */
  @Test
  void whereTheReportCannotBeWrittenTheWorkloadIs() throws IOException {
    Files.createDirectories(directory.resolve("figure-knee.tsv/in the way"));
    String report = directory.resolve("report.html").toString();
    Path file = directory.resolve("queries.workload");

    assertThat(run(relevantTo40Pages(), "--report", report, "--out", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("figure-knee.tsv");
    assertThat(Workload.open(file).queryCount()).isPositive();
    assertThat(out.toString()).endsWith("\nwritten to " + file + "\n");
  }

  /** Where memory runs out, what is not flushed is lost. */
  @Test
  void theSummaryIsPrintedBeforeAnyFileIsWritten() throws IOException {
    String log = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0").toString();
    Path file = directory.resolve("queries.workload");
    Path report = directory.resolve("report.html");
    List<String> flushed = new ArrayList<>();
    PrintWriter watching =
        new PrintWriter(out) {
          @Override
          public void flush() {
            if (!Files.exists(file) && !Files.exists(report)) {
              flushed.add(out.toString());
            }
          }
        };
    Main.commandLine()
        .setOut(watching)
        .execute("workload", "--query-log", log, "--report", "" + report, "--out", file.toString());
    assertThat(file).exists();
    assertThat(report).exists();
    assertThat(flushed).anyMatch(text -> text.contains("garden pond"));
  }

  @Test
  void theSummaryIsJsonForPrograms() throws IOException {
    Path log =
        log(
            "2001-09-28T10:00:00Z\ts1\tgarden \"pond\"\t0",
            "2001-09-28T10:00:40Z\ts1\tgarden \"pond\"\t10",
            "2001-09-28T10:00:50Z\ts1\tgarden \"pond\"\t20",
            "2001-09-28T10:03:00Z\ts3\tno offset");
    Path file = directory.resolve("out.workload");

    assertThat(run("--query-log", log.toString(), "--format", "json", "--out", file.toString()))
        .isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/logs/0/format").asText()).isEqualTo("altavista");
    assertThat(json.at("/lines_read").asLong()).isEqualTo(4);
    long lines = 0;
    for (JsonNode count : json.at("/lines")) {
      lines += count.asLong();
    }
    assertThat(lines).isEqualTo(4);
    assertThat(json.at("/lines/next_page").asLong()).isEqualTo(2);
    assertThat(json.at("/samples/field_missing/0").asText()).endsWith("→no offset");
    assertThat(json.at("/top_queries/0/query").asText()).isEqualTo("garden pond");
    assertThat(json.at("/top_queries/0/frequency").asDouble()).isEqualTo(1);
    assertThat(json.at("/queries").asLong()).isEqualTo(1);
    assertThat(json.has("relevance")).isFalse();
    assertThat(Workload.open(file).queryCount()).isEqualTo(1);
  }

  @Test
  void numbersTakenForIdsAreToldToPeopleAndPrograms() throws IOException {
    String log = log("7\tgarden pond", "9\tpond").toString();
    Path report = directory.resolve("report.html");
    String doubt =
        log
            + ": the numbers before the queries were taken as ids, each query as asked once; use"
            + " --columns count,query, or in a program LogFormats.withColumns, if each is a number"
            + " of times";

    assertThat(run("--query-log", log, "--report", report.toString())).isZero();
    assertThat(lines()).contains(doubt, "queries, Q 2 asked 2 times");
    assertThat(Jsoup.parse(report).select("main > p").eachText()).contains(doubt);
    out.getBuffer().setLength(0);
    assertThat(run("--query-log", log, "--format", "json")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/doubts/0").asText())
        .isEqualTo(doubt);
    out.getBuffer().setLength(0);
    assertThat(run("--query-log", log, "--columns", "count,query")).isZero();
    assertThat(lines()).contains("queries, Q 2 asked 16 times").doesNotContain(doubt);
  }

  @Test
  void thePageTellsOfLogsThatWereNotReadToTheirEnd() throws IOException {
    Path logs = Files.createDirectories(directory.resolve("logs"));
    Files.move(log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0"), logs.resolve("a.log"));
    Files.writeString(logs.resolve("readme"), "no log at all\nis this\n");
    Path report = directory.resolve("report.html");
    assertThat(run("--query-log", logs.toString(), "--report", report.toString())).isZero();
    assertThat(lines()).anyMatch(line -> line.contains("readme: no known query log format"));
    assertThat(Jsoup.parse(report).select("main > p").eachText())
        .anyMatch(line -> line.contains("readme: no known query log format"));
  }

  @Test
  void clicksAreFittedToTheCurves() throws IOException {
    StringBuilder log = new StringBuilder("query\trank\n");
    for (int rank = 1; rank <= 20; rank++) {
      int clicks = (int) Math.round(1000 * Math.pow(rank, -1.5));
      log.append(("garden pond\t" + rank + "\n").repeat(clicks));
    }
    Path file = Files.writeString(directory.resolve("clicks.tsv"), log);

    assertThat(run("--query-log", file.toString())).isZero();
    assertThat(lines()).anyMatch(line -> line.startsWith("power law I(r) = c r^-1.5"));
  }

  @Test
  void aClickAtAWildRankIsLeftOutOfTheCurvesAndTold() throws IOException {
    StringBuilder log = new StringBuilder("query\trank\ngarden pond\t999999999\n");
    for (int rank = 1; rank <= 9; rank++) {
      log.append(("garden pond\t" + rank + "\n").repeat(2_520 / rank));
    }
    Path file = Files.writeString(directory.resolve("clicks.tsv"), log);

    assertThat(run("--query-log", file.toString())).isZero();
    assertThat(lines())
        .contains("too deep for I(r) 1 beyond rank 9: one in a thousand, or one, is left out")
        .anyMatch(line -> line.startsWith("power law I(r) = c r^-1.000,"));
  }

  /** A line that is counted a thousand times is a thousand queries, and as many clicks. */
  @Test
  void viewsAreOfTheQueriesThatWereAskedAndNotOfTheLines() throws IOException {
    List<Double> scales = new ArrayList<>();
    for (int count : new int[] {1, 1_000}) {
      StringBuilder log = new StringBuilder("query\tcount\trank\n");
      for (int rank = 1; rank <= 9; rank++) {
        log.append(("garden pond\t" + count + "\t" + rank + "\n").repeat(30 / rank));
      }
      log.append("garden pond\t").append(83 * count).append("\t\n"); // as often without a click
      Path file = Files.writeString(directory.resolve("clicks.tsv"), log);
      out.getBuffer().setLength(0);
      assertThat(run("--query-log", file.toString(), "--format", "json")).isZero();
      JsonNode told = new ObjectMapper().readTree(out.toString());
      scales.add(told.get("viewing_likelihood").get(0).get("scale").asDouble());
    }
    assertThat(scales.get(0)).isPositive().isCloseTo(scales.get(1), withinPercentage(0.1));
    assertThat(scales.get(0)).isBetween(0.14, 0.22); // 30 of 166
  }

  @Test
  void queriesOfALogWithoutClicksDoNotMakeViewsRarer() throws IOException {
    String log = "query\trank\n" + "garden pond\t1\n".repeat(30) + "garden pond\t2\n".repeat(9);
    Path clicked = Files.writeString(directory.resolve("clicks.tsv"), log);
    Path others = Files.writeString(directory.resolve("q.tsv"), "query\n" + "fern\n".repeat(390));
    assertThat(scale(clicked)).isPositive().isEqualTo(scale(clicked, others));

    out.getBuffer().setLength(0);
    assertThat(run("--query-log", clicked.toString(), others.toString())).isZero();
    assertThat(lines()).contains("queries of logs with clicks 39 9.1 %, I(r) is of these");
  }

  /** A log that was cut by the hour says what it says whole. */
  @Test
  void queriesOfAnHourWithoutClicksCountLikeTheOthers() throws IOException {
    String query = "{\"query_id\": \"%d\", \"user_query\": \"garden pond\"}%n";
    String click =
        "{\"action_name\": \"click\", \"event_attributes\": {\"position\": {\"ordinal\": %d}}}%n";
    String hour = query.formatted(1) + click.formatted(1).repeat(3) + click.formatted(2);
    Path first = Files.writeString(directory.resolve("first"), hour);
    Path second = Files.writeString(directory.resolve("second"), query.formatted(2));
    Path whole = Files.writeString(directory.resolve("whole"), hour + query.formatted(2));
    assertThat(scale(first, second)).isPositive().isEqualTo(scale(whole));
  }

  @Test
  void clicksInAFileOfTheirOwnAreOfTheQueriesInOthersOfItsFormat() throws IOException {
    String query = "{\"query_id\": \"%d\", \"user_query\": \"garden pond\"}%n";
    String click =
        "{\"action_name\": \"click\", \"event_attributes\": {\"position\": {\"ordinal\": %d}}}%n";
    String clicks = click.formatted(1).repeat(3) + click.formatted(2);
    String queries = query.formatted(1) + query.formatted(2);
    Path both = Files.writeString(directory.resolve("both"), queries + clicks);
    Path asked = Files.writeString(directory.resolve("asked"), queries);
    Path events = Files.writeString(directory.resolve("events"), clicks);
    assertThat(scale(asked, events)).isPositive().isEqualTo(scale(both));
  }

  private double scale(Path... logs) throws IOException {
    out.getBuffer().setLength(0);
    List<String> arguments = new ArrayList<>(List.of("--format", "json", "--query-log"));
    Stream.of(logs).map(Path::toString).forEach(arguments::add);
    assertThat(run(arguments.toArray(String[]::new))).isZero();
    JsonNode told = new ObjectMapper().readTree(out.toString());
    return told.get("viewing_likelihood").get(0).get("scale").asDouble();
  }

  @Test
  void ofFewClicksNoProbabilityIsTold() throws IOException {
    String log = "query\trank\ngarden pond\t1\ngarden pond\t2\ngarden pond\t1\n";
    Path file = Files.writeString(directory.resolve("clicks.tsv"), log);

    assertThat(run("--query-log", file.toString())).isZero();
    assertThat(lines())
        .anyMatch(line -> line.contains("largest deviation"))
        .noneMatch(line -> line.contains("NaN"));
  }

  @Test
  void clicksAtOneRankAreCountedAndTheWorkloadIsWritten() throws IOException {
    String log = "query\trank\ngarden pond\t2\ngarden pond\t2\n";
    Path file = Files.writeString(directory.resolve("clicks.tsv"), log);
    Path workload = directory.resolve("workload");

    assertThat(run("--query-log", file.toString(), "--out", workload.toString())).isZero();
    assertThat(lines())
        .contains("clicks 2 down to rank 2")
        .contains("no I(r): a viewing likelihood takes queries, and clicks at two ranks");
    assertThat(workload).isNotEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "json"})
  void clicksWithoutQueriesAreCounted(String format) throws IOException {
    String click =
        "{\"action_name\": \"click\", \"event_attributes\": {\"position\": {\"ordinal\": %d}}}%n";
    Path file = Files.writeString(directory.resolve("e"), click.formatted(1) + click.formatted(3));

    assertThat(run("--query-log", file.toString(), "--format", format)).isZero();
    assertThat(out.toString())
        .containsPattern(format.equals("json") ? "\"clicks\" ?: ?2" : "clicks +2");
  }

  @Test
  void clicksWithoutARankAreTold() throws IOException {
    String query = "{\"query_id\": \"1\", \"user_query\": \"garden pond\"}\n";
    String click = "{\"action_name\": \"click\"}\n";
    Path file = Files.writeString(directory.resolve("e"), query + click + click);

    assertThat(run("--query-log", file.toString())).isZero();
    assertThat(lines())
        .contains("clicks 0 down to rank 0", "others without a rank 2 not counted")
        .contains("no I(r): a viewing likelihood takes queries, and clicks at two ranks");
  }

  @Test
  void whatIsNoLogIsOneSentenceAndStatusOne() throws IOException {
    Path prose = Files.writeString(directory.resolve("README"), "Nothing to see here.\n");

    assertThat(run("--query-log", prose.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("README")
        .contains("no known query log format")
        .contains("Nothing to see here.")
        .hasLineCount(1);
  }

  @Test
  void whoGivesAListOfQueriesIsToldHowItIsRead() throws IOException {
    Path list = Files.writeString(directory.resolve("list"), "garden pond\nbudget travel\n");

    assertThat(run("--query-log", list.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("--log-format").contains("--columns query for a list");
    assertThat(run("--query-log", list.toString(), "--columns", "query")).isZero();
    assertThat(lines()).contains("queries, Q 2 asked 2 times");
  }

  @Test
  void aLogWhoseTimesCannotBeReadIsToldHowItCan() throws IOException {
    Path log =
        Files.writeString(
            directory.resolve("log.csv"),
            "time,user,query\n5/1/2024 12:00,u1,garden pond\n5/1/2024 12:01,u2,tax\n");
    String remedy =
        "of a table the columns can be named with - in place of the time (--columns"
            + " -,session,query), which reads it without collapsing repeats";
    assertThat(run("--query-log", log.toString())).isZero();
    assertThat(lines()).anyMatch(line -> line.endsWith(remedy));
    assertThat(run("--query-log", log.toString(), "--columns", "-,session,query")).isZero();
    assertThat(lines()).contains("queries, Q 2 asked 2 times");
  }

  @Test
  void aMissingFileIsOneSentenceAndStatusOne() {
    assertThat(run("--query-log", directory.resolve("absent").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("absent").hasLineCount(1);
  }

  @Test
  void aDirectoryWithoutLogsIsOneSentenceAndStatusOne() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("logs"));

    assertThat(run("--query-log", empty.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no log in " + empty).hasLineCount(1);
  }

  @Test
  void anEmptyWorkloadIsNotWrittenOverAnother() throws IOException {
    Path file = Files.writeString(directory.resolve("running.workload"), "as before");
    Path log = log("2001-09-28T10:00:00Z\ts1\t\t0", "2001-09-28T10:00:00Z\ts1\ta\t10");

    assertThat(run("--query-log", log.toString(), "--out", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no query is left").hasLineCount(1);
    assertThat(file).hasContent("as before");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--out", "--report"})
  void aPlaceWhereNothingCanBeWrittenIsToldBeforeAnyLogIsRead(String option) {
    Path nowhere = directory.resolve("missing").resolve("file");

    assertThat(run("--query-log", "no such log", option, nowhere.toString())).isEqualTo(1);
    assertThat(run("--query-log", "no such log", option, directory.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("no directory " + nowhere.getParent() + ": make it, or write elsewhere")
        .contains(directory + " is a directory: name a file in it")
        .hasLineCount(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--out", "--report"})
  void aLogIsNotWrittenOverByWhateverName(String option) throws IOException {
    Path folder = Files.createDirectory(directory.resolve("logs"));
    String line = "2001-09-28T10:00:00Z\ts1\tgarden pond\t0\n";
    Path log = Files.writeString(folder.resolve("queries.log"), line);
    Path symbolic = Files.createSymbolicLink(directory.resolve("symbolic"), log);
    Path hard = Files.createLink(directory.resolve("hard"), log);

    for (Path read : List.of(log, folder)) {
      for (Path written : List.of(log, folder.resolve("../logs/queries.log"), symbolic, hard)) {
        assertThat(run("--query-log", read.toString(), option, written.toString())).isEqualTo(1);
        assertThat(err.toString())
            .contains(option + " " + written + " would be written over ")
            .contains(read + ", which is read: name another file with " + option);
      }
    }
    assertThat(out.toString()).isEmpty();
    assertThat(log).hasContent(line);
    assertThat(run("--query-log", folder.toString(), option, folder.resolve("new").toString()))
        .isZero();
  }

  @Test
  void theReportIsNotWrittenOverTheOlderWorkloadNorTheNewOne() throws IOException {
    String log = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0").toString();
    Path older = directory.resolve("older.workload");
    assertThat(run("--query-log", log, "--out", older.toString())).isZero();
    byte[] before = Files.readAllBytes(older);
    String fresh = directory.resolve("fresh").toString();

    assertThat(run("--query-log", log, "--merge", older.toString(), "--report", older.toString()))
        .isEqualTo(1);
    assertThat(run("--query-log", log, "--out", fresh, "--report", fresh)).isEqualTo(1);
    assertThat(err.toString())
        .contains("--report " + older + " would be written over " + older + ", which is read")
        .contains("--out and --report are one file, " + fresh + ": name two");
    assertThat(older).hasBinaryContent(before);
    assertThat(Path.of(fresh)).doesNotExist();
  }

  @Test
  void anOlderWorkloadThatCannotBeReadIsToldBeforeTheLogsAreRead() throws IOException {
    String log = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0").toString();
    Path older = directory.resolve("older.workload");
    String none = directory.resolve("no such log").toString();
    assertThat(run("--query-log", none, "--merge", older.toString())).isEqualTo(1);
    assertThat(run("--query-log", log, "--out", older.toString())).isZero();
    byte[] bytes = Files.readAllBytes(older);
    bytes[bytes.length - 1] ^= 1;
    Files.write(older, bytes);
    assertThat(run("--query-log", none, "--merge", older.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("no file " + older)
        .contains("corrupt workload")
        .doesNotContain("no such log");
  }

  @Test
  void aRunningWorkloadMayLieAmongTheLogs() throws IOException {
    String running = directory.resolve("running.workload").toString();
    log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0");
    String logs = directory.toString();
    assertThat(run("--query-log", logs, "--out", running)).isZero();
    assertThat(run("--query-log", logs, "--merge", running, "--out", running)).isZero();
    assertThat(Workload.open(Path.of(running)).frequency(0)).isEqualTo(2);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatTakesNoWorkloadIsToldBeforeLogsAreRead() throws IOException {
    String log = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0").toString();
    assertThat(run("--query-log", log, "--out", "/dev/null")).isEqualTo(1);
    assertThat(err.toString()).contains("/dev/null is a device or a pipe: name a file");
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Path running = Files.writeString(folder.resolve("running.workload"), "");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    if (!Files.isWritable(folder)) { // to root everything is
      Path link = Files.createSymbolicLink(directory.resolve("link"), running);
      for (Path place : List.of(running, link)) {
        assertThat(run("--query-log", log, "--out", place.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("no permission to write " + folder + ": name another");
      }
    }
    assertThat(out.toString()).as("no summary of the log").isEmpty();
  }

  @Test
  void anUnknownFormatOrColumnIsBadUse() throws IOException {
    Path log = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0");

    assertThat(run("--query-log", log.toString(), "--log-format", "apache")).isEqualTo(2);
    assertThat(run("--query-log", log.toString(), "--columns", "query,colour")).isEqualTo(2);
    assertThat(err.toString()).contains("no log format apache").contains("no column colour");
  }

  @Test
  void whatConcernsAnOlderWorkloadIsRefusedWithoutOne() throws IOException {
    String log = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0").toString();

    assertThat(run("--query-log", log, "--floor", "5")).isEqualTo(2);
    assertThat(run("--query-log", log, "--older-weight", "0.5")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--floor has no effect without an older workload: name it by --merge")
        .contains("--older-weight has no effect without an older workload");
  }

  @ParameterizedTest
  @CsvSource({
    "--session-window, -1, 0",
    "--queries-an-hour, 0, 1",
    "--min-sessions, 0, 1",
    "--threads, 0, 1",
    "--top, -1, 0"
  })
  void aNumberOutOfRangeIsNamedWithWhatItMayBe(String option, String value, int least) {
    assertThat(run("--query-log", "no such log", option, value)).isEqualTo(2);
    assertThat(err.toString())
        .contains(option + " must be at least " + least + ", was " + value)
        .hasLineCount(1);
  }

  @Test
  void moreThreadsThanAnyMachineHasAreRefused() {
    assertThat(run("--query-log", "no such log", "--threads", "1073741825")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--threads must be at most 10000, was 1073741825")
        .hasLineCount(1);
  }

  @Test
  void aFloorIsAFrequency() throws IOException {
    String log = log("2001-09-28T10:00:00Z\ts1\tgarden pond\t0").toString();
    String older = directory.resolve("older.workload").toString();
    assertThat(run("--query-log", log, "--out", older)).isZero();

    for (String floor : List.of("NaN", "-5", "Infinity")) {
      assertThat(run("--query-log", log, "--merge", older, "--floor", floor)).isEqualTo(2);
    }
    assertThat(err.toString())
        .contains("--floor must be a frequency of at least 0, was NaN")
        .contains("was -5.0")
        .contains("was Infinity");
  }

  private Path log(String... lines) throws IOException {
    return Files.write(directory.resolve("queries.log"), List.of(lines));
  }

  private int run(List<String> arguments, String... more) {
    return run(Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new));
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("workload"));
    all.addAll(List.of(arguments));
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(all.toArray(String[]::new));
  }

  /** What was printed, blanks collapsed. */
  private List<String> lines() {
    return out.toString().lines().map(line -> line.strip().replaceAll("\\s+", " ")).toList();
  }
}
