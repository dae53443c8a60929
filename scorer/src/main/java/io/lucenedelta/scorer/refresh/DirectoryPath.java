// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.nio.charset.StandardCharsets;

/**
 * The directories a page lies in, as numbers: the prefixes of its key that end before a slash, the
 * host first, which no slash need follow ({@code https://a.test?x=1}). Numbers are hashes: two
 * directories may share one.
 *
 * <p>Whoever keeps many pages may keep these numbers, so that learning about sites and directories
 * need not look at keys. They are the same in every process; who stores them must give what is
 * stored another version when they change.
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
    return HashedPath.of(page);
  }

  /** The same of a key in UTF-8. */
  static DirectoryPath of(byte[] page, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (page[i] < 0) {
        return HashedPath.of(new String(page, offset, length, StandardCharsets.UTF_8));
      }
    }
    return HashedPath.ofAscii(page, offset, length);
  }
}
