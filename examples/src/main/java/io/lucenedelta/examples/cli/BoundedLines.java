// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the lines of a list, as bytes without their ends, which are {@code \n}, {@code \r\n} or
 * {@code \r}. Memory stays the same however long a line is: of one that is too long the beginning
 * is kept and the rest passed over.
 */
final class BoundedLines {
  /** Bytes that a line may have. */
  static final int LONGEST = 8 << 20;

  static final String TOO_LONG = "is longer than 8 MB";

  private static final int SHOWN = 80;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 13];
  private int at;
  private int end;
  private boolean halfEnd; // a carriage return was the last: a line feed behind it is of its end
  private boolean tooLong;

  BoundedLines(InputStream in) {
    this.in = in;
  }

  /** The next line, or null at the end. */
  byte[] next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean begun = false;
    tooLong = false;
    while (at < end || fill()) {
      if (halfEnd && buffer[at] == '\n') {
        at++;
      } else {
        begun = true;
        take(line);
        if (at < end) {
          halfEnd = buffer[at++] == '\r';
          return line.toByteArray();
        }
      }
      halfEnd = false;
    }
    return begun ? line.toByteArray() : null;
  }

  /** Whether the last line was longer than what was kept of it. */
  boolean isTooLong() {
    return tooLong;
  }

  /** The beginning of a line, for people. */
  static String shown(String line) {
    return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
  }

  /** Takes what there is up to a line end. */
  private void take(ByteArrayOutputStream line) {
    int from = at;
    while (at < end && buffer[at] != '\n' && buffer[at] != '\r') {
      at++;
    }
    int kept = Math.min(at - from, LONGEST - line.size());
    line.write(buffer, from, kept);
    tooLong |= kept < at - from;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
