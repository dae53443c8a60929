// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.overhead.Alternative;
import io.lucenedelta.examples.overhead.OverheadFiles;
import io.lucenedelta.examples.overhead.OverheadPlan;
import io.lucenedelta.examples.overhead.OverheadProbe;
import io.lucenedelta.examples.overhead.OverheadRow;
import io.lucenedelta.examples.overhead.ScaleFiles;
import io.lucenedelta.examples.overhead.ScaleProbe;
import io.lucenedelta.examples.overhead.ScaleRow;
import io.lucenedelta.examples.overhead.WorkFolder;
import io.lucenedelta.examples.report.NothingToCompare;
import io.lucenedelta.examples.report.ReportTable;
import io.lucenedelta.examples.report.TextTable;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The verb {@code overhead}: what measuring costs on one's own data. */
// Long because every option stands here once, with its text and with what it does not go with.
@Command(
    name = "overhead",
    description = {
      "Indexes update batches of rising size with and without measurement, in turns, and compares.",
      "Writes overhead.tsv, report.html and, with --alternatives, alternatives.tsv. Without --crawl pages and queries are generated."
    },
    footer = {
      "",
      "Examples:",
      "  lucene-delta overhead --batches 20,50 --out overhead-out",
      "  lucene-delta overhead --adopt 1000000 --out adoption-out",
      "  lucene-delta overhead --scale 100000,1000000 --out scale-out",
      "  lucene-delta overhead --crawl crawl --query-log queries.log.gz \\",
      "      --batches 100,500,2000 --threads 1,2 --out overhead-out",
      "  lucene-delta overhead --crawl crawl --query-log queries.log.gz \\",
      "      --pages 60000 --batches 1 --queries 0 --out overhead-out"
    })
final class OverheadCommand implements Callable<Integer> {
  /** Megabytes. */
  private static final int USUALLY_GENERATED = 20;

  /** Texts of a generated crawl come to about this many characters a page. */
  private static final int GENERATED_PAGE = 1800;

  private static final double LONG_BATCH_MEGABYTES = 250;
  private static final int LONG_BATCH_PAGES = 20_000;

  /** What --adopt and --scale choose themselves. */
  private static final List<String> OF_BATCHES =
      List.of(
          "--generate",
          "--batches",
          "--pages",
          "--commit-every",
          "--threads",
          "--measuring-threads",
          "--warm-up",
          "--repeats",
          "--changed",
          "--ram-buffer",
          "--queries",
          "--terms",
          "--alternatives");

  /** What the report names where it was given: nothing else in it tells. */
  private static final List<String> TOLD =
      List.of(
          "--generate",
          "--addresses",
          "--pages",
          "--commit-every",
          "--warm-up",
          "--queries",
          "--terms");

  /** As many documents as an index can have. */
  private static final long MOST_PAGES = IndexWriter.MAX_DOCS;

  @Spec private CommandSpec spec;

  @Option(
      names = "--crawl",
      paramLabel = "DIR",
      description =
          "Crawl whose pages are indexed; repeated under other addresses as needed. At most "
              + OverheadProbe.MOST_MEGABYTES
              + " million characters of its pages are used.")
  private Path crawl;

  @Option(
      names = "--generate",
      paramLabel = "MB",
      description =
          "Text to generate without --crawl, at most "
              + OverheadProbe.MOST_MEGABYTES
              + " (default: "
              + USUALLY_GENERATED
              + ").")
  private Integer generate;

  @Mixin private AddressesOption addresses;

  @Mixin private QueryLogOptions queries;

  @Option(
      names = "--batches",
      split = ",",
      defaultValue = "100,200,500,1000,2000",
      paramLabel = "MB",
      description =
          "Batch sizes in millions of characters, each at most "
              + OverheadPlan.MOST_MEGABYTES
              + " (default: ${DEFAULT-VALUE}).")
  private List<Double> batches;

  @Option(
      names = "--pages",
      defaultValue = "0",
      paramLabel = "N",
      description =
          "Make every batch large enough for at least N pages (default: ${DEFAULT-VALUE}, no minimum).")
  private int leastPages;

