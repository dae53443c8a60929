// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SortedRunTest {
  @TempDir Path temporary;

  /** The folder is removed after a failure: what is left in it would be told instead. */
  @Test
  void nothingIsLeftOfARunThatCannotBeWrittenToItsEnd() {
    IOException full = new IOException("no space left");
    assertThatThrownBy(
            () ->
                SortedRun.write(
                    temporary.resolve("run"),
                    to -> {
                      to.accept(new byte[] {1}, 1, 1);
                      throw full;
                    }))
        .isSameAs(full);
    assertThat(temporary).isEmptyDirectory();
  }

  /** In another order the one is not lost in rounding. */
  @Test
  void theSumsOfAKeyAreAddedInTheOrderOfTheRuns() throws IOException {
    List<Double> sums = new ArrayList<>();
    SortedRun.merge(runs(1e16, 1, -1e16), (key, length, sum) -> sums.add(sum));
    assertThat(sums).containsExactly(0.0);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void mergingLeavesNoFileOpenEvenWhenItFails() throws IOException {
    List<SortedRun> runs = runs(1, 2, 3);
    SortedRun.merge(runs, (key, length, sum) -> assertThat(OpenFiles.in(temporary)).hasSize(3));
    assertThat(OpenFiles.in(temporary)).isEmpty();

    IOException full = new IOException("no space left");
    SpillingSums.Receiver failing =
        (key, length, sum) -> {
          throw full;
        };
    assertThatThrownBy(() -> SortedRun.merge(runs, failing)).isSameAs(full);
    assertThat(OpenFiles.in(temporary)).isEmpty();
  }

  /** Runs that hold the same key alone, with these sums. */
  private List<SortedRun> runs(double... sums) throws IOException {
    List<SortedRun> runs = new ArrayList<>();
    for (double sum : sums) {
      Path file = temporary.resolve("run" + runs.size());
      runs.add(SortedRun.write(file, to -> to.accept(new byte[] {7}, 1, sum)));
    }
    return runs;
  }
}
