// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A table of page and number of in-links, separated by a tab, in UTF-8, with or without a header
 * line: a first line whose second cell is no number of any kind, and whose first is no address of a
 * page, as it has neither a dot nor a slash. Blank lines say nothing.
 */
final class InlinkTable {
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final Pattern COUNT = Pattern.compile("\\d{1,9}");
  private static final Pattern NUMBER = Pattern.compile("[-+.]?\\d");

  private InlinkTable() {}

  /**
   * Reads a table.
   *
   * @throws CommandFailure if a line, a header aside, is not a page and a count, not UTF-8 or too
   *     long, if a page has two counts, if there is none, or no file but a directory
   */
  static Map<String, Integer> read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new CommandFailure(file + " is a directory: name the file of in-link counts");
    }
    Map<String, Integer> inlinks = new HashMap<>();
    try (InputStream in = Files.newInputStream(file)) {
      BoundedLines lines = new BoundedLines(in);
      int number = 0;
      boolean mayBeHeader = true;
      for (byte[] bytes = lines.next(); bytes != null; bytes = lines.next()) {
        number++;
        if (lines.isTooLong()) {
          throw new CommandFailure(
              file + ":" + number + " " + BoundedLines.TOO_LONG + ": " + shown(bytes));
        }
        String line = decoded(bytes, file, number);
        if (number == 1 && line.startsWith(BYTE_ORDER_MARK)) {
          line = line.substring(BYTE_ORDER_MARK.length());
        }
        if (!line.isBlank()) {
          add(line, file + ":" + number, mayBeHeader, inlinks);
          mayBeHeader = false;
        }
      }
    }
    if (inlinks.isEmpty()) {
      throw new CommandFailure(file + " holds no page and its number of in-links");
    }
    return inlinks;
  }

  /**
   * Adds the page of a line and its count.
   *
   * @param where file and number of the line, for people to read
   */
  private static void add(
      String line, String where, boolean mayBeHeader, Map<String, Integer> inlinks) {
    String[] cells = line.split("\t", -1);
    if (cells.length == 2 && COUNT.matcher(cells[1]).matches()) {
      int count = Integer.parseInt(cells[1]);
      int known = inlinks.getOrDefault(cells[0], count);
      if (known != count) {
        throw new CommandFailure(
            "%s has %s again, with %d in-links where it had %d: leave one line of it"
                .formatted(where, BoundedLines.shown(cells[0]), count, known));
      }
      inlinks.put(cells[0], count);
    } else if (!mayBeHeader || cells.length != 2 || isAddress(cells[0]) || !isName(cells[1])) {
      throw new CommandFailure(
          where + " is not a page, a tab and a count: " + BoundedLines.shown(line));
    }
  }

  /** Whether a cell names a page rather than a column. */
  private static boolean isAddress(String cell) {
    return cell.indexOf('/') >= 0 || cell.indexOf('.') >= 0;
  }

  /** Whether a cell may head a column of counts. */
  private static boolean isName(String cell) {
    return !cell.isBlank() && !NUMBER.matcher(cell).lookingAt();
  }

  private static String decoded(byte[] line, Path file, int number) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
    } catch (CharacterCodingException e) {
      throw new CommandFailure(
          file + ":" + number + " is not UTF-8: " + shown(line) + ": save the file as UTF-8");
    }
  }

  /** The beginning of a line, its bytes as letters where it may not be UTF-8. */
  private static String shown(byte[] line) {
    return BoundedLines.shown(new String(line, StandardCharsets.ISO_8859_1));
  }
}
