// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The short way against the one that looks at every query of the page. */
class AffectedQueriesTest {
  private static final int TERMS = 50;
  private static final long SEED = 99;

  private final Random random = new Random(SEED);

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "1, 4", "2, 4", "3, 4"})
  void theSameShiftsAsLookingAtEveryQueryOfThePage(int fieldCount, int longestQuery)
      throws IOException {
    Workload workload = workload(longestQuery);
    WorkloadTerms terms = WorkloadTerms.of(workload);
    List<ScoredField> fields = new ArrayList<>();
    for (int field = 0; field < fieldCount; field++) {
      fields.add(new ScoredField("field" + field, 1 + field));
    }
    FrozenStatistics statistics = FrozenStatistics.of(new MultiReader(), fields, terms);
    TermScores scores = new TermScores(statistics, new BM25Similarity(), terms, fieldCount);
    int[] rarity = random.ints(workload.termCount(), 0, 9).toArray();
    AffectedQueries.Comparison shortWay = new AffectedQueries(workload, rarity).comparison();
    QueriesByTerm.Matcher matcher =
        QueriesByTerm.of(workload, new int[workload.termCount()]).matcher();
    int everyMoved = 0;
    for (int round = 0; round < 3000; round++) {
      int[][] page = page(fieldCount);
      VectorBuffer before = vector(random.nextInt(9) == 0 ? new int[fieldCount][TERMS] : page, 20);
      change(page);
      VectorBuffer after = vector(page, random.nextInt(5) == 0 ? 21 + random.nextInt(40) : 20);
      TermScores given = random.nextInt(4) == 0 ? null : scores;
      Map<Integer, List<Double>> found = new HashMap<>();
      shortWay.compare(
          before,
          after,
          given,
          (query, s1, s2) -> assertThat(found.put(query, List.of(s1, s2))).isNull());
      assertThat(found)
          .as("seed %d, round %d", SEED, round)
          .isEqualTo(longWay(matcher, given, before, after));
      if (shortWay.everyScoreMoved()) {
        everyMoved++;
        assertThat(longWay(matcher, given, new VectorBuffer(), after).keySet())
            .as("seed %d, round %d", SEED, round)
            .isSubsetOf(found.keySet());
      }
    }
    assertThat(everyMoved).isBetween(100, 2000);
  }

  private static Map<Integer, List<Double>> longWay(
      QueriesByTerm.Matcher matcher, TermScores scores, VectorBuffer before, VectorBuffer after) {
    ScoredVector one = new ScoredVector();
    ScoredVector two = new ScoredVector();
    one.score(before, scores);
    two.score(after, scores);
    Map<Integer, List<Double>> found = new HashMap<>();
    matcher.compare(
        one.terms(),
        one.scores(),
        one.length(),
        two.terms(),
        two.scores(),
        two.length(),
        (query, s1, s2) -> found.put(query, List.of(s1, s2)));
    return found;
  }

  private Workload workload(int longestQuery) {
    WorkloadBuilder queries = Workload.builder();
    for (int query = 0; query < 200; query++) {
      List<String> words = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(longestQuery); i++) {
        words.add("word" + (char) ('A' + random.nextInt(TERMS)));
      }
      queries.add(words, 1 + random.nextInt(9));
    }
    for (int term = 0; term < TERMS; term++) {
      queries.add(List.of("word" + (char) ('A' + term)), 1);
    }
    return queries.build();
  }

  private int[][] page(int fields) {
    int[][] frequencies = new int[fields][TERMS];
    for (int i = random.nextInt(80); i >= 0; i--) {
      frequencies[random.nextInt(fields)][random.nextInt(TERMS)]++;
    }
    return frequencies;
  }

  private void change(int[][] page) {
    for (int i = 0; i < random.nextInt(6); i++) {
      page[random.nextInt(page.length)][random.nextInt(TERMS)] = random.nextInt(3);
    }
  }

  private static VectorBuffer vector(int[][] page, int norm) {
    VectorBuffer vector = new VectorBuffer();
    for (int field = 0; field < page.length; field++) {
      int terms = 0;
      for (int frequency : page[field]) {
        terms += frequency > 0 ? 1 : 0;
      }
      if (terms > 0) {
        vector.addField(field, norm, terms);
      }
      for (int term = 0; term < TERMS; term++) {
        if (page[field][term] > 0) {
          vector.addTerm(term, page[field][term]);
        }
      }
    }
    return vector;
  }
}
