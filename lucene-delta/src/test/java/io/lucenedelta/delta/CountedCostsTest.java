// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lucenedelta.workload.Workload;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
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
    Costs clock = new Costs(true);
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .countCosts(true)
            .listener(
                new DeltaListener() {
                  @Override
                  public void trouble(Trouble kind, String what, Throwable cause) {
                    if (what.contains("cannot be merged")) {
                      beBusy(clock);
                    }
                  }
                })
            .build();
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

  /** What asking for CPU time takes is found once for all writers of a JVM. */
  @Test
  void whatAVirtualThreadDoesCountsAsNothingAndSpoilsNoLaterCount() throws Exception {
    URL classes = Child.jarOf(Costs.class).toUri().toURL();
    try (URLClassLoader another =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Class<?> costs = another.loadClass(Costs.class.getName()); // as in a JVM of its own
      Constructor<?> made = costs.getDeclaredConstructor(boolean.class);
      made.setAccessible(true);
      Object counted = made.newInstance(true);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  roundOf(counted);
                } catch (Throwable t) {
                  failure.set(t);
                }
              })
          .join();
      assertThat(failure.get()).isNull();
      assertThat(((Map<?, ?>) call(counted, "nanos")).values()).allMatch(Long.valueOf(0)::equals);
      roundOf(counted);
      assumeTrue((long) call(counted, "begin") >= 0, "this JVM tells no thread's CPU time");
      java.lang.reflect.Field asking =
          another.loadClass(Costs.class.getName() + "$Clocks").getDeclaredField("CPU");
      asking.setAccessible(true);
      Method least = asking.getDeclaringClass().getDeclaredMethod("leastOfMany");
      least.setAccessible(true);
      assumeTrue((long) least.invoke(null) > 0, "the clock is coarser than a question");
      assertThat(asking.getLong(null)).isPositive();
    }
  }

  /** A loop of one round, with one step. */
  private static void roundOf(Object costs) throws ReflectiveOperationException {
    Object loop = call(costs, "loop");
    Class<?> steps = loop.getClass().getClassLoader().loadClass(Costs.Step.class.getName());
    Object step = steps.getEnumConstants()[0];
    call(loop, "round");
    call(loop, "step", step);
    call(loop, "end", step);
  }

  private static Object call(Object on, String name, Object... arguments)
      throws ReflectiveOperationException {
    Class<?>[] types = Stream.of(arguments).map(Object::getClass).toArray(Class<?>[]::new);
    Method method = on.getClass().getDeclaredMethod(name, types);
    method.setAccessible(true);
    return method.invoke(on, arguments);
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
