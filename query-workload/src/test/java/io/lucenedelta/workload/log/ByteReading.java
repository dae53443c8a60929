// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the same input as bytes and as text and compares line by line: what became of it, every
 * number, the text that is counted, the samples.
 */
final class ByteReading {
  private static final List<List<Column>> COLUMNS =
      List.of(
          AltaVistaLog.COLUMNS,
          AolLog.COLUMNS,
          CountedQueries.COLUMNS,
          List.of(Column.values()),
          List.of(Column.QUERY),
          List.of(Column.QUERY, Column.TIMESTAMP, Column.SESSION, Column.RANK, Column.IGNORED));

  private final LogFormat bytes;
  private final LogFormat text;

  private ByteReading(LogFormat bytes, LogFormat text) {
    this.bytes = bytes;
    this.text = text;
  }

  /** Columns of all kinds between all separators, with and without a header. */
  static List<ByteReading> all() {
    List<ByteReading> readings = new ArrayList<>();
    for (List<Column> columns : COLUMNS) {
      for (char separator : new char[] {'\t', ',', ';', '|'}) {
        for (String header : new String[] {null, "query" + separator + "cöunt"}) {
          readings.add(
              new ByteReading(
                  new DelimitedLog("bytes", separator, columns, header),
                  new DelimitedLogByText("text", separator, columns, header)));
        }
      }
    }
    return readings;
  }

  /** What differs, empty when nothing does. */
  String difference(byte[] input) {
    for (boolean cutOff : new boolean[] {false, true}) {
      LogBlock block = new LogBlock(input, input.length, false, cutOff);
      Map<String, Object> asBytes = read(bytes, block);
      Map<String, Object> asText = read(text, block);
      if (!asBytes.equals(asText)) {
        return "bytes " + asBytes + ", text " + asText;
      }
    }
    return "";
  }

  private static Map<String, Object> read(LogFormat format, LogBlock block) {
    ParsedLines lines = new ParsedLines();
    BlockLines.read(format, block, lines);
    Map<String, Object> read = new LinkedHashMap<>();
    for (int line = 0; line < lines.count(); line++) {
      read.put(String.valueOf(line), row(lines, line));
    }
    read.put("samples", List.copyOf(lines.excerpts()));
    read.put("recoded", lines.recodedCount());
    read.put("doubts", lines.numbering().doubts("tsv"));
    return read;
  }

  private static List<Object> row(ParsedLines lines, int line) {
    Fate fate = lines.fate(line);
    if (fate != null) {
      return List.of(fate, lines.rank(line), lines.textTo(line) - lines.textFrom(line));
    }
    return List.of(
        lines.rank(line),
        lines.session(line),
        lines.epochSecond(line),
        lines.fingerprint(line),
        lines.times(line),
        lines.shard(line),
        LogFuzz.text(lines, line));
  }

  /** The same line through the plain rules, for an input of one line of valid UTF-8. */
  String differenceFromPlainRules(String line) {
    byte[] utf8 = line.getBytes(StandardCharsets.UTF_8);
    ParsedLines lines = new ParsedLines();
    BlockLines.read(bytes, new LogBlock(utf8, utf8.length, false, false), lines);
    List<Object> found =
        lines.fate(0) != null ? List.of(lines.fate(0)) : List.of(LogFuzz.text(lines, 0));
    List<Object> expected = List.of(plain(text.read(line)));
    return lines.count() == 1 && found.equals(expected) ? "" : found + ", expected " + expected;
  }

  private static Object plain(LogRecord record) {
    if (record instanceof LogRemark remark) {
      return remark.fate();
    }
    LogEntry entry = (LogEntry) record;
    if (entry.text().isBlank()) {
      return Fate.EMPTY;
    }
    if (entry.text().length() > ParsedLines.LONGEST_TEXT) {
      return Fate.TOO_LONG;
    }
    return entry.offset() > 0 ? Fate.NEXT_PAGE : entry.text().strip();
  }
}
