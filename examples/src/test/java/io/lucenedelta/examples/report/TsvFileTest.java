// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TsvFileTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "100000000, 100000000",
    "0.1, 0.1",
    "0.30000000000000004, 0.3",
    "123456789.123, 123456789",
    "0.000001, 0.000001",
    "1.5e-9, 1.5E-9",
    "-2.5, -2.5",
    "1e300, 1.0E300",
    "NaN, ''",
    "Infinity, inf",
    "-Infinity, -inf"
  })
  void numbersHaveADotAndNineDigits(double value, String text) {
    assertThat(TsvFile.text(value)).isEqualTo(text);
  }

  @Test
  void rowsFollowTheHeader() throws IOException {
    StringWriter out = new StringWriter();
    try (TsvFile table = TsvFile.on(out, "page", "time", "count")) {
      table.row("a\tb\r\nc", Instant.EPOCH, 3);
      table.row("d", Instant.EPOCH.plusNanos(1_000_001), 4);
    }
    assertThat(out)
        .hasToString(
            "page\ttime\tcount\na b c\t1970-01-01T00:00:00.000Z\t3\n"
                + "d\t1970-01-01T00:00:00.001Z\t4\n");
  }

  @Test
  void aTableIsThereWhenItIsWhole() throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    TsvFile.write(
        file,
        List.of("page"),
        table -> {
          for (int row = 0; row < 100_000; row++) {
            table.row(row);
          }
          assertThat(file).hasContent("before");
        });
    assertThat(file).content().startsWith("page\n0\n1\n").endsWith("\n99999\n");
  }

  @Test
  void aTableWhoseRowsFailIsNotThere() throws IOException {
    Path file = Files.writeString(directory.resolve("a.tsv"), "before");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TsvFile.write(file, List.of("page"), table -> table.row("a", "b")));
    assertThat(file).hasContent("before");
    assertThat(directory).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void nothingCommandsATerminal() {
    assertThat(TsvFile.text("https://a/\u001b[31mred\u0007")).isEqualTo("https://a/?[31mred?");
    assertThat(TsvFile.text("https://a/\u009b31mred\u0085\u2028a"))
        .isEqualTo("https://a/?31mred a");
  }

  @Test
  void aRowOfAnotherWidthIsRefused() throws IOException {
    try (TsvFile table = TsvFile.on(new StringWriter(), "a", "b")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> table.row(1))
          .withMessage("a row needs 2 values, got [1]");
    }
  }
}
