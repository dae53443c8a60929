// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.delta.MeasuredRefresh;
import io.lucenedelta.delta.PageExplanation;
import io.lucenedelta.delta.PagePriority;
import io.lucenedelta.examples.Contrast;
import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchAppTest {
  private static final String NEWS = "https://a.example/news.html";

  /** What whoever runs it is told. */
  private static final List<String> LOG = Collections.synchronizedList(new ArrayList<>());

  @TempDir static Path directory;
  private static SearchApp app;

  @BeforeAll
  static void serve() throws Exception {
    Path index = directory.resolve("index");
    makeIndex(index);
    app = SearchApp.start(index, 0, LOG::add);
  }

  private static void makeIndex(Path index) throws Exception {
    makeIndex(index, new IndexWriterConfig(PageAnalysis.analyzer()));
  }

  private static void makeIndex(Path index, IndexWriterConfig settings) throws Exception {
    Workload workload =
        Workload.builder().add(List.of("red", "fox"), 5).add(List.of("hen"), 2).build();
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField(PageAnalysis.KEY)
            .scoredField(PageAnalysis.BODY)
            .fetchTimeField(PageAnalysis.FETCHED)
            .build();
    try (Directory files = FSDirectory.open(index);
        DeltaIndexWriter writer = new DeltaIndexWriter(files, settings, config)) {
      update(writer, config, NEWS, "2024-01-01T00:00:00Z", "News", "A hen and nothing else");
      update(
          writer,
          config,
          "javascript:alert(1)",
          "2024-01-01T00:00:00Z",
          "<script>",
          "red fox & co");
      writer.commit();
      update(writer, config, NEWS, "2024-01-08T00:00:00Z", "News", "The Red Fox met a <b>fox</b>");
      writer.commit();
    }
  }

  private static Path otherIndex(String name, String key, Field.Store stored) throws Exception {
    Path index = directory.resolve(name);
    Workload workload = Workload.builder().add(List.of("fox"), 5).build();
    DeltaConfig config =
        DeltaConfig.builder(workload).keyField(key).scoredField(PageAnalysis.BODY).build();
    try (Directory files = FSDirectory.open(index);
        DeltaIndexWriter writer =
            new DeltaIndexWriter(files, new IndexWriterConfig(PageAnalysis.analyzer()), config)) {
      Document document = new Document();
      document.add(new StringField(key, NEWS, stored));
      document.add(new TextField(PageAnalysis.BODY, "a fox", Field.Store.NO));
      writer.addDocument(document);
      writer.commit();
    }
    return index;
  }

  @Test
  void pagesWhoseTextIsNotStoredAreFoundAllTheSame() throws Exception {
    Path index = otherIndex("unstored", PageAnalysis.KEY, Field.Store.YES);
    try (SearchApp other = SearchApp.start(index, 0, LOG::add)) {
      org.jsoup.nodes.Document page = get(other, "?q=fox", 200);
      assertThat(page.select("article h2 a").eachText()).containsExactly(NEWS);
    }
  }

  @Test
  void whoeverRunsItIsToldThatAnotherProgramMadeTheIndex() throws Exception {
    Path index = otherIndex("applications", PageAnalysis.KEY, Field.Store.YES);
    List<String> told = new ArrayList<>();
    SearchApp.start(index, 0, told::add).close();
    assertThat(told)
        .contains(
            "%s was made by another program (it has no field 'fetched'): words are looked for in field 'body' as StandardAnalyzer makes them, so pages analysed otherwise are not found"
                .formatted(index));
    told.clear();
    SearchApp.start(directory.resolve("index"), 0, told::add).close();
    assertThat(told).isEmpty();
  }

  @Test
  void pagesWhoseAddressIsNotStoredAreSaidToBe() throws Exception {
    Path index = otherIndex("nameless", PageAnalysis.KEY, Field.Store.NO);
    try (SearchApp other = SearchApp.start(index, 0, LOG::add)) {
      assertThat(get(other, "?q=fox", 500).text())
          .contains("a page's 'url' is indexed but not stored, so it cannot be named");
    }
  }

  @Test
  void anIndexWithOtherFieldsIsRefused() throws Exception {
    Path index = otherIndex("foreign", "id", Field.Store.YES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SearchApp.start(index, 0, LOG::add))
        .withMessage(
            "index %s has no field 'url', which holds a page's address where lucene-delta index made"
                    .formatted(index)
                + " it");
  }

  /** Else a page of the web whose host comes to name this machine could read the index. */
  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LOCALHOST:8080, 200",
    "localhost.:1, 200",
    "127.0.0.1, 200",
    "127.1.2.3:80, 200",
    "[::1]:8080, 200",
    "[::1], 200",
    "[0:0:0:0:0:0:0:1]:9, 200",
    "evil.example, 403",
    "evil.example:8080, 403",
    "localhost.evil.example, 403",
    "127.0.0.1.evil.example, 403",
    "127.0.0.1.:80, 403",
    "127.0.0.evil, 403",
    "192.168.0.1, 403",
    "[fe80::1], 403",
    "[::1].evil.example, 403",
    "[::1, 403",
    "user@localhost, 403",
    "localhost:8080:evil, 403",
    "'', 403"
  })
  void onlyWhoAsksForThisMachineIsAnswered(String host, int status) throws Exception {
    String answer = asked("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    if (status == 403) {
      assertThat(answer).contains("This application answers for this machine only");
    }
  }

  @Test
  void whoNamesNoHostOrTwoIsNotAnswered() throws Exception {
    String next = "GET /next HTTP/1.1\r\nConnection: close\r\n";
    assertThat(asked(next + "\r\n")).startsWith("HTTP/1.1 403 ").doesNotContain(NEWS);
    String two = "Host: localhost\r\nHost: evil.example\r\n\r\n";
    assertThat(asked(next + two)).startsWith("HTTP/1.1 403 ").doesNotContain(NEWS);
  }

  private static String asked(String request) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), app.address().getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    app.close();
  }

  @Test
  void resultsShowWhatWasFoundAndWhatIsKnownOfThePage() throws Exception {
    org.jsoup.nodes.Document page = get("?q=RED+fox", 200);
    assertThat(page.select("article")).hasSize(2);
    assertThat(page.select("article:has(a[href=" + NEWS + "]) mark").eachText())
        .containsExactly("Red", "Fox", "fox");
    assertThat(page.select("article:has(a[href=" + NEWS + "]) .due").text())
        .startsWith("fetched 2024-01-08T00:00:00Z, 1 refresh measured, together worth ");
  }

  @Test
  void pagesAreDrawnByTheStandardsAndAsWideAsTheScreen() throws Exception {
    for (String path : List.of("?q=fox", "next", "elsewhere")) {
      org.jsoup.nodes.Document page = get(path, path.equals("elsewhere") ? 404 : 200);
      assertThat(page.quirksMode()).isEqualTo(org.jsoup.nodes.Document.QuirksMode.noQuirks);
      assertThat(page.select("meta[name=viewport]").attr("content"))
          .isEqualTo("width=device-width, initial-scale=1");
    }
  }

  @Test
  void whateverComesFromPagesIsText() throws Exception {
    org.jsoup.nodes.Document page = get("?q=fox", 200);
    assertThat(page.select("script, b")).isEmpty();
    assertThat(page.select("a[href^=javascript]")).isEmpty();
    assertThat(page.text()).contains("<b>fox</b>", "<script>", "red fox & co");
  }

  @Test
  void whatThePersonTypedComesBackAsText() throws Exception {
    org.jsoup.nodes.Document page = get("?q=" + encoded("\"><script>alert(1)</script>"), 200);
    assertThat(page.select("script")).isEmpty();
    assertThat(page.select("input").attr("value")).isEqualTo("\"><script>alert(1)</script>");
    assertThat(page.text()).contains("No page has all of these words.");
  }

  @Test
  void whyNamesTheQueriesThatMoved() throws Exception {
    org.jsoup.nodes.Document page = get("why?page=" + encoded(NEWS), 200);
    assertThat(page.select("table a").eachText()).containsExactlyInAnyOrder("red fox", "hen");
    assertThat(page.text())
        .contains("first recorded fetch, nothing dated to compare with", "not in the result");
  }

  @Test
  void visitsThatChangedNothingAreToldTogether() {
    PageExplanation explanation =
        new PageExplanation(
            NEWS,
            List.of(
                refresh("2024-03-04", 0),
                refresh("2024-03-03", 2),
                refresh("2024-03-02", 0),
                refresh("2024-03-01", 0),
                unmeasured("2024-02-01"),
                unmeasured("2024-02-01")));
    assertThat(Jsoup.parse(SearchPages.why(explanation)).select("main p").eachText())
        .containsExactly(
            NEWS,
            "2024-03-04T00:00:00Z: after 1.0 days this refresh changed the quality of results by 0.",
            "2024-03-03T00:00:00Z: after 1.0 days this refresh changed the quality of results by 2.",
            "2024-03-02T00:00:00Z back to 2024-03-01T00:00:00Z: 2 visits that changed no result.",
            "2024-02-01T00:00:00Z: recorded, not measured.",
            "2024-02-01T00:00:00Z: first recorded fetch, nothing dated to compare with.");
  }

  private static MeasuredRefresh unmeasured(String date) {
    Instant fetched = Instant.parse(date + "T00:00:00Z");
    return new MeasuredRefresh(1, fetched, null, 0, List.of(), 0, 0);
  }

  private static MeasuredRefresh refresh(String date, double change) {
    Instant fetched = Instant.parse(date + "T00:00:00Z");
    return new MeasuredRefresh(1, fetched, Duration.ofDays(1), change, List.of(), 0, 0);
  }

  @Test
  void nextListsThePages() throws Exception {
    assertThat(get("next", 200).select("tbody th a").eachText()).contains(NEWS).hasSize(2);
  }

  @Test
  void tablesHaveNamesAndHeadersOfColumnsAndRows() throws Exception {
    org.jsoup.nodes.Document next = get("next", 200);
    assertThat(next.select("table").attr("aria-label")).isEqualTo("Pages to fetch next");
    assertThat(next.select("thead th[scope=col]").eachText())
        .containsExactly("rank", "page", "priority", "rate a day", "last fetched", "measured");
    assertThat(next.select("tbody th[scope=row]").eachText())
        .containsExactlyInAnyOrder(NEWS, "javascript:alert(1)");
    assertThat(next.select("tbody tr > :first-child").eachText()).containsExactly("1", "2");

    org.jsoup.nodes.Document why = get("why?page=" + encoded(NEWS), 200);
    assertThat(why.select("table").attr("aria-label"))
        .isEqualTo("Queries that the refresh of 2024-01-08T00:00:00Z moved");
    assertThat(why.select("thead th[scope=col]").eachText())
        .containsExactly("query", "asked", "rank before", "rank after", "contribution");
    assertThat(why.select("tbody th[scope=row]").eachText())
        .containsExactlyInAnyOrder("red fox", "hen");
  }

  @Test
  void theFieldForWordsStandsOutFromThePaper() throws Exception {
    String style = get("", 200).select("style").html();
    Matcher border = Pattern.compile("input \\{.*border: 1px solid #([0-9a-f]{6})").matcher(style);
    assertThat(border.find()).isTrue();
    assertThat(Contrast.onWhite(border.group(1))).isGreaterThan(Contrast.OF_GRAPHICS);
  }

  @Test
  void aLongTitleIsCutButNotWithinACharacter() {
    assertThat(shown("x".repeat(1 << 20))).isEqualTo("x".repeat(200) + " …");
    String fox = "\uD83E\uDD8A";
    assertThat(shown("x" + fox.repeat(1 << 19))).isEqualTo("x" + fox.repeat(99) + " …");
    assertThat(shown("x".repeat(200))).isEqualTo("x".repeat(200));
  }

  private static String shown(String title) {
    SearchPages.Result result =
        new SearchPages.Result(
            new SearchHit(NEWS, title, ""), new Snippet(List.of()), Optional.empty());
    return Jsoup.parse(SearchPages.results("fox", List.of(result))).select("h2 a").text();
  }

  @Test
  void numbersAreWrittenAsPeopleWriteThem() throws Exception {
    org.jsoup.nodes.Document why = get("why?page=" + encoded(NEWS), 200);
    assertThat(why.select("tr:has(a:contains(red fox)) td").eachText().subList(0, 3))
        .containsExactly("5", "not in the result", "2");
    PagePriority due = new PagePriority(NEWS, 759_123.4, 0.0123456, Instant.EPOCH, 47);
    assertThat(Jsoup.parse(SearchPages.next(List.of(due))).select("td").eachText())
        .contains("759,123", "0.01235", "47");
    PagePriority hardly = new PagePriority(NEWS, 0, 1.25e-9, Instant.EPOCH, 1);
    assertThat(Jsoup.parse(SearchPages.next(List.of(hardly))).select("td").eachText())
        .contains("0", "1.250e-09");
  }

  @Test
  void anUnknownPageIsNotFound() throws Exception {
    assertThat(get("why?page=x", 404).text()).contains("No refresh of page x was recorded:");
    assertThat(get("elsewhere", 404).text()).contains("There is no such page here.");
  }

  @Test
  void aRequestThatNeverEndsHoldsUpNoOther() throws Exception {
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), app.address().getPort())) {
      slow.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
      slow.getOutputStream().flush();
      assertThat(get("next", 200).select("tbody th a").eachText()).contains(NEWS);
    }
  }

  @Test
  void aFailureWithinIsTold() throws Exception {
    Path index = directory.resolve("other");
    makeIndex(index);
    try (SearchApp other = SearchApp.start(index, 0, LOG::add)) {
      assertThat(get(other, "?q=fox", 200).select("article")).hasSize(2);
      try (Stream<Path> measurements = Files.walk(directory.resolve("other.delta"))) {
        for (Path file : measurements.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
      String text = get(other, "?q=fox", 500).text();
      assertThat(text).contains("The index could not be read: ");
      assertThat(LOG).anyMatch(text::contains);
    }
  }

  @Test
  void aFileOfTheIndexThatIsGoneIsSaidToBeMissing() throws Exception {
    Path index = directory.resolve("gone");
    makeIndex(
        index,
        new IndexWriterConfig(PageAnalysis.analyzer()).setMergePolicy(NoMergePolicy.INSTANCE));
    Path deletions;
    try (Stream<Path> files = Files.list(index)) {
      deletions = files.filter(file -> file.toString().endsWith(".liv")).findFirst().orElseThrow();
    }
    try (SearchApp other = SearchApp.start(index, 0, LOG::add)) {
      Files.delete(deletions);
      String sentence = "The index could not be read: no file " + deletions;
      assertThat(get(other, "next", 500).text()).contains(sentence);
      assertThat(LOG).contains(sentence);
    }
  }

  @Test
  void whatIsWrongOfTheMeasurementsIsToldOnceToWhoeverRunsIt() throws Exception {
    makeIndex(directory.resolve("one"));
    Path index = directory.resolve("another");
    makeIndex(index);
    Files.move(directory.resolve("another.delta"), directory.resolve("moved"));
    Files.move(directory.resolve("one.delta"), directory.resolve("another.delta"));
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    try (SearchApp other = SearchApp.start(index, 0, told::add)) {
      get(other, "next", 200);
      get(other, "why?page=" + encoded(NEWS), 200);
    }
    assertThat(told).singleElement().asString().contains("another.delta");
  }

  @Test
  void moreWordsThanASearchTakesAreRefused() throws Exception {
    String most = words(IndexSearcher.getMaxClauseCount());
    assertThat(get("?q=" + most, 200).text()).contains("No page has all of these words.");
    assertThat(get("?q=" + most + "+more", 400).text())
        .contains("These are 1,025 different words, and a search takes 1,024 at most");
  }

  private static String words(int count) {
    return IntStream.range(0, count).mapToObj(i -> "w" + i).collect(Collectors.joining("+"));
  }

  @Test
  void aRequestForTheHeadAloneIsAnsweredWithoutABody() throws Exception {
    List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    Logger server = Logger.getLogger("com.sun.net.httpserver");
    Handler listener = new Listener(warnings);
    server.addHandler(listener);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest head =
          HttpRequest.newBuilder(app.address())
              .method("HEAD", HttpRequest.BodyPublishers.noBody())
              .build();
      HttpResponse<String> answer = client.send(head, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEmpty();
    } finally {
      server.removeHandler(listener);
    }
    assertThat(warnings).isEmpty();
  }

  private static final class Listener extends Handler {
    private final List<String> warnings;

    Listener(List<String> warnings) {
      this.warnings = warnings;
    }

    @Override
    public void publish(LogRecord message) {
      warnings.add(message.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static void update(
      DeltaIndexWriter writer,
      DeltaConfig config,
      String key,
      String fetched,
      String title,
      String text)
      throws Exception {
    CrawledPage page = new CrawledPage(key, Instant.parse(fetched), title, text);
    Document document = PageAnalysis.document(page);
    document.add(config.fetchTime(page.fetched()));
    writer.updateDocument(new Term(PageAnalysis.KEY, key), document);
  }

  private static org.jsoup.nodes.Document get(String path, int status) throws Exception {
    return get(app, path, status);
  }

  private static org.jsoup.nodes.Document get(SearchApp asked, String path, int status)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(asked.address() + path))
            .timeout(Duration.ofMinutes(1))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(status);
      return Jsoup.parse(answer.body());
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
