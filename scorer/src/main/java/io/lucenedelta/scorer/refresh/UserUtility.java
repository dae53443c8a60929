// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.Objects;

/**
 * Fetches where waiting costs users most: the quality change of Pandey and Olston 2005, predicted
 * for every page and put into the utility of Olston and Pandey 2008.
 *
 * <p><b>Prediction.</b> A page changes λ times a day and a change is worth g, both shrunk from the
 * page's own record towards its site, directories and {@linkplain PageHistory#usefulness
 * usefulness}. So no page starves because it was never seen to change.
 *
 * <p><b>Utility.</b> With a loss that has grown to D(t) since the last refresh, a refresh now is
 * worth U(t) = t·D(t) − ∫D (2008, section 2.2): refreshing whatever has U ≥ T for one threshold T
 * minimises the mean loss for the number of refreshes. Three cases of it, all in ΔQ_A · days and so
 * comparable in one queue:
 *
 * <ul>
 *   <li>a page of which nothing is heard: D grows by λ·g a day, U = λ·g·t²/2 where decisions are
 *       made at any time, as on a live index, and λ·g·t·(t + P/2)/2 where they are made a period P
 *       apart, as in replays; times 1 + (t / three rounds)⁴, since λ and g can be wrong and only a
 *       refresh can tell ({@link GainParameters#agingRounds});
 *   <li>a page that published k changes since its last refresh: the loss grows by g at each change
 *       and the time between changes is 1/λ, U = g·k·(k+1)/2 / λ; without a published change, U =
 *       d·U₀(t) + (1 − d)·U₀(s) + U₀(s)·(s / three rounds)⁴, U₀ being the case above without its
 *       last factor, s the days since the site was {@linkplain PageFacts#heardUntil heard}, and d
 *       the doubt that remains, since publications can be wrong: {@link
 *       GainParameters#silenceDoubt}, or what the site was found {@linkplain
 *       PageFacts#unpublishedShare not to publish} if that is more;
 *   <li>a page that was never fetched: the loss x is there and stays until fetched, U = x·min(x/(λ
 *       g), horizon): x for as long as it takes until as much is lost again, if that grows by λ·g a
 *       day. A choice: the formula gives x²/(2λg) for such a loss, half of it; for a loss that
 *       comes in one step, as in the case before with k = 1, it gives all of it, g/λ for x = g.
 * </ul>
 *
 * <p>With {@link GainParameters#KNOWN} λ and g are the record's own means: the setting for
 * hindsight. Pages without a change in the record are then left alone, and a refresh is credited
 * until the end of the planned periods at most: where every period is planned at once, the end is
 * as known as the budget.
 *
 * <p><b>Nothing known waits for ever.</b> A published change of a page that seems worthless would
 * wait for ever, and so would a page that was never fetched: their utility does not grow. So a
 * small share of every batch ({@link LongestWaiting}) goes to those that have waited longest, since
 * the change was published or since the address is known, whatever their utility. The number of
 * such pages divided by that share of the budget is how many periods the last of them waits for its
 * turn: at most, to a period, where the share comes to whole places, and in the mean where it does
 * not, since the place that is left over is given by chance.
 *
 * <p>Starves nobody else: U grows with t², after some rounds with t⁶, and no rate is 0. Cost: three
 * passes over the pages to plan, none where storage keeps {@link LearnedGains}, one pass to pick;
 * memory for the budget and a fixed table.
 */
public final class UserUtility implements RefreshPolicy {
  private final GainParameters parameters;
  private final long seed;

  /** Learns by {@code parameters}, breaks ties by {@code seed}. */
  public UserUtility(GainParameters parameters, long seed) {
    this.parameters = Objects.requireNonNull(parameters, "parameters are needed, was null");
    this.seed = seed;
  }

  /** The strategy with default parameters. */
  public UserUtility(long seed) {
    this(GainParameters.LEARNING, seed);
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    GainModel model = learned(known, budget.first());
    return new UserUtilityPlan(model, parameters, budget, known.tellsWhenMoreIsKnown(), seed);
  }

  private GainModel learned(KnownPages known, Instant now) {
    return parameters.learnsLike(GainParameters.LEARNING)
        ? known
            .learned(now)
            .map(learned -> learned.at(now))
            .orElseGet(() -> GainModel.learn(known, parameters, now))
        : GainModel.learn(known, parameters, now);
  }
}
