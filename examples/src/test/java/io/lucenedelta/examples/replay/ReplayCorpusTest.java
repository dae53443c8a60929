// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.divergence.Fragments;
import io.lucenedelta.workload.Workload;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;

/** Fragments of one word. */
class ReplayCorpusTest {
  private static final String PAGE = "page";

  /** The page's texts week by week; several of one week replace each other. */
  private static ReplayCorpus corpus(List<List<String>> weeks) {
    Workload workload = Workload.builder().add(List.of("a"), 1).build();
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(workload, analyzer, 1);
      for (int week = 0; week < weeks.size(); week++) {
        corpus.week(RandomCrawl.time(week));
        weeks.get(week).forEach(text -> corpus.add(PAGE, text));
      }
      return corpus.build();
    }
  }

  /** That the page has these versions, by all that is said of their fragments. */
  private static void hasVersions(ReplayCorpus corpus, String... texts) {
    Fragments[] versions = corpus.fragments(0);
    assertThat(versions).hasSize(texts.length);
    for (int version = 0; version < texts.length; version++) {
      Fragments alone = corpus(List.of(List.of(texts[version]))).fragments(0)[0];
      assertThat(versions[version].size()).isEqualTo(alone.size());
      assertThat(versions[version].divergence(alone)).isZero();
    }
  }

  @Test
  void everyVersionHasItsOwnFragments() {
    hasVersions(
        corpus(
            List.of(List.of("a b c"), List.of("b c d"), List.of(), List.of("e"), List.of("a b c"))),
        "a b c",
        "b c d",
        "e",
        "a b c");
  }

  @Test
  void ofContentsAddedTwiceInAWeekTheLastCount() {
    hasVersions(
        corpus(List.of(List.of("a b"), List.of("b c d"), List.of("x", "y z"), List.of("c"))),
        "a b",
        "b c d",
        "y z",
        "c");
    hasVersions(
        corpus(List.of(List.of("a b"), List.of("b c"), List.of("x", "b c"), List.of("c"))),
        "a b",
        "b c",
        "c");
    hasVersions(corpus(List.of(List.of("x", "a b"))), "a b");
  }
}
