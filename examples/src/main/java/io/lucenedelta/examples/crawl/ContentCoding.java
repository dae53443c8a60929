// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.netpreserve.jwarc.HttpResponse;

/** Undoes an HTTP response's Content-Encoding. */
final class ContentCoding {
  private ContentCoding() {}

  /**
   * The decoded body of a response, which is read.
   *
   * @throws IOException if it is damaged or its coding unknown
   */
  static byte[] decoded(HttpResponse http) throws IOException {
    byte[] raw = http.body().stream().readAllBytes();
    List<String> codings = http.headers().all("Content-Encoding");
    if (codings.isEmpty() || isDecodedAlready(codings, raw)) {
      return raw;
    }
    if (codings.size() == 1 && codings.get(0).equalsIgnoreCase("deflate")) {
      return inflated(raw);
    }
    HttpResponse.Builder whole = new HttpResponse.Builder(http.status(), http.reason());
    codings.forEach(coding -> whole.addHeader("Content-Encoding", coding));
    whole.body(http.contentType(), raw);
    return whole.build().bodyDecoded().stream().readAllBytes();
  }

  /**
   * Undoes deflate in zlib's frame, as RFC 9110 has it, or bare, as several servers send it.
   *
   * <p>Not by jwarc, which reads the bare kind only, and of one that breaks off without end.
   */
  private static byte[] inflated(byte[] raw) throws IOException {
    Inflater inflater = new Inflater(!isZlib(raw));
    try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(raw), inflater)) {
      return in.readAllBytes();
    } finally {
      inflater.end();
    }
  }

  /** The two bytes that begin zlib's frame: method 8, and a multiple of 31 together (RFC 1950). */
  private static boolean isZlib(byte[] raw) {
    return raw.length >= 2
        && (raw[0] & 0x0f) == Deflater.DEFLATED
        && (((raw[0] & 0xff) << 8) | (raw[1] & 0xff)) % 31 == 0;
  }

  /** Several crawlers store the decoded body and leave the header as the server sent it. */
  private static boolean isDecodedAlready(List<String> codings, byte[] raw) {
    boolean gzip = codings.get(0).equalsIgnoreCase("gzip");
    boolean magic = raw.length >= 2 && raw[0] == (byte) 0x1f && raw[1] == (byte) 0x8b;
    return gzip && !magic;
  }
}
