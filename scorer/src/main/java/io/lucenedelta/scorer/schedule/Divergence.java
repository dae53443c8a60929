// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

/** How far two versions of a page count as apart (Olston and Pandey 2008, section 2.1.1). */
public enum Divergence {
  /** The share of their fragments that they do not have in common. */
  FRAGMENT,
  /**
   * All of the page as soon as any fragment differs: 1, else 0. {@link StaticUtility} takes every
   * change of the contents for one.
   */
  HOLISTIC;

  static final String NONE_NAMED = "a divergence, fragment or holistic, must be named, was null";
}
