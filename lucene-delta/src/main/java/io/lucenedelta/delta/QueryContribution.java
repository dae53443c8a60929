// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * What one query added to a refresh's quality change, ΔQ_A.
 *
 * @param query the query's terms, joined by spaces
 * @param frequency f_q, how often the query is asked
 * @param scoreBefore the page's score for the query before the refresh, s1; 0 when the page was not
 *     in the result
 * @param scoreAfter its score since, s2; 0 when it no longer is
 * @param rankBefore the rank that the query's rank function F_q gives that score, r1, from 1;
 *     infinite when the page was not in the result
 * @param rankAfter the rank of the score since, r2, likewise
 * @param own what the page itself added, in query frequency × score
 * @param others what the pages added that it passed, or that passed it, in the same unit
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
