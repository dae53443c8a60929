// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * There is no index in a folder, or nothing of it was measured; the message says which. It is the
 * reason, too, which a file has none that the system misses: so the two can be told apart. What
 * went away while it was opened is a {@link GoneMeanwhile}.
 */
final class NoMeasuredIndex extends NoSuchFileException {
  private static final long serialVersionUID = 1L;

  NoMeasuredIndex(Path folder, String sentence) {
    super(folder.toString(), null, sentence);
  }

  @Override
  public String getMessage() {
    return getReason();
  }

  @Override
  public String toString() {
    return NoSuchFileException.class.getName() + ": " + getMessage();
  }
}
