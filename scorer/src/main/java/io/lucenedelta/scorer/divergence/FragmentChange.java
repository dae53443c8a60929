// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What leads from the fragments of one version of a page to those of another: a bit for each
 * fragment of the one, 8 bytes for each that only the other has. Two versions mostly share nearly
 * all, so that a page's history is kept in a fraction of what its versions take. Immutable.
 */
public final class FragmentChange {
  private final long[] shared; // bits by number of a fragment of the one version
  private final long[] added; // ascending

  private FragmentChange(long[] shared, long[] added) {
    this.shared = shared;
    this.added = added;
  }

  /** The change from the fragments of one version to those of another. */
  public static FragmentChange between(Fragments from, Fragments to) {
    BitSet shared = new BitSet(from.size());
    long[] added = new long[to.size()];
    int n = 0;
    int i = 0;
    for (int j = 0; j < to.size(); j++) {
      while (i < from.size() && from.hash(i) < to.hash(j)) {
        i++;
      }
      if (i < from.size() && from.hash(i) == to.hash(j)) {
        shared.set(i++);
      } else {
        added[n++] = to.hash(j);
      }
    }
    return new FragmentChange(shared.toLongArray(), Arrays.copyOf(added, n));
  }

  /** The other version's fragments, given those of the one. */
  public Fragments from(Fragments one) {
    BitSet kept = BitSet.valueOf(shared);
    long[] hashes = new long[kept.cardinality() + added.length];
    int n = 0;
    int j = 0;
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      while (j < added.length && added[j] < one.hash(i)) {
        hashes[n++] = added[j++];
      }
      hashes[n++] = one.hash(i);
    }
    System.arraycopy(added, j, hashes, n, added.length - j);
    return Fragments.ofHashes(hashes);
  }
}
