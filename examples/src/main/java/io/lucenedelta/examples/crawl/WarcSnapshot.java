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
import java.util.zip.ZipException;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.LengthedBody;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.ParsingException;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResource;
import org.netpreserve.jwarc.WarcResponse;

/** A snapshot in one WARC file, plain or compressed; its time is the date of its first record. */
record WarcSnapshot(Path file, Instant time) implements Snapshot {

  /**
   * Reads the first record.
   *
   * @throws CrawlException if there is none
   */
  static WarcSnapshot open(Path file) {
    try (WarcReader records = new WarcReader(file)) {
      WarcRecord first = nextRecord(file, records).orElse(null);
      if (first == null) {
        throw new CrawlException(file + " is empty: replace it with a complete WARC file");
      }
      return new WarcSnapshot(file, dateOf(file, first));
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
    SnapshotTally tally = new SnapshotTally(0, 0, 0);
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
    if (found instanceof WarcResource resource) {
      byte[] body = resource.body().stream().readAllBytes();
      return readBody(resource.target(), resource, resource.contentType(), body, reader);
    }
    if (found instanceof WarcResponse response) {
      return readResponse(response, reader);
    }
    return new SnapshotTally(0, 0, 0);
  }

  private SnapshotTally readResponse(WarcResponse response, Consumer<? super CrawledPage> reader)
      throws IOException {
    if (!response.contentType().base().equals(MediaType.HTTP)) {
      return new SnapshotTally(0, 1, 0);
    }
    // whatever is wrong from here on is wrong with this answer: the file gave the whole record
    byte[] answer = response.body().stream().readAllBytes();
    HttpResponse http;
    byte[] body;
    try {
      http = HttpResponse.parse(inMemory(answer));
      if (http.status() != 200) {
        return new SnapshotTally(0, 0, 1);
      }
      body = ContentCoding.decoded(http);
    } catch (IOException e) {
      return new SnapshotTally(0, 0, 1);
    }
    return readBody(response.target(), response, http.contentType(), body, reader);
  }

  /** A body of known length, since an answer need not tell its own. */
  private static LengthedBody inMemory(byte[] answer) {
    return LengthedBody.create(
        Channels.newChannel(new ByteArrayInputStream(answer)),
        ByteBuffer.allocate(0),
        answer.length);
  }

  private SnapshotTally readBody(
      String key,
      WarcRecord found,
      MediaType type,
      byte[] body,
      Consumer<? super CrawledPage> reader) {
    if (key == null || key.isEmpty()) {
      throw new CrawlException(
          file + " has a page without WARC-Target-URI, so it cannot be named: record it again");
    }
    if (!PageAnalysis.canBeKey(key)) {
      return new SnapshotTally(0, 0, 1);
    }
    Optional<PageText> text = PageText.of(key, type, body);
    text.ifPresent(
        page ->
            reader.accept(new CrawledPage(key, dateOf(file, found), page.title(), page.text())));
    return text.isPresent() ? new SnapshotTally(1, 0, 0) : new SnapshotTally(0, 1, 0);
  }

  private static Optional<WarcRecord> nextRecord(Path file, WarcReader records) throws IOException {
    try {
      return records.next();
    } catch (NumberFormatException e) {
      throw new CrawlException(
          file + " has a record whose Content-Length is not a number: replace the file", e);
    }
  }

  private static Instant dateOf(Path file, WarcRecord found) {
    try {
      return found.date();
    } catch (DateTimeException | IllegalArgumentException | NoSuchElementException e) {
      throw new CrawlException(
          file + " has a record without a readable WARC-Date: replace the file", e);
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
