// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.crawl.PageAnalysis;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.Version;

/**
 * The score of a term in a page, by Lucene's own formula with the statistics of the first week, so
 * that it depends on the page's own content alone (2005, section 5), or with those of another week.
 *
 * <p>A term that no page of that week holds counts as held by one. Safe for use by several threads.
 */
final class TermScores {
  private final Similarity similarity;
  private final AtomicReferenceArray<Similarity.SimScorer> scorers; // made when first asked for
  private final CollectionStatistics statistics;
  private final long[] documents;
  private final long[] occurrences;
  private final ReplayCorpus corpus;

  /** Scores with the statistics of the pages that are live in a week. */
  TermScores(ReplayCorpus corpus, Similarity similarity, int week) {
    this.corpus = corpus;
    this.similarity = similarity;
    int terms = corpus.workload().termCount();
    this.scorers = new AtomicReferenceArray<>(terms);
    this.documents = new long[terms];
    this.occurrences = new long[terms];
    this.statistics = count(week);
  }

  private CollectionStatistics count(int week) {
    long pages = 0;
    long tokens = 0;
    long postings = 0;
    for (int page = 0; page < corpus.pageCount(); page++) {
      int live = corpus.liveVersion(page, week);
      if (live == ReplayCorpus.ABSENT || corpus.version(page, live).length() == 0) {
        continue;
      }
      PageVersion version = corpus.version(page, live);
      pages++;
      tokens += version.length();
      postings += version.distinct();
      version
          .terms()
          .forEach(
              (i, term, frequency) -> {
                documents[term]++;
                occurrences[term] += frequency;
              });
    }
    long held = Math.max(1, pages);
    return new CollectionStatistics(
        PageAnalysis.BODY, held, held, Math.max(held, tokens), Math.max(held, postings));
  }

  /** Number of pages of the week that hold a term. */
  long documents(int term) {
    return documents[term];
  }

  /** The norm Lucene keeps for a version: its length, in one byte. */
  long norm(PageVersion version) {
    return similarity.computeNorm(
        new FieldInvertState(
            Version.LATEST.major,
            PageAnalysis.BODY,
            IndexOptions.DOCS_AND_FREQS_AND_POSITIONS,
            0,
            version.length(),
            version.stacked(),
            0,
            version.highest(),
            version.distinct()));
  }

  /** The score of a term that occurs {@code frequency} times in a version with that norm. */
  float score(int term, int frequency, long norm) {
    Similarity.SimScorer scorer = scorers.get(term);
    if (scorer == null) {
      scorer = scorer(term);
      scorers.set(term, scorer); // another thread may have made one like it: no harm
    }
    return scorer.score(frequency, norm);
  }

  private Similarity.SimScorer scorer(int term) {
    long held = Math.max(1, documents[term]);
    return similarity.scorer(
        1f,
        statistics,
        new TermStatistics(
            new BytesRef(corpus.workload().term(term)), held, Math.max(held, occurrences[term])));
  }
}
