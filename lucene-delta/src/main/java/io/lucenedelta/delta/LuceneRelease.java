// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.util.Version;

/** Checks that Lucene has what measuring calls, before it fails obscurely in every batch. */
final class LuceneRelease {
  /** The first that hands postings over in blocks with their frequencies. */
  private static final Version OLDEST = Version.fromBits(10, 3, 0);

  private LuceneRelease() {}

  /**
   * Checks a release.
   *
   * @throws IllegalStateException if it is too old
   */
  static void require(Version release) {
    if (!release.onOrAfter(OLDEST)) {
      throw new IllegalStateException(
          "measuring needs Lucene %s or newer, this is %s; ask the build for a newer lucene-core"
              .formatted(OLDEST, release));
    }
  }
}
