// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.LengthedBody;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.Message;
import org.netpreserve.jwarc.WarcConversion;
import org.netpreserve.jwarc.WarcMetadata;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcRequest;
import org.netpreserve.jwarc.WarcResource;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;
import org.netpreserve.jwarc.WarcTargetRecord;
import org.netpreserve.jwarc.Warcinfo;

/**
 * Takes the records of a WARC file one by one and finds out what each is. The file is read on the
 * caller's thread; what is in an answer may be found out on another.
 */
final class WarcPages implements AutoCloseable {
  /** Where an answer has no byte, this is read. */
  private static final int NO_STATUS = 0;

  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;

  /** Sought from the first of several blanks only: from each of them on, many would not end. */
  private static final Pattern BEFORE_SEMICOLON = Pattern.compile("(?<![ \\t])[ \\t]++;");

  /** So many letters of what a record says of itself are shown. */
  private static final int SHOWN = 200;

  private static final Set<String> SCHEMES = Set.of("http", "https", "ftp");

  /** Dates of less precision than a second. */
  private static final DateTimeFormatter COARSE =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu[-MM[-dd['T'HH:mmX]]]")
          .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
          .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
          .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
          .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
          .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
          .toFormatter(Locale.ROOT);

  /** What is larger is not read to see what it is. */
  private static final int LARGEST_RECORD = 64 << 20;

  /** What parses an answer's header takes many times its bytes: a longer one is not read. */
  static final int LARGEST_HEADER = 1 << 20;

  private final ReadAhead findings;
  private final AskedAnswers asked;

  WarcPages(ReadAhead findings) {
    this.findings = findings;
    this.asked = new AskedAnswers(findings);
  }

  /**
   * Takes a record, whose body is read.
   *
   * @throws IOException if the file does not give the whole record
   */
  void take(WarcRecord record) throws IOException {
    if (record instanceof WarcRequest request) {
      asked.request(request);
      findings.add(new Finding.NoPage(LeftOut.REQUEST, nameOf(record), Optional.empty()));
    } else if (isPart(record)) {
      asked.nothing();
      passOver(record);
      findings.add(new Finding.NoPage(LeftOut.PART, nameOf(record), Optional.empty()));
    } else if (isAnswer(record)) {
      takeAnswer((WarcTargetRecord) record);
    } else if (record instanceof WarcRevisit revisit) {
      byte[] begin = record.body().stream().readNBytes(LARGEST_HEADER);
      passOver(record);
      asked.answer(revisit, () -> findings.add(revisited(revisit, begin)));
    } else {
      asked.nothing();
      passOver(record);
      if (!(record instanceof Warcinfo)) {
        findings.add(new Finding.NoPage(typeOf(record), nameOf(record), Optional.empty()));
      }
    }
  }

  /** Adds the last answer, for whose request nobody need wait any longer. */
  @Override
  public void close() {
    asked.nothing();
  }

  /**
   * Whether it was loaded for a page. Only browsers tell (WARC-Resource-Type, of Browsertrix), by
   * the names that Chromium has for what it loads.
   */
  private static boolean isPart(WarcRecord record) {
    return record
        .headers()
        .first("WARC-Resource-Type")
        .filter(told -> !told.equalsIgnoreCase("document"))
        .isPresent();
  }

  /**
   * Reads what nobody wants of a body, to see that it is whole: jwarc jumps over it, in a plain
   * file beyond the end too, and what was cut off would count as left out, and so as unchanged.
   */
  static void passOver(WarcRecord record) throws IOException {
    record.body().stream().transferTo(OutputStream.nullOutputStream());
  }

  private void takeAnswer(WarcTargetRecord record) throws IOException {
    if (record.body().size() > LARGEST_RECORD) {
      passOver(record);
      asked.answer(record, () -> findings.add(failure(record, LeftOut.TOO_LARGE, "")));
      return;
    }
    if (isCutShort(record)) {
      passOver(record);
      asked.answer(record, () -> findings.add(failure(record, LeftOut.BROKEN, "(cut short) ")));
      return;
    }
    Optional<MediaType> type = type(record, "Content-Type");
    if (record instanceof WarcResource) {
      byte[] body = record.body().stream().readAllBytes();
      asked.answer(
          record,
          () -> findings.add(body, () -> page(record, type.or(() -> seenType(record)), body)));
    } else if (type.filter(told -> told.base().equals(MediaType.HTTP)).isPresent()) {
      byte[] answer = record.body().stream().readAllBytes();
      asked.answer(record, () -> findings.add(answer, () -> answered(record, answer)));
    } else {
      passOver(record);
      asked.answer(record, () -> findings.add(failure(record, LeftOut.BROKEN, "(not HTTP) ")));
    }
  }

