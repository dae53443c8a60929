// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.OneLine;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.crawl.SnapshotPace;
import io.lucenedelta.examples.crawl.SnapshotTally;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** Tells on standard error what of a crawl is not among its pages, and what is not known of it. */
final class CrawlNotes {
  private CrawlNotes() {}

  /**
   * Opens a crawl, names what in it is passed over or may be meant otherwise, and says so if its
   * times are not told.
   */
  static SnapshotArchive open(Path crawl, PrintWriter err) {
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    int count = archive.passedOver().size();
    if (count > 0) {
      say(
          err,
          "passed over in %s, where .warc and .warc.gz are read: %s%s"
              .formatted(
                  crawl,
                  archive.passedOver().get(0),
                  count == 1 ? "" : " and " + (count - 1) + " more"));
    }
    archive.remarks().forEach(remark -> say(err, remark));
    if (archive.assumesWeeks()) {
      say(
          err,
          "no folder of %s has a date such as 2024-01-31 in its name: snapshots count as weekly from"
                  .formatted(crawl)
              + " 2000-01-01");
    }
    return archive;
  }

  /** Tells where a week, of which the verb speaks, is no week. */
  static void tellPace(SnapshotArchive archive, PrintWriter err) {
    pace(archive).forEach(line -> say(err, line));
  }

  /** What to say of the time between snapshots, if anything. */
  static List<String> pace(SnapshotArchive archive) {
    return SnapshotPace.of(archive).flatMap(SnapshotPace::note).stream().toList();
  }

  /** Tells what records were no pages, a line for each reason. */
  static void leftOut(SnapshotTally tally, PrintWriter err) {
    tally.lines().forEach(line -> say(err, line));
    err.flush();
  }

  /** Names and addresses are foreign: they cannot reach the terminal as commands. */
  static void say(PrintWriter err, String line) {
    err.println(OneLine.of(line));
  }
}
