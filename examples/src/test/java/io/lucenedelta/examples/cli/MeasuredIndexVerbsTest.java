// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.delta.FetchQueue;
import io.lucenedelta.delta.QueryContribution;
import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs that share an index: index, next, explain, status. */
class MeasuredIndexVerbsTest {
  private static final String AFTERWARDS = "2024-03-01T00:00:00Z";
  private static final int WEEKS = 6;

  @TempDir static Path demo;
  static Path whole;

  @TempDir Path directory;

  @BeforeAll
  static void indexAllWeeksInOneRun() throws IOException {
    new DemoCrawl(120, WEEKS, 80, 2000, 11).write(demo);
    whole = demo.resolve("whole.index");
    assertThat(index(whole).status()).isZero();
  }

  @Test
  void indexPrintsARowAWeek() {
    CommandRun run = index(directory.resolve("a"));
    assertThat(run.out().get(0))
        .isEqualTo("week\ttime\tpages\tunchanged\tleft_out\trefreshes\tquality_change");
    assertThat(run.out()).hasSize(1 + WEEKS);
    assertThat(run.out().get(1)).startsWith("0\t2024-01-01T00:00:00.000Z\t120\t0\t0\t120\t0");
    String[] last = run.out().get(WEEKS).split("\t", -1);
    assertThat(Integer.parseInt(last[2]) + Integer.parseInt(last[3]))
        .as("every page is indexed or found unchanged")
        .isEqualTo(120);
    assertThat(Double.parseDouble(last[6])).isPositive();
  }

  @Test
  void aWeekThatCouldNotBeMeasuredHasNoRefreshesOfTheWeekBefore() throws IOException {
    Path index = directory.resolve("one-lost");
    assertThat(index(index, "--weeks", "0-1").status()).isZero();
    File inTheWay = directory.resolve("one-lost.delta/batch_4").toFile();
    File within = new File(inTheWay, "a");
    StringWriter out = new StringWriter();
    PrintWriter blocking =
        new PrintWriter(out) {
          @Override
          public void flush() {
            if (out.toString().endsWith("\n") && out.toString().lines().count() == 2) {
              assertThat(within.mkdirs()).as("after week 2, before week 3").isTrue();
            }
          }
        };
    PrintWriter err =
        new PrintWriter(new StringWriter()) {
          @Override
          public void println(String line) {
            if (line.startsWith("batch 4 could not be measured")) {
              assertThat(within.delete() && inTheWay.delete()).isTrue();
            }
          }
        };
    int status =
        Main.commandLine()
            .setOut(blocking)
            .setErr(err)
            .execute(
                "index",
                "--crawl",
                DemoCrawl.snapshots(demo).toString(),
                "--query-log",
                DemoCrawl.queryLog(demo).toString(),
                "--index",
                index.toString(),
                "--weeks",
                "2-4");
    assertThat(status).isZero();
    assertThat(inTheWay).doesNotExist();
    List<String[]> rows = out.toString().lines().skip(1).map(row -> row.split("\t", -1)).toList();
    assertThat(rows).hasSize(3);
    for (String[] row : rows) {
      assertThat(row[5]).as("week %s", row[0]).isEqualTo(row[0].equals("3") ? "0" : row[2]);
      assertThat(Double.parseDouble(row[6]) > 0).isEqualTo(!row[0].equals("3"));
    }
  }

  @Test
  void everyPageHasAMeasuredVisitAWeek() {
    CommandRun run = next(whole, "--count", "120");
    assertThat(run.out().stream().skip(1).map(row -> row.split("\t", -1)[5]))
        .hasSize(120)
        .containsOnly(Integer.toString(WEEKS - 1));
  }

  @Test
  void nextListsThePagesByPriority() {
    CommandRun run = next(whole, "--count", "7");
    assertThat(run.status()).isZero();
    assertThat(run.out()).hasSize(8);
    assertThat(run.out().get(0))
        .isEqualTo("rank\tpage\tpriority\trate\tlast_refresh\trefreshes_measured");
    List<Double> priorities =
        run.out().stream().skip(1).map(row -> Double.valueOf(row.split("\t", -1)[2])).toList();
    assertThat(priorities).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(priorities.get(0)).isPositive();
  }

  @Test
  void afterOneSnapshotPagesAreOrderedByWhatUsersGetFromThem() {
    Path index = directory.resolve("one");
    assertThat(index(index, "--weeks", "0").status()).isZero();
    assertThat(
            next(index, "--count", "120").out().stream()
                .skip(1)
                .map(row -> row.split("\t", -1)[2])
                .distinct())
        .as("different priorities")
        .hasSizeGreaterThan(20);
  }

