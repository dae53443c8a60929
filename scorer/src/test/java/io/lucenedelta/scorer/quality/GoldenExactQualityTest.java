// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static io.lucenedelta.scorer.quality.GoldenFiles.number;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.ExactQuality.QueryScores;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Equations 3 to 7 on small worlds; see golden/README.md. */
class GoldenExactQualityTest {
  private static final ExactQuality EXACT = new ExactQuality(PowerLawViews.PAPER);

  @ParameterizedTest
  @MethodSource("io.lucenedelta.scorer.quality.GoldenFiles#directories")
  void everyWorldHasItsQualityBeforeAndAfterARefresh(Path directory) {
    Map<String, List<Map<String, String>>> worlds =
        GoldenFiles.rows(directory.resolve("quality-worlds.tsv")).stream()
            .collect(groupingBy(row -> row.get("case")));
    List<Map<String, String>> expected =
        GoldenFiles.rows(directory.resolve("quality-expected.tsv"));
    assertThat(expected).hasSizeGreaterThanOrEqualTo(30);
    for (Map<String, String> row : expected) {
      assertWorld(row, worlds.get(row.get("case")));
    }
  }

  private static void assertWorld(Map<String, String> expected, List<Map<String, String>> world) {
    Collection<List<Map<String, String>>> queries =
        world.stream()
            .collect(groupingBy(row -> row.get("query"), TreeMap::new, toList()))
            .values();
    List<QueryScores> before = queries.stream().map(q -> scores(q, "repository")).toList();
    List<QueryScores> after = queries.stream().map(q -> scores(q, "refreshed")).toList();
    assertEqual(expected, "quality_before", EXACT.quality(before));
    assertEqual(expected, "quality_after", EXACT.quality(after));
    assertEqual(expected, "delta_q", EXACT.quality(after) - EXACT.quality(before));
    double numerator = 0;
    for (int q = 0; q < before.size(); q++) {
      QueryScores query = before.get(q);
      numerator +=
          query.frequency()
              * EXACT.change(query.repository(), after.get(q).repository(), query.live());
    }
    assertEqual(expected, "delta_q_numerator", numerator);
  }

  private static QueryScores scores(List<Map<String, String>> pages, String repository) {
    return new QueryScores(
        number(pages.get(0), "frequency"),
        pages.stream().mapToDouble(page -> number(page, repository)).toArray(),
        pages.stream().mapToDouble(page -> number(page, "live")).toArray());
  }

  private static void assertEqual(Map<String, String> row, String column, double actual) {
    double expected = number(row, column);
    assertThat(actual)
        .as("%s of case %s", column, row.get("case"))
        .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
  }
}
