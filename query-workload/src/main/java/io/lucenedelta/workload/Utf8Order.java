// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.util.Comparator;

/**
 * The order of strings by their UTF-8 bytes, which is Lucene's order of terms. It differs from the
 * order of {@code String} for characters beyond U+FFFF only: their surrogates lie below U+E000.
 */
final class Utf8Order {
  static final Comparator<String> STRINGS = Utf8Order::compare;

  private Utf8Order() {}

  private static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return Integer.compare(weight(x), weight(y));
      }
    }
    return a.length() - b.length();
  }

  /** Lifts surrogates above the rest of the characters. */
  private static int weight(char c) {
    return Character.isSurrogate(c) ? c + Character.MAX_VALUE : c;
  }
}
