// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import java.util.List;

/**
 * A table for people.
 *
 * @param title what it lists
 * @param explanation how to read it, in short sentences
 * @param header column names
 * @param rows rows of as many texts
 */
public record ReportTable(
    String title, String explanation, List<String> header, List<List<String>> rows) {
  /** Checks that rows are as wide as the header. */
  public ReportTable {
    for (List<String> row : rows) {
      if (row.size() != header.size()) {
        throw new IllegalArgumentException("a row needs " + header.size() + " values, got " + row);
      }
    }
  }
}
