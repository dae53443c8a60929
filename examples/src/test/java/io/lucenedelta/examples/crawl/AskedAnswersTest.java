// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AskedAnswersTest {
  private static final String URL = "http://a/1";

  @TempDir Path crawl;

  /** As wget writes it. */
  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "OPTIONS", "PROPFIND", "VERSION-CONTROL", "UPDATEREDIRECTREF"})
  void anAnswerBehindARequestByAnotherMethodThanGetIsNoPage(String method) throws IOException {
    assertThat(
            told(
                request(1, "GET", URL),
                answer(2, "page", of(1)),
                request(3, method, URL),
                answer(4, "other", of(3))))
        .containsExactly(
            "page",
            "no pages, answer to another method than GET: 1, first " + method + " " + URL,
            "no pages, request: 2, first " + URL);
  }

  /** As Heritrix, Browsertrix and warcprox write it. */
  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "OPTIONS", "PROPFIND", "VERSION-CONTROL", "UPDATEREDIRECTREF"})
  void anAnswerBeforeARequestByAnotherMethodThanGetIsNoPage(String method) throws IOException {
    assertThat(
            told(
                answer(1, "other"),
                request(2, method, URL, of(1)),
                answer(3, "page"),
                request(4, "GET", URL, of(3))))
        .containsExactly(
            "page",
            "no pages, answer to another method than GET: 1, first " + method + " " + URL,
            "no pages, request: 2, first " + URL);
  }

  @Test
  void whereNoRecordRefersToAnotherTheAddressTells() throws IOException {
    assertThat(
            told(
                request(1, "POST", URL),
                answer(2, "other"),
                request(3, "GET", URL),
                answer(4, "page")))
        .contains("page")
        .doesNotContain("other");
    assertThat(
            told(
                answer(1, "other"),
                request(2, "POST", URL),
                answer(3, "page"),
                request(4, "GET", URL)))
        .contains("page")
        .doesNotContain("other");
  }

  @Test
  void aRequestOfAnotherFetchSaysNothingOfAnAnswer() throws IOException {
    assertThat(
            told(
                request(1, "POST", "http://a/2"),
                answer(2, "first"),
                request(3, "HEAD", URL, of(9)),
                answer(4, "second"),
                answer(5, "third", of(9)),
                request(6, "HEAD", URL)))
        .containsExactly("first", "second", "third", "no pages, request: 3, first http://a/2");
  }

  @Test
  void aRequestSaysNothingOfAnAnswerBehindTheNextRecord() throws IOException {
    String other = record("metadata", 2, URL, "fetchTimeMs: 1");
    assertThat(told(request(1, "HEAD", URL), other, answer(3, "page"))).contains("page");
    assertThat(told(request(1, "HEAD", URL), answer(2, "other"), answer(3, "page")))
        .contains("page")
        .doesNotContain("other");
  }

  @Test
  void aRequestWhoseMethodCannotBeReadCountsAsGet() throws IOException {
    assertThat(told(request(1, "", URL), answer(2, "page"))).contains("page");
    assertThat(told(request(1, "get", URL), answer(2, "page"))).contains("page");
    assertThat(told(answer(1, "page"), request(2, "X".repeat(99), URL))).contains("page");
  }

  @Test
  void aRevisitByAnotherMethodThanGetSaysNothingOfThePage() throws IOException {
    String revisit = answer(2, "", of(1)).replace("response", "revisit");
    assertThat(told(request(1, "HEAD", URL), revisit))
        .contains("no pages, answer to another method than GET: 1, first HEAD " + URL)
        .noneMatch(line -> line.contains("revisit"));
  }

  @Test
  void theLastAnswerWaitsForNoRequest() throws IOException {
    assertThat(told(answer(1, "first"), answer(2, "last"))).containsExactly("first", "last");
  }

  @Test
  void anAnswerBeforeDamageIsHandedOut() throws IOException {
    List<String> told = new ArrayList<>();
    Files.writeString(crawl.resolve("a.warc"), answer(1, "page") + "no record");
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> archive.read(0, page -> told.add(page.text())));
    assertThat(told).containsExactly("page");
  }

  /** Whoever hears pages may stop at one, and hears no more. */
  @Test
  void behindAPageThatCouldNotBeTakenNoneIsHandedOut() throws IOException {
    List<String> told = new ArrayList<>();
    Files.writeString(crawl.resolve("a.warc"), answer(1, "page").repeat(200));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                archive.read(
                    0,
                    page -> {
                      told.add(page.text());
                      throw new IllegalStateException("full");
                    }));
    assertThat(told).containsExactly("page");
  }

  /** The texts that are handed out, then what is told of the rest. */
  private List<String> told(String... records) throws IOException {
    Files.writeString(crawl.resolve("a.warc"), String.join("", records));
    List<String> told = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, page -> told.add(page.text()));
    told.addAll(tally.lines());
    return told;
  }

  private static String of(int id) {
    return "WARC-Concurrent-To: <urn:uuid:%d>\r\n".formatted(id);
  }

  private static String request(int id, String method, String url, String... headers) {
    return record("request", id, url, method + " / HTTP/1.1\r\n\r\n", headers);
  }

  private static String answer(int id, String text, String... headers) {
    String http = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + text;
    return record("response", id, URL, http, headers);
  }

  private static String record(String type, int id, String url, String body, String... headers) {
    return """
    WARC/1.0\r
    WARC-Type: %s\r
    WARC-Record-ID: <urn:uuid:%d>\r
    WARC-Date: 2024-01-01T00:00:00Z\r
    WARC-Target-URI: %s\r
    Content-Type: application/http\r
    %sContent-Length: %d\r
    \r
    %s\r
    \r
    """
        .formatted(type, id, url, String.join("", headers), body.length(), body);
  }
}
