// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where the fields of a delimited line begin and end, and what they say. */
final class Fields {
  /** Nobody pages so far; a larger number is something else, such as a day. */
  static final int MOST_OFFSET = 10_000;

  private static final int MOST_DIGITS = 9;

  private Fields() {}

  /** Whether fields may be quoted. */
  static boolean quotes(byte separator) {
    return separator != '\t';
  }

  /**
   * The end of the field that begins at {@code from}, at most {@code to}; -1 if it has an opening
   * quote only.
   */
  static int end(byte[] line, int from, int to, byte separator) {
    if (quotes(separator) && from < to && line[from] == '"') {
      return quotedEnd(line, from, to, separator);
    }
    int end = from;
    while (end < to && line[end] != separator) {
      end++;
    }
    return end;
  }

  private static int quotedEnd(byte[] line, int from, int to, byte separator) {
    int at = from + 1;
    while (at < to) {
      if (line[at] != '"') {
        at++;
      } else if (at + 1 < to && line[at + 1] == '"') {
        at += 2;
      } else {
        boolean closed = at + 1 == to || line[at + 1] == separator;
        return closed ? at + 1 : -1;
      }
    }
    return -1;
  }

  /** Whether the field in {@code [from, to)} stands in quotes. */
  static boolean isQuoted(byte[] line, int from, int to, byte separator) {
    return quotes(separator) && to - from >= 2 && line[from] == '"';
  }

  /**
   * Whether the field in {@code [from, to)}, with which a line begins, is the second half of one
   * with a line break in it: of its quotes, which are doubled inside, the last closes.
   */
  static boolean isSecondHalf(byte[] line, int from, int to) {
    if (from == to || line[from] == '"' || line[to - 1] != '"') {
      return false;
    }
    boolean odd = false;
    for (int at = from; at < to; at++) {
      odd ^= line[at] == '"';
    }
    return odd;
  }

  /** What a field in quotes says. */
  static byte[] unquoted(byte[] line, int from, int to) {
    byte[] content = new byte[to - from - 2];
    int length = 0;
    for (int at = from + 1; at < to - 1; at++) {
      content[length++] = line[at];
      at += line[at] == '"' ? 1 : 0;
    }
    return Arrays.copyOf(content, length);
  }

  /** All fields of a line; the rest of the line as one field behind a quote that never closes. */
  static List<String> of(String text, char separatorChar) {
    byte separator = (byte) separatorChar;
    byte[] line = text.getBytes(StandardCharsets.UTF_8);
    List<String> fields = new ArrayList<>();
    for (int from = 0; from <= line.length; ) {
      int end = end(line, from, line.length, separator);
      int to = end < 0 ? line.length : end;
      boolean quoted = end >= 0 && isQuoted(line, from, to, separator);
      fields.add(
          quoted
              ? new String(unquoted(line, from, to), StandardCharsets.UTF_8)
              : new String(line, from, to - from, StandardCharsets.UTF_8));
      from = to + 1;
    }
    return fields;
  }

  /** A whole number up to nine digits; 0 for an empty field or a dash, -1 for anything else. */
  static int number(String field) {
    byte[] ascii = field.getBytes(StandardCharsets.US_ASCII);
    return number(ascii, 0, ascii.length);
  }

  /** The same for the field in {@code [from, to)}. */
  static int number(byte[] line, int from, int to) {
    int first = from;
    int end = to;
    while (first < end && line[first] == ' ') {
      first++;
    }
    while (first < end && line[end - 1] == ' ') {
      end--;
    }
    if (first == end || (end - first == 1 && line[first] == '-')) {
      return 0;
    }
    if (end - first > MOST_DIGITS) {
      return -1;
    }
    int number = 0;
    for (int i = first; i < end; i++) {
      int digit = line[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  /** See {@link #count(byte[], int, int)}. */
  static int count(String field) {
    byte[] utf8 = field.getBytes(StandardCharsets.UTF_8);
    return count(utf8, 0, utf8.length);
  }

  /**
   * The same where commas may stand between thousands, as spreadsheets write them: only counts are
   * read so, since they are whole, while {@code 1,205} in other columns may be a fraction.
   */
  static int count(byte[] line, int from, int to) {
    int number = number(line, from, to);
    return number < 0 ? ofThousands(line, from, to) : number;
  }

  /** A number with a comma before each three digits, up to nine of them; -1 for anything else. */
  private static int ofThousands(byte[] line, int from, int to) {
    int first = from;
    int end = to;
    while (line[first] == ' ') {
      first++;
    }
    while (line[end - 1] == ' ') {
      end--;
    }
    if (end - first > MOST_DIGITS + (MOST_DIGITS - 1) / 3
        || (end - first) % 4 == 0
        || line[first] == '0') {
      return -1;
    }
    int number = 0;
    for (int i = first; i < end; i++) {
      int digit = line[i] - '0';
      boolean comma = (end - i) % 4 == 0;
      if (comma ? line[i] != ',' : digit < 0 || digit > 9) {
        return -1;
      }
      number = comma ? number : number * 10 + digit;
    }
    return number;
  }

  /** Whether a field that is 0 as a number says so, and is neither empty nor a dash. */
  static boolean saysZero(String field) {
    return field.indexOf('0') >= 0;
  }

  /** The same for the field in {@code [from, to)}. */
  static boolean saysZero(byte[] line, int from, int to) {
    int at = from;
    while (at < to && line[at] != '0') {
      at++;
    }
    return at < to;
  }
}
