// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.List;
import java.util.Optional;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.UnicodeUtil;

/**
 * How pages become terms and documents, for every program here: the one place that names the
 * analyzer and the index's fields. Queries go through the same analyzer.
 */
public final class PageAnalysis {
  /** The page's key: one untokenized term, stored. */
  public static final String KEY = "url";

  /** The title, stored only; its words are scored as part of {@link #BODY}. */
  public static final String TITLE = "title";

  /** Title and text: the one field that is searched and scored; stored for snippets. */
  public static final String BODY = "body";

  /** When the page was fetched, in the shape that the measuring writer wants it. */
  public static final String FETCHED = "fetched";

  private PageAnalysis() {}

  /** A new analyzer: words by Unicode's rules, lower case, no stop words. */
  public static Analyzer analyzer() {
    return new StandardAnalyzer();
  }

  /**
   * What shows that the documents of an index were made otherwise than here, in a sentence about
   * it; empty if nothing does, or there are none. By what analyzer text became terms nothing shows.
   */
  public static Optional<String> foreign(IndexReader index) {
    if (index.numDocs() == 0) {
      return Optional.empty();
    }
    FieldInfos fields = FieldInfos.getMergedFieldInfos(index);
    for (FieldInfo field : fields) {
      if (!List.of(KEY, TITLE, BODY, FETCHED).contains(field.name)) {
        return Optional.of("it has a field '" + field.name + "'");
      }
    }
    for (String name : List.of(KEY, BODY, FETCHED)) {
      if (fields.fieldInfo(name) == null) {
        return Optional.of("it has no field '" + name + "'");
      }
    }
    FieldInfo title = fields.fieldInfo(TITLE);
    return title != null && title.getIndexOptions() != IndexOptions.NONE
        ? Optional.of("its field '" + TITLE + "' is indexed, not only stored")
        : Optional.empty();
  }

  /** Whether an index can hold a page's address, as one term: 1 to 32,766 bytes of UTF-8. */
  static boolean canBeKey(String address) {
    return !address.isEmpty()
        && UnicodeUtil.calcUTF16toUTF8Length(address, 0, address.length())
            <= IndexWriter.MAX_TERM_LENGTH;
  }

  /** The text of a page that is scored: its title and its text. */
  public static String body(CrawledPage page) {
    return page.title().isEmpty() ? page.text() : page.title() + "\n" + page.text();
  }

  /**
   * The page as a document, to be updated by its {@link #KEY}. Whoever measures adds the time of
   * the fetch as {@link #FETCHED}.
   */
  public static Document document(CrawledPage page) {
    Document document = new Document();
    document.add(new StringField(KEY, page.key(), Field.Store.YES));
    document.add(new StoredField(TITLE, page.title()));
    document.add(new TextField(BODY, body(page), Field.Store.YES));
    return document;
  }
}
