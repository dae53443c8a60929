// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Queries of one term are handed out while terms are joined, or from a buffer afterwards. */
class FieldJoinTest {
  private static final int TERMS = 60;
  private static final long[] NORMS = {20, 21, 40, 88, (byte) 130, 0, 1_000};

  private record Shift(String query, long beforeBits, long afterBits) {}

  private record Shifts(List<Shift> inOrder, boolean everyScoreMoved) {}

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  static List<Similarity> similarities() {
    return List.of(
        new BM25Similarity(),
        new BooleanSimilarity(), // the scores of all frequencies and norms tie
        new LMDirichletSimilarity());
  }

  /** One query of two terms, which no page has, makes the buffer needed. */
  @ParameterizedTest
  @MethodSource("similarities")
  void bothWaysHandOutTheSameShiftsInTheSameOrder(Similarity similarity) throws IOException {
    Workload alone = queries().build();
    Workload withLonger = queries().add(List.of("zero", "zeros"), 1).build();
    TermScores scores = scores(similarity, WorkloadTerms.of(withLonger));
    AffectedQueries.Comparison atOnce = comparison(alone);
    AffectedQueries.Comparison buffered = comparison(withLonger);
    VectorBuffer before = new VectorBuffer();
    VectorBuffer after = new VectorBuffer();
    int everyMoved = 0;
    for (int round = 0; round < 3_000; round++) {
      Map<Integer, Integer> page = page();
      write(page, norm(), before);
      change(page);
      write(page, norm(), after);
      Shifts found = shifts(alone, atOnce, before, after, scores);
      assertThat(found)
          .as("seed %d, round %d", seed, round)
          .isEqualTo(shifts(withLonger, buffered, before, after, scores));
      everyMoved += found.everyScoreMoved ? 1 : 0;
    }
    assertThat(everyMoved).isBetween(10, 2_900);
  }

  @Test
  void aPageAllOfWhoseManyWordsAreReplacedIsComparedWhole() throws IOException {
    WorkloadBuilder queries = Workload.builder().add(List.of("zero", "zeros"), 1); // as above
    Map<Integer, Integer> old = new TreeMap<>();
    Map<Integer, Integer> now = new TreeMap<>();
    for (int term = 0; term < 900; term++) {
      queries.add(List.of("word" + term), 1);
      (term % 2 == 0 ? old : now).put(term, 1);
    }
    Workload workload = queries.build();
    VectorBuffer before = new VectorBuffer();
    VectorBuffer after = new VectorBuffer();
    write(old, NORMS[0], before);
    write(now, NORMS[0], after);
    TermScores scores = scores(new BooleanSimilarity(), WorkloadTerms.of(workload));
    assertThat(shifts(workload, comparison(workload), before, after, scores).inOrder())
        .hasSize(900);
  }

  /** Else the terms of the other field that one of them has would be passed over. */
  @Test
  void onlyVectorsThatBothHaveTheSameFieldAloneAreJoinedByIt() {
    for (int fieldsBefore = 0; fieldsBefore < 4; fieldsBefore++) { // a bit each
      for (int fieldsAfter = 0; fieldsAfter < 4; fieldsAfter++) {
        assertThat(FieldJoin.moveToOnlyField(fields(fieldsBefore), fields(fieldsAfter)))
            .as("%d and %d", fieldsBefore, fieldsAfter)
            .isEqualTo(fieldsBefore == fieldsAfter && Integer.bitCount(fieldsAfter) == 1);
      }
    }
  }

  private static VectorBuffer fields(int bits) {
    VectorBuffer vector = new VectorBuffer();
    for (int field = 0; field < 2; field++) {
      if ((bits >> field & 1) != 0) {
        vector.addField(field, NORMS[0], 1);
        vector.addTerm(5, 1);
      }
    }
    return vector;
  }

  private static WorkloadBuilder queries() {
    WorkloadBuilder queries = Workload.builder();
    for (int term = 0; term < TERMS; term++) {
      queries.add(List.of("word" + (char) ('A' + term)), 1);
    }
    return queries;
  }

  /** Of statistics that know only every other term. */
  private TermScores scores(Similarity similarity, WorkloadTerms terms) throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    for (long value : new long[] {9_000, 9_000, 2_000_000, 900_000}) {
      out.writeVLong(value);
    }
    for (int term = 0; term < terms.size(); term++) {
      int documents = term % 2 * (1 + random.nextInt(8_000));
      out.writeVInt(documents);
      if (documents > 0) {
        out.writeVLong(documents * 2L);
      }
    }
    List<ScoredField> fields = List.of(new ScoredField("body", 1));
    FrozenStatistics statistics = FrozenStatistics.read(out.toDataInput(), fields, terms.size());
    return new TermScores(statistics, similarity, terms, fields.size());
  }

  private static AffectedQueries.Comparison comparison(Workload workload) {
    return new AffectedQueries(workload, new int[workload.termCount()]).comparison();
  }

  private static Shifts shifts(
      Workload workload,
      AffectedQueries.Comparison comparison,
      VectorBuffer before,
      VectorBuffer after,
      TermScores scores) {
    List<Shift> found = new ArrayList<>();
    comparison.compare(
        before,
        after,
        scores,
        (query, s1, s2) ->
            found.add(
                new Shift(
                    workload.queryText(query),
                    Double.doubleToRawLongBits(s1),
                    Double.doubleToRawLongBits(s2))));
    return new Shifts(found, comparison.everyScoreMoved());
  }

  private long norm() {
    return random.nextBoolean() ? NORMS[0] : NORMS[random.nextInt(NORMS.length)];
  }

  /** Frequencies by term; now and then of no term. */
  private Map<Integer, Integer> page() {
    Map<Integer, Integer> page = new TreeMap<>();
    for (int i = random.nextInt(TERMS); i > 0; i--) {
      page.put(random.nextInt(TERMS), frequency());
    }
    return page;
  }

  private int frequency() {
    return 1 + random.nextInt(random.nextInt(5) == 0 ? 200 : 6);
  }

  private void change(Map<Integer, Integer> page) {
    for (int i = random.nextInt(8); i > 0; i--) {
      int term = random.nextInt(TERMS);
      if (random.nextBoolean()) {
        page.remove(term);
      } else {
        page.put(term, frequency());
      }
    }
  }

  private static void write(Map<Integer, Integer> page, long norm, VectorBuffer vector) {
    vector.clear();
    if (!page.isEmpty()) {
      vector.addField(0, norm, page.size());
      page.forEach(vector::addTerm);
    }
  }
}
