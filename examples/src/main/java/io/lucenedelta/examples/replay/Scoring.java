// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.Locale;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.Similarity;

/** How pages are scored for queries. */
public enum Scoring {
  /** Lucene's BM25 with its default parameters. */
  BM25,
  /** Lucene's TF-IDF ({@link ClassicSimilarity}), the text scoring of the 2005 paper. */
  TFIDF,
  /** 1 + in-link count for every query that a page matches, whatever its words. */
  IMPORTANCE;

  /** The name on the command line and in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Lucene's formula; for {@link #IMPORTANCE} it only encodes lengths. */
  Similarity similarity() {
    return this == TFIDF ? new ClassicSimilarity() : new BM25Similarity();
  }
}
