// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.lucenedelta.scorer.quality.ShiftEffect;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** The pages of one commit as plain Lucene sees them, read term by term, document by document. */
final class SlowAnswer {
  /** A field's view of a page: norm and frequency by term. */
  record Posting(int frequency, long norm) {}

  /** A live page: its document's serial number, and its postings by field and term number. */
  record Page(String key, String uid, Map<Integer, Map<Integer, Posting>> postings) {}

  final TreeMap<String, Page> pages = new TreeMap<>();

  /** Keys of several live documents, with every one of them: any may be the page. */
  final Map<String, List<Page>> severalCopies = new HashMap<>();

  final Set<String> everyUid = new HashSet<>();
  long keyless;
  long extraCopies;

  private SlowAnswer() {}

  static SlowAnswer of(IndexCommit commit, DeltaConfig config, String softDeletesField)
      throws IOException {
    SlowAnswer answer = new SlowAnswer();
    try (DirectoryReader hard = DirectoryReader.open(commit)) {
      for (LeafReaderContext leaf : hard.leaves()) {
        Bits live = leaf.reader().getLiveDocs();
        for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
          if (live == null || live.get(doc)) {
            answer.everyUid.add(leaf.reader().storedFields().document(doc).get("uid"));
          }
        }
      }
      DirectoryReader soft =
          softDeletesField == null
              ? hard
              : new SoftDeletesDirectoryReaderWrapper(hard, softDeletesField);
      for (LeafReaderContext leaf : soft.leaves()) {
        answer.read(leaf.reader(), config);
      }
    }
    return answer;
  }

  private void read(LeafReader leaf, DeltaConfig config) throws IOException {
    Bits live = leaf.getLiveDocs();
    for (int doc = 0; doc < leaf.maxDoc(); doc++) {
      if (live != null && !live.get(doc)) {
        continue;
      }
      String key = leaf.storedFields().document(doc).get("url");
      if (key == null) {
        keyless++;
        continue;
      }
      String uid = leaf.storedFields().document(doc).get("uid");
      Page page = new Page(key, uid, postings(leaf, doc, config));
      Page other = pages.put(key, page);
      if (other != null) {
        extraCopies++;
        severalCopies.computeIfAbsent(key, k -> new ArrayList<>(List.of(other))).add(page);
      }
    }
  }

  private static Map<Integer, Map<Integer, Posting>> postings(
      LeafReader leaf, int doc, DeltaConfig config) throws IOException {
    Map<Integer, Map<Integer, Posting>> fields = new TreeMap<>();
    for (int field = 0; field < config.scoredFields().size(); field++) {
      String name = config.scoredFields().get(field).name();
      for (int term = 0; term < config.workload().termCount(); term++) {
        PostingsEnum list =
            leaf.postings(
                new Term(name, new BytesRef(config.workload().termUtf8(term))), PostingsEnum.FREQS);
        if (list != null && list.advance(doc) == doc) {
          NumericDocValues norms = leaf.getNormValues(name);
          long norm = norms != null && norms.advanceExact(doc) ? norms.longValue() : 1;
          fields
              .computeIfAbsent(field, f -> new TreeMap<>())
              .put(term, new Posting(list.freq(), norm));
        }
      }
    }
    return fields;
  }

  /** A stored vector in the shape of this answer. */
  static Map<Integer, Map<Integer, Posting>> decode(VectorBuffer vector) {
    Map<Integer, Map<Integer, Posting>> fields = new TreeMap<>();
    vector.rewind();
    while (vector.next()) {
      fields
          .computeIfAbsent(vector.field(), f -> new TreeMap<>())
          .put(vector.term(), new Posting(vector.frequency(), vector.norm()));
    }
    return fields;
  }

  /** ΔQ_A of a page, query by query over the whole workload. */
  static double change(Page before, Page after, DeltaConfig config, RanksAsOf ranks) {
    double sum = 0;
    Workload workload = config.workload();
    for (int query = 0; query < workload.queryCount(); query++) {
      double s1 = score(before, query, config, ranks);
      double s2 = score(after, query, config, ranks);
      if (s1 != s2) {
        ShiftEffect effect =
            config.estimator().effect(LogLogRankFunction.of(ranks.table(), query), s1, s2);
        sum += workload.frequency(query) * effect.total();
      }
    }
    return sum;
  }

  /** The score shifts of a page: s1 and s2 by query text, where those of the similarity differ. */
  static Map<String, double[]> shifts(
      Page before, Page after, DeltaConfig config, RanksAsOf ranks) {
    Map<String, double[]> shifts = new HashMap<>();
    Workload workload = config.workload();
    for (int query = 0; query < workload.queryCount(); query++) {
      if (similarity(before, query, workload, ranks) != similarity(after, query, workload, ranks)) {
        double s1 = score(before, query, config, ranks);
        double s2 = score(after, query, config, ranks);
        shifts.put(workload.queryText(query), new double[] {s1, s2});
      }
    }
    return shifts;
  }

  /** With the page's importance, in single precision as Lucene returns scores. */
  private static float score(Page page, int query, DeltaConfig config, RanksAsOf ranks) {
    double similarity = similarity(page, query, config.workload(), ranks);
    if (similarity == 0 || config.importance() == null) {
      return (float) similarity;
    }
    double importance = config.importance().ofPage().applyAsDouble(page.key());
    return (float)
        switch (config.importance().role()) {
          case ALONE -> importance;
          case FACTOR -> similarity * importance;
          case SUMMAND -> similarity + importance;
        };
  }

  /** The sum of what a query's terms score, 0 if one of them does not occur. */
  private static double similarity(Page page, int query, Workload workload, RanksAsOf ranks) {
    double sum = 0;
    for (int i = 0; i < workload.queryLength(query); i++) {
      int term = workload.queryTerm(query, i);
      float score = 0;
      for (Map.Entry<Integer, Map<Integer, Posting>> field : page.postings().entrySet()) {
        Posting posting = field.getValue().get(term);
        if (posting != null) {
          score += score(ranks.scores(), field.getKey(), term, posting);
        }
      }
      if (score == 0) {
        return 0;
      }
      sum += score;
    }
    return sum;
  }

  /** The product's score, off by no more than the similarity's own arithmetic. */
  private static float score(TermScores scores, int field, int term, Posting posting) {
    float score = scores.score(field, term, posting.frequency(), posting.norm());
    SimScorer scorer = scores.scorer(field, term);
    float own = scorer.score(posting.frequency(), posting.norm());
    float exact = own > 0 ? own : TermScores.LEAST;
    assertThat(score).isCloseTo(exact, offset(1e-6f * exact + 5e-7f * scorer.score(500, 1)));
    return score;
  }
}
