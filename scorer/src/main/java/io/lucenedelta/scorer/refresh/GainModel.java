// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * What all refreshes so far teach of one page: how often it changes, what a change is worth, what a
 * page that was never fetched would bring.
 *
 * <p><b>Change rate</b> λ(p) = (n + a·λ0(p)) / (T + a): n changes in T days of watching; λ0 the
 * rate of all pages times the factor of the page's directory. For a page that publishes its
 * changes, n counts what it published.
 *
 * <p><b>Gain of a change</b> g(p) = (G + b·g0(p)) / (n + b): G the gains of n changes that were
 * fetched; g0(p) = m · {@link UsefulnessWeight} · factor of the directory, m the mean over all
 * changes. Gains are heavy-tailed: one large gain says more about that change than about the next.
 * Where a page's gains exceed what m expects of each, they count by the geometric mean of the two:
 * min(G, √expected · Σ√gain).
 *
 * <p>Learned in three passes over the pages, in memory that does not grow with their number.
 * Immutable once learned; safe for use by several threads.
 */
final class GainModel {
  private final GainParameters parameters;
  private final Instant now;
  private final StableSum usefulness = new StableSum();
  private final UsefulnessWeight usefulnessWeight = new UsefulnessWeight();
  private double meanUsefulness = 1;
  private double changesPerDay;
  private double gainPerWeight = 1;
  private double meanGain = 1;
  private boolean somePublish;
  private final Directories rates;
  private final Directories gains;
  private final Directories entries = new Directories(ENTRIES);

  /** Fetched pages after which a directory's usefulness counts as much as its parent's. */
  private static final double ENTRIES = 5;

  private GainModel(GainParameters parameters, Instant now) {
    this.parameters = parameters;
    this.now = now;
    this.rates = new Directories(parameters.directoryChanges());
    this.gains = new Directories(parameters.directoryGains());
  }

  /** Learns from the pages known at {@code now}. */
  static GainModel learn(KnownPages known, GainParameters parameters, Instant now) {
    GainModel model = new GainModel(parameters, now);
    model.learnRates(known);
    model.learnMeanGain(known);
    model.learnGains(known);
    return model;
  }

  private void learnRates(KnownPages known) {
    StableSum changes = new StableSum();
    StableSum days = new StableSum();
    known.forEach(
        page -> {
          if (page.neverFetched()) {
            return;
          }
          somePublish |= publishes(page);
          if (page.usefulness() >= 0) {
            usefulness.add(page.usefulness());
            entries.add(page.directories(), page.usefulness(), 1);
          }
          double watched = watchedDays(page);
          if (watched > 0) {
            changes.add(seenChanges(page));
            days.add(watched);
            rates.add(page.directories(), seenChanges(page), watched);
          }
        });
    meanUsefulness = usefulness.mean() > 0 ? usefulness.mean() : 1;
    changesPerDay = (changes.value() + 0.5) / (days.value() + 1);
  }

  private void learnMeanGain(KnownPages known) {
    StableSum gain = new StableSum();
    StableSum changes = new StableSum();
    known.forEach(
        page -> {
          if (page.changes() > 0) {
            double gained = Math.max(0, page.totalGain());
            gain.add(gained);
            changes.add(page.changes());
            if (parameters.useful()) {
              usefulnessWeight.add(relative(page), page.changes(), gained, page.totalRootGain());
            }
          }
        });
    usefulnessWeight.learn();
    if (gain.value() > 0) {
      gainPerWeight = gain.value() / changes.value(); // weights are 1 in the mean over changes
    }
  }

