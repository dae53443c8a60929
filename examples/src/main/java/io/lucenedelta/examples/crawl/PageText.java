// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.netpreserve.jwarc.MediaType;

/** The readable part of a payload: its title, empty when it has none, and its text. */
record PageText(String title, String text) {
  /**
   * The bytes that a payload has at most, unpacked: what is larger is no page. A few kilobytes
   * unpack to so much, and the tree of HTML takes thirty times as much as the page, 260 MB.
   */
  static final int LARGEST = 8 << 20;

  /** Larger ones are parsed one at a time, lest the trees of several threads fill the memory. */
  private static final int LARGE = 1 << 20;

  static final ReentrantLock ONE_LARGE = new ReentrantLock();

  /** The text of these is none of the page's, though jsoup takes it for that. */
  private static final String NOT_SHOWN = "svg style, svg script, template";

  /** What stands by itself, though jsoup takes it for a part of a line. */
  private static final String SHOWN_APART = "summary, svg title, svg desc, svg text";

  private static final String NO_BASE = ""; // links are not followed

  private static final int LINES_BEFORE_TITLE = 40;

  private static final Charset WESTERN = Charset.forName("windows-1252");

  /** The kinds of text we can read; the media type decides, else the address's last extension. */
  private enum Kind {
    HTML,
    XHTML,
    MARKDOWN,
    RST,
    PLAIN
  }

  /** The text of a payload, or nothing when it is no text that we can read. */
  static Optional<PageText> of(String address, MediaType type, byte[] body) {
    return kindOf(address, type).map(kind -> read(kind, charsetOf(type), body));
  }

  /** Whether a payload is text that we can read, if it is not too large. */
  static boolean canBeRead(String address, MediaType type) {
    return kindOf(address, type).isPresent();
  }

  /**
   * The text of a file, or nothing when it is no text that we can read. Its name decides or, where
   * that says nothing, its first bytes.
   */
  static Optional<PageText> ofFile(String path, byte[] body) {
    return kindOfFile(path, body).map(kind -> read(kind, Optional.empty(), body));
  }

  /** Whether a file that begins with these bytes is text that we can read, if not too large. */
  static boolean canBeReadAsFile(String path, byte[] begin) {
    return kindOfFile(path, begin).isPresent();
  }

  /** The page that it is the text of. */
  CrawledPage page(String key, Instant fetched) {
    return new CrawledPage(key, fetched, title, text);
  }

  private static PageText read(Kind kind, Optional<Charset> charset, byte[] body) {
    Optional<Charset> told = marked(body).or(() -> charset);
    if (kind == Kind.HTML || kind == Kind.XHTML) {
      return body.length < LARGE ? html(kind, told, body) : largeHtml(kind, told, body);
    }
    String text = withoutByteOrderMark(new String(body, told.orElseGet(() -> guessed(body))));
    return switch (kind) {
      case MARKDOWN -> MarkdownText.read(text);
      case RST -> new PageText(rstTitle(text), text);
      default -> new PageText("", text);
    };
  }

  private static PageText largeHtml(Kind kind, Optional<Charset> told, byte[] body) {
    ONE_LARGE.lock();
    try {
      return html(kind, told, body);
    } finally {
      ONE_LARGE.unlock();
    }
  }

  /**
   * Where no byte order mark and no header tells, the page itself may. It is read once to see, by
   * the charset that it turns out to have most often, and again if it says another. Not left to
   * jsoup, which looks no further than five kilobytes.
   */
  private static PageText html(Kind kind, Optional<Charset> told, byte[] body) {
    Charset first = told.orElseGet(() -> guessed(body));
    Document page = parsed(kind, body, first);
    Charset charset = told.or(() -> DeclaredCharset.in(page)).orElse(first);
    Document read = charset.equals(first) ? page : parsed(kind, body, charset);
    return new PageText(read.title(), shown(read.body()));
  }

  /** The text of a body without what no browser shows, words of headings and pictures apart. */
  private static String shown(Element body) {
    body.select(NOT_SHOWN).remove();
    for (Element apart : body.select(SHOWN_APART)) {
      apart.prependText(" ");
      apart.appendText(" ");
    }
    return body.text();
  }

  private static Document parsed(Kind kind, byte[] body, Charset charset) {
    if (kind == Kind.XHTML) {
      return Xhtml.parsed(withoutByteOrderMark(new String(body, charset)));
    }
    try {
      return Jsoup.parse(new ByteArrayInputStream(body), charset.name(), NO_BASE);
    } catch (IOException e) {
      throw new UncheckedIOException("reading bytes from memory", e);
    }
  }

  /** What nobody tells is UTF-8 or, where the bytes are none, windows-1252, as in browsers. */
  private static Charset guessed(byte[] body) {
    return isUtf8(body) ? StandardCharsets.UTF_8 : WESTERN;
  }

