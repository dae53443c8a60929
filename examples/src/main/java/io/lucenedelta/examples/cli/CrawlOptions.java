// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.replay.ReplayCorpus;
import io.lucenedelta.examples.replay.Scoring;
import io.lucenedelta.examples.replay.Strategies;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
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

  @Mixin private AddressesOption addresses;

  @Mixin private QueryLogOptions queries;

  @Option(
      names = "--scoring",
      defaultValue = "bm25",
      paramLabel = "NAME",
      description = "bm25, tfidf or importance (default: ${DEFAULT-VALUE}).")
  private Scoring scoring;

  @Option(
      names = "--importance",
      paramLabel = "FILE",
      description =
          "Page and number of in-links, tab-separated: what --scoring importance scores by and, in"
              + " replay, what lambda-crawl and cluster-sampling weigh pages by.")
  private Path importance;

  /**
   * Complains of what does not go together.
   *
   * @throws ParameterException in one sentence
   */
  void check() {
    addresses.check(crawl);
    boolean asked = queries.given();
    if (crawl != null && !asked) {
      throw bad("--crawl needs queries as well: add --query-log FILE, or --workload FILE");
    }
    queries.checkFormat();
    if (scoring == Scoring.IMPORTANCE && importance == null && crawl != null) {
      throw bad("--scoring importance needs the in-link counts: add --importance FILE");
    }
  }

  /**
   * Complains of in-links that nothing goes by.
   *
   * @param strategies those that are replayed, if any
   * @throws ParameterException in one sentence
   */
  void checkImportance(List<String> strategies) {
    boolean used =
        scoring == Scoring.IMPORTANCE
            || !Collections.disjoint(strategies, Strategies.WITH_IMPORTANCE);
    if (importance != null && !used) {
      throw bad(
          strategies.isEmpty()
              ? "--importance has no effect without --scoring importance; add that, or leave"
                  + " --importance out"
              : "--importance has no effect without --scoring importance or one of the strategies %s; add one of these, or leave --importance out"
                  .formatted(String.join(", ", Strategies.WITH_IMPORTANCE)));
    }
  }

  Scoring scoring() {
    return scoring;
  }

  /**
   * What was named or generated.
   *
   * @param inlinks in-link counts by page: those that were named or, when they are what pages are
   *     scored by, the demo's; else none
   */
  record Input(SnapshotArchive archive, Workload workload, Map<String, Integer> inlinks) {}

  /**
   * Opens the crawl and reads what is asked of it; a demo is generated into {@code out}, after all
   * that was named turned out to be readable.
   *
   * @param suits throws if so many snapshots do not suit the verb
   */
  Input read(long seed, Path out, IntConsumer suits, PrintWriter err) throws IOException {
    OutputPlace.requireFolder(out);
    OutputPlace.requireUnread(out, crawl, files());
    SnapshotArchive named = crawl == null ? null : addresses.of(CrawlNotes.open(crawl, err));
    DemoCrawl demo = DemoCrawl.withSeed(seed);
    if (named == null) {
      requireDemoPlace(out, files());
    } else {
      CrawlNotes.tellPace(named, err);
    }
    suits.accept(named == null ? demo.weeks() : named.size());
    Map<String, Integer> inlinks = importance == null ? null : InlinkTable.read(importance);
    Workload asked = queries.given() ? queries.read(err) : null;
    if (named == null) {
      err.printf(
          "no --crawl given: generating a demo crawl of %d pages over %d weeks into %s%n",
          demo.pages(), demo.weeks(), out);
      demo.write(out);
    }
    if (inlinks == null) {
      boolean wanted = scoring == Scoring.IMPORTANCE;
      inlinks = wanted ? InlinkTable.read(DemoCrawl.inlinks(out)) : Map.of();
    }
    return new Input(
        named == null ? SnapshotArchive.open(DemoCrawl.snapshots(out)) : named,
        asked == null ? queries.read(List.of(DemoCrawl.queryLog(out)), err) : asked,
        inlinks);
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
          "no --crawl given, and the demo crawl would be written over what %s holds: name crawl and log"
                  .formatted(out)
              + " with --crawl and --query-log, or another directory with --out");
    }
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>(queries.files());
    files.replaceAll(LogName::place);
    if (importance != null) {
      files.add(importance);
    }
    return files;
  }

  /** Whether no crawl is named, and the demo's is made. */
  boolean isDemo() {
    return crawl == null;
  }

  /** What to call the crawl. */
  String name() {
    return crawl == null ? "demo crawl" : nameOf(crawl);
  }

  /** What to call a crawl that is named: {@code .} tells none from another. */
  static String nameOf(Path crawl) {
    Path whole = crawl.toAbsolutePath().normalize();
    return String.valueOf(whole.getFileName() == null ? whole : whole.getFileName());
  }

  /**
   * What was read beside the crawl, and what of it: clauses for the report.
   *
   * @param inlinks what {@link #inlinks} says of the crawl, if anything
   */
  List<String> notes(List<String> inlinks) {
    List<String> notes = new ArrayList<>(addresses.notes());
    if (!queries.files().isEmpty()) {
      notes.add("queries are those of " + namesOf(queries.files()));
    }
    notes.addAll(inlinks);
    return notes;
  }

  /**
   * Tells how far in-links that were named are of the pages that were read: of addresses written in
   * another way few may be, and all other pages count as having none. Addresses that are no page
   * may be in the crawl all the same: {@code --addresses} leaves some out.
   *
   * @return what was told, a clause for the report; nothing where none were named
   */
  List<String> inlinks(Map<String, Integer> counts, ReplayCorpus corpus, PrintWriter err) {
    if (importance == null) {
      return List.of();
    }
    int pages = corpus.pageCount();
    long counted =
        IntStream.range(0, pages).filter(page -> counts.containsKey(corpus.page(page))).count();
    long others = counts.size() - counted;
    String note =
        String.format(
            Locale.ENGLISH,
            "in-links are those of %s, which has counts of %,d of the %,d pages%s",
            nameOf(importance),
            counted,
            pages,
            others == 0
                ? ""
                : String.format(
                    Locale.ENGLISH,
                    " and of %,d %s not among them",
                    others,
                    others == 1 ? "address that is" : "addresses that are"));
    CrawlNotes.say(err, note);
    err.flush();
    return List.of(note);
  }

  private static String namesOf(List<Path> files) {
    String first = nameOf(files.get(0));
    return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
