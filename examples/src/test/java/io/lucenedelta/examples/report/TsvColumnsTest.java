// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TsvColumnsTest {
  @TempDir Path folder;

  @Test
  void everyValueStandsUnderTheNameOfItsColumn() throws IOException {
    Path file = folder.resolve("words.tsv");
    TsvColumns.of("word", (String word) -> word)
        .and("length", String::length)
        .and("first", word -> word.charAt(0))
        .write(file, List.of("page", "query"));
    assertThat(file).hasContent("word\tlength\tfirst\npage\t4\tp\nquery\t5\tq\n");
  }

  @Test
  void columnsStayWhatTheyAreWhenOneIsAdded() throws IOException {
    TsvColumns<String> one = TsvColumns.of("word", (String word) -> word);
    one.and("length", String::length).write(folder.resolve("two.tsv"), List.of());
    one.write(folder.resolve("one.tsv"), List.of());
    assertThat(folder.resolve("two.tsv")).hasContent("word\tlength\n");
    assertThat(folder.resolve("one.tsv")).hasContent("word\n");
  }
}
