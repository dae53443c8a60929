// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.lucenedelta.scorer.refresh.AdaptiveInterval;
import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.MeasuredRefreshes;
import io.lucenedelta.scorer.refresh.NeverRefresh;
import io.lucenedelta.scorer.refresh.Recency;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.UserCentric;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.scorer.refresh.Visits;
import io.lucenedelta.scorer.schedule.ChoGarciaMolina;
import io.lucenedelta.scorer.schedule.CurveFitting;
import io.lucenedelta.scorer.schedule.Divergence;
import io.lucenedelta.scorer.schedule.IncrementalBuckets;
import io.lucenedelta.scorer.schedule.LambdaCrawl;
import io.lucenedelta.scorer.schedule.Polling;
import io.lucenedelta.scorer.schedule.Staleness;
import io.lucenedelta.scorer.schedule.StaticUtility;
import io.lucenedelta.scorer.schedule.UtilitySettings;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strategies that go by single visits find them on a live index. */
class VisitRecordsTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final int PAGES = 50;
  private static final int CHANGING = 10;

  private final List<String> troubles = new ArrayList<>();

  @TempDir private Path folder;

  private DeltaConfig config() {
    Workload asked = Workload.builder().add(List.of("alpha"), 10).add(List.of("beta"), 5).build();
    return DeltaConfig.builder(asked)
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .listener(new Troubles(troubles))
        .build();
  }

  private static IndexWriterConfig settings() {
    return new IndexWriterConfig(new WhitespaceAnalyzer());
  }

  private Document page(String url, String body, Instant fetched) {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.YES));
    document.add(new TextField("body", body, Field.Store.NO));
    document.add(config().fetchTime(fetched));
    return document;
  }

  private void put(DeltaIndexWriter writer, String url, String body, Instant fetched)
      throws IOException {
    writer.updateDocument(new Term("url", url), page(url, body, fetched));
  }

  private static Instant week(int week) {
    return START.plus(Duration.ofDays(7L * week));
  }

  private static List<String> names(List<PagePriority> pages) {
    return pages.stream().map(PagePriority::page).toList();
  }

  /** The first ten of fifty pages enter or leave the results every week, the others never do. */
  private void recordTwelveWeeks(DeltaIndexWriter writer) throws IOException {
    for (int week = 0; week < 12; week++) {
      for (int page = 0; page < PAGES; page++) {
        boolean found = page < CHANGING ? week % 2 == page % 2 : page % 2 == 0;
        put(writer, "page" + page, found ? "alpha" : "nothing", week(week));
      }
      writer.commit();
    }
  }

  @Test
  void strategiesThatGoByVisitsFetchThePagesFirstThatWereFoundChanged() throws IOException {
    Map<String, RefreshPolicy> policies = new TreeMap<>();
    policies.put("cgm", new ChoGarciaMolina(28, 1));
    policies.put("polling", new Polling(1));
    policies.put("lambda-crawl", new LambdaCrawl(LambdaCrawl.Importance.INLINKS, 1));
    policies.put("by clicks", new LambdaCrawl(LambdaCrawl.Importance.VIEWS, 1));
    policies.put("incremental-buckets", new IncrementalBuckets(PAGES / CHANGING, 1));
    policies.put("adaptive-interval", new AdaptiveInterval(1));
    policies.put("staleness", new Staleness(0, Knowledge.ONLINE, 1));
    policies.put("staleness by threshold", new Staleness(0.5, Knowledge.ONLINE, 1));
    policies.put("holistic-static", new StaticUtility(Divergence.HOLISTIC, 0, 1));
    policies.put("fragment-static", new StaticUtility(Divergence.FRAGMENT, 0, 1));
    policies.put("curve-fitting", new CurveFitting(UtilitySettings.ofThreshold(1), 1));
    policies.put("skipping", new Uniform(Uniform.StaticPages.SKIP, 1));
    String[] changing =
        IntStream.range(0, CHANGING).mapToObj(i -> "page" + i).toArray(String[]::new);
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings(), config())) {
        recordTwelveWeeks(writer);
        for (Map.Entry<String, RefreshPolicy> policy : policies.entrySet()) {
          assertThat(names(writer.nextPages(policy.getValue(), CHANGING, week(12))))
              .as(policy.getKey())
              .containsExactlyInAnyOrder(changing);
        }
      }
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        for (Map.Entry<String, RefreshPolicy> policy : policies.entrySet()) {
          assertThat(names(state.nextPages(policy.getValue(), CHANGING, week(12))))
              .as(policy.getKey())
              .containsExactlyInAnyOrder(changing);
        }
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void onlyAStrategyThatAsksForVisitsReadsThem() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings(), config())) {
      recordTwelveWeeks(writer);
      Path file;
      try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
        file =
            files
                .filter(path -> path.getFileName().toString().startsWith("refreshes"))
                .findFirst()
                .orElseThrow();
      }
      Files.delete(file);
      for (RefreshPolicy policy :
          List.of(
              new UserUtility(1),
              new UserCentric(1),
              new Uniform(Uniform.StaticPages.FETCH, 1),
              new NeverRefresh())) {
        writer.nextPages(policy, PAGES, week(12));
      }
      for (RefreshPolicy policy : List.of(new Polling(1), new UserCentric(Recency.window(2), 1))) {
        assertThatThrownBy(() -> writer.nextPages(policy, PAGES, week(12)))
            .isInstanceOf(NoSuchFileException.class)
            .hasMessageContaining(file.toString())
            .hasMessageContaining("put it back");
      }
    }
  }

  @Test
  void visitsOfPagesThatLeftTheIndexAreNotKept() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings(), config())) {
        recordTwelveWeeks(writer);
        assertThat(pagesRead(writer)).isEqualTo(PAGES);
        for (int page = 0; page < PAGES; page += 2) {
          writer.deleteDocuments(new Term("url", "page" + page));
        }
        writer.commit();
        assertThat(pagesRead(writer)).isEqualTo(PAGES / 2);
        put(writer, "page8", "alpha", week(12));
        writer.commit();
        assertThat(pagesRead(writer)).isEqualTo(PAGES / 2 + 1);
      }
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        VisitRecords visits = state.visitRecords();
        state
            .histories()
            .forEach(page -> assertThat(visits.of(page).measured().size()).isGreaterThan(10));
        assertThat(visits.size()).isEqualTo(PAGES / 2 + 1);
      }
    }
  }

  private static int pagesRead(DeltaIndexWriter writer) throws IOException {
    StoredHistories histories = writer.measurer().toOrder();
    VisitRecords visits = writer.measurer().visitRecords(histories);
    histories.forEach(page -> assertThat(visits.of(page).measured().size()).isGreaterThan(10));
    return visits.size();
  }

  /** What one page was visited for. */
  private static final class Model {
    private final List<Instant> times = new ArrayList<>();
    private final List<Boolean> changed = new ArrayList<>();
    private boolean found;

    void visit(Instant time, boolean finds) {
      changed.add(!times.isEmpty() && finds != found);
      times.add(time);
      found = finds;
    }
  }

  /** What was read back of a page. */
  private record Read(List<Instant> times, List<Boolean> changed) {}

  private static RefreshPolicy reader(Map<String, Read> read) {
    return (known, budget) -> {
      known.forEach(
          page -> {
            Visits visits = page.visits();
            MeasuredRefreshes measured = page.measured();
            List<Instant> times = new ArrayList<>();
            List<Boolean> changed = new ArrayList<>();
            double rates = 0;
            for (int visit = 0; visit < visits.size(); visit++) {
              times.add(visits.time(visit));
              changed.add(visits.changed(visit));
            }
            for (int refresh = 0; refresh < measured.size(); refresh++) {
              assertThat(measured.time(refresh)).isEqualTo(times.get(refresh + 1));
              rates += measured.rate(refresh);
            }
            assertThat(page.fetches()).isEqualTo(times).last().isEqualTo(page.lastRefresh());
            assertThat(measured.size()).isEqualTo(page.refreshes()).isEqualTo(times.size() - 1);
            assertThat(ChangeRate.changes(visits)).as(page.page()).isEqualTo(page.changes());
            assertThat(visits.daysWatched()).isEqualTo(page.totalDays(), offset(1e-9));
            assertThat(rates).isEqualTo(page.sumOfRates(), offset(1e-4 * (1 + rates)));
            boolean differs = changed.contains(true);
            assertThat(visits.divergence(0, times.size() - 1)).isEqualTo(differs ? 1 : 0);
            read.put(page.page(), new Read(times, changed));
          });
      return (pages, now, left) -> List.of();
    };
  }

  @Test
  void theVisitsReadBackAreThoseThatWereMade() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, Model> models = new TreeMap<>();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain = new IndexWriter(directory, settings())) {
        plain.addDocument(page("adopted", "alpha", START.minusSeconds(12_345)));
      }
      models.put("adopted", new Model());
      models.get("adopted").visit(START.minusSeconds(12_345), true);
      DeltaIndexWriter writer = new DeltaIndexWriter(directory, settings(), config());
      for (int week = 0; week < 40; week++) {
        for (int page = 0; page <= PAGES; page++) {
          String url = page == PAGES ? "adopted" : "page" + page;
          Model model = models.computeIfAbsent(url, name -> new Model());
          Instant fetched = week(week).plusMillis(random.nextInt(500_000_000));
          boolean first = model.times.isEmpty();
          if (week < 2 || random.nextInt(4) == 0) {
            boolean finds = first ? page % 2 == 0 : model.found ^ random.nextInt(8) < page % 5;
            put(writer, url, finds ? "alpha" : "nothing", fetched);
            model.visit(fetched, finds);
          } else if (random.nextInt(3) == 0) {
            writer.recordUnchanged(url, fetched);
            model.visit(fetched, model.found);
          }
        }
        if (week == 20) {
          writer.deleteDocuments(new Term("url", "page3")); // comes back some time
        }
        writer.commit();
        if (week % 10 == 7) {
          writer.close();
          writer = new DeltaIndexWriter(directory, settings(), config());
        }
        if (week % 10 == 9) {
          writer.rebuild();
        }
        if (week % 5 >= 2) {
          Map<String, Read> read = new TreeMap<>();
          writer.nextPages(reader(read), 1, week(week + 1));
          compare(seed, week, models, read);
        }
      }
      writer.close();
      Map<String, Read> read = new TreeMap<>();
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        state.nextPages(reader(read), 1, week(41));
        assertThat(state.status().refreshFiles()).isLessThan(20); // they were compacted
      }
      compare(seed, 40, models, read);
    }
  }

  private static void compare(
      long seed, int week, Map<String, Model> models, Map<String, Read> read) {
    models.forEach(
        (url, model) -> {
          if (!url.equals("page3")) { // left the index once
            assertThat(read.get(url))
                .as("%s in week %d, seed %d", url, week, seed)
                .isEqualTo(new Read(model.times, model.changed));
          }
        });
  }
}
