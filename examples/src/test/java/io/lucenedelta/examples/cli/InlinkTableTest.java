// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InlinkTableTest {
  @TempDir Path directory;
  private Path table;

  @BeforeEach
  void name() {
    table = directory.resolve("links.tsv");
  }

  @Test
  void aDirectoryIsNoTable() {
    assertThatThrownBy(() -> InlinkTable.read(directory))
        .isInstanceOf(CommandFailure.class)
        .hasMessage(directory + " is a directory: name the file of in-link counts");
  }

  @Test
  void aFirstLineWithoutANumberIsAHeader() throws IOException {
    assertThat(read("page\tinlinks\nhttp://a/\t3\n")).isEqualTo(Map.of("http://a/", 3));
    assertThat(read("http://a/\t3\n")).isEqualTo(Map.of("http://a/", 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-4", "+4", "1.5", "1e3", "12345678901", ""})
  void aFirstLineWithSomethingLikeACountIsNoHeader(String count) {
    rejects("http://a/\t" + count + "\nhttp://b/\t3\n", "links.tsv:1 is not a page, a tab and a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a/", "docs/install", "index.html"})
  void aFirstLineOfAPageIsNoHeader(String page) {
    rejects(page + "\tmany\nhttp://b/\t3\n", "links.tsv:1 is not a page, a tab and a count");
  }

  /** At this size looking for a letter from every place on would not end. */
  @Test
  @Timeout(600)
  void aHeaderMayBeOfAnyLength() throws IOException {
    String name = "n".repeat(4_000_000) + "\u2028\u2028";
    assertThat(read("page\t" + name + "\nhttp://a/\t3\n")).isEqualTo(Map.of("http://a/", 3));
  }

  @Test
  void blankLinesArePassedOver() throws IOException {
    assertThat(read("\npage\tinlinks\r\n\nhttp://a/\t3\n \n\n")).isEqualTo(Map.of("http://a/", 3));
  }

  @Test
  void aByteOrderMarkIsPassedOver() throws IOException {
    assertThat(read("\uFEFFhttp://a/\t3\nhttp://b/\t4\n"))
        .isEqualTo(Map.of("http://a/", 3, "http://b/", 4));
  }

  @Test
  void lettersBeyondAsciiAreUtf8() throws IOException {
    assertThat(read("http://a/größe/日本\t3\n")).isEqualTo(Map.of("http://a/größe/日本", 3));
  }

  @Test
  void aLineThatIsNotUtf8IsNamed() throws IOException {
    Files.writeString(table, "page\tn\nhttp://a/größe\t3\n", StandardCharsets.ISO_8859_1);
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> InlinkTable.read(table))
        .withMessageContaining("links.tsv:2 is not UTF-8: http://a/gr")
        .withMessageEndingWith("save the file as UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "page\tinlinks\n"})
  void aTableOfNothingIsRefused(String text) {
    rejects(text, "links.tsv holds no page and its number of in-links");
  }

  @Test
  void aLineWithoutACountIsNamed() {
    rejects("page\tn\nhttp://a/\tmany\n", "links.tsv:2 is not a page, a tab and a count");
  }

  @Test
  void aPageMayComeAgainWithTheSameCountOnly() throws IOException {
    assertThat(read("http://a/\t3\nhttp://a/\t3\n")).isEqualTo(Map.of("http://a/", 3));
    rejects(
        "page\tn\nhttp://a/\t3\nhttp://b/\t3\nhttp://a/\t4\n",
        "links.tsv:4 has http://a/ again, with 4 in-links where it had 3: leave one line of it");
  }

  @Test
  void aLineWithoutEndIsNamedAndCut() {
    String without = "http://a/" + "x".repeat(BoundedLines.LONGEST);
    rejects("http://b/\t3\n" + without, "links.tsv:2 is longer than 8 MB: http://a/xxx");
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> InlinkTable.read(table))
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(300));
  }

  @Test
  void aLongLineIsCutWhereItIsShown() throws IOException {
    String name = "http://a/" + "ü".repeat(5000);
    for (String text : List.of(name, name + "\t3\n" + name + "\t4\n")) {
      rejects(text, "http://a/üüü");
      rejects(text, "ü…");
    }
    Files.writeString(table, name, StandardCharsets.ISO_8859_1);
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> InlinkTable.read(table))
        .withMessageContaining("is not UTF-8: http://a/ü")
        .withMessageContaining("ü…: save");
  }

  private Map<String, Integer> read(String text) throws IOException {
    Files.writeString(table, text);
    return InlinkTable.read(table);
  }

  private void rejects(String text, String complaint) {
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> read(text))
        .withMessageContaining(complaint);
  }
}
