// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.delta.Importance;
import io.lucenedelta.delta.MeasuredRefresh;
import io.lucenedelta.scorer.refresh.Knowledge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a refresh gained is the same to a replay, which scores versions of pages by itself, and to a
 * live index, which notes postings as Lucene writes them: with rank functions that both build anew
 * before every week. They agree to a thousandth: a score on the border of two codes may take
 * either.
 */
class LiveMeasurementsTest {
  private static final int PAGES = 40;
  private static final int WEEKS = 8;

  @TempDir private Path folder;
  private Instant now;

  /** A fifth of the pages changes every week, so that rank functions of a replay are due. */
  private static RandomCrawl crawl() {
    RandomCrawl crawl = new RandomCrawl(3, PAGES, 1);
    Random random = new Random(3);
    for (int week = 1; week < WEEKS; week++) {
      Map<String, String> pages = new TreeMap<>(crawl.weeks.get(week - 1));
      List<String> keys = List.copyOf(pages.keySet());
      for (int i = 0; i < PAGES / 5; i++) {
        pages.put(keys.get((week * 7 + i * 5) % PAGES), RandomCrawl.text(random));
      }
      crawl.weeks.add(pages);
    }
    return crawl;
  }

  private static Map<String, Integer> inlinks(RandomCrawl crawl) {
    Map<String, Integer> inlinks = new TreeMap<>();
    for (String page : crawl.weeks.get(0).keySet()) {
      inlinks.put(page, inlinks.size() * 7 % 30);
    }
    return inlinks;
  }

  @ParameterizedTest
  @EnumSource(Scoring.class)
  void whatARefreshGainedIsTheSameToAReplayAndToALiveIndex(Scoring scoring) throws IOException {
    RandomCrawl crawl = crawl();
    ReplayCorpus corpus = crawl.corpus();
    Map<String, Integer> inlinks = scoring == Scoring.IMPORTANCE ? inlinks(crawl) : Map.of();
    Map<String, Double> replayed = replayed(corpus, scoring, inlinks);
    Map<String, Double> live = live(corpus, scoring, inlinks);
    assertThat(live).containsOnlyKeys(replayed.keySet());
    assertThat(replayed.values()).filteredOn(gain -> Math.abs(gain) > 0.1).hasSizeGreaterThan(20);
    replayed.forEach(
        (refresh, gain) ->
            assertThat(live.get(refresh))
                .as(refresh)
                .isCloseTo(gain, within(1e-3 * Math.max(1, Math.abs(gain)))));
  }

  private static Map<String, Double> replayed(
      ReplayCorpus corpus, Scoring scoring, Map<String, Integer> inlinks) {
    ReplayRequest request =
        ReplayRequest.of(corpus.workload())
            .withScoring(scoring, inlinks)
            .withKnowledge(Knowledge.ONLINE, null)
            .withPolicies(List.of("uniform"))
            .withBudgets(List.of(Budget.of("100%")))
            .withAudit(true);
    Map<String, Double> gains = new TreeMap<>();
    for (Measurement refresh : Replay.run(corpus, request, ReplayProgress.NONE).measurements()) {
      gains.put(refresh.week() + " " + refresh.page(), refresh.deltaQa());
    }
    return gains;
  }

  private Map<String, Double> live(
      ReplayCorpus corpus, Scoring scoring, Map<String, Integer> inlinks) throws IOException {
    DeltaConfig.Builder builder =
        DeltaConfig.builder(corpus.workload())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .clock(() -> now)
            .rebuildEvery(1)
            .statePath(folder);
    if (scoring == Scoring.IMPORTANCE) {
      builder.importance(new Importance(page -> 1 + inlinks.get(page), Importance.Role.ALONE));
    }
    DeltaConfig config = builder.build();
    Map<String, Double> gains = new TreeMap<>();
    now = corpus.time(0);
    try (DeltaIndexWriter writer =
        new DeltaIndexWriter(
            new ByteBuffersDirectory(),
            new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(scoring.similarity()),
            config)) {
      for (int week = 0; week < corpus.weeks(); week++) {
        now = corpus.time(week);
        for (int page = 0; page < corpus.pageCount(); page++) {
          LiveIndex.index(writer, config, corpus, page, week);
        }
        writer.commit();
      }
      for (int page = 0; page < corpus.pageCount(); page++) {
        String key = corpus.page(page);
        for (MeasuredRefresh refresh : writer.explain(key).orElseThrow().refreshes()) {
          if (refresh.measured()) {
            gains.put(corpus.week(refresh.fetched()) + " " + key, refresh.qualityChange());
          }
        }
      }
    }
    return gains;
  }
}
