// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.Arrays;

/** Directories found in a key. Immutable. */
final class HashedPath implements DirectoryPath {
  private final char[] numbers;

  private HashedPath(char[] numbers) {
    this.numbers = numbers;
  }

  static HashedPath of(String page) {
    char[] numbers = new char[LONGEST];
    int start = PageFacts.afterScheme(page);
    long hash = seed(start);
    int depth = 0;
    for (int i = start; i < page.length() && depth < LONGEST; i++) {
      char c = page.charAt(i);
      if (c == '/') {
        numbers[depth++] = number(hash);
      }
      hash = hash * 31 + c;
    }
    return new HashedPath(Arrays.copyOf(numbers, depth));
  }

  /** The same of a key of ASCII characters, without making a string of it. */
  static HashedPath ofAscii(byte[] page, int offset, int length) {
    char[] numbers = new char[LONGEST];
    int start = afterScheme(page, offset, length);
    long hash = seed(start);
    int depth = 0;
    for (int i = start; i < length && depth < LONGEST; i++) {
      byte c = page[offset + i];
      if (c == '/') {
        numbers[depth++] = number(hash);
      }
      hash = hash * 31 + c;
    }
    return new HashedPath(Arrays.copyOf(numbers, depth));
  }

  private static int afterScheme(byte[] page, int offset, int length) {
    int slash = 0;
    while (slash < length && page[offset + slash] != '/') {
      slash++;
    }
    return slash > 0
            && slash + 1 < length
            && page[offset + slash - 1] == ':'
            && page[offset + slash + 1] == '/'
        ? slash + 2
        : 0;
  }

  /** Hosts are the same whatever the scheme; keys of which none has a host are no hosts. */
  private static long seed(int start) {
    return start == 0 ? 0 : "https://".length();
  }

  private static char number(long hash) {
    return (char) ((hash * 0x9E3779B97F4A7C15L) >>> 48);
  }

  @Override
  public int depth() {
    return numbers.length;
  }

  @Override
  public int number(int level) {
    return numbers[level];
  }
}