  /**
   * Whether the crawler says that the answer broke off (WARC 1.1, "WARC-Truncated"), or goes on in
   * another record ("WARC-Segment-Number"). At a length of its own it stops every time: that is how
   * it knows the page.
   */
  private static boolean isCutShort(WarcRecord record) {
    return record.headers().first("WARC-Segment-Number").isPresent()
        || record.headers().all("WARC-Truncated").stream()
            .anyMatch(reason -> !reason.equalsIgnoreCase("length"));
  }

  /** Whatever is wrong in it is wrong with this answer: the file gave the whole record. */
  private static Finding answered(WarcTargetRecord record, byte[] answer) {
    if (hasLargeHeader(answer)) {
      return failure(record, LeftOut.BROKEN, "");
    }
    Optional<MediaType> type;
    byte[] body;
    try {
      HttpResponse http = HttpResponse.parse(inMemory(answer));
      if (http.status() != OK) {
        return noPage(record, http.status());
      }
      boolean cut = record.headers().first("WARC-Truncated").isPresent(); // at a length
      if (isShort(http) && !cut) {
        return failure(record, LeftOut.BROKEN, "(cut short) ");
      }
      body = ContentCoding.decoded(http, cut);
      type = type(http, "Content-Type").or(() -> seenType(record));
    } catch (IOException | IllegalArgumentException e) {
      return failure(record, LeftOut.BROKEN, "");
    }
    return page(record, type, body);
  }

  /** Whether the first blank line, which ends the header, is beyond the largest. */
  private static boolean hasLargeHeader(byte[] answer) {
    boolean lineIsBlank = false;
    for (int at = 0; at < Math.min(answer.length, LARGEST_HEADER); at++) {
      if (answer[at] == '\n' && lineIsBlank) {
        return false;
      }
      lineIsBlank = answer[at] == '\n' || (lineIsBlank && answer[at] == '\r');
    }
    return answer.length > LARGEST_HEADER;
  }

  /**
   * Whether there is less of a body than its server told. Nobody knows for one that was packed for
   * the way: several crawlers store what they unpacked and leave the header as the server sent it.
   */
  private static boolean isShort(HttpResponse http) throws IOException {
    long stored = http.body().size(); // below 0 where it is in chunks
    Optional<Long> told = header(() -> Long.valueOf(http.headers().sole("Content-Length").get()));
    return stored >= 0
        && told.filter(length -> length > stored).isPresent()
        && !ContentCoding.isPacked(http);
  }

  /** What the crawler saw (WARC 1.1, "WARC-Identified-Payload-Type"). */
  private static Optional<MediaType> seenType(WarcRecord record) {
    return type(record, "WARC-Identified-Payload-Type");
  }

  /**
   * The media type in a header; nothing where there is none that can be read. Blanks before a
   * semicolon, which HTTP allows there (RFC 9110, 5.6.6), jwarc would count to the type.
   */
  private static Optional<MediaType> type(Message message, String header) {
    return message
        .headers()
        .first(header)
        .map(told -> BEFORE_SEMICOLON.matcher(told).replaceAll(";"))
        .flatMap(told -> header(() -> MediaType.parseLeniently(told)))
        .filter(told -> !told.subtype().isEmpty());
  }

  private static Finding noPage(WarcTargetRecord record, int status) {
    if (status == NOT_MODIFIED) {
      return unchanged(record);
    }
    return status == NO_STATUS
        ? failure(record, LeftOut.BROKEN, "")
        : failure(record, LeftOut.STATUS, status + " ");
  }

  /** Without an address and a date it is left for silence to tell. */
  private static Finding unchanged(WarcTargetRecord record) {
    Optional<String> key = keyOf(record);
    Optional<Instant> date = dateOf(record);
    return key.isPresent() && date.isPresent()
        ? new Finding.Unchanged(nameOf(record), key.get(), date.get())
        : new Finding.NoPage(LeftOut.UNCHANGED, nameOf(record), Optional.empty());
  }

  /** An answer whose bytes are those of an earlier one, or of which the server said so. */
  private static Finding revisited(WarcRevisit record, byte[] begin) {
    if (isOfAnotherAddress(record)) {
      return failure(record, LeftOut.ELSEWHERE, "");
    }
    int status;
    try {
      status = HttpResponse.parse(inMemory(begin)).status();
    } catch (IOException | IllegalArgumentException e) {
      status = NO_STATUS;
    }
    // it need not repeat the header
    return noPage(record, status == OK || status == NO_STATUS ? NOT_MODIFIED : status);
  }

