// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.workload.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class MeasuringOptionsTest {
  @Command
  private static final class Measuring {
    @Mixin private MeasuringOptions options;
  }

  private static String settings(String... arguments) {
    Measuring measuring = new Measuring();
    new CommandLine(measuring).parseArgs(arguments);
    Workload workload =
        Workload.builder().add(List.of("garden", "pond"), 3).add(List.of("fern"), 1).build();
    DeltaConfig.Builder settings =
        DeltaConfig.builder(workload).keyField("url").scoredField("body");
    measuring.options.applyTo(settings);
    return settings.build().toString();
  }

  @Test
  void theyBecomeSettings() {
    assertThat(settings()).contains("wholeQueries=2,", "selfAudit=none]");
    assertThat(settings("--whole-queries", "0.7", "--self-audit", "5"))
        .contains("wholeQueries=1,", "selfAudit=5 in PT1S]");
    assertThat(settings("--rank-memory", "0")).contains("wholeQueries=0,");
  }
}
