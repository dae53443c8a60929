// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTest {
  /** Unicode's Bidi_Control. */
  private static final String DIRECTIONS =
      "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

  @Test
  void tabsAndLineEndsOfAllKindsBecomeABlank() {
    assertThat(OneLine.of("a\tb\r\nc\u000bd\fe\u0085f\u2028g\u2029\u2029h\n"))
        .isEqualTo("a b c d e f g h ");
  }

  @Test
  void whatWouldTurnTheLettersBehindItIsShown() {
    assertThat(OneLine.of("https://a/\u202efdp.exe")).isEqualTo("https://a/?fdp.exe");
    assertThat(OneLine.of("a" + DIRECTIONS + "b")).isEqualTo("a????????????b");
    assertThat(OneLine.of("שלום עולם, سلام")).isEqualTo("שלום עולם, سلام");
  }

  @Test
  void noControlCharacterIsLeft() {
    for (char letter = 0; letter < 0x3000; letter++) {
      String line = OneLine.of("a" + letter + "b");
      assertThat(line.chars()).as("%x", (int) letter).noneMatch(Character::isISOControl);
      assertThat(line.lines()).hasSize(1);
      if (!Character.isISOControl(letter)
          && letter != 0x2028
          && letter != 0x2029
          && DIRECTIONS.indexOf(letter) < 0) {
        assertThat(line).isEqualTo("a" + letter + "b");
      }
    }
    assertThat(OneLine.of("https://a/\u001b[31mred\u009b2J\u007f"))
        .isEqualTo("https://a/?[31mred?2J?");
  }
}
