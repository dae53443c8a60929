// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;

/** What a page says itself of how its letters are written. */
final class DeclaredCharset {
  private static final Pattern IN_CONTENT =
      Pattern.compile(
          "\\b(?:charset|encoding)\\s*+=\\s*+[\"']?([^\\s\"';?]++)", Pattern.CASE_INSENSITIVE);

  private DeclaredCharset() {}

  /** A charset by its name; nothing when none here is called so. */
  static Optional<Charset> of(String name) {
    try {
      return Optional.of(Charset.forName(name.strip()));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return Optional.empty();
    }
  }

  /** Whether a page names a charset that is known here, in a meta element or XML declaration. */
  static boolean isIn(Document page) {
    for (Element meta : page.select("meta[charset], meta[http-equiv=content-type]")) {
      if (of(meta.attr("charset")).isPresent() || isInContent(meta.attr("content"))) {
        return true;
      }
    }
    for (Node node : page.childNodes()) {
      if (node instanceof Comment comment
          && comment.getData().startsWith("?xml")
          && isInContent(comment.getData())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isInContent(String content) {
    Matcher charset = IN_CONTENT.matcher(content);
    return charset.find() && of(charset.group(1)).isPresent();
  }
}
