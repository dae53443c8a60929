// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.function.Consumer;

/**
 * How {@link UserUtility} weighs a page's own record against what other pages teach.
 *
 * <p>Every estimate has the form (own sum + weight · expectation) / (own size + weight): the weight
 * says how much own record counts as much as the expectation. All weights are in natural units, so
 * that they mean the same on any crawl. All crawls share the defaults; {@code docs/user-utility.md}
 * in the project's sources tells by which crawls they were chosen, and what halving and doubling
 * each costs.
 *
 * @param rateChanges the most changes for which the neighbours' rate of change counts beside those
 *     of the page's own record, a in the formula above; 0 trusts the record alone
 * @param rateSpread whether they are fewer where visits show that pages change far more, or less,
 *     often than their neighbours: down to a sixteenth
 * @param gainChanges changes after which a page's own gains count as much as its expectation for
 *     what a change is worth; 0 trusts the record alone
 * @param useful whether the {@linkplain PageHistory#usefulness usefulness} of a page tells what its
 *     changes are worth; how much it tells is learned
 * @param usefulnessFloor what a useless page still counts, as a share of the mean usefulness: it
 *     may become useful when it changes
 * @param directoryChanges changes after which a directory's own rate counts as much as its parent's
 * @param directoryGains mean gains after which a directory's own worth of a change counts as much
 *     as its parent's; large because gains are heavy-tailed
 * @param temperGains whether a gain above its expectation counts by the geometric mean of the two
 * @param lookAhead whether utility counts for how long a gain will last (2008, section 2.2);
 *     without it, the gain of today alone, as in 2005
 * @param silenceDoubt what an unpublished change of a page that publishes its changes counts, as a
 *     share of that of a page that publishes nothing, in [0, 1]
 * @param horizonDays for how many days at most a gain that is there for the taking is credited
 * @param planToEnd whether the end of the planned periods counts: a refresh of a page of which
 *     nothing is heard pays until then at most
 * @param waitingShare share of every batch that goes to the published changes and the pages never
 *     fetched that have waited longest, whatever they seem to be worth, in [0, 1]: nothing that is
 *     known waits for ever
 * @param agingRounds rounds a page that publishes nothing has waited for when its utility is taken
 *     twice, a round being the time in which there is a refresh for every page; infinite for never.
 *     Estimates that are wrong cannot keep a page away for much longer
 */
