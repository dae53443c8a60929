// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QueriesByTermTest {
  // terms: blue 0, fox 1, hen 2, red 3
  private final Workload workload =
      Workload.builder()
          .add(List.of("red", "fox"), 50)
          .add(List.of("fox"), 30)
          .add(List.of("red", "hen"), 15)
          .add(List.of("blue", "hen", "red"), 5)
          .build();
  private final QueriesByTerm index = QueriesByTerm.of(workload, new int[] {1, 20, 10, 40});

  @Test
  void aQueryIsKeptUnderItsRarestTermOnly() {
    assertThat(queriesUnder(0)).isEqualTo(1);
    assertThat(queriesUnder(1)).isEqualTo(2);
    assertThat(queriesUnder(2)).isEqualTo(1);
    assertThat(queriesUnder(3)).isZero();

    QueriesByTerm lastRarest = QueriesByTerm.of(workload, new int[] {40, 20, 10, 1});
    assertThat(queriesUnder(lastRarest, 0)).isZero();
    assertThat(queriesUnder(lastRarest, 1)).isEqualTo(1);
    assertThat(queriesUnder(lastRarest, 2)).isZero();
    assertThat(queriesUnder(lastRarest, 3)).isEqualTo(3);
  }

  private int queriesUnder(int term) {
    return queriesUnder(index, term);
  }

  private static int queriesUnder(QueriesByTerm index, int term) {
    AtomicInteger queries = new AtomicInteger();
    index.forEachUnder(term, query -> queries.incrementAndGet());
    return queries.get();
  }

  @Test
  void aPageThatGainsTheLastMissingTermEntersTheResult() {
    assertThat(shifts(Map.of(3, 2f), Map.of(1, 1f, 3, 2f)))
        .containsExactly("fox red: 0.0 to 3.0", "fox: 0.0 to 1.0");
  }

  @Test
  void aPageThatLosesATermLeavesEveryResultThatNeedsIt() {
    assertThat(shifts(Map.of(0, 1f, 2, 1f, 3, 2f), Map.of(2, 1f, 3, 2f)))
        .containsExactly("blue hen red: 4.0 to 0.0");
  }

  @Test
  void aQueryWhoseScoreDoesNotChangeIsNotVisited() {
    assertThat(shifts(Map.of(1, 1f, 2, 1f, 3, 2f), Map.of(1, 1f, 2, 0.5f, 3, 2f)))
        .containsExactly("hen red: 3.0 to 2.5");
  }

  @Test
  void newPagesAndEmptyPagesAreVectorsToo() {
    assertThat(shifts(Map.of(), Map.of(1, 1f))).containsExactly("fox: 0.0 to 1.0");
    assertThat(shifts(Map.of(1, 1f), Map.of())).containsExactly("fox: 1.0 to 0.0");
    assertThat(shifts(Map.of(), Map.of())).isEmpty();
  }

  @Test
  void randomVectorsGiveTheShiftsThatTryingEveryQueryGives() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      Workload many = randomWorkload(random);
      int[] documentFrequency = random.ints(many.termCount(), 0, 5).toArray();
      QueriesByTerm.Matcher matcher = QueriesByTerm.of(many, documentFrequency).matcher();
      for (int page = 0; page < 5; page++) {
        Map<Integer, Float> before = randomVector(random, many.termCount());
        Map<Integer, Float> after = randomVector(random, many.termCount());
        assertThat(shifts(many, matcher, before, after))
            .as("seed %s", seed)
            .containsExactlyInAnyOrderElementsOf(tryingEveryQuery(many, before, after));
      }
    }
  }

  @Test
  void aDocumentFrequencyATermIsNeeded() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueriesByTerm.of(workload, new int[3]))
        .withMessage("every term needs a document frequency: 4 terms, 3 document frequencies");
  }

  private List<String> shifts(Map<Integer, Float> before, Map<Integer, Float> after) {
    return shifts(workload, index.matcher(), before, after);
  }

  private static List<String> shifts(
      Workload workload,
      QueriesByTerm.Matcher matcher,
      Map<Integer, Float> before,
      Map<Integer, Float> after) {
    List<String> found = new ArrayList<>();
    matcher.compare(
        terms(before),
        scores(before),
        before.size(),
        terms(after),
        scores(after),
        after.size(),
        (query, s1, s2) ->
            found.add(String.join(" ", workload.queryTerms(query)) + ": " + s1 + " to " + s2));
    return found;
  }

  private static List<String> tryingEveryQuery(
      Workload workload, Map<Integer, Float> before, Map<Integer, Float> after) {
    List<String> found = new ArrayList<>();
    for (int query = 0; query < workload.queryCount(); query++) {
      double s1 = score(workload, query, before);
      double s2 = score(workload, query, after);
      if (s1 != s2) {
        found.add(String.join(" ", workload.queryTerms(query)) + ": " + s1 + " to " + s2);
      }
    }
    return found;
  }

  private static double score(Workload workload, int query, Map<Integer, Float> vector) {
    double sum = 0;
    for (int i = 0; i < workload.queryLength(query); i++) {
      Float score = vector.get(workload.queryTerm(query, i));
      if (score == null) {
        return 0;
      }
      sum += score;
    }
    return sum;
  }

  private static Workload randomWorkload(Random random) {
    WorkloadBuilder builder = Workload.builder();
    for (int query = 0; query < 60; query++) {
      List<String> terms = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        terms.add("t" + random.nextInt(20));
      }
      builder.add(terms, 1 + random.nextInt(9));
    }
    return builder.build();
  }

  private static Map<Integer, Float> randomVector(Random random, int termCount) {
    Map<Integer, Float> vector = new TreeMap<>();
    for (int term = 0; term < termCount; term++) {
      if (random.nextInt(3) > 0) {
        vector.put(term, 1f + random.nextInt(3));
      }
    }
    return vector;
  }

  private static int[] terms(Map<Integer, Float> vector) {
    return new TreeMap<>(vector).keySet().stream().mapToInt(Integer::intValue).toArray();
  }

  private static float[] scores(Map<Integer, Float> vector) {
    float[] scores = new float[vector.size()];
    int i = 0;
    for (float score : new TreeMap<>(vector).values()) {
      scores[i++] = score;
    }
    return scores;
  }
}
