// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lucenedelta.examples.OneLine;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrintedJsonTest {
  @Test
  void noTextCommandsATerminalAndEachHasItsValueWhenItIsRead() throws JsonProcessingException {
    for (char letter = 0; letter < 0x3000; letter++) {
      String text = "a" + letter + "b\\";
      String json = PrintedJson.of(List.of(text));
      assertThat(OneLine.of(json)).as("%x", (int) letter).isEqualTo(json);
      assertThat(new ObjectMapper().readTree(json).get(0).asText()).isEqualTo(text);
    }
  }

  @Test
  void whatCommandsNothingStaysAsItIs() throws JsonProcessingException {
    assertThat(PrintedJson.of(List.of("שלום ü 𠀀", 1.5))).isEqualTo("[ \"שלום ü 𠀀\", 1.5 ]");
  }
}
