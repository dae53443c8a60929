// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A crawl directory: snapshots in time order, each a set of pages.
 *
 * <p>The directory holds either WARC files ({@code .warc}, {@code .warc.gz}), one snapshot each, or
 * one folder per snapshot, of WARC files that make it up together or of files that are pages; name
 * order is time order, and other files beside them are ignored, as are links to others of them;
 * those that look like parts of a crawl are named, see {@link #passedOver} and {@link #remarks}.
 * Snapshot 0 holds every page; <em>a page that is absent from a later snapshot is unchanged, not
 * gone</em>. If a snapshot has a page with an answer that is no page, nobody knows what the page
 * held then: an index counts no visit of it, and a replay, which must show some text in every week,
 * goes on with the text from before.
 *
 * <p>WARC files: {@code response} records with HTTP status 200 and {@code resource} records are
 * pages, keyed by their target address, which must be of http, https or ftp, unless a request
 * record beside them tells of another method than GET; content encodings are undone; an answer that
 * broke off (by its own {@code Content-Length} or chunks, by a segment that follows, or as {@code
 * WARC-Truncated} says, unless that says {@code length}), is no HTTP or cannot be decoded is left
 * out and counted; {@code revisit} records and answers of status 304 say that a page is unchanged.
 * Folders: every file is a page, keyed by its path within the folder with {@code /} between names;
 * a link to a directory in it is left out and counted; the folder's date is the ISO date in its
 * name ({@code 2024-01-31} or {@code 20240131}), or, when no folder has one, snapshots {@linkplain
 * #assumesWeeks count as weekly} from 2000-01-01.
 *
 * <p>HTML gives its title and visible text; Markdown loses its YAML front matter; reStructuredText
 * and plain text stay as they are; everything else is left out and counted.
 *
 * <p>Opening reads the first records of each file; pages are read on demand and only the next few
 * are kept, and the addresses of one snapshot, so memory does not depend on the texts of the crawl.
 * Reading the same bytes twice gives the same pages in the same order. Safe for use by several
 * threads.
 */
public final class SnapshotArchive {
  /** What to say of a crawl that gave no page at all. */
  public static final String NO_PAGE =
      "the crawl holds no page that can be read as text: name one with answers of status 200 in"
          + " HTML, Markdown, reStructuredText or plain text, and with addresses that --addresses finds"
          + " if that is given";

  private static final int NAMES_SHOWN = 3;

  /** Crawls that recur, be they irregular, are hardly ever so many times sooner than usual. */
  private static final int NEAR = 10;

  private final List<Snapshot> snapshots;
  private final List<String> passedOver;
  private final List<String> remarks;
  private final PageAddresses addresses;

  private SnapshotArchive(
      List<Snapshot> snapshots,
      List<String> passedOver,
      List<String> remarks,
      PageAddresses addresses) {
    this.snapshots = snapshots;
    this.passedOver = passedOver;
    this.remarks = remarks;
    this.addresses = addresses;
  }

  /**
   * Opens a crawl directory.
   *
   * @throws CrawlException if the directory is missing or holds no crawl, a file is not a WARC
   *     file, some snapshots are in WARC files and others in folders of them, a folder holds parts
   *     of a crawl that are not read instead of WARC files, or the snapshots' times do not increase
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
      return new SnapshotArchive(
          List.copyOf(snapshots),
          passedOver(directory, snapshots),
          remarks(directory, snapshots),
          PageAddresses.ALL);
    } catch (IOException e) {
      throw CrawlException.unreadable("list " + directory, e);
    }
  }

  /**
   * The same crawl, of which only some addresses are pages.
   *
   * @param wanted which; asked by several threads at once
   */
  public SnapshotArchive withPages(Predicate<String> wanted) {
    return new SnapshotArchive(snapshots, passedOver, remarks, new PageAddresses(wanted));
  }

  /** Whether an address can be a page of this crawl, and the silence of a snapshot tells of it. */
  public boolean canHold(String key) {
    return addresses.leaveOut(key).isEmpty();
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
   * are not read: for their shape, such as {@code .warc.zst} or {@code .arc}, or their place.
   */
  public List<String> passedOver() {
    return passedOver;
  }

  /** What else is to be known of how the directory is read, in sentences without a full stop. */
  public List<String> remarks() {
    return remarks;
  }

  /**
   * Reads a snapshot and hands its pages to {@code reader} one by one, and the addresses that were
   * asked for and gave none, in the order in which they are recorded and on this thread. A page
   * that occurs twice in one snapshot is handed out twice, and the last one counts, unless that is
   * older: then it is counted alone. Idle processors parse and {@linkplain SnapshotReader#prepare
   * prepare} what follows.
   *
   * @throws CrawlException if the snapshot is damaged; pages before the damage were handed out
   */
  public SnapshotTally read(int snapshot, SnapshotReader reader) {
    Snapshot chosen = snapshots.get(snapshot);
    try {
      SnapshotTally tally = chosen.read(new SnapshotFilter(reader, addresses));
      if (tally.pages() == 0 && tally.lines().isEmpty()) {
        tally.leftOut(LeftOut.EMPTY, chosen.name());
      }
      return tally;
    } catch (IOException e) {
      throw CrawlException.unreadable("read " + chosen.name(), e);
    }
  }

  private static List<Snapshot> snapshotsOf(Path directory) throws IOException {
    List<Path> files = entries(directory, ArchiveFiles::isRead);
    List<Snapshot> snapshots = new ArrayList<>();
    for (Path file : files) {
      snapshots.add(WarcSnapshot.open(file));
    }
    List<Path> folders = entries(directory, Files::isDirectory);
    if (files.isEmpty()) {
      snapshots.addAll(folders(folders));
    } else {
      requireNoWarcs(directory, files.get(0), folders);
    }
    if (snapshots.isEmpty()) {
      throw new CrawlException(
          directory
              + " holds no crawl"
              + butOthers(ArchiveFiles.children(directory, path -> true))
              + ": put one .warc or .warc.gz file, or one folder of such files or of"
              + " pages, per snapshot into it");
    }
    return snapshots;
  }

  private static List<? extends Snapshot> folders(List<Path> folders) throws IOException {
    List<WarcFolderSnapshot> packed = new ArrayList<>();
    for (Path folder : folders) {
      List<Path> files = ArchiveFiles.ofSnapshot(folder);
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
    if (!packed.isEmpty()) {
      return packed;
    }
    requireNoneUnread(folders);
    return FolderSnapshot.open(folders);
  }

  /** Else what is beside them, such as the reports of their crawler, would be the pages. */
  private static void requireNoneUnread(List<Path> folders) throws IOException {
    for (Path folder : folders) {
      List<Path> unread = ArchiveFiles.within(folder, ArchiveFiles::isUnread);
      if (!unread.isEmpty()) {
        throw new CrawlException(
            ("folder %s holds %s, which is not read: turn it into a .warc.gz file or, if the pages"
                    + " beside it are the snapshot, remove it")
                .formatted(folder, folder.relativize(unread.get(0))));
      }
    }
  }

  /** Entries of the directory, but none that is another one by a second name. */
  private static List<Path> entries(Path directory, Predicate<Path> wanted) throws IOException {
    List<Path> entries = new ArrayList<>();
    for (Path entry : ArchiveFiles.children(directory, wanted)) {
      if (linked(directory, entry).isEmpty()) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** The entry that another one is a link to, such as the last snapshot of one named latest. */
  private static Optional<Path> linked(Path directory, Path entry) throws IOException {
    if (!Files.isSymbolicLink(entry) || !Files.exists(entry)) {
      return Optional.empty();
    }
    Path target = entry.toRealPath();
    boolean beside = directory.toRealPath().equals(target.getParent());
    Path name = target.getFileName();
    return beside && !name.toString().startsWith(".") ? Optional.of(name) : Optional.empty();
  }

  private static List<String> remarks(Path directory, List<Snapshot> snapshots) throws IOException {
    List<String> remarks = new ArrayList<>();
    for (Path entry :
        ArchiveFiles.children(
            directory, path -> Files.isDirectory(path) || ArchiveFiles.isRead(path))) {
      linked(directory, entry)
          .ifPresent(
              other -> remarks.add("%s is left out: it is a link to %s".formatted(entry, other)));
    }
    for (Snapshot snapshot : snapshots) {
      if (snapshot instanceof WarcFolderSnapshot parts && parts.isBelow()) {
        remarks.add(
            "the WARC files of folder %s are those in %s: nothing else in it is read"
                .formatted(parts.folder(), parts.files().get(0).file().getParent()));
        break; // the others are of the same crawler
      }
    }
    doubtfulParts(snapshots).ifPresent(remarks::add);
    return List.copyOf(remarks);
  }

  private static void requireNoWarcs(Path directory, Path file, List<Path> folders)
      throws IOException {
    for (Path folder : folders) {
      if (!ArchiveFiles.children(folder, ArchiveFiles::isRead).isEmpty()) {
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

  /**
   * Files that were begun one after the other by a crawler that begins a new one when it is large:
   * far nearer to each other than to those of the next crawl.
   */
  private static Optional<String> doubtfulParts(List<Snapshot> snapshots) {
    int last = snapshots.size() - 1;
    Duration all = Duration.between(snapshots.get(0).time(), snapshots.get(last).time());
    for (int i = 1; i <= last; i++) {
      if (snapshots.get(i - 1) instanceof WarcSnapshot before
          && snapshots.get(i) instanceof WarcSnapshot after) {
        Duration apart = Duration.between(before.time(), after.time());
        if (apart.multipliedBy(NEAR).multipliedBy(last).compareTo(all) < 0) {
          return Optional.of(
              ("%s (%s) and %s (%s) are more than %d times nearer to each other than snapshots are"
                      + " on average: are they parts of one? put the parts of each snapshot into a"
                      + " folder")
                  .formatted(before.file(), before.time(), after.name(), after.time(), NEAR));
        }
      }
    }
    return Optional.empty();
  }

  private static List<String> passedOver(Path directory, List<Snapshot> snapshots)
      throws IOException {
    List<String> names = new ArrayList<>();
    Set<Path> read = new HashSet<>();
    for (Snapshot snapshot : snapshots) {
      switch (snapshot) {
        case WarcSnapshot file -> read.add(file.file());
        case WarcFolderSnapshot folder -> folder.files().forEach(file -> read.add(file.file()));
        case FolderSnapshot folder -> read.add(folder.folder());
      }
    }
    for (Path path : entries(directory, path -> !read.contains(path))) {
      if (Files.isDirectory(path)) {
        ArchiveFiles.within(
                path,
                part ->
                    ArchiveFiles.isUnread(part)
                        || (ArchiveFiles.isRead(part) && !read.contains(part)))
            .forEach(part -> names.add(directory.relativize(part).toString()));
      } else if (ArchiveFiles.isUnread(path)) {
        names.add(path.getFileName().toString());
      }
    }
    return List.copyOf(names);
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
