// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Markdown source as a page: the YAML front matter is a site generator's bookkeeping, which no
 * reader sees, so it is removed.
 *
 * <p>The title is the front matter's {@code title} when that is one plain or quoted line, else the
 * first heading. Front matter that is never closed is text.
 */
final class MarkdownText {
  private static final Pattern FRONT_MATTER =
      Pattern.compile("\\A---[ \\t]*\\R(.*?)^(?:---|\\.\\.\\.)[ \\t]*(?:\\R|\\z)", flags());
  private static final Pattern TITLE =
      Pattern.compile(
          "^title:[ \\t]*(\"[^\"\\n]*\"|'[^'\\n]*'|[^>|\"'\\s][^\\n]*)[ \\t]*$", flags());
  private static final Pattern HEADING =
      Pattern.compile("^#{1,6}[ \\t]+(.+?)[ \\t]*#*[ \\t]*$", Pattern.MULTILINE);

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
    return heading.find() ? heading.group(1) : "";
  }

  private static int flags() {
    return Pattern.MULTILINE | Pattern.DOTALL;
  }
}
