// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * A snapshot in a folder of WARC files, as crawlers write that begin a new one when it is large;
 * its time is that of its earliest file.
 *
 * @param files in the order of their names, at least one
 */
record WarcFolderSnapshot(Path folder, List<WarcSnapshot> files) implements Snapshot {
  /**
   * Opens the files of a folder.
   *
   * @param files in the order of their names, at least one
   * @throws CrawlException if one has no record with a date
   */
  static WarcFolderSnapshot open(Path folder, List<Path> files) {
    return new WarcFolderSnapshot(folder, files.stream().map(WarcSnapshot::open).toList());
  }

  /** Whether the files are not in the folder itself, but in one below. */
  boolean isBelow() {
    return !folder.equals(files.get(0).file().getParent());
  }

  @Override
  public String name() {
    return folder.getFileName().toString();
  }

  @Override
  public Instant time() {
    return files.stream().map(WarcSnapshot::time).min(Comparator.naturalOrder()).orElseThrow();
  }

  @Override
  public SnapshotTally read(SnapshotFilter filter) throws IOException {
    SnapshotTally tally = new SnapshotTally();
    for (WarcSnapshot file : files) {
      tally.add(file.read(filter));
    }
    return tally;
  }
}
