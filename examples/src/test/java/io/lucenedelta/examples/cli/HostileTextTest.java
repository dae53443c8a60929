// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.examples.report.HtmlReport;
import io.lucenedelta.examples.search.SearchApp;
import io.lucenedelta.workload.CountedWorkload;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.LogFormats;
import io.lucenedelta.workload.log.WorkloadIngest;
import io.lucenedelta.workload.relevance.RelevanceCut;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Queries, page keys, titles and lines of logs that are scripts stay text on every page that shows
 * them: as parsed, and as a browser shows them.
 */
@ResourceLock(value = FreshScripts.RUN, mode = ResourceAccessMode.READ)
class HostileTextTest {
  private static final String MARK = "document.documentElement.dataset.ran='yes'";
  private static final String SCRIPT = "<script>" + MARK + "</script>";
  private static final String BREAKOUT = "\"></script></title></textarea>" + SCRIPT;
  private static final String IMAGE = "<img/src=x/onerror=" + MARK + ">";
  private static final List<String> QUERIES = List.of(SCRIPT, BREAKOUT, IMAGE);

  /** Scripts that the pages bring along themselves: the charting library, its data and the call. */
  private static final int OWN_SCRIPTS_OF_A_FIGURE = 3;

  private static final int OWN_SCRIPTS_OF_A_REPORT = 2;

  @TempDir static Path directory;

  private static SearchApp app;
  private static URI workloadReport;
  private static URI plainReport;

  @BeforeAll
  static void writePages() throws Exception {
    workloadReport = workloadReport(directory.resolve("workload.html"));
    plainReport = directory.resolve("report.html").toUri();
    HtmlReport.titled(BREAKOUT).heading(SCRIPT).paragraph(IMAGE).write(Path.of(plainReport));
    app = SearchApp.start(index(directory.resolve("index")), 0, sentence -> {});
  }

  @AfterAll
  static void stop() throws IOException {
    if (app != null) {
      app.close();
    }
  }

  @Test
  void noElementOfAPageComesFromAQueryAKeyOrALine() throws IOException {
    for (Map.Entry<URI, Integer> page : pages().entrySet()) {
      org.jsoup.nodes.Document parsed = parsed(page.getKey());
      assertThat(parsed.select("script")).as("%s", page.getKey()).hasSize(page.getValue());
      assertThat(parsed.select("img, iframe, [src], [href^=javascript]")).isEmpty();
      for (Element element : parsed.getAllElements()) {
        assertThat(element.attributes().asList())
            .as("%s", element.tagName())
            .noneMatch(attribute -> attribute.getKey().startsWith("on"));
      }
    }
  }

  @Test
  void whatIsHostileIsShownAsItWasTyped() throws IOException {
    assertThat(parsed(workloadReport).select("tbody th, td").eachText())
        .contains(SCRIPT, IMAGE, BREAKOUT.replace("\"", ""));
    assertThat(parsed(plainReport).title()).isEqualTo(BREAKOUT);
    assertThat(parsed(why()).select("tbody th a").eachText()).contains(SCRIPT);
    assertThat(parsed(app.address().resolve("next")).select("tbody th a").eachText())
        .contains(BREAKOUT, "javascript:" + MARK);
  }

  @Test
  void nothingOfItRunsInABrowser() throws IOException, InterruptedException {
    Optional<Browser> found = Browser.find(directory);
    assumeTrue(found.isPresent(), "no Chromium or Chrome on the PATH: nothing is shown in one");
    Path control = directory.resolve("control.html");
    Files.writeString(control, "<!DOCTYPE html><title>control</title>" + SCRIPT + IMAGE);
    assumeTrue(
        found.get().shown(control.toUri()).contains("data-ran=\"yes\""),
        "the browser on the PATH does not run here: nothing is shown in it");

    for (URI page : pages().keySet()) {
      org.jsoup.nodes.Document shown = Jsoup.parse(found.get().shown(page));
      assertThat(shown.select("main h1")).as("%s is shown", page).isNotEmpty();
      assertThat(shown.select("[data-ran]")).as("%s runs nothing", page).isEmpty();
    }
  }

  /** Every page that shows text of others, with the number of scripts of its own. */
  private static Map<URI, Integer> pages() {
    Map<URI, Integer> pages = new LinkedHashMap<>();
    pages.put(workloadReport, OWN_SCRIPTS_OF_A_FIGURE);
    pages.put(plainReport, OWN_SCRIPTS_OF_A_REPORT);
    pages.put(why(), 0);
    pages.put(app.address().resolve("next"), 0);
    pages.put(app.address().resolve("?q=" + encoded(BREAKOUT)), 0);
    pages.put(app.address().resolve("?q=fox"), 0);
    pages.put(app.address().resolve("why?page=" + encoded(IMAGE)), 0);
    return pages;
  }

  private static URI why() {
    return app.address().resolve("why?page=" + encoded(BREAKOUT));
  }

  private static org.jsoup.nodes.Document parsed(URI page) throws IOException {
    return page.getScheme().equals("file")
        ? Jsoup.parse(Path.of(page))
        : Jsoup.connect(page.toString()).ignoreHttpErrors(true).get();
  }

  /** Hostile queries, hostile lines that cannot be read, and a figure. */
  private static URI workloadReport(Path file) throws IOException {
    List<String> lines = new ArrayList<>(List.of("fox\t3", "hen\t2", "cow\t1"));
    QUERIES.forEach(query -> lines.add(query + "\t5"));
    QUERIES.forEach(query -> lines.add(query + "\tnumber\t" + query));
    Path log = Files.write(directory.resolve("counts.tsv"), lines);
    IngestSettings settings =
        IngestSettings.usual(directory).withFormat(LogFormats.usual(), "counts");
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read(log);
      CountedWorkload counted = ingest.workload(text -> List.of(text.split(" ")));
      double[] sums = {9, 8, 7, 2, 1, 0.1};
      WorkloadOutcome.Relevance relevance =
          new WorkloadOutcome.Relevance(sums, RelevanceCut.of(sums, 1), counted.workload());
      WorkloadReport.of(
              new WorkloadOutcome(
                  ingest, counted, Optional.of(relevance), 0, counted.workload(), List.of()),
              10)
          .write(file);
    }
    return file.toUri();
  }

  /** Words are what stands between blanks, so that hostile ones are terms. */
  private static Path index(Path index) throws IOException {
    Workload workload = Workload.builder().add(List.of(SCRIPT), 5).add(List.of(IMAGE), 2).build();
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField(PageAnalysis.KEY)
            .scoredField(PageAnalysis.BODY)
            .fetchTimeField(PageAnalysis.FETCHED)
            .build();
    try (FSDirectory files = FSDirectory.open(index);
        WhitespaceAnalyzer analyzer = new WhitespaceAnalyzer();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(files, new IndexWriterConfig(analyzer), config)) {
      for (String key : List.of(BREAKOUT, "javascript:" + MARK)) {
        update(writer, config, new CrawledPage(key, day(1), IMAGE, "a fox " + IMAGE));
        writer.commit();
        update(writer, config, new CrawledPage(key, day(8), SCRIPT, "a fox " + SCRIPT));
        writer.commit();
      }
    }
    return index;
  }

  private static Instant day(int day) {
    return Instant.parse("2024-01-0" + day + "T00:00:00Z");
  }

  private static void update(DeltaIndexWriter writer, DeltaConfig config, CrawledPage page)
      throws IOException {
    Document document = PageAnalysis.document(page);
    document.add(config.fetchTime(page.fetched()));
    writer.updateDocument(new Term(PageAnalysis.KEY, page.key()), document);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
