// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * Measures score shifts against the rank functions of a workload; made by {@link
 * QualityChange#over}. Safe for several threads, but for {@link #renew}.
 *
 * <p>A meter of your own needs {@link #effect}; {@link #change(int, double, double)} and {@link
 * #entry} are worth it where there is a faster way, and must agree with it. Leave {@link
 * #change(int, double, double, ShiftParts)} and {@link #measureDistant} as they are: what they fill
 * can only be filled in this package.
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
   * The same effect as one number, for the query asked once: what a shift counts. Replays call this
   * for every shift; a writer, which has to know the parts, too, calls {@link #change(int, double,
   * double, ShiftParts)}. Meters made for speed allocate nothing here, and do not check: scores
   * that {@link #effect} refuses give any number.
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
   * As {@link #change(int, double, double)}, of which it is the number, together with the {@link
   * #entry entries} at both scores and the {@link #effect}, with which it has much in common.
   *
   * @param parts gets the entries and the effect: its ranks and its own part; what the change is
   *     beside that counts as the others' part
   */
  default double change(int query, double before, double after, ShiftParts parts) {
    double change = change(query, before, after);
    parts.set(this, query, before, after, effect(query, before, after), change);
    return change;
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
