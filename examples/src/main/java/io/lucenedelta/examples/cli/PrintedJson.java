// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.regex.Pattern;

/**
 * JSON for programs, as it can stand on a terminal, which nothing in it commands: what a table
 * shows as {@code ?} is escaped, and so has the same value when it is read.
 */
final class PrintedJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Line ends, control characters and Bidi_Control, as far as JSON takes them as they are. */
  private static final Pattern CONTROLS =
      Pattern.compile("[\\x7F-\\x9F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]");

  private PrintedJson() {}

  /**
   * A value as indented text.
   *
   * @param value a tree of Jackson's, or lists and maps of numbers and texts
   */
  static String of(Object value) throws JsonProcessingException {
    return CONTROLS
        .matcher(JSON.writeValueAsString(value)) // there are none but within texts
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }
}
