// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Histories as a strategy finds them that is asked once more in a period: the pages picked so far
 * are fetched, though nothing is known yet of what their fetches found.
 *
 * @param all as they are
 * @param picked keys; may grow between two passes
 * @param now when these are fetched
 */
record PickedHistories(PageHistories all, Set<String> picked, Instant now)
    implements PageHistories {
  private record Fetched(PageHistory history, Instant lastRefresh) implements PageHistory.Wrapper {}

  @Override
  public long size() {
    return all.size();
  }

  @Override
  public Optional<PageHistory> of(String page) {
    Optional<PageHistory> found = all.of(page);
    return picked.contains(page) ? found.map(this::fetched) : found;
  }

  @Override
  public void forEach(Consumer<? super PageHistory> reader) {
    all.forEachBut(picked, reader);
    all.forEach(picked, page -> reader.accept(fetched(page)));
  }

  @Override
  public Optional<LearnedGains> learned(Instant time) {
    return all.learned(time);
  }

  private PageHistory fetched(PageHistory page) {
    return new Fetched(page, now);
  }
}
