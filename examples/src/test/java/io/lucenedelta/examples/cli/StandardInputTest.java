// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Standard input is a file, a pipe or nothing; which of these only another process can show. */
@EnabledOnOs(OS.LINUX)
@ResourceLock(value = FreshScripts.RUN, mode = ResourceAccessMode.READ)
class StandardInputTest {
  private static final String LOG = "garden pond\t3\nkoi\t2\n";

  @TempDir Path directory;

  @Test
  void aLogThatIsRedirectedIsNotWrittenOver() throws Exception {
    Path log = Files.writeString(directory.resolve("q.log"), LOG);
    Process jvm = workload(log).redirectInput(log.toFile()).start();
    assertThat(jvm.waitFor()).isEqualTo(1);
    assertThat(directory.resolve("err.txt"))
        .content()
        .contains("--out " + log + " would be written over /dev/stdin, which is read");
    assertThat(log).hasContent(LOG);
  }

  @Test
  void aLogThatIsRedirectedIsReadIntoAnotherFile() throws Exception {
    Path log = Files.writeString(directory.resolve("q.log"), LOG);
    Path out = directory.resolve("q.workload");
    assertThat(workload(out).redirectInput(log.toFile()).start().waitFor()).isZero();
    assertThat(Workload.open(out).totalFrequency()).isEqualTo(5);
  }

  @Test
  void aPipeIsReadThoughItHasNoPath() throws Exception {
    Path out = directory.resolve("q.workload");
    Files.writeString(out, "replaced");
    Process jvm = workload(out).start();
    try (OutputStream in = jvm.getOutputStream()) {
      in.write(LOG.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(jvm.waitFor()).isZero();
    assertThat(Workload.open(out).totalFrequency()).isEqualTo(5);
  }

  private ProcessBuilder workload(Path out) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "workload",
            "--query-log",
            "-",
            "--out",
            out.toString())
        .redirectOutput(directory.resolve("out.txt").toFile())
        .redirectError(directory.resolve("err.txt").toFile());
  }
}
