// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.List;

/** Where the fields of a delimited line begin and end, and what they say. */
final class Fields {
  private static final int MOST_DIGITS = 9;

  private Fields() {}

  /** Whether fields may be quoted. */
  private static boolean quotes(char separator) {
    return separator != '\t';
  }

  /** The end of the field that begins at {@code from}; -1 if it has an opening quote only. */
  static int end(String line, int from, char separator) {
    if (quotes(separator) && from < line.length() && line.charAt(from) == '"') {
      int at = from + 1;
      while (at < line.length()) {
        if (line.charAt(at) != '"') {
          at++;
        } else if (at + 1 < line.length() && line.charAt(at + 1) == '"') {
          at += 2;
        } else {
          boolean closed = at + 1 == line.length() || line.charAt(at + 1) == separator;
          return closed ? at + 1 : -1;
        }
      }
      return -1;
    }
    int end = line.indexOf(separator, from);
    return end < 0 ? line.length() : end;
  }

  /** What the field in {@code [from, to)} says, quotes removed. */
  static String content(String line, int from, int to, char separator) {
    if (quotes(separator) && to - from >= 2 && line.charAt(from) == '"') {
      return line.substring(from + 1, to - 1).replace("\"\"", "\"");
    }
    return line.substring(from, to);
  }

  /** All fields of a line; the rest of the line as one field behind a quote that never closes. */
  static List<String> of(String line, char separator) {
    List<String> fields = new ArrayList<>();
    for (int from = 0; from <= line.length(); ) {
      int to = end(line, from, separator);
      if (to < 0) {
        fields.add(line.substring(from));
        return fields;
      }
      fields.add(content(line, from, to, separator));
      from = to + 1;
    }
    return fields;
  }

  /** A whole number up to nine digits; 0 for an empty field or a dash, -1 for anything else. */
  static int number(String field) {
    return number(field, 0, field.length());
  }

  /** The same for the field in {@code [from, to)}. */
  static int number(String line, int from, int to) {
    int first = from;
    int end = to;
    while (first < end && line.charAt(first) == ' ') {
      first++;
    }
    while (first < end && line.charAt(end - 1) == ' ') {
      end--;
    }
    if (first == end || (end - first == 1 && line.charAt(first) == '-')) {
      return 0;
    }
    if (end - first > MOST_DIGITS) {
      return -1;
    }
    int number = 0;
    for (int i = first; i < end; i++) {
      char c = line.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + (c - '0');
    }
    return number;
  }
}
