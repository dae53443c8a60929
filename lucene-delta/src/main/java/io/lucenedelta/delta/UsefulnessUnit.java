// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.WordFactor;
import java.io.IOException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * What usefulness and the evidence of words are counted in: query frequency × score. Says whether
 * what was learned then can be used with what is found now. A workload that is merged with each
 * day's log is another one every day, but its frequencies add up to about the same.
 *
 * @param scores a number for what decides what a score is and what it is worth, whatever the
 *     queries; the same in every process
 * @param volume the sum of the frequencies of all queries; 0 where it is not known
 */
record UsefulnessUnit(long scores, double volume) {
  static final UsefulnessUnit UNKNOWN = new UsefulnessUnit(0, 0);

  /** How many times as much still compares: half of what a class of {@link WordFactor} spans. */
  private static final double ALIKE = 2;

  static UsefulnessUnit of(MeasuredSetup setup, double volume) {
    String scores =
        String.join("\n", setup.scoredFields().toString(), setup.similarity(), setup.estimator());
    return new UsefulnessUnit(NumberByKey.hash(scores, 0), volume);
  }

  boolean isKnown() {
    return volume > 0;
  }

  boolean comparesWith(UsefulnessUnit other) {
    return scores == other.scores
        && volume <= ALIKE * other.volume
        && other.volume <= ALIKE * volume;
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(scores);
    out.writeLong(Double.doubleToRawLongBits(volume));
  }

  static UsefulnessUnit read(DataInput in) throws IOException {
    long scores = in.readLong();
    return new UsefulnessUnit(scores, Double.longBitsToDouble(in.readLong()));
  }
}
