// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IngestSettingsTest {
  private static final long LEAST = 1 << 16;

  private final IngestSettings usual = IngestSettings.usual(Path.of("folder"));

  @Test
  void whatNoIngestCanWorkWithIsRefusedWithItsValue() {
    assertThat(usual.withResources(1, LEAST).heapBytes()).isEqualTo(LEAST);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> usual.withResources(1, LEAST - 1))
        .withMessageContaining("heapBytes 65536 or more; were")
        .withMessageEndingWith(", 65535");
    assertThatIllegalArgumentException().isThrownBy(() -> usual.withResources(0, LEAST));
    assertThat(usual.withResources(10_000, LEAST).threads()).isEqualTo(10_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> usual.withResources(10_001, LEAST))
        .withMessageContaining("threads 1 to 10000")
        .withMessageEndingWith(", 10001, 65536");
    assertThatIllegalArgumentException().isThrownBy(() -> usual.withMinSessions(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> usual.withSessions(Duration.ofMillis(-1), 100, false))
        .withMessageContaining("were PT-0.001S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> usual.withSessions(Duration.ZERO, 0, false));
  }

  @Test
  void usuallyATextRepeatsForHalfAnHourAndAPersonAsksAHundredTimesInOne() {
    assertThat(usual.window()).isEqualTo(Duration.ofMinutes(30));
    assertThat(usual.queriesAnHour()).isEqualTo(100);
    assertThat(usual.dropRobots()).isFalse();
    assertThat(usual.minSessions()).isEqualTo(1);
  }
}
