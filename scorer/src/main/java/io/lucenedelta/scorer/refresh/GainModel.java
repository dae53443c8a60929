// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import io.lucenedelta.workload.KeyedHash;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What all refreshes so far teach of one page: how often it changes, what a change is worth, what a
 * page that was never fetched would bring.
 *
 * <p><b>Change rate</b> λ(p) = (n + a) / (T + a/λ0(p)): n changes in T days of watching, a the
 * changes that what is expected counts for, fewer where {@link RateSpread pages differ more}; λ0
 * the rate of all pages times the factor of the page's directory. For a page that publishes its
 * changes, n counts what it published, and its site is watched as long as it is heard.
 *
 * <p><b>Gain of a change</b> g(p) = (G + b·g0(p)) / (n + b): G the gains of n changes that were
 * fetched, where changes are published every one that was, since utility counts each that is
 * missed; g0(p) = m · {@link UsefulnessWeight} · factor of the directory, m the mean over all
 * changes. Gains are heavy-tailed: one large gain says more about that change than about the next.
 * Where a page's gains exceed what m expects of each, they count by the geometric mean of the two:
 * min(G, √expected · Σ√gain).
 *
 * <p>What one page's record says alone is {@link RecordedChanges}; how long a round takes, {@link
 * RoundLength}, is learned beside the two.
 *
 * <p>Learned in three passes over the pages, in memory that does not grow with their number; single
 * pages can be {@linkplain #count counted}, {@linkplain #discount taken out} and {@linkplain
 * #recount replaced} later. Safe for use by several threads when nothing is counted meanwhile.
 */
// Long because sums, and the means and factors worked out from them, change with one page.
final class GainModel {
  /** How many times changes or refreshes must be those learned from to look at spread again. */
  private static final double FAR = 1.5;

  /** If pages are more than twice as many, a share of them shows how widely rates spread. */
  private static final long ENOUGH_RECORDS = 1 << 20;

  /** Fetched pages after which a directory's usefulness counts as much as its parent's. */
  private static final double ENTRIES = 5;

  private final GainParameters parameters;
  private final Instant now;
  private final StableSum usefulness = new StableSum();
  private final StableSum seenChanges = new StableSum();
  private final StableSum watchedDays = new StableSum();
  private final StableSum totalGain = new StableSum();
  private final StableSum changes = new StableSum();
  private final StableSum temperedGain = new StableSum();
  private final StableSum totalWeight = new StableSum();
  private final UsefulnessWeight usefulnessWeight;
  private final Directories rateFactors;
  private final Directories gainFactors;
  private final Directories usefulnessFactors;
  private final RoundLength roundLength;
  private double meanUsefulness = 1;
  private double rawGainPerWeight = 1; // what a change of weight 1 gains, not tempered
  private double changesPerDay;
  private double rateChanges; // a
  private double spreadOfChanges; // seen when a was learned
  private long spreadOfRefreshes; // counted then
  private double gainPerWeight = 1;
  private double meanGain = 1;
  private boolean somePublish;
  private boolean someUnseen;

  private GainModel(GainParameters parameters, Instant now) {
    this.parameters = parameters;
    this.now = now;
    this.usefulnessWeight = new UsefulnessWeight();
    this.rateFactors = new Directories(parameters.directoryChanges());
    this.gainFactors = new Directories(parameters.directoryGains());
    this.usefulnessFactors = new Directories(ENTRIES);
    this.roundLength = new RoundLength();
    this.rateChanges = parameters.rateChanges();
  }

  /** What another model has learned, for another time; without the sums to learn more. */
  private GainModel(GainModel learned, Instant now) {
    this.parameters = learned.parameters;
    this.now = now;
    this.usefulnessWeight = learned.usefulnessWeight;
    this.rateFactors = learned.rateFactors.copy();
    this.gainFactors = learned.gainFactors.copy();
    this.usefulnessFactors = learned.usefulnessFactors.copy();
    this.roundLength = learned.roundLength.copy();
    this.meanUsefulness = learned.meanUsefulness;
    this.changesPerDay = learned.changesPerDay;
    this.rateChanges = learned.rateChanges;
    this.gainPerWeight = learned.gainPerWeight;
    this.meanGain = learned.meanGain;
    this.somePublish = learned.somePublish;
    this.someUnseen = learned.someUnseen;
  }

  /**
   * Learns from the pages known at {@code now}.
   *
   * @throws IllegalArgumentException if a page that was fetched has a sum that is not finite
   */
  static GainModel learn(KnownPages known, GainParameters parameters, Instant now) {
    GainModel model = new GainModel(parameters, now);
    model.learnRates(known);
    model.learnMeanGain(known);
    model.learnGains(known);
    model.updateMeans();
    return model;
  }

  /**
   * Counts a page that publishes nothing from now on. Weights, tempering and the spread of rates
   * stay as they were learned.
   *
   * @throws IllegalArgumentException if it has a sum that is not finite; then it is not counted
   */
  void count(KnownPage page) {
    addRates(page);
    FoundChanges found = found(page);
    replaceGains(FoundChanges.NONE, found);
    replaceTempered(page.directories(), FoundChanges.NONE, found);
  }

  /** Takes away what was counted of a page, which must be as it was then. */
  void discount(KnownPage page) {
    roundLength.add(page, -1);
    replaceWatched(page.directories(), Watched.of(page, now), Watched.NONE);
    FoundChanges found = found(page);
    replaceGains(found, FoundChanges.NONE);
    replaceTempered(page.directories(), found, FoundChanges.NONE);
  }

  /**
   * The same as to discount a page as it was and to count it as it is.
   *
   * @param after the same page, in the same directories, which it is not asked for
   * @throws IllegalArgumentException if it has a sum that is not finite; then nothing changes
   */
  void recount(KnownPage before, KnownPage after) {
    requireFinite(after);
    roundLength.add(before, -1);
    roundLength.add(after, 1);
    DirectoryPath directories = before.directories();
    replaceWatched(directories, Watched.of(before, now), Watched.of(after, now));
    FoundChanges foundBefore = found(before);
    FoundChanges found = found(after);
    replaceGains(foundBefore, found);
    replaceTempered(directories, foundBefore, found);
  }

  /** What was learned and counted so far, which no later page changes. */
  GainModel at(Instant time) {
    updateMeans();
    return new GainModel(this, time);
  }

  /**
   * Whether what only {@link #learn} works out, the usual usefulness, weights and tempering, would
   * come out differently now by more than a share, or how widely rates spread might, since changes
   * or refreshes have become half as many again, or two thirds.
   */
  boolean moved(double share) {
    return differs(usefulness.mean() > 0 ? usefulness.mean() : 1, meanUsefulness, share)
        || differs(meanOfGains(), rawGainPerWeight, share)
        || usefulnessWeight.moved(share)
        || (learnsSpread() && spreadMayDiffer());
  }

  private boolean spreadMayDiffer() {
    return far(seenChanges.value(), spreadOfChanges)
        || far((double) roundLength.refreshes(), (double) spreadOfRefreshes);
  }

  private static boolean far(double now, double then) {
    return now > FAR * then || then > FAR * now;
  }

  private static boolean differs(double value, double from, double share) {
    return Math.abs(value - from) > share * from;
  }

  private void learnRates(KnownPages known) {
    known.forEach(this::addRates);
    meanUsefulness = usefulness.mean() > 0 ? usefulness.mean() : 1;
  }

  private void addRates(KnownPage page) {
    if (page.neverFetched()) {
      someUnseen = true;
      return;
    }
    requireFinite(page);
    somePublish |= RecordedChanges.publishes(page);
    roundLength.add(page, 1);
    replaceWatched(page.directories(), Watched.NONE, Watched.of(page, now));
  }

  /**
   * What was seen of a page.
   *
   * @param useful 1 if its usefulness is known, else 0
   * @param usefulness 0 if it is not known
   * @param changes that were seen; 0 if it was not watched
   * @param days of watching, 0 or more
   */
  private record Watched(int useful, double usefulness, int changes, double days) {
    static final Watched NONE = new Watched(0, 0, 0, 0);

    static Watched of(KnownPage page, Instant now) {
      boolean known = isUsefulnessKnown(page);
      double days = RecordedChanges.watchedDays(page, now);
      return new Watched(
          known ? 1 : 0,
          known ? page.usefulness() : 0,
          days > 0 ? RecordedChanges.seenChanges(page) : 0,
          days > 0 ? days : 0);
    }
  }

  private void replaceWatched(DirectoryPath directories, Watched before, Watched after) {
    int more = after.useful - before.useful;
    if (more != 0 || before.usefulness != after.usefulness) {
      usefulness.replace(before.usefulness, after.usefulness, more);
      usefulnessFactors.replace(
          directories, before.usefulness, before.useful, after.usefulness, after.useful);
    }
    if (before.days > 0 || after.days > 0) {
      seenChanges.replace(before.changes, after.changes, 0);
      watchedDays.replace(before.days, after.days, 0);
      rateFactors.replace(directories, before.changes, before.days, after.changes, after.days);
    }
  }

  private static void requireFinite(KnownPage page) {
    RecordedChanges.requireFinite(page, "totalGain", page.totalGain());
    RecordedChanges.requireFinite(page, "totalRootGain", page.totalRootGain());
    RecordedChanges.requireFinite(page, "totalDays", page.totalDays());
  }

  private static boolean isUsefulnessKnown(PageHistory page) {
    double usefulness = page.usefulness();
    return usefulness >= 0 && usefulness <= Double.MAX_VALUE;
  }

  private void learnMeanGain(KnownPages known) {
    changesPerDay = usualRate();
    RateSpread spread = learnsSpread() ? new RateSpread(parameters.rateChanges()) : null;
    long oneIn = Math.max(1, known.size() / ENOUGH_RECORDS);
    known.forEach(
        page -> {
          replaceGains(FoundChanges.NONE, found(page));
          if (spread != null && isDrawn(page, oneIn)) {
            addVisits(page, spread);
          }
        });
    usefulnessWeight.learn();
    rawGainPerWeight = meanOfGains();
    if (spread != null) {
      rateChanges = spread.shape();
      spreadOfChanges = seenChanges.value();
      spreadOfRefreshes = roundLength.refreshes();
    }
  }

  /** Whether lots fall on a page, drawn by its record, so that its key need not be read. */
  private static boolean isDrawn(KnownPage page, long oneIn) {
    if (oneIn == 1) {
      return true;
    }
    long record =
        Double.doubleToLongBits(page.totalDays())
            ^ Long.rotateLeft(Double.doubleToLongBits(page.usefulness()), 32)
            ^ Long.rotateLeft(page.lastRefresh().toEpochMilli(), 16);
    return Long.remainderUnsigned(KeyedHash.number(record, 1), oneIn) == 0;
  }

  private boolean learnsSpread() {
    return parameters.rateSpread() && parameters.rateChanges() > 0;
  }

  /** A page that publishes tells how often it changes, whatever visits find. */
  private void addVisits(KnownPage page, RateSpread spread) {
    int visits = page.refreshes();
    if (visits > 1 && !page.neverFetched() && !RecordedChanges.publishes(page)) {
      double factor = rateFactors.factor(page.directories(), changesPerDay, 1);
      spread.add(visits, page.changes(), changesPerDay * factor * page.totalDays() / visits);
    }
  }

  private FoundChanges found(KnownPage page) {
    int count = RecordedChanges.fetchedChanges(page);
    return count > 0
        ? new FoundChanges(
            count, Math.max(0, page.totalGain()), page.totalRootGain(), relative(page))
        : FoundChanges.NONE;
  }

  private void replaceGains(FoundChanges before, FoundChanges after) {
    if (!before.equals(after)) { // a fetch that finds nothing new leaves them as they were
      totalGain.replace(before.gain(), after.gain(), 0);
      changes.replace(before.count(), after.count(), 0);
      if (parameters.useful()) {
        usefulnessWeight.replace(before, after);
      }
    }
  }

  /** The mean gain of a change; weights are 1 in the mean over changes. */
  private double meanOfGains() {
    return totalGain.value() > 0 && changes.value() > 0 ? totalGain.value() / changes.value() : 1;
  }

  /** The second look, with gains tempered by the first: what is kept is the mean of these. */
  private void learnGains(KnownPages known) {
    known.forEach(page -> replaceTempered(page.directories(), FoundChanges.NONE, found(page)));
  }

  private void replaceTempered(DirectoryPath directories, FoundChanges before, FoundChanges after) {
    if (!before.equals(after)) {
      double eachBefore = weight(before.relative());
      double each = weight(after.relative());
      double gainBefore = tempered(before.gain(), before.rootGain(), rawGainPerWeight * eachBefore);
      double gained = tempered(after.gain(), after.rootGain(), rawGainPerWeight * each);
      double weightBefore = before.count() * eachBefore;
      double weighed = after.count() * each;
      temperedGain.replace(gainBefore, gained, 0);
      totalWeight.replace(weightBefore, weighed, 0);
      gainFactors.replace(directories, gainBefore, weightBefore, gained, weighed);
    }
  }

  /** Works out means from the sums. */
  private void updateMeans() {
    changesPerDay = usualRate();
    // whole numbers cancel exactly, weights and gains may leave a trace of what was taken away
    boolean learned = changes.value() > 0 && totalWeight.value() > 0;
    gainPerWeight =
        learned && temperedGain.value() > 0 ? temperedGain.value() / totalWeight.value() : 1;
    meanGain = learned ? gainPerWeight * totalWeight.value() / changes.value() : 1;
  }

  /** The changes a day of all pages. */
  private double usualRate() {
    return (seenChanges.value() + 0.5) / (watchedDays.value() + 1);
  }

  /** Whether any page that was ever fetched publishes its changes. */
  boolean somePublish() {
    return somePublish;
  }

  /** Whether any page was never fetched. */
  boolean someUnseen() {
    return someUnseen;
  }

  /** See {@link RoundLength#days}. */
  double roundDays() {
    return roundLength.days(now);
  }

  /** How much a change of a page of relative usefulness is worth beside others. */
  private double weight(double relative) {
    return parameters.useful() ? usefulnessWeight.of(relative) : 1;
  }

  /** Usefulness beside the mean, a little more so that no page counts nothing; unknown is mean. */
  private double relative(KnownPage page) {
    double own = isUsefulnessKnown(page) ? page.usefulness() / meanUsefulness : 1;
    return own + parameters.usefulnessFloor();
  }

  /** Gains and their roots, tempered by what was expected of each. */
  private double tempered(double gain, double rootGain, double expected) {
    return parameters.temperGains() && gain > 0
        ? Math.min(gain, Math.sqrt(expected) * rootGain)
        : gain;
  }

  /**
   * λ(p), expected changes a day; 0 only when the record alone is trusted and has none. What the
   * page published until {@code time} counts, also since the model was learned.
   */
  double changesPerDay(KnownPage page, Instant time) {
    return changesPerDay(page, time, rateFactors.factor(page.directories(), changesPerDay, 1));
  }

  private double changesPerDay(KnownPage page, Instant time, double factor) {
    double days = RecordedChanges.watchedDays(page, time) + rateChanges / (changesPerDay * factor);
    return days > 0 ? (RecordedChanges.seenChanges(page) + rateChanges) / days : 0;
  }

  /** g(p), the expected ΔQ_A of one change; 0 only when the record alone is trusted. */
  double gainPerChange(KnownPage page) {
    return gainPerChange(page, gainFactors.factor(page.directories(), gainPerWeight, meanGain));
  }

  private double gainPerChange(KnownPage page, double factor) {
    double usual = gainPerWeight * weight(relative(page));
    double changes = RecordedChanges.fetchedChanges(page) + parameters.gainChanges();
    double expected = parameters.gainChanges() * usual * factor;
    double gained = tempered(Math.max(0, page.totalGain()), page.totalRootGain(), usual);
    return changes > 0 ? (gained + expected) / changes : 0;
  }

  /** λ(p)·g(p), the expected ΔQ_A of a day. */
  double gainPerDay(KnownPage page, Instant time) {
    return changesPerDay(page, time) * gainPerChange(page);
  }

  /**
   * Factors that no directory exceeds, in place of the page's own: what it takes to see, without
   * looking at its key, that a page cannot be among the best.
   */
  Ceiling ceiling() {
    double rate = rateFactors.largestFactor(changesPerDay, 1);
    double gain = gainFactors.largestFactor(gainPerWeight, meanGain);
    return (page, time) -> changesPerDay(page, time, rate) * gainPerChange(page, gain);
  }

  /** An upper bound of λ(p)·g(p), in ΔQ_A a day. */
  @FunctionalInterface
  interface Ceiling {
    double gainPerDay(KnownPage page, Instant time);
  }

  /**
   * What the first fetch of a page is expected to bring: half the usefulness that is usual in its
   * directory, and as its words promise, since the page takes the place of others, from which users
   * got something already. How much that was is not measured: the half is a choice.
   */
  double entryGain(KnownPage page) {
    return 0.5 * usualUsefulness(page) * page.wordFactor();
  }

  /** The usefulness that is usual in the directory of a page. */
  double usualUsefulness(PageHistory page) {
    return meanUsefulness
        * usefulnessFactors.factor(page.directories(), meanUsefulness, meanUsefulness);
  }

  /**
   * The usefulness that is usual in the directory of a page by all others alone, which is what was
   * to be expected before its fetch. The mean of all is that of now, so not for a model made {@link
   * #at} a time, which has no sums.
   *
   * @param page that was fetched, as it was when it was last learned from or counted
   * @return empty where no other page is of any use, so that nothing can be expected
   */
  OptionalDouble usualUsefulnessWithout(PageHistory page) {
    boolean counted = isUsefulnessKnown(page);
    double own = counted ? page.usefulness() : 0;
    double mean = counted ? usefulness.meanWithout(own) : usefulness.mean();
    if (mean <= 0) {
      return OptionalDouble.empty();
    }
    double factor =
        usefulnessFactors.factorWithout(page.directories(), own, counted ? 1 : 0, mean, mean);
    return OptionalDouble.of(mean * factor);
  }

  /** Writes everything learned, to be read by the same version. */
  void write(DataOutput out) throws IOException {
    for (StableSum sum : sums()) {
      sum.write(out);
    }
    usefulnessWeight.write(out);
    rateFactors.write(out);
    gainFactors.write(out);
    usefulnessFactors.write(out);
    out.writeDouble(meanUsefulness);
    out.writeDouble(rawGainPerWeight);
    out.writeDouble(rateChanges);
    out.writeDouble(spreadOfChanges);
    out.writeLong(spreadOfRefreshes);
    roundLength.write(out);
  }

  /**
   * Reads what was written by a model with the same parameters.
   *
   * @throws IOException if that is not finite
   */
  static GainModel read(DataInput in, GainParameters parameters, Instant now) throws IOException {
    GainModel model = new GainModel(parameters, now);
    for (StableSum sum : model.sums()) {
      sum.read(in);
    }
    model.usefulnessWeight.read(in);
    model.rateFactors.read(in);
    model.gainFactors.read(in);
    model.usefulnessFactors.read(in);
    model.meanUsefulness = in.readDouble();
    model.rawGainPerWeight = in.readDouble();
    model.rateChanges = in.readDouble();
    model.spreadOfChanges = in.readDouble();
    model.spreadOfRefreshes = in.readLong();
    model.roundLength.read(in);
    if (!model.sums().stream().allMatch(StableSum::isFinite)
        || !Double.isFinite(model.meanUsefulness + model.rawGainPerWeight + model.spreadOfChanges)
        || !(model.rateChanges > 0 && model.rateChanges <= parameters.rateChanges())) {
      throw new IOException("what was learned is not finite; learn again");
    }
    model.updateMeans();
    return model;
  }

  private List<StableSum> sums() {
    return List.of(
        usefulness, seenChanges, watchedDays, totalGain, changes, temperedGain, totalWeight);
  }
}
