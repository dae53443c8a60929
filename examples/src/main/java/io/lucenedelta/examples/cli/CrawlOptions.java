// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.replay.Scoring;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A crawl, the queries asked of it and how pages are scored: named, or a generated demo of all
 * three, which is written where the results go.
 */
final class CrawlOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--crawl",
      paramLabel = "DIR",
      description =
          "Directory of WARC files, one per snapshot, or of one folder per snapshot, of WARC files"
              + " or of pages.")
  private Path crawl;

  @Mixin private QueryLogOptions queries;

  @Option(
      names = "--scoring",
      defaultValue = "bm25",
      paramLabel = "NAME",
      description = "bm25, tfidf or importance (default: ${DEFAULT-VALUE}).")
  private String scoring;

  @Option(
      names = "--importance",
      paramLabel = "FILE",
      description = "Page and number of in-links, tab-separated, for --scoring importance.")
  private Path importance;

  /**
   * Complains of what does not go together.
   *
   * @throws ParameterException in one sentence
   */
  void check() {
    boolean asked = queries.given();
    if (crawl != null && !asked) {
      throw bad("--crawl needs queries as well: add --query-log FILE, or --workload FILE");
    }
    if (scoring() == Scoring.IMPORTANCE && importance == null && crawl != null) {
      throw bad("--scoring importance needs the in-link counts: add --importance FILE");
    }
    if (scoring() != Scoring.IMPORTANCE && importance != null) {
      throw bad(
          "--importance has no effect without --scoring importance; add that, or leave --importance"
              + " out");
    }
  }

  Scoring scoring() {
    try {
      return Scoring.of(scoring);
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  /** Opens the crawl; a demo is generated into {@code out}. */
  SnapshotArchive archive(long seed, Path out, PrintWriter err) throws IOException {
    OutputPlace.requireFolder(out);
    OutputPlace.requireUnread(out, crawl, files());
    if (crawl != null) {
      return CrawlNotes.open(crawl, err);
    }
    requireDemoPlace(out, files());
    DemoCrawl demo = DemoCrawl.withSeed(seed);
    err.printf(
        "no --crawl given: generating a demo crawl of %d pages over %d weeks into %s%n",
        demo.pages(), demo.weeks(), out);
    demo.write(out);
    return SnapshotArchive.open(DemoCrawl.snapshots(out));
  }

  /**
   * Refuses a directory where a demo would be written over something else.
   *
   * @param read files that are read although they may be an earlier demo's
   */
  static void requireDemoPlace(Path out, List<Path> read) throws IOException {
    boolean free = DemoCrawl.mayWrite(out);
    for (Path input : read) {
      free =
          free
              && !OutputPlace.isSame(DemoCrawl.queryLog(out), input)
              && !OutputPlace.isSame(DemoCrawl.inlinks(out), input);
    }
    if (!free) {
      throw new CommandFailure(
          "no --crawl given, and the demo crawl would be written over what %s holds: name that with"
                  .formatted(out)
              + " --crawl, or another directory with --out");
    }
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>(queries.files());
    if (importance != null) {
      files.add(importance);
    }
    return files;
  }

  /** Reads the queries: those named, or the demo's. */
  Workload workload(Path out, PrintWriter err) throws IOException {
    return queries.given()
        ? queries.read(err)
        : queries.read(List.of(DemoCrawl.queryLog(out)), err);
  }

  /** In-link counts by page, when they are what pages are scored by. */
  Map<String, Integer> inlinks(Path out) throws IOException {
    return scoring() == Scoring.IMPORTANCE
        ? InlinkTable.read(importance == null ? DemoCrawl.inlinks(out) : importance)
        : Map.of();
  }

  /** What to call the crawl. */
  String name() {
    return crawl == null ? "demo crawl" : String.valueOf(crawl.getFileName());
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
