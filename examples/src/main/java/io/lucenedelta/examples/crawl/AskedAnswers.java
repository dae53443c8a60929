// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.netpreserve.jwarc.WarcRequest;
import org.netpreserve.jwarc.WarcTargetRecord;

/**
 * Passes on the answers of a WARC file that were asked for by GET, and counts the others: what
 * HEAD, POST or OPTIONS bring is not the page. The method is told by the request record beside the
 * answer, before it as wget writes it, or behind it as Heritrix, Browsertrix and warcprox do; so an
 * answer waits for the next record. Without a request it counts as asked for by GET.
 */
final class AskedAnswers {
  private static final String GET = "GET";

  /** RFC 9110 has no bound, and no method in use is longer than the 17 of UPDATEREDIRECTREF. */
  private static final Pattern METHOD = Pattern.compile("([A-Z-]{1,20}) ");

  private static final int SEEN = 21;

  private final ReadAhead findings;
  private Asked request; // the record before, if it is one and its answer does not stand before it
  private Waiting waiting; // the record before, if it is an answer whose request is not known

  private record Asked(WarcRequest record, String method) {}

  private record Waiting(WarcTargetRecord record, Runnable answer) {}

  AskedAnswers(ReadAhead findings) {
    this.findings = findings;
  }

  /** Takes an answer, and what adds it to the findings. */
  void answer(WarcTargetRecord record, Runnable answer) {
    Asked before = request;
    nothing();
    if (before != null && areOfOneFetch(before.record(), record)) {
      add(record, answer, before.method());
    } else {
      waiting = new Waiting(record, answer);
    }
  }

  /**
   * Takes a request, whose body is read.
   *
   * @throws IOException if the file does not give the whole record
   */
  void request(WarcRequest record) throws IOException {
    String method = methodOf(record);
    Waiting before = waiting;
    if (before != null && areOfOneFetch(record, before.record())) {
      waiting = null;
      nothing();
      add(before.record(), before.answer(), method);
    } else {
      nothing();
      request = new Asked(record, method);
    }
  }

  /** Neither a request nor an answer follows. */
  void nothing() {
    request = null;
    if (waiting != null) {
      Runnable answer = waiting.answer();
      waiting = null;
      answer.run();
    }
  }

  private void add(WarcTargetRecord record, Runnable answer, String method) {
    if (method.equals(GET)) {
      answer.run();
    } else {
      findings.add(
          new Finding.NoPage(
              LeftOut.METHOD, method + " " + WarcPages.nameOf(record), Optional.empty()));
    }
  }

  /** One refers to the other; where neither refers to any record, they are of the same address. */
  private static boolean areOfOneFetch(WarcRequest request, WarcTargetRecord answer) {
    List<String> ofRequest = request.headers().all("WARC-Concurrent-To");
    List<String> ofAnswer = answer.headers().all("WARC-Concurrent-To");
    if (ofRequest.isEmpty() && ofAnswer.isEmpty()) {
      Optional<String> asked = address(request);
      return asked.isPresent() && asked.equals(address(answer));
    }
    return id(answer).filter(ofRequest::contains).isPresent()
        || id(request).filter(ofAnswer::contains).isPresent();
  }

  private static Optional<String> address(WarcTargetRecord record) {
    return WarcPages.header(record::target);
  }

  private static Optional<String> id(WarcTargetRecord record) {
    return record.headers().first("WARC-Record-ID");
  }

  /** GET where there is none that can be read. */
  private static String methodOf(WarcRequest record) throws IOException {
    InputStream body = record.body().stream();
    Matcher method = METHOD.matcher(new String(body.readNBytes(SEEN), StandardCharsets.US_ASCII));
    WarcPages.passOver(record);
    return method.lookingAt() ? method.group(1) : GET;
  }
}
