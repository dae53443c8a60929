// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.OneLine;
import io.lucenedelta.examples.UtcTime;
import io.lucenedelta.examples.WholeFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.lucene.util.IOConsumer;

/**
 * A table of tab-separated values: a header line, UTF-8, {@code \n}, numbers with a dot. The same
 * rows give the same bytes everywhere.
 *
 * <p>Tabs and line ends within a value become spaces, other control characters {@code ?}. Not safe
 * for use by several threads.
 */
public final class TsvFile implements Closeable {
  private static final MathContext PRECISION = new MathContext(9);

  private final Writer out;
  private final int columns;

  private TsvFile(Writer out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  /**
   * Writes a file, over one that is there; it has its name when all rows are written, see {@link
   * WholeFile}.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(Path file, List<String> header, IOConsumer<TsvFile> rows)
      throws IOException {
    WholeFile.writeText(
        file,
        out -> {
          TsvFile table = new TsvFile(out, header.size());
          table.writeLine(header);
          rows.accept(table);
        });
  }

  /** Writes a table to a stream, which {@link #close} closes. */
  public static TsvFile on(Writer out, String... header) throws IOException {
    TsvFile table = new TsvFile(out, header.length);
    table.writeLine(Arrays.asList(header));
    return table;
  }

  /** Goes on with a table whose header was written, on a stream which {@link #close} closes. */
  public static TsvFile more(Writer out, int columns) {
    return new TsvFile(out, columns);
  }

  /**
   * Writes a row of numbers, strings, times and whatever else has a {@code toString}. Numbers that
   * are not integers are rounded to 9 digits; NaN is an empty value. Times are written as {@link
   * UtcTime} says.
   *
   * @throws IllegalArgumentException if there are more or fewer values than columns
   */
  public void row(Object... values) throws IOException {
    if (values.length != columns) {
      throw new IllegalArgumentException(
          "a row needs " + columns + " values, got " + Arrays.toString(values));
    }
    writeLine(Arrays.asList(values));
  }

  /** A value as it is written: see {@link #row}. */
  static String text(Object value) {
    if (value instanceof Double || value instanceof Float) {
      return number(((Number) value).doubleValue());
    }
    return value instanceof Instant time
        ? UtcTime.of(time)
        : OneLine.of(String.valueOf(value)); // a page's key, say
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    BigDecimal rounded = new BigDecimal(value, PRECISION).stripTrailingZeros();
    double size = Math.abs(value);
    return size != 0 && (size < 1e-6 || size >= 1e15)
        ? Double.toString(rounded.doubleValue())
        : rounded.toPlainString();
  }

  private void writeLine(List<?> values) throws IOException {
    out.write(values.stream().map(TsvFile::text).collect(Collectors.joining("\t", "", "\n")));
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
