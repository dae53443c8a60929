// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;

/**
 * Pages of random words, as many as one likes: words come with Zipf's frequencies from a vocabulary
 * of 200,000, so that dictionary and postings are shaped like those of text, and no analyzer is in
 * the way. The same number gives the same page.
 */
final class GeneratedPages {
  private static final int VOCABULARY = 200_000;
  private static final int ASKED = 30_000;
  private static final int WORDS_A_PAGE = 400;
  private static final int SAMPLE = 200;

  private final int wordsAPage;
  private final char[][] words = new char[VOCABULARY][];
  private final double[] upTo = new double[VOCABULARY]; // cumulated frequency
  private final FieldType type = new FieldType(TextField.TYPE_NOT_STORED);

  GeneratedPages() {
    this(WORDS_A_PAGE);
  }

  GeneratedPages(int wordsAPage) {
    this.wordsAPage = wordsAPage;
    double sum = 0;
    for (int word = 0; word < VOCABULARY; word++) {
      words[word] = spelling(word).toCharArray();
      sum += 1.0 / (word + 10);
      upTo[word] = sum;
    }
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.freeze();
  }

  /**
   * Asks for 30,000 words, every second one from the most frequent on, each alone, and for 15,000
   * pairs of neighbours among them.
   *
   * @param replaced share of the words, 0 to 1, that are asked in place of others
   */
  Workload workload(double replaced) {
    WorkloadBuilder builder = Workload.builder();
    int kept = (int) Math.round(ASKED * (1 - replaced));
    for (int i = 0; i < ASKED; i++) {
      int place = i < kept ? i : i + ASKED;
      builder.add(List.of(word(place)), 1 + ASKED / (i + 1));
      if (i % 2 == 0) {
        builder.add(List.of(word(place), word(place + 1)), 1);
      }
    }
    return builder.build();
  }

  /**
   * Asks for words one by one, every second one from the most frequent on; those beyond the
   * vocabulary are on no page.
   */
  Workload singleWords(int asked) {
    WorkloadBuilder builder = Workload.builder();
    for (int i = 0; i < asked; i++) {
      builder.add(List.of(spelling(2 * i)), 1 + ASKED / (i + 1));
    }
    return builder.build();
  }

  /** How many different terms of a workload are on a page, in the mean over a few pages. */
  double termsAPage(Workload workload) throws IOException {
    long sum = 0;
    for (int page = 0; page < SAMPLE; page++) {
      Set<String> terms = new HashSet<>();
      Words text = new Words(new Random(page));
      while (text.incrementToken()) {
        terms.add(text.term.toString());
      }
      sum += terms.stream().filter(term -> workload.termNumber(term) >= 0).count();
    }
    return (double) sum / SAMPLE;
  }

  private static String spelling(int place) {
    return "w" + Integer.toString(place, 36);
  }

  private static String word(int asked) {
    return spelling(2 * asked);
  }

  static String key(long page) {
    return "https://www.example.org/section/%d/page/%d".formatted(page % 97, page);
  }

  /** The document of a page. */
  Document document(long page) {
    return document(key(page), page);
  }

  /** A page's words under a key that may be another's. */
  Document document(String key, long page) {
    Document document = new Document();
    document.add(new StringField("url", key, Field.Store.NO));
    document.add(new Field(PageAnalysis.BODY, new Words(new Random(page)), type));
    return document;
  }

  private final class Words extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final Random random;
    private int left = wordsAPage;

    Words(Random random) {
      this.random = random;
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (left-- == 0) {
        return false;
      }
      clearAttributes();
      double at = random.nextDouble() * upTo[VOCABULARY - 1];
      int found = Arrays.binarySearch(upTo, at);
      int word = found < 0 ? -found - 1 : found;
      term.copyBuffer(words[word], 0, words[word].length);
      return true;
    }
  }
}
