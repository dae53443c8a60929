// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import java.util.regex.Pattern;

/**
 * Text of others, such as a page's key, as it can stand in a line of a table or on a terminal,
 * which it cannot command.
 */
public final class OneLine {
  private static final Pattern BREAKS = Pattern.compile("[\\t\\n\\x0B\\f\\r\\x85\\u2028\\u2029]++");

  /** Unicode's, not ASCII's, and its Bidi_Control, by which an address shows as another. */
  private static final Pattern CONTROLS =
      Pattern.compile("[\\p{Cc}\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");

  private OneLine() {}

  /**
   * Tabs and line ends become a blank, those in a row one; other control characters, and those that
   * turn the direction of letters, {@code ?}.
   */
  public static String of(String text) {
    return CONTROLS.matcher(BREAKS.matcher(text).replaceAll(" ")).replaceAll("?");
  }
}