  @Test
  void nextSaysWhyItListsNothing() {
    for (String policy : List.of("user-utility", "user-centric", "uniform")) {
      CommandRun run =
          CommandRun.of(
              "next", "--index", whole, "--at", "1999-01-01T00:00:00Z", "--policy", policy);
      assertThat(run.status()).isZero();
      assertThat(run.out()).hasSize(1);
      assertThat(run.complaint())
          .startsWith(
              "no page to fetch at 1999-01-01T00:00:00Z: every page was fetched then or later, from"
                  + " 2024-")
          .endsWith("; name a later time with --at");
    }
  }

  @Test
  void nextSaysWhenNoKeyCanBeNamed() throws IOException {
    Path index = directory.resolve("bytes");
    Workload workload = Workload.builder().add(List.of("pond"), 1).build();
    DeltaConfig config = DeltaConfig.builder(workload).keyField("key").scoredField("body").build();
    try (FSDirectory files = FSDirectory.open(index);
        DeltaIndexWriter writer = new DeltaIndexWriter(files, new IndexWriterConfig(), config)) {
      BytesRef key = new BytesRef(new byte[] {(byte) 0xff, 1});
      Document page = new Document();
      page.add(new StringField("key", key, Field.Store.NO));
      page.add(new TextField("body", "pond", Field.Store.NO));
      writer.updateDocument(new Term("key", key), page);
    }
    CommandRun run = next(index);
    assertThat(run.status()).isZero();
    assertThat(run.complaint())
        .endsWith(
            ": none of its 1 pages has a key in UTF-8, so none can be named; index keys as text");
  }

  @Test
  void nextOrdersByTheNamedStrategyAndRefusesOthers() {
    CommandRun paper = next(whole, "--count", "5", "--policy", "user-centric");
    assertThat(paper.status()).isZero();
    assertThat(paper.out()).hasSize(6).isNotEqualTo(next(whole, "--count", "5").out());
    CommandRun other = next(whole.resolve("absent"), "--policy", "random");
    assertThat(other.status()).isEqualTo(2);
    assertThat(other.err().get(0)).contains("user-utility, user-centric or uniform", "'random'");
  }

  @Test
  void nextByUniformListsAllPagesTheLongestUnvisitedFirst() {
    List<String> rows = next(whole, "--count", "1000", "--policy", "uniform").out();
    List<String> fetched = rows.stream().skip(1).map(row -> row.split("\t", -1)[4]).toList();
    assertThat(fetched).hasSize(120).isSorted();
  }

  @Test
  void nextCountsWhatPagesToldTheQueue() throws IOException {
    Path index = directory.resolve("told");
    index(index);
    String last = next(index, "--count", "120").out().get(120).split("\t", -1)[1];
    Workload workload = Workload.builder().add(List.of("any"), 1).build();
    DeltaListener quiet = new DeltaListener() {};
    try (MeasuredIndex measured =
        MeasuredIndex.open(index, workload, new MeasuringOptions(), quiet)) {
      FetchQueue queue = measured.writer().fetchQueue(Duration.ofDays(1));
      queue.modified(last, Instant.parse("2024-02-20T00:00:00Z"));
      queue.save();
    }
    assertThat(next(index, "--count", "120").out().get(120)).doesNotContain(last);
    assertThat(next(index, "--count", "119").out().toString()).contains(last);
  }

  @Test
  void nextSpeaksJson() throws IOException {
    CommandRun run = next(whole, "--count", "3", "--format", "json");
    JsonNode pages = new ObjectMapper().readTree(String.join("\n", run.out()));
    assertThat(pages).hasSize(3);
    assertThat(pages.at("/0/rank").asInt()).isEqualTo(1);
    assertThat(pages.at("/0/page").asText()).startsWith("https://");
  }

