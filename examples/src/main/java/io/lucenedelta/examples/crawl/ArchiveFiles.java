// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the files of a crawl that are WARC files, or look like parts of one, by their names. */
final class ArchiveFiles {
  /** Parts of crawls in shapes that are not read, or that a crawler has not finished yet. */
  private static final Pattern UNREAD =
      Pattern.compile(
          ".*\\.(?:warc\\.(?:zst|bz2|xz|lz4|7z|zip)|warc(?:\\.gz)?\\.open|arc(?:\\.gz)?|wacz)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private ArchiveFiles() {}

  static boolean isRead(Path path) {
    String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
    return (name.endsWith(".warc") || name.endsWith(".warc.gz")) && Files.isRegularFile(path);
  }

  static boolean isUnread(Path path) {
    return UNREAD.matcher(path.getFileName().toString()).matches() && Files.isRegularFile(path);
  }

  /**
   * The files that make up the snapshot of a folder: those in it or, where there is none, those in
   * the one folder anywhere below that has some, as crawlers write that keep reports beside them.
   *
   * @return in the order of their names; nothing if there is none
   * @throws CrawlException if several folders below have some, perhaps of a snapshot each
   */
  static List<Path> ofSnapshot(Path folder) throws IOException {
    List<Path> files = children(folder, ArchiveFiles::isRead);
    if (!files.isEmpty()) {
      return files;
    }
    List<Path> below = within(folder, ArchiveFiles::isRead);
    List<Path> folders = below.stream().map(Path::getParent).distinct().toList();
    if (folders.size() > 1) {
      throw new CrawlException(
          ("folder %s has WARC files in %s and in %s: put those of a snapshot into one folder, and"
                  + " name the directory that has a folder for each snapshot")
              .formatted(
                  folder, folder.relativize(folders.get(0)), folder.relativize(folders.get(1))));
    }
    return below;
  }

  /** The wanted ones at any depth; links to directories are not followed. */
  static List<Path> within(Path folder, Predicate<Path> wanted) throws IOException {
    List<Path> found = new ArrayList<>(children(folder, wanted));
    for (Path below : children(folder, Files::isDirectory)) {
      if (!Files.isSymbolicLink(below)) {
        found.addAll(within(below, wanted));
      }
    }
    return found;
  }

  /** The wanted ones in the order of their names, but none whose name begins with a dot. */
  static List<Path> children(Path directory, Predicate<Path> wanted) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children
          .filter(path -> !path.getFileName().toString().startsWith("."))
          .filter(wanted)
          .sorted(Comparator.comparing(path -> path.getFileName().toString()))
          .toList();
    }
  }
}
