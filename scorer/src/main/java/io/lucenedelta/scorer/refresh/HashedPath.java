// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import io.lucenedelta.workload.KeyedHash;
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

  private HashedPath(char[] found, int depth) {
    numbers = Arrays.copyOf(found, depth);
  }

  /** The numbers by a seed of a key in UTF-8: what a directory adds to the one above is hashed. */
  static HashedPath of(byte[] page, int offset, int length, long seed) {
    char[] numbers = new char[LONGEST];
    int start = afterScheme(page, offset, length);
    long factor = KeyedHash.factor(seed);
    long hash = KeyedHash.number(seed, 2) ^ seed(start);
    int depth = 0;
    for (int from = start; depth < LONGEST; ) {
      int end = from;
      while (end < length && !endsDirectory((char) page[offset + end], start, depth)) {
        end++;
      }
      boolean closed = end < length && page[offset + end] == '/';
      boolean bare = depth == 0 && start > 0 && start < length;
      if (!closed && !bare) {
        break;
      }
      hash = KeyedHash.mixed(hash, page, offset + from, end - from, factor);
      numbers[depth++] = (char) (hash >>> 48);
      if (!closed) {
        break;
      }
      from = end + 1;
    }
    return new HashedPath(numbers, depth);
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

  private static boolean endsDirectory(char c, int start, int depth) {
    return c == '/' || endsHost(c, start, depth);
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