  @Test
  void explainNamesTheQueriesAndTheirRanks() throws IOException {
    String page = next(whole, "--count", "1").out().get(1).split("\t", -1)[1];
    CommandRun run = CommandRun.of("explain", "--index", whole, page);
    assertThat(run.status()).isZero();
    assertThat(run.err().get(0)).isEqualTo(page);
    assertThat(run.err())
        .anyMatch(line -> line.endsWith("first recorded fetch, nothing dated to compare with"));
    assertThat(run.out().get(0))
        .startsWith(
            "fetched\tquery\tfrequency\tscore_before\tscore_after\trank_before\trank_after");
    assertThat(run.out()).hasSizeGreaterThan(1);
    List<QueryContribution> queries;
    try (DeltaState state = DeltaState.open(whole)) {
      queries =
          state.explain(page).orElseThrow().refreshes().stream()
              .flatMap(refresh -> refresh.contributions().stream())
              .filter(query -> query.total() != 0 || query.rankBefore() != query.rankAfter())
              .toList();
    }
    assertThat(queries).hasSizeGreaterThan(2);
    List<List<String>> rows =
        run.out().stream()
            .skip(1)
            .map(row -> List.of(row.split("\t", -1)))
            .filter(row -> !row.get(2).isEmpty()) // but for those of several queries
            .toList();
    assertThat(rows)
        .extracting(row -> row.get(1))
        .isEqualTo(queries.stream().map(QueryContribution::query).toList());
    for (int i = 0; i < queries.size(); i++) {
      QueryContribution query = queries.get(i);
      double[] numbers = {
        query.frequency(),
        query.scoreBefore(),
        query.scoreAfter(),
        query.rankBefore(),
        query.rankAfter(),
        query.own(),
        query.others(),
        query.total()
      };
      for (int column = 0; column < numbers.length; column++) {
        String cell = rows.get(i).get(2 + column);
        double told = cell.equals("inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(cell);
        assertThat(told == numbers[column] || Math.abs(told / numbers[column] - 1) < 1e-8)
            .as("%s for %s, column %d", told, numbers[column], column)
            .isTrue();
      }
    }
  }

  @Test
  void theRowsOfARefreshAddUpToItsQualityChangeTheLargestFirst() throws IOException {
    String page = next(whole, "--count", "1").out().get(1).split("\t", -1)[1];
    CommandRun run = CommandRun.of("explain", "--index", whole, page, "--format", "json");
    Map<String, List<JsonNode>> refreshes = new TreeMap<>();
    for (JsonNode row : new ObjectMapper().readTree(String.join("\n", run.out()))) {
      String fetched = Instant.parse(row.get("fetched").asText()).toString(); // as the lines say it
      refreshes.computeIfAbsent(fetched, f -> new ArrayList<>()).add(row);
    }
    assertThat(refreshes).isNotEmpty();
    refreshes.forEach(
        (fetched, rows) -> {
          String line =
              run.err().stream()
                  .filter(l -> l.startsWith("  " + fetched))
                  .findFirst()
                  .orElseThrow();
          double told = Double.parseDouble(line.replaceAll(".*quality change ([0-9.e-]+).*", "$1"));
          double[] parts =
              rows.stream().mapToDouble(r -> r.get("contribution").asDouble()).toArray();
          assertThat(Arrays.stream(parts).sum())
              .as(fetched)
              .isCloseTo(told, org.assertj.core.data.Offset.offset(1e-5 * told));
          for (int i = 1; i < parts.length; i++) {
            if (!rows.get(i).get("frequency").isNull()) {
              assertThat(Math.abs(parts[i]))
                  .as(fetched)
                  .isLessThanOrEqualTo(Math.abs(parts[i - 1]));
            }
          }
        });
  }

  @Test
  void statusCountsPagesAndBatches() {
    CommandRun run = CommandRun.of("status", "--index", whole);
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .startsWith("name\tvalue", "pages\t120")
        .contains("batches_measured\t" + WEEKS, "batches_incomplete\t0", "ranks_failure\t");
  }

  @Test
  void measurementsOfAnotherIndexAreTold() throws IOException {
    Path one = directory.resolve("one");
    Path other = directory.resolve("other");
    assertThat(index(one, "--weeks", "0-1").status()).isZero();
    assertThat(index(other, "--weeks", "0-1").status()).isZero();
    Path state = Path.of(one + ".delta");
    Files.move(state, directory.resolve("aside"));
    Files.move(Path.of(other + ".delta"), state);
    for (String verb : List.of("status", "next")) {
      CommandRun run = CommandRun.of(verb, "--index", one);
      assertThat(run.status()).isZero();
      assertThat(run.err())
          .singleElement()
          .asString()
          .startsWith(state.toRealPath() + " holds measurements of another index, or former ones");
    }
  }

  @Test
  void aShareOfTheSearchesOrAMemoryLimitDecidesWhatIsMeasuredWhole() {
    int queries = wholeQueries(whole);
    Path half = directory.resolve("half");
    assertThat(index(half, "--weeks", "0-1", "--whole-queries", "0.5").status()).isZero();
    assertThat(wholeQueries(half)).isBetween(1, queries - 1);
    assertThat(Double.parseDouble(status(half, "whole_queries_share"))).isBetween(0.5, 0.999);
    Path few = directory.resolve("few");
    assertThat(index(few, "--weeks", "0-1", "--rank-memory", "600").status()).isZero();
    assertThat(wholeQueries(few)).as("176 bytes each").isEqualTo(3);
    Path paper = directory.resolve("paper");
    assertThat(index(paper, "--weeks", "0-1", "--whole-queries", "0").status()).isZero();
    assertThat(wholeQueries(paper)).isZero();
  }

  private static String status(Path index, String name) {
    return CommandRun.of("status", "--index", index).out().stream()
        .filter(line -> line.startsWith(name + "\t"))
        .findFirst()
        .orElseThrow()
        .split("\t", -1)[1];
  }

  private static int wholeQueries(Path index) {
    return Integer.parseInt(status(index, "whole_queries"));
  }

  @ParameterizedTest
  @CsvSource({"--whole-queries, 1.5", "--rank-memory, -1", "--self-audit, -2"})
  void whatCannotBeMeasuredIsBadUse(String option, String value) {
    CommandRun run = index(directory.resolve("x"), option + "=" + value);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains(option + " must ").contains(value);
  }

  @Test
  void closingBetweenAnyTwoWeeksChangesNothingInTheOrder() {
    Path stepwise = directory.resolve("stepwise");
    for (int week = 0; week < WEEKS; week++) {
      assertThat(index(stepwise, "--weeks", week).status()).isZero();
      next(stepwise);
    }
    assertThat(next(stepwise, "--count", "120").out())
        .isEqualTo(next(whole, "--count", "120").out());
  }

  @Test
  void whatSkippedWeeksSayComesWithTheFirst() throws IOException {
    for (String skipping : List.of("3", "0-1 3")) {
      Path index = directory.resolve("skips" + skipping.length());
      CommandRun run = null;
      for (String weeks : skipping.split(" ", -1)) {
        run = index(index, "--weeks", weeks);
        assertThat(run.status()).isZero();
      }
      assertThat(run.err()).anyMatch(line -> line.endsWith("comes with that, in one batch"));
      Path all = directory.resolve("all" + skipping.length());
      index(all, "--weeks", "0-3");
      assertThat(texts(index)).as(skipping).hasSize(120).isEqualTo(texts(all));
    }
  }

  /** Of every page the sum of its words' hashes, each as often as it has the word. */
  private static Map<String, Long> texts(Path index) throws IOException {
    Map<String, Long> texts = new TreeMap<>();
    try (Directory files = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(files)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        String[] keys = new String[leaf.reader().maxDoc()];
        TermsEnum urls = leaf.reader().terms(PageAnalysis.KEY).iterator();
        for (BytesRef url = urls.next(); url != null; url = urls.next()) {
          PostingsEnum pages = urls.postings(null, PostingsEnum.NONE);
          while (pages.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            keys[pages.docID()] = url.utf8ToString();
          }
        }
        TermsEnum words = leaf.reader().terms(PageAnalysis.BODY).iterator();
        for (BytesRef word = words.next(); word != null; word = words.next()) {
          PostingsEnum pages = words.postings(null, PostingsEnum.FREQS);
          while (pages.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            Bits live = leaf.reader().getLiveDocs();
            if (live == null || live.get(pages.docID())) {
              texts.merge(keys[pages.docID()], (long) word.hashCode() * pages.freq(), Long::sum);
            }
          }
        }
      }
    }
    return texts;
  }

