// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.util.Arrays;

/**
 * Takes sums by (key, session) in order, the session being the last eight bytes, and passes on sums
 * by key with the number of distinct sessions.
 */
final class SessionGroups implements SpillingSums.Receiver {
  /** Takes a key with its sum and the number of its sessions. */
  @FunctionalInterface
  interface Receiver {
    /** The array is only lent for the duration of the call. */
    void accept(byte[] key, int length, double sum, int sessions) throws IOException;
  }

  private final Receiver receiver;
  private byte[] group = {};
  private double sum;
  private int sessions;

  SessionGroups(Receiver receiver) {
    this.receiver = receiver;
  }

  @Override
  public void accept(byte[] key, int length, double value) throws IOException {
    int keyLength = length - Long.BYTES;
    if (sessions > 0 && Arrays.equals(group, 0, group.length, key, 0, keyLength)) {
      sum += value;
      sessions++;
    } else {
      finish();
      group = Arrays.copyOf(key, keyLength);
      sum = value;
      sessions = 1;
    }
  }

  /** Passes on the last group. */
  void finish() throws IOException {
    if (sessions > 0) {
      receiver.accept(group, group.length, sum, sessions);
    }
    sessions = 0;
  }
}
