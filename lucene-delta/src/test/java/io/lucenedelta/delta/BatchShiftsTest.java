// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.quality.PageShifts;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.junit.jupiter.api.Test;

/** The shifts of a batch when the JVM has less memory outside the heap than they take. */
class BatchShiftsTest {
  private static final int SHIFTS = 1_000;
  private static final int CANDIDATES = 4_000; // 48 MB

  @Test
  void shiftsThatMemoryRefusesAreMissingAndNothingElseIs()
      throws IOException, InterruptedException {
    List<String> little = List.of("-XX:MaxDirectMemorySize=16m");
    assertThat(Child.run(Program.class, little)).isEqualTo(KEPT_SOME);
    List<String> enough = List.of("-XX:MaxDirectMemorySize=400m");
    assertThat(Child.run(Program.class, enough)).isEqualTo(KEPT_ALL);
  }

  /** Statistics may be built anew before the batch is settled. */
  @Test
  void shiftsOfOtherScoresAreNotHere() throws IOException {
    TermScores scores = scores();
    BatchShifts kept = new BatchShifts(1);
    kept.begin(scores, 2);
    kept.part(0).add(0, new PageShifts(new double[1]));
    assertThat(kept.has(0, scores)).isTrue();
    assertThat(kept.has(0, scores())).as("of others").isFalse();
    assertThat(kept.has(0, null)).as("of none").isFalse();
    assertThat(kept.has(1, scores)).as("of another candidate").isFalse();
  }

  private static TermScores scores() throws IOException {
    WorkloadTerms terms = WorkloadTerms.of(Workload.builder().add(List.of("alpha"), 1).build());
    List<ScoredField> fields = List.of(new ScoredField("body", 1));
    FrozenStatistics statistics = FrozenStatistics.of(new MultiReader(), fields, terms);
    return new TermScores(statistics, new BM25Similarity(), terms, 1);
  }

  private static final int KEPT_ALL = 10;
  private static final int KEPT_SOME = 11;
  private static final int WRONG = 12;

  /** Keeps two batches one after the other and tells whether what is there is right. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      BatchShifts kept = new BatchShifts(1);
      int status = fill(kept);
      System.exit(status == fill(kept) ? status : WRONG);
    }

    private static int fill(BatchShifts kept) {
      kept.begin(null, CANDIDATES);
      PageShifts shifts = new PageShifts(new double[SHIFTS]);
      for (int candidate = 0; candidate < CANDIDATES; candidate++) {
        shifts.clear();
        for (int i = 0; i < SHIFTS; i++) {
          shifts.add(i, candidate, i);
        }
        shifts.setAllNear();
        kept.part(0).add(candidate, shifts);
      }
      BatchShifts.Reader reader = kept.reader();
      int here = 0;
      while (here < CANDIDATES && kept.has(here, null)) {
        int candidate = here;
        int[] count = new int[1];
        reader.forEach(
            candidate,
            (query, before, after) ->
                count[0] += query == after && before == candidate && query == count[0] ? 1 : 0);
        if (count[0] != SHIFTS) {
          return WRONG;
        }
        here++;
      }
      for (int candidate = here; candidate < CANDIDATES; candidate++) {
        if (kept.has(candidate, null)) {
          return WRONG;
        }
      }
      return here == CANDIDATES ? KEPT_ALL : here > 0 ? KEPT_SOME : WRONG;
    }
  }
}
