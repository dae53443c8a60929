// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of streams do not fit into an array; the pages beside them are read all the same. */
class LargeAnswersTest {
  private static final long TOO_LARGE_FOR_AN_ARRAY = 1L << 31;

  @TempDir Path crawl;

  private final List<CrawledPage> pages = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();

  @Test
  void anAnswerLargerThanAnArrayIsLeftOutAndTheFileIsReadOn() throws IOException {
    String rest = "\r\n\r\n" + record("http://a/2", "after");
    writeLarge("response", "", TOO_LARGE_FOR_AN_ARRAY, rest);
    SnapshotTally tally = read();
    assertThat(pages).extracting(CrawledPage::text).containsExactly("before", "after");
    assertThat(failed).containsExactly("http://a/large");
    assertThat(tally.lines())
        .containsExactly("left out, larger than 8 MB: 1, first http://a/large");
  }

  @Test
  void ofARevisitLargerThanAnArrayTheHeaderCountsAndTheFileIsReadOn() throws IOException {
    String gone = "HTTP/1.1 404 Not Found\r\n\r\n";
    String rest = "\r\n\r\n" + record("http://a/2", "after");
    writeLarge("revisit", gone, TOO_LARGE_FOR_AN_ARRAY, rest);
    SnapshotTally tally = read();
    assertThat(pages).extracting(CrawledPage::text).containsExactly("before", "after");
    assertThat(failed).containsExactly("http://a/large");
    assertThat(tally.count(LeftOut.STATUS)).isEqualTo(1);
  }

  @Test
  void aFileCutWithinSuchARevisitIsRejected() throws IOException {
    writeLarge("revisit", "", WarcPages.LARGEST_HEADER, ""); // all that is kept of it is there
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(this::read)
        .withMessageContaining("a.warc is truncated or damaged");
  }

  @Test
  void aFileCutWithinSuchAnAnswerIsRejected() throws IOException {
    writeLarge("response", "", TOO_LARGE_FOR_AN_ARRAY - 1, "");
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(this::read)
        .withMessageContaining("a.warc is truncated or damaged");
  }

  @Test
  void anAnswerThatUnpacksToMoreThanAPageIsLeftOut() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(new byte[PageText.LARGEST + 1]);
    }
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), "2024-01-01T00:00:00Z")) {
      warc.encoded("http://a/large", "gzip", "text/plain", packed.toByteArray());
      warc.page("http://a/2", "text/plain", "after");
    }
    SnapshotTally tally = read();
    assertThat(pages).extracting(CrawledPage::text).containsExactly("after");
    assertThat(tally.count(LeftOut.TOO_LARGE)).isEqualTo(1);
  }

  @Test
  void anAnswerWithAHeaderOfMoreThanAMegabyteIsBroken() throws IOException {
    String begin = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
    String field = "a: b\r\n";
    String large = field.repeat(WarcPages.LARGEST_HEADER / field.length());
    String body = "after ".repeat(WarcPages.LARGEST_HEADER / 6 + 1);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), "2024-01-01T00:00:00Z")) {
      warc.verbatim("http://a/1", begin + large + "\r\nbefore");
      warc.verbatim("http://a/2", begin + field.repeat(9) + "\r\n" + body);
      warc.verbatim("http://a/3", (begin + "\r\n" + body).replace("\r", ""));
    }
    SnapshotTally tally = read();
    assertThat(pages).extracting(CrawledPage::key).containsExactly("http://a/2", "http://a/3");
    assertThat(failed).containsExactly("http://a/1");
    assertThat(tally.count(LeftOut.BROKEN)).isEqualTo(1);
  }

  /** The tree of such a page takes more than thirty times its bytes. */
  @Test
  void aPageOfMarkupIsParsedUpToTheLargestOnly() throws IOException {
    String markup = "<br>".repeat(PageText.LARGEST / 4 - 1);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), "2024-01-01T00:00:00Z")) {
      warc.encoded("http://a/1", "gzip", "text/html", gzip(markup + "<br>"));
      warc.encoded("http://a/2", "gzip", "text/html", gzip(markup + "<br>a"));
    }
    SnapshotTally tally = read();
    assertThat(pages).extracting(CrawledPage::key).containsExactly("http://a/1");
    assertThat(failed).containsExactly("http://a/2");
    assertThat(tally.count(LeftOut.TOO_LARGE)).isEqualTo(1);
    assertThat(PageText.LARGEST).as("so that a tree fits into the heap").isEqualTo(8 << 20);
  }

  @Test
  void whatIsNoTextIsLeftOutForThatBeItLargerThanAPage() throws IOException {
    String large = "x".repeat(PageText.LARGEST + 1);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), "2024-01-01T00:00:00Z")) {
      warc.page("http://a/1", "image/png", large);
      warc.page("http://a/2", "text/html", large);
    }
    SnapshotTally tally = read();
    assertThat(tally.count(LeftOut.NOT_TEXT)).isEqualTo(1);
    assertThat(tally.count(LeftOut.TOO_LARGE)).isEqualTo(1);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  @Test
  void aFileThatIsNoPageForItsSizeIsLeftOut() throws IOException {
    Path folder = Files.createDirectory(crawl.resolve("2024-01-01"));
    Files.writeString(folder.resolve("z.txt"), "small");
    for (String name : List.of("a.txt", "film.mp4")) {
      try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
        file.setLength(TOO_LARGE_FOR_AN_ARRAY);
      }
    }
    SnapshotTally tally = read();
    assertThat(pages).extracting(CrawledPage::text).containsExactly("small");
    assertThat(failed).containsExactly("a.txt", "film.mp4");
    assertThat(tally.count(LeftOut.TOO_LARGE)).isEqualTo(1);
    assertThat(tally.count(LeftOut.NOT_TEXT)).isEqualTo(1);
  }

  private SnapshotTally read() {
    return SnapshotArchive.open(crawl)
        .read(
            0,
            new SnapshotReader() {
              @Override
              public void page(CrawledPage page) {
                pages.add(page);
              }

              @Override
              public void failed(String key) {
                failed.add(key);
              }
            });
  }

  /**
   * A page, and a record of 2 GB of which {@code given} bytes are there, but for {@code begin} none
   * on the disk.
   */
  private void writeLarge(String type, String begin, long given, String rest) throws IOException {
    String header = header(type, "http://a/large", TOO_LARGE_FOR_AN_ARRAY);
    try (RandomAccessFile file = new RandomAccessFile(crawl.resolve("a.warc").toFile(), "rw")) {
      file.write((record("http://a/1", "before") + header).getBytes(StandardCharsets.UTF_8));
      long end = file.length() + given;
      file.write(begin.getBytes(StandardCharsets.UTF_8));
      file.seek(end - 1);
      file.write(0);
      file.write(rest.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String record(String url, String text) {
    String answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + text;
    return header("response", url, answer.length()) + answer + "\r\n\r\n";
  }

  private static String header(String type, String url, long length) {
    return """
        WARC/1.1\r
        WARC-Type: %s\r
        WARC-Date: 2024-01-01T00:00:00Z\r
        WARC-Target-URI: %s\r
        Content-Type: application/http\r
        Content-Length: %d\r
        \r
        """
        .formatted(type, url, length);
  }
}
