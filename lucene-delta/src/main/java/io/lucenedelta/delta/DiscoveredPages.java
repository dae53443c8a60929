// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Pages of the index, all or some, and after them pages of which only the address is known. */
record DiscoveredPages(KnownPages indexed, Map<String, Discovery> discovered, PromisingWords words)
    implements KnownPages {
  @Override
  public long size() {
    return indexed.size() + discovered.size();
  }

  @Override
  public void forEach(Consumer<? super KnownPage> reader) {
    indexed.forEach(reader);
    discovered.forEach((page, known) -> reader.accept(unseen(page, known)));
  }

  @Override
  public void forEach(Set<String> pages, Consumer<? super KnownPage> reader) {
    indexed.forEach(pages, reader);
    for (String page : pages) {
      Discovery known = discovered.get(page);
      if (known != null) {
        reader.accept(unseen(page, known));
      }
    }
  }

  /** What was never fetched teaches nothing. */
  @Override
  public Optional<LearnedGains> learned(Instant now) {
    return indexed.learned(now);
  }

  @Override
  public boolean tellsWhenMoreIsKnown() {
    return indexed.tellsWhenMoreIsKnown();
  }

  private KnownPage unseen(String page, Discovery known) {
    return KnownPage.neverFetched(
        new Unseen(page, known.since(), known.directories()), words.factor(known));
  }

  /** A page without a history. */
  private record Unseen(String page, Instant lastRefresh, DirectoryPath directories)
      implements PageHistory {
    @Override
    public int refreshes() {
      return 0;
    }

    @Override
    public double sumOfRates() {
      return 0;
    }

    @Override
    public double totalGain() {
      return 0;
    }

    @Override
    public double totalDays() {
      return 0;
    }
  }
}
