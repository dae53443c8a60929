// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the lines of a block; line ends are {@code \n}, {@code \r\n} and {@code \r}, mixed at will.
 */
final class BlockLines {
  private static final int EXCERPT = 160;
  private static final int VISIBLE = 1;
  private static final int NUL = 2;
  private static final int BEYOND_ASCII = 4;
  private static final int LINE_END = 8;
  private static final byte[] KINDS = kinds(); // by byte, unsigned

  private final LogFormat format;
  private final ByteLogFormat byteFormat; // the same if it reads bytes, otherwise null
  private final LogBlock block;
  private final ParsedLines lines;
  private final EntryDraft entry = new EntryDraft();

  private BlockLines(LogFormat format, LogBlock block, ParsedLines lines) {
    this.format = format;
    this.byteFormat = format instanceof ByteLogFormat reads ? reads : null;
    this.block = block;
    this.lines = lines;
  }

  private static byte[] kinds() {
    byte[] kinds = new byte[256];
    Arrays.fill(kinds, ' ' + 1, 128, (byte) VISIBLE);
    Arrays.fill(kinds, 128, 256, (byte) BEYOND_ASCII);
    kinds[0] = NUL;
    kinds['\n'] = LINE_END;
    kinds['\r'] = LINE_END;
    return kinds;
  }

  /** Adds the lines of a block to others. */
  static void read(LogFormat format, LogBlock block, ParsedLines into) {
    BlockLines reading = new BlockLines(format, block, into);
    if (block.tooLong()) {
      reading.remark(Fate.TOO_LONG, 0, block.length());
    } else {
      reading.readAll();
    }
  }

  private void readAll() {
    byte[] bytes = block.bytes();
    int length = block.length();
    int from = 0;
    while (from < length) {
      int at = from;
      int kinds = 0;
      while (at < length && (kinds & LINE_END) == 0) {
        kinds |= KINDS[bytes[at++] & 0xff];
      }
      boolean ended = (kinds & LINE_END) != 0;
      if (!ended && block.cutOff()) {
        remark(Fate.CUT_OFF, from, at);
        return;
      }
      line(kinds, from, ended ? at - 1 : at);
      boolean halfEnd = ended && bytes[at - 1] == '\r' && at < length && bytes[at] == '\n';
      from = halfEnd ? at + 1 : at;
    }
  }

  private void line(int kinds, int from, int to) {
    if (to - from > LogBlocks.LONGEST_LINE) {
      remark(Fate.TOO_LONG, from, to);
    } else if ((kinds & (VISIBLE | NUL | BEYOND_ASCII)) == 0) {
      remark(Fate.BLANK, from, to);
    } else if ((kinds & NUL) != 0) {
      remark(Fate.NOT_TEXT, from, to);
    } else if (byteFormat != null && (kinds & BEYOND_ASCII) == 0) {
      bytes(block.bytes(), from, to);
    } else {
      text((kinds & BEYOND_ASCII) == 0, from, to);
    }
  }

  private void bytes(byte[] utf8, int from, int to) {
    Fate remark = byteFormat.read(utf8, from, to, entry);
    if (remark == null) {
      lines.ask(entry);
    } else {
      lines.remark(remark);
      if (lines.isSampled()) {
        String line = new String(utf8, from, to - from, StandardCharsets.UTF_8);
        lines.sample(excerpt(entry.badField, line));
      }
    }
  }

  private void text(boolean ascii, int from, int to) {
    if (ascii) {
      record(new String(block.bytes(), from, to - from, StandardCharsets.ISO_8859_1), false);
      return;
    }
    String utf8 = new String(block.bytes(), from, to - from, StandardCharsets.UTF_8);
    if (isWestern(utf8, block.bytes(), from, to)) {
      recoded(new String(block.bytes(), from, to - from, FormDecoding.WESTERN));
    } else if (byteFormat != null) {
      bytes(block.bytes(), from, to);
    } else {
      record(utf8, false);
    }
  }

  private void recoded(String line) {
    if (byteFormat == null) {
      record(line, true);
    } else {
      lines.recoded();
      byte[] utf8 = line.getBytes(StandardCharsets.UTF_8);
      bytes(utf8, 0, utf8.length);
    }
  }

  private void record(String line, boolean recoded) {
    LogRecord record = format.read(line);
    if (recoded || (record instanceof LogEntry sent && sent.recoded())) {
      lines.recoded();
    }
    if (record instanceof LogEntry asked) {
      entry.set(asked);
      lines.ask(entry);
    } else if (record instanceof LogClick click) {
      lines.click(click.rank());
    } else {
      LogRemark remark = (LogRemark) record;
      lines.remark(remark.fate());
      lines.sample(excerpt(remark.field(), line));
    }
  }

  /** The line in {@code [from, to)}: UTF-8 if it is, windows-1252 otherwise. */
  static String decoded(byte[] bytes, int from, int to) {
    String utf8 = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return isWestern(utf8, bytes, from, to)
        ? new String(bytes, from, to - from, FormDecoding.WESTERN)
        : utf8;
  }

  /** UTF-8 may contain U+FFFD, the replacement character, already. */
  private static boolean isWestern(String utf8, byte[] bytes, int from, int to) {
    if (utf8.indexOf('\ufffd') < 0) {
      return false;
    }
    byte[] again = utf8.getBytes(StandardCharsets.UTF_8);
    return !Arrays.equals(again, 0, again.length, bytes, from, to);
  }

  private void remark(Fate fate, int from, int to) {
    lines.remark(fate);
    int end = Math.min(to, from + EXCERPT + 1);
    lines.sample(excerpt(new String(block.bytes(), from, end - from, StandardCharsets.UTF_8)));
  }

  private static String excerpt(String badField, String line) {
    return excerpt(badField.isEmpty() ? line : badField + ": " + line);
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
