// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.UtcTime;
import io.lucenedelta.examples.report.TsvFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints a table as the person asked: TSV with a header line, or a JSON array of objects. */
final class TableOutput {
  /** The formats of {@code --format}. */
  enum Format {
    TSV,
    JSON
  }

  private final List<String> header;
  private final List<Object[]> rows = new ArrayList<>();
  private int printed;
  private boolean begun;

  TableOutput(String... header) {
    this.header = List.of(header);
  }

  /** Adds a row of as many values as columns; null is an empty value. */
  void row(Object... values) {
    rows.add(values);
  }

  /**
   * Prints the rows that were added since, so that those of long work are there while it goes on.
   * JSON has no part that is JSON: it waits for {@link #print}, or {@link #printBrokenOff}.
   */
  void printSoFar(Format format, PrintWriter out) throws IOException {
    if (format == Format.TSV) {
      printTsv(out);
    }
  }

  /** Prints all rows that were not printed yet. */
  void print(Format format, PrintWriter out) throws IOException {
    if (format == Format.TSV) {
      printTsv(out);
    } else {
      out.print(json() + "\n");
      out.flush();
    }
  }

  /** Prints the rows of work that breaks off which were not printed yet, if there are any. */
  void printBrokenOff(Format format, PrintWriter out) throws IOException {
    if (printed < rows.size()) {
      print(format, out);
    }
  }

  private void printTsv(PrintWriter out) throws IOException {
    StringWriter text = new StringWriter();
    try (TsvFile table = begun ? TsvFile.more(text, header.size()) : header(text)) {
      begun = true;
      for (; printed < rows.size(); printed++) {
        Object[] shown = rows.get(printed).clone();
        for (int i = 0; i < shown.length; i++) {
          shown[i] = shown[i] == null ? "" : shown[i];
        }
        table.row(shown);
      }
    }
    out.print(text);
    out.flush();
  }

  private TsvFile header(StringWriter text) throws IOException {
    return TsvFile.on(text, header.toArray(String[]::new));
  }

  private String json() throws IOException {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (Object[] row : rows) {
      Map<String, Object> object = new LinkedHashMap<>();
      for (int i = 0; i < header.size(); i++) {
        object.put(header.get(i), plain(row[i]));
      }
      objects.add(object);
    }
    return PrintedJson.of(objects);
  }

  /**
   * JSON knows numbers, texts and nothing; infinity, a rank outside the result, is nothing, and so
   * is an empty text, the reason of what did not happen.
   */
  private static Object plain(Object value) {
    if (value instanceof Double number && !Double.isFinite(number)) {
      return null;
    }
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    String text = value instanceof Instant time ? UtcTime.of(time) : value.toString();
    return text.isEmpty() ? null : text;
  }
}
