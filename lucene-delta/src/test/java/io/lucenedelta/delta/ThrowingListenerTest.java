// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a listener throws reaches neither the index nor the measurements. */
class ThrowingListenerTest {
  private static final int PAGES = 12_000; // so that progress is told of

  @TempDir Path folder;

  private String armed = "";

  /** Notes what it is told, then throws one after the other. */
  private static final class Throwing implements DeltaListener {
    private final List<Supplier<Throwable>> thrown;
    private final TreeSet<String> heard = new TreeSet<>();
    private int times;

    Throwing(List<Supplier<Throwable>> thrown) {
      this.thrown = thrown;
    }

    private synchronized void hear(String what) {
      heard.add(what);
      if (!thrown.isEmpty()) {
        ThrowingListenerTest.<RuntimeException>sneak(thrown.get(times++ % thrown.size()).get());
      }
    }

    @Override
    public void batchMeasured(long generation, int refreshes, double qualityChange) {
      hear("batch");
    }

    @Override
    public void trouble(Trouble kind, String sentence, Throwable cause) {
      hear("trouble");
    }

    @Override
    public void progress(String task, long done, long total) {
      hear("progress");
    }
  }

  @SuppressWarnings("unchecked") // as languages without checked exceptions throw
  private static <T extends Throwable> void sneak(Throwable any) throws T {
    throw (T) any;
  }

  private static void put(DeltaIndexWriter writer, int page, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "p" + page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", "p" + page), document);
  }

  /** What can be told, told; the answers of the end. */
  private List<Object> run(String name, Throwing listener) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .listener(listener)
            .faults(
                point -> {
                  if (point.equals(armed)) {
                    throw new IllegalStateException("armed");
                  }
                })
            .build();
    List<Object> answers = new ArrayList<>();
    try (Directory directory = FSDirectory.open(folder.resolve(name))) {
      for (int opening = 0; opening < 2; opening++) {
        try (DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
          for (int page = 0; opening == 0 && page < PAGES; page++) {
            put(writer, page, page < 20 ? "alpha" : "other");
          }
          writer.commit();
          put(writer, 3, "alpha alpha " + opening);
          armed = FaultPoints.END_SEGMENT;
          writer.commit();
          armed = "";
          put(writer, 4, "alpha alpha alpha " + opening);
          writer.commit();
          writer.rebuild();
          writer.fetchQueue(Duration.ofDays(1)).take(3);
          answers.add(writer.status().batchesMeasured());
          answers.add(writer.status().batchesIncomplete());
          for (int page : new int[] {3, 4}) {
            answers.add(
                writer.explain("p" + page).orElseThrow().refreshes().stream()
                    .map(MeasuredRefresh::qualityChange)
                    .toList());
          }
        }
        damageTheQueue(folder.resolve(name + ".delta"));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        answers.add(reader.numDocs());
      }
    }
    return answers;
  }

  private static void damageTheQueue(Path state) throws IOException {
    try (Stream<Path> files = Files.list(state)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith("queue_")) {
          Files.write(file, new byte[9]);
        }
      }
    }
  }

  @Test
  void whateverAListenerThrowsIsIgnored() throws IOException {
    Throwing quiet = new Throwing(List.of());
    Throwing loud =
        new Throwing(
            List.of(
                () -> new IllegalStateException("injected"),
                () -> new AssertionError("injected"),
                () -> new StackOverflowError("injected"),
                () -> new IOException("injected")));
    List<Object> expected = run("quiet", quiet);
    assertThat(run("loud", loud)).isEqualTo(expected);
    assertThat(quiet.heard).containsExactly("batch", "progress", "trouble");
    assertThat(loud.heard).isEqualTo(quiet.heard);
    assertThat(loud.times).isGreaterThanOrEqualTo(8);
  }

  /**
   * Where a class or an object lacks memory, a failure that cannot be told would be the commit's: a
   * lambda, or a sentence of parts, makes a class when it is first used.
   */
  @ParameterizedTest
  @ValueSource(classes = {QuietListener.class, CommitWatch.class})
  void whatIsToldInACommitTakesNoClassThatIsYetToBeMade(Class<?> type) throws Exception {
    StringWriter code = new StringWriter();
    PrintWriter out = new PrintWriter(code);
    Path file = Child.jarOf(type).resolve(type.getName().replace('.', '/') + ".class");
    ToolProvider.findFirst("javap").orElseThrow().run(out, out, "-c", "-p", file.toString());
    assertThat(code.toString()).contains("invokeinterface").doesNotContain("invokedynamic");
  }
}
