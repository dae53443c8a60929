// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * What one query added to a refresh's ΔQ_A.
 *
 * @param query the query's terms, joined by spaces
 * @param frequency f_q
 * @param scoreBefore s1, 0 when the page was not in the result
 * @param scoreAfter s2, 0 when it no longer is
 * @param rankBefore r1 by F_q, infinite when not in the result
 * @param rankAfter r2, likewise
 * @param own the page's own part, times the frequency
 * @param others the part of the pages it passed, times the frequency
 */
public record QueryContribution(
    String query,
    double frequency,
    double scoreBefore,
    double scoreAfter,
    double rankBefore,
    double rankAfter,
    double own,
    double others) {
  /** What the query added: own part and others' part. */
  public double total() {
    return own + others;
  }
}
