// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.netpreserve.jwarc.HttpResponse;

/**
 * Undoes an HTTP response's Content-Encoding.
 *
 * <p>The body is read from the WARC file before it is decoded, so that a damaged answer of a server
 * can be told from a damaged file.
 */
final class ContentCoding {
  private ContentCoding() {}

  /**
   * The decoded body, or nothing when it is damaged or its coding unknown.
   *
   * @param http the response, whose body has been read into {@code raw}
   */
  static Optional<byte[]> decode(HttpResponse http, byte[] raw) throws IOException {
    List<String> codings = http.headers().all("Content-Encoding");
    if (codings.isEmpty() || isDecodedAlready(codings, raw)) {
      return Optional.of(raw);
    }
    HttpResponse.Builder whole = new HttpResponse.Builder(http.status(), http.reason());
    codings.forEach(coding -> whole.addHeader("Content-Encoding", coding));
    whole.body(http.contentType(), raw);
    try {
      return Optional.of(whole.build().bodyDecoded().stream().readAllBytes());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Several crawlers store the decoded body and leave the header as the server sent it. */
  private static boolean isDecodedAlready(List<String> codings, byte[] raw) {
    boolean gzip = codings.get(0).equalsIgnoreCase("gzip");
    boolean magic = raw.length >= 2 && raw[0] == (byte) 0x1f && raw[1] == (byte) 0x8b;
    return gzip && !magic;
  }
}
