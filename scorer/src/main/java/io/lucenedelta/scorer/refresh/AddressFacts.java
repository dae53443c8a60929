// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.List;

/**
 * Facts of a page of which no more than the address is public, and the changes it tells of.
 *
 * @param changes when it changed, as it says, increasing; empty for a page that says nothing
 */
record AddressFacts(PageHistory history, List<Instant> changes) implements PageFacts {
  @Override
  public String site() {
    return PageFacts.siteOf(history.page());
  }

  @Override
  public double clicks() {
    return 0;
  }

  @Override
  public double importance() {
    return 1;
  }

  @Override
  public int words() {
    return 0;
  }

  @Override
  public Provider provider() {
    return changes.isEmpty() ? Provider.NORMAL : Provider.SMART;
  }

  @Override
  public int modifications() {
    return changes.size();
  }

  @Override
  public Instant modification(int i) {
    return changes.get(i);
  }

  @Override
  public double changeProbability() {
    return 0;
  }
}
