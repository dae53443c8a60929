// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

/** A verb cannot do its work; the message says why and what to do, in one sentence. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandFailure(String message) {
    super(message);
  }

  CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
