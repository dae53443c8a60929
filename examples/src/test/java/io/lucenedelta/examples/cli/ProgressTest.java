// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
  /** What sets colours of a terminal. */
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

  private Instant now = Instant.EPOCH;

  @Test
  void withoutATerminalEveryQuarterIsTold() {
    assertThat(told(8, 1))
        .containsExactly("work: 2 of 8", "work: 4 of 8", "work: 6 of 8", "work: 8 of 8");
  }

  @Test
  void stepsThatTakeLongAreToldEachMinute() {
    assertThat(told(8, 59))
        .containsExactly("work: 2 of 8", "work: 4 of 8", "work: 6 of 8", "work: 8 of 8");
    assertThat(told(40, 25))
        .startsWith(
            "work: 3 of 40", "work: 6 of 40", "work: 9 of 40", "work: 10 of 40", "work: 13 of 40");
  }

  @Test
  void howFarALongStepIsIsToldEachMinute() {
    StringWriter lines = new StringWriter();
    try (Progress progress = Progress.inLines("work", 2, new PrintWriter(lines), () -> now)) {
      for (int part = 1; part <= 200; part++) {
        now = now.plusSeconds(1);
        progress.within(part, "pages");
      }
      progress.step();
    }
    assertThat(lines.toString().split("\\R"))
        .containsExactly(
            "work: 0 of 2, and 60 pages of the next",
            "work: 0 of 2, and 120 pages of the next",
            "work: 0 of 2, and 180 pages of the next",
            "work: 1 of 2");
  }

  @Test
  void aBarLeavesItsLineToWhatIsWrittenAside() throws Exception {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    PrintStream shown = new PrintStream(terminal, true, StandardCharsets.UTF_8);
    try (Progress progress = Progress.onBar("work", 2, shown, null)) {
      awaitBar(terminal);
      progress.aside(() -> shown.print("a row\n"));
    }
    assertThat(terminal.toString(StandardCharsets.UTF_8))
        .contains("\r\u001b[2Ka row\n") // erases what the bar left
        .endsWith("\n");
  }

  @ParameterizedTest
  @CsvSource({",true", "'',true", "1,false", "0,false"})
  void aBarHasNoColoursWhereNobodyWantsThem(String noColour, boolean colours) throws Exception {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    PrintStream shown = new PrintStream(terminal, true, StandardCharsets.UTF_8);
    try (Progress progress = Progress.onBar("work", 2, shown, noColour)) {
      awaitBar(terminal);
      progress.step();
    }
    assertThat(COLOUR.matcher(terminal.toString(StandardCharsets.UTF_8)).find()).isEqualTo(colours);
  }

  private static void awaitBar(ByteArrayOutputStream terminal) throws InterruptedException {
    while (!terminal.toString(StandardCharsets.UTF_8).contains("work")) {
      Thread.sleep(10);
    }
  }

  private String[] told(int steps, int secondsEach) {
    StringWriter lines = new StringWriter();
    try (Progress progress = Progress.inLines("work", steps, new PrintWriter(lines), () -> now)) {
      for (int step = 0; step < steps; step++) {
        now = now.plusSeconds(secondsEach);
        progress.step();
      }
    }
    return lines.toString().split("\\R");
  }
}
