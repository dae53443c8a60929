// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.quality.ShiftEffect;
import io.lucenedelta.scorer.quality.ViewingLikelihood;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountedCostsTest {
  private static final int PAGES = 100; // more than the terms of which one is sampled
  private static final long BUSY = 100_000_000; // nanoseconds, far more than the rest takes
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  @TempDir Path folder;

  @Test
  void countingCostsChangesNothingOfWhatIsMeasured() throws Exception {
    assertThat(order(true)).isEqualTo(order(false)).hasSize(PAGES);
  }

  private List<PagePriority> order(boolean counted) throws Exception {
    List<String> troubles = new ArrayList<>();
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder().add(List.of("alpha"), 3).add(List.of("beta"), 1).build())
            .keyField("url")
            .scoredField("body")
            .scoredField("title")
            .fetchTimeField("fetched")
            .statePath(folder.resolve(counted ? "counted" : "not"))
            .hashSeed(7) // of both
            .countCosts(counted)
            .listener(
                new DeltaListener() {
                  @Override
                  public void trouble(Trouble kind, String what, Throwable cause) {
                    troubles.add(what);
                  }
                })
            .build();
    List<PagePriority> order;
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int week = 0; week < 3; week++) {
        for (int page = 0; page < PAGES; page++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + page, Field.Store.NO));
          document.add(new TextField("title", "w" + page + " beta", Field.Store.NO));
          document.add(
              new TextField("body", "alpha ".repeat(1 + (page + week) % 7) + page, Field.Store.NO));
          document.add(config.fetchTime(START.plusSeconds(604_800L * week + page)));
          writer.updateDocument(new Term("url", "p" + page), document);
        }
        writer.commit();
      }
      order = writer.nextPages(PAGES, START.plusSeconds(604_800L * 8));
    }
    assertThat(troubles).isEmpty();
    return order;
  }

  /** They may be most of what measuring takes: whoever looks for its cause must find it here. */
  @Test
  void pagesReadBackFromTheIndexAndVisitsAreCounted() throws Exception {
    Costs clock = new Costs(true);
    AtomicReference<String> busyAt = new AtomicReference<>("");
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .countCosts(true)
            .faults(
                point -> {
                  if (point.equals(busyAt.get())) {
                    beBusy(clock);
                  }
                })
            .build();
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      Document page = new Document();
      page.add(new StringField("url", "p", Field.Store.NO));
      page.add(new TextField("body", "alpha", Field.Store.NO));
      writer.updateDocument(new Term("url", "p"), page);
      writer.commit();
      assumeTrue(history(writer) > 0, "this JVM tells no thread's CPU time");

      long before = history(writer);
      busyAt.set(FaultPoints.VISITS);
      writer.recordUnchanged("p", Instant.now().plusSeconds(60));
      writer.commit();
      assertThat(history(writer) - before).as("visits").isGreaterThanOrEqualTo(BUSY);

      writer.deleteDocuments(new TermQuery(new Term("url", "p")));
      writer.commit(); // which reads nothing: the next question does
      before = history(writer);
      busyAt.set(FaultPoints.BEFORE_MANIFEST);
      assertThat(writer.status().pages()).isZero();
      assertThat(history(writer) - before).as("read back").isGreaterThanOrEqualTo(BUSY);
    }
  }

  /** What merging takes is told by a file that cannot be merged, of which the listener hears. */
  @Test
  void mergingFilesOfRefreshesIsAStepOfItsOwn() throws Exception {
    DeltaConfig config = busyWhenTold("cannot be merged");
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int batch = 0; batch < 9; batch++) {
        Document page = new Document();
        page.add(new StringField("url", "p", Field.Store.NO));
        page.add(new TextField("body", "alpha ".repeat(batch + 1), Field.Store.NO));
        writer.updateDocument(new Term("url", "p"), page);
        writer.commit();
        if (batch == 0) {
          assumeTrue(history(writer) > 0, "this JVM tells no thread's CPU time");
          Files.write(folder.resolve("state").resolve("batch_1"), new byte[0]);
        }
      }
      assertThat(writer.costs().nanos().get(Costs.Step.MERGE)).isGreaterThanOrEqualTo(BUSY);
    }
  }

  /** What orders the pages cannot be read, of which the listener hears while it is looked at. */
  @Test
  void keepingTheOrderUpToDateIsAStepOfItsOwnAndNoneUntilSomebodyAsks() throws Exception {
    DeltaConfig config = busyWhenTold("orders the pages cannot be read");
    try (Directory directory = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = indexed(directory, config)) {
        assumeTrue(history(writer) > 0, "this JVM tells no thread's CPU time");
        assertThat(writer.costs().nanos().get(Costs.Step.ORDER)).isZero();
        assertThat(writer.nextPages(1)).hasSize(1);
      }
      try (Stream<Path> files = Files.list(folder.resolve("state"))) {
        for (Path file :
            files
                .filter(name -> name.getFileName().toString().startsWith(OrderFile.COLUMNS))
                .toList()) {
          Files.write(file, new byte[0]);
        }
      }
      try (DeltaIndexWriter writer = indexed(directory, config)) {
        assertThat(writer.costs().nanos().get(Costs.Step.ORDER)).isGreaterThanOrEqualTo(BUSY / 2);
      }
    }
  }

  /** With a listener that works for a while when it is told of something. */
  private DeltaConfig busyWhenTold(String words) {
    Costs clock = new Costs(true);
    return DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
        .keyField("url")
        .scoredField("body")
        .statePath(folder.resolve("state"))
        .countCosts(true)
        .listener(
            new DeltaListener() {
              @Override
              public void trouble(Trouble kind, String what, Throwable cause) {
                if (what.contains(words)) {
                  beBusy(clock);
                }
              }
            })
        .build();
  }

  private static DeltaIndexWriter indexed(Directory directory, DeltaConfig config)
      throws Exception {
    DeltaIndexWriter writer =
        new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
    Document page = new Document();
    page.add(new StringField("url", "p", Field.Store.NO));
    page.add(new TextField("body", "alpha", Field.Store.NO));
    writer.updateDocument(new Term("url", "p"), page);
    writer.commit();
    return writer;
  }

  /** As a change is: both are sums over score shifts. */
  @Test
  void usefulnessOfAPageThatComesIsCountedAsQualityAndNotAsItsShifts() throws Exception {
    Costs clock = new Costs(true);
    QualityChange usual = new PassedPages(PowerLawViews.PAPER);
    QualityChange busy =
        new QualityChange() {
          @Override
          public ViewingLikelihood views() {
            return usual.views();
          }

          @Override
          public ShiftEffect effect(LogLogRankFunction function, double before, double after) {
            beBusy(clock);
            return usual.effect(function, before, after);
          }
        };
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .estimator(busy)
            .countCosts(true)
            .build();
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      Map<Costs.Step, Long> before = Map.of();
      for (String url : List.of("p", "q")) {
        before = writer.costs().nanos();
        Document page = new Document();
        page.add(new StringField("url", url, Field.Store.NO));
        page.add(new TextField("body", "alpha", Field.Store.NO));
        writer.updateDocument(new Term("url", url), page);
        writer.commit(); // the first builds rank functions
      }
      assumeTrue(history(writer) > 0, "this JVM tells no thread's CPU time");
      Map<Costs.Step, Long> after = writer.costs().nanos();
      assertThat(after.get(Costs.Step.QUALITY) - before.get(Costs.Step.QUALITY))
          .isGreaterThan(BUSY / 2);
      assertThat(after.get(Costs.Step.SHIFT) - before.get(Costs.Step.SHIFT)).isLessThan(BUSY / 2);
    }
  }

  @Test
  void whatAVirtualThreadDoesCountsAsNothingAndSpoilsNoLaterCount() throws Exception {
    Costs counted = new Costs(true);
    Thread.ofVirtual().start(() -> rounds(counted, 1, () -> {})).join();
    assertThat(counted.nanos().values()).allMatch(Long.valueOf(0)::equals);
    assumeTrue(counted.begin() >= 0, "this JVM tells no thread's CPU time");
    rounds(counted, 1, () -> beBusy(counted));
    assertThat(counted.nanos().get(Costs.Step.SHIFT)).isGreaterThan(BUSY / 2);
  }

  /** A step takes as long as asking, or less: what is counted would double, or more. */
  @Test
  void whatAskingForCpuTimeTakesIsNotCounted() {
    Costs clock = new Costs(true);
    assumeTrue(clock.begin() >= 0, "this JVM tells no thread's CPU time");
    rounds(clock, 50_000, () -> {}); // until it is compiled
    Costs counted = new Costs(true);
    long begin = clock.begin();
    rounds(counted, 500_000, () -> {});
    long all = clock.begin() - begin; // most of it for asking
    assertThat(counted.nanos().values().stream().mapToLong(Long::longValue).sum())
        .as("counted of %,d ns", all)
        .isLessThan(all / 2);
  }

  /** A loop of rounds with one step each. */
  private static void rounds(Costs costs, int rounds, Runnable work) {
    Costs.Loop loop = costs.loop();
    for (int round = 0; round < rounds; round++) {
      loop.round();
      work.run();
      loop.step(Costs.Step.SHIFT);
    }
    loop.end(Costs.Step.SHIFT);
  }

  private static void beBusy(Costs clock) {
    long begin = clock.begin();
    while (clock.begin() - begin < BUSY) {
      Thread.onSpinWait();
    }
  }

  private static long history(DeltaIndexWriter writer) {
    return writer.costs().nanos().get(Costs.Step.HISTORY);
  }
}
