// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * A static importance of pages, such as 1 + number of in-links, and how it enters scores.
 *
 * <p>Static means: the same for a page whenever it is asked. When importance is computed anew, call
 * {@link DeltaIndexWriter#rebuild}.
 *
 * @param ofPage importance by page key, positive, as a {@link Role#SUMMAND} also 0, and at most
 *     1e15. It must have a default for pages that it does not know: if it gives anything else for
 *     one page, or throws, no refresh of that page's batch is measured, and while the index has the
 *     page no rank functions can be built. Called by one thread at a time, whichever commits, calls
 *     {@link DeltaIndexWriter#rebuild}, is the first to ask for pages, or opens a writer on
 *     anything but the latest commit, while it holds the writer's locks: it must ask the writer
 *     nothing, nor wait for a thread that uses it
 * @param role how it enters the score of a page that matches a query
 */
public record Importance(ToDoubleFunction<String> ofPage, Role role) {
  /** How importance and the similarity's score make one score. */
  public enum Role {
    /** Importance alone, for every query that the page matches. */
    ALONE,
    /** The product of both. */
    FACTOR,
    /** The sum of both. */
    SUMMAND
  }

  /** Checks the arguments. */
  public Importance {
    Objects.requireNonNull(ofPage, "importance needs a function of the page, was null");
    Objects.requireNonNull(role, "importance needs a role, such as Role.FACTOR, was null");
  }

  /** Whether the similarity's scores matter at all. */
  boolean usesSimilarity() {
    return role != Role.ALONE;
  }

  /** The importance of a page. */
  double of(String page) {
    double value = asked(page);
    boolean addsNothing = value == 0 && role == Role.SUMMAND; // elsewhere it would be no result
    if (!(addsNothing || (value > 0 && value <= DeltaConfig.MOST))) {
      throw new IllegalArgumentException(
          "importance must be %s and at most %s, was %s for page %s; scale all of them"
              .formatted(
                  role == Role.SUMMAND ? "0 or more" : "positive", DeltaConfig.MOST, value, page));
    }
    return value;
  }

  /** What the function throws need not name the page. */
  private double asked(String page) {
    try {
      return ofPage.applyAsDouble(page);
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "importance of page %s cannot be had: %s; give a default for pages that are not known"
              .formatted(page, e),
          e);
    }
  }

  /** The score of a matching page. */
  double score(double similarityScore, double importance) {
    return switch (role) {
      case ALONE -> importance;
      case FACTOR -> similarityScore * importance;
      case SUMMAND -> similarityScore + importance;
    };
  }
}
