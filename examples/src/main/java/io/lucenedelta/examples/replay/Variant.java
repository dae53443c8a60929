// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.Foresight;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.RefreshPolicy;

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
  /** Whether the sums of quality changes must be kept. */
  boolean learnsFromGains() {
    return Strategies.learnsFromGains(policy);
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
