// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The columns of a table, each with its name and what stands in it, so that a value cannot get
 * under the name of another. Immutable.
 *
 * @param <R> what a row is about
 */
public final class TsvColumns<R> {
  private record Column<R>(String name, Function<? super R, ?> value) {}

  private final List<Column<R>> columns;

  private TsvColumns(List<Column<R>> columns) {
    this.columns = columns;
  }

  /** The first column; {@link TsvFile#row} says which values there can be. */
  public static <R> TsvColumns<R> of(String name, Function<? super R, ?> value) {
    return new TsvColumns<>(List.of(new Column<>(name, value)));
  }

  /** These columns and, to their right, another. */
  public TsvColumns<R> and(String name, Function<? super R, ?> value) {
    return new TsvColumns<>(
        Stream.concat(columns.stream(), Stream.of(new Column<R>(name, value))).toList());
  }

  /**
   * Writes a file as {@link TsvFile#write} does.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file, Iterable<? extends R> rows) throws IOException {
    TsvFile.write(
        file,
        columns.stream().map(Column::name).toList(),
        table -> {
          for (R row : rows) {
            table.row(columns.stream().map(column -> column.value().apply(row)).toArray());
          }
        });
  }
}
