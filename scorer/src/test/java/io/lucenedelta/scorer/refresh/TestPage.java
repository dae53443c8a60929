// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** A page with a given record: times in days after {@link #START}. */
public record TestPage(
    String page,
    double fetchedDay,
    double recordedDay,
    int refreshes,
    int changes,
    double totalGain,
    double totalRootGain,
    double totalDays,
    double usefulness,
    boolean neverFetched,
    List<Double> published)
    implements KnownPage, PageFacts {
  /** Day 0. */
  public static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  /** A page whose record ended with the last fetch. */
  public TestPage(
      String page,
      double fetchedDay,
      int refreshes,
      int changes,
      double totalGain,
      double totalRootGain,
      double totalDays,
      double usefulness,
      boolean neverFetched,
      List<Double> published) {
    this(
        page,
        fetchedDay,
        fetchedDay,
        refreshes,
        changes,
        totalGain,
        totalRootGain,
        totalDays,
        usefulness,
        neverFetched,
        published);
  }

  /** A page fetched on day 0 and never since. */
  public static TestPage of(String page) {
    return new TestPage(page, 0, 0, 0, 0, 0, 0, 1, false, null);
  }

  /** With a record of so many days that ended with the last fetch. */
  public TestPage record(double days, double... gains) {
    double total = 0;
    double roots = 0;
    for (double gain : gains) {
      total += gain;
      roots += Math.sqrt(gain);
    }
    int found = gains.length;
    return new TestPage(
        page, days, found, found, total, roots, days, usefulness, neverFetched, published);
  }

  TestPage useful(double value) {
    return new TestPage(
        page,
        fetchedDay,
        recordedDay,
        refreshes,
        changes,
        totalGain,
        totalRootGain,
        totalDays,
        value,
        neverFetched,
        published);
  }

  /** A page that publishes its changes, so far on these days. */
  public TestPage publishing(Double... days) {
    return new TestPage(
        page,
        fetchedDay,
        recordedDay,
        refreshes,
        changes,
        totalGain,
        totalRootGain,
        totalDays,
        usefulness,
        neverFetched,
        List.of(days));
  }

  /** Fetched once more on a later day, of which nothing is recorded. */
  TestPage fetchedSince(double day) {
    return new TestPage(
        page,
        day,
        recordedDay,
        refreshes,
        changes,
        totalGain,
        totalRootGain,
        totalDays,
        usefulness,
        neverFetched,
        published);
  }

  /** The address alone, known since day 0. */
  static TestPage unseen(String page) {
    return new TestPage(page, 0, 0, 0, 0, 0, 0, -1, true, null);
  }

  /** The pages of a list, in its order. */
  public static KnownPages known(List<? extends KnownPage> pages) {
    return new KnownPages() {
      @Override
      public long size() {
        return pages.size();
      }

      @Override
      public void forEach(Consumer<? super KnownPage> reader) {
        pages.forEach(reader);
      }
    };
  }

  /** A moment, to the millisecond. */
  public static Instant day(double day) {
    return START.plus(Duration.ofMillis(Math.round(day * 86_400_000)));
  }

  @Override
  public Instant lastRefresh() {
    return day(fetchedDay);
  }

  @Override
  public Instant recordedUntil() {
    return day(recordedDay);
  }

  @Override
  public double sumOfRates() {
    return 0;
  }

  @Override
  public Visits visits() {
    return Visits.NONE;
  }

  @Override
  public PageFacts facts() {
    return this;
  }

  @Override
  public String site() {
    return PageFacts.siteOf(page);
  }

  @Override
  public double expectedViews() {
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
    return published == null ? Provider.NORMAL : Provider.SMART;
  }

  @Override
  public int publishedChanges() {
    return published == null ? 0 : published.size();
  }

  @Override
  public Instant publishedChange(int i) {
    return day(published.get(i));
  }

  @Override
  public double changeProbability() {
    return 0;
  }
}
