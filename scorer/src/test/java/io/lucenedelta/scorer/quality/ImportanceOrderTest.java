// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ImportanceOrderTest {
  private static final ExactQuality EXACT = new ExactQuality(PowerLawViews.PAPER);

  @Test
  void pagesStandByImportanceAndAmongEqualsByKey() {
    ImportanceOrder order =
        ImportanceOrder.builder().add("b", 1).add("c", 7).add("a", 1).add("d", 3).build();
    assertThat(order.standing("c", 7)).isEqualTo(1f);
    assertThat(order.standing("d", 3)).isEqualTo(1 / 2f);
    assertThat(order.standing("a", 1)).isEqualTo(1 / 3f);
    assertThat(order.standing("b", 1)).isEqualTo(1 / 4f);
  }

  @Test
  void aPageThatTheOrderDoesNotKnowTakesThePlaceItWouldHave() {
    ImportanceOrder order = ImportanceOrder.builder().add("a", 1).add("c", 1).build();
    assertThat(order.standing("b", 1)).isEqualTo(1 / 2f);
    assertThat(order.standing("x", 9)).isEqualTo(1f);
    assertThat(order.standing("z", 0.5)).isEqualTo(1 / 3f);
  }

  @Test
  void anOrderThatWasTakenApartIsPutTogetherAgainWhateverTheOrderOfItsParts() {
    // three of 300 pages are kept: places 1, 101 and 201
    ImportanceOrder order =
        ImportanceOrder.of(300, new String[] {"b", "c", "a"}, new double[] {1, 7, 1});
    assertThat(order.pages()).isEqualTo(300);
    assertThat(order.sampled()).isEqualTo(3);
    String[] keys = {"c", "a", "b"};
    double[] importances = {7, 1, 1};
    for (int place = 0; place < 3; place++) {
      assertThat(order.sampledKey(place)).isEqualTo(keys[place]);
      assertThat(order.sampledImportance(place)).isEqualTo(importances[place]);
      assertThat(order.standing(keys[place], importances[place]))
          .isEqualTo((float) (1 / (1 + 100.0 * place)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ImportanceOrder.of(2, new String[2], new double[1]))
        .withMessage("every page needs an importance, got 2 pages and 1 importances");
  }

  @Test
  void aPageBehindAllOthersIsOfTheLastLevel() {
    ImportanceOrder order = ImportanceOrder.builder().add("a", 2).add("c", 1).build();
    assertThat(order.levels()).isEqualTo(2);
    assertThat(order.levelAt(1 / order.standing("z", 0.5))).isEqualTo(1);
  }

  @Test
  void manyPagesAreSampledAndPlacesStayNearlyRight() {
    int pages = 200_000;
    ImportanceOrder.Builder builder = ImportanceOrder.builder();
    for (int page = 0; page < pages; page++) {
      builder.add("page-" + page, pages - page);
    }
    ImportanceOrder order = builder.build();
    assertThat(order.pages()).isEqualTo(pages);
    assertThat(order.sampled()).isBetween(1 << 14, 1 << 16);
    for (int page : new int[] {20_000, 100_000, 199_000}) {
      assertThat(1.0 / order.standing("page-" + page, pages - page))
          .isCloseTo(page + 1, within(0.05 * page));
    }
  }

  @Test
  void whichPagesAreKeptNobodyKnowsWhoDoesNotKnowTheSeed() {
    long[] seeds = {7, 8};
    List<Set<String>> kept = new ArrayList<>();
    for (long seed : seeds) {
      ImportanceOrder.Builder builder = ImportanceOrder.builder(seed);
      for (int page = 0; page < 70_000; page++) {
        builder.add("page-" + page, 1);
      }
      ImportanceOrder order = builder.build();
      kept.add(
          IntStream.range(0, order.sampled())
              .mapToObj(order::sampledKey)
              .collect(Collectors.toSet()));
    }
    Set<String> both = new HashSet<>(kept.get(0));
    both.retainAll(kept.get(1));
    assertThat(both).as("a quarter of all").hasSizeBetween(17_000, 18_000);
  }

  @Test
  void asManyPagesAsASampleHoldsAllCount() {
    int most = 1 << 16;
    ImportanceOrder.Builder builder = ImportanceOrder.builder();
    for (int page = 0; page < most; page++) {
      builder.add("page-" + page, most - page);
    }
    ImportanceOrder order = builder.build();
    assertThat(order.sampled()).isEqualTo(most);
    assertThat(order.standing("page-65535", 1)).isEqualTo(1f / most);
  }

  @Test
  void aPageThatEntersAnOrderWithoutPagesIsWorthTheLeast() {
    ImportanceOrder order = ImportanceOrder.builder().build();
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(1);
    table.put(0, KnotSample.of(new float[0], 0));
    ShiftMeter meter = order.over(table.build(), PowerLawViews.PAPER);
    double standing = order.standing("a", 7);
    assertThat(standing).isEqualTo(1);
    assertThat(meter.change(0, 0, standing)).isEqualTo(1);
    assertThat(meter.change(0, standing, 0)).isNotNegative();
    assertThat(meter.entry(0, standing)).isEqualTo(1);
  }

  @Test
  void importanceThatIsNotPositiveAndFiniteIsRefused() {
    for (double bad : new double[] {0, -1, Double.POSITIVE_INFINITY, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ImportanceOrder.builder().add("a", bad))
          .withMessage("importance must be positive and finite, was " + bad + " for page a");
    }
  }

  /**
   * Where every page has the same importance, entering is worth I(N + 1) exactly wherever the page
   * stands, and leaving what the pages behind it gain.
   */
  @Test
  void amongEqualsThePlaceOfThePageDecidesWhatItsLeavingIsWorth() {
    World world = new World(40, new Random(3), 1);
    ShiftMeter meter = world.meter();
    for (int page = 0; page < 40; page += 7) {
      double standing = world.standing(page);
      double rank = page + 1;
      double expected = Math.pow(rank, -1.5) - Math.pow(40, -1.5);
      assertThat(meter.change(0, standing, 0)).isCloseTo(expected, within(1e-3));
      assertThat(meter.change(0, 0, standing)).isCloseTo(Math.pow(41, -1.5), within(1e-9));
    }
  }

  @Test
  void aPageThatMovesStandsAtTheLastPlaceItPassed() {
    ShiftMeter meter = new World(40, new Random(3), 1).meter();
    // from 5 to between 2 and 3 it passes the pages at 4 and 3 and stands at 3
    ShiftEffect rise = meter.effect(0, 1 / 5.0, 1 / 2.5);
    assertThat(rise.rankAfter()).isCloseTo(3, within(0.02));
    assertThat(rise.own()).isCloseTo(Math.pow(3, -1.5) - Math.pow(5, -1.5), within(2e-3));
    // from 2 to between 4 and 5 it passes those at 3 and 4 and stands at 4
    ShiftEffect fall = meter.effect(0, 1 / 2.0, 1 / 4.5);
    assertThat(fall.rankAfter()).isCloseTo(4, within(0.02));
    assertThat(fall.own()).isCloseTo(Math.pow(4, -1.5) - Math.pow(2, -1.5), within(2e-3));
  }

  @Test
  void pagesOfDifferentImportanceShareALevelOnlyWithinATenthOfTheirPlace() {
    int pages = 60;
    ImportanceOrder.Builder builder = ImportanceOrder.builder();
    for (int place = 1; place <= pages; place++) {
      builder.add("page-" + place, 100 - place); // all different, mean 100 less the mean place
    }
    ImportanceOrder order = builder.build();
    for (int first = 1, level = 0; first <= pages; level++) {
      int last = first;
      while (last < pages && last + 1 <= 1.1 * first) {
        last++;
      }
      assertThat(order.levelAt(first)).as("place %s", first).isEqualTo(level);
      assertThat(order.levelAt(last)).as("place %s", last).isEqualTo(level);
      assertThat(order.importance(level))
          .as("level %s", level)
          .isCloseTo(100 - (first + last) / 2.0, within(1e-9));
      first = last + 1;
    }
  }

  @Test
  void pagesOfTheLargestImportanceAreWorthWhatEachOfThemIs() {
    ImportanceOrder.Builder builder = ImportanceOrder.builder();
    for (String key : new String[] {"a", "b", "c"}) {
      builder.add(key, Double.MAX_VALUE);
    }
    assertThat(builder.build().importance(0)).isEqualTo(Double.MAX_VALUE);
    // what the first level is worth leaves nothing in the second
    ImportanceOrder two = ImportanceOrder.builder().add("a", 1e300).add("b", 3).build();
    assertThat(two.importance(two.levels() - 1)).isEqualTo(3);
  }

  /** 1/25 in single precision is less than 1/25: its inverse lies behind the place. */
  @Test
  void theLastPageOfALevelIsOfThatLevel() {
    int pages = 60;
    ImportanceOrder.Builder builder = ImportanceOrder.builder();
    for (int place = 1; place <= pages; place++) {
      builder.add("page-%02d".formatted(place), place <= 25 ? 9 : 1);
    }
    ImportanceOrder order = builder.build();
    float standing = order.standing("page-25", 9);
    assertThat(1.0 / standing).isGreaterThan(25);
    assertThat(order.importance(order.levelAt(1.0 / standing))).isEqualTo(9);
    assertThat(order.importance(order.levelAt(1.0 / order.standing("page-26", 1)))).isEqualTo(1);
    assertThat(order.standingAtEnd(0)).isEqualTo(1 / 25.5);
  }

  @Test
  void aLevelOfASampleEndsHalfWayToTheNextPageThatIsKept() {
    // places 1, 101 and 201
    ImportanceOrder order =
        ImportanceOrder.of(300, new String[] {"a", "b", "c"}, new double[] {9, 5, 1});
    assertThat(order.levels()).isEqualTo(3);
    for (int level = 0; level < 3; level++) {
      assertThat(order.standingAtEnd(level)).isEqualTo(1 / (51 + 100.0 * level));
      assertThat(order.levelAt(50 + 100.0 * level)).isEqualTo(level);
    }
  }

  @Test
  void onRandomWorldsTheEstimateFollowsTheExactChange() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    double estimated = 0;
    double exact = 0;
    double apart = 0;
    for (int round = 0; round < 60; round++) {
      World world = new World(20 + random.nextInt(300), random, 5);
      ShiftMeter meter = world.meter();
      for (int page = 0; page < world.pages; page++) {
        if (world.score[page] > 0) {
          double change = meter.change(0, world.standing(page), 0);
          double truth = world.exactChangeWithout(page);
          assertThat(change).as("seed %s", seed).isNotNegative();
          estimated += change;
          exact += truth;
          apart += Math.abs(change - truth);
        }
      }
    }
    assertThat(estimated).as("seed %s", seed).isCloseTo(exact, within(0.01 * exact));
    assertThat(apart).as("seed %s", seed).isLessThan(0.02 * exact);
  }

  /** Pages with importances of many ties, of which a random half match one query. */
  private static final class World {
    private final int pages;
    private final double[] importance;
    private final double[] score; // 0 where the page does not match
    private final ImportanceOrder order;

    World(int pages, Random random, int levels) {
      this.pages = pages;
      this.importance = new double[pages];
      this.score = new double[pages];
      ImportanceOrder.Builder builder = ImportanceOrder.builder();
      for (int page = 0; page < pages; page++) {
        double level = random.nextInt(levels) * random.nextDouble();
        importance[page] = 1 + Math.floor(level * level);
        score[page] = levels == 1 || random.nextBoolean() ? importance[page] : 0;
        builder.add(key(page), importance[page]);
      }
      this.order = builder.build();
    }

    private static String key(int page) {
      return "page-%04d".formatted(page);
    }

    double standing(int page) {
      return order.standing(key(page), importance[page]);
    }

    ShiftMeter meter() {
      float[] standings = new float[pages];
      for (int page = 0; page < pages; page++) {
        standings[page] = score[page] > 0 ? (float) standing(page) : 0;
      }
      OnHeapRankTable.Builder table = OnHeapRankTable.builder(1);
      table.put(0, KnotSample.of(standings, pages));
      return order.over(table.build(), PowerLawViews.PAPER);
    }

    double exactChangeWithout(int page) {
      double[] after = score.clone();
      after[page] = 0;
      return EXACT.change(score, after, after);
    }
  }
}
