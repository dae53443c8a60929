// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which queries count, said in the same words to every verb that needs some. */
class QueryLogOptionsTest {
  @TempDir static Path demo;
  @TempDir Path out;

  @BeforeAll
  static void generate() throws IOException {
    new DemoCrawl(60, 4, 40, 500, 3).write(demo);
  }

  /** Every verb that reads a crawl and queries, but for these. */
  static Stream<List<String>> verbs() {
    return Stream.of(
        List.of("replay", "--policies", "uniform", "--budgets", "5", "--out"),
        List.of("audit", "--out"),
        List.of("index", "--index"),
        List.of("overhead", "--batches", "1", "--repeats", "1", "--warm-up", "1", "--out"));
  }

  private CommandRun run(List<String> verb, String... queries) {
    List<String> line = new ArrayList<>(verb);
    line.add(out.resolve("result").toString());
    line.addAll(List.of("--crawl", DemoCrawl.snapshots(demo).toString()));
    line.addAll(List.of(queries));
    return CommandRun.of(line.toArray());
  }

  private Path workload() {
    Path file = out.resolve("queries.workload");
    CommandRun written =
        CommandRun.of(
            "workload",
            "--query-log",
            DemoCrawl.queryLog(demo).toString(),
            "--out",
            file.toString());
    assertThat(written.status()).isZero();
    return file;
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void aWorkloadThatWasWrittenTakesThePlaceOfItsLog(List<String> verb) throws IOException {
    assertThat(run(verb, "--workload", workload().toString()).status()).isZero();
    assertThat(Files.isDirectory(out.resolve("result"))).isTrue();
  }

  @Test
  void aWorkloadGivesWhatItsLogGives() throws IOException {
    List<String> index = List.of("index", "--index");
    List<String> byLog = run(index, "--query-log", DemoCrawl.queryLog(demo).toString()).out();
    Path workload = workload();
    Files.move(out.resolve("result"), out.resolve("other"));
    Files.move(out.resolve("result.delta"), out.resolve("other.delta"));
    CommandRun byWorkload = run(index, "--workload", workload.toString());
    assertThat(byWorkload.out()).isEqualTo(byLog).hasSizeGreaterThan(4);
    assertThat(byWorkload.err().get(0)).startsWith("queries: ").endsWith(" in " + workload);
  }

  @Test
  void aLogOfColumnsIsReadAsItsColumnsAreNamed() throws IOException {
    Path log = out.resolve("log");
    Files.writeString(log, "7\ttravel card\n3\tcredit\n");
    CommandRun run =
        run(List.of("index", "--index"), "--query-log", log.toString(), "--columns", "count,query");
    assertThat(run.err())
        .contains("queries: 2 lines read, 2 kept, 0 rejected; 2 different queries of 3 terms");
    assertThat(run.status()).isZero();
  }

  @Test
  void numbersTakenForIdsAreTold() throws IOException {
    Path log = Files.writeString(out.resolve("log"), "3\ttravel card\n7\tcredit\n");
    assertThat(run(List.of("index", "--index"), "--query-log", log.toString()).err())
        .anyMatch(line -> line.startsWith(log + ": the numbers before the queries were taken as"));
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void whatDoesNotGoTogetherIsToldInOneLine(List<String> verb) throws IOException {
    String workload = workload().toString();
    String log = DemoCrawl.queryLog(demo).toString();
    assertRefused(
        run(verb, "--workload", workload, "--query-log", log),
        "--workload holds queries read from logs already: leave out either it, or");
    assertRefused(
        run(verb, "--workload", workload, "--columns", "query"),
        "--workload holds queries read from logs already: leave out either it, or");
    assertRefused(
        run(verb, "--query-log", log, "--columns", "colour"),
        "--columns: no column colour; there are");
    assertRefused(
        run(verb, "--query-log", log, "--log-format", "apache"),
        "--log-format: no log format apache; there are");
    assertRefused(run(verb), "--query-log FILE, or --workload FILE");
    assertRefused(
        run(verb, "--query-log", log, "-"),
        "--query-log - is for the verb workload: write a workload by it, with --out, and name that by --workload");
    assertThat(run(verb, "--query-log", workload).err().get(0))
        .endsWith(workload + " is no query log but a workload: name it by --workload");
  }

  /** Mostly a variable that nobody set: all hosts would be indexed. */
  @ParameterizedTest
  @MethodSource("verbs")
  void anEmptyExpressionIsNotTakenForAllAddresses(List<String> verb) {
    String log = DemoCrawl.queryLog(demo).toString();
    assertRefused(
        run(verb, "--query-log", log, "--addresses", ""),
        "--addresses is empty, which every address would suit: name some, or leave it out");
  }

  /** By which that of the demo would be read. */
  @Test
  void theFormatOfALogThatIsNotNamedIsRefused() {
    Path result = out.resolve("result");
    for (List<String> verb : verbs().filter(verb -> !verb.contains("index")).toList()) {
      for (String said :
          List.of("--columns=-,-,query,-", "--log-format=aol", "--query-parameter=q")) {
        List<Object> line = new ArrayList<>(verb);
        line.addAll(List.of(result, said));
        assertRefused(
            CommandRun.of(line.toArray()),
            "--log-format, --columns and --query-parameter say what your logs look like: add");
        assertThat(result).doesNotExist();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--log-format solr --columns query|logs of format solr have no columns to name",
        "--log-format trec --columns query|logs of format trec have no columns to name",
        "--log-format ubi --query-parameter q|logs of format ubi have no addresses",
        "--columns session,session,query|two columns of a kind: name all but one of them -, was",
        "--columns q,query|--columns needs query exactly once"
      })
  void whatALogCannotLookLikeIsRefused(String options, String complaint) throws IOException {
    Path log = Files.writeString(out.resolve("log"), "2024-01-01T00:00:00Z\ts\tpond\t0\n");
    List<String> line = new ArrayList<>(List.of("workload", "--query-log", log.toString()));
    line.addAll(List.of(options.split(" ", -1)));
    assertRefused(CommandRun.of(line.toArray()), complaint);
  }

  @Test
  void whatIsSaidOfALogOfItsFormatIsTaken() throws IOException {
    Path log = Files.writeString(out.resolve("log"), "-\tpond\t-\n");
    String columns = "workload --query-log " + log + " --log-format tsv --columns -,query,-";
    assertThat(CommandRun.of((Object[]) columns.split(" ", -1)).status()).isZero();
    String request = "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET /?w=a HTTP/1.1\" 200 5\n";
    Path access = Files.writeString(out.resolve("access"), request);
    String named = "workload --query-log " + access + " --log-format access --query-parameter w";
    assertThat(CommandRun.of((Object[]) named.split(" ", -1)).status()).isZero();
  }

  @Test
  void queriesOfRobotsAreTold() throws IOException {
    StringBuilder queries = new StringBuilder();
    for (int query = 0; query < 102; query++) {
      queries.append("2024-01-01T00:%02d:00Z\ts\tpond %d\t0\n".formatted(query / 2, query));
    }
    Path log = Files.writeString(out.resolve("log"), queries);
    assertThat(run(List.of("index", "--index"), "--query-log", log.toString()).err())
        .contains(
            "robots: 2 queries beyond what a person asks in an hour, kept; workload --drop-robots"
                + " leaves them out");
  }

  @Test
  void aParameterThatNoLogHasIsSaidToHaveNoEffect() throws IOException {
    Path log = Files.writeString(out.resolve("log"), "2024-01-01T00:00:00Z\ts\tpond\t0\n");
    String request = "192.0.2.7 - - [01/May/2024:12:00:00 +0200] \"GET /?w=a HTTP/1.1\" 200 5\n";
    Path access = Files.writeString(out.resolve("access"), request);
    String sentence = "--query-parameter had no effect: none of the logs read is an access log";
    CommandRun run = CommandRun.of("workload", "--query-log", log, "--query-parameter", "w");
    assertThat(run.status()).isZero();
    assertThat(run.err()).containsExactly(sentence);
    run = CommandRun.of("workload", "--query-log", log, access, "--query-parameter", "w");
    assertThat(run.err()).isEmpty();
    run = run(List.of("index", "--index"), "--query-log", log.toString(), "--query-parameter", "w");
    assertThat(run.err()).contains(sentence);
  }

  @ParameterizedTest
  @CsvSource({
    "--columns, ',', ''",
    "--columns, 'query,,count', 'query,,count'",
    "--query-parameter, '', ''",
    "--query-parameter, 'q, ', 'q, '",
    "--log-format, '', ''"
  })
  void anOptionWithoutANameIsNotTakenAsNotGiven(String option, String value, String seen)
      throws IOException {
    Path log = Files.writeString(out.resolve("log"), "2024-01-01T00:00:00Z\ts\tpond\t0\n");
    CommandRun run = run(List.of("index", "--index"), "--query-log", log.toString(), option, value);
    assertRefused(run, option + " '" + seen + "' has an empty name: give one such as ");
    assertThat(CommandRun.of("workload", "--query-log", log, option, value).complaint())
        .contains(option + " '" + seen + "' has an empty name");
  }

  @Test
  void aLogThatIsEmptyIsSaidToBeSo() throws IOException {
    List<String> index = List.of("index", "--index");
    Path empty = Files.writeString(out.resolve("log"), "");
    assertThat(run(index, "--query-log", empty.toString()).complaint())
        .endsWith(": " + empty + " is empty: name a log that holds queries");
    Path folder = Files.createDirectory(out.resolve("folder"));
    assertThat(run(index, "--query-log", folder.toString()).complaint())
        .endsWith(": no log in " + folder + ": name a file, or a directory with logs");
    Files.writeString(empty, "2024-01-01T00:00:00Z\ts\t\t0\n");
    assertThat(run(index, "--query-log", empty.toString()).complaint())
        .endsWith(": no query could be read from " + empty + ": see workload --query-log");
  }

  @Test
  void aLogInAnotherCharsetIsToldWithWhatRecodesIt() throws IOException {
    Path log = out.resolve("log");
    String line = "2024-01-01T00:00:00Z\ts\t北京 pond\t0\n";
    Files.write(log, line.getBytes(Charset.forName("GBK")));
    String remedy =
        "in another charset? recode the log first: iconv -f GBK -t UTF-8 LOG > NEW (escapes such as %E9 stay as they are)";
    assertThat(run(List.of("index", "--index"), "--query-log", log.toString()).err())
        .contains("lines not UTF-8, read as windows-1252: 1; " + remedy);
    assertThat(CommandRun.of("workload", "--query-log", log).out())
        .anyMatch(row -> row.matches("  not UTF-8, read as windows-1252 +1  .*"))
        .anyMatch(row -> row.endsWith(remedy));
    Files.writeString(log, line);
    assertThat(run(List.of("index", "--index"), "--query-log", log.toString()).err())
        .noneMatch(told -> told.contains("windows-1252"));
  }

  @Test
  void whyNoFileOfADirectoryIsALogIsTold() throws IOException {
    Path folder = Files.createDirectory(out.resolve("folder"));
    for (int i = 0; i < 5; i++) {
      Files.write(folder.resolve("log" + i + ".xz"), "\u00fd7zXZ\0".getBytes(ISO_8859_1));
    }
    String sentence =
        ": no log in %1$s: name a file, or a directory with logs; passed over: %1$s/log0.xz is"
                .formatted(folder)
            + " packed by xz, which is not read; unpack it, or give what xz -dc prints to"
            + " workload --query-log -, or in a program to WorkloadIngest.read as a stream; ";
    String[] query = {"--query-log", folder.toString()};
    for (CommandRun run :
        List.of(
            run(List.of("index", "--index"), query),
            CommandRun.of("workload", "--query-log", folder))) {
      assertThat(run.complaint()).contains(sentence).endsWith("; and 2 more");
    }
  }

  private static void assertRefused(CommandRun run, String sentence) {
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().get(0)).contains(sentence);
  }

  @Test
  void aWorkloadWithoutQueriesOrADamagedOneIsRefused() throws IOException {
    Path empty = out.resolve("empty");
    Workload.builder().build().write(empty);
    List<String> index = List.of("index", "--index");
    assertThat(run(index, "--workload", empty.toString()).err().get(0))
        .contains(empty + " holds no query");
    Path damaged = workload();
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length - 1] ^= 1;
    Files.write(damaged, bytes);
    CommandRun run = run(index, "--workload", damaged.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err().get(0)).contains("corrupt workload");
  }
}
