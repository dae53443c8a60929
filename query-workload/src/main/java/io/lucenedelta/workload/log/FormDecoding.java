// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text as forms send it in addresses: {@code +} for a blank, {@code %XX} for a byte, and {@code
 * %uXXXX} for a UTF-16 code unit, as old scripts send it. Forgiving: broken escapes stay as they
 * are, and bytes that are not UTF-8 are read as windows-1252.
 */
final class FormDecoding {
  /** What browsers take for Latin-1. */
  static final Charset WESTERN = Charset.forName("windows-1252");

  private static final Pattern UNITS = Pattern.compile("(?:%u[0-9A-Fa-f]{4})+");
  private static final int UNIT = 6; // characters of one

  private FormDecoding() {}

  /**
   * A text as it was sent.
   *
   * @param western whether its bytes are not UTF-8 and were read as windows-1252
   */
  record Sent(String text, boolean western) {}

  /**
   * The parameters of {@code a=1&b=2}, the first of each name, names and values decoded.
   *
   * @param western takes the names of those that are not UTF-8
   */
  static Map<String, String> parameters(String form, Set<String> western) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int from = 0; from <= form.length(); ) {
      int to = form.indexOf('&', from);
      to = to < 0 ? form.length() : to;
      String parameter = form.substring(from, to);
      int equals = parameter.indexOf('=');
      if (equals >= 0) {
        String name = decoded(parameter.substring(0, equals));
        Sent value = sent(units(parameter.substring(equals + 1).replace('+', ' ')), "%");
        if (parameters.putIfAbsent(name, value.text()) == null && value.western()) {
          western.add(name);
        }
      }
      from = to + 1;
    }
    return parameters;
  }

  /** Names hardly ever have anything to decode but brackets, as in {@code search%5Bquery%5D}. */
  private static String decoded(String name) {
    return name.indexOf('%') < 0 && name.indexOf('+') < 0 ? name : decode(name);
  }

  static String decode(String text) {
    return sent(units(text.replace('+', ' ')), "%").text();
  }

  /** Replaces escapes of code units by these; a percent sign among them is none of an escape. */
  private static String units(String text) {
    return text.indexOf("%u") < 0
        ? text
        : UNITS
            .matcher(text)
            .replaceAll(escapes -> Matcher.quoteReplacement(unescaped(escapes.group())));
  }

  private static String unescaped(String escapes) {
    StringBuilder units = new StringBuilder();
    for (int at = 0; at < escapes.length(); at += UNIT) {
      units.append((char) Integer.parseInt(escapes.substring(at + 2, at + UNIT), 16));
    }
    return units.toString().replace("%", "%25");
  }

  /** Replaces {@code mark} and two hexadecimal digits by a byte. */
  static Sent sent(String text, String mark) {
    if (text.indexOf(mark) < 0) {
      return new Sent(text, false);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int from = 0;
    while (from < text.length()) {
      int at = text.indexOf(mark, from);
      at = at < 0 ? text.length() : at;
      bytes.writeBytes(text.substring(from, at).getBytes(StandardCharsets.UTF_8));
      int octet = octet(text, at + mark.length());
      if (octet >= 0) {
        bytes.write(octet);
        from = at + mark.length() + 2;
      } else {
        int end = Math.min(at + mark.length(), text.length());
        bytes.writeBytes(text.substring(at, end).getBytes(StandardCharsets.UTF_8));
        from = end;
      }
    }
    return sent(bytes.toByteArray());
  }

  private static int octet(String text, int at) {
    if (at + 2 > text.length()) {
      return -1;
    }
    int high = Character.digit(text.charAt(at), 16);
    int low = Character.digit(text.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  /** UTF-8 if it is, windows-1252 otherwise. */
  private static Sent sent(byte[] bytes) {
    try {
      ByteBuffer utf8 = ByteBuffer.wrap(bytes);
      return new Sent(StandardCharsets.UTF_8.newDecoder().decode(utf8).toString(), false);
    } catch (CharacterCodingException notUtf8) {
      return new Sent(new String(bytes, WESTERN), true);
    }
  }
}
