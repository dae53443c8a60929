// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.EstimateAgreement;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How well ΔQ_A agrees with the exact change over audited refreshes.
 *
 * @param refreshes refreshes where the estimate or the exact change is not zero
 * @param spearman rank correlation over these; NaN when there are fewer than two
 * @param negative estimates below zero
 * @param topShare what the 5 % of pages with the highest estimates gained exactly, as a share of
 *     what the 5 % that gained most did; NaN when no page gained
 * @param bias sum of the estimates divided by the sum of the exact changes; NaN when that is zero
 */
public record Agreement(
    int refreshes, double spearman, int negative, double topShare, double bias) {
  private static final double TOP = 0.05;

  /** Compares; the measurements may come from several runs. */
  public static Agreement of(List<Measurement> measurements) {
    EstimateAgreement all =
        EstimateAgreement.of(
            measurements.stream().mapToDouble(Measurement::deltaQa).toArray(),
            measurements.stream().mapToDouble(Measurement::deltaQExact).toArray());
    return new Agreement(
        all.refreshes(), all.spearman(), all.negative(), topShare(measurements), all.bias());
  }

  private static double topShare(List<Measurement> measurements) {
    Map<String, double[]> pages = new TreeMap<>();
    for (Measurement m : measurements) {
      if (EstimateAgreement.counts(m.deltaQa(), m.deltaQExact())) {
        double[] sums = pages.computeIfAbsent(m.page(), page -> new double[2]);
        sums[0] += m.deltaQa();
        sums[1] += m.deltaQExact();
      }
    }
    long top = Math.max(1, Math.round(TOP * pages.size()));
    double best = exactOfTop(pages, 1, top);
    return best > 0 ? exactOfTop(pages, 0, top) / best : Double.NaN;
  }

  /** The exact gain of the pages that come first by one of the two sums. */
  private static double exactOfTop(Map<String, double[]> pages, int by, long top) {
    return pages.values().stream()
        .sorted(Comparator.comparingDouble((double[] sums) -> -sums[by]))
        .limit(top)
        .mapToDouble(sums -> sums[1])
        .sum();
  }

  /** One sentence for a person; what is not known is a dash. */
  public String sentence() {
    if (refreshes < 2) {
      return (refreshes == 0 ? "No audited refresh" : "Only one audited refresh")
          + " moved a result: too few to compare the estimate with the exact change.";
    }
    return String.format(
        Locale.ROOT,
        "Over %,d audited refreshes that moved a result, the estimate's rank correlation with the"
            + " exact change is %s; %d estimates are negative; the 5 %% of pages it puts first"
            + " hold %s of what the true first 5 %% hold; its sum is %s times the exact sum.",
        refreshes,
        orDash("%.3f", spearman),
        negative,
        orDash("%.1f %%", 100 * topShare),
        orDash("%.2f", bias));
  }

  private static String orDash(String format, double value) {
    return Double.isNaN(value) ? "—" : String.format(Locale.ROOT, format, value);
  }
}
