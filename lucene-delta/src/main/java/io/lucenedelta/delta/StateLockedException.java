// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.store.LockObtainFailedException;

/**
 * Another writer holds the measurements of an index. Code that waits for Lucene's lock of an index
 * and tries again need not be changed for this.
 */
public final class StateLockedException extends LockObtainFailedException {
  private static final long serialVersionUID = 1L;

  StateLockedException(String message) {
    super(message);
  }
}
