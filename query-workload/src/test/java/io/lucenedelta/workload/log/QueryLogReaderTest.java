// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class QueryLogReaderTest {
  /** A format with a mistake in it. */
  private static final class Mistaken implements LogFormat {
    @Override
    public String name() {
      return "mistaken";
    }

    @Override
    public LogRecord read(String line) {
      if (line.equals("deep")) {
        throw new StackOverflowError();
      }
      if (line.equals("bad")) {
        throw new ArithmeticException("by zero");
      }
      return LogEntry.of(line);
    }
  }

  /** Of no interest here. */
  private static final class Deaf implements LogReceiver {
    @Override
    public void begin(String log, String format) {}

    @Override
    public void doubtful(String why) {}

    @Override
    public void lines(ParsedLines lines) {}

    @Override
    public void damaged(String why) {}

    @Override
    public void end() {}
  }

  private static ThrowingCallable reading(ExecutorService parsers, String... lines) {
    QueryLogReader reader = new QueryLogReader((log, first) -> new Mistaken(), parsers, 2);
    byte[] log = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return () -> reader.read("a.log", new ByteArrayInputStream(log), new Deaf());
  }

  private static void isNamed(ExecutorService parsers) {
    String many = "pond\n".repeat(300_000) + "\n"; // of several blocks, and a blank line
    assertThatThrownBy(reading(parsers, many, "bad", "pond"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a.log, line 300003: format mistaken failed on a line that it should have rejected:"
                + " java.lang.ArithmeticException: by zero; name another format")
        .hasRootCauseInstanceOf(ArithmeticException.class);
  }

  @Test
  void aFormatThatFailsOnALineIsNamedWithThatLineWhicheverThreadParses() {
    isNamed(null);
    try (ExecutorService parsers = Executors.newSingleThreadExecutor()) {
      isNamed(parsers);
    }
  }

  @Test
  void anErrorIsThrownAsItIsWhicheverThreadParses() {
    assertThatThrownBy(reading(null, "pond", "deep")).isInstanceOf(StackOverflowError.class);
    try (ExecutorService parsers = Executors.newSingleThreadExecutor()) {
      assertThatThrownBy(reading(parsers, "pond", "deep")).isInstanceOf(StackOverflowError.class);
    }
  }
}
