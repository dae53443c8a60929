// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MediaType;

/** Undoes an HTTP response's Content-Encoding, and what Transfer-Encoding packs. */
final class ContentCoding {
  /** A few bytes can unpack to more than any memory; one above the largest tells of it. */
  private static final int ENOUGH = PageText.LARGEST + 1;

  /** So many bytes tell text: a "resource header" of 1,445, and one to make pairs. */
  private static final int SEEN = 1446;

  /** The registered ones; whatever else a header names, such as a charset, undoes nothing. */
  private static final Set<String> REGISTERED =
      Set.of(
          "gzip", "x-gzip", "deflate", "br", "compress", "x-compress", "zstd", "dcb", "dcz", "exi");

  /** As many as curl undoes: nobody sends more, and each may unpack to the largest size. */
  private static final int MOST_CODINGS = 5;

  private ContentCoding() {}

  /**
   * The decoded body of a response, which is read; of one that is too large the beginning. A body
   * that is text in spite of its coding was decoded by the crawler: several store it so and leave
   * the header as the server sent it.
   *
   * @param cut whether the crawler says that it took no more than a beginning: then as much counts
   *     as can be read, which of brotli is nothing: its decoder gives a window of megabytes or all
   * @throws IOException if it is damaged, in a coding that cannot be undone here, or in more of
   *     them than anybody sends; of one that is cut, if nothing can be read
   */
  static byte[] decoded(HttpResponse http, boolean cut) throws IOException {
    List<String> codings = codings(http);
    if (codings.size() > MOST_CODINGS) {
      throw new IOException(codings.size() + " codings, one in the other");
    }
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try {
      http.body().stream().transferTo(sent); // undoes chunks
    } catch (IOException broken) {
      requireBeginning(sent, cut, broken);
    }
    byte[] body = sent.toByteArray();
    for (int last = codings.size() - 1; last >= 0 && body.length < ENOUGH; last--) {
      body = undone(codings.get(last), body, cut);
    }
    return body;
  }

  private static void requireBeginning(ByteArrayOutputStream read, boolean cut, IOException broken)
      throws IOException {
    if (!cut || read.size() == 0) {
      throw broken;
    }
  }

  /** Whether the body is in a coding, or was when it was sent. */
  static boolean isPacked(HttpResponse http) {
    return !codings(http).isEmpty();
  }

  private static List<String> codings(HttpResponse http) {
    List<String> headers = new ArrayList<>(http.headers().all("Content-Encoding"));
    headers.addAll(http.headers().all("Transfer-Encoding")); // jwarc undoes chunks, nothing else
    return headers.stream()
        .flatMap(header -> Stream.of(header.split(",", -1)))
        .map(token -> token.strip().toLowerCase(Locale.ROOT))
        .filter(REGISTERED::contains)
        .map(coding -> coding.equals("x-gzip") ? "gzip" : coding) // RFC 9110: to be taken as equal
        .toList();
  }

  private static byte[] undone(String coding, byte[] raw, boolean cut) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      switch (coding) {
        case "gzip" -> unzip(raw, out);
        case "deflate" -> inflate(raw, out);
        case "zstd" -> unpack(raw, cut, out);
        default -> byJwarc(coding, raw, out);
      }
    } catch (IOException broken) {
      if (isText(raw)) {
        return raw;
      }
      requireBeginning(out, cut, broken);
    }
    return out.toByteArray();
  }

  /** Copies what there is before the end, enough or damage. */
  private static void read(InputStream in, ByteArrayOutputStream out) throws IOException {
    byte[] buffer = new byte[8192];
    for (int n = 0; n >= 0 && out.size() < ENOUGH; n = in.read(buffer)) {
      out.write(buffer, 0, n);
    }
  }

  private static void byJwarc(String coding, byte[] raw, ByteArrayOutputStream out)
      throws IOException {
    HttpResponse packed =
        new HttpResponse.Builder(200, "OK")
            .addHeader("Content-Encoding", coding)
            .body(MediaType.OCTET_STREAM, raw)
            .build();
    read(packed.bodyDecoded().stream(), out);
  }

  /**
   * Undoes gzip, not by jwarc, to which bytes after the end are damage; browsers pass them over.
   */
  private static void unzip(byte[] raw, ByteArrayOutputStream out) throws IOException {
    try (InputStream in = new UnzippedMembers(new ByteArrayInputStream(raw))) {
      read(in, out);
    }
  }

  /**
   * Undoes deflate in zlib's frame, as RFC 9110 has it, or bare, as several servers send it.
   *
   * <p>Not by jwarc, which reads the bare kind only, and of one that breaks off without end.
   */
  private static void inflate(byte[] raw, ByteArrayOutputStream out) throws IOException {
    Inflater inflater = new Inflater(!isZlib(raw));
    try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(raw), inflater)) {
      read(in, out);
    } finally {
      inflater.end();
    }
  }

  /**
   * Undoes zstd: one frame or several, one after the other (RFC 8878).
   *
   * <p>Not by jwarc, which at the end of a complete body waits for more without end. That every
   * frame is there in full is asked before, unless it cannot be: the stream notices it of the first
   * one only.
   */
  private static void unpack(byte[] raw, boolean cut, ByteArrayOutputStream out)
      throws IOException {
    try {
      for (int frame = 0; frame < raw.length && !cut; ) {
        frame += (int) Zstd.findFrameCompressedSize(raw, frame, raw.length - frame);
      }
    } catch (ZstdException e) {
      throw new IOException("not whole frames of zstd", e);
    }
    try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(raw))) {
      read(in, out);
    }
  }

  /** The two bytes that begin zlib's frame: method 8, and a multiple of 31 together (RFC 1950). */
  private static boolean isZlib(byte[] raw) {
    return raw.length >= 2
        && (raw[0] & 0x0f) == Deflater.DEFLATED
        && (((raw[0] & 0xff) << 8) | (raw[1] & 0xff)) % 31 == 0;
  }

  /**
   * Whether no letter at the beginning is a control character that no text has: packed bytes soon
   * are. Text may have escapes, by which ISO-2022-JP changes between scripts, and anything further
   * down (WHATWG, MIME Sniffing, "binary data byte", "resource header").
   */
  private static boolean isText(byte[] raw) {
    Charset charset = PageText.marked(raw).orElse(StandardCharsets.ISO_8859_1);
    String begin = new String(raw, 0, Math.min(SEEN, raw.length), charset);
    return begin.chars().allMatch(letter -> letter >= ' ' || "\t\n\f\r\u001b".indexOf(letter) >= 0);
  }
}
