// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.CountedWorkload;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.WorkloadIngest.LogSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every format on a small log of its own: recognised, and counted as its class says. */
class LogFormatsTest {
  @TempDir Path temporary;

  @Test
  void altaVistaLinesAreQueriesNextPagesAndRepeats() throws IOException {
    expect("altavista.log", "altavista")
        .query("garden pond", 2)
        .query("insurance travel", 1)
        .fate(Fate.NEXT_PAGE, 1)
        .fate(Fate.REPEATED, 1)
        .fate(Fate.EMPTY, 1)
        .fate(Fate.FIELD_MISSING, 1)
        .fate(Fate.BAD_TIME, 1)
        .fate(Fate.BAD_NUMBER, 1)
        .andNothingElse();
  }

  /** At this size going to and fro between the signs of a format would not end. */
  @Test
  @Timeout(600)
  void aLineMayHoldSignsOfAFormatWithoutEnd() {
    String solr = " path=/x params={".repeat(8_000) + "}".repeat(100_000);
    assertThat(LogFormats.usual().recognise(List.of(solr))).isEmpty();
    String slow = "[" + "i.s.s.query]".repeat(500_000) + "\u2028 took[";
    assertThat(new SlowLogText().read(slow)).isEqualTo(new LogRemark(Fate.FIELD_MISSING));
  }

  @Test
  void altaVistaColumnsAreFoundInAnyOrder() throws IOException {
    for (String log : List.of("altavista-query-first.log", "altavista-offset-first.log")) {
      expect(log, "altavista")
          .query("garden pond", 1)
          .query("insurance travel", 1)
          .fate(Fate.NEXT_PAGE, 1)
          .andNothingElse();
    }
  }

  @Test
  void altaVistaLogsMayHaveNoOffset() throws IOException {
    expect("altavista-no-offset.log", "altavista")
        .query("garden pond", 2)
        .query("insurance travel", 1)
        .fate(Fate.REPEATED, 1)
        .andNothingElse();
  }

