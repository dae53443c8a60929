// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A table of page and number of in-links, separated by a tab, with or without a header line. */
final class InlinkTable {
  private InlinkTable() {}

  /**
   * Reads a table.
   *
   * @throws CommandFailure if a line, the first one aside, is not a page and a count
   */
  static Map<String, Integer> read(Path file) throws IOException {
    Map<String, Integer> inlinks = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        String[] cells = line.split("\t", -1);
        if (cells.length == 2 && cells[1].matches("\\d{1,9}")) {
          inlinks.put(cells[0], Integer.parseInt(cells[1]));
        } else if (number > 1 || cells.length != 2) {
          throw new CommandFailure(
              file + ":" + number + " is not a page, a tab and a count: " + line);
        }
      }
    }
    return inlinks;
  }
}
