// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.PageAnalysis;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnippetTest {

  @Test
  void aShortTextIsShownWhole() throws IOException {
    assertThat(marked("one two three", "two")).isEqualTo("one [two] three");
    assertThat(marked("one two three", "four")).isEqualTo("one two three");
    assertThat(marked("", "four")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\n", "\r\n", "\t", "\u00a0", "\u3000"})
  void anyWhiteSpaceIsAPlaceToCut(String space) throws IOException {
    String filler = ("filler" + space).repeat(100);
    String shown = marked(filler + "needle" + space + filler, "needle");
    assertThat(shown.split("[\\s\\u00a0\\u3000]+")).containsOnly("filler", "[needle]", "…");
    assertThat(shown).contains(space + "[needle]" + space).endsWith(" …");
    assertThat(shown.length()).isBetween(200, 270);
  }

  @Test
  void aTextWithoutMatchIsShownFromItsStart() throws IOException {
    assertThat(marked("filler\n".repeat(100), "needle"))
        .startsWith("filler\nfiller\n")
        .endsWith("filler …")
        .hasSizeBetween(200, 262);
  }

  @Test
  void aTextWithoutWhiteSpaceIsCutNearTheMatch() throws IOException {
    String filler = "日本語".repeat(200);
    assertThat(marked(filler + "龍" + filler, "龍")).contains("語[龍]日").hasSizeBetween(200, 264);
  }

  @Test
  void whiteSpaceFarFromTheMatchIsNoPlaceToCut() throws IOException {
    String filler = "日本語".repeat(200);
    assertThat(marked("題 " + filler + "龍" + filler + " 終", "龍"))
        .contains("語[龍]日")
        .hasSizeBetween(200, 264);
  }

  @Test
  void aCharacterOfTwoUnitsIsNotCut() throws IOException {
    for (int shift = 0; shift < 2; shift++) {
      String filler = "𠀀".repeat(200);
      String shown = marked("x".repeat(shift) + filler + "龍" + filler, "龍");
      assertThat(shown).contains("[龍]");
      assertThat(shown.codePoints().filter(c -> c >= 0xD800 && c <= 0xDFFF)).isEmpty();
    }
    assertThat(
            marked("x" + "𠀀".repeat(200), "龍")
                .codePoints()
                .filter(c -> c >= 0xD800 && c <= 0xDFFF))
        .isEmpty();
  }

  @Test
  void ofALongTextNoMoreIsReadThanIsShown() throws IOException {
    AtomicInteger read = new AtomicInteger();
    try (Analyzer counting =
        new Analyzer() {
          @Override
          protected TokenStreamComponents createComponents(String field) {
            Tokenizer words = new StandardTokenizer();
            return new TokenStreamComponents(
                words,
                new TokenFilter(words) {
                  @Override
                  public boolean incrementToken() throws IOException {
                    read.incrementAndGet();
                    return input.incrementToken();
                  }
                });
          }
        }) {
      String text = "filler ".repeat(20) + "needle ".repeat(10_000);
      List<Snippet.Part> shown = Snippet.of(text, Set.of("needle"), counting).parts();
      assertThat(shown.stream().filter(Snippet.Part::found)).hasSizeBetween(20, 35);
      assertThat(read).hasValueLessThan(70);
    }
  }

  private static String marked(String text, String word) throws IOException {
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      return Snippet.of(text, Set.of(word), analyzer).parts().stream()
          .map(part -> part.found() ? "[" + part.text() + "]" : part.text())
          .collect(Collectors.joining());
    }
  }
}