  @Test
  void weeksThatAreInTheIndexAreNotIndexedAgain() {
    Path index = directory.resolve("twice");
    assertThat(index(index, "--weeks", "0-2").status()).isZero();
    CommandRun rest = index(index);
    assertThat(rest.status()).isZero();
    assertThat(rest.err())
        .contains(
            "weeks 0-2 are not after the crawl that the index has, which is up to"
                + " 2024-01-15T00:00:00Z; going on with week 3");
    assertThat(rest.out()).hasSize(1 + WEEKS - 3);
    CommandRun again = index(index);
    assertThat(again.status()).isZero();
    assertThat(again.out()).hasSize(1);
    assertThat(next(index, "--count", "120").out()).isEqualTo(next(whole, "--count", "120").out());
    CommandRun named = index(index, "--weeks", "5");
    assertThat(named.status()).isEqualTo(1);
    assertThat(named.complaint())
        .contains("week 5 is not after the crawl that the index has")
        .endsWith("name later ones with --weeks, or another directory with --index");
  }

  /** While it reads the queries, and while it checks the snapshot that it would index. */
  @ParameterizedTest
  @ValueSource(strings = {"going on with week 2", "checking the crawl: 1 of 1"})
  void whereAnotherRunIndexesMeanwhileNoWeekIsIndexedAgainAndItsQueriesStay(String meanwhile)
      throws IOException {
    Path index = directory.resolve("overlapping");
    Path log = Files.writeString(directory.resolve("q.log"), "2024-01-01T00:00:00Z\ts\tpond\t0\n");
    assertThat(index(index, "--weeks", "0-1").status()).isZero();
    List<CommandRun> other = new ArrayList<>();
    StringWriter told = new StringWriter();
    PrintWriter err =
        new PrintWriter(told) {
          @Override
          public void println(String line) {
            super.println(line);
            if (line.endsWith(meanwhile) && other.isEmpty()) {
              other.add(index(index));
            }
          }
        };
    StringWriter out = new StringWriter();
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(err)
            .execute(
                "index",
                "--crawl",
                DemoCrawl.snapshots(demo).toString(),
                "--query-log",
                log.toString(),
                "--index",
                index.toString());
    assertThat(other).singleElement().extracting(CommandRun::status).isEqualTo(0);
    assertThat(status).isEqualTo(1);
    assertThat(told.toString().strip())
        .endsWith(
            "another run has indexed into %s meanwhile, which has the crawl up to 2024-02-05T00:00:00Z now: start again, to go on from there"
                .formatted(index));
    assertThat(out.toString()).isEmpty();
    assertThat(status(index, "queries")).isEqualTo(status(whole, "queries"));
    assertThat(next(index, "--count", "120").out()).isEqualTo(next(whole, "--count", "120").out());
  }

