// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.ExactShift;
import io.lucenedelta.scorer.quality.PageShifts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * Measures refreshes exactly, by searching: the complete result of every query that the refresh
 * moves the page in, in the commit before it, and the same with the page's new score.
 *
 * <p>Scores are those the estimate works with, under the same frozen statistics; pages of equal
 * score stand in the order of their keys; every other page is what the commit holds of it. For one
 * batch and one thread.
 */
final class ExactRefresh {
  private final DirectoryReader reader;
  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final Ranks ranks;
  private final PageMeasure shiftsOf;
  private final List<BytesRef> pages; // ascending
  private final TimeBudget budget;
  private final ExactShift shift;
  private final List<Segment> segments = new ArrayList<>();

  /**
   * Prepares measuring; reads nothing yet.
   *
   * @param reader of the commit before the batch
   * @param pages keys of the pages whose refreshes will be measured
   */
  ExactRefresh(
      DirectoryReader reader,
      DeltaConfig config,
      WorkloadTerms terms,
      Ranks ranks,
      List<BytesRef> pages,
      TimeBudget budget) {
    this.reader = reader;
    this.config = config;
    this.terms = terms;
    this.ranks = ranks;
    this.shiftsOf = new PageMeasure(ranks, ranks.scores(), config, new Costs(false).loop());
    this.pages = pages.stream().sorted().toList();
    this.budget = budget;
    this.shift = new ExactShift(config.estimator().views());
  }

  /**
   * The exact change in quality of a refresh.
   *
   * @throws TimeBudget.Spent when the time is up
   */
  double of(AuditSample.Drawn refresh) throws IOException {
    budget.check();
    if (segments.isEmpty()) {
      for (LeafReaderContext leaf : reader.leaves()) {
        budget.check();
        segments.add(new Segment(leaf.reader()));
      }
    }
    int page = pages.indexOf(refresh.key());
    for (Segment segment : segments) {
      segment.choose(page);
    }
    PageShifts shifts =
        shiftsOf.shifts(PageKeys.name(refresh.key()), refresh.before(), refresh.after());
    double sum = 0;
    for (int i = 0; i < shifts.size(); i++) {
      budget.check();
      shift.begin(shifts.before(i), shifts.after(i));
      for (Segment segment : segments) {
        segment.offerOthers(shifts.query(i));
      }
      sum += config.workload().frequency(shifts.query(i)) * shift.change();
    }
    return sum;
  }

  /** One segment of the commit, as seen from one page at a time. */
  private final class Segment implements QueryMatches.Taker {
    private final LeafReader leaf;
    private final PageKeys keys;
    private final QueryMatches matches;
    private TieOrder order;
    private int page;
    private int document; // the page's only one, or PageKeys.NONE

    Segment(LeafReader leaf) throws IOException {
      this.leaf = leaf;
      this.keys = PageKeys.of(leaf, config.keyField());
      float[] importance = null;
      if (config.importance() != null) {
        importance = new float[leaf.maxDoc()];
        readImportance(importance);
      }
      this.matches =
          new QueryMatches(
              leaf,
              config,
              terms,
              ranks.scores(),
              keys.livePages(budget::spend),
              importance,
              TermPlaces.notRemembered());
    }

    private void readImportance(float[] byDocument) throws IOException {
      keys.forEach(
          (key, doc) -> {
            budget.spend();
            byDocument[doc] = (float) config.importance().of(PageKeys.name(key));
          });
    }

    void choose(int number) throws IOException {
      page = number;
      document = PageKeys.NONE;
      Terms all = leaf.terms(config.keyField());
      TermsEnum cursor = all == null ? null : all.iterator();
      if (cursor != null && cursor.seekExact(pages.get(number))) {
        document = PageKeys.lastLive(cursor.postings(null, PostingsEnum.NONE), leaf.getLiveDocs());
      }
    }

    void offerOthers(int query) throws IOException {
      matches.forEach(query, this);
    }

    @Override
    public void pass() throws IOException {
      budget.spend();
    }

    @Override
    public void match(int doc, float score) throws IOException {
      budget.spend();
      if (doc != document && score > 0) {
        shift.other(score, shift.ties(score) && isBefore(doc));
      }
    }

    private boolean isBefore(int doc) throws IOException {
      if (order == null) {
        order = new TieOrder(keys, leaf.maxDoc(), pages, budget);
      }
      return order.isBefore(doc, page);
    }
  }
}
