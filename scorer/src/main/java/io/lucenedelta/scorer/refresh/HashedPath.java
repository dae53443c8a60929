// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.Arrays;

/** Directories found in a key. Immutable. */
final class HashedPath implements DirectoryPath {
  private final char[] numbers;

  /**
   * The directories found.
   *
   * @param hash of what was read
   * @param hosted whether a host was: that is a directory also where no slash follows it
   */
  private HashedPath(char[] found, int depth, long hash, boolean hosted) {
    boolean bare = depth == 0 && hosted;
    numbers = Arrays.copyOf(found, bare ? 1 : depth);
    if (bare) {
      numbers[0] = number(hash);
    }
  }

  static HashedPath of(String page) {
    char[] numbers = new char[LONGEST];
    int start = PageFacts.afterScheme(page);
    long hash = seed(start);
    int depth = 0;
    for (int i = start; i < page.length() && depth < LONGEST; i++) {
      char c = page.charAt(i);
      if (endsHost(c, start, depth)) {
        break;
      }
      if (c == '/') {
        numbers[depth++] = number(hash);
      }
      hash = hash * 31 + c;
    }
    return new HashedPath(numbers, depth, hash, start > 0 && start < page.length());
  }

  /** The same of a key of ASCII characters, without making a string of it. */
  static HashedPath ofAscii(byte[] page, int offset, int length) {
    char[] numbers = new char[LONGEST];
    int start = afterScheme(page, offset, length);
    long hash = seed(start);
    int depth = 0;
    for (int i = start; i < length && depth < LONGEST; i++) {
      byte c = page[offset + i];
      if (endsHost((char) c, start, depth)) {
        break;
      }
      if (c == '/') {
        numbers[depth++] = number(hash);
      }
      hash = hash * 31 + c;
    }
    return new HashedPath(numbers, depth, hash, start > 0 && start < length);
  }

  /** Whether a host ends here that no slash follows, as in {@code https://a.test?x=1}. */
  private static boolean endsHost(char c, int start, int depth) {
    return depth == 0 && start > 0 && (c == '?' || c == '#');
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
