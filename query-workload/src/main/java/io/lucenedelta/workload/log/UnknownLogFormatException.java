// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;
import java.util.List;

/**
 * A log whose format could not be told; the message says what to do, by options of the command line
 * and in a program.
 */
public final class UnknownLogFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private UnknownLogFormatException(String message) {
    super(message);
  }

  static UnknownLogFormatException unrecognised(String log, String firstLine) {
    return new UnknownLogFormatException(
        log
            + ": no known query log format"
            + beginning(firstLine)
            + "; name the format by --log-format, or in a program IngestSettings.withFormat, one of "
            + String.join(", ", LogFormats.names())
            + "; or the columns of a table without a header, or of one whose header names no query"
            + " column, such as --columns query,count,-; --columns query for a list of queries; in"
            + " a program LogFormats.withColumns");
  }

  /**
   * No separator makes the columns that were given.
   *
   * @param widths how many columns there are instead, by separator; empty if no number is that of
   *     most lines
   */
  static UnknownLogFormatException otherColumns(
      String log, List<Column> given, String widths, String firstLine) {
    return new UnknownLogFormatException(
        "%s: --columns names %d %s (%s), but %s%s; %s, or leave --columns out, in a program LogFormats.withColumns"
            .formatted(
                log,
                given.size(),
                given.size() == 1 ? "column" : "columns",
                Column.names(given),
                widths.isEmpty()
                    ? "too few of its first lines have as many between tabs, commas, semicolons or bars"
                    : "its first lines have " + widths,
                beginning(firstLine),
                widths.isEmpty()
                    ? "see whether it is such a table"
                    : "name every column there is, - for one to ignore"));
  }

  static UnknownLogFormatException noText(String log, String firstLine) {
    return new UnknownLogFormatException(
        log
            + ": no known query log format, and no text"
            + beginning(firstLine)
            + "; see whether it is the log; one that is packed is to be unpacked first");
  }

  static UnknownLogFormatException packed(String log, String packing, String command) {
    return new UnknownLogFormatException(
        log
            + " is packed by "
            + packing
            + ", which is not read; unpack it, or give what "
            + command
            + " prints to workload --query-log -, or in a program to WorkloadIngest.read as a stream");
  }

  static UnknownLogFormatException idsOrCounts(String log, String firstLine) {
    return new UnknownLogFormatException(
        log
            + ": the numbers before the queries repeat, so they may be ids or counts"
            + beginning(firstLine)
            + "; use --columns count,query, or in a program LogFormats.withColumns, if each is a"
            + " number of times, --log-format trec, or IngestSettings.withFormat, if it is an id");
  }

  static UnknownLogFormatException withoutHeader(String log, String format, String firstLine) {
    return new UnknownLogFormatException(
        log
            + ": no header that names a query column of a "
            + format
            + " table"
            + beginning(firstLine)
            + "; give the columns by --columns, or in a program LogFormats.withColumns, such as"
            + " timestamp,session,query,offset");
  }

  private static String beginning(String firstLine) {
    return firstLine.isEmpty()
        ? ", none of its first lines is text of at most 256 KB without NUL bytes (UTF-16"
            + " without a byte order mark becomes text by iconv -f UTF-16LE -t UTF-8)"
        : ", its first line is: " + firstLine;
  }
}
