// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Importance alone against equations 6 and 7: which page is passed at which rank. */
class ImportanceMeterTest {
  private static final IntFunction<String> KEY = "page-%04d"::formatted;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private double estimated;
  private double exact;
  private double apart;

  /** A page never counts for its own leaving, however important it is. */
  @Test
  void whatLeavesIsNotChargedItsOwnImportance() {
    Result result = new Result(new double[] {326_044, 20, 15, 3}, 1);
    double expected = 20 * views(1, 2) + 15 * views(2, 3) + 3 * views(3, 4);
    assertThat(result.change(0, false)).isCloseTo(expected, within(1e-6));
    assertThat(result.exactChange(0, false)).isCloseTo(expected, within(1e-9));
  }

  @Test
  void whatEntersTakesFromThePagesBehindIt() {
    Result result = new Result(new double[] {326_044, 20, 15, 3}, 1);
    result.leave(1);
    double expected = 20 * Math.pow(2, -1.5) - 15 * views(2, 3) - 3 * views(3, 4);
    assertThat(result.change(1, true)).isCloseTo(expected, within(1e-6));
    assertThat(result.exactChange(1, true)).isCloseTo(expected, within(1e-9));
  }

  /** Pages behind the tenth place may share a level with others of another importance. */
  @Test
  void amongTheFirstPositionsTheEstimateIsTheExactChange() {
    for (int round = 0; round < 300; round++) {
      measure(new Result(importances(1 + random.nextInt(10)), random.nextDouble()), 1e-6);
    }
    assertThat(estimated).as("seed %s", seed).isCloseTo(exact, within(1e-9 * exact));
  }

  @Test
  void onLongResultsTheEstimateFollowsTheExactChange() {
    for (int round = 0; round < 120; round++) {
      double share = round % 2 == 0 ? 1 : 0.05 + 0.3 * random.nextDouble();
      measure(new Result(importances(20 + random.nextInt(300)), share), Double.MAX_VALUE);
    }
    assertThat(estimated).as("seed %s", seed).isCloseTo(exact, within(0.01 * exact));
    assertThat(apart).as("seed %s", seed).isLessThan(0.02 * exact);
  }

  /** As when the importance itself is another one. */
  @Test
  void whatMovesBetweenTwoPlacesIsChargedThePagesItPasses() {
    for (int round = 0; round < 100; round++) {
      int pages = 2 + random.nextInt(8);
      double[] importance = new double[pages];
      for (int page = pages - 1; page >= 0; page--) {
        double next = page == pages - 1 ? 0 : importance[page + 1];
        importance[page] = next + 1 + random.nextInt(100) * random.nextInt(100);
      }
      Result result = new Result(importance, 1);
      int page = random.nextInt(pages);
      int target = random.nextInt(pages);
      if (target != page) { // to just behind another
        double change = result.meter().change(0, result.standing(page), 1 / (target + 1 + 0.5));
        assertThat(change)
            .as("%s → %s of %s, seed %s", page, target, pages, seed)
            .isCloseTo(
                result.exactChange(page, importance[page], importance[target]),
                within(1e-9 * importance[0]));
      }
    }
  }

  @Test
  void rankAndOwnPartAreThoseOfTheWholePlace() {
    Result result = new Result(new double[] {9, 7, 7, 7, 2}, 1);
    ShiftEffect leaves = result.meter().effect(0, result.standing(2), 0);
    assertThat(leaves.rankBefore()).isEqualTo(3);
    assertThat(leaves.rankAfter()).isInfinite();
    assertThat(leaves.own()).isZero();
    assertThat(leaves.others()).isCloseTo(7 * views(3, 4) + 2 * views(4, 5), within(1e-9));
    ShiftEffect enters = result.meter().effect(0, 0, result.standing(2));
    assertThat(enters.rankBefore()).isInfinite();
    assertThat(enters.rankAfter()).isEqualTo(3);
    assertThat(enters.own()).isCloseTo(7 * Math.pow(3, -1.5), within(1e-9));
    assertThat(enters.others()).isCloseTo(-7 * views(3, 5) - 2 * views(5, 6), within(1e-9));
  }

  /** What is pushed behind the last position is the last result, whatever level would come next. */
  @Test
  void behindTheLastResultAllPagesAreLikeTheLast() {
    double[] importance = new double[40];
    Arrays.fill(importance, 0, 20, 5);
    Arrays.fill(importance, 20, 40, 1);
    Result result = new Result(importance, 1);
    for (int page = 20; page < 40; page++) {
      result.leave(page);
    }
    ShiftEffect enters = result.meter().effect(0, 0, 1 / 10.5);
    assertThat(enters.rankAfter()).isEqualTo(11);
    assertThat(enters.others()).isCloseTo(-5 * views(11, 21), within(1e-9));
  }

  @Test
  void aPageUnknownToTheOrderThatStandsBehindAllOthersIsPassedLikeTheLast() {
    ImportanceOrder order = ImportanceOrder.builder().add("a", 9).add("b", 3).build();
    float[] standings = {1, 1 / 2f, order.standing("unknown", 2)};
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(1);
    table.put(0, KnotSample.of(standings, standings.length));
    ShiftMeter meter = order.over(table.build(), PowerLawViews.PAPER);
    assertThat(meter.change(0, 1, 0)).isCloseTo(3 * views(1, 3), within(1e-9));
  }

