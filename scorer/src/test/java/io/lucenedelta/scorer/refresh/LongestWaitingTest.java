// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LongestWaitingTest {
  private static final Instant NOW = TestPage.day(100);

  private static LongestWaiting ofBatch(int size, Instant now) {
    return new LongestWaiting(GainParameters.LEARNING, size, now, 1);
  }

  @Test
  void oneInTwentyHasAPlaceTheOneThatWaitsLongest() {
    LongestWaiting waiting = ofBatch(40, NOW);
    List<Integer> days = new ArrayList<>(IntStream.range(0, 30).boxed().toList());
    Collections.shuffle(days, new Random(7));
    days.forEach(day -> waiting.offer("since " + day, TestPage.day(day)));
    assertThat(waiting.pages()).containsExactly("since 0", "since 1");
  }

  @Test
  void smallBatchesHaveAPlaceNowAndThen() {
    int places = 0;
    for (int time = 0; time < 2_000; time++) {
      LongestWaiting waiting = ofBatch(1, NOW.plusSeconds(time));
      waiting.offer("page", TestPage.day(1));
      assertThat(waiting.hasPlaces()).isEqualTo(!waiting.pages().isEmpty());
      places += waiting.pages().size();
    }
    assertThat(places).as("of 2,000 batches of one").isBetween(60, 140);
  }

  @Test
  void aBatchOfNoPagesHasNoPlaceAtAnyTime() {
    for (int time = 0; time < 200; time++) {
      assertThat(ofBatch(0, NOW.plusSeconds(time)).hasPlaces()).isFalse();
      assertThat(ofBatch(20, NOW.plusSeconds(time)).hasPlaces()).isTrue();
    }
  }

  @Test
  void theShareIsThatOfTheParameters() {
    LongestWaiting waiting =
        new LongestWaiting(GainParameters.LEARNING.withWaitingShare(0.5), 6, NOW, 1);
    IntStream.range(0, 30).forEach(day -> waiting.offer("since " + day, TestPage.day(day)));
    assertThat(waiting.pages()).hasSizeBetween(3, 4).startsWith("since 0", "since 1", "since 2");
  }

  @Test
  void anotherSeedGivesPlacesAtOtherTimesAndChoosesOthersOfThoseThatWaitEquallyLong() {
    Set<List<Integer>> times = new HashSet<>();
    Set<Set<String>> chosen = new HashSet<>();
    for (int seed = 0; seed < 5; seed++) {
      List<Integer> given = new ArrayList<>();
      for (int time = 0; time < 200; time++) {
        Instant now = NOW.plusSeconds(time);
        LongestWaiting one = new LongestWaiting(GainParameters.LEARNING, 1, now, seed);
        if (one.mayTake(TestPage.START)) {
          given.add(time);
        }
      }
      times.add(given);
      LongestWaiting waiting = new LongestWaiting(GainParameters.LEARNING, 40, NOW, seed);
      IntStream.range(0, 99).forEach(page -> waiting.offer("p" + page, TestPage.START));
      chosen.add(waiting.pages());
    }
    assertThat(times).hasSize(5);
    assertThat(chosen).hasSize(5);
  }

  @Test
  void noneOfThemIsMissedWhereOnlyThoseAreOfferedThatCanBeAmongThem() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      LongestWaiting all = ofBatch(40, NOW);
      LongestWaiting some = ofBatch(40, NOW);
      int spared = 0;
      for (int page = 0; page < 100; page++) {
        Instant since = TestPage.day(random.nextInt(9));
        all.offer("p" + page, since);
        if (some.mayTake(since)) {
          some.offer("p" + page, since);
        } else {
          spared++;
        }
      }
      assertThat(some.pages()).as("seed %d, round %d", seed, round).isEqualTo(all.pages());
      assertThat(spared).as("seed %d, round %d", seed, round).isPositive();
    }
  }

  @Test
  void aBatchHoldsThemAllAndTheBestOfTheOthers() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      int budget = random.nextInt(12);
      List<RefreshCandidate> best = new ArrayList<>();
      for (int i = random.nextInt(budget + 1); i > 0; i--) {
        best.add(new RefreshCandidate("best " + i, 100 + i));
      }
      List<RefreshCandidate> waiting = new ArrayList<>();
      for (int i = random.nextInt(budget + 1); i > 0; i--) {
        boolean amongTheBest = random.nextBoolean() && i <= best.size();
        waiting.add(
            amongTheBest ? best.get(best.size() - i) : new RefreshCandidate("late " + i, i));
      }
      List<RefreshCandidate> others = new ArrayList<>(best);
      others.removeAll(waiting);
      int room = budget - waiting.size();
      List<RefreshCandidate> expected = new ArrayList<>(best);
      expected.removeIf(page -> !waiting.contains(page) && others.indexOf(page) >= room);
      waiting.stream().filter(page -> !best.contains(page)).forEach(expected::add);
      assertThat(LongestWaiting.placedIn(best, waiting, budget))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(expected);
    }
  }
}
