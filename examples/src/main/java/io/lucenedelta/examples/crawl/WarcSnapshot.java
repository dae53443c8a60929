// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;
import org.netpreserve.jwarc.ParsingException;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.Warcinfo;

/**
 * A snapshot in one WARC file, plain or compressed; its time is the date of the first record that
 * has one. That of a {@code warcinfo} record says when the file was written, perhaps anew long
 * after the crawl, and counts only where no other record has a date.
 */
record WarcSnapshot(Path file, Instant time) implements Snapshot {
  /**
   * Reads records up to the first with a date that is not of the file.
   *
   * @throws CrawlException if there is none, or the file cannot be read
   */
  static WarcSnapshot open(Path file) {
    List<Instant> written = new ArrayList<>(1);
    List<Instant> found = new ArrayList<>(1);
    long records;
    try {
      records =
          read(
              file,
              record -> {
                boolean ofFile = record instanceof Warcinfo;
                WarcPages.dateOf(record).ifPresent(ofFile ? written::add : found::add);
                return found.isEmpty();
              });
    } catch (IOException e) {
      throw CrawlException.unreadable("read " + file, e);
    }
    found.addAll(written);
    if (found.isEmpty()) {
      throw new CrawlException(
          file
              + (records == 0 ? " is empty" : " has no record with a readable WARC-Date")
              + ": replace it with a complete WARC file");
    }
    return new WarcSnapshot(file, found.get(0));
  }

  @Override
  public String name() {
    return file.getFileName().toString();
  }

  @Override
  public SnapshotTally read(SnapshotFilter filter) throws IOException {
    SnapshotTally tally = new SnapshotTally();
    try (ReadAhead findings = new ReadAhead(filter, tally);
        WarcPages pages = new WarcPages(findings)) {
      read(
          file,
          record -> {
            pages.take(record);
            return true;
          });
    }
    return tally;
  }

  /** Takes a record, and says whether it wants more. */
  private interface RecordTaker {
    boolean take(WarcRecord record) throws IOException;
  }

  /**
   * Reads a file up to its end, to where a taker wants no more or to the first damage.
   *
   * @return how many records were taken
   * @throws CrawlException if the file is damaged, or no WARC file
   */
  private static long read(Path file, RecordTaker taker) throws IOException {
    long taken = 0;
    try (WarcReader records = new WarcReader(file)) {
      try {
        for (Optional<WarcRecord> next = nextRecord(file, records);
            next.isPresent();
            next = nextRecord(file, records)) {
          boolean more = taker.take(next.get());
          taken++;
          if (!more) {
            break;
          }
        }
      } catch (ParsingException | EOFException | ZipException e) {
        throw taken == 0 ? noWarc(file, e) : damaged(file, taken, records.position(), e);
      }
    } catch (ParsingException | EOFException | ZipException e) {
      throw noWarc(file, e);
    }
    return taken;
  }

  private static Optional<WarcRecord> nextRecord(Path file, WarcReader records) throws IOException {
    try {
      return records.next();
    } catch (IllegalArgumentException e) { // no number, or there twice
      throw new CrawlException(
          file
              + " has a record whose Content-Length cannot be read ("
              + e.getMessage()
              + "): replace the file",
          e);
    }
  }

  private static CrawlException noWarc(Path file, IOException cause) {
    return new CrawlException(
        file
            + (isCut(cause) ? " is truncated or damaged" : " is not a WARC file")
            + " ("
            + whatIsWrong(cause)
            + "): replace it with a complete WARC file or remove it",
        cause);
  }

  /** Bytes where a record should begin: foreign ones, or the Content-Length before is wrong. */
  private static CrawlException damaged(Path file, long sound, long offset, IOException cause) {
    return new CrawlException(
        file
            + (isCut(cause) ? " is truncated or damaged" : " is damaged")
            + " at offset %d, behind record %d (%s)".formatted(offset, sound, whatIsWrong(cause))
            + ": replace it with a complete WARC file, or cut it there and go without the rest",
        cause);
  }

  private static String whatIsWrong(IOException cause) {
    return cause.getMessage() == null ? "it ends within a record" : cause.getMessage();
  }

  private static boolean isCut(IOException cause) {
    return cause instanceof EOFException || cause instanceof ZipException;
  }
}
