// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Asks before long work begins whether its result can be written where it is wanted, and that
 * nothing is written over what is read.
 */
final class OutputPlace {
  /** What the verbs write into a directory, but for figures and a demo. */
  private static final Set<String> RESULTS =
      Set.of(
          "report.html",
          "quality.tsv",
          "summary.tsv",
          "requirements.tsv",
          "staleness.tsv",
          "timing.tsv",
          "measurements.tsv",
          "forecast.tsv",
          "longevity.tsv",
          "lifetimes.tsv",
          "lifelines.tsv",
          "divergence.tsv",
          "summaries.tsv",
          "estimates.tsv",
          "rank_functions.tsv",
          "ageing.tsv",
          "overhead.tsv",
          "alternatives.tsv",
          "scale.tsv",
          "adoption.tsv");

  private static final Pattern FIGURE = Pattern.compile("figure-.*[.]tsv");

  private OutputPlace() {}

  /**
   * A directory for files, which may be there already. It is made when there is something to write,
   * so that a run refused for its input leaves nothing behind.
   *
   * @throws CommandFailure if nothing can be written there
   */
  static void requireFolder(Path folder) {
    requireNoHyphen(folder);
    Path there = folder.toAbsolutePath();
    Path missing = null;
    while (there != null && !Files.exists(there)) {
      missing = there;
      there = there.getParent();
    }
    if (there == null) { // a drive of Windows, say
      throw new CommandFailure("there is no " + missing + ": name a directory in another place");
    }
    if (!Files.isDirectory(there)) {
      throw new CommandFailure(there + " is a file: name a directory");
    }
    requireWritable(there);
    if (missing != null) {
      requireMakeable(missing);
    }
  }

  /** Some systems' folders, such as /proc, take no other folder, whatever their permissions say. */
  private static void requireMakeable(Path folder) {
    try {
      Files.createDirectory(folder);
      Files.delete(folder);
    } catch (IOException e) {
      throw new CommandFailure(
          "directory " + folder + " cannot be made: name one in another place", e);
    }
  }

  /**
   * A file, which may be there already; its directory must be.
   *
   * @throws CommandFailure if it cannot be written
   */
  static void requireFile(Path file) {
    requireNoHyphen(file);
    if (Files.isDirectory(file)) {
      throw new CommandFailure(file + " is a directory: name a file in it");
    }
    Path place = file.toAbsolutePath();
    Path folder = place.getParent() == null ? place : place.getParent();
    if (!Files.exists(file) && !Files.isDirectory(folder)) {
      throw new CommandFailure("no directory " + folder + ": make it, or write elsewhere");
    }
    requireWritable(Files.exists(file) ? file : folder);
  }

  /** Where a log is read, and for many programs, that is no name of a file. */
  private static void requireNoHyphen(Path place) {
    if (place.equals(LogName.STANDARD_INPUT)) {
      throw new CommandFailure("- is no place here: name one, ./- if it is called so");
    }
  }

  /**
   * A file for a workload. That is written beside it, whatever is there, and put in its place.
   *
   * @throws CommandFailure if it cannot be
   */
  static void requireWorkload(Path file) throws IOException {
    requireFile(file);
    if (Files.exists(file)) {
      if (!Files.isRegularFile(file)) {
        throw new CommandFailure(file + " is a device or a pipe: name a file");
      }
      requireWritable(file.toRealPath().getParent()); // a link stays one
    }
  }

  /**
   * Refuses a file for results that is read, by this name or another; a directory stands for the
   * files in it and below.
   *
   * @param option what names the file, such as {@code --out}
   * @throws CommandFailure if the file is among those read
   */
  static void requireUnread(String option, Path file, List<Path> read) throws IOException {
    for (Path input : read) {
      if (isRead(file, input)) {
        throw new CommandFailure(
            "%s %s would be written over %s, which is read: name another file with %s"
                .formatted(
                    option, file, Files.isDirectory(input) ? "a file of " + input : input, option));
      }
    }
  }

  /**
   * Refuses a directory for results, named by {@code --out}, where something that is read would be
   * written over.
   *
   * @param crawl a directory that is read, in which nothing may be written; null for none
   * @param read files, or directories of files
   * @throws CommandFailure if the directory is in the crawl, or a result has the place of a file
   *     that is read
   */
  static void requireUnread(Path folder, Path crawl, List<Path> read) throws IOException {
    if (crawl != null && isWithin(folder, crawl)) {
      throw new CommandFailure(
          "--out %s is in the crawl %s, which is read: name a directory outside of it"
              .formatted(folder, crawl));
    }
    for (Path file : resultsIn(folder)) {
      if (isRead(file, read)) {
        throw new CommandFailure(
            "%s is read, and has the name of a result in --out %s: name another directory"
                .formatted(file, folder));
      }
    }
  }

  private static List<Path> resultsIn(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> there = Files.list(folder)) {
      return there.filter(OutputPlace::isResult).toList();
    }
  }

  private static boolean isRead(Path file, List<Path> read) throws IOException {
    for (Path input : read) {
      if (isRead(file, input)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isResult(Path file) {
    // some systems do not tell capitals: there a result is written over a file of either name
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return RESULTS.contains(name) || FIGURE.matcher(name).matches();
  }

  /** Whether two names are those of one file, which need not be there. */
  static boolean isSame(Path one, Path other) throws IOException {
    return real(one).equals(real(other))
        || (Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other));
  }

  /** Whether a place is a directory or lies in it, however deep; neither need be there. */
  static boolean isWithin(Path place, Path folder) throws IOException {
    return real(place).startsWith(real(folder));
  }

  private static boolean isRead(Path file, Path input) throws IOException {
    if (!Files.isDirectory(input) || !Files.exists(file)) {
      return isSame(file, input);
    }
    try (Stream<Path> below = Files.walk(input.toRealPath())) {
      for (Path log : below.filter(Files::isRegularFile).toList()) {
        if (Files.isSameFile(log, file)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The path without links, as far as it is there. */
  private static Path real(Path path) throws IOException {
    Path there = path.toAbsolutePath().normalize();
    Path whole = there;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there == null) {
      return whole;
    }
    try {
      return there.toRealPath().resolve(there.relativize(whole)).normalize();
    } catch (NoSuchFileException pipe) { // such as /dev/stdin, which is there and has no path
      return whole;
    }
  }

  private static void requireWritable(Path place) {
    if (!Files.isWritable(place)) {
      throw new CommandFailure("no permission to write " + place + ": name another place");
    }
  }
}
