// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.ViewingLikelihoodFit;
import io.lucenedelta.workload.QueryCounts;
import io.lucenedelta.workload.QueryNormalizer;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.Column;
import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.LogFormats;
import io.lucenedelta.workload.log.TypedQueries;
import io.lucenedelta.workload.log.WorkloadIngest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of the README and of {@code docs/query-logs.md}, compiled and run. */
class ReadmeExampleTest {
  @Test
  void openUpdateCommitAskForTheNextPages(@TempDir Path folder) throws Exception {
    Analyzer analyzer = new StandardAnalyzer();
    AnalyzedQueries queries = AnalyzedQueries.of(analyzer, "body");
    Workload workload = // what users typed, and how often
        Workload.builder()
            .add(queries.terms("budget travel"), 120)
            .add(queries.terms("Travel"), 45)
            .build();
    DeltaConfig config = DeltaConfig.builder(workload).keyField("url").scoredField("body").build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(analyzer), config)) {
      Document page = new Document();
      page.add(new StringField("url", "https://example.org/", Field.Store.YES));
      page.add(new TextField("body", "Travel on a budget", Field.Store.NO));
      writer.updateDocument(new Term("url", "https://example.org/"), page);
      writer.commit();
      List<PagePriority> next = writer.nextPages(20);

      assertThat(next).extracting(PagePriority::page).containsExactly("https://example.org/");
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  /** What a crawler found at an address. */
  private record Answer(int status, Document page, Instant time) {}

  /** Crawls a Web of which each page answers by the status that its address ends with. */
  private static final class Crawler {
    private final Instant now;

    Crawler(Instant now) {
      this.now = now;
    }

    void fetchNext(DeltaIndexWriter writer, FetchQueue queue) throws IOException {
      for (String url : queue.take(100)) {
        Answer answer = get(url); // by your crawler
        switch (answer.status()) {
          case 200 -> writer.updateDocument(new Term("url", url), answer.page());
          case 304 -> writer.recordUnchanged(url, answer.time()); // a visit that found nothing new
          case 410 -> queue.gone(url);
          default -> queue.failed(url); // also 404, until it stays so
        }
      }
      writer.commit();
    }

    private Answer get(String url) {
      int status = Integer.parseInt(url.substring(url.length() - 3));
      return new Answer(status, page(url, "a budget to travel"), now);
    }

    private static Document page(String url, String text) {
      Document page = new Document();
      page.add(new StringField("url", url, Field.Store.YES));
      page.add(new TextField("body", text, Field.Store.NO));
      return page;
    }
  }

  @Test
  void crawlersTakePagesAndReportWhatBecameOfThem(@TempDir Path folder) throws Exception {
    Analyzer analyzer = new StandardAnalyzer();
    AnalyzedQueries queries = AnalyzedQueries.of(analyzer, "body");
    Workload workload = Workload.builder().add(queries.terms("travel"), 45).build();
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    DeltaConfig config =
        DeltaConfig.builder(workload).keyField("url").scoredField("body").clock(now::get).build();
    List<String> urls =
        IntStream.of(200, 304, 404, 410, 503)
            .mapToObj("https://example.org/%d"::formatted)
            .toList();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(analyzer), config)) {
      for (String url : urls) {
        writer.updateDocument(new Term("url", url), Crawler.page(url, "travel"));
      }
      writer.commit();
      now.set(now.get().plus(Duration.ofDays(7)));
      FetchQueue queue = writer.fetchQueue(Duration.ofHours(6));
      new Crawler(now.get()).fetchNext(writer, queue);

      assertThat(lastRefresh(writer, urls.get(0))).as("indexed anew").isEqualTo(now.get());
      assertThat(lastRefresh(writer, urls.get(1))).as("visited").isEqualTo(now.get());
      assertThat(queue.held())
          .extracting(held -> held.kind() + " " + held.page())
          .containsExactlyInAnyOrder(
              "FAILED " + urls.get(2), "GONE " + urls.get(3), "FAILED " + urls.get(4));
    }
  }

  private static Instant lastRefresh(DeltaIndexWriter writer, String url) throws IOException {
    return writer.explain(url).orElseThrow().refreshes().get(0).fetched();
  }

  @Test
  void readALogByTheAnalyzerOfTheIndex(@TempDir Path temporary) throws Exception {
    Analyzer analyzer = new StandardAnalyzer();
    Path log = Files.writeString(temporary.resolve("log.csv"), "query,count\nBudget Travel,120\n");
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(log);
      Workload workload = ingest.workload(AnalyzedQueries.of(analyzer, "body")).workload();

      assertThat(workload.queryTerms(0)).containsExactlyInAnyOrder("budget", "travel");
      assertThat(workload.frequency(0)).isEqualTo(120);
    }
  }

  @Test
  void readATableWithoutAHeaderAndLeaveOutWhatFewSessionsAsked(@TempDir Path temporary)
      throws Exception {
    Analyzer analyzer = new StandardAnalyzer();
    String line = "2024-01-01T00:00:00Z\tsession %d\t%s\n";
    String often = line.formatted(1, "Travel") + line.formatted(2, "travel");
    Path log =
        Files.writeString(
            temporary.resolve("log.tsv"),
            often + line.formatted(3, "TRAVEL") + line.formatted(3, "my name"));
    List<Column> columns = List.of(Column.TIMESTAMP, Column.SESSION, Column.QUERY);
    IngestSettings settings =
        IngestSettings.usual(temporary)
            .withFormat(LogFormats.usual().withColumns(columns), "")
            .withMinSessions(3);
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read(log);
      Workload workload = ingest.workload(AnalyzedQueries.of(analyzer, "body")).workload();

      assertThat(workload.queryCount()).isEqualTo(1);
      assertThat(workload.queryTerms(0)).containsExactly("travel");
      assertThat(workload.frequency(0)).isEqualTo(3);
    }
  }

  @Test
  void whatUsersTypedIsCountedWithoutOperators(@TempDir Path temporary) throws Exception {
    Analyzer analyzer = new StandardAnalyzer();
    try (QueryCounts counts = new QueryCounts(temporary, QueryCounts.LEAST_HEAP_BYTES, 1)) {
      counts.add("+garden pond -koi", 1, 3);
      QueryNormalizer typed = TypedQueries.of(AnalyzedQueries.of(analyzer, "body"));
      Workload workload = counts.workload(typed).workload();

      assertThat(workload.queryTerms(0)).containsExactly("garden", "pond");
      assertThat(workload.frequency(0)).isEqualTo(3);
    }
  }

  @Test
  void aWriterTakesTheCurveThatClicksGive(@TempDir Path temporary) throws Exception {
    Analyzer analyzer = new StandardAnalyzer();
    String clicks = "Travel,1\n".repeat(9) + "Travel,2\n".repeat(4) + "Budget,3\n";
    Path log = Files.writeString(temporary.resolve("log.csv"), "query,rank\n" + clicks);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(log);
      Workload workload = ingest.workload(AnalyzedQueries.of(analyzer, "body")).workload();
      ViewingLikelihoodFit best =
          ViewingLikelihoodFit.all(ingest.clicks(), ingest.askedWhereClicked()).get(0);
      DeltaConfig config =
          DeltaConfig.builder(workload)
              .keyField("url")
              .scoredField("body")
              .estimator(new PassedPages(best.views()))
              .build();

      assertThat(config.toString()).contains("estimator=PassedPages[views=" + best.views());
    }
  }

  @ParameterizedTest
  @CsvSource({"README.md, 2", "docs/query-logs.md, 4"})
  void theDocumentShowsTheCodeThatRunsHere(String document, int shown) throws Exception {
    List<String> examples =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("..").resolve(document)))
            .results()
            .map(example -> squeezed(example.group(1)))
            .toList();
    assertThat(examples).hasSize(shown);
    String source =
        squeezed(
            Files.readString(Path.of("src/test/java/io/lucenedelta/delta/ReadmeExampleTest.java")));
    String last = "}"; // closes the block that here goes on with what is expected
    for (String example : examples) {
      assertThat(example).endsWith(last);
      assertThat(source).contains(example.substring(0, example.length() - last.length()));
    }
  }

  @Test
  void theReadmeNamesTheDependencyByTheVersionThatIsBuilt() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));
    String group = "<groupId>io.lucenedelta</groupId>";
    int from = pom.indexOf("<version>", pom.indexOf(group));
    String version = pom.substring(from, pom.indexOf("</version>", from));
    assertThat(squeezed(Files.readString(Path.of("..", "README.md"))))
        .contains(group + "<artifactId>lucene-delta</artifactId>" + version + "</version>");
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