public record GainParameters(
    double rateChanges,
    boolean rateSpread,
    double gainChanges,
    boolean useful,
    double usefulnessFloor,
    double directoryChanges,
    double directoryGains,
    boolean temperGains,
    boolean lookAhead,
    double silenceDoubt,
    double horizonDays,
    double waitingShare,
    double agingRounds,
    boolean planToEnd) {
  /**
   * For records that have to be learned from: a page's own counts as much as what is expected of
   * it, for what a change is worth after three of its changes, for how often it changes after the
   * time in which its neighbours make three, or sooner where these are found to be unlike each
   * other. No length of time, so that pages visited every hour and such as change once in years are
   * learned from alike; on a live index there is none in the utility either ({@link
   * RefreshBudget#atAnyTime(int, java.time.Instant)}). Where neighbours change about once in four
   * months that is a year. Pages age by three rounds: below that, who waits for how long is what
   * the strategy decides.
   *
   * <p>A directory needs twice as many changes as a page to be unlike its parent, since a few of
   * its pages may have made them all. A page that no query shows is taken to be a fiftieth as
   * useful as the mean one: utility grows with the square of the time, so it is looked at seven
   * times less often than the mean page if gains go by usefulness itself, 2.7 times if they go by
   * its root, the smallest power that is weighed, and never left out. One change in a hundred of a
   * page that publishes is taken to go unsaid: what fetches find on a site, up to 128 changes,
   * cannot tell less. A gain is credited for a year at most, within which whatever has seasons has
   * had them all. For the last two any number of that order does.
   */
  public static final GainParameters LEARNING =
      new GainParameters(
          3, // rateChanges
          true, // rateSpread
          3, // gainChanges
          true, // useful
          0.02, // usefulnessFloor
          6, // directoryChanges
          40, // directoryGains
          true, // temperGains
          true, // lookAhead
          0.01, // silenceDoubt
          365, // horizonDays
          0.05, // waitingShare
          3, // agingRounds
          false); // planToEnd

  /**
   * For parameters that are known rather than estimated, as in hindsight: the record alone, nothing
   * of neighbours. A page without a change in its record is taken to be static. All periods are
   * planned at once, so their end is known too.
   */
  public static final GainParameters KNOWN =
      LEARNING
          .withRateChanges(0)
          .withGainChanges(0)
          .withTemperGains(false)
          .withSilenceDoubt(0)
          .withWaitingShare(0)
          .withAgingRounds(Double.POSITIVE_INFINITY)
          .withPlanToEnd(true);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is outside its range
   */
  public GainParameters {
    requireNotNegative("rateChanges", rateChanges);
    requireNotNegative("gainChanges", gainChanges);
    requireShare("silenceDoubt", silenceDoubt);
    requirePositive("usefulnessFloor", usefulnessFloor);
    requirePositive("directoryChanges", directoryChanges);
    requirePositive("directoryGains", directoryGains);
    requirePositive("horizonDays", horizonDays);
    requireShare("waitingShare", waitingShare);
    if (!(agingRounds > 0)) {
      throw new IllegalArgumentException("agingRounds must be positive, was " + agingRounds);
    }
  }

  private static void requireShare(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " must lie between 0 and 1, was " + value);
    }
  }

  private static void requireNotNegative(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be 0 or more and finite, was " + value);
    }
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be positive and finite, was " + value);
    }
  }

  /** With another {@link #rateChanges}. */
  public GainParameters withRateChanges(double value) {
    return with(draft -> draft.rateChanges = value);
  }

  /** With or without learning how widely rates spread. */
  public GainParameters withRateSpread(boolean learned) {
    return with(draft -> draft.rateSpread = learned);
  }

  /** With another {@link #gainChanges}. */
  public GainParameters withGainChanges(double value) {
    return with(draft -> draft.gainChanges = value);
  }

  /** Whether both learn the same of the same pages, whatever waiting counts. */
  boolean learnsLike(GainParameters other) {
    return equals(other.withWaitingShare(waitingShare).withAgingRounds(agingRounds));
  }

  /** With or without regard to the usefulness of pages. */
  public GainParameters withUseful(boolean counts) {
    return with(draft -> draft.useful = counts);
  }

  /** With another {@link #usefulnessFloor}. */
  public GainParameters withUsefulnessFloor(double value) {
    return with(draft -> draft.usefulnessFloor = value);
  }

  /** With another {@link #silenceDoubt}. */
  public GainParameters withSilenceDoubt(double value) {
    return with(draft -> draft.silenceDoubt = value);
  }

  /** With another {@link #horizonDays}. */
  public GainParameters withHorizonDays(double value) {
    return with(draft -> draft.horizonDays = value);
  }

  /** With another {@link #waitingShare}. */
  public GainParameters withWaitingShare(double value) {
    return with(draft -> draft.waitingShare = value);
  }

  /** With another {@link #agingRounds}. */
  public GainParameters withAgingRounds(double value) {
    return with(draft -> draft.agingRounds = value);
  }

  /** With other weights of what directories expect. */
  public GainParameters withDirectories(double changes, double gains) {
    return with(
        draft -> {
          draft.directoryChanges = changes;
          draft.directoryGains = gains;
        });
  }

  /** With or without the end of the planned periods. */
  public GainParameters withPlanToEnd(boolean counts) {
    return with(draft -> draft.planToEnd = counts);
  }

  /** With or without tempering of large gains. */
  public GainParameters withTemperGains(boolean temper) {
    return with(draft -> draft.temperGains = temper);
  }

  /** With or without counting for how long a gain will last. */
  public GainParameters withLookAhead(boolean ahead) {
    return with(draft -> draft.lookAhead = ahead);
  }

  private GainParameters with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.parameters();
  }

  /** The same values, to be changed. */
  private static final class Draft {
    private double rateChanges;
    private boolean rateSpread;
    private double gainChanges;
    private boolean useful;
    private double usefulnessFloor;
    private double directoryChanges;
    private double directoryGains;
    private boolean temperGains;
    private boolean lookAhead;
    private double silenceDoubt;
    private double horizonDays;
    private double waitingShare;
    private double agingRounds;
    private boolean planToEnd;

    Draft(GainParameters parameters) {
      rateChanges = parameters.rateChanges;
      rateSpread = parameters.rateSpread;
      gainChanges = parameters.gainChanges;
      useful = parameters.useful;
      usefulnessFloor = parameters.usefulnessFloor;
      directoryChanges = parameters.directoryChanges;
      directoryGains = parameters.directoryGains;
      temperGains = parameters.temperGains;
      lookAhead = parameters.lookAhead;
      silenceDoubt = parameters.silenceDoubt;
      horizonDays = parameters.horizonDays;
      waitingShare = parameters.waitingShare;
      agingRounds = parameters.agingRounds;
      planToEnd = parameters.planToEnd;
    }

    GainParameters parameters() {
      return new GainParameters(
          rateChanges,
          rateSpread,
          gainChanges,
          useful,
          usefulnessFloor,
          directoryChanges,
          directoryGains,
          temperGains,
          lookAhead,
          silenceDoubt,
          horizonDays,
          waitingShare,
          agingRounds,
          planToEnd);
    }
  }
}
