// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Texts as Matomo's database holds them: what would be a sign of HTML is escaped, as PHP's {@code
 * htmlspecialchars} does it. Its exports have them as they were typed.
 */
final class HtmlEscapes {
  private static final Pattern ESCAPE = Pattern.compile("&(amp|lt|gt|quot|#0?39);");

  private HtmlEscapes() {}

  /** Whether the queries of a table are escaped: its header has a name that Matomo's tables use. */
  static boolean areBelow(String header, char separator) {
    return header
        .lines()
        .flatMap(line -> Fields.of(line, separator).stream())
        .anyMatch(TableLog::isMatomos);
  }

  /** Gives an entry its text as it was typed. */
  static void undo(EntryDraft entry) {
    byte[] bytes = entry.textBytes();
    int at = entry.textFrom();
    while (at < entry.textTo() && bytes[at] != '&') {
      at++;
    }
    if (at < entry.textTo()) {
      byte[] typed = undone(entry.text()).getBytes(StandardCharsets.UTF_8);
      entry.text(typed, 0, typed.length);
    }
  }

  /** Once: what was typed as an escape stays one. */
  private static String undone(String text) {
    return ESCAPE.matcher(text).replaceAll(escape -> sign(escape.group(1)));
  }

  private static String sign(String name) {
    return switch (name) {
      case "amp" -> "&";
      case "lt" -> "<";
      case "gt" -> ">";
      case "quot" -> "\"";
      default -> "'";
    };
  }
}
