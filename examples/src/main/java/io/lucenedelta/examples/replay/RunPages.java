// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.MeasuredRefreshes;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.Visits;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The pages as a strategy sees them in one week of a run.
 *
 * <p>Whatever it hands out is computed from visits: contents at visited weeks, estimates between
 * visited versions, changes published up to now. Online these are the run's own visits, in
 * hindsight those of a crawler that saw everything; there is no other way to the corpus, so an
 * online strategy cannot see the future. One object is reused for all pages; not safe for use by
 * several threads.
 */
final class RunPages implements KnownPages {
  private final ReplayCorpus corpus;
  private final Divergences divergences;
  private final GainTable gains;
  private final SiteFacts facts;
  private final VisitLog own;
  private final VisitLog recorded;
  private final RefreshSums sums;
  private final TitleWords titles; // null where titles are not known
  private int week;

  /**
   * A view of a run.
   *
   * @param own the run's visits, which say when a page was last refreshed
   * @param recorded the visits whose findings the strategy may use
   * @param sums the measured refreshes that the strategy may use
   * @param titles of pages that were never fetched, null where they are not known
   */
  RunPages(
      ReplayCorpus corpus,
      Divergences divergences,
      GainTable gains,
      SiteFacts facts,
      VisitLog own,
      VisitLog recorded,
      RefreshSums sums,
      TitleWords titles) {
    this.titles = titles;
    this.corpus = corpus;
    this.divergences = divergences;
    this.gains = gains;
    this.facts = facts;
    this.own = own;
    this.recorded = recorded;
    this.sums = sums;
  }

  /** Moves the present to a week. */
  void now(int nowWeek) {
    week = nowWeek;
    if (titles != null) {
      titles.learn(this, corpus.time(week));
    }
  }

  @Override
  public long size() {
    long pages = 0;
    for (int page = 0; page < corpus.pageCount(); page++) {
      pages += exists(page) ? 1 : 0;
    }
    return pages;
  }

  private boolean exists(int page) {
    return corpus.since(page, 0) <= week;
  }

  @Override
  public void forEach(Consumer<? super KnownPage> reader) {
    Page page = new Page();
    for (page.number = 0; page.number < corpus.pageCount(); page.number++) {
      if (exists(page.number)) {
        reader.accept(page);
      }
    }
  }

  /** The refreshes whose gains the strategy may use. */
  private final class Measured implements MeasuredRefreshes {
    private final Page page;

    Measured(Page page) {
      this.page = page;
    }

    @Override
    public int size() {
      return sums.refreshes(page.number);
    }

    @Override
    public Instant time(int refresh) {
      return corpus.time(sums.week(page.number, refresh));
    }

    @Override
    public double rate(int refresh) {
      return sums.rate(page.number, refresh);
    }
  }

  private final class Page implements KnownPage {
    private final MeasuredRefreshes measured = new Measured(this);
    private final Visits visits = new RecordedVisits(this);
    private final PageFacts publicFacts = new Facts(this);
    private int number;

    @Override
    public String page() {
      return corpus.page(number);
    }

    @Override
    public boolean neverFetched() {
      return own.size(number) == 0;
    }

    @Override
    public Instant lastRefresh() {
      return corpus.time(neverFetched() ? corpus.since(number, 0) : own.last(number));
    }

    @Override
    public Instant recordedUntil() {
      if (recorded.size(number) > 0) {
        return corpus.time(recorded.last(number));
      }
      // nothing is recorded of a page that was hidden while others were learned from
      return neverFetched() ? lastRefresh() : corpus.time(own.week(number, 0));
    }

    @Override
    public int refreshes() {
      return sums.refreshes(number);
    }

    @Override
    public double sumOfRates() {
      return sums.rates(number);
    }

    @Override
    public double totalGain() {
      return sums.gains(number);
    }

    @Override
    public double totalDays() {
      return sums.days(number);
    }

    @Override
    public int changes() {
      return sums.changes(number);
    }

    @Override
    public double totalRootGain() {
      return sums.rootGains(number);
    }

    @Override
    public double usefulness() {
      int held = heldVersion();
      return held == ReplayCorpus.ABSENT ? -1 : gains.usefulness(number, held);
    }

    @Override
    public double wordFactor() {
      return titles == null ? 1 : titles.factor(number);
    }

    /** The version found at the run's last visit, or {@link ReplayCorpus#ABSENT}. */
    private int heldVersion() {
      int visited = own.last(number);
      return visited < 0 ? ReplayCorpus.ABSENT : corpus.liveVersion(number, visited);
    }

    @Override
    public List<Instant> fetches() {
      return IntStream.range(0, own.size(number))
          .mapToObj(visit -> corpus.time(own.week(number, visit)))
          .toList();
    }

    @Override
    public MeasuredRefreshes measured() {
      return measured;
    }

    @Override
    public Visits visits() {
      return visits;
    }

    @Override
    public PageFacts facts() {
      return publicFacts;
    }
  }

  /** The visits whose findings the strategy may use. */
  private final class RecordedVisits implements Visits {
    private final Page page;

    RecordedVisits(Page page) {
      this.page = page;
    }

    @Override
    public int size() {
      return recorded.size(page.number);
    }

    private int version(int visit) {
      return corpus.liveVersion(page.number, recorded.week(page.number, visit));
    }

    @Override
    public Instant time(int visit) {
      return corpus.time(recorded.week(page.number, visit));
    }

    @Override
    public boolean changed(int visit) {
      return visit > 0 && !corpus.same(page.number, version(visit), version(visit - 1));
    }

    @Override
    public double divergence(int from, int to) {
      return divergences.between(page.number, version(from), version(to));
    }

    @Override
    public double days(int from, int to) {
      return corpus.days(recorded.week(page.number, from), recorded.week(page.number, to));
    }
  }

  /** What is public now. */
  private final class Facts implements PageFacts {
    private final Page page;

    Facts(Page page) {
      this.page = page;
    }

    @Override
    public String site() {
      return facts.site(page.number);
    }

    @Override
    public double expectedViews() {
      return facts.expectedViews(page.number);
    }

    @Override
    public double importance() {
      return facts.importance(page.number);
    }

    @Override
    public int words() {
      int held = page.heldVersion();
      return held == ReplayCorpus.ABSENT ? 0 : corpus.version(page.number, held).length();
    }

    @Override
    public Provider provider() {
      return facts.provider(page.number);
    }

    @Override
    public int publishedChanges() {
      return provider() == Provider.NORMAL ? 0 : corpus.liveVersion(page.number, week);
    }

    @Override
    public Instant publishedChange(int i) {
      Objects.checkIndex(i, publishedChanges());
      return corpus.time(corpus.since(page.number, i + 1));
    }

    /**
     * {@inheritDoc} A provider that counts its own changes since the page is there: (changes + ½) /
     * (periods + 1).
     */
    @Override
    public double changeProbability() {
      int periods = week - corpus.since(page.number, 0);
      return provider() == Provider.SUPER ? (publishedChanges() + 0.5) / (periods + 1) : 0;
    }
  }
}
