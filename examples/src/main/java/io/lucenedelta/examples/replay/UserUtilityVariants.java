// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.GainParameters;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code user-utility} with one thing different at a time: every parameter halved and doubled
 * (sensitivity), every ingredient left out (ablation).
 *
 * <p>A study, not a strategy to choose: the variants are asked for by name and listed nowhere, so
 * that no comparison picks the best of them by accident.
 */
final class UserUtilityVariants {
  private static final double NOTHING = 1e12;

  private UserUtilityVariants() {}

  /** The variants by what is different; the first, of no name, is the strategy itself. */
  static Map<String, GainParameters> of(GainParameters base) {
    Map<String, GainParameters> variants = new LinkedHashMap<>();
    variants.put("", base);
    for (double factor : new double[] {0.5, 2}) {
      String times = "x" + factor;
      variants.put("rateChanges" + times, base.withRateChanges(base.rateChanges() * factor));
      variants.put("gainChanges" + times, base.withGainChanges(base.gainChanges() * factor));
      variants.put(
          "usefulnessFloor" + times, base.withUsefulnessFloor(base.usefulnessFloor() * factor));
      variants.put(
          "directoryChanges" + times,
          base.withDirectories(base.directoryChanges() * factor, base.directoryGains()));
      variants.put(
          "directoryGains" + times,
          base.withDirectories(base.directoryChanges(), base.directoryGains() * factor));
      variants.put("silenceDoubt" + times, base.withSilenceDoubt(base.silenceDoubt() * factor));
      variants.put("waitingShare" + times, base.withWaitingShare(base.waitingShare() * factor));
      variants.put("agingRounds" + times, base.withAgingRounds(base.agingRounds() * factor));
      variants.put("horizonDays" + times, base.withHorizonDays(base.horizonDays() * factor));
    }
    variants.put("without look-ahead", base.withLookAhead(false));
    variants.put("without the end", base.withPlanToEnd(false));
    variants.put("without rate spread", base.withRateSpread(false));
    variants.put("without tempering", base.withTemperGains(false));
    variants.put("without directories", base.withDirectories(NOTHING, NOTHING));
    variants.put("without waiting share", base.withWaitingShare(0));
    variants.put("without ageing", base.withAgingRounds(Double.POSITIVE_INFINITY));
    variants.put("without usefulness", base.withUseful(false));
    variants.put("without shrinking", base.withRateChanges(0).withGainChanges(0));
    return variants;
  }
}
