// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

import io.lucenedelta.delta.AnalyzedQueries;
import io.lucenedelta.examples.crawl.PageAnalysis;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Searches the pages of an index as measuring understands it: a page matches when it has every
 * word, and scores the sum of its scores for them. Sees what was committed when it was asked. Safe
 * for several threads.
 */
final class PageSearch implements Closeable {
  private final Directory directory;
  private final SearcherManager searchers;
  private final Analyzer analyzer = PageAnalysis.analyzer();

  PageSearch(Path index) throws IOException {
    directory = FSDirectory.open(index);
    try {
      DirectoryReader reader = DirectoryReader.open(directory);
      try {
        requireFields(index, reader);
        searchers = new SearcherManager(reader, null);
      } catch (Throwable failure) {
        reader.close();
        throw failure;
      }
    } catch (Throwable failure) {
      directory.close();
      throw failure;
    }
  }

  /** Otherwise no query would find anything, and nobody would know why. */
  private static void requireFields(Path index, DirectoryReader reader) {
    Collection<String> fields = FieldInfos.getIndexedFields(reader);
    for (String field : List.of(PageAnalysis.KEY, PageAnalysis.BODY)) {
      if (reader.numDocs() > 0 && !fields.contains(field)) {
        throw new IllegalArgumentException(
            "index %s has no field '%s', which holds %s where lucene-delta index made it"
                .formatted(
                    index,
                    field,
                    field.equals(PageAnalysis.KEY) ? "a page's address" : "its text"));
      }
    }
  }

  /**
   * What may be why pages are not found, in a sentence; empty if the verb {@code index} made them.
   */
  Optional<String> doubt(Path index) throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      return PageAnalysis.foreign(searcher.getIndexReader())
          .map(
              foreign ->
                  "%s was made by another program (%s): words are looked for in field '%s' as StandardAnalyzer makes them, so pages analysed otherwise are not found"
                      .formatted(index, foreign, PageAnalysis.BODY));
    } finally {
      searchers.release(searcher);
    }
  }

  /** The different words of a query, as the index has them. */
  Set<String> words(String query) {
    return new LinkedHashSet<>(AnalyzedQueries.of(analyzer, PageAnalysis.BODY).terms(query));
  }

  /** The best pages that have every word; none for no words. */
  List<SearchHit> search(Set<String> words, int count) throws IOException {
    if (words.isEmpty()) {
      return List.of();
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    words.forEach(word -> query.add(new TermQuery(new Term(PageAnalysis.BODY, word)), Occur.MUST));
    searchers.maybeRefreshBlocking(); // else, beside another's refresh, it is of a commit before
    IndexSearcher searcher = searchers.acquire();
    try {
      List<SearchHit> hits = new ArrayList<>();
      for (ScoreDoc hit : searcher.search(query.build(), count).scoreDocs) {
        Document page = searcher.storedFields().document(hit.doc);
        String key = page.get(PageAnalysis.KEY);
        if (key == null) {
          throw new IOException(
              "a page's '%s' is indexed but not stored, so it cannot be named"
                  .formatted(PageAnalysis.KEY));
        }
        hits.add(
            new SearchHit(key, stored(page, PageAnalysis.TITLE), stored(page, PageAnalysis.BODY)));
      }
      return hits;
    } finally {
      searchers.release(searcher);
    }
  }

  /** Empty for a text that an application has indexed only. */
  private static String stored(Document page, String field) {
    return Objects.requireNonNullElse(page.get(field), "");
  }

  Analyzer analyzer() {
    return analyzer;
  }

  @Override
  public void close() throws IOException {
    try (directory;
        searchers;
        analyzer) {
      // in this order backwards
    }
  }
}
