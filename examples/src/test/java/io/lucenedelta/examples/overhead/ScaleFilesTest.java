// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScaleFilesTest {
  @TempDir Path directory;

  private static ScaleRow row(long pages, double micros) {
    return new ScaleRow("pages", pages, 1, 9, 2, 5, Map.of("note", micros), 1, 100);
  }

  @Test
  void linesGoFromTheSmallestSizeToTheLargestInWhateverOrderTheyWereAskedFor() throws IOException {
    new ScaleFiles(List.of(row(400, 4), row(100, 1), row(200, 2)), "").write(directory);
    assertThat(Files.readAllLines(directory.resolve("figure-scale.tsv")))
        .filteredOn(line -> line.contains("\tnote\t"))
        .extracting(line -> line.split("\t", -1)[2])
        .containsExactly("100", "200", "400");
  }
}
