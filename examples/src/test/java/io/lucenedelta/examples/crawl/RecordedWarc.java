// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.WarcResource;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;
import org.netpreserve.jwarc.WarcWriter;
import org.netpreserve.jwarc.Warcinfo;

/** Records WARC files for tests. */
final class RecordedWarc implements AutoCloseable {
  private final WarcWriter writer;
  private final Instant date;

  RecordedWarc(Path file, String date) throws IOException {
    this.writer = new WarcWriter(file);
    this.date = Instant.parse(date);
    writer.write(new Warcinfo.Builder().date(this.date).fields(new LinkedHashMap<>()).build());
  }

  RecordedWarc page(String url, String type, String body) throws IOException {
    return page(url, type, body.getBytes(StandardCharsets.UTF_8));
  }

  RecordedWarc page(String url, String type, byte[] body) throws IOException {
    return answer(url, new HttpResponse.Builder(200, "OK"), type, body);
  }

  RecordedWarc encoded(String url, String coding, String type, byte[] body) throws IOException {
    HttpResponse.Builder http = new HttpResponse.Builder(200, "OK");
    http.addHeader("Content-Encoding", coding);
    return answer(url, http, type, body);
  }

  RecordedWarc transferred(String url, String coding, String type, byte[] body) throws IOException {
    HttpResponse.Builder http = new HttpResponse.Builder(200, "OK");
    http.addHeader("Transfer-Encoding", coding);
    return answer(url, http, type, body);
  }

  RecordedWarc status(String url, int status) throws IOException {
    byte[] body = "gone".getBytes(StandardCharsets.UTF_8);
    return answer(url, new HttpResponse.Builder(status, "No"), "text/plain", body);
  }

  RecordedWarc resource(String url, String type, String body) throws IOException {
    writer.write(
        new WarcResource.Builder(URI.create(url))
            .date(date)
            .body(MediaType.parse(type), body.getBytes(StandardCharsets.UTF_8))
            .build());
    return this;
  }

  RecordedWarc revisit(String url, int status) throws IOException {
    writer.write(again(url, status).build());
    return this;
  }

  /** Bytes that another address had. */
  RecordedWarc revisit(String url, String other) throws IOException {
    writer.write(again(url, 200).setHeader("WARC-Refers-To-Target-URI", other).build());
    return this;
  }

  private WarcRevisit.Builder again(String url, int status) throws IOException {
    HttpResponse header = new HttpResponse.Builder(status, "As before").build();
    return new WarcRevisit.Builder(url, WarcRevisit.IDENTICAL_PAYLOAD_DIGEST_1_1)
        .date(date)
        .body(MediaType.HTTP_RESPONSE, header.serializeHeader());
  }

  RecordedWarc verbatim(String url, String answer) throws IOException {
    return verbatim(url, answer.getBytes(StandardCharsets.UTF_8));
  }

  RecordedWarc verbatim(String url, byte[] answer) throws IOException {
    writer.write(
        new WarcResponse.Builder(url).date(date).body(MediaType.HTTP_RESPONSE, answer).build());
    return this;
  }

  /** An answer of which the crawler says why it has no more of it. */
  RecordedWarc cut(String url, String reason, byte[] answer) throws IOException {
    writer.write(
        new WarcResponse.Builder(url)
            .date(date)
            .body(MediaType.HTTP_RESPONSE, answer)
            .setHeader("WARC-Truncated", reason)
            .build());
    return this;
  }

  private RecordedWarc answer(String url, HttpResponse.Builder http, String type, byte[] body)
      throws IOException {
    HttpResponse response = http.body(MediaType.parse(type), body).build();
    writer.write(new WarcResponse.Builder(url).date(date).body(response).build());
    return this;
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
