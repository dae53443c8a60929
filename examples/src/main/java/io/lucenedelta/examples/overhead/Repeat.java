// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.function.ToDoubleFunction;

/**
 * What indexing a batch once more took each of the writers that are compared.
 *
 * @param plain the first plain writer
 * @param again the second plain writer
 * @param delta the measuring writer
 */
record Repeat(Lap plain, Lap again, Lap delta) {
  double ofDelta(ToDoubleFunction<Lap> value) {
    return value.applyAsDouble(delta);
  }

  /** The mean of the two plain writers. */
  double ofPlain(ToDoubleFunction<Lap> value) {
    return (value.applyAsDouble(plain) + value.applyAsDouble(again)) / 2;
  }

  /** Measuring ÷ plain. */
  double ratio(ToDoubleFunction<Lap> value) {
    return ofDelta(value) / ofPlain(value);
  }

  /** Plain ÷ plain: what a ratio may be where nothing differs. */
  double noise(ToDoubleFunction<Lap> value) {
    return value.applyAsDouble(again) / value.applyAsDouble(plain);
  }
}
