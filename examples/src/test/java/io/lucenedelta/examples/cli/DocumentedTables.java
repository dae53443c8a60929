// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Compares the tables that a verb wrote with those that docs/tables.md says it writes. */
final class DocumentedTables {
  private static final Path DOCUMENT = Path.of("..", "docs", "tables.md");
  private static final String STEP = "STEP";
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private DocumentedTables() {}

  /** That the tables of a directory, but those of figures, are these, each with its columns. */
  static void assertThese(Path directory, String... names) throws IOException {
    Map<String, List<String>> documented = documented();
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> tables =
          files
              .filter(file -> file.getFileName().toString().matches("(?!figure-).*[.]tsv"))
              .toList();
      assertThat(tables)
          .extracting(table -> table.getFileName().toString())
          .containsExactlyInAnyOrder(names);
      for (Path table : tables) {
        List<String> columns = documented.get(table.getFileName().toString());
        assertThat(columns).as("%s in docs/tables.md", table.getFileName()).isNotNull();
        assertThat(header(table, columns)).as("%s", table.getFileName()).isEqualTo(columns);
      }
    }
  }

  /**
   * That the numbers of a figure have no series but those that the document names; for figures
   * whose series are not named after what was measured.
   */
  static void assertSeries(Path directory, String id) throws IOException {
    List<String> documented = new ArrayList<>();
    for (String line : Files.readAllLines(DOCUMENT)) {
      String[] cells = line.split(" \\| ", -1);
      if (cells.length == 5 && cells[1].equals("`" + id + "`")) {
        documented.addAll(names(cells[2].substring(cells[2].indexOf(';'))));
      }
    }
    assertThat(
            Files.readAllLines(directory.resolve("figure-" + id + ".tsv")).stream()
                .skip(1)
                .map(point -> point.split("\t", -1)[1])
                .distinct())
        .as("series of the figure %s in docs/tables.md", id)
        .isNotEmpty()
        .isSubsetOf(documented);
  }

  /** The columns, those of steps as the one that stands for them if it is documented. */
  private static List<String> header(Path table, List<String> documented) throws IOException {
    String prefix = documented.get(documented.size() - 1).replace(STEP, "");
    boolean steps = documented.get(documented.size() - 1).endsWith(STEP);
    return Arrays.stream(Files.readAllLines(table).get(0).split("\t", -1))
        .map(column -> steps && column.startsWith(prefix) ? prefix + STEP : column)
        .distinct()
        .toList();
  }

  /** The columns by the name of the file. */
  static Map<String, List<String>> documented() throws IOException {
    Map<String, List<String>> tables = new HashMap<>();
    for (String line : Files.readAllLines(DOCUMENT)) {
      if (line.startsWith("| `")) {
        String[] cells = line.split(" \\| ", -1);
        List<String> file = names(cells[0]);
        assertThat(tables.put(file.get(0), names(cells[1]))).as("two rows for %s", file).isNull();
      }
    }
    assertThat(new TreeSet<>(tables.keySet())).hasSizeGreaterThan(12);
    return tables;
  }

  private static List<String> names(String cell) {
    return NAME.matcher(cell).results().map(name -> name.group(1)).toList();
  }
}
