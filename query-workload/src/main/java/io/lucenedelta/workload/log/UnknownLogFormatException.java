// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;

/** A log whose format could not be told; the message says what to do. */
public final class UnknownLogFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  UnknownLogFormatException(String log, String firstLine) {
    super(
        log
            + ": no known query log format"
            + (firstLine.isEmpty()
                ? ", none of its first lines is text of at most 256 KB without NUL bytes"
                : ", its first line is: " + firstLine)
            + "; name the format, one of "
            + String.join(", ", LogFormats.names()));
  }
}
