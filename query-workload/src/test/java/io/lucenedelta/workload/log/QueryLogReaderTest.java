// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
      throw new ArithmeticException("by zero");
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

  private static void isNamed(ExecutorService parsers) {
    QueryLogReader reader = new QueryLogReader((log, first) -> new Mistaken(), parsers, 2);
    byte[] log = "a\nb\n".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> reader.read("log", new ByteArrayInputStream(log), new Deaf()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("format mistaken failed on a line")
        .hasMessageContaining("by zero")
        .hasRootCauseInstanceOf(ArithmeticException.class);
  }

  @Test
  void aFormatThatFailsOnALineIsNamedWhicheverThreadParses() {
    isNamed(null);
    try (ExecutorService parsers = Executors.newSingleThreadExecutor()) {
      isNamed(parsers);
    }
  }
}
