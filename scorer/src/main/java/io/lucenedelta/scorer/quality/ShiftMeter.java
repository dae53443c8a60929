// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * Measures score shifts against the rank functions of a workload; made by {@link
 * QualityChange#over}. Safe for several threads, but for {@link #renew}.
 */
@FunctionalInterface
public interface ShiftMeter {
  /**
   * The effect of a page's score for a query moving from {@code before} to {@code after}, ranks and
   * parts told apart, for people who ask why.
   *
   * @throws IllegalArgumentException if a score is negative or not finite
   */
  ShiftEffect effect(int query, double before, double after);

  /**
   * The same effect as one number, for the query asked once. This is what measuring calls for every
   * shift; meters made for speed allocate nothing here, and do not check: scores that {@link
   * #effect} refuses give any number.
   */
  default double change(int query, double before, double after) {
    return effect(query, before, after).total();
  }

  /**
   * The own part of a page that enters the result now, for the query asked once: the views it gets
   * there times its score. Summed over the workload, a page's usefulness to its users.
   */
  default double entry(int query, double score) {
    return effect(query, 0, score).own();
  }

  /**
   * As {@link #change(int, double, double)}, together with the {@link #entry entries} at both
   * scores and the {@link #effect}, with which it has much in common.
   *
   * @param parts gets the entries and the effect
   */
  default double change(int query, double before, double after, ShiftParts parts) {
    ShiftEffect effect = effect(query, before, after);
    parts.setEntries(entry(query, before), entry(query, after));
    parts.setEffect(effect.rankBefore(), effect.rankAfter(), effect.own(), effect.total());
    return effect.total();
  }

  /**
   * Measures those of a page's shifts for which a rough answer does, since they stay far down a
   * long result, and {@linkplain PageShifts#nearCount leaves} the others to be measured one by one.
   * To meters that know no such way all are near.
   */
  default void measureDistant(PageShifts shifts) {
    shifts.setAllNear();
  }

  /**
   * Reads what measuring a shift of the query needs, and returns some number made of it. Called for
   * many queries in a row, before they are measured, it makes the processor fetch what it needs for
   * all of them at once in place of one after the other, which takes longer than measuring.
   */
  default double prefetch(int query) {
    return query;
  }

  /**
   * Says that the rank function of a query is another one now. Nobody may measure meanwhile; what
   * meters keep that were made for speed is made anew.
   */
  default void renew(int query) {}
}
