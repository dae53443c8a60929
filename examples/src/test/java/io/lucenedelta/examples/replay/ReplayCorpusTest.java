// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.divergence.Fragments;
import io.lucenedelta.workload.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
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
  void morePagesWeeksOrVersionsThanAReplayCanHoldAreRefusedAndOneLessIsNot() {
    long most = Integer.MAX_VALUE - 8L;
    ReplayCorpus.requireRoom(most, 1, most);
    ReplayCorpus.requireRoom(65_537, 32_767, 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayCorpus.requireRoom(3, 2, most + 1))
        .withMessageStartingWith("3 pages in 2 snapshots with 2,147,483,640 pairs of versions: ")
        .withMessageEndingWith("take fewer snapshots, or a part of the pages");
    assertThatIllegalArgumentException().isThrownBy(() -> ReplayCorpus.requireRoom(1, 32_768, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayCorpus.requireRoom(65_538, 32_767, 0));
  }

  @Test
  void aCorpusOfMoreSnapshotsThanFitIsRefused() {
    Workload workload = Workload.builder().add(List.of("a"), 1).build();
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(workload, analyzer, 1);
      for (int week = 0; week < 32_768; week++) {
        corpus.week(RandomCrawl.time(week));
      }
      corpus.add(PAGE, "a");
      assertThatIllegalArgumentException()
          .isThrownBy(corpus::build)
          .withMessageStartingWith("1 page in 32,768 snapshots with 0 pairs of versions: ");
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

  @Test
  void howLongBeforeItsTurnAPageIsAnalysedChangesNothing() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Workload workload = Workload.builder().add(List.of("a"), 1).add(List.of("b"), 1).build();
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder building = ReplayCorpus.builder(workload, analyzer, 1);
      Map<String, List<String>> expected = new TreeMap<>(); // by page, a text a week
      Map<String, String> titles = new TreeMap<>();
      for (int week = 0; week < 6; week++) {
        building.week(RandomCrawl.time(week));
        Queue<Runnable> ahead = new ArrayDeque<>();
        for (int added = 0; added < 40; added++) {
          String page = "page " + random.nextInt(5 + 3 * week);
          String title = " ab".substring(random.nextInt(3)).substring(0, 1);
          String text = "a b ".repeat(random.nextInt(3));
          List<String> texts = expected.computeIfAbsent(page, p -> new ArrayList<>());
          while (texts.size() <= week) {
            texts.add(texts.isEmpty() ? null : texts.get(texts.size() - 1));
          }
          texts.set(week, text);
          if (texts.subList(0, week).stream().allMatch(Objects::isNull)) {
            titles.put(page, title); // in its first week the last counts
          }
          ahead.add(building.adding(page, title, text));
          while (ahead.size() > random.nextInt(9)) {
            ahead.remove().run();
          }
        }
        ahead.forEach(Runnable::run);
      }
      ReplayCorpus corpus = building.build();
      for (int page = 0; page < corpus.pageCount(); page++) {
        assertThat(described(corpus, page))
            .describedAs("seed " + seed)
            .isEqualTo(described(expected.get(corpus.page(page))));
        String title = titles.get(corpus.page(page));
        assertThat(corpus.titleTerms(page))
            .as("seed %d", seed)
            .isEqualTo(title.isBlank() ? null : new int[] {workload.termNumber(title)});
      }
    }
  }

  /** Since when it has which text, of as many words. */
  private static String described(ReplayCorpus corpus, int page) {
    StringBuilder versions = new StringBuilder();
    for (int version = 0; version < corpus.versionCount(page); version++) {
      versions.append(" week ").append(corpus.since(page, version));
      versions.append(": ").append(corpus.version(page, version).length());
    }
    return versions.toString();
  }

  private static String described(List<String> texts) {
    StringBuilder versions = new StringBuilder();
    String before = null;
    for (int week = 0; week < texts.size(); week++) {
      String text = texts.get(week);
      if (text != null && !text.equals(before)) {
        versions.append(" week ").append(week).append(": ").append(text.length() / 2);
        before = text;
      }
    }
    return versions.toString();
  }
}
