// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import java.io.PrintWriter;
import java.util.List;

/** Prints a table for a terminal: first column to the left, the others to the right. */
public final class TextTable {
  private final ReportTable table;

  private TextTable(ReportTable table) {
    this.table = table;
  }

  /** Prints tables, an empty line after each. */
  public static void print(List<ReportTable> tables, PrintWriter out) {
    for (ReportTable table : tables) {
      print(table, out);
      out.println();
    }
  }

  private static void print(ReportTable table, PrintWriter out) {
    TextTable text = new TextTable(table);
    out.println(table.title() + ". " + table.explanation());
    text.printRow(table.header(), out);
    table.rows().forEach(row -> text.printRow(row, out));
  }

  private void printRow(List<String> cells, PrintWriter out) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      String blanks = " ".repeat(width(column) - length(cell));
      line.append(column == 0 ? "  " + cell + blanks : "  " + blanks + cell);
    }
    out.println(line.toString().stripTrailing());
  }

  private int width(int column) {
    int widest = length(table.header().get(column));
    for (List<String> row : table.rows()) {
      widest = Math.max(widest, length(row.get(column)));
    }
    return widest;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
