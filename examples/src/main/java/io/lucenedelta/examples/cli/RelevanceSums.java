// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/**
 * The sum of each query's scores over all pages of an index, a page scoring when it holds every
 * term (2005 paper, sections 1.2 and 6); with the index's default scoring, BM25.
 *
 * <p>One pass over the postings of the workload's terms, some thousand pages at a time; of each
 * page only the queries are looked at that it may match. The time depends on the postings, and
 * hardly on the number of queries.
 */
final class RelevanceSums {
  /** Pages whose postings are held at once. */
  private static final int PAGES = 1 << 14;

  private static final int NO_NORM = 1;

  private final Workload workload;
  private final IndexSearcher searcher;
  private final CollectionStatistics field; // null when no page has text
  private final int[] documentFrequency;
  private final QueriesByTerm.Matcher matcher;
  private final double[] sums;

  private RelevanceSums(Workload workload, IndexSearcher searcher) throws IOException {
    this.workload = workload;
    this.searcher = searcher;
    this.field = searcher.collectionStatistics(PageAnalysis.BODY);
    this.documentFrequency = documentFrequency(workload, searcher.getIndexReader());
    this.matcher = QueriesByTerm.of(workload, documentFrequency).matcher();
    this.sums = new double[workload.queryCount()];
  }

  private static int[] documentFrequency(Workload workload, IndexReader reader) throws IOException {
    int[] frequency = new int[workload.termCount()];
    for (int term = 0; term < frequency.length; term++) {
      frequency[term] = reader.docFreq(term(workload, term));
    }
    return frequency;
  }

  private static Term term(Workload workload, int term) {
    return new Term(PageAnalysis.BODY, new BytesRef(workload.termUtf8(term)));
  }

  /**
   * Asks before long work begins whether there are pages to compare with.
   *
   * @throws CommandFailure if there is no index
   */
  static void requireIndex(Path index) throws IOException {
    if (!Files.isDirectory(index)) { // it would be made
      throw new CommandFailure("there is no index folder " + index + ": check the path");
    }
    try (FSDirectory directory = FSDirectory.open(index)) {
      if (!DirectoryReader.indexExists(directory)) {
        throw new CommandFailure(
            "there is no index in "
                + index
                + ": name the directory of one (see lucene-delta index)");
      }
    }
  }

  /** One sum a query, for an index that {@link #requireIndex} found. */
  static double[] of(Workload workload, Path index, PrintWriter err) throws IOException {
    try (FSDirectory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory);
        Progress progress = Progress.start("relevance", Math.max(1, blocks(reader)), err)) {
      RelevanceSums relevance = new RelevanceSums(workload, new IndexSearcher(reader));
      for (LeafReaderContext leaf : reader.leaves()) {
        for (int from = 0; from < leaf.reader().maxDoc(); from += PAGES) {
          relevance.add(leaf.reader(), from);
          progress.step();
        }
      }
      return relevance.sums;
    }
  }

  private static int blocks(IndexReader reader) {
    return reader.leaves().stream()
        .mapToInt(leaf -> (leaf.reader().maxDoc() + PAGES - 1) / PAGES)
        .sum();
  }

  /** Adds what the pages from a number on score. */
  private void add(LeafReader leaf, int from) throws IOException {
    if (leaf.terms(PageAnalysis.BODY) == null) {
      return;
    }
    PostingsBlock block = new PostingsBlock(PAGES);
    TermsEnum terms = leaf.terms(PageAnalysis.BODY).iterator();
    PostingsEnum postings = null;
    for (int term = 0; term < documentFrequency.length; term++) {
      if (documentFrequency[term] > 0 && terms.seekExact(new BytesRef(workload.termUtf8(term)))) {
        postings = terms.postings(postings, PostingsEnum.FREQS);
        note(leaf, postings, term, from, block);
      }
    }
    block.forEachPage(
        (numbers, scores, length) ->
            matcher.compare(
                numbers,
                scores,
                0,
                numbers,
                scores,
                length,
                (query, nothing, score) -> sums[query] += score));
  }

  private void note(LeafReader leaf, PostingsEnum postings, int term, int from, PostingsBlock block)
      throws IOException {
    int to = Math.min(from + PAGES, leaf.maxDoc());
    int page = postings.advance(from);
    if (page >= to) {
      return;
    }
    Bits live = leaf.getLiveDocs();
    NumericDocValues norms = leaf.getNormValues(PageAnalysis.BODY);
    SimScorer scorer = scorer(term);
    for (; page < to; page = postings.nextDoc()) {
      if (live == null || live.get(page)) {
        long norm = norms != null && norms.advanceExact(page) ? norms.longValue() : NO_NORM;
        block.add(page - from, term, scorer.score(postings.freq(), norm));
      }
    }
  }

  private SimScorer scorer(int term) throws IOException {
    BytesRef bytes = new BytesRef(workload.termUtf8(term));
    long occurrences = searcher.getIndexReader().totalTermFreq(new Term(PageAnalysis.BODY, bytes));
    TermStatistics statistics = new TermStatistics(bytes, documentFrequency[term], occurrences);
    return searcher.getSimilarity().scorer(1, field, statistics);
  }
}
