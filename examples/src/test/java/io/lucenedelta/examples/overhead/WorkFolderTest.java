// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.examples.cli.FreshScripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = FreshScripts.RUN, mode = ResourceAccessMode.READ)
class WorkFolderTest {
  @TempDir Path directory;

  /** A probe that works until it is killed. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] arguments) throws IOException {
      WorkFolder.make(Path.of(arguments[0]));
      System.out.println("made");
      System.out.flush();
      System.in.read();
    }
  }

  @Test
  @Timeout(value = 2, unit = MINUTES)
  void whatAProcessWorksInIsLeftAloneUntilItHasEnded() throws Exception {
    Path work = directory.resolve("work");
    Process probe =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Probe.class.getName(),
                work.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(probe.inputReader().readLine()).isEqualTo("made");
      Path segment = Files.createFile(work.resolve("_0.cfs"));
      assertThat(WorkFolder.isInUse(work)).isTrue();
      assertThatThrownBy(() -> WorkFolder.make(work))
          .isInstanceOf(IOException.class)
          .hasMessage(
              work + " is in use by another run: wait until that has ended, or work elsewhere");
      assertThat(segment).exists();

      probe.destroyForcibly().waitFor();
      assertThat(WorkFolder.isInUse(work)).isFalse();
      assertThat(WorkFolder.isFree(work)).isTrue();
      WorkFolder.make(work);
      assertThat(segment).doesNotExist();
    } finally {
      probe.destroyForcibly();
    }
    WorkFolder.remove(work);
    assertThat(work).doesNotExist();
  }

  @Test
  void aFolderIsInUseFromItsMakingToItsRemoval() throws IOException {
    Path work = directory.resolve("work");
    for (int run = 0; run < 2; run++) {
      assertThat(WorkFolder.isInUse(work)).isFalse();
      WorkFolder.make(work);
      for (Path name : List.of(work, work.resolve("../work"))) {
        assertThat(WorkFolder.isInUse(name)).isTrue();
        assertThatThrownBy(() -> WorkFolder.make(name)).hasMessageContaining("is in use by");
      }
      WorkFolder.remove(work);
    }
    assertThat(WorkFolder.isInUse(work)).isFalse();
    assertThat(work).doesNotExist();
  }

  /** To another disk, say. */
  @Test
  void aLinkStaysAndTheFolderThatItLeadsToIsFilledAndEmptied() throws IOException {
    Path room = Files.createDirectory(directory.resolve("room"));
    Path work = Files.createSymbolicLink(directory.resolve("work"), room);
    for (int run = 0; run < 2; run++) {
      WorkFolder.make(work);
      Files.createFile(work.resolve("_0.cfs"));
      assertThat(work).isSymbolicLink();
      assertThat(room).isNotEmptyDirectory();
      WorkFolder.remove(work);
      assertThat(work).isSymbolicLink();
      assertThat(room).isEmptyDirectory();
    }
  }
}
