// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A page made up for a test: days of visits, what was found, what its site tells. */
public final class RecordedPage implements KnownPage, Visits, PageFacts {
  public static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final String page;
  private final List<Double> days = new ArrayList<>();
  private final List<Double> level = new ArrayList<>();
  private final List<Double> gains = new ArrayList<>();
  private List<Double> publishedChanges = List.of();
  private Provider provider = Provider.NORMAL;
  private double expectedViews;
  private double importance = 1;
  private double changeProbability;
  private int words = 100;
  private int compared;

  public RecordedPage(String page) {
    this.page = page;
  }

  /** A page visited first on day 0. */
  public static RecordedPage of(String page) {
    return new RecordedPage(page).visit(0, 0, 0);
  }

  /**
   * Adds a visit; the divergence between two visits is the difference of their levels, and a page
   * has changed when its level has.
   */
  public RecordedPage visit(double day, double itsLevel, double gain) {
    days.add(day);
    level.add(itsLevel);
    gains.add(gain);
    return this;
  }

  /** How often it was asked how far two visits are apart. */
  public int compared() {
    return compared;
  }

  public RecordedPage viewed(double perDay) {
    expectedViews = perDay;
    return this;
  }

  public RecordedPage worded(int number) {
    words = number;
    return this;
  }

  public RecordedPage important(double value) {
    importance = value;
    return this;
  }

  public RecordedPage publishing(Provider kind, double probability, Double... changeDays) {
    provider = kind;
    changeProbability = probability;
    publishedChanges = List.of(changeDays);
    return this;
  }

  /** The time of a day. */
  public static Instant day(double day) {
    return START.plus(Duration.ofSeconds(Math.round(day * 86_400)));
  }

  /** Pages in the order given. */
  public static KnownPages pages(RecordedPage... pages) {
    return new KnownPages() {
      @Override
      public long size() {
        return pages.length;
      }

      @Override
      public void forEach(Consumer<? super KnownPage> reader) {
        for (RecordedPage page : pages) {
          reader.accept(page);
        }
      }
    };
  }

  /** A budget of weeks from day 7 on. */
  public static RefreshBudget weekly(int perWeek, int weeks) {
    return RefreshBudget.regular(perWeek, day(7), Duration.ofDays(7), weeks);
  }

  /** The keys a policy fetches on a day, in order. */
  public static List<String> order(
      RefreshPolicy policy, double day, int budget, RecordedPage... pages) {
    return next(policy, day, budget, budget, pages).stream().map(RefreshCandidate::page).toList();
  }

  /** The priorities of all pages on a day under a weekly budget, missing where a page must wait. */
  public static Map<String, Double> priorities(
      RefreshPolicy policy, double day, int perWeek, RecordedPage... pages) {
    return next(policy, day, perWeek, pages.length, pages).stream()
        .collect(Collectors.toMap(RefreshCandidate::page, RefreshCandidate::priority));
  }

  private static List<RefreshCandidate> next(
      RefreshPolicy policy, double day, int perWeek, int left, RecordedPage... pages) {
    RefreshBudget planned = RefreshBudget.regular(perWeek, day(day), Duration.ofDays(7), 10);
    return policy.plan(pages(pages), planned).next(pages(pages), day(day), left);
  }

  @Override
  public String page() {
    return page;
  }

  @Override
  public Instant lastRefresh() {
    return day(days.isEmpty() ? 0 : days.get(days.size() - 1));
  }

  @Override
  public boolean neverFetched() {
    return days.isEmpty();
  }

  @Override
  public int refreshes() {
    return Math.max(0, days.size() - 1);
  }

  @Override
  public double sumOfRates() {
    double sum = 0;
    for (int i = 1; i < days.size(); i++) {
      sum += gains.get(i) / (days.get(i) - days.get(i - 1));
    }
    return sum;
  }

  @Override
  public double totalGain() {
    return gains.stream().mapToDouble(Double::doubleValue).sum();
  }

  @Override
  public double totalDays() {
    return days.isEmpty() ? 0 : days.get(days.size() - 1) - days.get(0);
  }

  @Override
  public MeasuredRefreshes measured() {
    return new MeasuredRefreshes() {
      @Override
      public int size() {
        return refreshes();
      }

      @Override
      public Instant time(int refresh) {
        return day(days.get(refresh + 1));
      }

      @Override
      public double rate(int refresh) {
        return gains.get(refresh + 1) / (days.get(refresh + 1) - days.get(refresh));
      }
    };
  }

  @Override
  public Visits visits() {
    return this;
  }

  @Override
  public PageFacts facts() {
    return this;
  }

  @Override
  public int size() {
    return days.size();
  }

  @Override
  public Instant time(int visit) {
    return day(days.get(visit));
  }

  @Override
  public boolean changed(int visit) {
    return visit > 0 && !level.get(visit).equals(level.get(visit - 1));
  }

  @Override
  public double divergence(int from, int to) {
    compared++;
    return Math.min(1, Math.abs(level.get(to) - level.get(from)));
  }

  @Override
  public String site() {
    return PageFacts.siteOf(page);
  }

  @Override
  public double expectedViews() {
    return expectedViews;
  }

  @Override
  public double importance() {
    return importance;
  }

  @Override
  public int words() {
    return words;
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public int publishedChanges() {
    return publishedChanges.size();
  }

  @Override
  public Instant publishedChange(int i) {
    return day(publishedChanges.get(i));
  }

  @Override
  public double changeProbability() {
    return changeProbability;
  }
}
