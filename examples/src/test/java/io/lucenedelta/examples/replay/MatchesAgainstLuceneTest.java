// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first week's rankings are those of an IndexSearcher over the same pages. */
class MatchesAgainstLuceneTest {
  @ParameterizedTest
  @EnumSource(
      value = Scoring.class,
      names = {"BM25", "TFIDF"})
  void theFirstWeekRanksAndScoresAsLuceneDoes(Scoring scoring) throws IOException {
    long seed = System.nanoTime();
    RandomCrawl crawl = new RandomCrawl(seed, 150, 1);
    ReplayCorpus corpus = crawl.corpus();
    Matches matches =
        Matches.of(
            corpus,
            crawl.workload,
            scoring,
            RandomCrawl.noImportance(corpus),
            0,
            ReplayProgress.NONE);
    Rankings rankings = new Rankings(matches);
    for (int page = 0; page < corpus.pageCount(); page++) {
      matches.shifts(
          page, ReplayCorpus.ABSENT, 0, (slot, before, after) -> rankings.move(slot, after));
    }
    try (Directory directory = new ByteBuffersDirectory()) {
      index(crawl.weeks.get(0), scoring, directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(scoring.similarity());
        for (int query = 0; query < crawl.workload.queryCount(); query++) {
          assertThat(ranking(matches, rankings, query))
              .as("query '%s', seed %s", crawl.workload.queryText(query), seed)
              .isEqualTo(ranking(searcher, crawl.workload, query));
        }
      }
    }
  }

  /** Pages are added in key order, so Lucene's ties by document number are ties by key. */
  private static void index(Map<String, String> pages, Scoring scoring, Directory directory)
      throws IOException {
    try (Analyzer analyzer = PageAnalysis.analyzer();
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig(analyzer).setSimilarity(scoring.similarity()))) {
      for (Map.Entry<String, String> page : pages.entrySet()) {
        writer.addDocument(
            PageAnalysis.document(
                new CrawledPage(page.getKey(), RandomCrawl.time(0), "", page.getValue())));
      }
      writer.forceMerge(1);
    }
  }

  private static List<String> ranking(Matches matches, Rankings rankings, int query) {
    List<String> ranking = new ArrayList<>();
    for (int rank = 0; rank < rankings.size(query); rank++) {
      int slot = rankings.slotAt(query, rank);
      ranking.add(matches.corpus().page(matches.page(slot)) + " " + rankings.score(slot));
    }
    return ranking;
  }

  private static List<String> ranking(IndexSearcher searcher, Workload workload, int query)
      throws IOException {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < workload.queryLength(query); i++) {
      Term term = new Term(PageAnalysis.BODY, workload.term(workload.queryTerm(query, i)));
      builder.add(new TermQuery(term), BooleanClause.Occur.MUST);
    }
    List<String> ranking = new ArrayList<>();
    for (ScoreDoc hit : searcher.search(builder.build(), 1000).scoreDocs) {
      String page = searcher.storedFields().document(hit.doc).get(PageAnalysis.KEY);
      ranking.add(page + " " + hit.score);
    }
    return ranking;
  }
}
