// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOSupplier;

/**
 * Tells once each of scores and of an importance that tell no page from another. Guarded by the
 * measurer's lock.
 */
final class ScoresCheck {
  /** Results of a query that cannot all be of pages that are alike. */
  private static final int MANY = 1_000;

  /** A share of what is asked that says what the whole is like. */
  private static final double NEARLY_ALL = 0.9;

  private static final String ROUGHLY =
      ", so that changes of pages can be measured only roughly: does the similarity look at"
          + " frequencies and lengths, and do the scored fields have them?";

  private final DeltaConfig config;
  private boolean toldOfScores;
  private boolean toldOfImportance; // or it was seen to differ

  ScoresCheck(DeltaConfig config) {
    this.config = config;
  }

  /**
   * Rank functions were built.
   *
   * @param pages those of the index
   * @param index opens it, to be closed; null when there is none
   */
  void check(Ranks ranks, PageStore pages, IOSupplier<DirectoryReader> index) {
    if (!toldOfScores && !config.ranksByImportance()) {
      scores(ranks, pages);
    }
    if (!toldOfImportance && config.importance() != null && ranks.pages() >= MANY) {
      importance(ranks.pages(), index);
    }
  }

  private void scores(Ranks ranks, PageStore pages) {
    String sentence = null;
    if (ranks.tiedShare(MANY, TermScores.LEAST) > NEARLY_ALL) {
      sentence =
          "no result of nearly all queries with many results scores more than 0: with this"
              + " similarity changes of pages are measured as next to nothing, and the order"
              + " of pages says nothing";
    } else if (ranks.tiedShare(MANY, Float.MAX_VALUE) > NEARLY_ALL) {
      sentence = "all results of nearly all queries with many results score the same" + ROUGHLY;
    } else if (mayBeFlat(ranks) && areFlat(ranks, pages)) {
      sentence = "in each scored field a word scores the same in all pages that have it" + ROUGHLY;
    }
    if (sentence != null) {
      toldOfScores = true;
      tell(sentence);
    }
  }

  /** In one field flat scores tie, and with importance they need not. */
  private boolean mayBeFlat(Ranks ranks) {
    return config.scoredFields().size() > 1
        && config.importance() == null
        && ranks.hasResults(MANY);
  }

  /**
   * Whether no page scores a word otherwise than another does in the same field: with several of
   * these that shows in no query's first and last result. Mostly the second page tells.
   */
  private boolean areFlat(Ranks ranks, PageStore pages) {
    FlatScores scores = new FlatScores(ranks.scores(), config.scoredFields().size());
    boolean[] differ = {false};
    LookedAt looked = new LookedAt(config);
    try {
      pages.forEachUntil(
          page -> {
            differ[0] = !holdFor(page, scores);
            return differ[0] || looked.count(page);
          });
    } catch (RuntimeException | Error e) {
      return false; // what cannot be read is told where it is needed
    }
    return !differ[0] && scores.pages() >= MANY;
  }

  /** What a similarity throws does not mean that the pages are damaged. */
  private static boolean holdFor(PageEntry page, FlatScores scores) {
    try {
      return scores.holdFor(page.vector);
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Tells that all pages have one importance, as where the function looks them up by other names
   * than their keys. Mostly the second page has another.
   */
  private void importance(long pages, IOSupplier<DirectoryReader> index) {
    try (DirectoryReader reader = index.get()) {
      Terms keys = reader == null ? null : MultiTerms.getTerms(reader, config.keyField());
      TermsEnum cursor = keys == null ? TermsEnum.EMPTY : keys.iterator();
      BytesRef key = cursor.next();
      if (key == null) {
        return;
      }
      String first = PageKeys.name(key);
      double importance = config.importance().of(first);
      for (; key != null; key = cursor.next()) {
        if (config.importance().of(PageKeys.name(key)) != importance) {
          toldOfImportance = true;
          return;
        }
      }
      toldOfImportance = true;
      tell(
          "importance is %s for all %d pages, %s among them, and tells none from another: does the function given to DeltaConfig.Builder.importance know pages by their keys in field %s?"
              .formatted(importance, pages, first, config.keyField()));
    } catch (IOException | Error e) {
      // what cannot be read is told where it is needed
    } catch (RuntimeException e) {
      toldOfImportance = true; // a page that left, say, whose key is still there: not asked again
    }
  }

  private void tell(String sentence) {
    config.listener().trouble(Trouble.SETUP, sentence, null);
  }
}
