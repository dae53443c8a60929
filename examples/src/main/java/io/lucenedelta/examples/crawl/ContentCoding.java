// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.util.List;
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
    HttpResponse.Builder whole = new HttpResponse.Builder(http.status(), http.reason());
    codings.forEach(coding -> whole.addHeader("Content-Encoding", coding));
    whole.body(http.contentType(), raw);
    return whole.build().bodyDecoded().stream().readAllBytes();
  }

  /** Several crawlers store the decoded body and leave the header as the server sent it. */
  private static boolean isDecodedAlready(List<String> codings, byte[] raw) {
    boolean gzip = codings.get(0).equalsIgnoreCase("gzip");
    boolean magic = raw.length >= 2 && raw[0] == (byte) 0x1f && raw[1] == (byte) 0x8b;
    return gzip && !magic;
  }
}