  @Option(
      names = "--commit-every",
      paramLabel = "PAGES",
      description = "Commit after so many pages of a batch as well (default: at its end only).")
  private int commitPages = Integer.MAX_VALUE;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "Numbers of indexing threads, each at most "
              + OverheadPlan.MOST_THREADS
              + " (default: ${DEFAULT-VALUE}).")
  private List<Integer> threads;

  @Option(
      names = "--measuring-threads",
      paramLabel = "N",
      description =
          "Threads that measure a batch while its commit waits, at most "
              + OverheadPlan.MOST_MEASURING_THREADS
              + " (default: half of the processors, at least 1 and at most 4; here"
              + " ${DEFAULT-VALUE}).")
  private int measuringThreads = DeltaConfig.MEASURING_THREADS;

  @Option(
      names = "--warm-up",
      defaultValue = "4",
      paramLabel = "N",
      description =
          "Rounds of the first batch before anything is counted, for the compiler (default:"
              + " ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description =
          "How often each batch goes through each writer (default: 5; 2 when one is above 250 MB or"
              + " --pages above 20,000).")
  private Integer repeats;

  @Option(
      names = "--changed",
      defaultValue = "0.65",
      paramLabel = "SHARE",
      description = "Share of the pages whose text changed (default: ${DEFAULT-VALUE}).")
  private double changed;

  @Option(
      names = "--ram-buffer",
      paramLabel = "MB",
      description =
          "What the writers hold before they flush; the larger the flush, the less measuring costs"
              + " per page (default: ${DEFAULT-VALUE}, as Lucene's).")
  private double ramBuffer = IndexWriterConfig.DEFAULT_RAM_BUFFER_SIZE_MB;

  @Mixin private ReductionOptions reduction;

  @Option(
      names = "--alternatives",
      description =
          "Also measure what one could do instead, with one thread on a batch of its own of the"
              + " smallest size, which --pages does not enlarge.")
  private boolean alternatives;

  @Option(
      names = "--adopt",
      paramLabel = "PAGES",
      description =
          "Instead: adopt a plain index of so many generated pages, then replace a tenth of the"
              + " workload's terms; writes adoption.tsv.")
  private Long adopted;

  @Option(
      names = "--scale",
      split = ",",
      paramLabel = "PAGES",
      description =
          "Instead: update batches of one size on stores of so many generated pages, and on the first"
              + " of these by segments and by size of the workload; writes scale.tsv.")
  private List<Long> scale;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where to write the files; indexes are made and removed there.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    OverheadPlan plan = plan();
    PrintWriter err = spec.commandLine().getErr();
    checkPlaces();
    if (adopted != null) {
      new AdoptionReport(adopted, out, indexes()).run(spec.commandLine().getOut(), err);
    } else if (scale != null) {
      measureScale(err);
    } else {
      measureBatches(plan, err);
    }
    return 0;
  }

  private void measureBatches(OverheadPlan plan, PrintWriter err) throws IOException {
    SnapshotArchive named = crawl == null ? null : addresses.of(CrawlNotes.open(crawl, err));
    // before anything is generated: it may turn out that they cannot be read
    Workload asked = queries.given() ? queries.read(err) : null;
    SnapshotArchive archive = named == null ? SnapshotArchive.open(generate()) : named;
    Workload measured =
        reduction.reduced(
            asked == null ? queries.read(List.of(DemoCrawl.queryLog(out)), err) : asked);
    OverheadProbe probe = OverheadProbe.of(archive, measured, plan, indexes());
    BatchNotes heard = new BatchNotes(err);
    List<OverheadRow> rows;
    try (Progress progress = Progress.start("indexing", probe.turns(), err)) {
      heard.during(progress);
      rows =
          probe.run(
              progress::step,
              heard,
              soFar -> {
                boolean whole = soFar.size() == plan.rows();
                if (soFar.size() == 1 || whole) { // between them may be hours
                  unmeasurable(whole, probe, measured)
                      .forEach(sentence -> Progress.trouble(progress, err, sentence, null));
                }
                writeSoFar(files(plan, soFar, List.of(), probe, measured), progress, err);
              });
    }
    heard.during(null);
    List<Alternative> others =
        alternatives ? probe.alternatives(Collections.min(batches), heard) : List.of();
    OverheadFiles files = files(plan, rows, others, probe, measured);
    print(files.tables());
    files.write(out);
    printPlace();
  }

  /** Rows in hand are printed at the end, whether or not they can be written on the way. */
  private void writeSoFar(OverheadFiles files, Progress progress, PrintWriter err) {
    try {
      files.write(out);
    } catch (IOException e) {
      Progress.trouble(
          progress, err, "what was measured so far is not written; the run goes on", e);
    }
  }

  /** What to say where measuring finds nothing to do, which would seem to cost next to nothing. */
  private static List<String> unmeasurable(boolean whole, OverheadProbe probe, Workload measured) {
    return probe.isAnswered() ? List.of() : List.of(NothingToCompare.unmeasurable(whole, measured));
  }

  private OverheadFiles files(
      OverheadPlan plan,
      List<OverheadRow> rows,
      List<Alternative> others,
      OverheadProbe probe,
      Workload measured) {
    boolean whole = rows.size() == plan.rows();
    List<String> notes = new ArrayList<>(unmeasurable(whole, probe, measured));
    notes.addAll(probe.notes());
    return OverheadFiles.of(rows, others, plan.rows(), conditions(probe, measured), notes);
  }

  private void measureScale(PrintWriter err) throws IOException {
    ScaleProbe probe;
    try {
      probe = new ScaleProbe(indexes(), scale);
    } catch (IllegalArgumentException e) {
      throw bad("--scale: " + e.getMessage());
    }
    List<ScaleRow> rows;
    try (Progress progress = Progress.start("measuring", probe.points(), err)) {
      BatchNotes heard = new BatchNotes(err);
      heard.during(progress);
      rows = probe.run(progress::step, heard);
    }
    ScaleFiles files = new ScaleFiles(rows, Version.sentence(), probe.notes());
    print(List.of(files.table()));
    files.write(out);
    printPlace();
  }

  /** Before they are written: where that fails, what took hours is not lost. */
  private void print(List<ReportTable> tables) {
    PrintWriter text = spec.commandLine().getOut();
    TextTable.print(tables, text);
    text.flush();
  }

  private void printPlace() {
    PrintWriter text = spec.commandLine().getOut();
    text.println("Figures: " + out.resolve("report.html").toAbsolutePath());
    text.flush();
  }

  private void checkPlaces() throws IOException {
    OutputPlace.requireFolder(out);
    if (adopted == null && scale == null) {
      requireUnread();
    }
    if (WorkFolder.isInUse(indexes())) {
      throw new CommandFailure(
          "%s is in use by another run of overhead, and would be removed: wait until that has ended, or name another directory with --out"
              .formatted(indexes()));
    }
    if (!WorkFolder.isFree(indexes())) {
      throw new CommandFailure(
          "%s is not of an earlier run, and would be removed: move it away, or name another directory with --out"
              .formatted(indexes()));
    }
  }

  /** Where indexes are made and removed. */
  private Path indexes() {
    return out.resolve("indexes");
  }

  private void requireUnread() throws IOException {
    List<Path> read = new ArrayList<>(queries.files());
    read.replaceAll(LogName::place);
    OutputPlace.requireUnread(out, crawl, read);
    if (crawl == null) {
      CrawlOptions.requireDemoPlace(out, read);
    } else {
      read.add(crawl);
    }
    for (Path input : read) {
      if (OutputPlace.isWithin(input, indexes())) {
        throw new CommandFailure(
            "%s is read, and %s is removed: name another directory with --out"
                .formatted(input, indexes()));
      }
    }
  }

  private void checkGenerated() {
    if (adopted != null && scale != null) {
      throw bad("--adopt and --scale are two measurements: run one after the other");
    }
    if (crawl != null && (adopted != null || scale != null)) {
      throw bad("--adopt and --scale generate their pages: leave --crawl out");
    }
    if (spec.commandLine().getParseResult().hasMatchedOption("--addresses")
        && (adopted != null || scale != null)) {
      throw bad("--adopt and --scale generate their pages: leave --addresses out");
    }
    if (queries.given() && (adopted != null || scale != null)) {
      throw bad("--adopt and --scale generate their queries: leave --query-log and --workload out");
    }
    if (queries.saysFormat() && (adopted != null || scale != null)) {
      throw bad(
          "--adopt and --scale generate their queries: leave --log-format, --columns and"
              + " --query-parameter out");
    }
    for (String ofBatches : OF_BATCHES) {
      if ((adopted != null || scale != null)
          && spec.commandLine().getParseResult().hasMatchedOption(ofBatches)) {
        throw bad(
            "--adopt and --scale have batches of their own: leave %s out".formatted(ofBatches));
      }
    }
    if (adopted != null && (adopted < 1 || adopted > MOST_PAGES)) {
      throw bad("--adopt must be 1 to %d pages, was %d".formatted(MOST_PAGES, adopted));
    }
    if (scale != null && scale.stream().anyMatch(pages -> pages > MOST_PAGES)) {
      throw bad("--scale must be 1 to %d pages, was %s".formatted(MOST_PAGES, scale));
    }
  }

  /**
   * What the options ask for.
   *
   * @throws ParameterException in one sentence
   */
  OverheadPlan plan() {
    checkGenerated();
    addresses.check(crawl);
    boolean asked = queries.given();
    if (crawl != null && !asked) {
      throw bad("--crawl needs queries as well: add --query-log FILE, or --workload FILE");
    }
    queries.checkFormat();
    if (generate != null && crawl != null) {
      throw bad("--generate makes the pages that --crawl brings: leave one of them out");
    }
    if (generate != null && (generate < 1 || generate > OverheadProbe.MOST_MEGABYTES)) {
      throw bad(
          "--generate must be 1 to %d, was %d; larger batches have each page several times"
              .formatted(OverheadProbe.MOST_MEGABYTES, generate));
    }
    reduction.check();
    try {
      int rounds = repeats == null ? usualRepeats() : repeats;
      return new OverheadPlan(
          batches,
          leastPages,
          commitPages,
          threads,
          measuringThreads,
          warmUp,
          rounds,
          changed,
          ramBuffer);
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  /** Long batches vary little, and take long. */
  private int usualRepeats() {
    boolean longBatch =
        leastPages > LONG_BATCH_PAGES
            || batches.stream().anyMatch(size -> size > LONG_BATCH_MEGABYTES);
    return longBatch ? 2 : 5;
  }

  private Path generate() throws IOException {
    int megabytes = generate == null ? USUALLY_GENERATED : generate;
    int pages = Math.max(100, megabytes * 1_000_000 / GENERATED_PAGE);
    new DemoCrawl(pages, 8, Math.max(200, pages), 10 * pages, 42).write(out);
    return DemoCrawl.snapshots(out);
  }

  private String conditions(OverheadProbe probe, Workload workload) {
    return String.format(
        Locale.ENGLISH,
        "Pages: %s, %,d different ones. Queries: %,d of %,d terms. Changed pages: %.0f %%. RAM buffer: %s MB. Measuring threads: %d.%s %s",
        crawl == null ? "generated" : CrawlOptions.nameOf(crawl),
        probe.pages(),
        workload.queryCount(),
        workload.termCount(),
        100 * changed,
        ramBuffer,
        measuringThreads,
        chosen(),
        Version.sentence());
  }

  /** What else the figures go by, where it is not as usual. */
  private String chosen() {
    ParseResult given = spec.commandLine().getParseResult();
    String options =
        TOLD.stream()
            .filter(given::hasMatchedOption)
            .map(
                name ->
                    name + " " + String.join("", given.matchedOption(name).originalStringValues()))
            .collect(Collectors.joining(", "));
    return options.isEmpty() ? "" : " With " + options + ".";
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
