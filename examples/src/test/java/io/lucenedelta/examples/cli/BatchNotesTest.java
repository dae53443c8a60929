// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.Trouble;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BatchNotesTest {
  @Test
  void troubleIsToldOnALineOfItsOwnWhereABarIsShown() throws Exception {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    PrintStream shown = new PrintStream(terminal, true, StandardCharsets.UTF_8);
    BatchNotes notes = new BatchNotes(new PrintWriter(shown, true, StandardCharsets.UTF_8));
    try (Progress progress = Progress.onBar("work", 2, shown, null)) {
      while (!terminal.toString(StandardCharsets.UTF_8).contains("work")) {
        Thread.sleep(10);
      }
      notes.during(progress);
      notes.trouble(Trouble.LOST, "a batch was lost", new IOException("no room"));
    }
    assertThat(terminal.toString(StandardCharsets.UTF_8))
        .contains("\r\u001b[2Ka batch was lost: no room\n"); // erases what the bar left
  }

  @Test
  void troubleIsToldAsItIsBeforeAndAfterProgress() {
    StringWriter lines = new StringWriter();
    PrintWriter err = new PrintWriter(lines);
    BatchNotes notes = new BatchNotes(err);
    notes.trouble(Trouble.LOST, "one", null);
    try (Progress progress = Progress.inLines("work", 1, err, Instant::now)) {
      notes.during(progress);
      notes.trouble(Trouble.LOST, "two", null);
    }
    notes.during(null);
    notes.trouble(Trouble.LOST, "three", null);
    assertThat(lines.toString().lines()).containsExactly("one", "two", "three");
  }
}
