// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;

/**
 * How the letters of a page are written, by the name that it or its server gives. Names mean what
 * they mean to browsers (WHATWG, Encoding Standard, "Names and labels"), which is more than by
 * their own standards: pages said to be of ISO 8859-1 have the quotes of windows-1252.
 */
final class DeclaredCharset {
  private static final Pattern IN_CONTENT =
      Pattern.compile(
          "\\b(?:charset|encoding)\\s*+=\\s*+[\"']?([^\\s\"';?]++)", Pattern.CASE_INSENSITIVE);

  /** Charsets that are read by a larger one, by Java's names. */
  private static final Map<String, String> READ_AS =
      Map.of(
          "US-ASCII", "windows-1252",
          "ISO-8859-1", "windows-1252",
          "ISO-8859-9", "windows-1254",
          "TIS-620", "x-windows-874",
          "GB2312", "GB18030",
          "GBK", "GB18030",
          "Big5", "Big5-HKSCS",
          "Shift_JIS", "windows-31j",
          "EUC-KR", "x-windows-949");

  private DeclaredCharset() {}

  /** A charset by its name; nothing when none here is called so. */
  static Optional<Charset> of(String name) {
    try {
      Charset named = Charset.forName(name.strip());
      return Optional.of(Charset.forName(READ_AS.getOrDefault(named.name(), named.name())));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return Optional.empty();
    }
  }

  /**
   * The charset that a page names, if it is known here: in a meta element, wherever that stands, or
   * in an XML declaration. Where the bytes could be read as far as that, they are not of UTF-16,
   * whatever it says: then they are UTF-8 (HTML Standard, "determining the character encoding").
   */
  static Optional<Charset> in(Document page) {
    for (Element meta : page.select("meta[charset], meta[http-equiv=content-type]")) {
      Optional<Charset> named = of(meta.attr("charset")).or(() -> inContent(meta.attr("content")));
      if (named.isPresent()) {
        return named.map(DeclaredCharset::ofBytes);
      }
    }
    for (Node node : page.childNodes()) {
      if (node instanceof Comment comment && comment.getData().startsWith("?xml")) {
        Optional<Charset> named = inContent(comment.getData());
        if (named.isPresent()) {
          return named.map(DeclaredCharset::ofBytes);
        }
      }
    }
    return Optional.empty();
  }

  private static Charset ofBytes(Charset named) {
    return named.name().startsWith("UTF-16") ? StandardCharsets.UTF_8 : named;
  }

  private static Optional<Charset> inContent(String content) {
    Matcher charset = IN_CONTENT.matcher(content);
    return charset.find() ? of(charset.group(1)) : Optional.empty();
  }
}
