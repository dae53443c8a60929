// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CaptureTest {
  private static final DeltaConfig CONFIG =
      DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
          .keyField("url")
          .scoredField("body")
          .build();

  private final Capture capture =
      new Capture(
          CONFIG,
          WorkloadTerms.of(CONFIG.workload()),
          new Costs(false),
          CONFIG.faults(),
          any -> true);

  @Test
  void twoQuestionsAtATimeDoNotWaitForEachOtherForEver() throws Exception {
    List<Thread> askers =
        Stream.<Runnable>of(capture::isEmpty, capture::flushed).map(CaptureTest::asker).toList();
    for (Thread asker : askers) {
      assertThat(asker.join(Duration.ofSeconds(60))).as("%s has ended", asker).isTrue();
    }
  }

  private static Thread asker(Runnable question) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              for (int time = 0; time < 500_000; time++) {
                question.run();
              }
            });
  }
}
