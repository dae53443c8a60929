// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Changing what happens after a week does not change what an online strategy did up to it. */
class NoStrategySeesTheFutureTest {
  private static final int WEEKS = 12;
  private static final int LAST_COMMON = 7;

  @Test
  void changingTheFutureDoesNotChangeAnOnlineStrategysPresent() {
    RandomCrawl one = new RandomCrawl(11, 40, WEEKS);
    RandomCrawl other = new RandomCrawl(11, 40, WEEKS);
    Random random = new Random(5);
    for (int week = LAST_COMMON + 1; week < WEEKS; week++) {
      for (Map.Entry<String, String> page : other.weeks.get(week).entrySet()) {
        page.setValue(RandomCrawl.text(random));
      }
    }
    Map<String, List<String>> expected = fetchesUpToLastCommon(one);
    Map<String, List<String>> actual = fetchesUpToLastCommon(other);
    assertThat(expected).hasSizeGreaterThan(4);
    expected.forEach((run, fetches) -> assertThat(actual.get(run)).as(run).isEqualTo(fetches));
    assertThat(one.weeks).isNotEqualTo(other.weeks);
  }

  /** What every online strategy fetched, by strategy and budget. */
  private static Map<String, List<String>> fetchesUpToLastCommon(RandomCrawl crawl) {
    ReplayRequest request =
        ReplayRequest.of(crawl.workload)
            .withPolicies(Strategies.names())
            .withKnowledge(Knowledge.ONLINE, 0.5);
    World world = World.of(crawl.corpus(), request, EnumSet.allOf(Estimate.class));
    Map<String, List<String>> fetches = new TreeMap<>();
    for (Strategy strategy : Strategies.of(request)) {
      for (String budget : List.of("2", "20%")) {
        if (strategy.knowledge() == Knowledge.ONLINE) {
          Run run = new Run(new Run.Order(world, strategy, Budget.of(budget), false));
          run.execute();
          fetches.put(
              strategy.policy() + " " + strategy.settings() + " " + budget,
              fetchesUpToLastCommon(world.corpus(), run.visits()));
        }
      }
    }
    return fetches;
  }

  private static List<String> fetchesUpToLastCommon(ReplayCorpus corpus, VisitLog visits) {
    List<String> fetches = new ArrayList<>();
    for (int page = 0; page < corpus.pageCount(); page++) {
      for (int visit = 0; visit < visits.size(page); visit++) {
        if (visits.week(page, visit) <= LAST_COMMON) {
          fetches.add(corpus.page(page) + " in week " + visits.week(page, visit));
        }
      }
    }
    return fetches;
  }
}