  @Test
  void sessionsThatAreSmallNumbersAreNotTakenForOffsets() throws IOException {
    Path log = temporary.resolve("numbers.log");
    for (String lines :
        List.of(
            "2001-09-28 10:00:00\t7\tgarden pond\t0\n2001-09-28 10:00:10\t8\tgarden pond\t10\n",
            "0\t2001-09-28 10:00:00\t7\tgarden pond\n10\t2001-09-28 10:00:10\t8\tgarden pond\n",
            "2001-09-28 10:00:00\t7\tgarden pond\n2001-09-28 10:00:10\t7\tgarden pond\n",
            """
            2001-09-28 10:00:00\tgarden pond\t0
            2001-09-28 10:00:10\tgarden pond\t0
            2001-09-28 10:00:20\tpond\t0
            2001-09-28 10:00:30\tgarden pond\t10
            """)) {
      Files.writeString(log, lines);
      try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
        ingest.read(log);
        long further = ingest.tally().of(Fate.NEXT_PAGE) + ingest.tally().of(Fate.REPEATED);
        assertThat(further).as(lines).isEqualTo(1);
        assertThat(ingest.tally().rejected()).isZero();
      }
    }
  }

  @Test
  void ofTwoColumnsWithoutBlanksTheSecondIsTheQuery() throws IOException {
    Path log = temporary.resolve("words.log");
    Files.writeString(log, "2001-09-28 10:00:00\ts1\tpond\t0\n2001-09-28 10:00:10\ts2\tpond\t0\n");
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(log);
      assertThat(queries(ingest.workload(Words.NORMALIZER))).isEqualTo(Map.of("pond", 2.0));
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "100023456%1$d\tred fox\t2006-03-01 07:00:%2$02d",
        "2006-03-01 07:00:%2$02d\t100023456%1$d\tred fox",
        "200023456%1$d\t12345678%2$02d\tred fox", // seconds, which do not fall
        "12345678%2$02d\t200023456%1$d\tred fox",
        "100023456%1$d\tred fox\t010301070%2$03d",
      })
  void numbersOfUsersAreNoTimes(String line) throws IOException {
    String log =
        IntStream.range(0, 20)
            .mapToObj(i -> line.formatted(7 * i % 10, i) + "\n")
            .collect(Collectors.joining());
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(Files.writeString(temporary.resolve("users.log"), log));
      assertThat(queries(ingest.workload(Words.NORMALIZER))).isEqualTo(Map.of("fox red", 10.0));
      assertThat(ingest.tally().of(Fate.REPEATED)).isEqualTo(10);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"2006-03-01 07:00:%02d", "01/Mar/2006:07:00:%02d +0000"})
  void ofTwoColumnsThatMayBeTimesTheOneWrittenAsADateIs(String date) throws IOException {
    String line = "%d\t" + date + "\tred fox\n"; // sorted by session, so that dates fall
    String log =
        IntStream.range(0, 20)
            .mapToObj(i -> line.formatted(1_000_000_000 + i / 2, 59 - i))
            .collect(Collectors.joining());
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.tally().of(Fate.REPEATED)).isEqualTo(10);
    assertThat(ingest.tally().doubts()).isEmpty();
  }

  @Test
  void timesThatStandStillOrAreBrokenNowAndThenGoOnAllTheSame() throws IOException {
    String log =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    "%d\t%s\tred fox\n"
                        .formatted(2_000_000_000 + 3 * i % 5, i == 9 ? "x" : 1_234_567_800 + i / 2))
            .collect(Collectors.joining());
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.tally().of(Fate.BAD_TIME)).isEqualTo(1);
    assertThat(ingest.tally().of(Fate.REPEATED)).isEqualTo(14);
    assertThat(ingest.tally().doubts()).isEmpty();
  }

  @Test
  void ofColumnsWithoutABlankTheOneWithFewerDigitsIsTheQuery() throws IOException {
    String line = "2024-01-01T00:00:0%1$d\tpond\tuser%1$d@example.org\n";
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      String log = IntStream.range(0, 9).mapToObj(line::formatted).collect(Collectors.joining());
      ingest.read(Files.writeString(temporary.resolve("users.log"), log));
      assertThat(queries(ingest.workload(Words.NORMALIZER))).isEqualTo(Map.of("pond", 9.0));
    }
  }

  /** Sorted by session times fall, and sessions do not. */
  @Test
  void numbersOfSessionsThatOnlyGrowAreNoTimesWhereTheyComeAgainMoreOften() throws IOException {
    String log =
        IntStream.range(0, 30)
            .mapToObj(
                i ->
                    "%d\t%d\tred fox\t0\n"
                        .formatted(1_000_000_000 + i % 3 * 60 - i, 2_000_000_000L + i / 3))
            .collect(Collectors.joining());
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.tally().of(Fate.REPEATED)).isEqualTo(20);
    assertThat(ingest.tally().doubts()).singleElement().asString().contains("timestamp,session");
  }

  @Test
  void theNumberOfASessionThatAskedEverythingIsNoTime() throws IOException {
    String log =
        IntStream.range(0, 20)
            .mapToObj(i -> "2000000000\t%d\tred fox\t0\n".formatted(1_000_000_000 + 60 * i))
            .collect(Collectors.joining());
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.tally().of(Fate.REPEATED)).isEqualTo(19);
    assertThat(ingest.tally().doubts()).isEmpty();
  }

  @Test
  void namedTheUsualOrderIsTakenWhateverSessionsLookLike() throws IOException {
    String log = "2024-01-01T00:00:00Z\t192.0.2.%d Mozilla/4.0 (compatible; x)\tpond\t0\n";
    String lines = IntStream.range(0, 9).mapToObj(log::formatted).collect(Collectors.joining());
    IngestSettings settings =
        IngestSettings.usual(temporary).withFormat(LogFormats.usual(), "altavista");
    for (String text : List.of(lines, lines.replace("\t0\n", "\n"))) {
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        ingest.read(Files.writeString(temporary.resolve("usual.log"), text));
        assertThat(queries(ingest.workload(Words.NORMALIZER))).isEqualTo(Map.of("pond", 9.0));
        assertThat(ingest.tally().doubts()).isEmpty();
      }
    }
  }

  @Test
  void sessionsThatAreMostlyADashAreNotTakenForOffsets() throws IOException {
    String log =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    "2024-01-01T00:00:%02d\t%s\tred fox\t%d\n"
                        .formatted(i, i % 5 == 0 ? "" + (1 + i / 10) : "-", i % 3 == 0 ? 10 : 0))
            .collect(Collectors.joining());
    assertThat(ingest(log, "").tally().of(Fate.NEXT_PAGE)).isEqualTo(7);
  }

  @Test
  void sessionsWithoutABlankAreNotTakenForQueriesWithoutAWord() throws IOException {
    String named = "2024-01-01T00:00:0%1$d\t电影\tuser%1$d@example.org\n";
    WorkloadIngest told =
        ingest(IntStream.range(0, 9).mapToObj(named::formatted).collect(Collectors.joining()), "");
    assertThat(told.tally().doubts()).isEmpty();
    assertThat(told.tally().of(Fate.KEPT)).isEqualTo(9);
    for (int withDigits : new int[] {2, 3}) { // beside eight sessions that have them
      String lines =
          IntStream.range(0, 8)
              .mapToObj(
                  i -> "2024-01-01T00:00:0" + i + "\tpond" + (i < withDigits ? i : "") + "\tu" + i)
              .collect(Collectors.joining("\n"));
      assertThat(ingest(lines, "").tally().of(Fate.KEPT)).isEqualTo(8);
      assertThat(ingest(lines, "").tally().doubts()).hasSize(withDigits - 2);
    }
    String words = "2024-01-01T00:00:00\tpond\tanna\n2024-01-01T00:00:00\tpond\tbert\n";
    assertThat(ingest(words, "").tally().doubts())
        .singleElement()
        .asString()
        .endsWith(
            "what is which in this log hardly shows in its first lines: the columns were taken as"
                + " timestamp,session,query, use --columns, or in a program"
                + " LogFormats.withColumns, if they are others");
  }

  @Test
  void aNamedFormatMayHaveItsOtherOrderAndSeparatorToo() throws IOException {
    for (String log :
        List.of(
            "garden pond\t2001-09-28 10:00:00\ts1\n",
            "2001-09-28 10:00:00,s1,garden pond,0\n",
            "0;2001-09-28 10:00:00;s1;garden pond\n")) {
      assertThat(ingest(log, "altavista").tally().of(Fate.KEPT)).as(log).isEqualTo(1);
    }
    String aol = "AnonID,Query,QueryTime,ItemRank,ClickURL\n7,pond,2006-03-01 07:17:12,,\n";
    assertThat(ingest(aol, "aol").tally().of(Fate.KEPT)).isEqualTo(1);
    assertThat(ingest(aol, "aol").tally().of(Fate.HEADER)).isEqualTo(1);
  }

  @Test
  void aDashInThePlaceOfASessionIsNone() throws IOException {
    String line = "2024-01-01T00:00:0%d\t-\tred fox\t0\n";
    String log = IntStream.range(0, 9).mapToObj(line::formatted).collect(Collectors.joining());
    assertThat(ingest(log, "altavista").tally().of(Fate.KEPT)).isEqualTo(9);
    assertThat(ingest(log.replace("\t0\n", "\t-\n"), "").tally().of(Fate.KEPT)).isEqualTo(9);
  }

  @Test
  void theClicksOfARobotGoWithItsQueries() throws IOException {
    StringBuilder log = new StringBuilder("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n");
    for (int i = 0; i < 60; i++) { // two clicks each
      log.append("7\tq%1$d\t2006-03-01 07:00:%1$02d\t2\thttp://a.example\n".formatted(i));
      log.append("7\tq%1$d\t2006-03-01 07:00:%1$02d\t3\thttp://b.example\n".formatted(i));
    }
    log.append("8\tpond\t2006-03-01 07:10:00\t1\thttp://a.example\n");
    IngestSettings settings =
        IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 5, true);
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read(Files.writeString(temporary.resolve("robot.txt"), log));
      assertThat(ingest.tally().of(Fate.ROBOT)).isEqualTo(55);
      assertThat(ingest.clicks().at(1)).isEqualTo(1);
      assertThat(ingest.clicks().at(2)).isEqualTo(5);
      assertThat(ingest.clicks().at(3)).isEqualTo(5);
    }
  }

  /** Whether the session is beyond its limit when they are clicked does not matter. */
  @Test
  void aClickIsLeftOutWithTheQueryThatItsLineRepeats() throws IOException {
    StringBuilder log = new StringBuilder("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n");
    String line = "7\tq%d\t2006-03-01 %s\t%s\t\n";
    for (int i = 0; i < 9; i++) { // the first five are kept
      log.append(line.formatted(i, "07:59:0" + i, ""));
    }
    log.append(line.formatted(0, "07:59:10", "1"));
    log.append(line.formatted(8, "07:59:11", "2"));
    log.append(line.formatted(7, "08:00:00", "3")); // in an hour with nothing beyond the limit
    log.append(line.formatted(8, "08:00:01", "4"));
    log.append(line.formatted(8, "08:00:02", "5"));
    log.append(line.formatted(4, "08:00:03", "6"));
    for (boolean drop : new boolean[] {true, false}) {
      IngestSettings settings =
          IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 5, drop);
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        read(ingest, "robot", log.toString());
        assertThat(ingest.tally().of(Fate.REPEATED)).isEqualTo(6);
        assertThat(clickedRanks(ingest))
            .isEqualTo(drop ? List.of(1, 6) : List.of(1, 2, 3, 4, 5, 6));
      }
    }
  }

  @Test
  void aClickOnAFurtherPageIsLeftOutWithTheQueryWhosePageItIs() throws IOException {
    StringBuilder log = new StringBuilder("time,session,query,offset,rank\n");
    String line = "2024-05-01T10:00:%02dZ,%s,q%d,%d,%s\n";
    for (int i = 0; i < 9; i++) { // the first five are kept
      log.append(line.formatted(i, "s7", i, 0, ""));
    }
    log.append(line.formatted(10, "s7", 0, 10, "11"));
    log.append(line.formatted(11, "s7", 8, 10, "12")); // asked last
    log.append(line.formatted(12, "s7", 7, 10, "13"));
    log.append(line.formatted(13, "s7", 99, 10, "14")); // of which there is no first page
    log.append(line.formatted(14, "s8", 8, 10, "15"));
    log.append(line.formatted(15, "-", 8, 10, "16"));
    for (boolean drop : new boolean[] {true, false}) {
      IngestSettings settings =
          IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 5, drop);
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        read(ingest, "robot", log.toString());
        assertThat(ingest.tally().of(Fate.NEXT_PAGE)).isEqualTo(6);
        assertThat(clickedRanks(ingest))
            .isEqualTo(drop ? List.of(11, 14, 15, 16) : List.of(11, 12, 13, 14, 15, 16));
      }
    }
  }

  @Test
  void aClickOfNobodyIsCountedThoughARobotAskedBefore() throws IOException {
    String line = "2024-05-01T10:00:%02dZ,%s,q%d,%s\n";
    StringBuilder log = new StringBuilder("time,session,query,rank\n");
    for (int i = 0; i < 9; i++) { // the first five are kept
      log.append(line.formatted(i, "s7", i, ""));
    }
    log.append(line.formatted(10, "-", 0, "1"));
    IngestSettings settings =
        IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 5, true);
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      read(ingest, "robot", log.toString());
      assertThat(ingest.tally().of(Fate.ROBOT)).isEqualTo(4);
      assertThat(clickedRanks(ingest)).containsExactly(1);
    }
  }

  private static List<Integer> clickedRanks(WorkloadIngest ingest) {
    return IntStream.rangeClosed(1, ingest.clicks().deepestRank())
        .filter(rank -> ingest.clicks().at(rank) > 0)
        .boxed()
        .toList();
  }

  @Test
  void aolClicksBelongToTheirQuery() throws IOException {
    Expectation aol = expect("aol.txt", "aol");
    aol.query("garden pond", 1)
        .query("insurance travel", 1)
        .fate(Fate.HEADER, 1)
        .fate(Fate.REPEATED, 2)
        .withoutTerms(1)
        .andNothingElse();
    assertThat(List.of(aol.clicks(1), aol.clicks(2), aol.clicks(3), aol.clicks(4)))
        .containsExactly(1L, 1L, 0L, 1L);
  }

  @Test
  void aTableOfTheShapeOfTheAolLogIsReadByTheNamesOfItsColumns() throws IOException {
    String row = "%1$d\tpond %1$d\t2024-05-01 10:0%1$d:00";
    String counts = "user_id\tquery\tdate\tcount\tcountry\n";
    for (int i = 1; i <= 4; i++) {
      counts += row.formatted(i) + "\t3" + i + "\tDE\n";
    }
    String hits = counts.replace("count\t", "results\t");
    for (String log : List.of(counts, hits)) {
      try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
        read(ingest, "table", log);
        assertThat(ingest.sources()).extracting(LogSource::format).containsExactly("tsv");
        assertThat(ingest.clicks().total()).as(log).isZero();
        assertThat(queries(ingest.workload(Words.NORMALIZER)))
            .containsEntry("3 pond", log.equals(hits) ? 1.0 : 33.0)
            .hasSize(4);
        assertThat(ingest.tally().of(Fate.BAD_TIME)).as("the header").isZero();
      }
    }
    assertThat(recognised(List.of(row.formatted(1), row.formatted(2)))).contains("aol");
    assertThat(recognised(List.of("AnonID\tQuery\tQueryTime\tItemRank\tClickURL"))).contains("aol");
  }

  @Test
  void numbersOfAnUnknownNameAreUsersWhereTheLinesAreAsInTheAolLog() throws IOException {
    String log =
        """
        visitor\tquery\ttime\trank\turl
        7\tgarden pond\t2024-05-01 10:00:00\t1\ta.example
        7\tgarden pond\t2024-05-01 10:00:00\t4\tb.example
        8\tfern\t2024-05-01 10:02:00\t\t
        """;
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      read(ingest, "visitors", log);
      assertThat(queries(ingest.workload(Words.NORMALIZER)))
          .as("of two clicks on the results of one query")
          .containsEntry("garden pond", 1.0);
      assertThat(ingest.clicks().total()).isEqualTo(2);
    }
    assertThat(recognised(log.replace("rank", "count").lines().toList())).contains("tsv");
  }

  @Test
  void numbersOfLinesAreNoSessionsThatAskedTheSame() throws IOException {
    String row = "%d\tgarden pond\t2024-05-01 10:0%d:00\n";
    String rows = row.formatted(1, 0) + row.formatted(2, 1) + row.formatted(3, 2);
    IngestSettings settings = IngestSettings.usual(temporary).withMinSessions(3);
    for (String header : List.of("id\tquery\ttime\n", "userid\tquery\ttime\n")) {
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        read(ingest, "numbered", header + rows);
        assertThat(queries(ingest.workload(Words.NORMALIZER)).keySet())
            .hasSize(header.startsWith("id") ? 0 : 1);
      }
    }
  }

  @Test
  void aLineThatEndsBeforeItsRankIsNoClickThoughTheLineBeforeWasOne() throws IOException {
    Path log = temporary.resolve("short.txt");
    Files.writeString(
        log,
        """
        AnonID\tQuery\tQueryTime\tItemRank\tClickURL
        142\tgarden pond\t2006-03-01 07:17:12\t3\thttp://example.org
        143\tinsurance travel\t2006-03-01 07:18:12
        """);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(log);
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(2);
      assertThat(ingest.clicks().at(3)).isEqualTo(1);
    }
  }

  @Test
  void numbersBeforeQueriesThatFallNowAndThenAreNoCounts() throws IOException {
    Path log = temporary.resolve("numbers.tsv");
    Files.writeString(log, "9\tgarden pond\n2\twine\n5\tinsurance travel\n1\tbudget\n");
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(log);
      assertThat(ingest.sources().get(0).format()).isNotEqualTo("counts");
      assertThat(queries(ingest.workload(Words.NORMALIZER))).containsEntry("garden pond", 1.0);
    }
  }

  @Test
  void trecTopicsCountOnceEach() throws IOException {
    expect("trec.topics", "trec")
        .query("garden pond", 1)
        .query("insurance travel", 1)
        .query("invented the who zipper", 1)
        .andNothingElse();
    expect("trec.tsv", "trec")
        .query("garden pond", 1)
        .query("insurance travel", 1)
        .andNothingElse();
  }

  @Test
  void prioritiesBetweenIdsAndTopicsAreNoWords() throws IOException {
    for (String name : List.of("", "trec")) {
      String log = "20001:1:obama family tree\n20002:4:3 little pigs\n20003:2:7: a film\n";
      IngestSettings settings =
          IngestSettings.usual(temporary).withFormat(LogFormats.usual(), name);
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        ingest.read(Files.writeString(temporary.resolve("topics"), log));
        assertThat(queries(ingest.workload(Words.NORMALIZER)))
            .containsOnlyKeys("family obama tree", "3 little pigs", "7 a film");
      }
    }
    LogEntry one = (LogEntry) new TrecTopics(false, false).read("7:1:2 is a ratio");
    assertThat(one.text()).isEqualTo("1:2 is a ratio");
  }

  @Test
  void countsCountAsOftenAsTheySay() throws IOException {
    expect("counts.tsv", "counts")
        .query("garden pond", 12)
        .query("insurance travel", 3)
        .fate(Fate.BAD_NUMBER, 1)
        .andNothingElse();
  }

  @Test
  void countsBeforeQueriesAreNotTakenForIds() throws IOException {
    expect("counts-first.tsv", "counts")
        .query("garden pond", 12)
        .query("insurance travel", 3)
        .query("pond", 3)
        .fate(Fate.BAD_NUMBER, 1)
        .andNothingElse();
    expect("uniq.txt", "counts")
        .query("1999 garden pond", 1200)
        .query("insurance travel", 3)
        .query("pond", 12)
        .andNothingElse();
    assertThat(recognised(List.of("   3 garden pond", "   1 pond"))).contains("counts");
    assertThat(recognised(List.of("7,garden pond", "7,pond", "2,travel"))).contains("counts");
  }

  @Test
  void numbersThatMayBeCountsAreIdsWithAWordOfDoubt() throws IOException {
    for (String log : List.of("7\tgarden pond\n", "3,garden pond\n5,pond\n")) {
      WorkloadIngest ingest = ingest(log, "");
      assertThat(ingest.sources()).extracting(LogSource::format).containsExactly("trec");
      assertThat(ingest.tally().doubts())
          .singleElement()
          .asString()
          .endsWith(
              "the numbers before the queries were taken as ids, each query as asked once; use"
                  + " --columns count,query, or in a program LogFormats.withColumns, if each is a"
                  + " number of times");
      assertThat(ingest(log, "trec").tally().doubts()).isEmpty();
    }
    assertThat(ingest("wt1:garden pond\nwt2:pond\n", "").tally().doubts()).isEmpty();
    assertThat(ingest("7:garden pond\n", "").tally().doubts()).isEmpty();
    assertThat(ingest("9\tgarden pond\n7\tpond\n", "").tally().doubts()).isEmpty();
  }

  @Test
  void numbersThatRepeatMayBeEitherAndNeedAWord() throws IOException {
    String log = "1\tgarden pond\n3\tpond\n1\ttravel insurance\n";
    assertThatThrownBy(() -> ingest(log, ""))
        .isInstanceOf(UnknownLogFormatException.class)
        .hasMessageContaining("the numbers before the queries repeat, so they may be ids or counts")
        .hasMessageContaining(
            "1\u2192garden pond; use --columns count,query, or in a program LogFormats")
        .hasMessageContaining("--log-format trec, or IngestSettings.withFormat, if it is an id");
    assertThat(ingest(log, "trec").tally().of(Fate.KEPT)).isEqualTo(3);
    assertThat(recognised(List.of("wt1:garden", "wt1:pond"))).contains("trec");
  }

  @Test
  void oneLineThatUniqCountedIsNotNumbered() {
    assertThat(recognised(List.of("      3 garden pond"))).contains("counts");
  }

  @Test
  void numberedLinesAreNoCounts() {
    assertThat(recognised(numbered("      %d garden pond", 9))).isEmpty();
    assertThat(recognised(List.of("12 garden pond", "3 pond"))).isEmpty();
  }

  @Test
  void columnsOfCountAndQueryMayBeApartByBlanks() throws IOException {
    LogFormats formats = LogFormats.usual().withColumns(List.of(Column.COUNT, Column.QUERY));
    for (String log :
        List.of(
            "     12 garden, pond\n      3 pond, big\n",
            "12 garden, pond\n3 pond big\n",
            "12 ;garden pond\n3 ;pond big\n")) {
      IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, "");
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        ingest.read(Files.writeString(temporary.resolve("counted"), log));
        assertThat(queries(ingest.workload(Words.NORMALIZER)))
            .as(log)
            .isEqualTo(Map.of("garden pond", 12.0, "big pond", 3.0));
      }
    }
    LogFormat uniq = new UniqCounts();
    assertThat(uniq.read("     12")).isEqualTo(new LogRemark(Fate.FIELD_MISSING));
    assertThat(uniq.read("      0 pond")).isEqualTo(new LogRemark(Fate.BAD_NUMBER));
    assertThat(uniq.read("garden pond")).isEqualTo(new LogRemark(Fate.BAD_NUMBER));
  }

  /** What a log was read as; closed, so that only what was noted can be asked. */
  private WorkloadIngest ingest(String log, String format) throws IOException {
    IngestSettings settings =
        IngestSettings.usual(temporary).withFormat(LogFormats.usual(), format);
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read(Files.writeString(temporary.resolve("log"), log));
      return ingest;
    }
  }

  @Test
  void aTableIsReadByTheNamesOfItsColumns() throws IOException {
    expect("table.csv", "csv")
        .query("garden pond", 12)
        .query("insurance travel", 3)
        .fate(Fate.HEADER, 1)
        .andNothingElse();
  }

  @Test
  void solrRequestsAreQueriesAndShardRequestsAreNot() throws IOException {
    expect("solr.log", "solr")
        .query("garden pond", 1)
        .query("insurance travel", 1)
        .query("lilies water", 1)
        .fate(Fate.SHARD_REPEAT, 1)
        .fate(Fate.NEXT_PAGE, 1)
        .fate(Fate.EMPTY, 1)
        .fate(Fate.OTHER_RECORD, 2)
        .andNothingElse();
  }

  @Test
  void whatSolrDidNotAnswerOrNobodyAskedIsNoQuery() {
    String request =
        "2024-01-01 00:01:18.123 INFO  (qtp1-12) [ x:x] o.a.s.c.S.Request webapp=/solr path=%s"
            + " params={q=%s} hits=0 status=%s QTime=2";
    SolrLog solr = new SolrLog();
    LogRemark other = new LogRemark(Fate.OTHER_RECORD);
    assertThat(solr.read(request.formatted("/admin/ping", "solrpingquery", "0"))).isEqualTo(other);
    String completion = request.formatted("/suggest", "gar", "0");
    assertThat(solr.read(completion)).isEqualTo(other);
    String search = completion.replace("/suggest", "/select");
    assertThat(solr.read(search.replace("x:x", "x:suggestions"))).isInstanceOf(LogEntry.class);
    assertThat(solr.read(search.replace("x:x", "x:x path=/suggest"))).isInstanceOf(LogEntry.class);
    for (String status : List.of("400", "500", "-1", "0x")) {
      assertThat(solr.read(request.formatted("/select", "a", status))).isEqualTo(other);
      String last = request.formatted("/select", "a", status).replace(" QTime=2", "");
      assertThat(solr.read(last)).isEqualTo(other);
    }
    for (String asked : List.of("a", "+status%3D400", "path=/admin/ping")) {
      String line = request.formatted("/select", asked, "0");
      assertThat(solr.read(line)).isInstanceOf(LogEntry.class);
      assertThat(solr.read(line.replace(" QTime=2", ""))).isInstanceOf(LogEntry.class);
      assertThat(solr.read(line.replace(" status=0 QTime=2", ""))).isInstanceOf(LogEntry.class);
    }
  }

  @Test
  void whatSolrAsksItselfIsNoQuery() {
    SolrLog solr = new SolrLog();
    String request =
        "2024-01-01 00:01:18.123 %s (qtp1-12) [ x:x] %s webapp=/solr path=%s params={%s} hits=0"
            + " status=0 QTime=2";
    LogRemark other = new LogRemark(Fate.OTHER_RECORD);
    for (String event : List.of("firstSearcher", "newSearcher")) {
      String warming = "event=" + event + "&q=static+warming&distrib=false";
      assertThat(solr.read(request.formatted("INFO", "o.a.s.c.S.Request", "null", warming)))
          .isEqualTo(other);
    }
    String mine = request.formatted("INFO", "o.a.s.c.S.Request", "/select", "q=pond&event=fair");
    assertThat(solr.read(mine)).isInstanceOf(LogEntry.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"o.a.s.c.S.SlowRequest slow:", "o.a.s.c.SolrCore slow:"})
  void aSlowRequestThatSolrTellsOnceMoreCountsOnceAndOneToldThereAloneCounts(String logger)
      throws IOException {
    String line =
        "2024-01-01 00:01:1%d.123 %s (qtp1-12) [ x:x] %s webapp=/solr path=/select params={q=pond}"
            + " hits=0 status=0 QTime=2";
    String told = line.formatted(2, "INFO", "o.a.s.c.S.Request");
    String again = line.formatted(2, "WARN", logger);
    String later = line.formatted(4, "INFO", "o.a.s.c.S.Request");
    ParseTally both = tally(List.of(told, again, later));
    assertThat(both.of(Fate.KEPT)).as("asked twice").isEqualTo(2);
    assertThat(both.of(Fate.SHARD_REPEAT)).isEqualTo(1);
    assertThat(tally(List.of(again, line.formatted(4, "WARN", logger))).of(Fate.KEPT)).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "({!edismax+q.op%3D\"AND\"+qf%3D\"text+author\"+v%3D$workQuery}) | water lilies",
        "{!edismax+v%3D'water+lilies'} | water lilies",
        "{!edismax+v%3D\"it\\'s+a+}+brace\"+qf%3Dx} | it's a } brace",
        "{!edismax+qf%3D'a+v'}water+lilies | water lilies",
        "{!v%3D$none} | ``",
        "{!edismax+v%3D'water | water",
        "{!edismax+v%3D'water\\ | water\\",
        "{!edismax}red+v%3D'fox' | red v='fox'",
        "category:books+AND+pond | books AND pond",
      })
  void ofSolrsLocalParametersTheTextStays(String asked, String text) {
    String line =
        "2024-01-01 00:01:18.123 INFO  (q) [ x:x] o.a.s.c.S.Request webapp=/solr path=/select"
            + " params={q=%s&workQuery=water+lilies} hits=0 status=0 QTime=2";
    LogEntry entry = (LogEntry) new SolrLog().read(line.formatted(asked));
    assertThat(entry.text()).isEqualTo(text);
  }

  @Test
  void aWholeRequestInASlowLogAndItsShardsCountOnce() throws IOException {
    String whole =
        "[2024-05-01T12:00:00,400][TRACE][c.s.r.slowlog           ] [n1] took[80.8ms],"
            + " took_millis[80], phase_took_millis[{expand=0, query=39, fetch=22}],"
            + " total_hits[4 hits], search_type[QUERY_THEN_FETCH], shards[{total: 2}],"
            + " source[{\"query\":{\"match\":{\"body\":\"garden pond\"}}}], id[]";
    assertThat(tally(List.of(whole)).of(Fate.KEPT)).isEqualTo(1);
    ParseTally both = tally(List.of(slow(0, 0), slow(0, 1), whole));
    assertThat(both.of(Fate.KEPT)).isEqualTo(1);
    assertThat(both.of(Fate.SHARD_REPEAT)).isEqualTo(2);
    String json =
        "{\"timestamp\":\"2024-05-01T12:00:0%dZ\",\"component\":\"c.s.r.slowlog\","
            + "\"source\":\"{\\\"query\\\":{\\\"match\\\":{\\\"b\\\":\\\"pond\\\"}}}\"}";
    String shard =
        json.formatted(1).replace("c.s.r.slowlog\"", "i.s.s.query\",\"message\":\"[pages][0]\"");
    assertThat(tally(List.of(shard, json.formatted(1))).of(Fate.SHARD_REPEAT)).isEqualTo(1);
    assertThat(tally(List.of(json.formatted(1), json.formatted(3))).of(Fate.KEPT)).isEqualTo(2);
    String longName = json.formatted(1).replace("c.s.r.", "cluster.search.request.");
    assertThat(tally(List.of(shard, longName)).of(Fate.SHARD_REPEAT)).isEqualTo(1);
  }

  @Test
  void aSlowLogCountsARequestOnceWhateverTheNumberOfShards() throws IOException {
    expect("slowlog-elastic.json", "slowlog-json")
        .query("garden pond", 2)
        .fate(Fate.SHARD_REPEAT, 1)
        .fate(Fate.OTHER_RECORD, 1)
        .fate(Fate.NEXT_PAGE, 1)
        .fate(Fate.EMPTY, 1)
        .fate(Fate.BAD_JSON, 1)
        .andNothingElse();
    expect("slowlog-opensearch.json", "slowlog-json")
        .query("garden pond", 1)
        .query("insurance travel", 1)
        .andNothingElse();
    expect("slowlog.txt", "slowlog-text")
        .query("garden koi pond", 1)
        .query("insurance travel", 1)
        .fate(Fate.SHARD_REPEAT, 1)
        .fate(Fate.OTHER_RECORD, 1)
        .fate(Fate.OTHER_FORM, 1)
        .andNothingElse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'bool':{'must':[{'match':{'a':'garden'}},{'match':{'b':{'query':'pond'}}}],"
            + "'filter':{'match':{'lang':'de'}},'must_not':[{'match':{'b':'koi'}}]} | garden pond",
        "'bool':{'should':[{'match':{'a':'garden'}},{'match_phrase':{'b':'garden'}}]} | garden",
        "'term':{'lang':'de'} | ``",
        "'query_string':{'query':'title:garden pond'} | garden pond",
        "'multi_match':{'query':'title:garden','fields':['a','b']} | title:garden",
        "'boosting':{'positive':{'match':{'a':'garden'}},'negative':{'match':{'a':'koi'}}} | garden",
        "'intervals':{'a':{'match':{'query':'garden pond','analyzer':'english','max_gaps':0}}}"
            + " | garden pond",
        "'bool':{'must':[{'intervals':{'a':{'all_of':{'intervals':[{'match':{'query':'big koi',"
            + "'use_field':'b'}},{'any_of':{'intervals':[{'match':{'query':'pond'}}]}}]}}}},"
            + "{'match':{'a':'garden'}}]} | big koi pond garden",
      })
  void ofARequestTheTextsOfItsFullTextClausesStay(String clause, String text) {
    String source =
        "{'query':{%s},'post_filter':{'match':{'a':'x'}},'from':20,'suggest':{'match':{'a':'y'}}}";
    assertThat(QueryDsl.record(source.formatted(clause).replace('\'', '"')))
        .contains(LogEntry.of(text).page(20));
    assertThat(QueryDsl.record("[{\"query\":{\"match\":{\"a\":\"x\"}}}]")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "filter",
        "must_not",
        "negative",
        "post_filter",
        "aggs",
        "aggregations",
        "sort",
        "_source",
        "highlight",
        "suggest",
        "rescore",
        "collapse",
        "script",
        "ext",
        "indices_boost",
      })
  void whatAnApplicationAsksBesidesIsNoTextOfAPerson(String name) {
    String source = "{'query':{'match':{'a':'pond'}},'%s':{'a':{'match':{'a':'fish'}}}}";
    assertThat(QueryDsl.record(source.formatted(name).replace('\'', '"')))
        .contains(LogEntry.of("pond"));
  }

  @Test
  void aRangeAndResultsWithinAResultAreOfNoFurtherPageAndNotForNone() {
    String source =
        "{'query':{'range':{'price':{'from':10}},'nested':{'inner_hits':{'from':5,'size':0},"
            + "'query':{'match':{'a':'pond'}}}}}";
    assertThat(QueryDsl.record(source.replace('\'', '"'))).contains(LogEntry.of("pond"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'match_bool_prefix':{'a':'garden p'}",
        "'match_bool_prefix':{'a':{'query':'garden p'}}",
        "'match_phrase_prefix':{'a':{'query':'garden p'}}",
        "'multi_match':{'query':'garden p','type':'bool_prefix','fields':['a','b']}",
        "'multi_match':{'type':'phrase_prefix','query':'garden p'}",
        "'query_string':{'query':'a:garden p','type':'bool_prefix'}",
      })
  void whatIsAskedWhileSomebodyTypesIsNoFullTextClause(String clause) throws IOException {
    String typing = "source[{\"query\":{" + clause.replace('\'', '"') + "}}]";
    String line = slow(0, 0).replaceAll("source\\[.*}]", typing);
    ParseTally tally = tally(List.of(line));
    assertThat(tally.of(Fate.EMPTY)).as(line).isEqualTo(1);

    String both = "{'query':{'bool':{'should':[{'match':{'a':'pond'}},{%s}]}}}".formatted(clause);
    assertThat(QueryDsl.record(both.replace('\'', '"'))).contains(LogEntry.of("pond"));
    String whole = "{'query':{'multi_match':{'query':'pond','type':'best_fields'}}}";
    assertThat(QueryDsl.record(whole.replace('\'', '"'))).contains(LogEntry.of("pond"));
  }

  @Test
  void aRequestForNoResultIsNoQuery() {
    String facets = slow(0, 0).replace("source[{", "source[{\"size\":0,");
    String json =
        "{\"message\":\"[pages][0]\",\"timestamp\":\"2024-05-01T12:00:00Z\",\"source\":"
            + "\"{\\\"size\\\":%d,\\\"query\\\":{\\\"match\\\":{\\\"b\\\":\\\"pond\\\"}}}\"}";
    String solr =
        "2024-05-01 12:00:00.123 INFO path=/select params={q=pond&%s} hits=1 status=0 QTime=2";
    LogFormat[] formats = {new SlowLogText(), new SlowLogJson(), new SolrLog(), new SolrLog()};
    String[] forNone = {
      facets, json.formatted(0), solr.formatted("rows=0"), solr.formatted("json={\"limit\":0}")
    };
    String[] forSome = {
      facets.replace("0,\"", "10,\""),
      json.formatted(10),
      solr.formatted("rows=10"),
      solr.formatted("rows=0&json={\"limit\":10}")
    };
    for (int i = 0; i < formats.length; i++) {
      assertThat(fate(formats[i], forNone[i])).as(forNone[i]).isEqualTo(Fate.OTHER_RECORD);
      assertThat(fate(formats[i], forSome[i])).as(forSome[i]).isEqualTo(Fate.KEPT);
    }
    String groups = facets.replace("0,\"", "0,\"aggs\":{\"a\":{\"top_hits\":{}}},\"");
    assertThat(fate(new SlowLogText(), groups)).as(groups).isEqualTo(Fate.KEPT);
  }

  @Test
  void aSlowLogsRequestBehindAResultIsForAFurtherPage() throws IOException {
    for (String after : List.of("[1.5,\"p9\"]", "[null]", "[[1],2]")) {
      assertThat(searchedAfter(after)).as(after).isPositive();
    }
    assertThat(searchedAfter("[]")).isZero();
    assertThat(searchedAfter("null")).isZero();
    assertThat(tally(List.of(slow(0, 0), after("[1.5]", 20), after("[0.5]", 40))).of(Fate.KEPT))
        .isEqualTo(1);
  }

  private static int searchedAfter(String values) {
    LogEntry entry = (LogEntry) new SlowLogText().read(after(values, 0));
    assertThat(entry.text()).isEqualTo("garden pond");
    return entry.offset();
  }

  private static String after(String values, int second) {
    return slow(second, 0)
        .replace("source[{", "source[{\"from\":0,\"search_after\":" + values + ",");
  }

  @Test
  void whatIsAskedBehindAResultIsOfAFurtherPageInWhateverOrderItIsSaid() {
    String source = "{\"search_after\":[7],\"from\":0,\"query\":{\"match\":{\"a\":\"pond\"}}}";
    assertThat(QueryDsl.record(source)).contains(LogEntry.of("pond").page(1));
  }

  @Test
  void solrsCursorAsksForAFurtherPageUnlessItIsTheFirst() {
    String line =
        "2024-05-01 12:00:00.123 INFO  o.a.s.c.S.Request webapp=/solr path=/select"
            + " params={q=pond&sort=score+desc,id+asc&cursorMark=%s&start=0} hits=9 status=0 QTime=3";
    SolrLog solr = new SolrLog();
    for (String first : List.of("*", "%2A", "")) {
      assertThat(((LogEntry) solr.read(line.formatted(first))).offset()).as(first).isZero();
    }
    LogEntry further = (LogEntry) solr.read(line.formatted("AoIIP4AAACoyMTA%3D"));
    assertThat(further.offset()).isPositive();
    assertThat(further.text()).isEqualTo("pond");
  }

  @ParameterizedTest(name = "{0} shards")
  @ValueSource(ints = {2, 24, 25, 200})
  void aRequestOverManyShardsCountsOnce(int shards) throws IOException {
    // two in one second, one ten seconds after these, which reports as the second of them did,
    // and one eleven seconds later
    List<String> lines = new ArrayList<>();
    for (int second : new int[] {0, 0, 10, 21}) {
      for (int shard = 0; shard < shards; shard++) {
        lines.add(slow(second, shard));
      }
    }
    ParseTally tally = tally(lines);
    assertThat(tally.of(Fate.KEPT)).isEqualTo(4);
    assertThat(tally.of(Fate.SHARD_REPEAT)).isEqualTo(4L * (shards - 1));
  }

  @ParameterizedTest(name = "{0} shards")
  @ValueSource(ints = {2, 5, 24})
  void requestsOfOneTextThatOverlapCountOnceEach(int shards) throws IOException {
    // one record of each shard for each of fifty requests: in turn, and in any order; then, eleven
    // seconds later, two more in turn
    List<String> lines = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      lines.addAll(Collections.nCopies(50, slow(0, shard)));
    }
    List<String> later = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      later.addAll(Collections.nCopies(2, slow(11, shard)));
    }
    for (int seed = 0; seed < 3; seed++) {
      List<String> log = new ArrayList<>(lines);
      log.addAll(later);
      assertThat(tally(log).of(Fate.KEPT)).as("order of seed %d", seed - 1).isEqualTo(52);
      Collections.shuffle(lines, new Random(seed));
    }
  }

  @Test
  void aRequestOverManyIndicesCountsOnce() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String index : List.of("de", "en", "fr")) {
      for (int shard = 0; shard < 2; shard++) {
        lines.add(slow(5, shard).replace("[pages]", "[" + index + "]"));
      }
    }
    ParseTally text = tally(lines);
    assertThat(text.of(Fate.KEPT)).isEqualTo(1);
    assertThat(text.of(Fate.SHARD_REPEAT)).isEqualTo(5);

    String record =
        "{\"@timestamp\":\"2024-05-01T12:00:0%d.100Z\",\"elasticsearch.slowlog.message\":\"[%s][0]\","
            + "\"elasticsearch.slowlog.source\":\"{\\\"query\\\":{\\\"match\\\":{\\\"b\\\":\\\"pond\\\"}}}\"}";
    List<String> json = new ArrayList<>();
    for (int second : new int[] {0, 3}) { // the same index again is another request
      json.add(record.formatted(second, "de"));
      json.add(record.formatted(second, "en"));
    }
    assertThat(tally(json).of(Fate.KEPT)).isEqualTo(2);
    assertThat(tally(json).of(Fate.SHARD_REPEAT)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"component\": \"i.i.s.index\"",
        "\"event.dataset\": \"elasticsearch.index_indexing_slowlog\"",
        "\"log.logger\": \"index.indexing.slowlog.index\""
      })
  void whatWasIndexedIsNoQueryWhateverTheDocumentHolds(String logger) {
    String line =
        "{"
            + logger
            + ", \"message\": \"[pages/abc]\", \"source\": \"{\\\"match\\\":{\\\"home\\\":\\\"Rovers\\\"}}\"}";
    assertThat(new SlowLogJson().read(line)).isEqualTo(new LogRemark(Fate.OTHER_RECORD));
  }

  @Test
  void anotherShardRepeatsARequestForTenSeconds() throws IOException {
    assertThat(tally(List.of(slow(5, 0), slow(15, 1))).of(Fate.KEPT)).isEqualTo(1);
    assertThat(tally(List.of(slow(5, 0), slow(16, 1))).of(Fate.KEPT)).isEqualTo(2);
    assertThat(tally(List.of(slow(15, 0), slow(5, 1))).of(Fate.KEPT)).isEqualTo(1);
    assertThat(tally(List.of(slow(16, 0), slow(5, 1))).of(Fate.KEPT)).isEqualTo(2);
  }

  @Test
  void aTextThatIsAskedAgainLaterCountsOnceEachTimeWhateverTheNumberOfShards() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int second : new int[] {0, 20, 40}) {
      for (int shard = 0; shard < 3; shard++) {
        lines.add(slow(second, shard));
      }
    }
    ParseTally tally = tally(lines);
    assertThat(tally.of(Fate.KEPT)).isEqualTo(3);
    assertThat(tally.of(Fate.SHARD_REPEAT)).isEqualTo(6);
  }

  @Test
  void ofRequestsThatOverlapAsManyCountAsTheShardThatReportsMostHasRecords() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.addAll(Collections.nCopies(2, slow(0, 0)));
    lines.addAll(Collections.nCopies(3, slow(1, 1)));
    lines.addAll(Collections.nCopies(5, slow(2, 2)));
    lines.addAll(Collections.nCopies(4, slow(3, 3)));
    assertThat(tally(lines).of(Fate.KEPT)).isEqualTo(5);
  }

  private static String slow(int second, int shard) {
    return ("[2024-05-01T12:00:%02d,100][WARN ][index.search.slowlog.query] [n] [pages][%d]"
            + " took[1.2s], source[{\"query\":{\"match\":{\"body\":\"garden pond\"}}}], id[],")
        .formatted(second, shard);
  }

  @Test
  void anIngestThatIsClosedOrGivenNoStreamSaysSo() throws IOException {
    for (int threads : new int[] {1, 2}) {
      WorkloadIngest ingest =
          new WorkloadIngest(IngestSettings.usual(temporary).withResources(threads, 1 << 20));
      assertThatNullPointerException()
          .isThrownBy(() -> ingest.read("queries.log", null))
          .withMessageContaining("log queries.log has no stream");
      assertThat(ingest.sources()).isEmpty();
      ingest.close();
      InputStream log = new ByteArrayInputStream(new byte[] {'q', '\n'});
      List<ThrowingCallable> late =
          List.of(
              () -> ingest.read("queries.log", log),
              () -> ingest.read(temporary),
              () -> ingest.workload(Words.NORMALIZER));
      for (ThrowingCallable call : late) {
        assertThatIllegalStateException()
            .isThrownBy(call)
            .withMessageContaining("this ingest is closed");
      }
      assertThat(ingest.tally().read()).isZero();
      ingest.close();
    }
  }

  @Test
  void aClosedIngestLeavesNoTemporaryFile() throws IOException {
    String log =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "2001-09-28T10:00:00Z\ts1\tpond %d\t0\n".formatted(i))
            .collect(Collectors.joining());
    IngestSettings tight = IngestSettings.usual(temporary).withResources(1, 1 << 16);
    try (WorkloadIngest ingest = new WorkloadIngest(tight)) {
      ingest.read("log", new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
      assertThat(temporary).isNotEmptyDirectory();
    }
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void inALogATallyIsItsCountsInOneLine() throws IOException {
    assertThat(new ParseTally()).hasToString("0 lines read, 0 rejected");
    assertThat(tally(List.of(slow(1, 0), slow(1, 1), slow(9, 0), slow(9, 1), "", "no such line")))
        .hasToString(
            "6 lines read, 1 rejected: 2 kept, 2 shard repeat, 1 blank line, 1 not in the format");
    ParseTally tally = new ParseTally();
    tally.add(Fate.NOT_TEXT);
    tally.recoded(2);
    tally.damaged("log", 7, "cut off");
    tally.doubtful("log", "ids or counts");
    assertThat(tally)
        .hasToString(
            "1 lines read, 1 rejected: 1 not text; 2 read as windows-1252;"
                + " logs damaged or passed over: 1; logs in doubt: 1");
  }

  @Test
  void inALogFormatsAreWhatWasSaidOfThem() {
    LogFormats formats =
        LogFormats.usual()
            .withColumns(List.of(Column.QUERY, Column.COUNT))
            .withQueryParameters(List.of("term"));
    assertThat(formats).hasToString("LogFormats[columns=[QUERY, COUNT], queryParameters=[term]]");
  }

  private ParseTally tally(List<String> lines) throws IOException {
    byte[] log = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read("slow", new ByteArrayInputStream(log));
      return ingest.tally();
    }
  }

  @Test
  void ofSeveralParametersOfOneNameTheFirstIsTheQuery() {
    String line =
        "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET /?q=pond&q=%E9&q=fish HTTP/1.1\" 200 5";
    LogEntry entry = (LogEntry) new AccessLog(List.of("q")).read(line);
    assertThat(entry.text()).isEqualTo("pond");
    assertThat(entry.recoded()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/search?q=credit card&page=2 HTTP/1.1 | credit card | 10",
        "/search?lang=en us&q=koi HTTP/1.1 | koi | 0",
        "/search?q=what is HTTP/2.0 HTTP/1.1 | what is HTTP/2.0 | 0",
        "/search?q=credit card | credit card | 0",
        "/search?q=koi | koi | 0",
      })
  void anAddressMayHaveBlanksInIt(String address, String text, int offset) {
    String line = "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET %s\" 200 5";
    LogEntry entry = (LogEntry) new AccessLog(List.of("q")).read(line.formatted(address));
    assertThat(entry.text()).isEqualTo(text);
    assertThat(entry.offset()).isEqualTo(offset);
  }

  @Test
  void whereTheClientIsLeftOutNobodyAsks() {
    String line =
        "%s [01/May/2024:12:00:00 +0200] \"GET /?q=a HTTP/1.1\" 200 5 \"-\" \"Firefox\"%s";
    AccessLog access = new AccessLog(List.of("q"));
    assertThat(((LogEntry) access.read(line.formatted("- - -", ""))).session()).isEmpty();
    String named = ((LogEntry) access.read(line.formatted("desk7 - -", ""))).session();
    assertThat(named).contains("desk7").contains("Firefox");
    String behindProxy =
        ((LogEntry) access.read(line.formatted("- - -", " \"192.0.2.9\""))).session();
    assertThat(behindProxy).contains("192.0.2.9").contains("Firefox");
  }

  @Test
  void aNamedFormatFindsOutWhatSeparatesColumnsThatAreGiven() throws IOException {
    List<Column> counts = List.of(Column.COUNT, Column.QUERY);
    List<Column> asked = List.of(Column.SESSION, Column.QUERY);
    assertThat(queries("5,garden pond\n3,koi\n2,\"a, b\"\n", counts, "counts"))
        .isEqualTo(Map.of("garden pond", 5.0, "koi", 3.0, "a b", 2.0));
    assertThat(queries("      5 garden pond\n      3 koi\n", counts, "counts"))
        .isEqualTo(Map.of("garden pond", 5.0, "koi", 3.0));
    for (String name : List.of("altavista", "aol")) {
      assertThat(queries("session\tquery\nu1\tgarden pond\nu2\tkoi\n", asked, name))
          .as(name)
          .isEqualTo(Map.of("garden pond", 1.0, "koi", 1.0));
      assertThat(queries("u1;garden pond\nu2;koi\n", asked, name))
          .as(name)
          .isEqualTo(Map.of("garden pond", 1.0, "koi", 1.0));
    }
    assertThat(queries("u1,garden pond\nu2,koi\n", asked, "tsv")).as("no tabs").isEmpty();
  }

  private Map<String, Double> queries(String log, List<Column> columns, String format)
      throws IOException {
    LogFormats formats = LogFormats.usual().withColumns(columns);
    IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, format);
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read(Files.writeString(temporary.resolve("given"), log));
      assertThat(ingest.sources().get(0).format()).isEqualTo(format);
      return queries(ingest.workload(Words.NORMALIZER));
    }
  }

  @Test
  void whatDatabasesWriteForNothingIsNothing() {
    List<Column> columns = List.of(Column.QUERY, Column.OFFSET, Column.RANK);
    LogFormat table = LogFormats.usual().withColumns(columns).named("tsv");
    for (String nothing : List.of("\\N", "NULL", "-", "")) {
      LogEntry entry = (LogEntry) table.read("pond\t" + nothing + "\t" + nothing);
      assertThat(entry).as(nothing).isEqualTo(LogEntry.of("pond"));
    }
    assertThat(((LogEntry) table.read("\\N\t0\t0")).text()).isEmpty();
    assertThat(((LogEntry) table.read("NULL\t0\t0")).text()).as("may be asked").isEqualTo("NULL");
    assertThat(fate(table, "pond\tnull\t0")).isEqualTo(Fate.BAD_NUMBER);
    assertThat(fate(table, "pond\t0\tnone")).isEqualTo(Fate.BAD_NUMBER);
  }

  @Test
  void twoNamesOfAColumnAreNoName() {
    assertThat(Column.named("Date ")).contains(Column.TIMESTAMP);
    assertThat(Column.named("date datetime")).isEmpty();
    assertThat(Column.named("user userid")).isEmpty();
  }

  @Test
  void aLineThatIsNoQueryTellsWhyNot() {
    AccessLog access = new AccessLog(List.of("q"));
    String request = "192.0.2.7 - - [%s] \"GET /search?%s HTTP/1.1\"%s";
    String day = "01/May/2024:12:00:00 +0200";
    assertThat(fate(access, request.formatted("noon", "q=a", " 200 5"))).isEqualTo(Fate.BAD_TIME);
    assertThat(fate(access, request.formatted(day, "p=a", " 200 5"))).isEqualTo(Fate.OTHER_RECORD);
    assertThat(fate(access, request.formatted(day, "q=a", " 404 5"))).isEqualTo(Fate.OTHER_RECORD);
    assertThat(fate(access, request.formatted(day, "q=a", ""))).isEqualTo(Fate.OTHER_RECORD);
    assertThat(fate(access, request.formatted(day, "q=a", " 200"))).isEqualTo(Fate.KEPT);
    assertThat(fate(access, request.formatted(day, "q=a", " 304 -"))).isEqualTo(Fate.KEPT);
    assertThat(fate(access, request.formatted(day, "q=a", " "))).isEqualTo(Fate.OTHER_RECORD);
    String whole = request.formatted(day, "q=a", " 200");
    for (String end : List.of("[", "]", "\"", "HTTP")) {
      String cut = whole.substring(0, whole.indexOf(end));
      assertThat(fate(access, cut)).as(cut).isEqualTo(Fate.OTHER_FORM);
    }
    assertThat(fate(access, whole.replace(" HTTP/1.1", ""))).isEqualTo(Fate.KEPT);
    assertThat(fate(access, whole.replace("GET", "POST"))).isEqualTo(Fate.KEPT);
    assertThat(fate(access, whole.replace("GET", "HEAD"))).isEqualTo(Fate.OTHER_RECORD);
    assertThat(fate(access, whole.replace("GET", "OPTIONS"))).isEqualTo(Fate.OTHER_RECORD);
    assertThat(fate(access, whole.replace("q=a", "q=5\\\"+pipe"))).isEqualTo(Fate.KEPT);

    SolrLog solr = new SolrLog();
    String select = "2024-05-01 12:00:00.123 INFO path=/select params={q=a&start=%s status=0";
    assertThat(fate(solr, select.formatted("0"))).isEqualTo(Fate.OTHER_FORM);
    assertThat(fate(solr, select.formatted("x}"))).isEqualTo(Fate.BAD_NUMBER);
    assertThat(fate(solr, select.formatted("0}"))).isEqualTo(Fate.KEPT);
    assertThat(fate(solr, "path=/select params={} hits=5 status=0")).isEqualTo(Fate.OTHER_RECORD);
    assertThat(solr.read(" params={q=a}")).isEqualTo(LogEntry.of("a").onShard(0));
    for (String everything : List.of("*:*", "*")) {
      assertThat(solr.read(" params={q=" + everything + "}")).isEqualTo(LogEntry.of("").onShard(0));
    }

    SlowLogJson slow = new SlowLogJson();
    String record = "{\"message\":\"[pages][0]\",\"timestamp\":\"%s\",\"%s\":\"%s\"}";
    String time = "2024-05-01T12:00:00Z";
    String source = "{\\\"query\\\":{\\\"match\\\":{\\\"body\\\":\\\"a\\\"}}}";
    assertThat(fate(slow, record.formatted(time, "took", "1s"))).isEqualTo(Fate.FIELD_MISSING);
    assertThat(fate(slow, record.formatted(time, "source", "{"))).isEqualTo(Fate.BAD_JSON);
    assertThat(fate(slow, record.formatted("noon", "source", source))).isEqualTo(Fate.BAD_TIME);
    assertThat(fate(slow, record.formatted(time, "source", source))).isEqualTo(Fate.KEPT);
    assertThat(fate(new SlowLogText(), slow(0, 0).replace("2024", "then")))
        .isEqualTo(Fate.BAD_TIME);

    LogFormat ranks =
        LogFormats.usual().withColumns(List.of(Column.QUERY, Column.RANK)).named("tsv");
    assertThat(fate(ranks, "pond\tfirst")).isEqualTo(Fate.BAD_NUMBER);
    assertThat(fate(ranks, "pond\t-")).isEqualTo(Fate.KEPT);

    UbiLog ubi = new UbiLog();
    assertThat(fate(ubi, "{\"index\":{\"_index\":\"ubi\"}}")).isEqualTo(Fate.OTHER_RECORD);
    assertThat(fate(ubi, "{\"client_id\":\"c\"}")).isEqualTo(Fate.FIELD_MISSING);
    String query = "{\"user_query\":\"a\",\"timestamp\":\"%s\"}";
    assertThat(fate(ubi, query.formatted("noon"))).isEqualTo(Fate.BAD_TIME);
    assertThat(fate(ubi, query.formatted(time))).isEqualTo(Fate.KEPT);
    assertThat(fate(ubi, "{\"user_query\":\"a\"}")).isEqualTo(Fate.KEPT);
  }

  @Test
  void solrsLocalParametersAreNoWordsAndItsTimeIsRead() {
    String line = "2024-05-01 12:00:00.123 INFO path=/select params={q=%s} hits=1 status=0 QTime=2";
    SolrLog solr = new SolrLog();
    for (String asked : List.of("garden", "%7B!edismax+qf=body%7D+garden")) {
      LogEntry entry = (LogEntry) solr.read(line.formatted(asked));
      assertThat(entry.text()).isEqualTo("garden");
      assertThat(entry.epochSecond()).isEqualTo(1_714_564_800);
    }
    assertThat(((LogEntry) solr.read(line.formatted("%7B!edismax"))).text()).isEmpty();
  }

  @Test
  void quotesThatWereTypedAreReadWhereTheSourceIsEscapedTwice() {
    String source = "{\"query\":{\"match\":{\"body\":\"\\\"koi pond\\\" caf\\u00e9 c:\\\\a\"}}}";
    String once = source.replace("\\", "\\\\").replace("\"", "\\\"");
    String twice = once.replace("\\", "\\\\").replace("\"", "\\\"");
    for (String escaped : List.of(once, twice)) {
      LogRecord read = new SlowLogJson().read("{\"source\":\"%s\"}".formatted(escaped));
      assertThat(read).isEqualTo(LogEntry.of("\"koi pond\" caf\u00e9 c:\\a"));
    }
  }

  @Test
  void aSlowLogMayEndWithTheSource() {
    String line = slow(0, 0).replace(", id[],", "");
    assertThat(((LogEntry) new SlowLogText().read(line)).text()).isEqualTo("garden pond");
  }

  private static Fate fate(LogFormat format, String line) {
    return format.read(line) instanceof LogRemark remark ? remark.fate() : Fate.KEPT;
  }

  @Test
  void clientsBehindOneAddressAreToldApartByTheirAgents() {
    AccessLog log = new AccessLog(List.of("q"));
    String line = "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET /?q=a HTTP/1.1\" 200 5%s";
    String common = session(log, line.formatted(""));
    String first = session(log, line.formatted(" \"-\" \"Mozilla/5.0 (X11)\""));
    String second = session(log, line.formatted(" \"-\" \"Lynx/2.8\""));
    assertThat(List.of(common, first, second)).doesNotHaveDuplicates();
    assertThat(session(log, line.formatted(" \"/before\" \"Lynx/2.8\""))).isEqualTo(second);
    assertThat(session(log, line.formatted(" \"Lynx/2.8\""))).isEqualTo(second);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " \"%1$d.27\"",
        " rt=0.%1$d uct=\"0.%1$d\" urt=\"0.%1$d\"",
        " \"-\" \"203.0.113.%1$d\"",
        " %1$d \"pages@docker\" \"http://10.0.0.%1$d:80\" 3ms",
        " \"cut %1$d",
      })
  void whatAServerWritesBehindTheAgentTellsNoClientsApart(String more) {
    AccessLog log = new AccessLog(List.of("q"));
    String line =
        "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET /?q=a HTTP/1.1\" 200 5"
            + " \"/a \\\"%1$d\\\"\" \"%2$s \\\"odd\\\" agent\""
            + more;
    String first = session(log, line.formatted(1, "Lynx"));
    assertThat(session(log, line.formatted(2, "Lynx"))).isEqualTo(first);
    assertThat(session(log, line.formatted(1, "Mozilla"))).isNotEqualTo(first);
  }

  /** As nginx's own format has it; before the time stands the proxy then. */
  @ParameterizedTest
  @ValueSource(strings = {"198.51.100.%d", "2001:db8::%d", "198.51.100.%d, 10.0.0.5"})
  void theClientThatAProxyNamesBehindTheAgentIsTheClient(String forwarded) {
    AccessLog log = new AccessLog(List.of("q"));
    String line =
        "10.0.0.5 - - [01/May/2024:12:00:00 +0200] \"GET /?q=a HTTP/1.1\" 200 5 \"-\" \"Lynx\" \""
            + forwarded
            + "\"";
    String first = session(log, line.formatted(1));
    assertThat(first).startsWith(forwarded.formatted(1).split(",", 2)[0]).endsWith("Lynx");
    assertThat(session(log, line.formatted(2))).isNotEqualTo(first);
    assertThat(session(log, line.formatted(1).replace("10.0.0.5 -", "10.0.0.6 -")))
        .isEqualTo(first);
    assertThat(session(log, line.replace(forwarded, "-"))).startsWith("10.0.0.5");
  }

  @ParameterizedTest
  @CsvSource({
    "start=10, 10",
    "from=9999, 9999",
    "from=10000, 0",
    "from=20241224, 0",
    "from=London, 0",
    "from=20241224&start=20, 20",
    "from=20241224&page=2, 10",
    "page=1000, 9990",
    "page=1001, 0",
    "page=999999999, 0",
    "p=3, 20"
  })
  void whatIsTooLargeForAPageIsNoneThough(String parameters, int offset) {
    String line = "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET /?q=a&%s HTTP/1.1\" 200 5";
    LogEntry entry = (LogEntry) new AccessLog(List.of("q")).read(line.formatted(parameters));
    assertThat(entry.offset()).isEqualTo(offset);
  }

  @ParameterizedTest
  @CsvSource({
    "/suggest?q=gar, OTHER_RECORD",
    "/api/autoComplete?q=gar, OTHER_RECORD",
    "/w/api.php?action=opensearch&search=gar&limit=10, OTHER_RECORD",
    "/w/rest.php/v1/search/title?q=gar&limit=10, OTHER_RECORD",
    "/wp-admin/admin-ajax.php?s=gar&action=shop_suggestions, OTHER_RECORD",
    "/w/index.php?title=Special:Search&search=gar, KEPT",
    "/w/api.php?action=query&list=search&search=gar, KEPT",
    "/opensearch?q=gar, KEPT",
    "/search/title?q=gar, KEPT",
    "/orders?q=gar&status=completed, KEPT",
    "/search?q=garden&source=autocomplete, KEPT",
    "/search?q=autocomplete, KEPT",
  })
  void completionsWhileTypingAreToldByPathAndAction(String address, Fate fate) {
    String line = "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET %s HTTP/1.1\" 200 5";
    assertThat(fate(new AccessLog(AccessLog.QUERY_PARAMETERS), line.formatted(address)))
        .isEqualTo(fate);
  }

  @ParameterizedTest
  @CsvSource({
    "/_next/image?url=%2Fhero.jpg&w=640&q=75, OTHER_RECORD",
    "/shop/_vercel/image/?url=%2Fhero.jpg&w=640&q=75, OTHER_RECORD",
    "/_image?href=hero.jpg&q=80, OTHER_RECORD",
    "/photos/7.JPG?w=400&q=80, OTHER_RECORD",
    "/avatars/ann.png?s=64, OTHER_RECORD",
    "/theme/style.css?s=3, OTHER_RECORD",
    "/image?q=gar, KEPT",
    "/search.js?q=gar, KEPT",
    "/_next/data/x/search.json?q=gar, KEPT",
    "/search?q=photo.jpg, KEPT",
    "/png?q=gar, KEPT",
  })
  void theQualityOfAPictureIsNoQuery(String address, Fate fate) {
    String line = "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET %s HTTP/1.1\" 200 5";
    assertThat(fate(new AccessLog(AccessLog.QUERY_PARAMETERS), line.formatted(address)))
        .isEqualTo(fate);
  }

  @Test
  void namesOfParametersAreReadAsTheyAreSentAndAsAProgramHasThem() throws IOException {
    String line = "192.0.2.%d - - [01/May/2024:12:00:00 +0200] \"GET /suche/?%s HTTP/1.1\" 200 5\n";
    String log =
        line.formatted(1, "tx_solr%5Bq%5D=garden+pond&tx_solr%5Bsort%5D=x")
            + line.formatted(2, "tx_solr%5bq%5d=garden%20pond")
            + line.formatted(3, "tx_solr[q]=M%FCnchen&x=1")
            + line.formatted(4, "q=other");
    for (String name : List.of("tx_solr[q]", "tx_solr%5Bq%5D")) {
      LogFormats formats = LogFormats.usual().withQueryParameters(List.of(name));
      IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, "");
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        ingest.read(Files.writeString(temporary.resolve("log"), log));
        assertThat(queries(ingest.workload(Words.NORMALIZER)))
            .as(name)
            .isEqualTo(Map.of("garden pond", 2.0, "münchen", 1.0));
        assertThat(ingest.tally().readAsWestern()).as(name).isEqualTo(1);
      }
    }
  }

  private static String session(LogFormat format, String line) {
    return ((LogEntry) format.read(line)).session();
  }

  @Test
  void userBehaviorInsightsHaveQueriesAndClicks() throws IOException {
    Expectation ubi = expect("ubi.ndjson", "ubi");
    ubi.query("garden pond", 1)
        .query("insurance travel", 1)
        .fate(Fate.REPEATED, 1)
        .fate(Fate.CLICK, 1)
        .fate(Fate.OTHER_RECORD, 2)
        .fate(Fate.BAD_JSON, 1)
        .andNothingElse();
    assertThat(ubi.clicks(3)).isEqualTo(1);
  }

  @Test
  void everyWayToClickIsAClickAndOneThatDoesNotTellWhereHasNoRank() {
    UbiLog ubi = new UbiLog();
    String event =
        "{\"action_name\":\"%s\",\"event_attributes\":{\"position\":{\"ordinal\":\"%s\"}}}";
    for (String action : List.of("click", "click_through", "result_click")) {
      assertThat(ubi.read(event.formatted(action, "7"))).isEqualTo(new LogClick(7));
    }
    assertThat(fate(ubi, event.formatted("scroll", "7"))).isEqualTo(Fate.OTHER_RECORD);
    assertThat(fate(ubi, event.formatted("click", "top"))).isEqualTo(Fate.BAD_NUMBER);
    assertThat(ubi.read("{\"action_name\":\"click\"}")).isEqualTo(new LogClick(0));
    assertThat(fate(ubi, "{\"create\":{\"_index\":\"ubi\"}}")).isEqualTo(Fate.OTHER_RECORD);
  }

  @Test
  void ranksOfZeroBesideOthersAreTold() throws IOException {
    String log =
        "session,query,rank\ns1,pond,0\ns2,pond,1\ns3,pond,\ns4,pond,-\ns5,pond,\" 00 \"\n";
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(5);
    assertThat(ingest.clicks().total()).isEqualTo(1);
    assertThat(ingest.tally().doubts())
        .singleElement()
        .asString()
        .endsWith(
            "log: ranks count from 1, and 2 lines have rank 0, which counts as no click; if the"
                + " first result has that rank, add 1 to every rank");
    String without = log.replace("0", "").replace("\"  \"", "");
    assertThat(ingest(without, "").tally().doubts()).isEmpty();
    String none = log.replace("pond,1", "pond,0");
    assertThat(ingest(none, "").tally().doubts()).as("nobody clicked").isEmpty();
  }

  @Test
  void clicksThatAreEventsAreCountedThoughTheirRankIsZeroOrNotSaid() throws IOException {
    String click =
        "{\"action_name\":\"click\",\"event_attributes\":{\"position\":{\"ordinal\":%d}}}%n";
    String others = click.formatted(1) + "{\"action_name\":\"click\"}\n";
    WorkloadIngest ingest = ingest(click.formatted(0) + others, "");
    assertThat(ingest.clicks().total()).isEqualTo(1);
    assertThat(ingest.clicksWithoutRank()).isEqualTo(2);
    assertThat(ingest.tally().doubts())
        .singleElement()
        .asString()
        .contains("log: ranks count from 1, and 1 line has rank 0");
    assertThat(ingest(click.formatted(0), "").tally().doubts()).as("alone").hasSize(1);
    assertThat(ingest(others, "").tally().doubts()).isEmpty();
    assertThat(ingest(others, "").clicksWithoutRank()).isEqualTo(1);
    try (WorkloadIngest several = new WorkloadIngest(IngestSettings.usual(temporary))) {
      read(several, "first", click.formatted(0) + others);
      read(several, "second", others);
      assertThat(several.clicksWithoutRank()).as("of all logs").isEqualTo(3);
    }
  }

  @Test
  void ranksThatLieBeforeTheirPageAreTold() throws IOException {
    String log = "session,query,offset,rank\ns1,pond,0,1\ns1,pond,10,%d\ns2,pond,20,\n";
    for (int rank : new int[] {1, 10}) {
      WorkloadIngest ingest = ingest(log.formatted(rank), "");
      assertThat(ingest.tally().of(Fate.NEXT_PAGE)).isEqualTo(2);
      assertThat(ingest.clicks().total()).isEqualTo(2);
      assertThat(ingest.tally().doubts())
          .singleElement()
          .asString()
          .endsWith(
              "log: ranks count from the first result of all pages, and 1 line has a rank that is"
                  + " not over the offset; if ranks count from the first result of each page there,"
                  + " add the offset to every rank");
    }
    assertThat(ingest(log.formatted(11), "").tally().doubts()).isEmpty();
  }

  @Test
  void aTableWhoseHeaderNamesNoQueriesIsNoLogOfTheAltaVistaShape() {
    String request = "{'from':0,'size':10,'query':{'match':{'body':{'query':'luggage food'}}}}";
    List<String> rows =
        IntStream.range(10, 30)
            .mapToObj(i -> "2024-05-01T12:%d:00Z\t%d\t%s".formatted(i, 7 * i, request))
            .toList();
    assertThat(recognised(rows)).contains("altavista");
    for (String header : List.of("@timestamp\ttook\tsource", "when\tuser\tsource")) {
      List<String> table = Stream.concat(Stream.of(header), rows.stream()).toList();
      assertThat(recognised(table)).as(header).isEmpty();
    }
    List<String> bad = Stream.concat(Stream.of("when?\twho\t" + request), rows.stream()).toList();
    assertThat(recognised(bad)).as("a bad line").contains("altavista");
  }

  @Test
  void queriesThatAreJsonAreTold() throws IOException {
    String request = "{\"size\":%d,\"query\":{\"match\":{\"body\":\"garden pond\"}}}";
    String table = "session\tquery\n";
    for (int i = 0; i < 3; i++) {
      table += "s" + i + "\t" + request.formatted(i) + "\n";
    }
    assertThat(ingest(table + "s3\tpond\n", "").tally().doubts())
        .singleElement()
        .asString()
        .endsWith(
            "log: 3 of 4 queries are JSON objects, whose names count as words, too; if they are"
                + " requests, read the search engine's log as it wrote it (slowlog-json,"
                + " slowlog-text or solr), or a table of what users typed");
    String typed = "s3\tpond\ns3\t{\ns4\t{garden} pond\n";
    assertThat(ingest(table + typed, "").tally().doubts()).as("half of them").isEmpty();
  }

  @Test
  void aColumnOfOffsetsThatIsNowhereZeroIsTold() throws IOException {
    String log = "session,query,from\ns1,pond,%d\ns1,pond,11\ns2,pond,21\n";
    WorkloadIngest ingest = ingest(log.formatted(1), "");
    assertThat(ingest.tally().of(Fate.NEXT_PAGE)).isEqualTo(3);
    assertThat(ingest.tally().doubts())
        .singleElement()
        .asString()
        .endsWith(
            "log: no line has offset 0, and all count as further pages, since offsets count from 0;"
                + " if the first is 1 there, subtract it from all, or use --columns with - in the"
                + " place of the offset, or in a program LogFormats.withColumns");
    assertThat(ingest(log.formatted(0), "").tally().doubts()).isEmpty();
    assertThat(ingest("session,query,from\n", "").tally().doubts()).isEmpty();
    String usual = "2024-05-01T10:00:00Z\ts1\tgarden pond\t%d\n";
    assertThat(ingest(usual.formatted(10), "altavista").tally().doubts()).hasSize(1);
    assertThat(ingest(usual.formatted(0), "altavista").tally().doubts()).isEmpty();
  }

  @Test
  void requestsToSolrMayAllBeForFurtherPages() throws IOException {
    WorkloadIngest ingest =
        ingest(
            "2024-05-01 12:00:00.123 INFO  (q) [ x:p] o.a.s.c.S.Request webapp=/solr path=/select"
                + " params={q=pond&start=10} hits=12 status=0 QTime=3\n",
            "");
    assertThat(ingest.tally().of(Fate.NEXT_PAGE)).isEqualTo(1);
    assertThat(ingest.tally().doubts()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "session,query,rank/s1,pond,0/s2,pond,2; session,query,rank/s1,pond,1/s2,pond,2; first",
        "session,query,rank/s1,pond,1/s2,pond,2; session,query,rank/s1,pond,0/s2,pond,0; none",
        "query,offset,rank/pond,0,1/pond,10,1; query,offset,rank/pond,0,1/pond,10,11; first",
        "query,offset/pond,0/pond,10; query,offset/pond,10/pond,20; second",
        "query,session/{},s1/{},s2/{},s3; query,session/pond,s1/pond,s2; first",
        "query,session/pond,s1/pond,s2/pond,s3; query,session/{},s1/{},s2; second",
        "{'action_name':'click','event_attributes.position.ordinal':0};"
            + " {'action_name':'click','event_attributes.position.ordinal':1}; first",
      })
  void aDoubtIsOfTheLogThatGaveIt(String first, String second, String doubtful) throws IOException {
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      read(ingest, "first", first.replace('/', '\n').replace('\'', '"') + "\n");
      read(ingest, "second", second.replace('/', '\n').replace('\'', '"') + "\n");
      assertThat(ingest.tally().doubts().stream().map(doubt -> doubt.replaceAll(":.*", "")))
          .isEqualTo(doubtful.equals("none") ? List.of() : List.of(doubtful));
    }
  }

  @Test
  void clicksAreWeighedAgainstAllThatWasAskedInLogsOfTheirKind() throws IOException {
    String line = "7\t%s\t2006-03-01 07:00:00\t%s\t\n";
    String header = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n";
    String table = "query,count,rank\n%s,%d,%s\n";
    Map<String, String> logs = new LinkedHashMap<>();
    logs.put("clicked", header + line.formatted("pond", "2") + line.formatted("pond", "3"));
    logs.put("unclicked", header + line.formatted("garden", ""));
    logs.put("table", table.formatted("travel", 10, "1"));
    logs.put("unclicked table", table.formatted("wine", 100, ""));
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      for (Map.Entry<String, String> log : logs.entrySet()) {
        byte[] bytes = log.getValue().getBytes(StandardCharsets.UTF_8);
        ingest.read(log.getKey(), new ByteArrayInputStream(bytes));
      }
      assertThat(ingest.clicks().total()).isEqualTo(2 + 10);
      assertThat(ingest.askedWhereClicked()).isEqualTo(1 + 1 + 10);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clicksInATableOfTheirOwnAreOfTheQueriesInOthers(boolean queriesFirst) throws IOException {
    String line = "2024-05-01T10:00:0%1$dZ,s%1$d,pond %1$d";
    StringBuilder queries = new StringBuilder("time,session,query\n");
    StringBuilder clicks = new StringBuilder("time,session,query,rank\n");
    for (int i = 1; i <= 3; i++) {
      queries.append(line.formatted(i)).append('\n');
      clicks.append(line.formatted(i)).append(',').append(i).append('\n');
    }
    String more = line.formatted(4) + "\n"; // of which none was clicked
    String noTable =
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n7\tpond\t2006-03-01 07:00:00\t\t\n";
    for (String unclicked : List.of("", more)) {
      try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
        String asked = queries + unclicked;
        read(ingest, "first", queriesFirst ? asked : clicks.toString());
        read(ingest, "counted", "query,count\nwine,100\n");
        read(ingest, "aol", noTable);
        read(ingest, "last", queriesFirst ? clicks.toString() : asked);
        assertThat(ingest.sources().get(2).format()).isEqualTo("aol");
        assertThat(ingest.clicks().total()).isEqualTo(3);
        assertThat(ingest.askedWhereClicked()).isEqualTo(unclicked.isEmpty() ? 3 : 4);
      }
    }
  }

  @Test
  void clicksOfATableThatTellsNoSessionsAreTold() throws IOException {
    String header = "QueryID,Query,Time,URL,Position\n";
    String clicks = "a,pond,2006-05-01 00:00:08,x,%s\na,pond,2006-05-01 00:00:12,y,4\n";
    WorkloadIngest told = ingest(header + clicks.formatted("1"), "");
    assertThat(told.tally().of(Fate.KEPT)).isEqualTo(2);
    assertThat(told.tally().doubts())
        .singleElement()
        .asString()
        .endsWith(
            "log: every query has a rank and none a session, and each click counts as a query; if"
                + " queries with several clicks stand there several times, or in another log, too,"
                + " leave this one out, or give it a column of sessions");
    WorkloadIngest unclicked = ingest(header + clicks.formatted(""), "");
    assertThat(unclicked.tally().doubts()).as("a query without a click").isEmpty();
    WorkloadIngest sessions = ingest(header.replace("QueryID", "user") + clicks.formatted("1"), "");
    assertThat(sessions.tally().of(Fate.REPEATED)).isEqualTo(1);
    assertThat(sessions.tally().doubts()).isEmpty();
  }

  @Test
  void clicksOfALogThatHasItsQueriesAreOfThoseAlone() throws IOException {
    Map<String, Integer> askedInLogs = new LinkedHashMap<>();
    askedInLogs.put("time,session,query,rank\n2024-05-01,s1,pond,1\n2024-05-01,s2,pond,\n", 2);
    askedInLogs.put( // a further page without a click
        "time,session,query,offset,rank\n2024-05-01,s1,pond,0,1\n2024-05-01,s1,pond,10,\n", 1);
    askedInLogs.put("query,rank\npond,1\nwine,2\n", 2); // which repeats no other log's queries
    askedInLogs.put("time,query,rank\n2024-05-01,pond,1\n", 1); // nor does one of nobody
    askedInLogs.put(
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n7\tpond\t2006-03-01 07:00:00\t2\t\n", 1);
    for (Map.Entry<String, Integer> clicked : askedInLogs.entrySet()) {
      try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
        read(ingest, "clicked", clicked.getKey());
        read(ingest, "others", "time,session,query\n2024-05-01,s3,pond\n");
        assertThat(ingest.askedWhereClicked())
            .as(clicked.getKey())
            .isEqualTo((double) clicked.getValue());
      }
    }
  }

  @ParameterizedTest(name = "{0} threads")
  @ValueSource(ints = {1, 3})
  void whatTheLinesOfALogTellIsCountedOnceHoweverLongTheLogIs(int threads) throws IOException {
    IngestSettings settings = IngestSettings.usual(temporary).withResources(threads, 1 << 20);
    int lines = 20_000; // two megabytes, in several blocks
    String filler = "pond ".repeat(16);
    StringBuilder log = new StringBuilder("session,query,offset,rank\n");
    log.append("s,caf\u00e9,0,\ns,pond,ten,\ns,pond,10,1\n");
    for (int i = 0; i < lines; i++) { // fewer than half of the texts are objects, the first ones
      boolean first = i < 0.45 * lines;
      log.append((first ? "s,{%s},0,\n" : "s,%s,10,\n").formatted(filler + i));
    }
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      byte[] bytes = log.toString().getBytes(StandardCharsets.ISO_8859_1);
      ingest.read("long", new ByteArrayInputStream(bytes));
      assertThat(ingest.tally().read()).isEqualTo(lines + 4);
      assertThat(ingest.tally().readAsWestern()).isEqualTo(1);
      assertThat(ingest.tally().samples(Fate.BAD_NUMBER)).hasSize(1);
      assertThat(ingest.tally().doubts())
          .singleElement()
          .asString()
          .contains("1 line has a rank that is not over the offset");
      String click = "{\"action_name\":\"click\",\"at\":\"%s\"}\n".formatted(filler);
      read(ingest, "clicks", click.repeat(lines));
      assertThat(ingest.clicksWithoutRank()).isEqualTo(lines);
    }
  }

  @Test
  void whatCouldNotBeReadIsRejectedAndNothingElse() {
    ParseTally tally = new ParseTally();
    for (Fate fate : Fate.values()) {
      tally.add(fate);
    }
    assertThat(tally.read()).isEqualTo(Fate.values().length);
    assertThat(tally.rejected()).isEqualTo(8);
    assertThat(Fate.values())
        .filteredOn(Fate::isRejection)
        .containsExactly(
            Fate.FIELD_MISSING,
            Fate.OTHER_FORM,
            Fate.BAD_TIME,
            Fate.BAD_NUMBER,
            Fate.BAD_JSON,
            Fate.NOT_TEXT,
            Fate.TOO_LONG,
            Fate.CUT_OFF);
  }

  @Test
  void linesThatAreShownAreNumberedFromTheBeginningOfTheirLog() throws IOException {
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      for (String name : List.of("one", "two")) {
        read(ingest, name, "session,query,offset\ns1,pond,0\ns1,wine,ten\n");
      }
      List<String> samples = ingest.tally().samples(Fate.BAD_NUMBER);
      assertThat(samples).hasSize(2);
      assertThat(samples.get(0)).startsWith("one:3: ");
      assertThat(samples.get(1)).startsWith("two:3: ");
    }
  }

  private static void read(WorkloadIngest ingest, String name, String log) throws IOException {
    ingest.read(name, new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aClickOfALineThatIsNoQueryDoesNotCount() throws IOException {
    String tooLong = "x".repeat(ParsedLines.LONGEST_TEXT + 1);
    String log = "session,query,rank\ns1,pond,1\ns2, ,2\ns3,%s,3\n".formatted(tooLong);
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.tally().of(Fate.EMPTY)).isEqualTo(1);
    assertThat(ingest.tally().of(Fate.TOO_LONG)).isEqualTo(1);
    assertThat(ingest.clicks().at(1)).isEqualTo(1);
    assertThat(ingest.clicks().total()).isEqualTo(1);
  }

  @Test
  void clicksCountAsOftenAsTheirLineSays() throws IOException {
    String log = "query,offset,rank,count\npond,0,1,30\npond,0,2,9\npond,10,12,4\npond,0,,57\n";
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.clicks().at(1)).isEqualTo(30);
    assertThat(ingest.clicks().at(2)).isEqualTo(9);
    assertThat(ingest.clicks().at(12)).as("on a further page").isEqualTo(4);
    assertThat(ingest.clicks().total()).isEqualTo(43);
    assertThat(ingest.askedWhereClicked()).isEqualTo(30 + 9 + 57);
  }

  @Test
  void aRobotOfSeveralHoursIsOneSession() throws IOException {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 12; i++) { // six an hour
      log.append("2001-09-28T1%d:00:0%dZ\trobot\tpage %d\t0\n".formatted(i / 6, i % 6, i));
    }
    log.append("2001-09-28T12:00:00Z\tanna\tpond\t0\n");
    IngestSettings settings =
        IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 5, true);
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read(Files.writeString(temporary.resolve("robot.log"), log));
      assertThat(ingest.robotSessions()).isEqualTo(1);
      assertThat(ingest.robotQueries()).isEqualTo(2);
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(11);
    }
  }

  @Test
  void whereALogHasNoTimesNoTextRepeatsAndNobodyIsARobot() throws IOException {
    IngestSettings settings =
        IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 5, true);
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      String query = "{\"user_query\":\"pond\",\"client_id\":\"c\"}\n";
      ingest.read(Files.writeString(temporary.resolve("ubi"), query.repeat(12)));
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(12);
      assertThat(ingest.robotSessions()).isZero();
    }
  }

  @Test
  void accessLogsHaveTheQueryInTheAddress() throws IOException {
    expect("access.log", "access")
        .query("garden pond", 1)
        .query("café paris", 1)
        .query("münchen", 1)
        .fate(Fate.NEXT_PAGE, 1)
        .fate(Fate.OTHER_RECORD, 4)
        .andNothingElse();
  }

  @Test
  void theClientOfAnAccessLogMayStandBehindAVirtualHost() throws IOException {
    String rest = " - - [10/Oct/2000:13:55:36 -0700] \"GET /?q=garden HTTP/1.1\" 200 23";
    String client = session("10.0.0.1" + rest);
    assertThat(session("example.org:443 10.0.0.1" + rest)).isEqualTo(client);
    assertThat(session("example.org 10.0.0.1" + rest)).isEqualTo(client);
    assertThat(session("Oct 10 13:55:36 web1 nginx: 10.0.0.1" + rest)).isEqualTo(client);
    assertThat(session("- 10.0.0.1" + rest)).isEqualTo(client);
    assertThat(session("Oct 10 13:55:36 web1 nginx[812]: 10.0.0.1" + rest)).isEqualTo(client);
    assertThat(session("<190>1 2000-10-10T13:55:36Z web1 nginx - - - 10.0.0.1" + rest))
        .isEqualTo(client);
    assertThat(session("10.0.0.1 10.9.9.9" + rest)).as("behind a proxy").isEqualTo(client);
    assertThat(session("10.9.9.9:80 10.0.0.1" + rest)).isEqualTo(client);
    assertThat(session("10.0.0.1 www.example.org" + rest.replace("- -", "-"))).isEqualTo(client);
    assertThat(session("a.example.org" + rest)).isEqualTo("a.example.org");
    assertThat(session("www.example.org a.example.org" + rest)).isEqualTo("a.example.org");
    assertThat(session("10.0.0.1" + rest.replace("- -", "id john"))).isEqualTo(client);
    assertThat(session("a.org 10.0.0.1" + rest.replace("- -", "id john"))).isEqualTo(client);
    assertThat(session("a.example.org" + rest.replace("- -", "- john doe")))
        .isEqualTo("a.example.org");
    assertThat(session("www.example.org a.example.org" + rest.replace("- -", "id john")))
        .isEqualTo("a.example.org");
    assertThat(session("2001:db8::1" + rest)).isEqualTo("2001:db8::1");
    assertThat(session("10.0.0.1:5000" + rest)).isEqualTo("10.0.0.1");
    assertThat(session("10.0.0.1:5000" + rest.replace("- -", "- john doe"))).isEqualTo("10.0.0.1");
    List<String> log =
        numbered("example.org:80 10.0.0.%d" + rest.replace("?q=garden", "index.html"), 99);
    assertThat(recognised(log)).contains("access");
    Path hosts = temporary.resolve("hosts.log");
    Files.writeString(hosts, "a.org:80 10.0.0.1" + rest + "\na.org:80 10.0.0.2" + rest + "\n");
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(hosts);
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2001:db8::1", "::1", "2001:db8:0:0:0:0:0:1", "fe80::1", "::ffff:10.0.0.7"})
  void anAddressWithColonsIsOneWhateverStandsAroundIt(String client) {
    String rest = " - - [10/Oct/2000:13:55:36 -0700] \"GET /?q=garden HTTP/1.1\" 200 23";
    assertThat(session(client + ", 10.0.0.5" + rest)).isEqualTo(client);
    assertThat(session("10.9.9.9:80 " + client + rest)).isEqualTo(client);
    assertThat(session("[2001:db8::80]:443 " + client + rest)).isEqualTo(client);
    assertThat(session("Oct 10 13:55:36 web1 nginx: " + client + rest)).isEqualTo(client);
    String syslog = "<190>1 2000-10-10T13:55:36Z web1 nginx - - - ";
    assertThat(session(syslog + client + rest)).isEqualTo(client);
    assertThat(session(syslog + "[" + client + "]:5000" + rest)).isEqualTo(client);
    assertThat(session(syslog + "192.0.2.7:52312" + rest)).isEqualTo("192.0.2.7");
    assertThat(session("13:55:36 00:11:22:33:44:55 10.0.0.1" + rest)).isEqualTo("10.0.0.1");
  }

  private static String session(String line) {
    return ((LogEntry) new AccessLog(AccessLog.QUERY_PARAMETERS).read(line)).session();
  }

  @Test
  void anAccessLogMayBeginWithoutASearch() {
    String image = "10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /%d.png HTTP/1.1\" 200 23";
    assertThat(recognised(numbered(image, 100))).contains("access");
    assertThat(recognised(numbered(image.replace(" 200 23", " 404 -"), 1))).contains("access");
  }

  @Test
  void aSolrLogMayBeginWithHundredsOfOtherLines() throws IOException {
    String start = "2024-01-01 00:00:00.123 INFO  (main) [   ] o.a.s.c.CoreContainer Loading %d";
    String request =
        "2024-01-01 00:01:18.123 INFO  (qtp1-12) [c:x s:shard1 r:core_node1 x:x] o.a.s.c.S.Request"
            + " webapp=/solr path=/select params={q=garden+pond&start=0} hits=5 status=0 QTime=2";
    List<String> log = new ArrayList<>(numbered(start, 500));
    assertThat(recognised(log)).isEmpty();
    log.add(request.replace("q=garden+pond&", "")); // not a query
    log.add(request.replace(" status=0 QTime=2", "")); // not a request
    assertThat(recognised(log)).isEmpty();
    log.add(request);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(Files.write(temporary.resolve("solr.log"), log));
      assertThat(ingest.sources()).extracting(LogSource::format).containsExactly("solr");
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(2);
    }
  }

  /** As {@code grep -n} numbers them. */
  @Test
  void aSolrLogMayBeginWithLinesThatLookLikeTopics() {
    List<String> log = new ArrayList<>(numbered("%d:INFO  (main) [ ] o.a.s.c.Core Loading", 150));
    assertThat(recognised(log)).contains("trec");
    log.add(
        "150:INFO  (qtp1-12) [ x:x] o.a.s.c.S.Request webapp=/solr path=/select"
            + " params={q=garden+pond&start=0} hits=5 status=0 QTime=2");
    assertThat(recognised(log)).contains("solr");
  }

  @Test
  void userBehaviorInsightsMayBeginWithoutASearch() {
    String view = "{\"action_name\":\"page_view\",\"client_id\":\"c%d\"}";
    assertThat(recognised(numbered(view, 100))).contains("ubi");
    assertThat(recognised(numbered("{\"_source\":" + view + "}", 100))).contains("ubi");
  }

  @Test
  void whatOnlyResemblesALogOfSearchesIsNone() {
    assertThat(recognised(numbered("{}", 100))).isEmpty();
    assertThat(recognised(numbered("{\"index\":{\"_id\":\"%d\"}}", 100))).isEmpty();
    assertThat(recognised(numbered("{\"level\":\"info\",\"message\":\"%d\"}", 100))).isEmpty();
    assertThat(
            recognised(
                numbered(
                    "[2024-01-01T10:00:00,000][WARN ][i.s.s.fetch] [n] [pages][%d] took[1ms],"
                        + " source[{\"query\":{\"match_all\":{}}}], id[]",
                    100)))
        .isEmpty();
    assertThat(recognised(numbered("[2024-01-01T10:00:00] user \"x %d\" logged in", 100)))
        .isEmpty();
    // names of columns, but a header has no values
    assertThat(recognised(List.of("user,search,7", "ann,pond,3"))).isEmpty();
    assertThat(recognised(List.of("user,search,2001-09-28", "ann,pond,2001-09-29"))).isEmpty();
    // two columns; three without a time; four of which none is an offset
    assertThat(recognised(numbered("2001-09-28T10:00:00Z\tgarden pond %d", 100))).isEmpty();
    assertThat(recognised(numbered("s%dx\tgarden pond\t0", 100))).isEmpty();
    assertThat(recognised(numbered("2001-09-28T10:00:00Z\ts%d\tgarden pond\tx", 100))).isEmpty();
  }

  @Test
  void threeQuartersOfTheFirstLinesMustBeReadableBlankOnesAside() {
    Map<String, String> lines =
        Map.of(
            "altavista", "2001-09-28T10:00:00Z\ts1\tgarden pond\t0",
            "slowlog-text", slow(0, 0),
            "ubi", "{\"user_query\":\"pond\",\"client_id\":\"c\"}");
    lines.forEach(
        (format, line) -> {
          assertThat(recognised(List.of("no log", "", "", line, line, line))).contains(format);
          assertThat(recognised(List.of("no log", line, line))).as(format).isEmpty();
        });
  }

  @Test
  void aSearchForARequestOfSolrIsNoLogOfSolr() {
    List<String> log = new ArrayList<>(numbered("2001-09-28T10:00:00Z\ts%d\tpond\t0", 150));
    log.add("2001-09-28T10:00:00Z\ts\t x path=/select params={q=a} hits=5 status=0 QTime=2\t0");
    assertThat(recognised(log)).contains("altavista");
  }

  private static List<String> numbered(String line, int count) {
    return IntStream.range(0, count).mapToObj(i -> line.formatted(i)).toList();
  }

  private static Optional<String> recognised(List<String> firstLines) {
    return LogFormats.usual().recognise(firstLines).map(LogFormat::name);
  }

  @Test
  void columnsCanBeNamedWhenTheyCannotBeGuessed() throws IOException {
    Path log = temporary.resolve("odd.tsv");
    Files.writeString(log, "3\tgarden pond\n4\ttravel insurance\n");
    LogFormats formats = LogFormats.usual().withColumns(List.of(Column.COUNT, Column.QUERY));
    IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, "");
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read(log);
      assertThat(queries(ingest.workload(Words.NORMALIZER)))
          .isEqualTo(Map.of("garden pond", 3.0, "insurance travel", 4.0));
    }
    for (List<Column> bad : List.of(List.of(Column.COUNT), List.of(Column.QUERY, Column.QUERY))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> LogFormats.usual().withColumns(bad))
          .withMessage("the columns of a log need query exactly once, were " + bad);
    }
    assertThat(formats.withColumns(List.of())).hasToString(LogFormats.usual().toString());
  }

  @Test
  void columnsOfAnotherNumberThanTheLogHasAreToldWithBothNumbers() throws IOException {
    List<Column> three = List.of(Column.TIMESTAMP, Column.SESSION, Column.QUERY);
    assertThatThrownBy(() -> ingestOf(three, "2024-05-01\ts1\tpond\t3\n2024-05-02\ts2\tfern\t4\n"))
        .isInstanceOf(UnknownLogFormatException.class)
        .hasMessageEndingWith(
            "log: --columns names 3 columns (timestamp,session,query), but its first lines have 4"
                + " between tabs, its first line is: 2024-05-01\u2192s1\u2192pond\u21923; name every"
                + " column there is, - for one to ignore, or leave --columns out, in a program"
                + " LogFormats.withColumns");
    assertThatThrownBy(() -> ingestOf(three, "1;pond, big\n2;fern, red\n"))
        .hasMessageContaining("its first lines have 2 between commas, 2 between semicolons, its");
    for (String ragged : List.of("pond\nfern\n", "a,b,pond\na,pond\na,b,fern\n")) {
      assertThatThrownBy(() -> ingestOf(three, ragged))
          .as(ragged)
          .hasMessageContaining(
              "but too few of its first lines have as many between tabs, commas, semicolons or bars,")
          .hasMessageContaining("; see whether it is such a table, or leave --columns out");
    }
    List<Column> counts = List.of(Column.QUERY, Column.COUNT);
    assertThatThrownBy(() -> ingestOf(counts, "7|pond|a\n7|fern|b\n"))
        .hasMessageContaining(
            "--columns names 2 columns (query,count), but its first lines have 3");
  }

  @Test
  void aLogWithoutALineOfTextIsNotToldToHaveOtherColumns() {
    String log = "1\0\t\0p\0o\0n\0d\0\n\0002\0\t\0f\0e\0r\0n\0\n\0"; // UTF-16
    List<Column> three = List.of(Column.TIMESTAMP, Column.SESSION, Column.QUERY);
    assertThatThrownBy(() -> ingestOf(three, log))
        .isInstanceOf(UnknownLogFormatException.class)
        .hasMessageContaining("log: no known query log format, none of its first lines is text of")
        .hasMessageContaining("iconv -f UTF-16LE -t UTF-8")
        .hasMessageNotContaining("--columns names");
  }

  private void ingestOf(List<Column> columns, String log) throws IOException {
    LogFormats formats = LogFormats.usual().withColumns(columns);
    IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, "");
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read(Files.writeString(temporary.resolve("log"), log));
    }
  }

  @Test
  void blanksAroundTheFieldsOfATableAreNoPartOfThem() throws IOException {
    String log =
        """
        user, timestamp, query
        u1, 2024-05-01 12:00:00, garden pond
        u1 , 1714564860 , garden pond
        NULL, 2024-05-01 12:02:00, pond
         NULL,"2024-05-01 12:02:00 ",pond
        """;
    ParseTally tally = ingest(log, "").tally();
    assertThat(tally.of(Fate.REPEATED)).as("u1, within a minute").isEqualTo(1);
    assertThat(tally.of(Fate.KEPT)).isEqualTo(3);
    for (String bare : List.of("1714564800", "2024-05-01", "01/May/2024:12:00:00 +0000")) {
      for (char separator : new char[] {',', ';', '\t', '|'}) {
        String table = "time, query\n%s , pond\n %s, pond\n".formatted(bare, bare);
        assertThat(ingest(table.replace(',', separator), "").tally().of(Fate.KEPT))
            .as(table)
            .isEqualTo(2);
      }
    }
  }

  @Test
  void aTableThatIsNamedIsReadByItsHeader() throws IOException {
    String log = "rank;query\n;garden pond\n;pond\n";
    for (String table :
        List.of(log, log.replace(';', ','), log.replace(';', '\t'), "query\ngarden pond\npond\n")) {
      String name = table.contains("\t") ? "tsv" : "csv";
      IngestSettings settings =
          IngestSettings.usual(temporary).withFormat(LogFormats.usual(), name);
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        ingest.read(Files.writeString(temporary.resolve("table"), table));
        assertThat(queries(ingest.workload(Words.NORMALIZER)))
            .as(table)
            .isEqualTo(Map.of("garden pond", 1.0, "pond", 1.0));
        assertThat(ingest.tally().of(Fate.HEADER)).isEqualTo(1);
      }
    }
  }

  @Test
  void aTableMayHaveColumnsOfNoUseButNoOtherTwice() throws IOException {
    String log = "id,query,url,comment,count\n1,garden pond,a,b,3\n2,pond,a,b,4\n";
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(Files.writeString(temporary.resolve("table"), log));
      assertThat(queries(ingest.workload(Words.NORMALIZER)))
          .isEqualTo(Map.of("garden pond", 3.0, "pond", 4.0));
    }
    assertThat(recognised(List.of("query,user,session", "garden pond,s1,s2"))).isEmpty();
    assertThat(recognised(List.of("query,text,user", "garden pond,pond,s2"))).isEmpty();
  }

  @Test
  void columnsOfANamedFormatAreApartByWhatTheyWouldBeApartByUnnamed() throws IOException {
    LogFormats formats = LogFormats.usual().withColumns(List.of(Column.QUERY, Column.COUNT));
    for (String separator : List.of(",", ";", "|", "\t")) {
      String log = "garden pond%s3\n\"pond\"%s4\n".formatted(separator, separator);
      String name = separator.equals("\t") ? "tsv" : "csv";
      for (String named : List.of("", name)) {
        IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, named);
        try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
          ingest.read(Files.writeString(temporary.resolve("table"), log));
          assertThat(ingest.sources()).extracting(LogSource::format).containsExactly(name);
          assertThat(queries(ingest.workload(Words.NORMALIZER)))
              .as("%s %s", named, separator)
              .isEqualTo(Map.of("garden pond", 3.0, "pond", 4.0));
        }
      }
      try (WorkloadIngest ingest = ingest(log, "counts")) {
        assertThat(ingest.tally().of(Fate.KEPT)).as(separator).isEqualTo(2);
      }
    }
    for (String log :
        List.of("      3 pond\n     12 pond\n", "3 pond\n12 pond\n", "3\tpond\n3\tpond\n")) {
      assertThat(ingest(log, "counts").tally().of(Fate.KEPT)).as(log).isEqualTo(2);
    }
  }

  @Test
  void aListOfQueriesIsReadByItsHeader() throws IOException {
    for (String list :
        List.of("query\ngarden, pond\npond\n", "\"query\"\n\"garden, pond\"\n\"pond\"\n")) {
      try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
        ingest.read(Files.writeString(temporary.resolve("list"), list));
        assertThat(queries(ingest.workload(Words.NORMALIZER)))
            .as(list)
            .isEqualTo(Map.of("garden pond", 1.0, "pond", 1.0));
        assertThat(ingest.tally().of(Fate.HEADER)).isEqualTo(1);
      }
    }
    assertThat(recognised(List.of("query"))).isEmpty();
    assertThat(recognised(List.of("query", "pond"))).contains("tsv");
    assertThat(recognised(List.of("garden, pond", "pond"))).isEmpty();
    assertThat(recognised(List.of("query, they said", "pond"))).isEmpty();
  }

  @Test
  void aTableWithoutAHeaderNeedsItsColumns() throws IOException {
    Path log = Files.writeString(temporary.resolve("table"), "garden pond\tx\npond\ty\n");
    IngestSettings settings = IngestSettings.usual(temporary).withFormat(LogFormats.usual(), "tsv");
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      assertThatThrownBy(() -> ingest.read(log))
          .isInstanceOf(UnknownLogFormatException.class)
          .hasMessageContaining("no header that names a query column of a tsv table")
          .hasMessageContaining("garden pond\u2192x")
          .hasMessageContaining("give the columns by --columns, or in a program LogFormats");
    }
  }

  @Test
  void everyFormatCanBeNamedAndNamesItself() {
    LogFormats formats = LogFormats.usual().withColumns(List.of(Column.QUERY));
    for (String name : LogFormats.names()) {
      assertThat(formats.named(name).name()).isEqualTo(name);
    }
  }

  /** Or it could be asked for, but would not be listed, nor fuzzed. */
  @Test
  void everyNameOfAFormatIsAmongTheNames() throws Exception {
    Path classes = Path.of(LogFormats.class.getResource("LogFormats.class").toURI()).getParent();
    List<String> named = new ArrayList<>();
    try (Stream<Path> files = Files.list(classes)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString().replace(".class", "");
        Class<?> format = Class.forName(LogFormats.class.getPackageName() + "." + name);
        for (Field field : format.getDeclaredFields()) {
          if (field.getName().equals("NAME")) {
            field.setAccessible(true);
            named.add((String) field.get(null));
          }
        }
      }
    }
    assertThat(named).hasSizeGreaterThanOrEqualTo(9);
    named.remove(EmptyLog.NAME); // of logs without lines, which nobody asks for
    assertThat(LogFormats.names()).containsAll(named);
  }

  @Test
  void anUnknownNameIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> LogFormats.usual().named("apache"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("apache")
        .hasMessageContaining("altavista, aol");
    assertThatThrownBy(() -> LogFormats.usual().named("tsv"))
        .hasMessageContaining("format tsv needs the columns");
    IngestSettings settings =
        IngestSettings.usual(temporary).withFormat(LogFormats.usual(), "apache");
    assertThatThrownBy(() -> new WorkloadIngest(settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no log format apache");
  }

  @Test
  void aNamedFormatIsTakenWhateverTheFirstLinesLookLike() throws IOException {
    WorkloadIngest prose = ingest("This is a text.\nIt has lines.\n", "altavista");
    assertThat(prose.sources()).extracting(LogSource::format).containsExactly("altavista");
    assertThat(prose.tally().of(Fate.FIELD_MISSING)).isEqualTo(2);
    LogFormats formats = LogFormats.usual().withColumns(List.of(Column.QUERY, Column.COUNT));
    for (String log : List.of("garden pond\t3\npond\t4\n", "This is a text.\nNo table.\n")) {
      IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, "csv");
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        ingest.read(Files.writeString(temporary.resolve("log"), log));
        assertThat(ingest.sources()).extracting(LogSource::format).containsExactly("csv");
        assertThat(ingest.tally().of(Fate.FIELD_MISSING)).as(log).isEqualTo(2);
      }
    }
  }

  @Test
  void whatANamedFormatHasNoUseForIsRefused() {
    LogFormats columns = LogFormats.usual().withColumns(List.of(Column.QUERY, Column.COUNT));
    LogFormats parameters = LogFormats.usual().withQueryParameters(List.of("term"));
    LogFormats.names().forEach(LogFormats.usual()::check);
    List.of("altavista", "aol", "counts", "tsv", "csv").forEach(columns::checkUse);
    parameters.checkUse("access");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> columns.checkUse("solr"))
        .withMessage("logs of format solr have no columns to name: leave the columns out");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parameters.checkUse("aol"))
        .withMessage("logs of format aol have no addresses: leave the query parameters out");
  }

  @ParameterizedTest(name = "\"{0}\" counts {1}")
  @CsvSource({"999999999, 999999999", "' 7 ', 7", "1000000000, 0", "4294967297, 0", "7 7, 0"})
  void aCountIsAWholeNumberUpToNineDigits(String count, double times) throws IOException {
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      String log = "garden\t1\nfox\t1\nred\t1\npond\t" + count + "\n";
      ingest.read(Files.writeString(temporary.resolve("counts"), log));
      assertThat(queries(ingest.workload(Words.NORMALIZER)).getOrDefault("pond", 0.0))
          .isEqualTo(times);
      assertThat(ingest.tally().of(Fate.BAD_NUMBER)).isEqualTo(times == 0 ? 1 : 0);
    }
  }

  @Test
  void proseIsNoLog() throws IOException {
    Path prose = temporary.resolve("README");
    Files.writeString(prose, "This is a text.\nIt has lines, and commas.\n\nNothing else.\n");
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      assertThatThrownBy(() -> ingest.read(prose))
          .isInstanceOf(UnknownLogFormatException.class)
          .hasMessageContaining("README")
          .hasMessageContaining("This is a text.")
          .hasMessageContaining("name the format");
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "%d\tgithub\tD12\thttps://www.example.com", // ORCAS
        "00:00:%d\t2982199073774412\t[pond]\t8 3\twww.example.com", // SogouQ
        "10:00:%d\tgarden pond",
        "%d,garden pond,2024-05-01T12:00:00Z",
        "u%d\tgarden pond\t5/1/2024 12:00",
        "%d,\"garden, pond\",1200",
      })
  void numbersBeforeMoreThanAQueryAreNoTopics(String line) throws IOException {
    assertThat(recognised(numbered(line, 20))).isEmpty();
    String log = String.join("\n", numbered(line, 20)) + "\n";
    assertThatThrownBy(() -> ingest(log, ""))
        .isInstanceOf(UnknownLogFormatException.class)
        .hasMessageContaining("--columns")
        .hasMessageContaining("in a program IngestSettings.withFormat")
        .hasMessageEndingWith("in a program LogFormats.withColumns");
    assertThat(ingest(log, "trec").tally().of(Fate.KEPT)).as("named").isEqualTo(20);
  }

  @Test
  void numbersBeforeColonsThatRepeatAreNoIds() throws IOException {
    for (String line :
        List.of(
            "14:32:%02d.123 [main] INFO  o.e.j.s.Server - Started",
            "14:%02d:02,417 INFO  [org.jboss.as] (MSC 1-2) Started", " 9:%02d garden pond")) {
      assertThat(recognised(numbered(line, 20))).as(line).isEmpty();
    }
    assertThat(recognised(List.of("12:garden", "7:pond", "7:fern"))).as("counts").isEmpty();
    String log = "12:garden\n7:pond\n7:fern\n";
    assertThat(ingest(log, "trec").tally().of(Fate.KEPT)).as("named").isEqualTo(3);
    assertThat(recognised(List.of("12:garden", "7:pond", "8:7:fern"))).contains("trec");
  }

  @Test
  void noPriorityIsBelowTheFourth() {
    for (String priority : List.of("4", "5")) {
      List<String> lines =
          List.of("1:%s:fern".formatted(priority), "2:%s:moss".formatted(priority));
      TrecTopics topics = TrecTopics.of(new FirstLines(lines), false);
      assertThat(((LogEntry) topics.read(lines.get(0))).text())
          .isEqualTo(priority.equals("4") ? "fern" : "5:fern");
    }
  }

  @Test
  void aTopicMayHoldColonsAndInQuotesCommas() {
    assertThat(recognised(numbered("wt%d:who invented: the zipper", 9))).contains("trec");
    assertThat(recognised(numbered("wt%d,\"garden, pond\"", 9))).contains("trec");
    assertThat(recognised(numbered("wt%d:garden, pond, big", 9))).contains("trec");
    assertThat(recognised(List.of("1,pond", "2,pond", "3,pond", "4,pond, big"))).contains("trec");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "'47,0,0,12,753,3,0,8', false", // numbers of hits
    "'-,1,-,2,5,-,1,-', false", // clicked ranks
    "'0,1,0,0,2,0,3,0', false",
    "'1,2,1,1,3,1,1,2', false",
    "'0,0,20,0,10,0,-,0', true",
    "'0,50,0,x,25,0,0,75', true",
    "'0,0,0,0', true",
    "'0,10,20,x', true",
    "'0,10,20,30', true", // a quarter, and no more, are none
    "'10,20,10,20,0', false",
  })
  void numbersBehindQueriesAreOffsetsWhereManyAreNoneAndTheOthersCountWholePages(
      String numbers, boolean offsets) throws IOException {
    List<String> fields = List.of(numbers.split(","));
    for (String line :
        List.of(
            "2024-05-01T10:00:%1$02dZ\tu%1$d\tgarden pond\t%2$s\n",
            "%2$s\t2024-05-01T10:00:%1$02dZ\tu%1$d\tgarden pond\n")) {
      String log =
          IntStream.range(0, fields.size())
              .mapToObj(i -> line.formatted(i, fields.get(i)))
              .collect(Collectors.joining());
      WorkloadIngest ingest = ingest(log, "");
      assertThat(ingest.sources()).extracting(LogSource::format).containsExactly("altavista");
      if (offsets) {
        assertThat(ingest.tally().doubts()).isEmpty();
        assertThat(ingest.tally().of(Fate.KEPT))
            .isEqualTo(fields.stream().filter(field -> field.matches("[0-]")).count());
      } else {
        assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(fields.size());
        assertThat(ingest.tally().doubts())
            .singleElement()
            .asString()
            .contains("were taken for no result offsets", "use --columns", "LogFormats.withColumns")
            .contains(line.startsWith("%") ? "offset,timestamp,session" : "session,query,offset");
      }
    }
  }

  @Test
  void clientsBehindSeveralProxiesAreToldApartByTheFirstAddress() {
    String line =
        "%s - - [01/May/2024:12:00:00 +0200] \"GET /?q=a HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0\"";
    String client = session(line.formatted("203.0.113.7"));
    for (String chain :
        List.of(
            "203.0.113.7, 10.0.0.5", "203.0.113.7,10.0.0.5", "unknown, 203.0.113.7, 10.0.0.5")) {
      assertThat(session(line.formatted(chain))).as(chain).isEqualTo(client);
    }
    assertThat(session(line.formatted("203.0.113.8, 10.0.0.5"))).isNotEqualTo(client);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "{\"message\":\"%s\",\"endOfBatch\":false,\"context\":{\"a\":1}}",
        "{\"log\":\"2024-05-01 12:00:00.123 INFO  (q) [ x:p] o.a.s.c.S.Request %s\\n\",\"s\":\"x\"}",
        "2024-05-01 12:00:00.123 INFO  (q) [ x:p] o.a.s.c.S.Request %s",
      })
  void whatFollowsTheParametersOfASolrRequestIsNoWord(String line) {
    String request =
        " webapp=/solr path=/select params={wt=json&q=%s} rid=host-17 hits=12 status=%s QTime=3";
    SolrLog solr = new SolrLog();
    for (String asked : List.of("garden+pond", "{!edismax+v%3D'garden+pond'}")) {
      LogRecord read = solr.read(line.formatted(request.formatted(asked, "0")));
      assertThat(((LogEntry) read).text()).isEqualTo("garden pond");
      LogRecord failed = solr.read(line.formatted(request.formatted(asked, "400")));
      assertThat(failed).isEqualTo(new LogRemark(Fate.OTHER_RECORD));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "first=1, 0",
    "first=11, 11",
    "first=2, 2",
    "from=1&to=10, 0",
    "from=11&to=20, 11",
    "from=1&start=20, 20",
    "start=1, 1",
    "offset=1, 1",
  })
  void resultsThatAreCountedFromOneBeginTheFirstPageThere(String parameters, int offset) {
    String line = "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET /?q=a&%s HTTP/1.1\" 200 5";
    LogEntry entry = (LogEntry) new AccessLog(List.of("q")).read(line.formatted(parameters));
    assertThat(entry.offset()).isEqualTo(offset);
  }

  @Test
  void anAveragePositionIsNoClickedRank() throws IOException {
    String table =
        "query,clicks,impressions,ctr,position\ngarden pond,12,400,3%,4.2\npond,1,9,9%,3\n";
    for (String log :
        List.of(
            table,
            table.replace("clicks,impressions", "a,Impressions"),
            table.replace("clicks,impressions", "Clicks,b"))) {
      WorkloadIngest ingest = ingest(log, "");
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(2);
      assertThat(ingest.clicks().total()).isZero();
    }
    assertThat(ingest("session,query,position\ns1,pond,3\n", "").clicks().at(3)).isEqualTo(1);
  }

  @Test
  void aPositionBesideClicksIsAClickedRankWhereThereAreSessions() throws IOException {
    String log =
        """
        time,session,query,clicks,position
        2024-05-01T10:00:00Z,s1,pond,1,3
        2024-05-01T10:00:00Z,s2,garden,0,
        """;
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(2);
    assertThat(ingest.clicks().total()).isEqualTo(1);
    assertThat(ingest.clicks().at(3)).isEqualTo(1);
  }

  @Test
  void aLineThatCannotBeReadShowsWhichColumnIsWrong() throws IOException {
    String log =
        """
        timestamp,session,query,offset,rank
        2024-05-01,s1,pond,0,4.2
        2024-05-01,s1,pond,"ten",x
        5/1/2024 12:00,s1,pond,ten,4
        """;
    ParseTally tally = ingest(log, "").tally();
    assertThat(tally.samples(Fate.BAD_NUMBER))
        .extracting(sample -> sample.substring(sample.indexOf(":2: ") + 1))
        .anyMatch(sample -> sample.startsWith("2: rank 4.2: 2024-05-01,s1"));
    assertThat(tally.samples(Fate.BAD_NUMBER).get(1)).contains(":3: offset ten: 2024-05-01,s1");
    assertThat(tally.samples(Fate.BAD_TIME))
        .singleElement()
        .asString()
        .contains(":4: timestamp 5/1/2024 12:00: 5/1/2024 12:00,s1");
  }

  @Test
  void theSecondHalfOfAFieldWithALineBreakIsNoQuery() throws IOException {
    String broken =
        """
        query,count
        "foo
        bar",99
        "say ""foo""
        and ""bar""\",7
        "buy ""red"" pond",2
        tv 32",5
        say "hi",3
        garden pond,12
        """;
    for (String log : List.of(broken, broken.replace(',', ';'))) {
      WorkloadIngest ingest = ingest(log, "");
      assertThat(ingest.tally().of(Fate.OTHER_FORM)).isEqualTo(5);
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(3);
    }
    String tabs = broken.replace(',', '\t').replace("\"foo\n", "");
    assertThat(ingest(tabs, "").tally().of(Fate.OTHER_FORM)).as("no quotes there").isZero();
    assertThat(ingest("query\n\"foo\nbar\"\npond\n", "csv").tally().of(Fate.KEPT)).isEqualTo(1);
  }

  @Test
  void aQueryThatEndsInASignOfInchesCountsWhereNoFieldIsInQuotes() throws IOException {
    String plain = "query,count\ntv 24\",9000\ngarden pond,12\ntv 32\",5\n";
    for (String log : List.of(plain, plain.replace(',', ';'), plain.replace("query,count\n", ""))) {
      for (String name : log.startsWith("query,") ? List.of("", "csv") : List.of("")) {
        assertThat(ingest(log, name).tally().of(Fate.KEPT)).as(log).isEqualTo(3);
      }
    }
    LogFormats formats = LogFormats.usual().withColumns(List.of(Column.QUERY, Column.COUNT));
    for (String name : List.of("", "csv", "counts")) {
      IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, name);
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        ingest.read("log", new ByteArrayInputStream(plain.getBytes(StandardCharsets.UTF_8)));
        assertThat(ingest.tally().of(Fate.OTHER_FORM)).as(name).isZero();
      }
    }
    String inQuotes = plain + "\"pond, garden\",1\n";
    assertThat(ingest(inQuotes, "").tally().of(Fate.OTHER_FORM)).isEqualTo(2);
  }

  @Test
  void aQueryThatEndsInASignOfInchesBehindOtherColumnsCounts() throws IOException {
    String log = "timestamp|session|query\n2024-05-01|s1|tv 32\"\n2024-05-01|s2|tv 42\"\n";
    assertThat(ingest(log, "").tally().of(Fate.KEPT)).isEqualTo(2);
  }

  @Test
  void escapesThatAreNotUtf8AreReadAsWindows1252AndCounted() throws IOException {
    String line =
        "192.0.2.%d - - [01/May/2024:12:00:00 +0200] \"GET /search?%s HTTP/1.1\" 200 5"
            + " \"https://example.org/?q=%%B1\"\n";
    String log =
        line.formatted(1, "q=M%FCnchen")
            + line.formatted(2, "q=M%C3%BCnchen")
            + line.formatted(3, "q=garden%20pond&x=%FC")
            + line.formatted(4, "q=M\\xFCnchen")
            + line.formatted(5, "q=M%FCnchen&page=2");
    WorkloadIngest ingest = ingest(log, "");
    assertThat(ingest.tally().readAsWestern()).isEqualTo(3);
    String solr =
        "2024-05-01 12:00:0%d.123 INFO  (q) [ x:p] o.a.s.c.S.Request webapp=/solr path=/select"
            + " params={q=%s} hits=12 status=0 QTime=3\n";
    String requests =
        solr.formatted(1, "M%FCnchen") + solr.formatted(2, "M%C3%BCnchen") + solr.formatted(3, "a");
    assertThat(ingest(requests, "").tally().readAsWestern()).isEqualTo(1);
    byte[] both = line.formatted(1, "q=M%FCnchen&x=ä").getBytes(StandardCharsets.ISO_8859_1);
    try (WorkloadIngest twice = new WorkloadIngest(IngestSettings.usual(temporary))) {
      twice.read("twice", new ByteArrayInputStream(both));
      assertThat(twice.tally().readAsWestern()).as("a line counts once").isEqualTo(1);
    }
  }

  @Test
  void ofTextWithoutAByteOrderMarkInUtf16IsSaidWhatRecodesIt() throws IOException {
    byte[] utf16 = "timestamp\tquery\n2024-05-01\tpond\n".getBytes(StandardCharsets.UTF_16LE);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      assertThatThrownBy(() -> ingest.read("log", new ByteArrayInputStream(utf16)))
          .isInstanceOf(UnknownLogFormatException.class)
          .hasMessageContaining("iconv -f UTF-16LE -t UTF-8");
    }
  }

  @Test
  void whatIsAskedOfSolrInJsonIsAQuery() {
    String line =
        "2024-05-01 12:00:00.123 INFO  (q) [ x:p] o.a.s.c.S.Request webapp=/solr path=/select"
            + " params={%s&wt=json} rid=host-1 hits=12 status=0 QTime=3";
    SolrLog solr = new SolrLog();
    String request = "json={\"query\":\"travel+insurance\",\"limit\":10%s}";
    LogEntry entry = (LogEntry) solr.read(line.formatted(request.formatted("")));
    assertThat(entry.text()).isEqualTo("travel insurance");
    assertThat(entry.offset()).isZero();
    LogEntry further = (LogEntry) solr.read(line.formatted(request.formatted(",\"offset\":20")));
    assertThat(further.offset()).isEqualTo(20);
    LogEntry both = (LogEntry) solr.read(line.formatted(request.formatted("") + "&q=pond"));
    assertThat(both.text()).isEqualTo("travel insurance");
    LogEntry bothOffsets =
        (LogEntry) solr.read(line.formatted(request.formatted(",\"offset\":20") + "&start=0"));
    assertThat(bothOffsets.offset()).isEqualTo(20);
    assertThat(further.recoded()).isFalse();
    LogEntry western = (LogEntry) solr.read(line.formatted("q=x&json={\"query\":\"caf%E9\"}"));
    assertThat(western.text()).isEqualTo("caf\u00e9");
    assertThat(western.recoded()).isTrue();
    assertThat(fate(solr, line.formatted(request.formatted(",\"offset\":\"x\""))))
        .isEqualTo(Fate.BAD_NUMBER);
    for (String other : List.of("json={\"filter\":\"a:b\"}", "json={query:'a'}", "json=")) {
      assertThat(fate(solr, line.formatted(other))).isEqualTo(Fate.OTHER_RECORD);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Top queries,Clicks,Impressions,CTR,Position | garden pond,7,12,3%,4.2 | impressions",
        "query,clicks,impressions,ctr,position | garden pond,7,12,3%,4.2 | impressions",
        "query,clicks | garden pond,12 | clicks",
        "Keyword,Impressions,Clicks,CTR,Avg. Position | garden pond,12,7,3%,4.2 | impressions",
        "label,nb_visits,nb_hits | garden pond,7,12 | nb_hits",
        "label,nb_visits | garden pond,12 | nb_visits",
        "Label,Visits,Hits | garden pond,12,15 | Visits",
        "Keyword,Visits,Search Results pages | garden pond,12,1 | Visits",
        "Search term,Event count,Total users | garden pond,12,7 | event count",
        "Keyword,Searches,x | garden pond,12,7 | ``",
        "Rank,Keyword,Volume | 1,garden pond,12 | ``",
        "date,query,clicks,impressions,ctr,position | 2024-05-01,garden pond,7,12,3%,4.2 | impressions",
        "date,label,nb_visits,nb_hits | 2024-05-01,garden pond,7,12 | nb_hits",
        "Date,Label,Visits | 2024-05-01,garden pond,12 | Visits",
        "Date,Search term,Event count | 2024-05-01,garden pond,12 | Event count",
      },
      quoteCharacter = '`')
  void exportsAreReadByTheNamesThatTheyGiveTheirColumns(String header, String row, String count)
      throws IOException {
    IngestSettings settings = IngestSettings.usual(temporary);
    for (String before : List.of("", "# Account: X\n# Search terms\n", "sep=,\n")) {
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        String log = before + header + "\n" + row + "\n";
        ingest.read(Files.writeString(temporary.resolve("export"), log));
        assertThat(ingest.sources()).extracting(LogSource::format).containsExactly("csv");
        assertThat(queries(ingest.workload(Words.NORMALIZER)))
            .isEqualTo(Map.of("garden pond", 12.0));
        assertThat(ingest.clicks().total()).isZero();
        assertThat(ingest.tally().of(Fate.HEADER))
            .isEqualTo(1 + before.chars().filter(c -> c == '\n').count());
        assertThat(ingest.tally().doubts()).hasSize(count.isEmpty() ? 0 : 1);
        assertThat(String.join("", ingest.tally().doubts()))
            .containsIgnoringCase(count)
            .contains(count.isEmpty() ? "" : "LogFormats.withColumns");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"(not set)", "(not provided)", "(other)", "(data not available)"})
  void whatAnalyticsWriteForQueriesThatTheyDoNotTellIsNone(String none) throws IOException {
    String rows = "fish,3,7\n%s,48211,7\n\"%s\",9,7\n%s pond,2,7\n".formatted(none, none, none);
    for (String header :
        List.of("Search term,Event count,Total users\n", "query,count,users\n", "")) {
      String log = header + (header.isEmpty() ? rows.replace(",7\n", "\n") : rows);
      ParseTally tally = ingest(log, header.isEmpty() ? "counts" : "").tally();
      assertThat(tally.of(Fate.EMPTY)).as(log).isEqualTo(2);
      assertThat(tally.of(Fate.KEPT)).as(log).isEqualTo(2);
    }
    WorkloadIngest events = ingest("session,query\ns1,%s\n".formatted(none), "");
    assertThat(events.tally().of(Fate.KEPT)).as("where somebody asked").isEqualTo(1);
  }

  @Test
  void countsMayHaveCommasBetweenThousands() throws IOException {
    String rows = "garden pond,\"1,205\"\nfern,\" 1,234,567 \"\nreed,\"123,456,789\"\nmoss,7\n";
    Map<String, Double> counts =
        Map.of("garden pond", 1205.0, "fern", 1_234_567.0, "reed", 123_456_789.0, "moss", 7.0);
    for (String log : List.of("query,count\n" + rows, rows)) {
      for (String separated : List.of(log, log.replace(",\"", "\t").replace("\"", ""))) {
        String table =
            separated.equals(log) ? log : separated.replace("y,c", "y\tc").replace("s,7", "s\t7");
        try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
          ingest.read(Files.writeString(temporary.resolve("log"), table));
          assertThat(queries(ingest.workload(Words.NORMALIZER))).as(table).isEqualTo(counts);
        }
      }
    }
    for (String bad :
        List.of(
            "1,20",
            "1,2055",
            ",205",
            "1,205,",
            "0,205",
            "1205,100",
            "1.205",
            "1,2o5",
            "12,345,678,901",
            "1,,205",
            "-1,205",
            "1 205")) {
      WorkloadIngest ingest = ingest("query,count\npond,7\nfern,\"" + bad + "\"\n", "");
      assertThat(ingest.tally().of(Fate.BAD_NUMBER)).as(bad).isEqualTo(1);
    }
    WorkloadIngest rank = ingest("query,rank\nfern,\"1,205\"\n", "");
    assertThat(rank.tally().of(Fate.BAD_NUMBER)).as("may be a mean").isEqualTo(1);
  }

  @Test
  void whereNoColumnIsOfCountsOneOfNumbersIsTold() throws IOException {
    String log = "country,query,hits,asked\nfr,garden pond,%s,12\nfr,fern,7,9\n";
    WorkloadIngest told = ingest(log.formatted("3.5"), "csv");
    assertThat(told.tally().of(Fate.KEPT)).isEqualTo(2);
    assertThat(told.tally().doubts())
        .singleElement()
        .asString()
        .endsWith(
            "log: no column was taken as how often each query was asked, and each line counts once;"
                + " if the column asked is that, use --columns -,query,-,count, or in a program"
                + " LogFormats.withColumns");
    assertThat(ingest(log.formatted(3), "csv").tally().doubts())
        .singleElement()
        .asString()
        .contains("column hits is", "--columns -,query,count,-");
    String once = "query,%s\ngarden pond,12\n";
    for (String header : List.of("id", "count", "rank", "session")) {
      assertThat(ingest(once.formatted(header), "csv").tally().doubts()).as(header).isEmpty();
    }
    String events = "time,query,hits\n2024-05-01,garden pond,12\n";
    assertThat(ingest(events, "").tally().doubts()).as("a line is one query").isEmpty();
    String clicks = "date,query,%s,clicks\n2024-05-01,garden pond,0,12\n2024-05-01,fern,0,0\n";
    WorkloadIngest days = ingest(clicks.formatted("hits"), "");
    assertThat(days.tally().of(Fate.KEPT)).isEqualTo(2);
    assertThat(days.tally().doubts())
        .singleElement()
        .asString()
        .contains("column clicks is", "--columns timestamp,query,-,count");
    for (String known : List.of("session", "offset", "rank", "count")) {
      assertThat(ingest(clicks.formatted(known), "").tally().doubts()).as(known).isEmpty();
    }
    assertThat(ingest("query,country\npond,fr\n", "csv").tally().doubts()).isEmpty();
    assertThat(ingest("query,hits\n", "csv").tally().doubts()).as("no line").isEmpty();
  }

  @Test
  void countsWithCommasMayStandBeforeQueries() throws IOException {
    String rows = "12,345\tpond\n9,876\tfern\n1,001\tmoss\n";
    Map<String, Double> counts = Map.of("pond", 12_345.0, "fern", 9_876.0, "moss", 1_001.0);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(Files.writeString(temporary.resolve("log"), rows));
      assertThat(queries(ingest.workload(Words.NORMALIZER))).isEqualTo(counts);
    }
    assertThat(ingest(rows, "counts").tally().of(Fate.KEPT)).isEqualTo(3);
  }

  @Test
  void ofTwoColumnsOfTheSameThatMatomoAlwaysHasCountsAndTheFinerTime() throws IOException {
    String visits = "a,%s,2024-05-01 10:00:00,pond\nb,%s,2024-05-01 10:05:00,pond\n";
    String header = "idvisitor,user_id,server_time,search_term\n";
    for (String login : List.of("NULL", "u1")) {
      WorkloadIngest visitors = ingest(header + visits.formatted(login, login), "");
      assertThat(visitors.tally().of(Fate.KEPT)).as(login).isEqualTo(2);
    }
    String again =
        """
        date,server_time,session,query
        2024-05-01,2024-05-01 10:00:00,a,pond
        2024-05-01,2024-05-01 14:00:00,a,pond
        """;
    assertThat(ingest(again, "").tally().of(Fate.KEPT)).as("hours apart").isEqualTo(2);
  }

  @Test
  void namesOfMatomoStandBackBehindOtherNamesOfTheSame() throws IOException {
    String visits = "a,s,2024-05-01 10:00:00,2024-05-01,pond\n";
    String more = "b,s,2024-05-01 10:05:00,2024-05-01,pond\n";
    WorkloadIngest sessions =
        ingest("idvisitor,session,server_time,date,search_term\n" + visits + more, "");
    assertThat(sessions.tally().of(Fate.REPEATED)).as("one session").isEqualTo(1);
    WorkloadIngest times =
        ingest("idvisitor,session,server_time,time,search_term\n" + visits + more, "");
    assertThat(times.tally().of(Fate.REPEATED)).as("one day").isEqualTo(1);
    assertThat(recognised(List.of("session,user_id,query", "a,b,pond"))).isEmpty();
    assertThat(recognised(List.of("time,date,query", "10:00,2024-05-01,pond"))).isEmpty();
    assertThat(
            recognised(
                List.of(
                    "date,time,server_time,search_term",
                    "2024-05-01,10:00:00,2024-05-01 10:00:00,pond")))
        .as("a time without its date is none")
        .isEmpty();
  }

  /** What {@code mysql -B} prints, and files that it writes. */
  @ParameterizedTest
  @ValueSource(strings = {"NULL", "\\N", "-", ""})
  void whatStandsForNothingIsNoSession(String nothing) throws IOException {
    String line = nothing + "\t2024-05-01 10:00:00\tpond\n";
    assertThat(ingest("user_id\ttime\tquery\n" + line + line, "").tally().of(Fate.KEPT))
        .isEqualTo(2);
  }

  @Test
  void visitsOfMatomoAreReadByTheNamesOfItsTables() throws IOException {
    String visits = "a1\t2024-05-01 10:00:00\tpond\na1\t2024-05-01 10:05:00\tpond\n";
    WorkloadIngest ingest = ingest("idvisitor\tserver_time\tkeyword\n" + visits, "");
    assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(1);
    assertThat(ingest.tally().of(Fate.REPEATED)).isEqualTo(1);
  }

  /** What was typed as an escape stays one, {@code &amp;quot;} in the database. */
  @Test
  void queriesInMatomosDatabaseAreEscapedAsForAPage() throws IOException {
    String visits =
        """
        a1\t2024-05-01 10:00:00\t&quot;garden pond&quot; -&quot;very cheap&quot;
        a2\t2024-05-01 10:00:00\twomen&#039;s shoes
        a3\t2024-05-01 10:00:00\twomen&#39;s shoes
        a4\t2024-05-01 10:00:00\ta&amp;b &lt;br&gt; at&t
        a5\t2024-05-01 10:00:00\t&amp;amp;
        a5\t2024-05-01 10:00:00\t
        """;
    assertThat(texts("idvisitor\tserver_time\tsearch_term\n" + visits))
        .containsOnly("garden pond", "women's shoes", "a&b <br> at&t", "&amp;");
    assertThat(texts("session\ttime\tsearch_term\n" + visits))
        .as("not Matomo's")
        .contains("women&#039;s shoes", "a&amp;b &lt;br&gt; at&t", "&amp;amp;");
  }

  /** What is left of the queries of a log without their operators. */
  private List<String> texts(String log) throws IOException {
    List<String> texts = new ArrayList<>();
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(Files.writeString(temporary.resolve("log"), log));
      ingest.workload(
          text -> {
            texts.add(text);
            return List.of("x");
          });
    }
    return texts;
  }

  @Test
  void aColumnWithALesserNameIsNoQueryBesideOneThatIs() throws IOException {
    for (String header :
        List.of("query,label,count", "keyword,query,count", "session,label,search")) {
      int query = List.of(header.split(",")).indexOf("query");
      WorkloadIngest ingest = ingest(header + "\n1,1,1\n", "");
      assertThat(ingest.tally().of(Fate.KEPT)).as(header + query).isEqualTo(1);
      assertThat(ingest.tally().doubts()).isEmpty();
    }
    String events = "timestamp,session,query,clicks\n2024-05-01,s1,pond,0\n2024-05-01,s2,pond,3\n";
    assertThat(ingest(events, "").tally().of(Fate.KEPT)).as("events").isEqualTo(2);
    assertThat(recognised(List.of("label,text", "1,pond"))).isEmpty();
    assertThat(recognised(List.of("label,country", "x,y"))).isEmpty();
    assertThat(recognised(List.of("# a comment", "# another"))).isEmpty();
  }

  @Test
  void aHeaderIsNoQueryWhereItsColumnsAreGiven() throws IOException {
    List<Column> columns = List.of(Column.IGNORED, Column.SESSION, Column.QUERY);
    LogFormats formats = LogFormats.usual().withColumns(columns);
    for (String name : List.of("", "csv")) {
      IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, name);
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        String log = "id,user,query\n1,u1,pond\n2,u2,query\n";
        ingest.read(Files.writeString(temporary.resolve("log"), log));
        assertThat(ingest.tally().of(Fate.HEADER)).isEqualTo(1);
        assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"session,-,timestamp,query", "-,session,timestamp,query"})
  void aHeaderOfColumnsOfTheSameIsNoQueryWhicheverOfThemIsGiven(String given) throws IOException {
    List<Column> columns =
        Stream.of(given.split(",")).map(name -> Column.named(name).orElseThrow()).toList();
    LogFormats formats = LogFormats.usual().withColumns(columns);
    IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, "");
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      String log = "idvisitor,user_id,server_time,search_term\na,u,2024-05-01 10:00:00,pond\n";
      ingest.read(Files.writeString(temporary.resolve("log"), log));
      assertThat(ingest.tally().of(Fate.HEADER)).isEqualTo(1);
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(1);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"search,2", "search engine,2", "query,1", "Query,1"})
  void whereOnlyTheColumnOfQueriesIsGivenAHeaderIsOneThatCallsItQuery(String first, int queries)
      throws IOException {
    for (String more : List.of("", ",foo")) {
      List<Column> columns =
          more.isEmpty() ? List.of(Column.QUERY) : List.of(Column.QUERY, Column.IGNORED);
      LogFormats formats = LogFormats.usual().withColumns(columns);
      for (String name : List.of("", more.isEmpty() ? "tsv" : "csv")) {
        IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, name);
        try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
          String log = first + more + "\npond" + more + "\n";
          ingest.read(Files.writeString(temporary.resolve("log"), log));
          assertThat(ingest.tally().of(Fate.KEPT)).as(log + name).isEqualTo(queries);
          assertThat(ingest.tally().of(Fate.HEADER)).as(log + name).isEqualTo(2 - queries);
        }
      }
    }
  }

  @Test
  void ofATableWithAnUnknownHeaderIsSaidThatItNamesNoQueryColumn() {
    String log = "Häufigste Suchanfragen,Klicks\ngarden pond,12.5\n";
    assertThatThrownBy(() -> ingest(log, ""))
        .isInstanceOf(UnknownLogFormatException.class)
        .hasMessageContaining("or the columns of a table without a header, or of one whose header")
        .hasMessageContaining("names no query column");
  }

  private Expectation expect(String log, String format) throws IOException {
    Path path = Path.of("src/test/resources/logs", log);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(path);
      assertThat(ingest.sources()).extracting(LogSource::format).containsExactly(format);
      return new Expectation(ingest, ingest.workload(Words.NORMALIZER));
    }
  }

  private static Map<String, Double> queries(CountedWorkload counted) {
    Map<String, Double> queries = new TreeMap<>();
    Workload workload = counted.workload();
    for (int query = 0; query < workload.queryCount(); query++) {
      queries.put(String.join(" ", workload.queryTerms(query)), workload.frequency(query));
    }
    return queries;
  }

  /** What a log should give; collects and compares everything at once. */
  private static final class Expectation {
    private final WorkloadIngest ingest;
    private final CountedWorkload counted;
    private final Map<String, Double> queries = new TreeMap<>();
    private final Map<Fate, Long> fates = new TreeMap<>();
    private double withoutTerms;

    Expectation(WorkloadIngest ingest, CountedWorkload counted) {
      this.ingest = ingest;
      this.counted = counted;
    }

    Expectation query(String text, double frequency) {
      queries.put(text, frequency);
      return this;
    }

    Expectation fate(Fate fate, long lines) {
      fates.put(fate, lines);
      return this;
    }

    Expectation withoutTerms(double occurrences) {
      withoutTerms = occurrences;
      return this;
    }

    long clicks(int rank) {
      return ingest.clicks().at(rank);
    }

    void andNothingElse() {
      Map<Fate, Long> found = new TreeMap<>();
      for (Fate fate : Fate.values()) {
        if (fate != Fate.KEPT && ingest.tally().of(fate) > 0) {
          found.put(fate, ingest.tally().of(fate));
        }
      }
      assertThat(queries(counted)).isEqualTo(queries);
      assertThat(found).isEqualTo(fates);
      assertThat(counted.withoutTerms()).isEqualTo(withoutTerms);
    }
  }
}
