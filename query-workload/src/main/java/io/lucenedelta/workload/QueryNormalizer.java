// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.util.List;

/**
 * Turns the text of a query into terms, the way the text of pages becomes terms in the index.
 *
 * <p>Implementations may be used by one thread at a time only, unless they say otherwise.
 */
@FunctionalInterface
public interface QueryNormalizer {
  /**
   * Returns the terms of {@code text} in the order of the text, repeated terms repeated; empty when
   * nothing of the text is a term, never null.
   */
  List<String> terms(String text);
}
