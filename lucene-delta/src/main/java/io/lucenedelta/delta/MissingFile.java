// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.NoSuchFileException;

/** A file of the measurements is gone; the message says what it was and what to do. */
final class MissingFile extends NoSuchFileException {
  private static final long serialVersionUID = 1L;

  MissingFile(String path, String whatAndWhatToDo, IOException cause) {
    super(path, null, whatAndWhatToDo);
    initCause(cause);
  }

  @Override
  public String getMessage() {
    return getFile() + " is missing, " + getReason();
  }

  @Override
  public String toString() {
    return NoSuchFileException.class.getName() + ": " + getMessage();
  }
}
