// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A crawl directory: snapshots in time order, each a set of pages.
 *
 * <p>The directory holds either WARC files ({@code .warc}, {@code .warc.gz}), one snapshot each, or
 * one folder per snapshot, of WARC files that make it up together or of files that are pages; name
 * order is time order, and other files beside them are ignored; those that look like parts of a
 * crawl are named, see {@link #passedOver}. Snapshot 0 holds every page; <em>a page that is absent
 * from a later snapshot is unchanged, not gone</em>. If a snapshot has a page with an answer that
 * is no page, nobody knows what the page held then: an index counts no visit of it, and a replay,
 * which must show some text in every week, goes on with the text from before.
 *
 * <p>WARC files: {@code response} records with HTTP status 200 and {@code resource} records are
 * pages, keyed by their target address, which must be of http, https or ftp; content encodings are
 * undone; an answer that broke off (by its own {@code Content-Length} or chunks, by a segment that
 * follows, or as {@code WARC-Truncated} says, unless that says {@code length}), is no HTTP or
 * cannot be decoded is left out and counted; {@code revisit} records and answers of status 304 say
 * that a page is unchanged. Folders: every file is a page, keyed by its path within the folder with
 * {@code /} between names; a link to a directory in it is left out and counted; the folder's date
 * is the ISO date in its name ({@code 2024-01-31} or {@code 20240131}), or, when no folder has one,
 * snapshots {@linkplain #assumesWeeks count as weekly} from 2000-01-01.
 *
 * <p>HTML gives its title and visible text; Markdown loses its YAML front matter; reStructuredText
 * and plain text stay as they are; everything else is left out and counted.
 *
 * <p>Opening reads the first records of each file; pages are read on demand and only the next few
 * are kept, so memory does not depend on the size of the crawl. Reading the same bytes twice gives
 * the same pages in the same order. Safe for use by several threads.
 */
public final class SnapshotArchive {
  /** What to say of a crawl that gave no page at all. */
  public static final String NO_PAGE =
      "the crawl holds no page that can be read as text: name one with answers of status 200 in"
          + " HTML, Markdown, reStructuredText or plain text";

  /** Parts of crawls in shapes that are not read, or that a crawler has not finished yet. */
  private static final Pattern UNREAD =
      Pattern.compile(
          ".*\\.(?:warc\\.(?:zst|bz2|xz|lz4|7z|zip)|warc(?:\\.gz)?\\.open|arc(?:\\.gz)?|wacz)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final int NAMES_SHOWN = 3;

  private final List<Snapshot> snapshots;
  private final List<String> passedOver;

  private SnapshotArchive(List<Snapshot> snapshots, List<String> passedOver) {
    this.snapshots = snapshots;
    this.passedOver = passedOver;
  }

  /**
   * Opens a crawl directory.
   *
   * @throws CrawlException if the directory is missing or holds no crawl, a file is not a WARC
   *     file, some snapshots are in WARC files and others in folders of them, or the snapshots'
   *     times do not increase
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
      return new SnapshotArchive(List.copyOf(snapshots), passedOver(directory, snapshots));
    } catch (IOException e) {
      throw CrawlException.unreadable("list " + directory, e);
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

  /** Whether nothing tells when snapshots were taken, so that they count as weekly. */
  public boolean assumesWeeks() {
    return snapshots.get(0) instanceof FolderSnapshot first && !first.isDated();
  }

  /**
   * Names in the directory, and in its folders of WARC files, that look like parts of a crawl but
   * are in a shape that is not read, such as {@code .warc.zst} or {@code .arc}.
   */
  public List<String> passedOver() {
    return passedOver;
  }

  /**
   * Reads a snapshot and hands its pages to {@code reader} one by one, and the addresses that were
   * asked for and gave none, in the order in which they are recorded and on this thread. A page
   * that occurs twice in one snapshot is handed out twice: the last one counts. Idle processors
   * parse and {@linkplain SnapshotReader#prepare prepare} what follows.
   *
   * @throws CrawlException if the snapshot is damaged; pages before the damage were handed out
   */
  public SnapshotTally read(int snapshot, SnapshotReader reader) {
    Snapshot chosen = snapshots.get(snapshot);
    try {
      return chosen.read(reader);
    } catch (IOException e) {
      throw CrawlException.unreadable("read " + chosen.name(), e);
    }
  }

  private static List<Snapshot> snapshotsOf(Path directory) throws IOException {
    List<Path> files = children(directory, SnapshotArchive::isWarc);
    List<Snapshot> snapshots = new ArrayList<>();
    for (Path file : files) {
      snapshots.add(WarcSnapshot.open(file));
    }
    List<Path> folders = children(directory, Files::isDirectory);
    if (files.isEmpty()) {
      snapshots.addAll(folders(folders));
    } else {
      requireNoWarcs(directory, files.get(0), folders);
    }
    if (snapshots.isEmpty()) {
      throw new CrawlException(
          directory
              + " holds no crawl"
              + butOthers(children(directory, path -> true))
              + ": put one .warc or .warc.gz file, or one folder of such files or of"
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

  private static void requireNoWarcs(Path directory, Path file, List<Path> folders)
      throws IOException {
    for (Path folder : folders) {
      if (!children(folder, SnapshotArchive::isWarc).isEmpty()) {
        throw new CrawlException(
            "%s holds the WARC file %s and the folder %s with WARC files in it: put every snapshot into a file, or every one into a folder"
                .formatted(directory, file.getFileName(), folder.getFileName()));
      }
    }
  }

  private static String butOthers(List<Path> names) {
    if (names.isEmpty()) {
      return "";
    }
    StringBuilder others = new StringBuilder(" but ");
    for (int i = 0; i < Math.min(NAMES_SHOWN, names.size()); i++) {
      others.append(i == 0 ? "" : ", ").append(names.get(i).getFileName());
    }
    int more = names.size() - NAMES_SHOWN;
    return others.append(more > 0 ? " and " + more + " more" : "").toString();
  }

  private static List<String> passedOver(Path directory, List<Snapshot> snapshots)
      throws IOException {
    List<String> names = new ArrayList<>();
    for (Path path : children(directory, path -> true)) {
      boolean read =
          snapshots.stream().anyMatch(s -> s.name().equals(path.getFileName().toString()));
      boolean folder = Files.isDirectory(path);
      if (isUnread(path)) {
        names.add(path.getFileName().toString());
      } else if (folder && !(read && snapshots.get(0) instanceof FolderSnapshot)) {
        children(path, SnapshotArchive::isUnread)
            .forEach(part -> names.add(directory.relativize(part).toString()));
      }
    }
    return List.copyOf(names);
  }

  private static boolean isUnread(Path path) {
    return UNREAD.matcher(path.getFileName().toString()).matches() && Files.isRegularFile(path);
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
    String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
    return (name.endsWith(".warc") || name.endsWith(".warc.gz")) && Files.isRegularFile(path);
  }

  private static void requireIncreasingTimes(Path directory, List<Snapshot> snapshots) {
    for (int i = 1; i < snapshots.size(); i++) {
      Snapshot before = snapshots.get(i - 1);
      Snapshot after = snapshots.get(i);
      if (after.time().getEpochSecond() <= before.time().getEpochSecond()) {
        throw new CrawlException(
            String.format(
                "snapshots of %s must be in time order by name, a second apart at least: %s (%s) is"
                    + " followed by %s (%s);"
                    + " rename them; WARC files of one snapshot belong into a folder of their own,"
                    + " beside the folders of the others",
                directory, before.name(), before.time(), after.name(), after.time()));
      }
    }
  }
}
