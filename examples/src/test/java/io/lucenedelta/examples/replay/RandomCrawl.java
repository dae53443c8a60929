// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.lucene.analysis.Analyzer;

/** A small crawl of random words: pages change at different rates, some never. */
final class RandomCrawl {
  private static final int WORDS = 40;

  final Workload workload;
  final List<Map<String, String>> weeks = new ArrayList<>();

  RandomCrawl(long seed, int pages, int weekCount) {
    Random random = new Random(seed);
    WorkloadBuilder builder = Workload.builder();
    for (int query = 0; query < 60; query++) {
      List<String> terms = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        terms.add(word(random));
      }
      builder.add(terms, 1 + random.nextInt(9));
    }
    workload = builder.build();
    Map<String, String> now = new TreeMap<>();
    for (int page = 0; page < pages; page++) {
      now.put("https://site" + page % 3 + ".test/" + page, text(random));
    }
    weeks.add(new TreeMap<>(now));
    for (int week = 1; week < weekCount; week++) {
      int number = 0;
      for (Map.Entry<String, String> page : now.entrySet()) {
        if (random.nextInt(20) < number++ % 7) {
          page.setValue(random.nextBoolean() ? text(random) : page.getValue() + " " + text(random));
        }
      }
      weeks.add(new TreeMap<>(now));
    }
  }

  /** Takes from every page its first weeks: none from page 0, one from page 1, and so on. */
  RandomCrawl whosePagesComeLater() {
    for (int week = 0; week < weeks.size(); week++) {
      int now = week;
      weeks
          .get(week)
          .keySet()
          .removeIf(
              page ->
                  Integer.parseInt(page.substring(page.lastIndexOf('/') + 1)) % weeks.size() > now);
    }
    return this;
  }

  /** Squares favour low numbers, so that some words are frequent. */
  private static String word(Random random) {
    int a = random.nextInt(WORDS);
    return "w" + a * random.nextInt(WORDS) / WORDS;
  }

  static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(60);
    for (int i = 0; i < length; i++) {
      text.append(word(random)).append(' ');
    }
    return text.toString();
  }

  /** The first words, but of three texts in four none. */
  private static String title(String text) {
    return text.hashCode() % 4 == 0 ? text.substring(0, Math.min(12, text.length())) : " ";
  }

  static Instant time(int week) {
    return Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(7L * week));
  }

  ReplayCorpus corpus() {
    return corpus(RandomCrawl::time);
  }

  /** With other times of its weeks. */
  ReplayCorpus corpus(IntFunction<Instant> time) {
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(workload, analyzer, 3);
      for (int week = 0; week < weeks.size(); week++) {
        corpus.week(time.apply(week));
        weeks.get(week).forEach((page, text) -> corpus.adding(page, title(text), text).run());
      }
      return corpus.build();
    }
  }

  /** What matches in a corpus of this crawl, by BM25. */
  Matches matches() {
    ReplayCorpus corpus = corpus();
    return Matches.of(corpus, workload, Scoring.BM25, noImportance(corpus), 0, ReplayProgress.NONE);
  }

  static float[] noImportance(ReplayCorpus corpus) {
    return new float[corpus.pageCount()];
  }
}
