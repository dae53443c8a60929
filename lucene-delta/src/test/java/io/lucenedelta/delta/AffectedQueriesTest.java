// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The short way against the one that looks at every query of the page. */
class AffectedQueriesTest {
  private static final long SEED = 99;

  private final Random random = new Random(SEED);
  private int termCount;

  @ParameterizedTest
  @CsvSource({
    "1, 1, 50, 3000",
    "2, 1, 50, 3000",
    "1, 4, 50, 3000",
    "2, 4, 50, 3000",
    "3, 4, 50, 3000",
    "1, 4, 1000, 20",
    "2, 4, 1000, 20"
  })
  void theSameShiftsAsLookingAtEveryQueryOfThePage(
      int fieldCount, int longestQuery, int differentTerms, int rounds) throws IOException {
    termCount = differentTerms;
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
    VectorBuffer before = new VectorBuffer();
    VectorBuffer after = new VectorBuffer();
    int everyMoved = 0;
    for (int round = 0; round < rounds; round++) {
      int[][] page = page(fieldCount);
      int[][] old = random.nextInt(9) == 0 ? new int[fieldCount][termCount] : copy(page);
      change(page);
      if (random.nextInt(9) == 0) {
        Collections.reverse(Arrays.asList(page)); // words move to another field
      }
      int norm = random.nextInt(5) == 0 ? 21 + random.nextInt(40) : 20;
      write(old, 20, before);
      write(page, norm, after);
      TermScores given = random.nextInt(4) == 0 ? null : scores;
      Map<Integer, Float> scoredBefore = scored(old, 20, given);
      Map<Integer, Float> scoredAfter = scored(page, norm, given);
      Map<Integer, List<Double>> found = new HashMap<>();
      shortWay.compare(
          before,
          after,
          given,
          (query, s1, s2) -> assertThat(found.put(query, List.of(s1, s2))).isNull());
      assertThat(found)
          .as("seed %d, round %d", SEED, round)
          .isEqualTo(longWay(matcher, scoredBefore, scoredAfter));
      if (shortWay.everyScoreMoved()) {
        everyMoved++;
        assertThat(longWay(matcher, Map.of(), scoredAfter).keySet())
            .as("seed %d, round %d", SEED, round)
            .isSubsetOf(found.keySet());
      }
    }
    assertThat(everyMoved).isBetween(rounds / 30, rounds * 2 / 3);
  }

  private static Map<Integer, List<Double>> longWay(
      QueriesByTerm.Matcher matcher, Map<Integer, Float> before, Map<Integer, Float> after) {
    Map<Integer, List<Double>> found = new HashMap<>();
    matcher.compare(
        terms(before),
        scores(before),
        before.size(),
        terms(after),
        scores(after),
        after.size(),
        (query, s1, s2) -> found.put(query, List.of(s1, s2)));
    return found;
  }

  private static int[] terms(Map<Integer, Float> scored) {
    return scored.keySet().stream().mapToInt(term -> term).toArray();
  }

  private static float[] scores(Map<Integer, Float> scored) {
    float[] scores = new float[scored.size()];
    int count = 0;
    for (float score : scored.values()) {
      scores[count++] = score;
    }
    return scores;
  }

  /** A page's score for each of its terms, ascending: the sum over its fields. */
  private static Map<Integer, Float> scored(int[][] page, int norm, TermScores scores) {
    Map<Integer, Float> scored = new TreeMap<>();
    for (int field = 0; field < page.length; field++) {
      for (int term = 0; term < page[field].length; term++) {
        int frequency = page[field][term];
        if (frequency > 0) {
          float score = scores == null ? 1 : scores.score(field, term, frequency, norm);
          scored.merge(term, score, Float::sum);
        }
      }
    }
    return scored;
  }

  /** Not every term of queries of several terms is a query of its own. */
  private Workload workload(int longestQuery) {
    WorkloadBuilder queries = Workload.builder();
    for (int query = 0; query < 4 * termCount; query++) {
      List<String> words = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(longestQuery); i++) {
        words.add("word" + (char) ('A' + random.nextInt(termCount)));
      }
      queries.add(words, 1 + random.nextInt(9));
    }
    for (int term = 0; term < termCount; term++) {
      String word = "word" + (char) ('A' + term);
      boolean alone = term % longestQuery == 0;
      queries.add(alone ? List.of(word) : List.of(word, "wordA"), 1);
    }
    return queries.build();
  }

  private int[][] page(int fields) {
    int[][] frequencies = new int[fields][termCount];
    int used = 1 + random.nextInt(fields);
    for (int i = random.nextInt(2 * termCount); i >= 0; i--) {
      frequencies[random.nextInt(used)][random.nextInt(termCount)]++;
    }
    return frequencies;
  }

  private void change(int[][] page) {
    for (int i = 0; i < random.nextInt(6); i++) {
      page[random.nextInt(page.length)][random.nextInt(termCount)] = random.nextInt(3);
    }
  }

  private static int[][] copy(int[][] page) {
    return Arrays.stream(page).map(int[]::clone).toArray(int[][]::new);
  }

  private static void write(int[][] page, int norm, VectorBuffer vector) {
    vector.clear();
    for (int field = 0; field < page.length; field++) {
      int terms = (int) Arrays.stream(page[field]).filter(frequency -> frequency > 0).count();
      if (terms > 0) {
        vector.addField(field, norm, terms);
      }
      for (int term = 0; term < page[field].length; term++) {
        if (page[field][term] > 0) {
          vector.addTerm(term, page[field][term]);
        }
      }
    }
  }
}
