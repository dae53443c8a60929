// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;

/** A file of the measurements cannot be written, which says nothing of those that are there. */
final class UnwrittenFile extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;

  UnwrittenFile(String path, String whatToDoAndWhy, IOException cause) {
    super(whatToDoAndWhy, cause);
    this.path = path;
  }

  @Override
  public String getMessage() {
    return path + " cannot be written; " + super.getMessage();
  }

  @Override
  public String toString() {
    return IOException.class.getName() + ": " + getMessage();
  }
}
