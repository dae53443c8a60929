// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Text as forms send it in addresses: {@code +} for a blank, {@code %XX} for a byte. Forgiving:
 * broken escapes stay as they are, and bytes that are not UTF-8 are read as windows-1252.
 */
final class FormDecoding {
  /** What browsers take for Latin-1. */
  static final Charset WESTERN = Charset.forName("windows-1252");

  private FormDecoding() {}

  /** The parameters of {@code a=1&b=2}, the first of each name. */
  static Map<String, String> parameters(String form) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int from = 0; from <= form.length(); ) {
      int to = form.indexOf('&', from);
      to = to < 0 ? form.length() : to;
      String parameter = form.substring(from, to);
      int equals = parameter.indexOf('=');
      if (equals >= 0) {
        parameters.putIfAbsent(
            parameter.substring(0, equals), decode(parameter.substring(equals + 1)));
      }
      from = to + 1;
    }
    return parameters;
  }

  static String decode(String text) {
    String blanks = text.replace('+', ' ');
    return blanks.indexOf('%') < 0 ? blanks : unescape(blanks, "%");
  }

  /** Replaces {@code mark} and two hexadecimal digits by a byte. */
  static String unescape(String text, String mark) {
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
    return text(bytes.toByteArray());
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
  static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      return new String(bytes, WESTERN);
    }
  }
}
