// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import java.util.Arrays;

/**
 * F(P): the set of content fragments of one version of a page (2008, section 2.1.1): one hash for
 * each run of k words (shingle).
 *
 * <p>A text shorter than k words is one fragment; an empty text has none. Hashes are 64 bits of a
 * fixed function of the words' hashes, so two machines agree; equal hashes count as equal
 * fragments. Immutable.
 */
public final class Fragments {
  /** Words a fragment where nothing else is said. */
  public static final int DEFAULT_WORDS = 5;

  private final long[] hashes; // ascending, distinct

  private Fragments(long[] hashes) {
    this.hashes = hashes;
  }

  /**
   * The fragments of a text.
   *
   * @param words a hash of each word in text order; the first {@code length} elements count
   * @param k words a fragment, at least 1
   * @throws IllegalArgumentException if k is less
   */
  public static Fragments of(int[] words, int length, int k) {
    if (k < 1) {
      throw new IllegalArgumentException("k must be at least 1, was " + k);
    }
    if (length == 0) {
      return new Fragments(new long[0]);
    }
    long[] hashes = new long[Math.max(1, length - k + 1)];
    for (int i = 0; i < hashes.length; i++) {
      long hash = 0;
      for (int j = i; j < Math.min(length, i + k); j++) {
        hash = mix(hash + words[j]);
      }
      hashes[i] = hash;
    }
    Arrays.sort(hashes);
    int distinct = 0;
    for (int i = 0; i < hashes.length; i++) {
      if (i == 0 || hashes[i] != hashes[i - 1]) {
        hashes[distinct++] = hashes[i];
      }
    }
    return new Fragments(Arrays.copyOf(hashes, distinct));
  }

  /** The fragments of hashes that are distinct and ascending. */
  static Fragments ofHashes(long[] hashes) {
    return new Fragments(hashes);
  }

  /** Number of distinct fragments. */
  public int size() {
    return hashes.length;
  }

  /** The i-th smallest hash, {@code 0 <= i < size()}. */
  public long hash(int i) {
    return hashes[i];
  }

  /** Whether a fragment occurs. */
  public boolean contains(long hash) {
    return Arrays.binarySearch(hashes, hash) >= 0;
  }

  /**
   * Fragment staleness, D(P, P′) = 1 − |F(P) ∩ F(P′)| / |F(P) ∪ F(P′)| (equation 3); 0 when both
   * are empty.
   */
  public double divergence(Fragments other) {
    int shared = 0;
    int i = 0;
    int j = 0;
    while (i < hashes.length && j < other.hashes.length) {
      if (hashes[i] == other.hashes[j]) {
        shared++;
        i++;
        j++;
      } else if (hashes[i] < other.hashes[j]) {
        i++;
      } else {
        j++;
      }
    }
    int union = hashes.length + other.hashes.length - shared;
    return union == 0 ? 0 : 1 - (double) shared / union;
  }

  /** The summary that keeps the {@code m} smallest hashes. */
  public MinHashes smallest(int m) {
    return MinHashes.of(hashes, m);
  }

  /** Stirs all bits; Stafford's thirteenth variant of the 64-bit finalizer of MurmurHash3. */
  private static long mix(long h) {
    h = (h ^ (h >>> 30)) * 0xBF58476D1CE4E5B9L;
    h = (h ^ (h >>> 27)) * 0x94D049BB133111EBL;
    return (h ^ (h >>> 31)) + 0x9E3779B97F4A7C15L;
  }
}