  /** Whether bytes are UTF-8; they may break off within a letter, as answers cut short do. */
  private static boolean isUtf8(byte[] body) {
    CharBuffer decoded = CharBuffer.allocate(body.length);
    return !StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(body), decoded, false)
        .isError();
  }

  /**
   * The first line that is underlined, by marks that reStructuredText's titles usually have: a page
   * that shows none at its beginning has no title.
   */
  private static String rstTitle(String text) {
    String before = "";
    for (String line : (Iterable<String>) text.lines().limit(LINES_BEFORE_TITLE)::iterator) {
      String mark = line.strip();
      if (!before.isBlank() && mark.length() >= 3 && isUnderline(mark) && !isUnderline(before)) {
        return before;
      }
      before = mark;
    }
    return "";
  }

  private static boolean isUnderline(String line) {
    return "=-~#*^\"'`+".indexOf(line.charAt(0)) >= 0
        && line.chars().allMatch(c -> c == line.charAt(0));
  }

  private static Optional<Kind> kindOf(String address, MediaType type) {
    return switch (type.base().toString().toLowerCase(Locale.ROOT)) {
      case "text/html" -> Optional.of(Kind.HTML);
      case "application/xhtml+xml" -> Optional.of(Kind.XHTML);
      case "text/markdown", "text/x-markdown" -> Optional.of(Kind.MARKDOWN);
      case "text/x-rst", "text/prs.fallenstein.rst" -> Optional.of(Kind.RST);
      case "text/plain" -> Optional.of(Kind.PLAIN);
      case "application/octet-stream" -> kindByExtension(address);
      default -> Optional.empty();
    };
  }

  /** By the extension, by how the file begins, or by the query, which says least. */
  private static Optional<Kind> kindOfFile(String path, byte[] begin) {
    String extension = extensionBeforeQuery(path);
    Optional<Kind> byName = ofExtension(extension);
    if (byName.isPresent()) {
      return byName;
    }
    Optional<Kind> byQuery = ofExtension(extension(path));
    if (HtmlBeginning.mayFollow(extension)) {
      return HtmlBeginning.isThatOf(begin) ? Optional.of(Kind.HTML) : byQuery;
    }
    return byQuery
        .filter(kind -> kind == Kind.HTML || kind == Kind.XHTML)
        .filter(kind -> HtmlBeginning.isThatOf(begin));
  }

  /** That of a path which a crawler wrote with its query, such as {@code index.html?id=3}. */
  private static String extensionBeforeQuery(String path) {
    int query = path.indexOf('?', path.lastIndexOf('/') + 1);
    return extension(query < 0 ? path : path.substring(0, query));
  }

  private static Optional<Kind> kindByExtension(String address) {
    return ofExtension(extension(address));
  }

  private static Optional<Kind> ofExtension(String extension) {
    return switch (extension) {
      case "html", "htm" -> Optional.of(Kind.HTML);
      case "xhtml" -> Optional.of(Kind.XHTML);
      case "md", "markdown" -> Optional.of(Kind.MARKDOWN);
      case "rst" -> Optional.of(Kind.RST);
      case "txt", "text" -> Optional.of(Kind.PLAIN);
      default -> Optional.empty();
    };
  }

  /**
   * What stands behind the last point of a path: with a {@code /} in it none that is known. In the
   * name of a file, {@code ?} and {@code #} are letters; its path has no {@code ://}.
   */
  private static String extension(String address) {
    String path = address.contains("://") ? pathOf(address) : address;
    int point = path.lastIndexOf('.');
    return point < 0 ? "" : path.substring(point + 1).toLowerCase(Locale.ROOT);
  }

  /** A URL without its host, whose last part is no extension, and without its query. */
  private static String pathOf(String url) {
    int host = url.indexOf("://") + "://".length();
    int end = host;
    while (end < url.length() && url.charAt(end) != '?' && url.charAt(end) != '#') {
      end++;
    }
    int begin = url.indexOf('/', host);
    return begin < 0 || begin > end ? "" : url.substring(begin, end);
  }

  private static Optional<Charset> charsetOf(MediaType type) {
    return Optional.ofNullable(type.parameters().get("charset")).flatMap(DeclaredCharset::of);
  }

  /** What a byte order mark tells; it is right where the header says something else. */
  static Optional<Charset> marked(byte[] body) {
    if (begins(body, 0xEF, 0xBB, 0xBF)) {
      return Optional.of(StandardCharsets.UTF_8);
    }
    if (begins(body, 0xFE, 0xFF)) {
      return Optional.of(StandardCharsets.UTF_16BE);
    }
    return begins(body, 0xFF, 0xFE) ? Optional.of(StandardCharsets.UTF_16LE) : Optional.empty();
  }

  private static boolean begins(byte[] body, int... mark) {
    boolean same = body.length >= mark.length;
    for (int i = 0; same && i < mark.length; i++) {
      same = (body[i] & 0xff) == mark[i];
    }
    return same;
  }

  private static String withoutByteOrderMark(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }
}
