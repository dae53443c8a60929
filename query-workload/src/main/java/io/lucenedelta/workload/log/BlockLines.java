// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the lines of a block; line ends are {@code \n}, {@code \r\n} and {@code \r}, mixed at will.
 */
final class BlockLines {
  private static final int EXCERPT = 160;
  private static final int TYPICAL_LINE = 50;
  private static final int VISIBLE = 1;
  private static final int NUL = 2;
  private static final int BEYOND_ASCII = 4;

  private final LogFormat format;
  private final LogBlock block;
  private final Receiver receiver;

  /** Takes line by line. */
  @FunctionalInterface
  interface Receiver {
    void accept(LogLine line) throws IOException;
  }

  private BlockLines(LogFormat format, LogBlock block, Receiver receiver) {
    this.format = format;
    this.block = block;
    this.receiver = receiver;
  }

  /** Passes on the lines one by one. */
  static void read(LogFormat format, LogBlock block, Receiver receiver) throws IOException {
    BlockLines reading = new BlockLines(format, block, receiver);
    if (block.tooLong()) {
      reading.remark(Fate.TOO_LONG, 0, block.length());
    } else {
      reading.readAll();
    }
  }

  /** Collects the lines. */
  static List<LogLine> read(LogFormat format, LogBlock block) throws IOException {
    List<LogLine> lines = new ArrayList<>(block.length() / TYPICAL_LINE + 1);
    read(format, block, lines::add);
    return lines;
  }

  private void readAll() throws IOException {
    byte[] bytes = block.bytes();
    int length = block.length();
    int from = 0;
    int kinds = 0;
    for (int at = 0; at < length; at++) {
      byte b = bytes[at];
      if (b > ' ') {
        kinds |= VISIBLE;
      } else if (b < 0) {
        kinds |= BEYOND_ASCII;
      } else if (b == '\n' || b == '\r') {
        line(kinds, from, at);
        kinds = 0;
        if (bytes[at] == '\r' && at + 1 < length && bytes[at + 1] == '\n') {
          at++;
        }
        from = at + 1;
      } else if (b == 0) {
        kinds |= NUL;
      }
    }
    if (from < length) {
      if (block.cutOff()) {
        remark(Fate.CUT_OFF, from, length);
      } else {
        line(kinds, from, length);
      }
    }
  }

  private void line(int kinds, int from, int to) throws IOException {
    if (to - from > LogBlocks.LONGEST_LINE) {
      remark(Fate.TOO_LONG, from, to);
      return;
    }
    if (kinds == 0) {
      remark(Fate.BLANK, from, to);
    } else if ((kinds & NUL) != 0) {
      remark(Fate.NOT_TEXT, from, to);
    } else if ((kinds & BEYOND_ASCII) == 0) {
      add(new String(block.bytes(), from, to - from, StandardCharsets.ISO_8859_1), false);
    } else {
      String text = new String(block.bytes(), from, to - from, StandardCharsets.UTF_8);
      boolean recoded = text.indexOf('\ufffd') >= 0 && !holdsReplacement(from, to);
      add(
          recoded ? new String(block.bytes(), from, to - from, FormDecoding.WESTERN) : text,
          recoded);
    }
  }

  /** Whether the bytes are UTF-8 that contains U+FFFD, the replacement character, already. */
  private boolean holdsReplacement(int from, int to) {
    byte[] line = Arrays.copyOfRange(block.bytes(), from, to);
    String text = new String(line, StandardCharsets.UTF_8);
    return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), line);
  }

  private void add(String line, boolean recoded) throws IOException {
    LogRecord record = format.read(line);
    String excerpt = record instanceof LogRemark ? excerpt(line) : null;
    receiver.accept(new LogLine(record, excerpt, recoded));
  }

  private void remark(Fate fate, int from, int to) throws IOException {
    int end = Math.min(to, from + EXCERPT + 1);
    String line = new String(block.bytes(), from, end - from, StandardCharsets.UTF_8);
    receiver.accept(new LogLine(new LogRemark(fate), excerpt(line), false));
  }

  /** The beginning on one line; what a terminal would obey is replaced. */
  static String excerpt(String line) {
    String begin = line.length() > EXCERPT ? line.substring(0, EXCERPT) + "…" : line;
    StringBuilder visible = new StringBuilder(begin.length());
    begin
        .codePoints()
        .map(c -> c == '\t' ? '\u2192' : Character.isISOControl(c) ? '\u00b7' : c)
        .forEach(visible::appendCodePoint);
    return visible.toString();
  }
}
