// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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
}
