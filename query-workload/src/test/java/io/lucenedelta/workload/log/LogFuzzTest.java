// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run of {@link LogFuzz}; the long ones are run by hand. */
class LogFuzzTest {
  private static final int INPUTS = 8_000;

  @TempDir Path temporary;

  @Test
  void noLineMakesAFormatThrow() throws IOException {
    long seed = System.nanoTime();
    LogFuzz fuzz = new LogFuzz(seed, LogFuzz.fixtureLines());
    List<LogFormat> formats = LogFuzz.formats();
    int kept = 0;
    for (int i = 0; i < INPUTS; i++) {
      byte[] input = fuzz.next();
      int[] entries = {0};
      assertThatCode(() -> entries[0] = LogFuzz.feed(formats, input))
          .as("seed %d, input %d", seed, i)
          .doesNotThrowAnyException();
      kept += entries[0];
    }
    assertThat(kept)
        .as("mutations that leave lines readable, seed %d", seed)
        .isGreaterThan(INPUTS / 10);
  }

  @Test
  void everyLineOfAHostileLogHasOneFate() throws IOException {
    long seed = System.nanoTime();
    LogFuzz fuzz = new LogFuzz(seed, LogFuzz.fixtureLines());
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    for (int i = 0; i < INPUTS; i++) {
      log.writeBytes(fuzz.next());
      log.write('\n');
    }
    for (LogFormat format : LogFuzz.formats()) {
      LogFormats formats = LogFormats.usual().withColumns(List.of(Column.QUERY));
      IngestSettings settings = IngestSettings.usual(temporary).withFormat(formats, format.name());
      try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
        ingest.read("log", new ByteArrayInputStream(log.toByteArray()));
        long kept = ingest.tally().of(Fate.KEPT);
        assertThat(ingest.tally().read())
            .as("%s, seed %d", format.name(), seed)
            .isEqualTo(lines(log.toByteArray()));
        assertThat(ingest.workload(Words.NORMALIZER).distinctTexts())
            .as("seed %d", seed)
            .isBetween(0L, kept);
      }
    }
  }

  /** Line ends, one of two characters counted once. */
  private static long lines(byte[] log) {
    long lines = 0;
    for (int i = 0; i < log.length; i++) {
      boolean half = log[i] == '\n' && i > 0 && log[i - 1] == '\r';
      lines += (log[i] == '\n' || log[i] == '\r') && !half ? 1 : 0;
    }
    return lines;
  }
}
