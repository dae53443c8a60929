// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import java.util.Arrays;

/**
 * A summary of a page version of fixed size: its m fragments of smallest hash (2008, section 5.2,
 * after Broder and others 1997).
 *
 * <p>The m smallest hashes of the union of two versions are a random sample of the union; the share
 * of them that both versions hold estimates their resemblance without bias. The standard error is
 * about sqrt(D(1 − D)/m): at most 0.18 for m = 8. Exact when both versions have at most m fragments
 * together. 8 bytes a hash. Immutable.
 */
public final class MinHashes {
  private final long[] hashes; // ascending, distinct
  private final int m;

  private MinHashes(long[] hashes, int m) {
    this.hashes = hashes;
    this.m = m;
  }

  /** Keeps the first {@code m} of hashes that are distinct and ascending. */
  static MinHashes of(long[] ascending, int m) {
    if (m < 1) {
      throw new IllegalArgumentException("m must be at least 1, was " + m);
    }
    return new MinHashes(Arrays.copyOf(ascending, Math.min(m, ascending.length)), m);
  }

  /**
   * Estimates the fragment staleness between the summarised versions; 0 when both are empty.
   *
   * @throws IllegalArgumentException if the summaries were made with different m
   */
  public double divergence(MinHashes other) {
    if (m != other.m) {
      throw new IllegalArgumentException(
          "summaries of %d and %d hashes cannot be compared; summarise both with the same m"
              .formatted(m, other.m));
    }
    int sampled = 0;
    int shared = 0;
    int i = 0;
    int j = 0;
    while (sampled < m && (i < hashes.length || j < other.hashes.length)) {
      boolean left =
          j >= other.hashes.length || (i < hashes.length && hashes[i] <= other.hashes[j]);
      boolean right =
          i >= hashes.length || (j < other.hashes.length && other.hashes[j] <= hashes[i]);
      shared += left && right ? 1 : 0;
      i += left ? 1 : 0;
      j += right ? 1 : 0;
      sampled++;
    }
    return sampled == 0 ? 0 : 1 - (double) shared / sampled;
  }
}
