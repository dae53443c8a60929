// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.UtcTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the verb index makes of answers that are no pages. */
class IndexedAnswersTest {
  private static final String MONDAY = "2024-01-01T00:00:00Z";
  private static final String NEXT_MONDAY = "2024-01-08T00:00:00Z";

  @TempDir Path directory;

  @Test
  void aPageThatFailsStaysInTheIndexAndHasNoVisit() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/changed", 200, "one word"),
        answer(MONDAY, "http://a/gone", 200, "two words"),
        answer(MONDAY, "http://a/broken", 200, "three words"),
        answer(MONDAY, "http://a/absent", 200, "four words"));
    warc(
        "1.warc",
        answer(NEXT_MONDAY, "http://a/changed", 200, "another word"),
        answer(NEXT_MONDAY, "http://a/gone", 410, "no such page"),
        answer(NEXT_MONDAY, "http://a/broken", 500, "no words"),
        answer(NEXT_MONDAY, "http://a/unheard-of", 404, "no such page"));
    CommandRun run = index();
    assertThat(run.status()).isZero();
    assertThat(run.out().get(1)).startsWith("0\t" + inTable(MONDAY) + "\t4\t0\t0\t");
    assertThat(run.out().get(2)).startsWith("1\t" + inTable(NEXT_MONDAY) + "\t1\t1\t3\t");
    assertThat(visits())
        .isEqualTo(
            Map.of(
                "http://a/changed", 1,
                "http://a/gone", 0,
                "http://a/broken", 0,
                "http://a/absent", 1));
  }

  @Test
  void aVisitThatFoundNothingNewIsOfTheTimeThatItsRecordTells() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/again", 200, "one word"),
        answer(MONDAY, "http://a/same", 200, "two words"),
        answer(MONDAY, "http://a/at-last", 200, "three words"),
        answer(MONDAY, "http://a/at-first", 200, "four words"),
        answer(MONDAY, "http://a/changed", 200, "five words"),
        answer(MONDAY, "http://a/undated", 200, "six words"),
        answer(MONDAY, "http://a/absent", 200, "seven words"));
    warc(
        "1.warc",
        answer(NEXT_MONDAY, "http://a/at-last", 503, "no words"),
        revisit("2024-01-09T00:00:00Z", "http://a/at-last"),
        revisit("2024-01-10T00:00:00Z", "http://a/again"),
        revisit("2024-01-11T00:00:00Z", "http://a/again"),
        answer("2024-01-12T00:00:00Z", "http://a/same", 304, ""),
        revisit("2024-01-13T00:00:00Z", "http://a/at-first"),
        answer("2024-01-14T00:00:00Z", "http://a/at-first", 503, "no words"),
        answer("2024-01-13T00:00:00Z", "http://a/changed", 200, "another word"),
        revisit("2024-01-14T00:00:00Z", "http://a/changed"),
        revisit("some day", "http://a/undated"),
        revisit("2024-01-14T00:00:00Z", "http://a/unheard-of"));
    CommandRun run = index();
    assertThat(run.status()).isZero();
    assertThat(run.out().get(2)).startsWith("1\t" + inTable(NEXT_MONDAY) + "\t1\t6\t3\t");
    assertThat(run.err()).noneMatch(line -> line.contains("not in the index"));
    assertThat(visits().values()).containsOnly(1);
    assertThat(lastVisits())
        .isEqualTo(
            Map.of(
                "http://a/again", "2024-01-11T00:00:00Z",
                "http://a/same", "2024-01-12T00:00:00Z",
                "http://a/at-last", "2024-01-09T00:00:00Z",
                "http://a/at-first", "2024-01-13T00:00:00Z",
                "http://a/changed", "2024-01-13T00:00:00Z",
                "http://a/undated", NEXT_MONDAY,
                "http://a/absent", NEXT_MONDAY));
  }

  @Test
  void whatASnapshotThatIsIndexedWithTheNextSaysOfAPageIsForgottenWithTheNext() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/1", 200, "one word"),
        answer(MONDAY, "http://a/2", 200, "two words"),
        answer(MONDAY, "http://a/3", 200, "three words"));
    index();
    warc(
        "1.warc",
        answer(NEXT_MONDAY, "http://a/1", 503, "no words"),
        revisit("2024-01-09T00:00:00Z", "http://a/2"));
    warc(
        "2.warc",
        revisit("2024-01-15T00:00:00Z", "http://a/4"),
        answer("2024-01-15T00:00:00Z", "http://a/2", 503, "no words"));
    CommandRun run = index("--weeks", "2");
    assertThat(run.out().get(1)).startsWith("2\t2024-01-15T00:00:00.000Z\t0\t2\t2\t");
    assertThat(lastVisits())
        .isEqualTo(
            Map.of(
                "http://a/1", "2024-01-15T00:00:00Z",
                "http://a/2", "2024-01-09T00:00:00Z",
                "http://a/3", "2024-01-15T00:00:00Z"));
  }

  @Test
  void everyReasonWhyARecordIsNoPageHasALineWithItsFirst() throws IOException {
    warc(
        "0.warc",
        record("warcinfo", MONDAY, "http://a/", "application/warc-fields", "software: none"),
        answer(MONDAY, "http://a/1", 200, "one word"),
        answer(MONDAY, "http://a/2", 404, "no such page"),
        record("request", MONDAY, "http://a/1", "application/http", "GET / HTTP/1.1\r\n\r\n"),
        record("metadata", MONDAY, "http://a/1", "application/warc-fields", "via: http://a/"),
        record("resource", MONDAY, "urn:X-wget:log", "text/plain", "saved"));
    warc("1.warc", answer(NEXT_MONDAY, "http://a/1", 503, "no words"));
    CommandRun run = index();
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .containsSubsequence(
            "left out, status other than 200: 2, first 404 http://a/2",
            "no pages, request: 1, first http://a/1",
            "no pages, metadata: 1, first http://a/1",
            "no pages, other records: 1, first urn:X-wget:log");
  }

  @Test
  void revisitsOfPagesThatNoSnapshotHoldsAreLeftOutAndTold() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/1", 200, "one word"),
        revisit(MONDAY, "http://a/2"),
        answer(MONDAY, "http://a/3", 304, ""));
    warc("1.warc", revisit(NEXT_MONDAY, "http://a/1"), revisit(NEXT_MONDAY, "http://a/2"));
    CommandRun run = index();
    String told =
        "left out, revisit or status 304 of a page that nothing before it holds: 3, first"
            + " http://a/2";
    assertThat(run.err())
        .contains(told, "no pages, revisit or status 304, unchanged: 1, first http://a/1");
    assertThat(run.out().get(1)).startsWith("0\t" + inTable(MONDAY) + "\t1\t0\t2\t");
    assertThat(run.out().get(2)).startsWith("1\t" + inTable(NEXT_MONDAY) + "\t0\t1\t1\t");
    assertThat(index("--weeks", "1-1").err())
        .as("nothing is read again")
        .noneMatch(line -> line.startsWith("left out"));
    assertThat(ofCrawl("replay", "--policies", "uniform", "--budgets", "1").err()).contains(told);
    assertThat(ofCrawl("audit").err()).contains(told);
  }

  /** As crawlers record it that write several files at once. */
  @Test
  void ofSeveralCapturesInASnapshotTheLatestCountsAndNotTheLastInTheFile() throws IOException {
    warc(
        "0.warc",
        answer("2024-01-03T00:00:00Z", "http://a/1", 200, "late word"),
        answer("2024-01-02T00:00:00Z", "http://a/1", 200, "early word"),
        answer("2024-01-02T00:00:00Z", "http://a/2", 200, "early word"),
        answer("2024-01-03T00:00:00Z", "http://a/2", 200, "late word"));
    warc("1.warc", answer("2024-01-09T00:00:00Z", "http://a/1", 200, "late word"));
    CommandRun run = index();
    String told = "no pages, captured again later in the same snapshot: 1, first http://a/1";
    assertThat(run.err()).contains(told);
    assertThat(run.out().get(1)).startsWith("0\t2024-01-03T00:00:00.000Z\t3\t0\t0\t2\t");
    assertThat(lastVisits())
        .isEqualTo(
            Map.of("http://a/1", "2024-01-09T00:00:00Z", "http://a/2", "2024-01-09T00:00:00Z"));
    assertThat(run.out().get(2)).as("the text is what it was").endsWith("\t1\t0");
    CommandRun replay = ofCrawl("replay", "--policies", "uniform", "--budgets", "1");
    assertThat(replay.err())
        .contains(told)
        .anyMatch(line -> line.startsWith("no query of the log changes its result"));
  }

  @Test
  void aRevisitOfAPageOfTheIndexIsNoneOfAPageNeverSeen() throws IOException {
    warc("0.warc", answer(MONDAY, "http://a/1", 200, "one word"));
    index();
    warc("1.warc", revisit(NEXT_MONDAY, "http://a/1"));
    assertThat(index().err()).noneMatch(line -> line.startsWith("left out"));
  }

  @Test
  void whatWasLeftOutOfTheWeeksBeforeADamagedOneIsTold() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/1", 200, "one word"),
        answer(MONDAY, "http://a/2", 404, "no such page"));
    warc("1.warc", answer(NEXT_MONDAY, "http://a/1", 200, "another word"), "no record");
    CommandRun run = index();
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out().get(1)).startsWith("0\t" + inTable(MONDAY) + "\t1\t0\t1\t");
    assertThat(run.err()).contains("left out, status other than 200: 1, first 404 http://a/2");
    assertThat(run.complaint()).contains("1.warc is damaged");
  }

  @Test
  void aCrawlWithoutAnyPageFailsAndItsWeeksCanBeIndexedLater() throws IOException {
    warc("0.warc", answer(MONDAY, "http://a/1", 404, "no such page"));
    warc("1.warc", record("conversion", NEXT_MONDAY, "http://a/1", "text/plain", "one word"));
    CommandRun run = index();
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .startsWith("lucene-delta index: the crawl holds no page that can be read as text: name ");
    assertThat(run.err())
        .contains(
            "left out, status other than 200: 1, first 404 http://a/1",
            "no pages, conversion: 1, first http://a/1");
    warc("0.warc", answer(MONDAY, "http://a/1", 200, "one word"));
    CommandRun repaired = index();
    assertThat(repaired.status()).isZero();
    assertThat(repaired.out().get(1)).startsWith("0\t" + inTable(MONDAY) + "\t1\t0\t0\t");
  }

  @Test
  void refreshesThatAreNoLaterThanThePagesLastAreCounted() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/1", 200, "one word"),
        answer(MONDAY, "http://a/2", 200, "two words"),
        answer(MONDAY, "http://a/3", 200, "three words"));
    warc(
        "1.warc",
        answer(NEXT_MONDAY, "http://a/1", 200, "another word"),
        answer(MONDAY, "http://a/2", 200, "other words"),
        answer(NEXT_MONDAY, "http://a/4", 200, "four words"));
    warc(
        "2.warc",
        answer("2024-01-15T00:00:00Z", "http://a/1", 200, "one more word"),
        answer(NEXT_MONDAY, "http://a/3", 200, "more words")); // when its silence was a visit
    CommandRun run = index();
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .contains("not measured, fetched no later than the page was before: 2, first http://a/2");
    assertThat(visits())
        .containsEntry("http://a/1", 2)
        .containsEntry("http://a/2", 1) // the silence of the last snapshot
        .containsEntry("http://a/3", 1);
    assertThat(index("--weeks", "0-2").err()).noneMatch(line -> line.startsWith("not measured"));
  }

  /** A clock that is wrong by years, with the index years after the crawl. */
  @Test
  void whatIsDatedAheadOfTheClockCountsAsOfItsSnapshotAndIsCounted() throws IOException {
    String ahead = "2999-01-01T00:00:00Z";
    warc(
        "0.warc",
        answer(MONDAY, "http://a/1", 200, "one word"),
        answer(MONDAY, "http://a/2", 200, "two words"),
        answer(MONDAY, "http://a/3", 200, "three words"));
    warc(
        "1.warc",
        answer(NEXT_MONDAY, "http://a/1", 200, "another word"),
        answer(ahead, "http://a/2", 200, "other words"),
        revisit(ahead, "http://a/3"));
    CommandRun run = index();
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .contains(
            "dated more than a day ahead of the clock, counted as of their snapshot's time: 2,"
                + " first http://a/2")
        .noneMatch(line -> line.startsWith("visits not recorded"));
    assertThat(lastVisits().values()).containsOnly(NEXT_MONDAY).hasSize(3);
    warc(
        "2.warc",
        answer("2024-01-15T00:00:00Z", "http://a/1", 200, "one more word"),
        answer("2024-01-15T00:00:00Z", "http://a/2", 200, "more words there"));
    assertThat(index().err()).noneMatch(line -> line.startsWith("not measured"));
    assertThat(visits()).isEqualTo(Map.of("http://a/1", 2, "http://a/2", 2, "http://a/3", 2));
  }

  @Test
  void thatNoFolderHasADateIsSaidOnce() throws IOException {
    Path crawl = directory.resolve("crawl");
    for (String name : List.of("w1", "w2")) {
      Files.createDirectories(crawl.resolve(name));
      Files.writeString(crawl.resolve(name).resolve("a.txt"), "one word " + name);
    }
    assertThat(index().err())
        .containsOnlyOnce(
            "no folder of "
                + crawl
                + " has a date such as 2024-01-31 in its name: snapshots count as weekly from"
                + " 2000-01-01");
    for (String name : List.of("1", "2")) {
      Files.move(crawl.resolve("w" + name), crawl.resolve("2024010" + name));
    }
    assertThat(index().err()).noneMatch(line -> line.contains("weekly"));
  }

  @Test
  void onlyAddressesThatWereAskedForArePages() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/docs/1", 200, "one word"),
        answer(MONDAY, "http://a/docs/2", 200, "two words"),
        answer(MONDAY, "http://a/frame", 200, "three words"),
        answer(MONDAY, "http://a/gone", 404, "no words"));
    warc("1.warc", revisit(NEXT_MONDAY, "http://a/frame"));
    String told = "no pages, address not asked for: 3, first http://a/frame";
    CommandRun run = index("--addresses", "/docs/\\d");
    assertThat(run.out().get(1)).startsWith("0\t" + inTable(MONDAY) + "\t2\t0\t0\t");
    assertThat(run.out().get(2)).startsWith("1\t" + inTable(NEXT_MONDAY) + "\t0\t2\t0\t");
    assertThat(run.err()).contains(told).noneMatch(line -> line.startsWith("left out"));
    assertThat(visits().keySet()).containsExactly("http://a/docs/1", "http://a/docs/2");
    CommandRun replay =
        ofCrawl("replay", "--policies", "uniform", "--budgets", "1", "--addresses", "docs");
    assertThat(replay.err()).contains(told);
    assertThat(ofCrawl("audit", "--addresses", "docs").err()).contains(told);
    assertThat(ofCrawl("overhead", "--addresses", "docs").complaint())
        .contains("none of the crawl's 2 pages ever changes");
  }

  @Test
  void ofPagesOfTheIndexThatAreNotAskedForNothingIsRecorded() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/1", 200, "one word"),
        answer(MONDAY, "http://a/2", 200, "two words"));
    index();
    warc("1.warc", revisit(NEXT_MONDAY, "http://a/2"));
    assertThat(index("--addresses", "1$").out().get(1))
        .startsWith("1\t" + inTable(NEXT_MONDAY) + "\t0\t1\t0\t");
    assertThat(visits()).isEqualTo(Map.of("http://a/1", 1, "http://a/2", 0));
  }

  @Test
  void anAddressInWhichTheExpressionRepeatsAGroupTooOftenIsTold() throws IOException {
    String address = "http://a/" + "x/".repeat(16_000);
    warc("0.warc", answer(MONDAY, address, 200, "one word"));
    CommandRun run = index("--addresses", "^https?://(?:[^/]+/)*docs/");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint())
        .contains(
            "--addresses ^https?://(?:[^/]+/)*docs/ repeats a group more often than memory allows"
                + " in the address http://a/x/x/")
        .hasSizeLessThan(400);
    CommandRun letters = index("--addresses", "^https?://[^?]*docs/");
    assertThat(letters.err()).anyMatch(line -> line.contains("address not asked for: 1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"index", "replay", "audit", "overhead"})
  void addressesByNoRegularExpressionAreBadUse(String verb) throws IOException {
    warc("0.warc", answer(MONDAY, "http://a/1", 200, "one word"));
    String place = verb.equals("index") ? "--index" : "--out";
    CommandRun run = run(verb, place, directory.resolve(verb), "--addresses", "docs[");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint())
        .contains(
            "--addresses is no regular expression, Unclosed character class at character 5: docs[");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay", "audit", "overhead"})
  void addressesWithoutACrawlAreBadUse(String verb) {
    CommandRun run = CommandRun.of(verb, "--out", directory.resolve(verb), "--addresses", "docs");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint())
        .contains("--addresses says which addresses of a crawl are pages: add --crawl DIR");
  }

  @Test
  void rulesForRobotsAreNoPage() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/1", 200, "one word"),
        answer(MONDAY, "http://a/robots.txt", 200, "Disallow: /"),
        answer(MONDAY, "https://b:81/robots.txt?x", 404, "no words"),
        answer(MONDAY, "http://a/docs/robots.txt", 200, "more words"),
        answer(MONDAY, "http://a/docs?/robots.txt", 200, "more words"));
    CommandRun run = index();
    assertThat(run.err()).contains("no pages, rules for robots: 2, first http://a/robots.txt");
    assertThat(run.out().get(1)).startsWith("0\t" + inTable(MONDAY) + "\t3\t0\t0\t");
  }

  @Test
  void rulesForRobotsInFoldersAreNoPage() throws IOException {
    Path week = Files.createDirectories(directory.resolve("crawl").resolve("2024-01-01"));
    for (String host : List.of(".", "example.org", "docs")) {
      Files.createDirectories(week.resolve(host));
      Files.writeString(week.resolve(host).resolve("robots.txt"), "one word");
    }
    CommandRun run = index();
    assertThat(run.err()).contains("no pages, rules for robots: 2, first example.org/robots.txt");
    assertThat(visits().keySet()).containsExactly("docs/robots.txt");
  }

  /** As Browsertrix records it. */
  @Test
  void whatABrowserLoadedForAPageIsNone() throws IOException {
    String page = answer(MONDAY, "http://a/1", 200, "one word");
    String script = answer(MONDAY, "http://a/2", 200, "two words");
    warc(
        "0.warc",
        page.replaceFirst("WARC-Date", "WARC-Resource-Type: document\r\nWARC-Date"),
        script.replaceFirst("WARC-Date", "WARC-Resource-Type: fetch\r\nWARC-Date"));
    CommandRun run = index();
    assertThat(run.err())
        .contains("no pages, part of a page, by its WARC-Resource-Type: 1, first http://a/2");
    assertThat(visits().keySet()).containsExactly("http://a/1");
  }

  @Test
  void ofACrawlThatDoesNotReachEveryPageSilenceIsNoVisit() throws IOException {
    warc(
        "0.warc",
        answer(MONDAY, "http://a/changed", 200, "one word"),
        answer(MONDAY, "http://a/same", 200, "two words"),
        answer(MONDAY, "http://a/absent", 200, "three words"));
    warc(
        "1.warc",
        answer(NEXT_MONDAY, "http://a/changed", 200, "another word"),
        revisit(NEXT_MONDAY, "http://a/same"));
    CommandRun run = index("--silence", "unknown");
    assertThat(run.out().get(2)).startsWith("1\t" + inTable(NEXT_MONDAY) + "\t1\t1\t0\t");
    assertThat(visits())
        .isEqualTo(Map.of("http://a/changed", 1, "http://a/same", 1, "http://a/absent", 0));
    assertThat(lastVisits()).containsEntry("http://a/absent", MONDAY);
  }

  @Test
  void silenceThatMeansSomethingElseIsBadUse() throws IOException {
    warc("0.warc", answer(MONDAY, "http://a/1", 200, "one word"));
    CommandRun run = index("--silence", "gone");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint())
        .contains("expected one of [UNCHANGED, UNKNOWN] (case-insensitive) but was 'gone'");
  }

  @Test
  void aSnapshotThatHoldsNothingIsTold() throws IOException {
    warc("0.warc", answer(MONDAY, "http://a/1", 200, "one word"));
    warc(
        "1.warc",
        record("warcinfo", NEXT_MONDAY, "http://a/", "application/warc-fields", "software: none"));
    String told = "no pages, snapshot without any record or file: 1, first 1.warc";
    assertThat(index().err()).contains(told);
    assertThat(ofCrawl("audit").err()).contains(told);
  }

  @Test
  void thatAWeekIsASnapshotIsSaidWhereSnapshotsAreADayApart() throws IOException {
    String day = "2024-01-02T00:00:00Z";
    warc("0.warc", answer(MONDAY, "http://a/1", 200, "one word"));
    warc("1.warc", answer(day, "http://a/1", 200, "another word or two"));
    String told =
        "snapshots are 1 day apart: read \"a week\" as \"a snapshot\", but for settings of"
            + " strategies, which stay weeks and days";
    assertThat(index().err()).containsOnlyOnce(told);
    assertThat(ofCrawl("audit").err()).containsOnlyOnce(told);
    assertThat(ofCrawl("replay", "--policies", "uniform", "--budgets", "1").err())
        .containsOnlyOnce(told);
    assertThat(Files.readString(directory.resolve("replay").resolve("report.html")))
        .containsOnlyOnce("Snapshots are 1 day apart: read ");
    warc("1.warc", answer(NEXT_MONDAY, "http://a/1", 200, "another word or two"));
    assertThat(ofCrawl("audit").err()).noneMatch(line -> line.contains("apart"));
  }

  @Test
  void whatLooksLikePartsOfACrawlAndIsNotReadIsNamed() throws IOException {
    warc("0.warc", answer(MONDAY, "http://a/1", 200, "one word"));
    Path crawl = directory.resolve("crawl");
    Files.writeString(crawl.resolve("1.warc.zst"), "not read");
    assertThat(index().err())
        .contains("passed over in " + crawl + ", where .warc and .warc.gz are read: 1.warc.zst");
    Files.writeString(crawl.resolve("2.arc"), "not read");
    assertThat(index().err())
        .contains(
            "passed over in "
                + crawl
                + ", where .warc and .warc.gz are read: 1.warc.zst and 1 more");
  }

  @Test
  void noAddressOfAPageCommandsATerminal() throws IOException {
    String key = "http://a/\u009b31m";
    warc(
        "0.warc",
        answer(MONDAY, key, 200, "one word"),
        answer(MONDAY, "http://a/\u009b32m", 404, "no such page"));
    warc(
        "1.warc",
        answer(NEXT_MONDAY, "http://a/2", 200, "another word"),
        revisit("2023-12-31T00:00:00Z", key));
    CommandRun index = index();
    assertThat(index.err())
        .anyMatch(line -> line.endsWith("(the first is of http://a/?31m)"))
        .anyMatch(line -> line.endsWith("first 404 http://a/?32m"));
    CommandRun next =
        CommandRun.of(
            "next", "--index", directory.resolve("index"), "--at", "2024-02-01T00:00:00Z");
    assertThat(next.out()).anyMatch(line -> line.contains("\thttp://a/?31m\t"));
    CommandRun explain = CommandRun.of("explain", "--index", directory.resolve("index"), key);
    assertThat(explain.err()).contains("http://a/?31m");
    for (CommandRun run : List.of(index, next, explain)) {
      assertThat(String.join("", run.out()) + String.join("", run.err()))
          .doesNotContainPattern("[\\p{Cc}&&[^\\t]]");
    }
  }

  /** Measured visits by page. */
  private Map<String, Integer> visits() {
    Map<String, Integer> visits = new TreeMap<>();
    column(5).forEach((page, count) -> visits.put(page, Integer.valueOf(count)));
    return visits;
  }

  /** By page, as the records have their times. */
  private Map<String, String> lastVisits() {
    Map<String, String> visits = column(4);
    visits.replaceAll((page, time) -> Instant.parse(time).toString());
    return visits;
  }

  private static String inTable(String time) {
    return UtcTime.of(Instant.parse(time));
  }

  /** What the verb next lists, by page. */
  private Map<String, String> column(int column) {
    Map<String, String> listed = new TreeMap<>();
    CommandRun.of("next", "--index", directory.resolve("index"), "--at", "2024-02-01T00:00:00Z")
        .out()
        .stream()
        .skip(1)
        .map(row -> row.split("\t", -1))
        .forEach(row -> listed.put(row[1], row[column]));
    return listed;
  }

  private CommandRun index(String... options) throws IOException {
    return run("index", "--index", directory.resolve("index"), options);
  }

  private CommandRun ofCrawl(String verb, String... options) throws IOException {
    return run(verb, "--out", directory.resolve(verb), options);
  }

  private CommandRun run(String verb, String output, Path place, String... options)
      throws IOException {
    Path log = directory.resolve("queries.log");
    Files.writeString(log, (MONDAY + "\tsession\tword\t0\n").repeat(3));
    List<Object> arguments = new ArrayList<>();
    Collections.addAll(arguments, verb, "--crawl", directory.resolve("crawl"));
    Collections.addAll(arguments, "--query-log", log, output, place);
    Collections.addAll(arguments, (Object[]) options);
    return CommandRun.of(arguments.toArray());
  }

  private void warc(String name, String... records) throws IOException {
    Path crawl = Files.createDirectories(directory.resolve("crawl"));
    Files.writeString(crawl.resolve(name), String.join("", records));
  }

  private static String answer(String date, String url, int status, String text) {
    String http = "HTTP/1.1 %d Said\r\nContent-Type: text/plain\r\n\r\n%s".formatted(status, text);
    return record("response", date, url, "application/http", http);
  }

  private static String revisit(String date, String url) {
    return record("revisit", date, url, "application/http", "");
  }

  private static String record(String type, String date, String url, String media, String body) {
    return """
    WARC/1.0\r
    WARC-Type: %s\r
    WARC-Date: %s\r
    WARC-Target-URI: %s\r
    Content-Type: %s\r
    Content-Length: %d\r
    \r
    %s\r
    \r
    """
        .formatted(type, date, url, media, body.getBytes(StandardCharsets.UTF_8).length, body);
  }
}
