// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;

/** A format whose lines are read as the bytes they are, without an object a line. */
interface ByteLogFormat extends LogFormat {
  /**
   * Reads a line, without its line end.
   *
   * @param line UTF-8, the line in {@code [from, to)}
   * @param entry takes what the line asks, or which field cannot be read; it may point into {@code
   *     line}
   * @return null if the line asks something, otherwise why not
   */
  Fate read(byte[] line, int from, int to, EntryDraft entry);

  @Override
  default LogRecord read(String line) {
    byte[] utf8 = line.getBytes(StandardCharsets.UTF_8);
    EntryDraft entry = new EntryDraft();
    Fate remark = read(utf8, 0, utf8.length, entry);
    return remark == null ? entry.entry() : new LogRemark(remark, entry.badField);
  }
}