  /** The twelfth page is known: a level that ends with it ends neither before nor within it. */
  @Test
  void aLevelThatEndsWithTheTwelfthResultEndsHalfAPositionBehindIt() {
    double[] importance = new double[300];
    Arrays.fill(importance, 1);
    Arrays.fill(importance, 0, 12, 50);
    Result result = new Result(importance, 1);
    for (int page = 12; page < importance.length; page++) {
      if (page % 10 != 9) {
        result.leave(page);
      }
    }
    ShiftEffect leaves = result.meter().effect(0, result.standing(0), 0);
    assertThat(leaves.others()).isCloseTo(50 * views(1, 12) + views(12, 41), within(1e-9));
    ShiftEffect enters = result.meter().effect(0, 0, 1 / 5.5);
    assertThat(enters.others()).isCloseTo(-50 * views(6, 13) - views(13, 42), within(1e-9));
  }

  @Test
  void whatDoesNotMoveChangesNothing() {
    Result result = new Result(new double[] {9, 7, 2}, 1);
    ShiftEffect stays = result.meter().effect(0, result.standing(1), result.standing(1));
    assertThat(stays).isEqualTo(new ShiftEffect(2, 2, 0, 0));
    assertThat(result.meter().effect(0, 0, 0).total()).isZero();
  }

  @Test
  void whatIsNoStandingIsRefused() {
    ShiftMeter meter = new Result(new double[] {9, 7, 2}, 1).meter();
    for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      for (double other : new double[] {0, 0.5}) {
        assertThatIllegalArgumentException().isThrownBy(() -> meter.effect(0, bad, other));
        assertThatIllegalArgumentException().isThrownBy(() -> meter.effect(0, other, bad));
      }
    }
  }

  /** Half of them with a few levels, half with heavy tails; descending. */
  private double[] importances(int pages) {
    boolean fewLevels = random.nextBoolean();
    return random
        .doubles(pages, Double.MIN_NORMAL, 1)
        .map(u -> fewLevels ? 1 + Math.floor(4 * u) : Math.floor(Math.pow(u, -0.9)))
        .map(importance -> -importance)
        .sorted()
        .map(importance -> -importance)
        .toArray();
  }

  private void measure(Result result, double bound) {
    for (int page = 0; page < result.importance.length; page++) {
      boolean enters = !result.holds[page];
      double estimate = result.change(page, enters);
      double truth = result.exactChange(page, enters);
      assertThat(estimate).as("seed %s", seed).isNotNegative();
      assertThat(estimate)
          .as("page %s of %s, seed %s", page, result.importance.length, seed)
          .isCloseTo(truth, within(bound * Math.max(1, result.importance[page])));
      estimated += estimate;
      exact += truth;
      apart += Math.abs(estimate - truth);
    }
  }

  private static double views(int from, int to) {
    return Math.pow(from, -1.5) - Math.pow(to, -1.5);
  }

  /** Pages in order, of which a random share is in a result. */
  private final class Result {
    private final double[] importance;
    private final boolean[] holds;
    private final ImportanceOrder order;
    private ShiftMeter meter;

    Result(double[] importance, double share) {
      this.importance = importance;
      this.holds = new boolean[importance.length];
      ImportanceOrder.Builder builder = ImportanceOrder.builder();
      for (int page = 0; page < importance.length; page++) {
        builder.add(KEY.apply(page), importance[page]);
        holds[page] = random.nextDouble() < share;
      }
      this.order = builder.build();
    }

    void leave(int page) {
      holds[page] = false;
      meter = null;
    }

    double standing(int page) {
      return order.standing(KEY.apply(page), importance[page]);
    }

    ShiftMeter meter() {
      if (meter == null) {
        float[] standings = new float[importance.length];
        int size = 0;
        for (int page = 0; page < importance.length; page++) {
          if (holds[page]) {
            standings[size++] = (float) standing(page);
          }
        }
        OnHeapRankTable.Builder table = OnHeapRankTable.builder(1);
        table.put(0, KnotSample.of(standings, size));
        meter = order.over(table.build(), PowerLawViews.PAPER);
      }
      return meter;
    }

    double change(int page, boolean enters) {
      double standing = standing(page);
      return meter().change(0, enters ? 0 : standing, enters ? standing : 0);
    }

    double exactChange(int page, boolean enters) {
      return exactChange(page, enters ? 0 : importance[page], enters ? importance[page] : 0);
    }

    /** Pages are in the order of their keys, too. */
    double exactChange(int page, double before, double after) {
      ExactShift shift = new ExactShift(PowerLawViews.PAPER);
      shift.begin(before, after);
      for (int other = 0; other < importance.length; other++) {
        if (other != page && holds[other]) {
          shift.other(importance[other], other < page || (before > 0 && after > 0));
        }
      }
      return shift.change();
    }
  }
}
