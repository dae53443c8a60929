// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** What to say of a failure behind what could not be done. */
public final class Reason {
  private Reason() {}

  /**
   * The failure's own message, and its kind where it has none. Where a file is missing, or there is
   * no permission for it, the JDK's message is the path alone.
   */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    if (failure instanceof NoSuchFileException missing && missing.getReason() == null) {
      return "no file " + message;
    }
    if (failure instanceof AccessDeniedException) {
      return "no permission for " + message;
    }
    return message == null ? failure.toString() : message;
  }
}
