// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.Clairvoyant;
import io.lucenedelta.scorer.refresh.NeverRefresh;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.UserCentric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The catalogue: every strategy by name, with the settings a replay tries. */
public final class Strategies {
  /** The lower reference, part of every replay. */
  static final String NEVER = "never";

  private static final Map<String, Entry> CATALOGUE = catalogue();

  private Strategies() {}

  /** What a strategy offers for a request. */
  private interface Entry {
    List<Strategy> strategies(String name, ReplayRequest request);
  }

  /** The names of all strategies. */
  public static List<String> names() {
    return List.copyOf(CATALOGUE.keySet());
  }

  /**
   * Checks a name.
   *
   * @throws IllegalArgumentException with all names, if there is no such strategy
   */
  static void require(String name) {
    if (!CATALOGUE.containsKey(name)) {
      throw new IllegalArgumentException(
          "no strategy '" + name + "': choose from " + String.join(", ", CATALOGUE.keySet()));
    }
  }

  /** The strategies of a request, {@link #NEVER} first whether asked for or not. */
  static List<Strategy> of(ReplayRequest request) {
    List<Strategy> strategies = new ArrayList<>(CATALOGUE.get(NEVER).strategies(NEVER, request));
    for (String name : request.policies().stream().distinct().toList()) {
      if (!name.equals(NEVER)) {
        strategies.addAll(CATALOGUE.get(name).strategies(name, request));
      }
    }
    return strategies;
  }

  private static Map<String, Entry> catalogue() {
    Map<String, Entry> entries = new LinkedHashMap<>();
    entries.put(
        NEVER, (name, request) -> List.of(plain(name, request, seed -> new NeverRefresh())));
    entries.put(
        "user-centric",
        (name, request) -> {
          Strategy ours = plain(name, request, UserCentric::new);
          return List.of(
              ours,
              new Strategy(
                  name,
                  "estimate=paper",
                  ours.knowledge(),
                  Estimate.PAPER,
                  ours.hints(),
                  ours.maker()));
        });
    entries.put(
        "uniform",
        (name, request) -> {
          boolean hindsight = request.knowledge() == Knowledge.HINDSIGHT;
          return List.of(plain(name, request, seed -> new Uniform(hindsight, seed)));
        });
    entries.put(
        "clairvoyant",
        (name, request) ->
            List.of(
                new Strategy(
                    name,
                    "",
                    Knowledge.HINDSIGHT,
                    Estimate.MULTI_TERM,
                    hints(request),
                    Clairvoyant::new)));
    return entries;
  }

  private interface SeededMaker {
    io.lucenedelta.scorer.refresh.RefreshPolicy make(long seed);
  }

  private static Strategy plain(String name, ReplayRequest request, SeededMaker maker) {
    return new Strategy(
        name,
        "",
        request.knowledge(),
        Estimate.MULTI_TERM,
        hints(request),
        (foresight, seed) -> maker.make(seed));
  }

  private static double hints(ReplayRequest request) {
    return request.hints() == null ? 0 : request.hints();
  }
}