  /** Or weeks would be indexed again over newer ones. */
  @Test
  void anIndexWhoseCommitDataWereReplacedIsToBeToldTheWeeks() throws IOException {
    Path index = directory.resolve("own-data");
    assertThat(index(index, "--weeks", "0-2").status()).isZero();
    Workload workload = Workload.builder().add(List.of("any"), 1).build();
    try (MeasuredIndex measured =
        MeasuredIndex.open(index, workload, new MeasuringOptions(), new DeltaListener() {})) {
      measured.writer().setLiveCommitData(Map.of("theirs", "1").entrySet());
      measured.writer().commit();
    }
    CommandRun refused = index(index);
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.complaint())
        .contains("own-data has pages, but its commit data do not say of which snapshots")
        .contains("(lucene-delta.crawled)")
        .endsWith("name with --weeks those to index; those before them count as indexed");
    CommandRun named = index(index, "--weeks", "3-4");
    assertThat(named.status()).isZero();
    assertThat(named.err())
        .noneMatch(line -> line.contains("not in the index"))
        .anyMatch(line -> line.endsWith("snapshots it has: those before 3 count as indexed"));
    assertThat(named.out()).hasSize(3);
    assertThat(index(index).err()).anyMatch(line -> line.endsWith("going on with week 5"));
  }

  @Test
  void whatIsNotIndexedDoesNotReplaceTheQueriesMeasured() throws IOException {
    Path index = directory.resolve("kept");
    assertThat(index(index, "--weeks", "0-2").status()).isZero();
    String queries = status(index, "queries");
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Path log = Files.writeString(directory.resolve("q.log"), "2024-01-01T00:00:00Z\ts\tpond\t0\n");
    Object[] another = {"--index", index, "--query-log", log, "--crawl"};

    CommandRun refused = index(another, DemoCrawl.snapshots(demo), "--weeks", "1-4");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.complaint()).contains("weeks 1-2 are not after the crawl");
    assertThat(status(index, "queries")).isEqualTo(queries);

    copyWeek("week-00.warc.gz", crawl);
    CommandRun older = index(another, crawl);
    assertThat(older.status()).isZero();
    assertThat(older.err())
        .contains("nothing is indexed, and the measurements stay as they are, with their queries");
    assertThat(status(index, "queries")).isEqualTo(queries);

    for (String week : List.of("week-01.warc.gz", "week-02.warc.gz", "week-03.warc.gz")) {
      copyWeek(week, crawl);
    }
    byte[] later = Files.readAllBytes(crawl.resolve("week-03.warc.gz"));
    Files.write(crawl.resolve("week-03.warc.gz"), Arrays.copyOf(later, later.length - 50));
    CommandRun truncated = index(another, crawl);
    assertThat(truncated.status()).isEqualTo(1);
    assertThat(truncated.complaint()).contains("week-03.warc.gz is truncated or damaged");
    assertThat(status(index, "queries")).isEqualTo(queries);

    assertThat(index(another, DemoCrawl.snapshots(demo)).status()).isZero();
    assertThat(status(index, "queries")).as("with a week that is indexed").isEqualTo("1");
  }

  private static CommandRun index(Object[] another, Path crawl, Object... more) {
    return CommandRun.of(
        Stream.of(Stream.of("index"), Stream.of(another), Stream.of(crawl), Stream.of(more))
            .flatMap(words -> words)
            .toArray());
  }

  private static void copyWeek(String week, Path crawl) throws IOException {
    Files.copy(DemoCrawl.snapshots(demo).resolve(week), crawl.resolve(week));
  }

  @Test
  void anIndexNamedByASymbolicLinkHasItsMeasurements() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("current"), whole);
    for (String verb : List.of("next", "status")) {
      CommandRun linked = CommandRun.of(words(verb, link));
      assertThat(linked.complaint()).isEmpty();
      assertThat(linked.status()).isZero();
    }
  }

  @Test
  void theIndexIsAnOrdinaryLuceneIndex() throws IOException {
    try (Directory files = FSDirectory.open(whole);
        CheckIndex check = new CheckIndex(files);
        DirectoryReader reader = DirectoryReader.open(files)) {
      assertThat(check.checkIndex().clean).isTrue();
      assertThat(reader.numDocs()).isEqualTo(120);
    }
  }

  /** A reader looks for the codec by the name that the segment has of it. */
  @ParameterizedTest
  @ValueSource(strings = {"status", "next"})
  void anIndexWithASegmentOfAnOlderLuceneIsRead(String verb) throws IOException {
    Path index = directory.resolve("older");
    assertThat(index(index, "--weeks", "0").status()).isZero();
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    config.setCodec(new FilterCodec("Lucene103", Codec.getDefault()) {});
    try (Directory files = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(files, config)) {
      writer.addDocument(new Document());
    }
    CommandRun run = CommandRun.of(words(verb, index));
    assertThat(run.status()).as(run.complaint()).isZero();
  }

  @Test
  void aDamagedWeekIsNotIndexedInPart() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    for (String week : List.of("week-00.warc.gz", "week-01.warc.gz")) {
      Files.copy(DemoCrawl.snapshots(demo).resolve(week), crawl.resolve(week));
    }
    byte[] later = Files.readAllBytes(crawl.resolve("week-01.warc.gz"));
    Files.write(crawl.resolve("week-01.warc.gz"), Arrays.copyOf(later, later.length - 50));
    Path broken = directory.resolve("broken");
    CommandRun run = index(broken, crawl);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .startsWith("lucene-delta index: ")
        .contains("week-01.warc.gz is truncated or damaged");
    assertThat(run.out()).as("a header, and the week that was committed").hasSize(2);
    assertThat(run.out().get(1)).startsWith("0\t2024-01-01T00:00:00.000Z\t120\t");

    Path clean = directory.resolve("clean");
    assertThat(index(clean, "--weeks", "0").status()).isZero();
    assertThat(next(broken).out()).isEqualTo(next(clean).out());
    Path repaired = directory.resolve("broken");
    assertThat(index(repaired, "--weeks", "1-" + (WEEKS - 1)).status()).isZero();
    assertThat(next(repaired, "--count", "120").out())
        .isEqualTo(next(whole, "--count", "120").out());
  }

  @Test
  void theWeeksBeforeADamagedOneAreThereInJsonToo() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    for (String week : List.of("week-00.warc.gz", "week-01.warc.gz", "week-02.warc.gz")) {
      copyWeek(week, crawl);
    }
    byte[] last = Files.readAllBytes(crawl.resolve("week-02.warc.gz"));
    Files.write(crawl.resolve("week-02.warc.gz"), Arrays.copyOf(last, last.length - 50));
    Path broken = directory.resolve("broken");
    CommandRun run = index(broken, crawl, "--format", "json");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("week-02.warc.gz is truncated or damaged");
    JsonNode rows = new ObjectMapper().readTree(String.join("\n", run.out()));
    assertThat(rows.findValuesAsText("week")).containsExactly("0", "1");
    CommandRun again = index(broken, crawl, "--format", "json");
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.out()).as("no week was committed").isEmpty();
  }

  /** Were it not taken, the search would begin, and not end. */
  @Test
  @Timeout(120)
  void thePortOfTheSearchIsTheOneNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      CommandRun run = CommandRun.of("search", "--index", whole, "--port", port);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.complaint())
          .contains("port " + port + " cannot be used (", "with --port, or 0");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65_536})
  void aPortThatIsNoneIsBadUse(int port) {
    CommandRun run = CommandRun.of("search", "--index", whole, "--port", port);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains("--port must be 0 to 65535, was " + port);
  }

  @ParameterizedTest
  @ValueSource(strings = {"next", "status", "explain", "search"})
  void aMissingIndexFails(String verb) {
    Path nowhere = directory.resolve("nowhere");
    CommandRun run = CommandRun.of(words(verb, nowhere));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).hasSize(1);
    assertThat(run.complaint())
        .startsWith("lucene-delta " + verb + ": there is no index folder " + nowhere)
        .endsWith("(see lucene-delta index)");
    assertThat(nowhere).doesNotExist();
  }

  /** That it can be made anew by another verb is no help to who has one. */
  @ParameterizedTest
  @ValueSource(strings = {"next", "status", "explain", "search"})
  void aFileOfTheIndexThatIsGoneIsNamedAlone(String verb) throws IOException {
    Path index = directory.resolve("damaged");
    assertThat(index(index, "--weeks", "0-1").status()).isZero();
    Path deletions;
    try (Stream<Path> files = Files.list(index)) {
      deletions = files.filter(file -> file.toString().endsWith(".liv")).findFirst().orElseThrow();
    }
    Files.delete(deletions);
    assertThat(CommandRun.of(words(verb, index)).err())
        .containsExactly("lucene-delta " + verb + ": no file " + deletions + ": check the path");
  }

  @ParameterizedTest
  @ValueSource(strings = {"next", "status", "explain", "search"})
  void anIndexWithoutMeasurementsFails(String verb) throws IOException {
    Path foreign = foreignIndex();
    CommandRun run = CommandRun.of(words(verb, foreign));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).hasSize(1);
    assertThat(run.complaint())
        .contains("index " + foreign + " has no measurements")
        .endsWith("; index it with a DeltaIndexWriter first (see lucene-delta index)");
    assertUntouched(foreign);
  }

  @ParameterizedTest
  @ValueSource(strings = {"next", "status", "explain", "search"})
  void whereMeasurementsLieElsewhereNobodyIsToldToIndexAnew(String verb) throws IOException {
    Path index = directory.resolve("moved");
    assertThat(index(index, "--weeks", "0").status()).isZero();
    Files.move(directory.resolve("moved.delta"), directory.resolve("elsewhere"));
    CommandRun run = CommandRun.of(words(verb, index));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .contains("the index was measured, into a folder that is elsewhere or gone")
        .endsWith("moved.delta lead there");
  }

  @Test
  void anIndexWithoutDocumentsIsNobodysAndIsWrittenTo() throws IOException {
    Path index = directory.resolve("begun");
    try (FSDirectory files = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(files, new IndexWriterConfig())) {
      writer.commit();
    }
    CommandRun run = index(index, "--weeks", "0");
    assertThat(run.status()).as(run.complaint()).isZero();
    assertThat(next(index, "--count", "1").out()).hasSize(2);
  }

  /** Its documents would stand beside others, and its measurements be made by other fields. */
  @ParameterizedTest
  @CsvSource({
    "body, fetched, it has a field 'words'",
    "words, fetched, it has a field 'words'",
    "body, '', it has no field 'fetched'",
    "title, fetched, its field 'title' is indexed",
  })
  void anIndexThatAnApplicationMadeIsNotWrittenTo(String scored, String fetched, String why)
      throws IOException {
    Path index = directory.resolve("application");
    Workload workload = Workload.builder().add(List.of("pond"), 1).build();
    DeltaConfig.Builder settings =
        DeltaConfig.builder(workload).keyField("url").scoredField(scored);
    if (!fetched.isEmpty()) {
      settings.fetchTimeField(fetched);
    }
    DeltaConfig config = settings.build();
    try (FSDirectory files = FSDirectory.open(index);
        DeltaIndexWriter writer = new DeltaIndexWriter(files, new IndexWriterConfig(), config)) {
      Document page = new Document();
      page.add(new StringField("url", "https://a.example/", Field.Store.YES));
      page.add(new TextField("body", "pond", Field.Store.NO));
      if (!fetched.isEmpty()) {
        page.add(config.fetchTime(Instant.parse("2024-01-01T00:00:00Z")));
      }
      if (why.contains("words")) {
        page.add(new TextField("words", "pond", Field.Store.NO));
      } else if (why.contains("title")) {
        page.add(new TextField("title", "pond", Field.Store.NO));
      }
      writer.updateDocument(new Term("url", "https://a.example/"), page);
    }
    CommandRun before = CommandRun.of("status", "--index", index);
    for (String weeks : List.of("0", "1-2")) {
      CommandRun run = index(index, "--weeks", weeks);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.complaint())
          .contains(index + " was made by another program (" + why)
          .contains("): pages are indexed by their address and text in fields of our own");
    }
    assertThat(index(index).complaint()).contains("was made by another program (" + why);
    assertThat(CommandRun.of("status", "--index", index).out()).isEqualTo(before.out());
  }

  @ParameterizedTest
  @CsvSource({
    "status, workload_, the workload that these measurements were made by",
    "explain, refreshes_, a file of refreshes that these measurements are made of"
  })
  void aFileOfTheMeasurementsThatIsGoneIsNamedWithWhatToDo(String verb, String name, String what)
      throws IOException {
    Path index = directory.resolve("lacking");
    assertThat(index(index, "--weeks", "0-1").status()).isZero();
    List<Path> gone;
    try (Stream<Path> files = Files.list(Path.of(index + ".delta"))) {
      gone = files.filter(file -> file.getFileName().toString().startsWith(name)).toList();
    }
    assertThat(gone).isNotEmpty();
    for (Path file : gone) {
      Files.delete(file);
    }
    CommandRun run = CommandRun.of(words(verb, index));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .startsWith("lucene-delta " + verb + ": " + directory.toRealPath())
        .contains(name, " is missing, " + what + ": put it back")
        .doesNotContain("no file", "check the path");
  }

  @Test
  void anIndexWithoutPageKeysIsNotWrittenTo() throws IOException {
    Path foreign = foreignIndex();
    CommandRun run = index(foreign);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .contains("the document in " + foreign + " has no field 'url' that names a page");
    assertUntouched(foreign);
  }

  @Test
  void aPageThatLeftTheIndexIsSaidToHaveNoPlaceInTheOrder() throws IOException {
    Path index = directory.resolve("shrinking");
    assertThat(index(index, "--weeks", "0").status()).isZero();
    String page = next(index, "--count", "1").out().get(1).split("\t", -1)[1];
    CommandRun before = CommandRun.of("explain", "--index", index, page);
    assertThat(String.join("\n", before.err())).contains("its place in the order comes from");
    try (Directory files = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(files, new IndexWriterConfig(new StandardAnalyzer()))) {
      writer.deleteDocuments(new Term("url", page));
    }
    CommandRun after = CommandRun.of("explain", "--index", index, page);
    assertThat(after.status()).isZero();
    assertThat(String.join("\n", after.err()))
        .contains("first recorded fetch", "left the index: it has no place in the order")
        .doesNotContain("its place in the order comes from");
  }

  @Test
  void anUnknownPageFails() {
    CommandRun run = CommandRun.of("explain", "--index", whole, "https://nowhere.example/");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .contains("no refresh of page https://nowhere.example/ was recorded in ");
  }

  @Test
  void aNewIndexNeedsALog() {
    CommandRun run =
        CommandRun.of(
            "index", "--crawl", DemoCrawl.snapshots(demo), "--index", directory.resolve("x"));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains("add --query-log FILE");
  }

  @Test
  void theCrawlIsCheckedBeforeAnIndexIsMade() {
    Path index = directory.resolve("x");
    CommandRun run = index(index, directory.resolve("nowhere"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("no crawl directory");
    assertThat(index).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"5-2", "0-6", "x", "-1", "1-"})
  void weeksOutsideTheCrawlAreBadUse(String weeks) {
    CommandRun run = index(directory.resolve("x"), "--weeks=" + weeks);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains("--weeks ").contains(weeks);
  }

  @Test
  void aCountOfZeroIsBadUse() {
    CommandRun run = next(whole, "--count", "0");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains("--count must be at least 1, was 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "+1000000000-12-31T23:59:59.999999999Z"})
  void aTimeThatIsNoneIsBadUse(String time) {
    CommandRun run = CommandRun.of("next", "--index", whole, "--at", time);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint())
        .isEqualTo(
            "lucene-delta next: --at must be a time such as 2024-12-02T00:00:00Z, was '"
                + time
                + "' (see lucene-delta next --help)");
  }

  private static CommandRun index(Path index, Object... more) {
    return index(index, DemoCrawl.snapshots(demo), more);
  }

  private static CommandRun index(Path index, Path crawl, Object... more) {
    Object[] usual = {
      "index", "--crawl", crawl, "--query-log", DemoCrawl.queryLog(demo), "--index", index
    };
    return CommandRun.of(Stream.concat(Stream.of(usual), Stream.of(more)).toArray());
  }

  private static CommandRun next(Path index, Object... more) {
    Object[] usual = {"next", "--index", index, "--at", AFTERWARDS};
    return CommandRun.of(Stream.concat(Stream.of(usual), Stream.of(more)).toArray());
  }

  private static Object[] words(String verb, Path index) {
    return verb.equals("explain")
        ? new Object[] {verb, "--index", index, "https://a/"}
        : new Object[] {verb, "--index", index};
  }

  private Path foreignIndex() throws IOException {
    Path foreign = directory.resolve("foreign");
    try (Directory files = FSDirectory.open(foreign);
        IndexWriter writer =
            new IndexWriter(files, new IndexWriterConfig(new StandardAnalyzer()))) {
      Document document = new Document();
      document.add(new StringField("name", "a document of another application", Field.Store.YES));
      writer.addDocument(document);
    }
    return foreign;
  }

  private void assertUntouched(Path foreign) throws IOException {
    try (Directory files = FSDirectory.open(foreign);
        CheckIndex check = new CheckIndex(files)) {
      assertThat(check.checkIndex().clean).isTrue();
    }
    try (Stream<Path> beside = Files.list(directory)) {
      assertThat(beside).containsExactly(foreign);
    }
  }
}
