// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Objects;

/**
 * An indexed field whose terms count when users search, and how much.
 *
 * @param name the field's name in the index
 * @param boost factor of the field's scores, positive and finite
 */
public record ScoredField(String name, float boost) {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if the name is empty or the boost not positive and finite
   */
  public ScoredField {
    Objects.requireNonNull(name, "a scored field needs a name, was null");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a scored field needs a name, was empty");
    }
    if (!(boost > 0 && boost <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "boost of scored field " + name + " must be positive and finite, was " + boost);
    }
  }
}
