// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.EstimateAgreement;
import java.time.Instant;
import java.util.Locale;

/**
 * How well the quality changes measured on this index agree with exact ones, over the latest
 * refreshes of a random sample; exact is what searching this index alone says, by the rule and the
 * scores that the estimate works with: that an application's searches use others it cannot show.
 * See {@link DeltaConfig.Builder#selfAudit}.
 *
 * @param agreement rank correlation and bias over those of the refreshes kept that moved a result
 * @param kept refreshes measured exactly that are kept, at most 1,000
 * @param audited refreshes measured exactly since {@code since}
 * @param brokenOff refreshes of the sample that were not measured because the time was up: if they
 *     are many, pages with long results are missing from the agreement
 * @param since when the first of them was measured
 */
public record SelfAudit(
    EstimateAgreement agreement, int kept, long audited, long brokenOff, Instant since) {
  /** One sentence for a person; what is not known is a dash. */
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "of the last %d refreshes measured exactly %d moved a result: %s; %d measured and %d broken"
            + " off since %s",
        kept,
        agreement.refreshes(),
        agreement.refreshes() < 2
            ? "too few to compare estimates with exact changes"
            : "rank correlation %s, sum of estimates %s times the exact sum"
                .formatted(orDash("%.3f", agreement.spearman()), orDash("%.2f", agreement.bias())),
        audited,
        brokenOff,
        since);
  }

  private static String orDash(String format, double value) {
    return Double.isNaN(value) ? "—" : String.format(Locale.ROOT, format, value);
  }
}
