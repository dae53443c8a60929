// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The scalar values of a JSON object by their path, names joined by dots; so {@code {"a.b": 1}} and
 * {@code {"a": {"b": 1}}} are the same, as they are to those who write logs. Arrays are left out.
 *
 * <p>A path is cut where it is longer than any that is asked for, and what stands below is left
 * out: thousands of values in objects of long names would take thousands of times their line.
 */
final class FlatJson {
  static final JsonFactory JSON = new JsonFactory();

  private static final int LONGEST_PATH = 256;

  private FlatJson() {}

  /** Empty if the line is not exactly one JSON object. */
  static Optional<Map<String, String>> of(String line) {
    Map<String, String> values = new HashMap<>();
    try (JsonParser parser = JSON.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      object(parser, "", values);
      return parser.nextToken() == null ? Optional.of(values) : Optional.empty();
    } catch (IOException broken) {
      return Optional.empty();
    }
  }

  /** What a text says that is escaped as in a JSON string; empty if it is not. */
  static Optional<String> unescaped(String text) {
    try (JsonParser parser = JSON.createParser('"' + text + '"')) {
      parser.nextToken();
      String said = parser.getText();
      return parser.nextToken() == null ? Optional.of(said) : Optional.empty();
    } catch (IOException broken) {
      return Optional.empty();
    }
  }

  private static void object(JsonParser parser, String prefix, Map<String, String> values)
      throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String path = prefix + parser.currentName();
      JsonToken value = parser.nextToken();
      if (path.length() > LONGEST_PATH) {
        parser.skipChildren();
        values.putIfAbsent(path.substring(0, LONGEST_PATH), "");
      } else if (value == JsonToken.START_OBJECT) {
        object(parser, path + ".", values);
      } else if (value == JsonToken.START_ARRAY) {
        parser.skipChildren();
      } else if (value != JsonToken.VALUE_NULL) {
        values.putIfAbsent(path, parser.getText());
      }
    }
  }
}
