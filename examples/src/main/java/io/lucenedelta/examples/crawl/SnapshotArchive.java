// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A crawl directory: snapshots in time order, each a set of pages.
 *
 * <p>The directory holds either WARC files ({@code .warc}, {@code .warc.gz}), one snapshot each, or
 * one folder per snapshot, of WARC files that make it up together or of files that are pages; name
 * order is time order, and other files beside them are ignored. Snapshot 0 holds every page; <em>a
 * page that is absent from a later snapshot is unchanged, not gone</em>. Of a page that a snapshot
 * has with an answer that is no page, nobody knows what it held then: an index counts no visit of
 * it, and a replay, which must show some text in every week, goes on with the text from before.
 *
 * <p>WARC files: {@code response} records with HTTP status 200 and {@code resource} records are
 * pages, keyed by their target address, which must be of http, https or ftp; content encodings are
 * undone; an answer that broke off, is no HTTP or cannot be decoded is left out and counted; {@code
 * revisit} records and answers of status 304 say that a page is unchanged. Folders: every file is a
 * page, keyed by its path within the folder with {@code /} between names; the folder's date is the
 * ISO date in its name ({@code 2024-01-31}), or, when no folder has one, snapshots count as weekly
 * from 2000-01-01.
 *
 * <p>HTML gives its title and visible text; Markdown loses its YAML front matter; reStructuredText
 * and plain text stay as they are; everything else is left out and counted.
 *
 * <p>Opening reads one record per file; pages are read on demand and never kept, so memory does not
 * depend on the size of the crawl. Reading the same bytes twice gives the same pages in the same
 * order. Safe for use by several threads.
 */
public final class SnapshotArchive {
  private final List<Snapshot> snapshots;

  private SnapshotArchive(List<Snapshot> snapshots) {
    this.snapshots = snapshots;
  }

  /**
   * Opens a crawl directory.
   *
   * @throws CrawlException if the directory is missing or empty, a file is not a WARC file, or the
   *     snapshots' times do not increase
   */
  public static SnapshotArchive open(Path directory) {
    if (!Files.exists(directory)) {
      throw new CrawlException("no crawl directory " + directory + ": check the path");
    }
    if (!Files.isDirectory(directory)) {
      throw new CrawlException(directory + " is a file: name the directory that holds the crawl");
    }
    try {
      List<Snapshot> snapshots = snapshotsOf(directory);
      requireIncreasingTimes(directory, snapshots);
      return new SnapshotArchive(List.copyOf(snapshots));
    } catch (IOException e) {
      throw new CrawlException("cannot list " + directory + ": " + e.getMessage(), e);
    }
  }

  /** Number of snapshots, at least 1. */
  public int size() {
    return snapshots.size();
  }

  /** When a snapshot was taken, {@code 0 <= snapshot < size()}; later than the one before. */
  public Instant time(int snapshot) {
    return snapshots.get(snapshot).time();
  }

  /** The file or folder name of a snapshot, {@code 0 <= snapshot < size()}. */
  public String name(int snapshot) {
    return snapshots.get(snapshot).name();
  }

  /**
   * Reads a snapshot and hands its pages to {@code reader} one by one, and the addresses that were
   * asked for and gave none. A page that occurs twice in one snapshot is handed out twice: the last
   * one counts.
   *
   * @throws CrawlException if the snapshot is damaged; pages before the damage were handed out
   */
  public SnapshotTally read(int snapshot, SnapshotReader reader) {
    Snapshot chosen = snapshots.get(snapshot);
    try {
      return chosen.read(reader);
    } catch (IOException e) {
      throw new CrawlException("cannot read " + chosen.name() + ": " + e.getMessage(), e);
    }
  }

  private static List<Snapshot> snapshotsOf(Path directory) throws IOException {
    List<Path> files = children(directory, SnapshotArchive::isWarc);
    List<Snapshot> snapshots = new ArrayList<>();
    for (Path file : files) {
      snapshots.add(WarcSnapshot.open(file));
    }
    if (files.isEmpty()) {
      snapshots.addAll(folders(children(directory, Files::isDirectory)));
    }
    if (snapshots.isEmpty()) {
      throw new CrawlException(
          directory
              + " holds no crawl: put one .warc or .warc.gz file, or one folder of such files or of"
              + " pages, per snapshot into it");
    }
    return snapshots;
  }

  private static List<? extends Snapshot> folders(List<Path> folders) throws IOException {
    List<WarcFolderSnapshot> packed = new ArrayList<>();
    for (Path folder : folders) {
      List<Path> files = children(folder, SnapshotArchive::isWarc);
      if (files.isEmpty() != packed.isEmpty() && !folder.equals(folders.get(0))) {
        throw new CrawlException(
            "folder %s holds %s: put every snapshot into WARC files, or none"
                .formatted(
                    folder,
                    files.isEmpty()
                        ? "no WARC file, the one before it does"
                        : "WARC files, the one before it none"));
      }
      if (!files.isEmpty()) {
        packed.add(WarcFolderSnapshot.open(folder, files));
      }
    }
    return packed.isEmpty() ? FolderSnapshot.open(folders) : packed;
  }

  private static List<Path> children(Path directory, Predicate<Path> wanted) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children
          .filter(path -> !path.getFileName().toString().startsWith("."))
          .filter(wanted)
          .sorted(Comparator.comparing(path -> path.getFileName().toString()))
          .toList();
    }
  }

  private static boolean isWarc(Path path) {
    String name = path.getFileName().toString();
    return (name.endsWith(".warc") || name.endsWith(".warc.gz")) && Files.isRegularFile(path);
  }

  private static void requireIncreasingTimes(Path directory, List<Snapshot> snapshots) {
    for (int i = 1; i < snapshots.size(); i++) {
      Snapshot before = snapshots.get(i - 1);
      Snapshot after = snapshots.get(i);
      if (!after.time().isAfter(before.time())) {
        throw new CrawlException(
            String.format(
                "snapshots of %s must be in time order by name: %s (%s) is followed by %s (%s);"
                    + " rename them; WARC files of one snapshot belong into a folder of their own,"
                    + " beside the folders of the others",
                directory, before.name(), before.time(), after.name(), after.time()));
      }
    }
  }
}
