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
    int scheme = page.indexOf("://");
    int start = scheme < 0 ? 0 : scheme + 3;
    long hash = start;
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
    long hash = start;
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
    for (int i = 0; i + 2 < length; i++) {
      if (page[offset + i] == ':' && page[offset + i + 1] == '/' && page[offset + i + 2] == '/') {
        return i + 3;
      }
    }
    return 0;
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
