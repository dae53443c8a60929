// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;

/**
 * Standard output that remembers whether something could not be written: the writers above it tell
 * nobody. A reader who has seen enough, as {@code head} has, is no failure.
 */
final class StandardOutput extends FilterOutputStream {
  private IOException failure;

  StandardOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /** What could not be written, for people; to be asked when all is. */
  Optional<String> complaint() {
    return failure == null || isReaderGone(failure)
        ? Optional.empty()
        : Optional.of("standard output could not be written: " + Failures.sentence(failure));
  }

  private static boolean isReaderGone(IOException e) {
    return e.getMessage() != null
        && e.getMessage().toLowerCase(Locale.ROOT).contains("broken pipe");
  }
}
