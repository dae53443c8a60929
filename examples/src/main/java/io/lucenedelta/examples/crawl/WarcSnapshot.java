// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.ZipException;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.LengthedBody;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.ParsingException;
import org.netpreserve.jwarc.WarcCaptureRecord;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResource;
import org.netpreserve.jwarc.WarcResponse;

/**
 * A snapshot in one WARC file, plain or compressed; its time is the date of the first record that
 * has one.
 */
record WarcSnapshot(Path file, Instant time) implements Snapshot {
  private static final SnapshotTally NO_PAGE = new SnapshotTally(0, 0, 0);
  private static final SnapshotTally BINARY = new SnapshotTally(0, 1, 0);
  private static final SnapshotTally FAILED = new SnapshotTally(0, 0, 1);

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
        Optional<Instant> date = header(next.get()::date);
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
  public SnapshotTally read(Consumer<? super CrawledPage> reader) throws IOException {
    SnapshotTally tally = NO_PAGE;
    try (WarcReader records = new WarcReader(file)) {
      for (Optional<WarcRecord> next = nextRecord(file, records);
          next.isPresent();
          next = nextRecord(file, records)) {
        tally = tally.plus(readRecord(next.get(), reader));
      }
    } catch (ParsingException | EOFException | ZipException e) {
      throw broken(file, e);
    }
    return tally;
  }

  private SnapshotTally readRecord(WarcRecord found, Consumer<? super CrawledPage> reader)
      throws IOException {
    if (!(found instanceof WarcCaptureRecord record) || !isPage(record)) {
      return NO_PAGE;
    }
    Optional<MediaType> type = header(record::contentType);
    if (type.isEmpty()) {
      return FAILED;
    }
    if (record instanceof WarcResource) {
      return readBody(record, type.get(), record.body().stream().readAllBytes(), reader);
    }
    if (!type.get().base().equals(MediaType.HTTP)) {
      return BINARY;
    }
    return readAnswer(record, record.body().stream().readAllBytes(), reader);
  }

  private static boolean isPage(WarcCaptureRecord record) {
    return record instanceof WarcResource || record instanceof WarcResponse;
  }

  /** Whatever is wrong in it is wrong with this answer: the file gave the whole record. */
  private SnapshotTally readAnswer(
      WarcCaptureRecord record, byte[] answer, Consumer<? super CrawledPage> reader) {
    Optional<MediaType> type;
    byte[] body;
    try {
      HttpResponse http = HttpResponse.parse(inMemory(answer));
      if (http.status() != 200) {
        return FAILED;
      }
      body = ContentCoding.decoded(http);
      type = header(http::contentType);
    } catch (IOException | IllegalArgumentException e) {
      return FAILED;
    }
    return type.isEmpty() ? FAILED : readBody(record, type.get(), body, reader);
  }

  /** A body of known length, since an answer need not tell its own. */
  private static LengthedBody inMemory(byte[] answer) {
    return LengthedBody.create(
        Channels.newChannel(new ByteArrayInputStream(answer)),
        ByteBuffer.allocate(0),
        answer.length);
  }

  private SnapshotTally readBody(
      WarcCaptureRecord record, MediaType type, byte[] body, Consumer<? super CrawledPage> reader) {
    Optional<String> key = header(record::target).filter(PageAnalysis::canBeKey);
    Optional<Instant> date = header(record::date);
    if (key.isEmpty() || date.isEmpty()) {
      return FAILED;
    }
    Optional<PageText> text = PageText.of(key.get(), type, body);
    text.ifPresent(
        page -> reader.accept(new CrawledPage(key.get(), date.get(), page.title(), page.text())));
    return text.isPresent() ? new SnapshotTally(1, 0, 0) : BINARY;
  }

  /** What a header says; nothing where it is missing, there twice or cannot be read. */
  private static <T> Optional<T> header(Supplier<T> reader) {
    try {
      return Optional.ofNullable(reader.get());
    } catch (DateTimeException | IllegalArgumentException | NoSuchElementException e) {
      return Optional.empty();
    }
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
