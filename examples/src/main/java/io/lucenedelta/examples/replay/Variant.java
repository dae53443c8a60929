// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.Foresight;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.util.Set;

/**
 * A policy with its settings and knowledge, as a replay runs it.
 *
 * @param policy the policy's name
 * @param settings its parameters, {@code name=value} separated by blanks; empty for the defaults
 * @param knowledge what it may learn from
 * @param estimate how its quality changes are measured
 * @param hashes m of the summaries that divergence is measured on, or {@link Divergences#EXACT}
 * @param publishingShare share of pages that publish their changes, in [0, 1]
 * @param maker makes the policy for one run
 */
record Variant(
    String policy,
    String settings,
    Knowledge knowledge,
    Estimate estimate,
    int hashes,
    double publishingShare,
    Maker maker) {
  /** Strategies that never look at a measured quality change; measuring it is most of a run. */
  private static final Set<String> WITHOUT_GAINS =
      Set.of(
          "never",
          "uniform",
          "staleness",
          "embarrassment",
          "fragment-static",
          "holistic-static",
          "fragment-dynamic",
          "holistic-dynamic",
          "curve-fitting",
          "bound-based",
          "cgm",
          "site-metadata",
          "content-provider",
          "incremental-buckets",
          "polling",
          "site-sampling",
          "cluster-sampling",
          "lambda-crawl",
          "adaptive-interval",
          "clairvoyant");

  /** Whether the sums of quality changes must be kept; for a policy not listed they are. */
  boolean learnsFromGains() {
    return !WITHOUT_GAINS.contains(policy);
  }

  @Override
  public String toString() {
    return (policy + " " + settings).strip() + " (" + knowledge.label() + ")";
  }

  /** Makes a policy for a run. */
  interface Maker {
    RefreshPolicy make(Foresight foresight, long seed);
  }
}
