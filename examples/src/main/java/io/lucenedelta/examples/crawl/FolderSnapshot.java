// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A snapshot in a folder: one file a page, its path in the folder being its key. */
record FolderSnapshot(Path folder, Instant time) implements Snapshot {
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  /** A date with a time, as in ISO 8601, with or without colons, which not every name can have. */
  private static final Pattern TIME_OF_DAY =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}(:?)\\d{2}(?:\\1\\d{2})?(?!\\d)");

  /** A longer number, or one of another century, is rather a count or an identifier. */
  private static final Pattern DATE_IN_DIGITS = Pattern.compile("(?<!\\d)(?:19|20)\\d{6}(?!\\d)");

  /** As crawlers name the folder of what they fetched at one go. */
  private static final Pattern TIME_IN_DIGITS = Pattern.compile("(?<!\\d)(?:19|20)\\d{12}(?!\\d)");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  /** A year, perhaps with a month. */
  private static final Pattern YEAR = Pattern.compile("(?:19|20)\\d{2}(?:-(?:0[1-9]|1[0-2]))?");

  /** A month, a day, or a day of a month. */
  private static final Pattern MONTH_OR_DAY =
      Pattern.compile("(?:(?:0[1-9]|1[0-2])-)?(?:0[1-9]|[12]\\d|3[01])");

  /** Digits, and what stands between them in a date with a time. */
  private static final Pattern WHOLE_DATE = Pattern.compile("\\d[-+_:. \\d]*+(?:T[-+:.\\d]++)?Z?");

  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final int MOST_DIGITS = 20;

  /** What follows the point of a longer one is rather words of a name. */
  private static final int LONGEST_EXTENSION = 12;

  private static final Path GIT = Path.of(".git");

  /** Stands for bytes of a name that are no letter, whatever they are. */
  private static final char NO_LETTER = '\uFFFD';

  /**
   * Snapshots of folders that are in name order.
   *
   * @throws CrawlException if some folders have a date in their name and others do not, or if none
   *     has and their names are numbered so that 10 comes before 2 or are years with folders of
   *     months or days
   */
  static List<FolderSnapshot> open(List<Path> folders) throws IOException {
    List<FolderSnapshot> snapshots = new ArrayList<>();
    Path dated = null;
    Path undated = null;
    for (Path folder : folders) {
      Optional<Instant> date = dateIn(folder.getFileName().toString());
      dated = date.isPresent() ? folder : dated;
      undated = date.isPresent() ? undated : folder;
      Instant weekly = FIRST.plus(WEEK.multipliedBy(snapshots.size()));
      snapshots.add(new FolderSnapshot(folder, date.orElse(weekly)));
    }
    if (dated != null && undated != null) {
      throw new CrawlException(
          String.format(
              "folder %s has a date in its name but %s has none: give every snapshot a date such"
                  + " as 2024-01-31, or none",
              dated, undated));
    }
    if (undated != null) {
      requireOrderOfNumbers(folders);
      requireNoDatesBelow(folders);
    }
    return snapshots;
  }

  /** As folders by date are often nested, which would all be one snapshot of pages {@code 01/…}. */
  private static void requireNoDatesBelow(List<Path> folders) throws IOException {
    for (Path folder : folders) {
      if (!YEAR.matcher(folder.getFileName().toString()).matches() || !hasOnlyDates(folder)) {
        return;
      }
    }
    Path year = folders.get(0);
    Path below = ArchiveFiles.children(year, Files::isDirectory).get(0);
    String name = year.getFileName().toString();
    throw new CrawlException(
        String.format(
            "folder %s holds folders such as %s, as of months or days: a snapshot is a folder of the"
                + " crawl directory itself with its whole date in its name, such as 2024-01-31; put"
                + " them there or, if %s is one snapshot, name it %s-01",
            year, below.getFileName(), name, name.length() > 4 ? name : name + "-01"));
  }

  /** Whether the folder of a year holds folders of its months, days or dates and nothing else. */
  private static boolean hasOnlyDates(Path year) throws IOException {
    String name = year.getFileName().toString();
    List<Path> entries = ArchiveFiles.children(year, path -> true);
    return !entries.isEmpty()
        && entries.stream()
            .allMatch(
                entry ->
                    Files.isDirectory(entry) && isDateIn(name, entry.getFileName().toString()));
  }

  /**
   * Whether a name is a month or day, or a whole date of the year or month above it. Names of other
   * years, or with words beside a date, are rather those of a site's own folders.
   */
  private static boolean isDateIn(String year, String name) {
    boolean ofYear = digits(name).startsWith(digits(year)) && name.length() > year.length();
    return MONTH_OR_DAY.matcher(name).matches()
        || (ofYear
            && (YEAR.matcher(name).matches()
                || (WHOLE_DATE.matcher(name).matches() && dateIn(name).isPresent())));
  }

  private static String digits(String name) {
    return name.replaceAll("\\D", "");
  }

  /** Nothing but the name tells when an undated folder was filled. */
  private static void requireOrderOfNumbers(List<Path> folders) {
    for (int i = 1; i < folders.size(); i++) {
      String before = folders.get(i - 1).getFileName().toString();
      String after = folders.get(i).getFileName().toString();
      if (padded(before).compareTo(padded(after)) > 0) {
        throw new CrawlException(
            String.format(
                "snapshots are taken in the order of their names, in which %s comes before %s:"
                    + " number the folders with leading zeros, or name them by dates such as"
                    + " 2024-01-31",
                folders.get(i - 1), after));
      }
    }
  }

  /** Numbers in a name with so many zeros that they compare as numbers. */
  private static String padded(String name) {
    return NUMBER
        .matcher(name)
        .replaceAll(
            digits ->
                "0".repeat(Math.max(0, MOST_DIGITS - digits.group().length())) + digits.group());
  }

  /** Whether the name tells the time; else the place in the order does. */
  boolean isDated() {
    return dateIn(name()).isPresent();
  }

  @Override
  public String name() {
    return folder.getFileName().toString();
  }

  @Override
  public SnapshotTally read(SnapshotFilter filter) throws IOException {
    SnapshotTally tally = new SnapshotTally();
    // a walk does not follow the link that it starts at
    Path root = folder.toRealPath();
    String before = "";
    try (ReadAhead findings = new ReadAhead(filter, tally)) {
      for (Path file : files(root)) {
        String key = keyOf(root, file);
        if (key.equals(before)) { // which is next to it in the order
          findings.add(new Finding.NoPage(LeftOut.SAME_KEY, name() + "/" + key, Optional.empty()));
        } else if (Files.isDirectory(file)) {
          findings.add(
              new Finding.NoPage(LeftOut.LINKED_DIRECTORY, name() + "/" + key, Optional.empty()));
        } else if (Files.size(file) > PageText.LARGEST) {
          boolean text = PageText.canBeReadAsFile(key, begin(file));
          findings.add(failure(key, text ? LeftOut.TOO_LARGE : LeftOut.NOT_TEXT));
        } else {
          byte[] body = Files.readAllBytes(file);
          findings.add(body, () -> page(key, body));
        }
        before = key;
      }
    }
    return tally;
  }

  private static byte[] begin(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(HtmlBeginning.LOOKED_AT);
    }
  }

  private Finding page(String key, byte[] body) {
    return PageText.ofFile(key, body)
        .<Finding>map(text -> new Finding.Page(text.page(key, time)))
        .orElseGet(() -> failure(key, LeftOut.NOT_TEXT));
  }

  private Finding failure(String key, LeftOut reason) {
    String kind = reason == LeftOut.NOT_TEXT ? extensionOf(key) : "";
    return new Finding.NoPage(reason, kind, name() + "/" + key, Optional.of(key));
  }

  private static String extensionOf(String key) {
    String name = key.substring(key.lastIndexOf('/') + 1);
    int query = name.indexOf('?', Math.max(0, name.indexOf('.'))); // or it has the only one
    int end = query < 0 ? name.length() : query;
    int point = name.lastIndexOf('.', end);
    return point < 0 || end - point > LONGEST_EXTENSION
        ? "no extension"
        : name.substring(point, end).toLowerCase(Locale.ROOT);
  }

  /** And links to directories, which a walk does not follow. */
  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(path -> Files.isRegularFile(path) || isLinkedDirectory(path))
          .filter(path -> !isOfVersionControl(root.relativize(path)))
          .sorted((a, b) -> keyOf(root, a).compareTo(keyOf(root, b)))
          .toList();
    }
  }

  /** What git keeps of the history beside files that were checked out. */
  private static boolean isOfVersionControl(Path path) {
    return StreamSupport.stream(path.spliterator(), false).anyMatch(GIT::equals);
  }

  private static boolean isLinkedDirectory(Path path) {
    return Files.isSymbolicLink(path) && Files.isDirectory(path);
  }

  /**
   * A path as it is written or, where bytes of it are no letters, as in addresses, which keep them:
   * else all such names would be the same.
   */
  private static String keyOf(Path root, Path file) {
    String path = root.relativize(file).toString();
    if (path.indexOf(NO_LETTER) >= 0) {
      return file.toUri().getRawPath().substring(root.toUri().getRawPath().length());
    }
    // a backslash is a letter where it separates nothing
    return path.replace(root.getFileSystem().getSeparator(), "/");
  }

  private static Optional<Instant> dateIn(String name) {
    return dateIn(name, TIME_OF_DAY, FolderSnapshot::timeOfDay)
        .or(() -> dateIn(name, DATE, date -> day(date, DateTimeFormatter.ISO_LOCAL_DATE)))
        .or(() -> dateIn(name, DATE_IN_DIGITS, date -> day(date, DateTimeFormatter.BASIC_ISO_DATE)))
        .or(() -> dateIn(name, TIME_IN_DIGITS, time -> LocalDateTime.parse(time, TIME)));
  }

  private static LocalDateTime timeOfDay(String time) {
    String digits = digits(time);
    return LocalDateTime.parse(digits.length() == 12 ? digits + "00" : digits, TIME);
  }

  private static LocalDateTime day(String date, DateTimeFormatter format) {
    return LocalDate.parse(date, format).atStartOfDay();
  }

  private static Optional<Instant> dateIn(
      String name, Pattern shape, Function<String, LocalDateTime> parser) {
    Matcher date = shape.matcher(name);
    try {
      return date.find()
          ? Optional.of(parser.apply(date.group()).toInstant(ZoneOffset.UTC))
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
