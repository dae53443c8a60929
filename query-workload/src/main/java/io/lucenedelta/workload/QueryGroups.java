// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Takes the keys of {@link WorkloadAssembly} in order and passes on each query once: its sum, the
 * number of its sessions, and the order in which its terms were asked most often, the smallest of
 * several.
 */
final class QueryGroups implements SpillingSums.Receiver {
  /** Takes a query. */
  @FunctionalInterface
  interface Receiver {
    /** The array, of which the first {@code length} bytes are the terms, is only lent. */
    void accept(byte[] terms, int length, byte[] order, double sum, int sessions)
        throws IOException;
  }

  private final int sessionBytes;
  private final Receiver receiver;
  private final SortedMap<byte[], Double> orders = new TreeMap<>(Arrays::compareUnsigned);
  private byte[] last = {};
  private int lastTerms;
  private double sum;
  private int sessions;

  /**
   * @param withSessions whether eight bytes of a session follow the terms
   */
  QueryGroups(boolean withSessions, Receiver receiver) {
    this.sessionBytes = withSessions ? Long.BYTES : 0;
    this.receiver = receiver;
  }

  @Override
  public void accept(byte[] key, int length, double value) throws IOException {
    int terms = WorkloadAssembly.endOfTerms(key);
    int identified = terms + sessionBytes;
    if (sessions > 0 && Arrays.equals(last, 0, lastTerms, key, 0, terms)) {
      boolean same = Arrays.equals(last, lastTerms, last.length, key, terms, identified);
      sessions += same ? 0 : 1;
    } else {
      finish();
      sessions = 1;
    }
    if (!Arrays.equals(last, 0, last.length, key, 0, identified)) {
      last = Arrays.copyOf(key, identified);
      lastTerms = terms;
    }
    sum += value;
    byte[] order =
        identified == length ? AskedTerms.OWN_ORDER : Arrays.copyOfRange(key, identified, length);
    orders.merge(order, value, Double::sum);
  }

  /** Passes on the last query. */
  void finish() throws IOException {
    if (sessions > 0) {
      receiver.accept(last, lastTerms, mostAsked(orders), sum, sessions);
    }
    orders.clear();
    sum = 0;
    sessions = 0;
  }

  /** The order with the largest sum, the first of several. */
  static byte[] mostAsked(SortedMap<byte[], Double> orders) {
    byte[] most = orders.firstKey();
    double largest = 0;
    for (Map.Entry<byte[], Double> order : orders.entrySet()) {
      if (order.getValue() > largest) {
        largest = order.getValue();
        most = order.getKey();
      }
    }
    return most;
  }
}
