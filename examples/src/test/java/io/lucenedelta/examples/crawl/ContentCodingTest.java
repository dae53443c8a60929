// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lucenedelta.examples.cli.FreshScripts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MediaType;

class ContentCodingTest {
  @ParameterizedTest
  @ValueSource(strings = {"compress", "x-compress", "dcb", "dcz", "exi", "EXI, gzip"})
  void whatIsPackedSoThatItCannotBeUndoneHereIsNotTakenForText(String coding) throws IOException {
    byte[] packed = {0x1f, (byte) 0x9d, 0, 'x'};
    HttpResponse http = answer(coding, coding.endsWith("gzip") ? gzip(packed) : packed);
    assertThatIOException().isThrownBy(() -> ContentCoding.decoded(http, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "X-GZip"})
  void gzipHasTwoNamesAndMayHaveAnythingBehindIt(String coding) throws IOException {
    ByteArrayOutputStream longer = new ByteArrayOutputStream();
    longer.write(gzip("packed".getBytes(StandardCharsets.UTF_8)));
    longer.write(new byte[] {0, 0, 'x'});
    assertThat(ContentCoding.decoded(answer(coding, longer.toByteArray()), false))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("packed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "windows-1252", "Shift_JIS", "ISO-2022-JP"})
  void textIsSeenToBeUnpackedInWhateverLettersItIsWritten(String charset) throws IOException {
    String text = charset.equals("windows-1252") ? "die “Größe”\t\f\r\n" : "日本語\t\f\r\n";
    byte[] bytes = text.getBytes(Charset.forName(charset));
    assertThat(ContentCoding.decoded(answer("br", bytes), false)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(bytes = {0, 8, 0x0b, 0x0e, 0x1a, 0x1c, 0x1f})
  void aControlCharacterThatNoTextHasTellsThatABodyIsPacked(byte control) throws IOException {
    HttpResponse http = answer("exi", new byte[] {'a', control, 'b'});
    assertThatIOException().isThrownBy(() -> ContentCoding.decoded(http, false));
  }

  /** What undoes zstd is machine code, which is put where temporary files are to be run. */
  static void assumeItCanBeUndone(String coding) throws IOException {
    assumeThat(!coding.equals("zstd") || FreshScripts.canRun())
        .as("the library that undoes %s can be run in java.io.tmpdir", coding)
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "zstd", "br"})
  void textThatTheCrawlerUnpackedStaysAsItIs(String coding) throws IOException {
    assumeItCanBeUndone(coding);
    for (String text : new String[] {"", "a", "some text\r\n", "größe"}) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      assertThat(ContentCoding.decoded(answer(coding, body), false)).isEqualTo(body);
    }
    byte[] stray = ("text ".repeat(300) + "\0").getBytes(StandardCharsets.UTF_8);
    assertThat(ContentCoding.decoded(answer(coding, stray), false)).isEqualTo(stray);
    for (Charset utf16 : new Charset[] {StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE}) {
      byte[] body = "\uFEFFgröße".getBytes(utf16);
      assertThat(ContentCoding.decoded(answer(coding, body), false)).isEqualTo(body);
    }
  }

  @Test
  void whatIsNeitherGzipNorTextIsBroken() {
    byte[] binary = "\uFEFFa\0b".getBytes(StandardCharsets.UTF_16LE);
    byte[] zstd = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 4, 0, 'a'};
    for (byte[] body : new byte[][] {{0x1f}, {0x1f, 0}, {0, (byte) 0x8b}, {'a', 0}, binary, zstd}) {
      assertThatIOException().isThrownBy(() -> ContentCoding.decoded(answer("gzip", body), false));
    }
  }

  @Test
  void gzipThatEndsBehindItsFirstBytesIsBroken() throws IOException {
    HttpResponse http = answer("gzip", new byte[] {0x1f, (byte) 0x8b});
    assertThatIOException().isThrownBy(() -> ContentCoding.decoded(http, false));
  }

  /** One read of the JDK's stream goes a call deeper with each of them. */
  @Test
  void gzipOfManyEmptyMembersIsReadToItsEnd() throws IOException {
    byte[] empty = gzip(new byte[0]);
    byte[] page = gzip("packed".getBytes(StandardCharsets.UTF_8));
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    for (int half = 0; half < 2; half++) {
      for (int number = 0; number < 100_000; number++) {
        members.write(empty);
      }
      members.write(page);
    }
    assertThat(ContentCoding.decoded(answer("gzip", members.toByteArray()), false))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("packedpacked");
    byte[] twice = gzip(members.toByteArray());
    assertThat(ContentCoding.decoded(answer("gzip, gzip", twice), false))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("packedpacked");
    byte[] broken = Arrays.copyOf(members.toByteArray(), members.size() - 1);
    HttpResponse cut = answer("gzip", broken);
    assertThatIOException().isThrownBy(() -> ContentCoding.decoded(cut, false));
  }

  @Test
  void whatIsTooLargeHalfwayIsTooLargeAndNotBroken() throws IOException {
    HttpResponse http = answer("br, gzip", gzip(new byte[PageText.LARGEST + 1]));
    assertThat(ContentCoding.decoded(http, false)).hasSizeGreaterThan(PageText.LARGEST);
  }

  /** With more of them a few kilobytes could be copied a hundred times at their full size. */
  @Test
  void fiveCodingsAreUndoneAndMoreAreBroken() throws IOException {
    byte[] body = "packed".getBytes(StandardCharsets.UTF_8);
    for (int codings = 1; codings <= 5; codings++) {
      body = gzip(body);
      String header = "gzip" + ", gzip".repeat(codings - 1);
      assertThat(ContentCoding.decoded(answer(header + ", utf-8, br-x", body), false))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("packed");
    }
    HttpResponse six = answer("gzip, x-gzip, gzip, gzip, gzip, gzip", gzip(body));
    assertThatIOException().isThrownBy(() -> ContentCoding.decoded(six, false));
  }

  /** RFC 1951, 3.2.4: the bits between a stored block's header and its length mean nothing. */
  @Test
  void bareDeflateMayBeginAsZlibDoes() throws IOException {
    byte[] stored = {0x78, 6, 0, ~6, ~0, 'p', 'a', 'c', 'k', 'e', 'd', 1, 0, 0, ~0, ~0};
    assertThat(ContentCoding.decoded(answer("deflate", stored), false))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("packed");
  }

  /** Of 300 bodies some begin with a multiple of 31, as zlib's frame does. */
  @Test
  void bareDeflateIsUndoneWhateverItBeginsWith() throws IOException {
    for (int number = 0; number < 300; number++) {
      String text = Integer.toString(1000 + number, 36) + " packed";
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      Deflater bare = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
      try (DeflaterOutputStream out = new DeflaterOutputStream(packed, bare)) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      } finally {
        bare.end();
      }
      assertThat(ContentCoding.decoded(answer("deflate", packed.toByteArray()), false))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo(text);
    }
  }

  private static HttpResponse answer(String coding, byte[] body) throws IOException {
    return new HttpResponse.Builder(200, "OK")
        .addHeader("Content-Encoding", coding)
        .body(MediaType.OCTET_STREAM, body)
        .build();
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }
}
