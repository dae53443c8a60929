// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.MeasuredRefreshes;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.Visits;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The pages of a live index, of whose histories only the sums are known, with their visits: a
 * strategy that asks for those of no page pays nothing for them.
 */
record VisitedPages(KnownPages summed, VisitRecords records) implements KnownPages {
  @Override
  public long size() {
    return summed.size();
  }

  @Override
  public void forEach(Consumer<? super KnownPage> reader) {
    summed.forEach(page -> reader.accept(new Visited(page, records)));
  }

  @Override
  public void forEach(Set<String> pages, Consumer<? super KnownPage> reader) {
    summed.forEach(pages, page -> reader.accept(new Visited(page, records)));
  }

  @Override
  public void forEachBut(Set<String> pages, Consumer<? super KnownPage> reader) {
    summed.forEachBut(pages, page -> reader.accept(new Visited(page, records)));
  }

  @Override
  public Optional<LearnedGains> learned(Instant now) {
    return summed.learned(now);
  }

  /** A page; its visits are looked up once, when they are asked for. */
  private static final class Visited implements KnownPage, PageHistory.Wrapper {
    private final KnownPage page; // reused by whoever hands it out, after this page
    private final VisitRecords records;
    private VisitRecords.PageVisits visits; // null until asked for

    Visited(KnownPage page, VisitRecords records) {
      this.page = page;
      this.records = records;
    }

    private VisitRecords.PageVisits own() {
      if (visits == null) {
        visits = records.of(page);
      }
      return visits;
    }

    @Override
    public PageHistory history() {
      return page;
    }

    @Override
    public Visits visits() {
      return own();
    }

    @Override
    public MeasuredRefreshes measured() {
      return own().measured();
    }

    @Override
    public PageFacts facts() {
      return page.facts();
    }
  }
}
