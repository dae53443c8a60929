// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.OneLine;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.crawl.SnapshotTally;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code index}: a crawl into a measured index, one batch a week. */
@Command(
    name = "index",
    description = {
      "Indexes the snapshots of a crawl, one batch a week, and measures what each changed page"
          + " did to the results.",
      "A page that is absent from a later snapshot was visited and found unchanged, unless"
          + " --silence unknown says that nobody knows.",
      "A page that a snapshot has with another status than 200, such as 404 or 410, or with an"
          + " answer that cannot be read, stays in the index as it was, and no visit of it counts.",
      "Keeps the measurements in INDEX.delta, beside the index."
    },
    footer = {
      "",
      "Examples:",
      "  lucene-delta index --crawl crawl --query-log queries.log.gz \\",
      "      --index pages.index",
      "  lucene-delta index --crawl crawl --query-log queries.log.gz \\",
      "      --index pages.index --weeks 24-47",
      "  lucene-delta index --crawl crawl --query-log queries.log.gz \\",
      "      --index pages.index --whole-queries 0.9 --rank-memory 1000000"
    })
final class IndexCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--crawl",
      required = true,
      paramLabel = "DIR",
      description =
          "Directory of WARC files, one per snapshot, or of one folder per snapshot, of WARC files"
              + " or of pages.")
  private Path crawl;

  @Mixin private AddressesOption addresses;

  @Mixin private QueryLogOptions queries;

  @Option(
      names = "--index",
      required = true,
      paramLabel = "DIR",
      description = "The index: made, or continued.")
  private Path index;

  @Option(
      names = "--weeks",
      paramLabel = "A-B",
      description =
          "Snapshots to index, from 0, both ends included (default: all after those in the index)."
              + " Earlier snapshots that are not in the index are applied together with the first of"
              + " these; to pages of an index that does not say which it has, they count as"
              + " applied.")
  private String range;

  @Option(
      names = "--silence",
      defaultValue = "unchanged",
      paramLabel = "NAME",
      description =
          "What it means that a snapshot leaves a page out: unchanged (it was visited and found as it"
              + " was) or unknown (the crawl did not reach every page) (default: ${DEFAULT-VALUE}).")
  private Silence silence;

  @Mixin private MeasuringOptions measuring;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    if (!queries.given()) {
      throw new ParameterException(
          spec.commandLine(), "which queries count? add --query-log FILE, or --workload FILE");
    }
    addresses.check(crawl);
    measuring.check();
    if (OutputPlace.isWithin(index, crawl)) {
      throw new CommandFailure(
          "--index %s is in the crawl %s, which is read: name a directory outside of it"
              .formatted(index, crawl));
    }
    MeasuredIndex.requireOwn(index);
    SnapshotArchive archive = addresses.of(CrawlNotes.open(crawl, err));
    CrawlNotes.tellPace(archive, err);
    WeekRange asked = weeks(archive);
    Optional<Instant> told = MeasuredIndex.crawled(index);
    Instant crawled = crawled(told, archive, asked);
    int first = firstToIndex(crawled, archive, asked, err);
    Workload workload = queries.read(err);
    boolean measuredBefore = MeasuredIndex.isMeasured(index);
    BatchNotes notes = new BatchNotes(err);
    TableOutput table =
        new TableOutput(
            "week", "time", "pages", "unchanged", "left_out", "refreshes", "quality_change");
    if (measuredBefore && first > asked.last()) {
      err.println("nothing is indexed, and the measurements stay as they are, with their queries");
    } else {
      int skipped = firstSkipped(crawled, archive, first, err);
      if (measuredBefore) {
        requireReadable(archive, skipped, first, err);
      }
      requireStill(told); // before a writer brings the measurements to its own queries
      try (MeasuredIndex measured = MeasuredIndex.open(index, workload, measuring, notes)) {
        requireStill(told); // once no other run can write any more
        index(measured, archive, skipped, first, asked.last(), notes, table);
        measured.learnFromDiscovered();
      } catch (Throwable failure) {
        printBrokenOff(table, failure);
        throw failure;
      }
    }
    table.print(format.chosen(), spec.commandLine().getOut());
    return 0;
  }

  /**
   * Which weeks are indexed was decided before the queries were read and the first batch was
   * checked, either of which may take minutes.
   *
   * @param told up to when the index had the crawl then
   * @throws CommandFailure if another run has gone on with the index meanwhile
   */
  private void requireStill(Optional<Instant> told) throws IOException {
    Optional<Instant> now = MeasuredIndex.crawled(index);
    if (!now.equals(told)) {
      throw new CommandFailure(
          "another run has indexed into %s meanwhile, which has the crawl up to %s now: start again, to go on from there"
              .formatted(index, now.map(Instant::toString).orElse("a time that it does not say")));
    }
  }

  /** The weeks before a failure are committed, and nobody indexes them again. */
  private void printBrokenOff(TableOutput table, Throwable failure) {
    try {
      table.printBrokenOff(format.chosen(), spec.commandLine().getOut());
    } catch (Throwable also) {
      failure.addSuppressed(also);
    }
  }

  /**
   * Reads the first batch to its end: a writer that is opened brings the measurements to its own
   * queries at once, and a batch that then fails would leave them so.
   */
  private static void requireReadable(
      SnapshotArchive archive, int from, int week, PrintWriter err) {
    try (Progress progress = Progress.start("checking the crawl", week + 1 - from, err)) {
      for (int read = from; read <= week; read++) {
        archive.read(read, page -> {});
        progress.step();
      }
    }
  }

  /**
   * Indexes the weeks from first to last, both included, a row each; with the first what those from
   * {@code skipped} on say.
   */
  private void index(
      MeasuredIndex measured,
      SnapshotArchive archive,
      int skipped,
      int first,
      int last,
      BatchNotes notes,
      TableOutput table)
      throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    SnapshotTally total = new SnapshotTally();
    boolean noPage;
    List<String> remarks;
    try (Progress progress = Progress.start("indexing", last + 1 - first, err)) {
      notes.during(progress);
      WeekIndexing weeks = new WeekIndexing(measured, archive, silence, total, progress);
      for (int week = first; week <= last; week++) {
        notes.begin();
        SnapshotTally tally = weeks.index(week == first ? skipped : week, week);
        table.row(
            week,
            archive.time(week),
            tally.pages(),
            weeks.unchanged(),
            tally.leftOut(),
            notes.refreshes(),
            notes.qualityChange());
        // at once: the week is committed, whatever becomes of the next
        progress.aside(() -> table.printSoFar(format.chosen(), spec.commandLine().getOut()));
        progress.step();
      }
      noPage = weeks.foundNoPage();
      remarks = weeks.remarks();
    } finally {
      notes.during(null);
      CrawlNotes.leftOut(total, err); // nobody reads the weeks before a failure again
    }
    remarks.forEach(line -> err.println(OneLine.of(line)));
    if (noPage && first <= last) {
      throw new CommandFailure(SnapshotArchive.NO_PAGE);
    }
  }

  /**
   * Up to when the index has the crawl. Where it has pages and does not say so, weeks indexed again
   * would come after newer ones, so those before {@code --weeks} count as indexed.
   *
   * @param told what it says
   */
  private Instant crawled(Optional<Instant> told, SnapshotArchive archive, WeekRange asked)
      throws IOException {
    if (told.isPresent() || !MeasuredIndex.hasPages(index)) {
      return told.orElse(Instant.MIN);
    }
    if (range == null) {
      throw new CommandFailure(
          "%s has pages, but its commit data do not say of which snapshots (%s), perhaps since another program has set its own: name with --weeks those to index; those before them count as indexed"
              .formatted(index, MeasuredIndex.CRAWLED));
    }
    if (asked.first() == 0) {
      return Instant.MIN;
    }
    spec.commandLine()
        .getErr()
        .println(
            OneLine.of(
                "%s does not say which snapshots it has: those before %d count as indexed"
                    .formatted(index, asked.first())));
    return archive.time(asked.first() - 1);
  }

  private WeekRange weeks(SnapshotArchive archive) {
    try {
      return range == null
          ? new WeekRange(0, archive.size() - 1)
          : WeekRange.of(range, archive.size());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  /**
   * The first week after those in the index: one indexed again would count each visit twice, and an
   * older one would come after newer ones.
   */
  private int firstToIndex(
      Instant crawled, SnapshotArchive archive, WeekRange asked, PrintWriter err) {
    int first = asked.first();
    while (first <= asked.last() && !archive.time(first).isAfter(crawled)) {
      first++;
    }
    if (first > asked.first()) {
      String there =
          "%s not after the crawl that the index has, which is up to %s"
              .formatted(new WeekRange(asked.first(), first - 1).asSubject(), crawled);
      if (range != null) {
        throw new CommandFailure(
            there + ": name later ones with --weeks, or another directory with --index");
      }
      err.println(there + (first > asked.last() ? "" : "; going on with week " + first));
    }
    return first;
  }

  /** The first of the weeks just before {@code first} that are not in the index; it if none is. */
  private static int firstSkipped(
      Instant crawled, SnapshotArchive archive, int first, PrintWriter err) {
    int skipped = first;
    while (skipped > 0 && archive.time(skipped - 1).isAfter(crawled)) {
      skipped--;
    }
    if (skipped < first) {
      err.println(
          "%s not in the index: what is known by week %d comes with that, in one batch"
              .formatted(new WeekRange(skipped, first - 1).asSubject(), first));
    }
    return skipped;
  }
}