  /** Crawlers that store the same bytes once may refer to another page that had them. */
  private static boolean isOfAnotherAddress(WarcRevisit record) {
    return record
        .headers()
        .first("WARC-Refers-To-Target-URI")
        .map(told -> told.strip().replaceAll("^<|>$", ""))
        .filter(told -> !told.equals(header(record::target).orElse(told)))
        .isPresent();
  }

  /** Where no type is told, the extension of the address decides, as for one that says nothing. */
  private static Finding page(WarcTargetRecord record, Optional<MediaType> type, byte[] body) {
    Optional<String> key = keyOf(record);
    Optional<Instant> date = dateOf(record);
    if (key.isEmpty() || date.isEmpty()) {
      return failure(record, key.isEmpty() ? LeftOut.NO_ADDRESS : LeftOut.NO_DATE, "");
    }
    MediaType known = type.orElse(MediaType.OCTET_STREAM);
    if (body.length > PageText.LARGEST && PageText.canBeRead(key.get(), known)) {
      return failure(record, LeftOut.TOO_LARGE, "");
    }
    return PageText.of(key.get(), known, body)
        .<Finding>map(text -> new Finding.Page(text.page(key.get(), date.get())))
        .orElseGet(
            () ->
                type.map(told -> notText(record, shown(told.base().toString())))
                    .orElseGet(() -> failure(record, LeftOut.NO_TYPE, "")));
  }

  private static Finding notText(WarcTargetRecord record, String type) {
    return new Finding.NoPage(LeftOut.NOT_TEXT, type, type + " " + nameOf(record), keyOf(record));
  }

  private static Finding failure(WarcTargetRecord record, LeftOut reason, String detail) {
    return new Finding.NoPage(reason, detail + nameOf(record), keyOf(record));
  }

  private static Optional<String> keyOf(WarcTargetRecord record) {
    return header(record::target).filter(PageAnalysis::canBeKey);
  }

  /**
   * Whether it should be a page: crawlers keep notes of their own as resources, such as wget its
   * arguments at {@code metadata://}, and answers of other servers, such as {@code dns:}. What has
   * no address that can be read may be a page.
   */
  private static boolean isAnswer(WarcRecord record) {
    return (record instanceof WarcResponse || record instanceof WarcResource)
        && header(((WarcTargetRecord) record)::target).map(WarcPages::isOfWeb).orElse(true);
  }

  private static boolean isOfWeb(String address) {
    String scheme = address.substring(0, Math.max(0, address.indexOf(':')));
    return address.isEmpty() || SCHEMES.contains(scheme.toLowerCase(Locale.ROOT));
  }

  private static LeftOut typeOf(WarcRecord record) {
    if (record instanceof WarcMetadata) {
      return LeftOut.METADATA;
    }
    return record instanceof WarcConversion ? LeftOut.CONVERSION : LeftOut.OTHER;
  }

  /** The address, cut where it is long, else the record's number. */
  static String nameOf(WarcRecord record) {
    Optional<String> address =
        record instanceof WarcTargetRecord target ? header(target::target) : Optional.empty();
    return shown(
        address
            .filter(known -> !known.isEmpty())
            .or(() -> record.headers().first("WARC-Record-ID"))
            .orElse("a record without an address"));
  }

  /** Cut where it is long. */
  static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  /** A body of known length, since an answer need not tell its own. */
  private static LengthedBody inMemory(byte[] answer) {
    return LengthedBody.create(
        Channels.newChannel(new ByteArrayInputStream(answer)),
        ByteBuffer.allocate(0),
        answer.length);
  }

  /**
   * A record's date. WARC 1.1 allows less than a second of precision, down to the year (its
   * WARC-Date is of W3CDTF), which jwarc does not read: then it is the beginning of what is told.
   */
  static Optional<Instant> dateOf(WarcRecord record) {
    return header(record::date)
        .or(
            () ->
                header(() -> record.headers().sole("WARC-Date").orElseThrow())
                    .flatMap(told -> header(() -> COARSE.parse(told, Instant::from))));
  }

  /** What a header says; nothing where it is missing, there twice or cannot be read. */
  static <T> Optional<T> header(Supplier<T> reader) {
    try {
      return Optional.ofNullable(reader.get());
    } catch (DateTimeException | IllegalArgumentException | NoSuchElementException e) {
      return Optional.empty();
    }
  }
}
