// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** The file of what orders the pages, as it lies in a state folder. */
final class OrderColumns {
  private OrderColumns() {}

  static Path in(Path state) throws IOException {
    try (Stream<Path> files = Files.list(state)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(OrderFile.COLUMNS))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Cuts it off under a writer that has it mapped: columns that can follow no write. */
  static void cut(Path state) throws IOException {
    FileChannel.open(in(state), StandardOpenOption.WRITE).truncate(0).close();
  }
}
