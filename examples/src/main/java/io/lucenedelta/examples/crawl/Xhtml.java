// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.jsoup.parser.Tag;
import org.jsoup.parser.TagSet;

/**
 * XHTML, read as HTML is, so that pages of it that are not well-formed give their text too; but for
 * what means something else in HTML: there {@code <script/>} or {@code <title/>} only opens, and
 * takes the rest of the page for its content, and the text of a CDATA section is a comment.
 */
final class Xhtml {
  private static final String OPEN = "<![CDATA[";
  private static final String CLOSE = "]]>";

  private Xhtml() {}

  /** A page whose links are not followed. */
  static Document parsed(String page) {
    TagSet closing = TagSet.Html().onNewTag(tag -> tag.set(Tag.SelfClose));
    return Jsoup.parse(withoutSections(page), "", Parser.htmlParser().tagSet(closing));
  }

  /** The same with the letters of CDATA sections as references where they would be markup. */
  private static String withoutSections(String page) {
    StringBuilder plain = new StringBuilder(page.length());
    int read = 0;
    int begin = page.indexOf(OPEN);
    while (begin >= 0) {
      int end = page.indexOf(CLOSE, begin);
      if (end < 0) {
        break; // nor does a later one end
      }
      String text = page.substring(begin + OPEN.length(), end);
      plain.append(page, read, begin).append(text.replace("&", "&amp;").replace("<", "&lt;"));
      read = end + CLOSE.length();
      begin = page.indexOf(OPEN, read);
    }
    return plain.append(page, read, page.length()).toString();
  }
}
