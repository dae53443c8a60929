// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Where golden tables lie: our own resources and, where LUCENE_DELTA_GOLDEN names one, a second.
 */
final class GoldenFiles {
  private GoldenFiles() {}

  /** The directories that hold golden tables. */
  static Stream<Path> directories() {
    String more = System.getenv("LUCENE_DELTA_GOLDEN");
    return more == null ? Stream.of(own()) : Stream.of(own(), Path.of(more));
  }

  private static Path own() {
    try {
      return Path.of(GoldenFiles.class.getResource("/golden").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The rows of a table with a header line, by column name. */
  static List<Map<String, String>> rows(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      String[] header = lines.get(0).split("\t", -1);
      List<Map<String, String>> rows = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.split("\t", -1);
        Map<String, String> row = new TreeMap<>();
        for (int i = 0; i < header.length; i++) {
          row.put(header[i], cells[i]);
        }
        rows.add(row);
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A number of a row; {@code inf} is infinity. */
  static double number(Map<String, String> row, String column) {
    String cell = row.get(column);
    return cell.equals("inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(cell);
  }
}
