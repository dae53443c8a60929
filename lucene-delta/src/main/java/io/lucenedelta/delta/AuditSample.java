// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.lucene.util.BytesRef;

/**
 * A random sample of a batch's measured refreshes, every one as likely as the other, whatever their
 * number; for one thread. Copies of a page count one by one, since which of them is live is known
 * after the commit only.
 */
final class AuditSample {
  /** A refresh to be measured exactly. */
  record Drawn(BytesRef key, VectorBuffer before, VectorBuffer after, double estimate) {}

  private final int most;
  private final SplittableRandom random;
  private final List<Drawn> sample = new ArrayList<>();
  private long offered;

  AuditSample(int most, long seed) {
    this.most = most;
    this.random = new SplittableRandom(seed);
  }

  /** Offers a measured refresh that changed the page; copies it if it is taken. */
  void offer(BytesRef key, VectorBuffer before, VectorBuffer after, double estimate) {
    long place = random.nextLong(++offered);
    if (place >= most) {
      return;
    }
    Drawn drawn = new Drawn(BytesRef.deepCopyOf(key), copy(before), copy(after), estimate);
    if (sample.size() < most) {
      sample.add(drawn);
      Collections.swap(sample, (int) place, sample.size() - 1);
    } else {
      sample.set((int) place, drawn);
    }
  }

  private static VectorBuffer copy(VectorBuffer vector) {
    VectorBuffer copy = new VectorBuffer();
    copy.copyFrom(vector);
    return copy;
  }

  /** The sample, in random order. */
  List<Drawn> refreshes() {
    return sample;
  }
}
