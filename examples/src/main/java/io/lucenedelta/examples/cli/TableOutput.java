// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.lucenedelta.examples.report.TsvFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final List<String> header;
  private final List<Object[]> rows = new ArrayList<>();

  TableOutput(String... header) {
    this.header = List.of(header);
  }

  /** Adds a row of as many values as columns; null is an empty value. */
  void row(Object... values) {
    rows.add(values);
  }

  /** Prints all rows. */
  void print(Format format, PrintWriter out) throws IOException {
    out.print(format == Format.JSON ? json() + "\n" : tsv());
    out.flush();
  }

  private String tsv() throws IOException {
    StringWriter text = new StringWriter();
    try (TsvFile table = TsvFile.on(text, header.toArray(String[]::new))) {
      for (Object[] row : rows) {
        Object[] shown = row.clone();
        for (int i = 0; i < shown.length; i++) {
          shown[i] = shown[i] == null ? "" : shown[i];
        }
        table.row(shown);
      }
    }
    return text.toString();
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
    return JSON.writeValueAsString(objects);
  }

  /** JSON knows numbers, texts and nothing; infinity, a rank outside the result, is nothing. */
  private static Object plain(Object value) {
    if (value instanceof Double number && !Double.isFinite(number)) {
      return null;
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : value.toString();
  }
}
