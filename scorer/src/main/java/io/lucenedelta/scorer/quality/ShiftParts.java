// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * What a {@link ShiftMeter} comes to know of a shift beside the change: ranks, parts, and what the
 * page would get if it entered at either score. Made to be filled again and again, by meters of
 * this package alone, for one thread.
 */
public final class ShiftParts {
  private double entryBefore;
  private double entryAfter;
  private boolean inverse; // whether places are 1/rank; most are, and few are asked for
  private double placeBefore;
  private double placeAfter;
  private double own;
  private double total;

  /** The {@link ShiftMeter#entry entry} at the score before. */
  public double entryBefore() {
    return entryBefore;
  }

  /** The entry at the score after. */
  public double entryAfter() {
    return entryAfter;
  }

  /** The effect, ranks and parts told apart. */
  public ShiftEffect effect() {
    return new ShiftEffect(
        inverse ? 1 / placeBefore : placeBefore,
        inverse ? 1 / placeAfter : placeAfter,
        own,
        total - own);
  }

  /** All of a shift that its meter tells one by one; the number is the change. */
  void set(
      ShiftMeter meter, int query, double before, double after, ShiftEffect effect, double change) {
    setEntries(meter.entry(query, before), meter.entry(query, after));
    setEffect(effect.rankBefore(), effect.rankAfter(), effect.own(), change);
  }

  /** The same of a meter whose change is that of the effect, which is asked for once. */
  double set(ShiftMeter meter, int query, double before, double after) {
    ShiftEffect effect = meter.effect(query, before, after);
    set(meter, query, before, after, effect, effect.total());
    return effect.total();
  }

  void setEntries(double before, double after) {
    entryBefore = before;
    entryAfter = after;
  }

  /** An effect whose ranks are known. */
  void setEffect(double rankBefore, double rankAfter, double ownPart, double change) {
    inverse = false;
    placeBefore = rankBefore;
    placeAfter = rankAfter;
    own = ownPart;
    total = change;
  }

  /** An effect of which 1/rank is known, 0 outside the result. */
  void setEffectOfInverse(double before, double after, double ownPart, double change) {
    setEffect(before, after, ownPart, change);
    inverse = true;
  }
}
