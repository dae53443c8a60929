// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.ZipException;
import org.netpreserve.jwarc.ParsingException;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;

/**
 * A snapshot in one WARC file, plain or compressed; its time is the date of the first record that
 * has one.
 */
record WarcSnapshot(Path file, Instant time) implements Snapshot {
  /**
   * Reads records up to the first with a date.
   *
   * @throws CrawlException if there is none
   */
  static WarcSnapshot open(Path file) {
    try (WarcReader records = new WarcReader(file)) {
      boolean empty = true;
      for (Optional<WarcRecord> next = nextRecord(file, records);
          next.isPresent();
          next = nextRecord(file, records)) {
        empty = false;
        Optional<Instant> date = WarcPages.header(next.get()::date);
        if (date.isPresent()) {
          return new WarcSnapshot(file, date.get());
        }
      }
      throw new CrawlException(
          file
              + (empty ? " is empty" : " has no record with a readable WARC-Date")
              + ": replace it with a complete WARC file");
    } catch (IOException e) {
      throw broken(file, e);
    }
  }

  @Override
  public String name() {
    return file.getFileName().toString();
  }

  @Override
  public SnapshotTally read(SnapshotReader reader) throws IOException {
    WarcPages pages = new WarcPages(reader);
    try (WarcReader records = new WarcReader(file)) {
      for (Optional<WarcRecord> next = nextRecord(file, records);
          next.isPresent();
          next = nextRecord(file, records)) {
        pages.take(next.get());
      }
    } catch (ParsingException | EOFException | ZipException e) {
      throw broken(file, e);
    }
    return pages.tally();
  }

  private static Optional<WarcRecord> nextRecord(Path file, WarcReader records) throws IOException {
    try {
      return records.next();
    } catch (NumberFormatException e) {
      throw new CrawlException(
          file + " has a record whose Content-Length is not a number: replace the file", e);
    }
  }

  private static CrawlException broken(Path file, IOException cause) {
    boolean cut = cause instanceof EOFException || cause instanceof ZipException;
    return new CrawlException(
        file
            + (cut ? " is truncated or damaged" : " is not a WARC file")
            + " ("
            + cause.getMessage()
            + "): replace it with a complete WARC file or remove it",
        cause);
  }
}
