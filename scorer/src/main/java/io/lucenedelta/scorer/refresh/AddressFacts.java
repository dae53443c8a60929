// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/** Facts of a page of which only the address is known. */
record AddressFacts(PageHistory history) implements PageFacts {
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
    return Provider.NORMAL;
  }

  @Override
  public int modifications() {
    return 0;
  }

  @Override
  public Instant modification(int i) {
    throw new IndexOutOfBoundsException("change " + i + " of a page that publishes none");
  }

  @Override
  public double changeProbability() {
    return 0;
  }
}