  /** The second look, with gains tempered by the first: what is kept is the mean of these. */
  private void learnGains(KnownPages known) {
    StableSum gain = new StableSum();
    StableSum weight = new StableSum();
    StableSum changes = new StableSum();
    double untempered = gainPerWeight;
    known.forEach(
        page -> {
          if (page.changes() > 0) {
            double each = weight(page);
            double tempered = gains(page, untempered * each);
            double weighed = page.changes() * each;
            gain.add(tempered);
            weight.add(weighed);
            changes.add(page.changes());
            gains.add(page.directories(), tempered, weighed);
          }
        });
    if (weight.value() > 0) {
      gainPerWeight = gain.value() > 0 ? gain.value() / weight.value() : 1;
      meanGain = gainPerWeight * weight.value() / changes.value();
    }
  }

  /** Days over which changes of a page could be seen. */
  private double watchedDays(KnownPage page) {
    return publishes(page) ? page.totalDays() + page.age(now) : page.totalDays();
  }

  private static int seenChanges(KnownPage page) {
    return publishes(page)
        ? Math.max(page.facts().modifications(), page.changes())
        : page.changes();
  }

  /** Whether the site says when the page changes. */
  static boolean publishes(KnownPage page) {
    return page.facts().provider() != PageFacts.Provider.NORMAL;
  }

  /** Whether any page that was ever fetched does. */
  boolean somePublish() {
    return somePublish;
  }

  /** How much a change of the page is worth beside others. */
  private double weight(KnownPage page) {
    return parameters.useful() ? usefulnessWeight.of(relative(page)) : 1;
  }

  /** Usefulness beside the mean, a little more so that no page counts nothing; unknown is mean. */
  private double relative(KnownPage page) {
    double own = page.usefulness() < 0 ? 1 : page.usefulness() / meanUsefulness;
    return own + parameters.usefulnessFloor();
  }

  /** The gains of a page, tempered by what was expected of each. */
  private double gains(KnownPage page, double expected) {
    double raw = Math.max(0, page.totalGain());
    return parameters.temperGains() && raw > 0
        ? Math.min(raw, Math.sqrt(expected) * page.totalRootGain())
        : raw;
  }

  /** λ(p), expected changes a day; 0 only when the record alone is trusted and has none. */
  double changesPerDay(KnownPage page) {
    return changesPerDay(page, rates.factor(page.directories(), changesPerDay, 1));
  }

  private double changesPerDay(KnownPage page, double factor) {
    double own = seenChanges(page);
    double expected = parameters.rateDays() * changesPerDay * factor;
    double days = watchedDays(page) + parameters.rateDays();
    return days > 0 ? (own + expected) / days : 0;
  }

  /** g(p), the expected ΔQ_A of one change; 0 only when the record alone is trusted. */
  double gainPerChange(KnownPage page) {
    return gainPerChange(page, gains.factor(page.directories(), gainPerWeight, meanGain));
  }

  private double gainPerChange(KnownPage page, double factor) {
    double usual = gainPerWeight * weight(page);
    double changes = page.changes() + parameters.gainChanges();
    double expected = parameters.gainChanges() * usual * factor;
    return changes > 0 ? (gains(page, usual) + expected) / changes : 0;
  }

  /** λ(p)·g(p), the expected ΔQ_A of a day. */
  double gainPerDay(KnownPage page) {
    return changesPerDay(page) * gainPerChange(page);
  }

  /**
   * Factors that no directory exceeds, in place of the page's own: what it takes to see, without
   * looking at its key, that a page cannot be among the best.
   */
  Ceiling ceiling() {
    double rate = rates.largestFactor(changesPerDay, 1);
    double gain = gains.largestFactor(gainPerWeight, meanGain);
    return page -> changesPerDay(page, rate) * gainPerChange(page, gain);
  }

  /** An upper bound of λ(p)·g(p), in ΔQ_A a day. */
  @FunctionalInterface
  interface Ceiling {
    double gainPerDay(KnownPage page);
  }

  /**
   * What the first fetch of a page is expected to bring: half the usefulness that is usual in its
   * directory, since the other half replaces what users already got in its place.
   */
  double entryGain(KnownPage page) {
    return 0.5
        * meanUsefulness
        * entries.factor(page.directories(), meanUsefulness, meanUsefulness);
  }
}
