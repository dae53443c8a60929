// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;

/** Another writer holds the measurements of an index. */
public final class StateLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  StateLockedException(String message) {
    super(message);
  }
}
