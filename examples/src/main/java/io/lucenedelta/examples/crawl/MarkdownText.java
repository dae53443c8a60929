// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Markdown source as a page: the YAML front matter is a site generator's bookkeeping, which no
 * reader sees, so it is removed.
 *
 * <p>The title is the front matter's {@code title} when that is one plain or quoted line, else the
 * first heading with text in it, without the {@code #}s that may close it (CommonMark, section
 * 4.2). Front matter that is never closed is text.
 *
 * <p>Every expression here reads a page in one pass: pages are foreign, and may be made to hang who
 * reads them.
 */
final class MarkdownText {
  private static final Pattern FRONT_MATTER =
      Pattern.compile("\\A---[ \\t]*\\R(.*?)^(?:---|\\.\\.\\.)[ \\t]*(?:\\R|\\z)", flags());
  private static final Pattern TITLE =
      Pattern.compile(
          "^title:[ \\t]*(\"[^\"\\n]*\"|'[^'\\n]*'|[^>|\"'\\s][^\\n]*)[ \\t]*$", flags());
  private static final Pattern HEADING =
      Pattern.compile("^#{1,6}[ \\t]++(\\S.*+)$", Pattern.MULTILINE);

  private MarkdownText() {}

  static PageText read(String source) {
    Matcher front = FRONT_MATTER.matcher(source);
    boolean found = front.find();
    String text = found ? source.substring(front.end()) : source;
    String title = found ? titleIn(front.group(1)) : "";
    return new PageText(title.isEmpty() ? firstHeading(text) : title, text);
  }

  private static String titleIn(String frontMatter) {
    Matcher title = TITLE.matcher(frontMatter);
    if (!title.find()) {
      return "";
    }
    String value = title.group(1).strip();
    boolean quoted = value.length() >= 2 && (value.charAt(0) == '"' || value.charAt(0) == '\'');
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  private static String firstHeading(String text) {
    Matcher heading = HEADING.matcher(text);
    while (heading.find()) {
      String content = withoutClosing(heading.group(1).stripTrailing());
      if (!content.isEmpty()) {
        return content;
      }
    }
    return "";
  }

  /** Without the {@code #}s at the end, if nothing or a blank stands before them. */
  private static String withoutClosing(String heading) {
    int end = heading.length();
    while (end > 0 && heading.charAt(end - 1) == '#') {
      end--;
    }
    boolean closing = end == 0 || Character.isWhitespace(heading.charAt(end - 1));
    return closing ? heading.substring(0, end).stripTrailing() : heading;
  }

  private static int flags() {
    return Pattern.MULTILINE | Pattern.DOTALL;
  }
}
