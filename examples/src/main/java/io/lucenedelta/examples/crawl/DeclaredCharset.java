// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
 * their own standards: pages said to be of ISO 8859-1 have the quotes of windows-1252. Java has
 * neither ISO 8859-10 nor 8859-14, so these are not known.
 */
final class DeclaredCharset {
  private static final Pattern IN_CONTENT =
      Pattern.compile(
          "\\b(?:charset|encoding)\\s*+=\\s*+[\"']?([^\\s\"';?]++)", Pattern.CASE_INSENSITIVE);

  /** Charsets that are read by a larger one, or by one order of bytes, by Java's names. */
  private static final Map<String, String> READ_AS =
      Map.ofEntries(
          Map.entry("US-ASCII", "windows-1252"),
          Map.entry("ISO-8859-1", "windows-1252"),
          Map.entry("ISO-8859-9", "windows-1254"),
          Map.entry("TIS-620", "x-windows-874"),
          Map.entry("x-iso-8859-11", "x-windows-874"),
          Map.entry("GB2312", "GB18030"),
          Map.entry("GBK", "GB18030"),
          Map.entry("Big5", "Big5-HKSCS"),
          Map.entry("Shift_JIS", "windows-31j"),
          Map.entry("EUC-KR", "x-windows-949"),
          Map.entry("UTF-16", "UTF-16LE"));

  /**
   * Names that browsers know and Java does not or takes for another charset, by what each means.
   */
  private static final Map<String, String> OTHER_NAMES =
      byName(
          "UTF-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
          "UTF-16BE unicodefffe",
          "UTF-16LE csunicode iso-10646-ucs-2 ucs-2 unicodefeff",
          "ISO-8859-2 iso88592",
          "ISO-8859-3 iso88593",
          "ISO-8859-4 iso88594",
          "ISO-8859-5 iso88595",
          "ISO-8859-6 csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i iso88596",
          "ISO-8859-7 iso88597",
          "ISO-8859-8 csiso88598e csiso88598i iso-8859-8-e iso-8859-8-i iso88598 logical visual",
          "ISO-8859-13 iso885913",
          "ISO-8859-15 iso885915",
          "KOI8-R koi",
          "KOI8-U koi8-ru",
          "windows-1250 x-cp1250",
          "windows-1251 x-cp1251",
          "windows-1252 iso88591 x-cp1252",
          "windows-1253 x-cp1253",
          "windows-1254 iso88599 x-cp1254",
          "windows-1255 x-cp1255",
          "windows-1256 x-cp1256",
          "windows-1257 x-cp1257",
          "windows-1258 x-cp1258",
          "x-windows-874 dos-874 iso8859-11 iso885911",
          "x-MacRoman csmacintosh mac macintosh x-mac-roman",
          "x-MacUkraine x-mac-cyrillic x-mac-ukrainian",
          "GB18030 chinese csgb2312 csiso58gb231280 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
          "Big5-HKSCS cn-big5 x-x-big5",
          "x-windows-949 csksc56011987 iso-ir-149 korean ks_c_5601-1989");

  /**
   * Java's charsets by all their names, in small letters. Java itself looks for a charset that it
   * does not have in many places, and a page may name thousands of them.
   */
  private static final Map<String, Charset> KNOWN = known();

  private DeclaredCharset() {}

  private static Map<String, Charset> known() {
    Map<String, Charset> known = new HashMap<>();
    for (Charset charset : Charset.availableCharsets().values()) {
      known.put(lower(charset.name()), charset);
      charset.aliases().forEach(alias -> known.put(lower(alias), charset));
    }
    return Map.copyOf(known);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static Map<String, String> byName(String... charsets) {
    Map<String, String> byName = new HashMap<>();
    for (String charset : charsets) {
      List<String> names = List.of(charset.split(" ", -1));
      names.forEach(name -> byName.put(name, names.get(0)));
    }
    return Map.copyOf(byName);
  }

  /** A charset by its name; nothing when none here is called so. */
  static Optional<Charset> of(String name) {
    String called = lower(name.strip());
    return Optional.ofNullable(KNOWN.get(lower(OTHER_NAMES.getOrDefault(called, called))))
        .map(named -> Charset.forName(READ_AS.getOrDefault(named.name(), named.name())));
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
