// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.nio.charset.StandardCharsets;

/**
 * The directories a page lies in, as numbers: the prefixes of its key that end before a slash, the
 * host first, which no slash need follow ({@code https://a.test?x=1}). Numbers are hashes: two
 * directories may share one.
 *
 * <p>Whoever keeps many pages may keep these numbers, so that learning about sites and directories
 * need not look at keys. By one seed they are the same in every process; who stores them must store
 * the seed, too, and give what is stored another version when the numbers change. Whoever knows the
 * seed can choose a host that shares the number of another, whose pages it is then taken for: where
 * strangers choose keys the seed must be one that they cannot know. By the seed 0, as without one,
 * numbers are the same for all, for what has to repeat.
 */
public interface DirectoryPath {
  /** Number of leading directories that count. */
  int LONGEST = 8;

  /** Number of different numbers. */
  int NUMBERS = 1 << 16;

  /** How many directories, 0 to {@value #LONGEST}. */
  int depth();

  /** The number of one of them, 0 to {@value #NUMBERS} − 1; level 0 is the host. */
  int number(int level);

  /** The directories of a page's key. */
  static DirectoryPath of(String page) {
    return of(page, 0);
  }

  /** The same by a seed. */
  static DirectoryPath of(String page, long seed) {
    if (seed == 0) {
      return HashedPath.of(page);
    }
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    return HashedPath.of(bytes, 0, bytes.length, seed);
  }

  /** The same of a key in UTF-8. */
  static DirectoryPath of(byte[] page, int offset, int length, long seed) {
    if (seed != 0) {
      return HashedPath.of(page, offset, length, seed);
    }
    for (int i = offset; i < offset + length; i++) {
      if (page[i] < 0) {
        return HashedPath.of(new String(page, offset, length, StandardCharsets.UTF_8));
      }
    }
    return HashedPath.ofAscii(page, offset, length);
  }
}
