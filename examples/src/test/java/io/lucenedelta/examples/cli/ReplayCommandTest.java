// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.replay.Budget;
import io.lucenedelta.examples.replay.ReplayRequest;
import io.lucenedelta.examples.replay.Strategies;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayCommandTest {
  @TempDir static Path demo;
  @TempDir Path out;

  @BeforeAll
  static void generate() throws IOException {
    new DemoCrawl(60, 6, 40, 500, 3).write(demo);
  }

  @Test
  void helpTellsWhichStrategiesAndBudgetsAreReplayedUnlessOthersAreNamed() {
    ReplayRequest usual = ReplayRequest.of(Workload.builder().build());
    String budgets = usual.budgets().stream().map(Budget::label).collect(joining(","));
    String help = String.join(" ", CommandRun.of("replay", "--help").out());
    assertThat(usual.policies()).hasSize(5);
    assertThat(help.replace(" ", "")) // lines may break behind any comma
        .contains("(fiveunless--policiesnamesothers)")
        .contains("(default:" + String.join(",", usual.policies()) + ")")
        .contains("(default:" + budgets + ")");
  }

  @Test
  void itWritesEveryFileAndPrintsTheTables() throws IOException {
    CommandRun run = replay("--audit");
    assertThat(run.status()).isZero();
    assertThat(run.out().get(0)).startsWith("How much of the possible quality each strategy keeps");
    assertThat(run.out().get(run.out().size() - 1)).startsWith("Figures: ").endsWith("report.html");
    DocumentedTables.assertThese(
        out,
        "quality.tsv",
        "summary.tsv",
        "requirements.tsv",
        "staleness.tsv",
        "timing.tsv",
        "measurements.tsv",
        "forecast.tsv",
        "longevity.tsv",
        "lifetimes.tsv",
        "lifelines.tsv",
        "divergence.tsv",
        "summaries.tsv");
    for (String figure : List.of("forecast", "audit", "lifelines", "longevity", "lifetimes")) {
      DocumentedTables.assertSeries(out, figure);
    }
    assertThat(out.resolve("report.html")).isNotEmptyFile();
    assertThat(out.resolve("figure-audit.tsv")).exists();
    Path economies = Files.writeString(out.resolve("figure-summaries.tsv"), "of an earlier run");
    replay();
    assertThat(out.resolve("measurements.tsv")).as("of the replay before").doesNotExist();
    assertThat(out.resolve("figure-audit.tsv")).doesNotExist();
    assertThat(economies).doesNotExist();
  }

  @Test
  void theSameSeedGivesTheSameFilesWhateverTheThreads() throws IOException {
    replay("--threads", "1");
    List<Path> tables = tables();
    assertThat(tables).hasSizeGreaterThan(7);
    List<byte[]> first = tables.stream().map(ReplayCommandTest::bytes).toList();
    replay("--threads", "3");
    for (int i = 0; i < first.size(); i++) {
      assertThat(bytes(tables.get(i))).as(tables.get(i).toString()).isEqualTo(first.get(i));
    }
  }

  @Test
  void theDemoIsNotWrittenOverACrawlThatSomebodyHas() throws IOException {
    Path crawl = Files.createDirectory(DemoCrawl.snapshots(out));
    Path week =
        Files.copy(DemoCrawl.snapshots(demo).resolve("week-01.warc.gz"), crawl.resolve("w"));
    byte[] before = bytes(week);
    assertRefused();
    Files.writeString(crawl.resolve("week-00.warc.gz"), "somebody's");
    assertRefused();
    assertThat(bytes(week)).isEqualTo(before);
    assertThat(crawl.resolve("week-00.warc.gz")).hasContent("somebody's");
    assertThat(DemoCrawl.queryLog(out)).doesNotExist();
  }

  @Test
  void theDemoIsNotWrittenOverALogThatSomebodyHas() throws IOException {
    Files.writeString(DemoCrawl.queryLog(out), "mine");
    assertRefused();
    assertThat(DemoCrawl.queryLog(out)).hasContent("mine");
  }

  @Test
  void aLogOfOnesOwnBesideAnEarlierDemoIsReadWhereTheComplaintIsFollowed() throws IOException {
    new DemoCrawl(5, 2, 4, 10, 1).write(out);
    Path log = Files.writeString(DemoCrawl.queryLog(out), "pond\t3\nfern\t2\n");
    assertRefused();
    CommandRun named =
        CommandRun.of(
            "replay", "--crawl", DemoCrawl.snapshots(out), "--query-log", log, "--out", out);
    assertThat(named.status()).as(named.complaint()).isZero();
    assertThat(log).hasContent("pond\t3\nfern\t2\n");
  }

  @Test
  void anEarlierDemoIsWrittenOver() throws IOException {
    assertThat(DemoCrawl.mayWrite(out)).isTrue();
    new DemoCrawl(5, 2, 4, 10, 1).write(out);
    assertThat(DemoCrawl.mayWrite(out)).isTrue();
  }

  private void assertRefused() {
    CommandRun run = CommandRun.of("replay", "--out", out);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .endsWith(
            "no --crawl given, and the demo crawl would be written over what %s holds: name crawl and log with --crawl and --query-log, or another directory with --out"
                .formatted(out));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--budgets|,|--budgets names no budget",
        "--budgets|5%,1,5.0%|--budgets names 5.0% twice",
        "--importance|links.tsv|without --scoring importance or one of the strategies cluster-",
        "--budgets|5,0|--budgets names 0, which is what never does, and that is always replayed",
        "--budgets|0.0%|--budgets names 0.0%, which is what never does",
        "--policies|never|--policies names nothing to compare with never"
      })
  void nothingToCompareIsBadUse(String option, String value, String complaint) {
    CommandRun run =
        CommandRun.of(
            "replay",
            "--crawl",
            DemoCrawl.snapshots(demo),
            "--query-log",
            DemoCrawl.queryLog(demo),
            "--out",
            out,
            option,
            value);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains(complaint);
  }

  @Test
  void inlinksOfNoPageOfTheCrawlAreRefused() throws IOException {
    Path links = Files.writeString(out.resolve("links.tsv"), "https://elsewhere.example/\t3\n");
    CommandRun run = replay("--scoring", "importance", "--importance", links.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .contains("none of the 1 addresses with in-link counts is among the pages");
  }

  /** Addresses written in another way match no page, but for a few perhaps. */
  @Test
  void howFewPagesHaveInlinksIsToldBeforeTheReplayAndInTheReport() throws IOException {
    List<String> links = Files.readAllLines(DemoCrawl.inlinks(demo));
    List<String> others = new ArrayList<>(links.subList(0, 3));
    links.subList(3, links.size()).forEach(line -> others.add(line.replace("https:", "http:")));
    Path table = Files.write(out.resolve("links.tsv"), others);
    CommandRun run = replay("--policies", "lambda-crawl", "--importance", table);
    assertThat(run.status()).isZero();
    String note =
        "n-links are those of links.tsv, which has counts of 2 of the 60 pages and of 58 addresses"
            + " that are not among them";
    assertThat(run.err()).containsOnlyOnce("i" + note);
    assertThat(run.err().subList(0, run.err().indexOf("i" + note)))
        .noneMatch(line -> line.startsWith("matching pages and queries"));
    assertThat(page()).contains("I" + note + ".");
  }

  /** The table may be that of the whole crawl. */
  @Test
  void addressesThatAreLeftOutAreNotSaidToBeNoneOfTheCrawl() throws IOException {
    CommandRun run = replayEvenPages(DemoCrawl.inlinks(demo));
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .contains(
            "in-links are those of inlinks.tsv, which has counts of 30 of the 30 pages and of 30 addresses that are not among them");

    String odd =
        Files.readAllLines(DemoCrawl.inlinks(demo)).stream()
            .filter(line -> line.contains("7.html\t"))
            .findFirst()
            .orElseThrow();
    run = replayEvenPages(Files.writeString(out.resolve("links.tsv"), odd + "\n"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .contains(
            "none of the 1 addresses with in-link counts is among the pages of the crawl that are chosen, such as ")
        .endsWith(": name the counts of these, or choose others");
  }

  private CommandRun replayEvenPages(Path links) {
    return replay(
        "--policies",
        "lambda-crawl",
        "--addresses",
        "[02468][.]html$",
        "--importance",
        links.toString());
  }

  @Test
  void anEmptyTableOfInlinksIsRefusedBeforeAnythingLongIsRead() throws IOException {
    Path links = Files.writeString(out.resolve("links.tsv"), "");
    CommandRun run = replay("--scoring", "importance", "--importance", links.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).singleElement().asString().contains("links.tsv holds no page and its");
  }

  @Test
  void importanceScoringTakesATableOfInlinks() {
    CommandRun run = replay("--scoring", "importance", "--importance", DemoCrawl.inlinks(demo));
    assertThat(run.status()).isZero();
  }

  @Test
  void inlinksAreWhatSomeStrategiesWeighPagesByUnderEveryScoring() throws IOException {
    String links = "In-links are known to strategies that weigh pages by them.";
    replay("--policies", "lambda-crawl");
    String alike = Files.readString(out.resolve("summary.tsv"));
    assertThat(alike).contains("\timportance=equal\t").doesNotContain("inlinks");
    assertThat(page()).doesNotContain(links);
    CommandRun run =
        replay("--policies", "lambda-crawl", "--importance", DemoCrawl.inlinks(demo).toString());
    assertThat(run.status()).isZero();
    String linked = Files.readString(out.resolve("summary.tsv"));
    assertThat(linked).contains("\timportance=inlinks\t").doesNotContain("importance=equal");
    assertThat(linked.replace("inlinks", "equal")).isNotEqualTo(alike);
    assertThat(page()).contains(links);

    Path other = Files.writeString(out.resolve("links.tsv"), "https://elsewhere.example/\t3\n");
    run = replay("--policies", "lambda-crawl", "--importance", other);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .contains("none of the 1 addresses with in-link counts is among the pages");
  }

  @Test
  void thePageTellsTheExperimentThatWasMade() throws IOException {
    assertThat(replay().status()).isZero();
    assertThat(page())
        .contains("The repository is in step with the Web in the first week, week 0. In each later")
        .contains("Strategies know the whole history of the pages, weeks to come included")
        .contains("Strategies with parameters were tried with a few settings.")
        .contains(
            "Texts are compared by runs of 5 words. Seed: 42. Each figure is of one run, so a")
        .contains(", Lucene " + org.apache.lucene.util.Version.LATEST)
        .contains("Java " + Runtime.version().feature())
        .doesNotContain("never fetched", "publish", "in any case");

    assertThat(
            replay(
                    "--policies",
                    "user-utility,cgm,clairvoyant",
                    "--learn-weeks",
                    "3",
                    "--hidden",
                    "0.125",
                    "--titles",
                    "--hints",
                    "0.3",
                    "--fragment-words",
                    "4",
                    "--seed",
                    "7",
                    "--all-settings")
                .status())
        .isZero();
    assertThat(page())
        .contains(
            "Weeks 0 to 2 are for learning alone: the repository is in step with the Web in week 2,"
                + " and only the weeks after it are judged.")
        .contains(
            "12.5 % of the pages are not in it: their addresses and titles are known, but they were"
                + " never fetched.")
        .contains("Strategies know the history of the pages up to week 2 and nothing later")
        .contains("Only what has been fetched so far is known in any case to cgm.")
        .contains("30 % of the pages publish when they changed.")
        .contains("Strategies with parameters were tried with every setting.")
        .contains("by runs of 4 words. Seed: 7.");

    assertThat(replay("--policies", "site-metadata,clairvoyant", "--knowledge", "online").status())
        .isZero();
    assertThat(page())
        .contains("Strategies know only what they have fetched so far (online).")
        .contains("The history in hindsight is known in any case to clairvoyant.")
        .contains("but for strategies with a coverage among their settings: that share does.")
        .contains("clairvoyant The upper reference: sees the live pages as they are now and takes")
        .contains("never Fetches nothing");
  }

  @Test
  void thePageNamesWhatWasRead() throws IOException {
    Path links = DemoCrawl.inlinks(demo);
    Object[] more = {"--addresses", "[.]example/", "--scoring", "importance"};
    assertThat(
            replay(
                    Stream.of(more, new Object[] {"--importance", links})
                        .flatMap(Stream::of)
                        .toArray())
                .status())
        .isZero();
    assertThat(page())
        .contains("Only addresses in which [.]example/ finds something are pages.")
        .contains("Queries are those of queries.log.gz.")
        .contains("In-links are those of inlinks.tsv, which has counts of 60 of the 60 pages.");
    Path log = Files.writeString(out.resolve("a.log"), "pond\t3\n");
    CommandRun.of(
        "replay",
        "--crawl",
        DemoCrawl.snapshots(demo).resolve("."),
        "--query-log",
        log,
        DemoCrawl.queryLog(demo),
        "--policies",
        "uniform",
        "--out",
        out);
    assertThat(page())
        .startsWith("Which pages to fetch next: crawl ")
        .contains("Queries are those of a.log and 1 more.")
        .doesNotContain("Only addresses", "In-links are those");
  }

  @Test
  void whatWasReplayedIsPrintedAlsoWhereNoFileCanBeWritten() throws IOException {
    assertThat(replay("--policies", "uniform").status()).isZero();
    Files.delete(out.resolve("summary.tsv"));
    Files.createDirectories(out.resolve("summary.tsv/in the way"));
    CommandRun run = replay("--policies", "uniform");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("summary.tsv");
    assertThat(run.out()).anyMatch(line -> line.strip().startsWith("uniform "));
    assertThat(run.out()).noneMatch(line -> line.startsWith("Figures: "));
    assertThat(page())
        .as("not the report of the run before, whose tables are no longer all beside it")
        .contains("is being written, or that has broken off: some of it may be of an earlier run.");
  }

  private String page() throws IOException {
    return Jsoup.parse(out.resolve("report.html")).select("main").text();
  }

  @Test
  void weeksToLearnFromAndHiddenPagesAreOptions() throws IOException {
    assertThat(replay("--learn-weeks", "3", "--hidden", "0.2").status()).isZero();
    List<String> rows = Files.readAllLines(out.resolve("quality.tsv"));
    assertThat(rows.stream().skip(1).map(row -> row.split("\t", -1)[3]).distinct())
        .containsExactly("3", "4", "5");
    String hidden = Files.readString(out.resolve("summary.tsv"));
    replay("--learn-weeks", "3");
    assertThat(Files.readString(out.resolve("summary.tsv"))).isNotEqualTo(hidden);
  }

  @Test
  void titlesOfHiddenPagesAreAnOption() throws IOException {
    replay("--policies", "user-utility", "--knowledge", "online", "--hidden", "0.5");
    String unknown = Files.readString(out.resolve("summary.tsv"));
    assertThat(
            replay("--policies", "user-utility", "--knowledge", "online", "--hidden", "0.5")
                .status())
        .isZero();
    assertThat(Files.readString(out.resolve("summary.tsv"))).isEqualTo(unknown);
    replay("--policies", "user-utility", "--knowledge", "online", "--hidden", "0.5", "--titles");
    assertThat(Files.readString(out.resolve("summary.tsv"))).isNotEqualTo(unknown);
  }

  @Test
  void thresholdsAndWordsAFragmentAreOptions() throws IOException {
    replay("--policies", "staleness", "--taus", "0.05,0.4");
    String five = Files.readString(out.resolve("staleness.tsv"));
    assertThat(five).contains("tau=0.05").contains("tau=0.4").doesNotContain("tau=0\t");
    assertThat(page()).contains("Thresholds τ of staleness: 0.05, 0.4. Texts are compared");
    replay("--policies", "staleness", "--taus", "0.05,0.4", "--fragment-words", "1");
    assertThat(Files.readString(out.resolve("staleness.tsv"))).isNotEqualTo(five);
    replay("--policies", "staleness");
    assertThat(page()).doesNotContain("Thresholds");
  }

  @Test
  void allStrategiesAreReplayedWhenAllAreAskedFor() throws IOException {
    assertThat(replay("--policies", "all", "--budgets", "5").status()).isZero();
    assertThat(Files.readAllLines(out.resolve("summary.tsv")).stream().skip(1))
        .map(row -> row.split("\t", -1)[0])
        .containsAll(Strategies.names());
  }

  @Test
  void requirementsAreRelatedToUserCentricWhereThatWasReplayed() throws IOException {
    CommandRun alone = replay("--policies", "uniform");
    assertThat(String.join("\n", alone.out())).doesNotContain("user-centric");
    assertThat(Files.readAllLines(out.resolve("requirements.tsv")))
        .hasSize(6)
        .filteredOn(line -> line.startsWith("uniform"))
        .hasSize(5)
        .allMatch(line -> line.endsWith("\t"));
    CommandRun both = replay("--policies", "uniform,user-centric");
    assertThat(String.join("\n", both.out())).contains("how many times what user-centric needs");
    assertThat(Files.readAllLines(out.resolve("requirements.tsv")))
        .hasSize(11)
        .noneMatch(line -> line.endsWith("\t"));
  }

  @Test
  void titlesWithoutHiddenPagesAreBadUse() {
    CommandRun run = replay("--titles");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains("--titles tells of hidden pages", "add --hidden SHARE");
  }

  @Test
  void whatNoStrategyMakesUseOfIsBadUse() {
    CommandRun hints = replay("--policies", "uniform, User-Centric", "--hints", "0.5");
    assertThat(hints.status()).isEqualTo(2);
    assertThat(hints.complaint())
        .contains(
            "--hints tell user-utility, lambda-crawl, site-metadata, content-provider when pages"
                + " changed, and no such strategy is replayed: name one with --policies");
    CommandRun titles = replay("--policies", "lambda-crawl", "--hidden", "0.2", "--titles");
    assertThat(titles.status()).isEqualTo(2);
    assertThat(titles.complaint())
        .contains(
            "--titles tell user-utility of hidden pages, and no such strategy is replayed: name it"
                + " with --policies");
  }

  @Test
  void aStudyOfAStrategyMakesUseOfWhatThatDoes() {
    ReplayRequest study =
        ReplayRequest.of(Workload.builder().build()).withPolicies(List.of("user-utility-variants"));
    assertThat(Strategies.isReplayed(Strategies.WITH_HINTS, study)).isTrue();
    assertThat(Strategies.isReplayed(Strategies.WITH_TITLES, study)).isTrue();
    assertThat(Strategies.isReplayed(Strategies.WITH_THRESHOLDS, study)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--policies|no-such|--policies: no strategy 'no-such': choose from never, user-centric, ",
        "--policies|all,no-such|, or all for all of them (see lucene-delta replay --help)",
        "--budgets|many|--budgets must be whole numbers (200) from 1 to 2147483647 or percentages of the pages (5%) over 0, at most 100, was 'many'",
        "--budgets|150%|of the pages (5%) over 0, at most 100, was '150%'",
        "--budgets|5d%|of the pages (5%) over 0, at most 100, was '5d%'",
        "--budgets|NaN%|of the pages (5%) over 0, at most 100, was 'NaN%'",
        "--scoring|pagerank|[BM25, TFIDF, IMPORTANCE] (case-insensitive) but was 'pagerank'",
        "--scoring|importance|needs the in-link counts: add --importance",
        "--knowledge|all|[HINDSIGHT, ONLINE] (case-insensitive) but was 'all'",
        "--hints|2|--hints must be a share from 0 to 1, was 2.0",
        "--hints|50%|option '--hints': '50%' is no number: a share is written as 0.5, not as 50%",
        "--hints|half|option '--hints': 'half' is no number (see",
        "--threads|99999999999|'99999999999' is more than 2147483647, or less than -2147483648",
        "--hidden|1.5|--hidden must be a share from 0 to 1, was 1.5",
        "--hidden|NaN|--hidden must be a share from 0 to 1, was NaN",
        "--learn-weeks|-1|--learn-weeks must not be negative, was -1",
        "--taus|0.5,0.1,0.50|--taus names 0.5 twice: name each threshold once",
        "--taus|0.5,2|--taus must be thresholds from 0 to 1, were [0.5, 2.0]",
        "--taus|,|--taus must be thresholds from 0 to 1, were []",
        "--taus|0.5|thresholds of staleness and embarrassment, and no such strategy is replayed",
        "--fragment-words|0|--fragment-words must be at least 1, was 0",
        "--threads|0|--threads must be at least 1, was 0",
        "--seed|1e3|Invalid value for option '--seed': '1e3' is no whole number, such as 1000"
      })
  void badOptionsAreBadUse(String option, String value, String complaint) {
    CommandRun run = replay(option, value);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).startsWith("lucene-delta replay: ").contains(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--policies|no-such|no strategy 'no-such'",
        "--hints|2|--hints must be",
        "--taus|2|--taus must be",
        "--fragment-words|0|--fragment-words must be",
        "--learn-weeks|-1|--learn-weeks must not",
        "--threads|0|--threads must be"
      })
  void badOptionsAreToldBeforeAnythingIsRead(String option, String value, String complaint) {
    Path nowhere = out.resolve("nowhere");
    CommandRun run =
        CommandRun.of(
            "replay", "--crawl", nowhere, "--query-log", nowhere, "--out", out, option, value);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).hasSize(1);
    assertThat(run.complaint()).contains(complaint);
  }

  @Test
  void whereAllPagesChangeAlikeTheReportHasNoCorrelation() throws IOException {
    Path crawl = out.resolve("crawl");
    for (int week = 1; week < 9; week++) {
      Path folder = Files.createDirectories(crawl.resolve("week" + week));
      for (int page = 0; page < 5; page++) {
        String text = "word %d of page %d in week %d and more ".formatted(week % 3, page, week);
        Files.writeString(folder.resolve(page + ".txt"), text.repeat(1 + week % 2));
      }
    }
    Path log = Files.writeString(out.resolve("log"), "word\t3\n");
    CommandRun run = CommandRun.of("replay", "--crawl", crawl, "--query-log", log, "--out", out);
    assertThat(run.status()).isZero();
    assertThat(Files.readString(out.resolve("report.html")))
        .contains("how long its text stays.")
        .doesNotContain("Correlation coefficient");
  }

  @ParameterizedTest
  @ValueSource(ints = {27, 100})
  void moreWeeksToLearnFromThanTheDemoHasAreToldBeforeItIsGenerated(int weeks) {
    Path nowhere = out.resolve("new");
    CommandRun run = CommandRun.of("replay", "--learn-weeks", weeks, "--out", nowhere);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint())
        .contains(
            "--learn-weeks "
                + weeks
                + " leaves no week of the crawl to judge, which has 27: learn from 26 at most");
    assertThat(nowhere).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"same, 1", "nowhere, 0"})
  void whereNoResultChangesItSaysSo(String query, int matching) throws IOException {
    Path crawl = out.resolve("crawl");
    for (String week : List.of("2024-01-01", "2024-01-08", "2024-01-15")) {
      Files.createDirectories(crawl.resolve(week));
      for (int page = 0; page < 9; page++) {
        Files.writeString(crawl.resolve(week).resolve(page + ".txt"), "same page " + page % 4);
      }
      Files.writeString(crawl.resolve(week).resolve("changed.txt"), "on " + week);
    }
    Path log = Files.writeString(out.resolve("log"), query + "\t3\nmissing\t2\n");
    Path earlier = Files.writeString(out.resolve("figure-gap-closed.tsv"), "of an earlier run");
    CommandRun run =
        CommandRun.of("replay", "--crawl", crawl, "--query-log", log, "--audit", "--out", out);
    assertThat(run.status()).isZero();
    assertThat(Files.readAllLines(out.resolve("summary.tsv")).stream().skip(1))
        .as("no share of a gap that is not there")
        .allMatch(line -> line.split("\t", -1)[7].isEmpty());
    assertThat(Files.readAllLines(out.resolve("requirements.tsv")).stream().skip(1))
        .as("no refreshes that would keep it")
        .isNotEmpty()
        .allMatch(line -> line.endsWith("\t\t"));
    assertThat(earlier).doesNotExist();
    String why =
        matching == 0
            ? "no page of the crawl matches any of the 2 queries measured"
            : "no query of the log changes its result in this crawl (1 of 2 queries match a page)";
    assertThat(run.err()).contains(why + ": there is nothing to compare");
    assertThat(Jsoup.parse(out.resolve("report.html")).select("main > p").eachText())
        .contains("N" + why.substring(1) + ": there is nothing to compare.");
    assertThat(String.join("\n", run.out()))
        .contains("No audited refresh moved a result", "—")
        .doesNotContain("NaN", " 0 %\n", "nan");
  }

  @Test
  void aCrawlWithoutALogIsBadUse() {
    CommandRun run = CommandRun.of("replay", "--crawl", DemoCrawl.snapshots(demo), "--out", out);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains("add --query-log FILE");
  }

  @Test
  void aMissingCrawlFails() {
    fails(out.resolve("nowhere"), "no crawl directory");
  }

  @Test
  void anEmptyCrawlFails() throws IOException {
    fails(Files.createDirectory(out.resolve("empty")), "holds no crawl: put one .warc");
  }

  @Test
  void aFileThatIsNoWarcFileFails() throws IOException {
    Path crawl = Files.createDirectory(out.resolve("crawl"));
    Files.writeString(crawl.resolve("week-00.warc"), "<html>not a WARC file</html>");
    fails(crawl, "week-00.warc is not a WARC file");
  }

  @Test
  void aTruncatedWarcFileFails() throws IOException {
    Path crawl = Files.createDirectory(out.resolve("crawl"));
    byte[] whole = Files.readAllBytes(DemoCrawl.snapshots(demo).resolve("week-00.warc.gz"));
    Files.write(crawl.resolve("week-00.warc.gz"), Arrays.copyOf(whole, whole.length - 100));
    fails(crawl, "week-00.warc.gz is truncated or damaged");
  }

  @Test
  void aMissingLogFails() {
    CommandRun run = replayLog(out.resolve("no.log"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("no.log");
  }

  @Test
  void aLogThatIsNotTextFails() throws IOException {
    byte[] noise = new byte[50_000];
    new Random(5).nextBytes(noise);
    CommandRun run = replayLog(Files.write(out.resolve("noise.log"), noise));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .startsWith("lucene-delta replay: ")
        .contains("noise.log", "no known query log format, and no text")
        .doesNotContain("--log-format");
  }

  @Test
  void aLogWithOnePercentOfBrokenLinesIsReadAndTheyAreCounted() throws IOException {
    Path log = out.resolve("broken.log");
    try (OutputStream text = Files.newOutputStream(log)) {
      for (int i = 0; i < 2000; i++) {
        String line =
            i % 100 == 50
                ? "\u0001\u0002 broken\n"
                : String.format(
                    "2024-01-01T00:%02d:%02dZ\ts%d\tword%d\t0\n", i / 60, i % 60, i, i % 9);
        text.write(line.getBytes(StandardCharsets.UTF_8));
      }
    }
    CommandRun run = replayLog(log);
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .contains(
            "queries: 2,000 lines read, 1,980 kept, 20 rejected; 9 different queries of 9 terms");
  }

  @Test
  void anInlinkTableWithoutCountsFails() throws IOException {
    Path table = Files.writeString(out.resolve("links.tsv"), "page\tinlinks\nhttp://a/\tmany\n");
    CommandRun run = replay("--scoring", "importance", "--importance", table);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("links.tsv:2 is not a page, a tab and a count");
  }

  private CommandRun replay(Object... more) {
    Object[] usual = {
      "replay",
      "--crawl",
      DemoCrawl.snapshots(demo),
      "--query-log",
      DemoCrawl.queryLog(demo),
      "--budgets",
      "5%,20%",
      "--out",
      out
    };
    return CommandRun.of(Stream.concat(Stream.of(usual), Stream.of(more)).toArray());
  }

  private CommandRun replayLog(Path log) {
    return CommandRun.of(
        "replay", "--crawl", DemoCrawl.snapshots(demo), "--query-log", log, "--out", out);
  }

  private void fails(Path crawl, String complaint) {
    CommandRun run =
        CommandRun.of(
            "replay", "--crawl", crawl, "--query-log", DemoCrawl.queryLog(demo), "--out", out);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).startsWith("lucene-delta replay: ").contains(complaint);
  }

  private List<Path> tables() throws IOException {
    try (Stream<Path> files = Files.list(out)) {
      return files
          .filter(file -> file.toString().matches(".*(tsv|html)"))
          .filter(file -> !file.endsWith("timing.tsv"))
          .sorted()
          .toList();
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
