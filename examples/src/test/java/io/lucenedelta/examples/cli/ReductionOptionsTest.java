// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ReductionOptionsTest {
  @Command
  private static final class Reduced {
    @Mixin private ReductionOptions options;
  }

  private static List<String> reduced(String... arguments) {
    Reduced reduced = new Reduced();
    new CommandLine(reduced).parseArgs(arguments);
    Workload measured =
        reduced.options.reduced(
            Workload.builder()
                .add(List.of("garden", "pond"), 5)
                .add(List.of("fern", "pond"), 3)
                .add(List.of("fern"), 1)
                .build());
    return IntStream.range(0, measured.queryCount())
        .mapToObj(query -> measured.queryText(query) + " " + measured.frequency(query))
        .toList();
  }

  @Test
  void allQueriesAreMeasuredWholeUnlessLessIsAskedFor() {
    assertThat(reduced()).containsExactlyInAnyOrder("garden pond 5.0", "fern pond 3.0", "fern 1.0");
  }

  @Test
  void theMostFrequentQueriesAreMeasuredWholeAndTheOthersTermByTerm() {
    assertThat(reduced("--queries", "1"))
        .containsExactlyInAnyOrder("garden pond 5.0", "fern 4.0", "pond 3.0");
    assertThat(reduced("--queries", "0"))
        .containsExactlyInAnyOrder("pond 8.0", "garden 5.0", "fern 4.0");
  }

  @Test
  void onlyQueriesOfTheMostFrequentTermsAreMeasured() {
    assertThat(reduced("--terms", "2")).containsExactly("garden pond 5.0");
    assertThat(reduced("--terms", "2", "--queries", "0"))
        .containsExactlyInAnyOrder("garden 5.0", "pond 5.0");
  }

  @Test
  void termsThatLeaveNoQueryAreRefused() {
    assertThatThrownBy(() -> reduced("--terms", "1"))
        .isInstanceOf(CommandFailure.class)
        .hasMessage(
            "--terms 1 leaves no query to measure: each has a term that is less frequent; give a"
                + " larger number");
  }
}
