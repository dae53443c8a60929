// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** ΔQ_A of a page: the sum over queries, as whoever measures adds it up. */
class PageChangeTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<List<String>> queries = randomQueries("page");
  private final float[] before = randomScores();
  private final float[] after = randomScores();

  @Test
  void aQueryAskedTwiceAsOftenCountsTwice() {
    double once = change(queries, 1);
    assertThat(change(queries, 2)).as("seed %s", seed).isCloseTo(2 * once, within(1e-12 * once));
  }

  @Test
  void queriesThatThePageDoesNotTouchChangeNothing() {
    List<List<String>> more = new ArrayList<>(queries);
    more.addAll(randomQueries("stranger"));
    more.add(List.of("page3", "stranger4"));
    double alone = change(queries, 1);
    assertThat(change(more, 1)).as("seed %s", seed).isCloseTo(alone, within(1e-12 * alone));
  }

  @Test
  void aPageThatStaysAsItIsChangesNothing() {
    System.arraycopy(before, 0, after, 0, before.length);
    assertThat(change(queries, 1)).isZero();
  }

  private double change(List<List<String>> asked, double frequency) {
    WorkloadBuilder builder = Workload.builder();
    asked.forEach(terms -> builder.add(terms, frequency));
    Workload workload = builder.build();
    ShiftMeter meter = new PassedPages(PowerLawViews.PAPER).over(table(workload));
    int[] terms = new int[before.length];
    int length = 0;
    float[] old = new float[before.length];
    float[] now = new float[before.length];
    for (int term = 0; term < before.length; term++) {
      int number = workload.termNumber("page" + term);
      if (number >= 0) {
        terms[length] = number;
        old[length] = before[term];
        now[length++] = after[term];
      }
    }
    double[] sum = new double[1];
    QueriesByTerm.of(workload, new int[workload.termCount()])
        .matcher()
        .compare(
            terms,
            old,
            length,
            terms,
            now,
            length,
            (query, s1, s2) -> sum[0] += workload.frequency(query) * meter.change(query, s1, s2));
    return sum[0];
  }

  /** Each query's result depends on its text alone, not on its number. */
  private static RankTable table(Workload workload) {
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(workload.queryCount());
    for (int query = 0; query < workload.queryCount(); query++) {
      Random result = new Random(workload.queryText(query).hashCode());
      float[] scores = new float[result.nextInt(60)];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = 0.1f + 8 * result.nextFloat();
      }
      table.put(query, KnotSample.of(scores, scores.length));
    }
    return table.build();
  }

  private List<List<String>> randomQueries(String stem) {
    List<List<String>> made = new ArrayList<>();
    for (int query = 0; query < 30; query++) {
      List<String> terms = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        terms.add(stem + random.nextInt(10));
      }
      made.add(terms);
    }
    return made;
  }

  private float[] randomScores() {
    float[] scores = new float[10];
    for (int term = 0; term < scores.length; term++) {
      scores[term] = 0.1f + 5 * random.nextFloat();
    }
    return scores;
  }
}
