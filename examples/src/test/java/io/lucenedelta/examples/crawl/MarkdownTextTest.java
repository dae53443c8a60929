// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.netpreserve.jwarc.MediaType;

class MarkdownTextTest {
  private static final int MANY = 60_000;

  @ParameterizedTest(name = "the title of {0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "# Heading|Heading",
        "# Heading ##|Heading",
        "# Heading ##  |Heading",
        "######   deep|deep",
        "# C#|C#",
        "# C# #|C#",
        "# a \\#|a \\#",
        "####### seven|''",
        "#none|''",
        "# ##|''",
        "\"# ##\n# second\"|second",
        "\"## \n# second\"|second",
      })
  void aHeadingIsItsTextWithoutTheSignsAroundIt(String line, String title) {
    String expected = title.equals("''") ? "" : title;
    assertThat(MarkdownText.read(line.replace("\\n", "\n")).title()).isEqualTo(expected);
  }

  /** At this size an expression that goes to and fro would not end. */
  @ParameterizedTest
  @ValueSource(strings = {" ", "#", " #", "# ", "\t#"})
  @Timeout(600)
  void aHeadingMayHoldBlanksAndSignsWithoutEnd(String filling) {
    String many = filling.repeat(MANY / filling.length());
    assertThat(MarkdownText.read("# a" + many + "b").title()).hasSize(MANY + 2);
    assertThat(MarkdownText.read("# a " + many + "\n").title()).hasSizeBetween(1, MANY);
    assertThat(MarkdownText.read("#" + many + "\n\n").title()).hasSizeLessThan(MANY);
    assertThat(MarkdownText.read("---" + many + "x").title()).isEmpty();
    assertThat(MarkdownText.read("---\ntitle: \"a\"" + many + "b\n---\n# c").title())
        .isEqualTo("c");
  }

  @Test
  @Timeout(600)
  void anAddressMayHoldQuestionMarksWithoutEnd() {
    String address = "http://a/b.txt" + "?".repeat(4_000_000) + "\u2028x";
    byte[] body = "text".getBytes(StandardCharsets.UTF_8);
    assertThat(PageText.of(address, MediaType.OCTET_STREAM, body))
        .contains(new PageText("", "text"));
  }
}
