// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.file.FileSystemException;

/**
 * A folder was moved, or a file deleted, while an index and its measurements were opened; the
 * message says what to do. It is no {@link java.nio.file.NoSuchFileException}: to who opens them
 * that means that there is nothing yet, and who indexed anew would be in the way.
 */
final class GoneMeanwhile extends FileSystemException {
  private static final long serialVersionUID = 1L;

  GoneMeanwhile(String path, String howAndWhatToDo) {
    super(path, null, howAndWhatToDo);
  }

  @Override
  public String getMessage() {
    return getFile() + " " + getReason();
  }

  @Override
  public String toString() {
    return FileSystemException.class.getName() + ": " + getMessage();
  }
}
