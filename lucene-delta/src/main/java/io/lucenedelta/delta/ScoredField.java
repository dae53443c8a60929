// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Objects;

/**
 * An indexed field whose terms count when users search, and how much.
 *
 * @param name the field's name in the index
 * @param boost factor of the field's scores, positive and at most 1e15
 */
public record ScoredField(String name, float boost) {
  /**
   * Checks the arguments.
   *
   * @throws NullPointerException if the name is null
   * @throws IllegalArgumentException if the name is empty or the boost not positive or above 1e15
   */
  public ScoredField {
    Objects.requireNonNull(name, "a scored field needs a name, was null");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a scored field needs a name, was empty");
    }
    if (!(boost > 0 && boost <= DeltaConfig.MOST)) {
      throw new IllegalArgumentException(
          "boost of scored field %s must be positive and at most %s, was %s"
              .formatted(name, DeltaConfig.MOST, boost));
    }
  }
}
