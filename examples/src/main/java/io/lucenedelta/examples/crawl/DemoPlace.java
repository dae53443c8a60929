// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import io.lucenedelta.examples.WholeFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.netpreserve.jwarc.ParsingException;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.Warcinfo;

/** A directory for a demo: tells the files of an earlier one, whole or broken off, from others. */
final class DemoPlace {
  private static final Pattern WEEK =
      Pattern.compile("week-\\d{2,}[.]warc[.]gz(?:[.][-0-9a-f]{36}[.]part)?");
  private static final Pattern WARC =
      Pattern.compile(".*[.]warc(?:[.]gz)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final Path directory;
  private final Path crawl;
  private final Path log;
  private final Path inlinks;

  DemoPlace(Path directory) {
    this.directory = directory;
    crawl = DemoCrawl.snapshots(directory);
    log = DemoCrawl.queryLog(directory);
    inlinks = DemoCrawl.inlinks(directory);
  }

  /** The file of a snapshot. */
  Path week(int week) {
    return crawl.resolve(String.format(Locale.ROOT, "week-%02d.warc.gz", week));
  }

  /** Whether a demo would be written over nothing but an earlier one. */
  boolean isFree() throws IOException {
    if (!Files.exists(crawl)) {
      return !Files.exists(log) && !Files.exists(inlinks);
    }
    if (!Files.isDirectory(crawl)) {
      return false;
    }
    boolean made = false;
    boolean others = false;
    for (Path file : files(crawl)) {
      Kind kind = kindOf(file);
      if (kind == Kind.ANOTHER_CRAWL) {
        return false;
      }
      made |= kind == Kind.DEMO;
      others |= kind == Kind.NO_SNAPSHOT;
    }
    return (made && !Files.exists(log)) || ((made || !others) && isLogFree());
  }

  /** Deletes what an earlier demo left, so that none of its later weeks stays. */
  void clear() throws IOException {
    if (Files.isDirectory(crawl)) {
      for (Path file : files(crawl)) {
        Kind kind = kindOf(file);
        if (kind == Kind.DEMO || kind == Kind.CUT_OFF) {
          Files.delete(file);
        }
      }
    }
    if (Files.isDirectory(directory)) {
      for (Path file : files(directory)) {
        if (WholeFile.isPartOf(log, file) || WholeFile.isPartOf(inlinks, file)) {
          Files.delete(file);
        }
      }
    }
  }

  private enum Kind {
    DEMO,
    /** A demo's by its name, and nothing by its bytes: writing broke off early. */
    CUT_OFF,
    ANOTHER_CRAWL,
    NO_SNAPSHOT
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static Kind kindOf(Path file) throws IOException {
    String name = file.getFileName().toString();
    if (!WEEK.matcher(name).matches() || !Files.isRegularFile(file)) {
      return WARC.matcher(name).matches() ? Kind.ANOTHER_CRAWL : Kind.NO_SNAPSHOT;
    }
    try (WarcReader reader = new WarcReader(file)) {
      WarcRecord first = reader.next().orElse(null);
      if (first == null) {
        return Kind.CUT_OFF;
      }
      return first instanceof Warcinfo info
              && info.fields().first("software").equals(Optional.of(DemoCrawl.SOFTWARE))
          ? Kind.DEMO
          : Kind.ANOTHER_CRAWL;
    } catch (EOFException e) {
      return Kind.CUT_OFF;
    } catch (ParsingException | ZipException e) {
      return Kind.ANOTHER_CRAWL;
    }
  }

  /**
   * Whether log and in-links are not there, or a demo's. The log is written first and tells for
   * both: its first event has the time that a demo begins with.
   */
  private boolean isLogFree() throws IOException {
    if (!Files.exists(log)) {
      return !Files.exists(inlinks);
    }
    if (!Files.isRegularFile(log)) {
      return false;
    }
    byte[] demo = (DemoCrawl.FIRST_EVENT + "\t").getBytes(StandardCharsets.UTF_8);
    try (InputStream packed = Files.newInputStream(log);
        InputStream in = new UnzippedMembers(packed)) {
      byte[] found = in.readNBytes(demo.length);
      return Arrays.equals(found, Arrays.copyOf(demo, found.length));
    } catch (EOFException e) {
      return true;
    } catch (ZipException e) {
      return false;
    }
  }
}
