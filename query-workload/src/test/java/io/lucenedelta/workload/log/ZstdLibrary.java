// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What reads and writes zstd: machine code, which is put where temporary files are to be run. */
final class ZstdLibrary {
  private ZstdLibrary() {}

  /** Skips a test where nothing can be run there, as where that is mounted noexec. */
  static void assumeItCanRun() throws IOException {
    Path library = Files.createTempFile("library", ".so");
    try {
      assumeThat(library.toFile().setExecutable(true) && Files.isExecutable(library))
          .as("what is put into java.io.tmpdir, such as the library of zstd, can be run")
          .isTrue();
    } finally {
      Files.delete(library);
    }
  }
}
