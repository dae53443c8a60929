// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.delta.FetchQueue;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;

/**
 * A strategy that asks a live index: pages are indexed through {@link DeltaIndexWriter}, sitemaps
 * are told to its {@link FetchQueue}, and what that hands out is fetched. So a replay shows what
 * the whole of the product does, not its strategy alone.
 *
 * <p>Of a page's text the terms of the workload are indexed, as often as they occur, and as many
 * other words as it has: scores are those of the text. For one run.
 */
final class LiveIndex implements RefreshPolicy, Closeable {
  private static final String OTHER_WORD = "·";

  private final ReplayCorpus corpus;
  private final DeltaIndexWriter writer;
  private final DeltaConfig config;
  private final FetchQueue queue;
  private Instant now;
  private boolean begun;

  /** An index in a folder; pages are indexed when they are seen first. */
  LiveIndex(ReplayCorpus corpus, Path folder) throws IOException {
    this.corpus = corpus;
    this.now = corpus.time(0);
    this.config =
        DeltaConfig.builder(corpus.workload())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .clock(() -> now)
            .hashSeed(0) // as replays
            .build();
    this.writer =
        new DeltaIndexWriter(
            FSDirectory.open(folder), new IndexWriterConfig(new WhitespaceAnalyzer()), config);
    this.queue = writer.fetchQueue(Duration.ofHours(1));
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    return this::next;
  }

  private List<RefreshCandidate> next(KnownPages known, Instant time, int count) {
    try {
      if (!begun) {
        begin(known);
      }
      now = time;
      Set<String> fetched = new HashSet<>();
      known.forEach(
          page -> {
            tell(page);
            if (!page.neverFetched() && !page.lastRefresh().isBefore(time)) {
              fetched.add(page.page());
            }
          });
      List<String> batch = new ArrayList<>(queue.take(count));
      batch.removeAll(fetched);
      for (String page : batch) {
        index(page);
      }
      writer.commit();
      return batch.stream().map(page -> new RefreshCandidate(page, 0)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All pages that were fetched before the replay begins, in one batch. */
  private void begin(KnownPages known) throws IOException {
    List<String> pages = new ArrayList<>();
    known.forEach(
        page -> {
          if (!page.neverFetched()) {
            pages.add(page.page());
          }
        });
    for (String page : pages) {
      index(page);
    }
    writer.commit();
    begun = true;
  }

  /**
   * What a crawler hears of a page each week: links to new ones, sitemaps of those that publish.
   */
  private void tell(KnownPage page) {
    PageFacts facts = page.facts();
    if (page.neverFetched()) {
      queue.discovered(page.page());
    } else if (facts.provider() != PageFacts.Provider.NORMAL) {
      int changes = facts.publishedChanges();
      queue.modified(page.page(), Instant.EPOCH); // heard, though it may never have changed
      for (int i = changes - facts.publishedSince(page.lastRefresh()); i < changes; i++) {
        queue.modified(page.page(), facts.publishedChange(i));
      }
    }
  }

  private void index(String key) throws IOException {
    index(writer, config, corpus, corpus.number(key), corpus.week(now));
  }

  /** Indexes what a page held in a week, as of that week. */
  static void index(
      DeltaIndexWriter writer, DeltaConfig config, ReplayCorpus corpus, int page, int week)
      throws IOException {
    PageVersion version = corpus.version(page, corpus.liveVersion(page, week));
    StringBuilder text = new StringBuilder();
    int[] words = new int[1];
    version
        .terms()
        .forEach(
            (i, term, frequency) -> {
              text.append((corpus.workload().term(term) + " ").repeat(frequency));
              words[0] += frequency;
            });
    text.append((OTHER_WORD + " ").repeat(version.length() - words[0]));
    String key = corpus.page(page);
    Document document = new Document();
    document.add(new StringField("url", key, Field.Store.NO));
    document.add(new TextField("body", text.toString(), Field.Store.NO));
    document.add(config.fetchTime(corpus.time(week)));
    writer.updateDocument(new Term("url", key), document);
  }

  @Override
  public void close() throws IOException {
    writer.close();
    writer.getDirectory().close();
  }
}
