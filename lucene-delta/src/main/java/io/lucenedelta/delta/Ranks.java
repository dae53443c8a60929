// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.scorer.quality.WordEvidence;
import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;

/**
 * What scores and ranks are computed with until the next rebuild: frozen statistics and F_q of
 * every query, from one commit, F_q brought up to date by every batch since ({@link #upkeep}).
 *
 * <pre>
 * file → header, workload (int64), pages (int64), answered share of the whole queries (float64),
 *        statistics, rank functions, whether standings follow (byte), standings, footer
 * </pre>
 */
final class Ranks {
  private static final String CODEC = "LuceneDeltaRanks";
  private static final int VERSION = 7;

  private final long pages;
  private final FrozenStatistics statistics;
  private final OffHeapRankTable table;
  private final TermScores scores;
  private final List<TermScores> scoresOfThreads = new ArrayList<>();
  private final Standings standings; // null where pages rank by their scores
  private final AffectedQueries affected;
  private final ShiftMeter meter;
  private final double[] frequencies;
  private final double[] wholeFrequencies;
  private final LostPlaces lost;
  private final boolean follow;

  private Ranks(
      long pages,
      FrozenStatistics statistics,
      OffHeapRankTable table,
      TermScores scores,
      Standings standings,
      DeltaConfig config) {
    this.pages = pages;
    this.statistics = statistics;
    this.table = table;
    this.scores = scores;
    this.scoresOfThreads.add(scores);
    this.standings = standings;
    this.affected = new AffectedQueries(config.workload(), statistics.documentFrequencies());
    this.meter =
        standings == null
            ? config.estimator().over(table)
            : standings.over(table, config.estimator().views());
    this.frequencies = frequencies(config.workload());
    this.wholeFrequencies = config.measuresAllWhole() ? frequencies : config.wholeFrequencies();
    this.lost = new LostPlaces(table, config.workload());
    this.follow = config.importance() == null;
  }

  private static double[] frequencies(Workload workload) {
    double[] frequencies = new double[workload.queryCount()];
    Arrays.setAll(frequencies, workload::frequency);
    return frequencies;
  }

  /**
   * Builds from a commit.
   *
   * @param pages how many it has; documents without a key are none
   */
  static Ranks build(
      IndexReader reader,
      long pages,
      DeltaConfig config,
      WorkloadTerms terms,
      Similarity similarity)
      throws IOException {
    FrozenStatistics statistics = FrozenStatistics.of(reader, config.scoredFields(), terms);
    TermScores scores = new TermScores(statistics, similarity, terms, config.scoredFields().size());
    return of(reader, pages, statistics, scores, config, terms);
  }

  /**
   * The same statistics with rank functions of a later commit. Statistics hardly age, and in an
   * index they hang on which deleted documents were merged away meanwhile; rank functions do not.
   */
  Ranks renewed(IndexReader reader, DeltaConfig config, WorkloadTerms terms) throws IOException {
    return of(reader, pages, statistics, scores, config, terms);
  }

  private static Ranks of(
      IndexReader reader,
      long pages,
      FrozenStatistics statistics,
      TermScores scores,
      DeltaConfig config,
      WorkloadTerms terms)
      throws IOException {
    Standings standings = Standings.of(reader, config);
    OffHeapRankTable table =
        new RankTableBuilder(config.workload(), config, terms, scores, standings).build(reader);
    return new Ranks(pages, statistics, table, scores, standings, config);
  }

  /** Pages of the commit whose statistics these are. */
  long pages() {
    return pages;
  }

  /** See {@link FrozenStatistics#areOfOtherFields}. */
  boolean areOfOtherFields(IndexReader reader) throws IOException {
    return statistics.areOfOtherFields(reader);
  }

  /** Whether some document, a page or not, had a term of the workload in a field. */
  boolean hasTerms(int field) {
    return statistics.hasTerms(field);
  }

  /** In how many documents each term of the workload occurs. */
  int[] documentFrequencies() {
    return statistics.documentFrequencies();
  }

  OffHeapRankTable table() {
    return table;
  }

  TermScores scores() {
    return scores;
  }

  /** The same scores for each of several threads. */
  List<TermScores> scores(int threads) {
    while (scoresOfThreads.size() < threads) {
      scoresOfThreads.add(scores.another());
    }
    return List.copyOf(scoresOfThreads);
  }

  /** What pages rank by in place of their scores, or null. */
  Standings standings() {
    return standings;
  }

  /** How often each query is asked, on the heap: it is asked for with every shift. */
  double[] frequencies() {
    return frequencies;
  }

  /** Made once: it computes coefficients for every query. */
  ShiftMeter meter() {
    return meter;
  }

  /** Whether rank functions follow what pages do: not where importance plays a part in scores. */
  boolean follow() {
    return follow;
  }

  /** What a batch's pages are told to, whose shifts were kept as far as there was room. */
  RankUpkeep upkeep(BatchShifts kept) {
    return new RankUpkeep(table, meter, lost, scores, affected, kept);
  }

  /** The share of what is asked whose first results are no longer known one by one, 0 to 1. */
  double lostShare() {
    return lost.share();
  }

  AffectedQueries affected() {
    return affected;
  }

  void write(Directory directory, String name, long workloadId) throws IOException {
    StateFiles.write(
        directory,
        name,
        CODEC,
        VERSION,
        out -> {
          out.writeLong(workloadId);
          out.writeLong(pages);
          out.writeLong(Double.doubleToRawLongBits(answeredShare()));
          statistics.write(out);
          table.write(out);
          out.writeByte((byte) (standings == null ? 0 : 1));
          if (standings != null) {
            standings.write(out);
          }
        });
  }

  /**
   * The share of what is asked by queries measured whole that has any result, 0 to 1; NaN when
   * there is no such query.
   */
  double answeredShare() {
    double asked = 0;
    double answered = 0;
    for (int query = 0; query < table.size(); query++) {
      asked += wholeFrequencies[query];
      answered += table.results(query) > 0 ? wholeFrequencies[query] : 0;
    }
    return answered / asked;
  }

  /**
   * The share of what is asked, among queries with so many results or more, for which the last
   * result scores what the first does, and no more than {@code most}; 0 when there is no such
   * query.
   */
  double tiedShare(int results, float most) {
    double asked = 0;
    double tied = 0;
    for (int query = 0; query < table.size(); query++) {
      if (table.results(query) >= results) {
        float first = table.knotScore(query, 0);
        asked += frequencies[query];
        tied +=
            first <= most && first == table.knotScore(query, RankTable.KNOTS - 1)
                ? frequencies[query]
                : 0;
      }
    }
    return asked == 0 ? 0 : tied / asked;
  }

  /** Whether some query has so many results or more. */
  boolean hasResults(int results) {
    for (int query = 0; query < table.size(); query++) {
      if (table.results(query) >= results) {
        return true;
      }
    }
    return false;
  }

  /** The {@link #answeredShare} of the latest file, for a program that only reads. */
  static double answeredShare(Directory directory, Manifest manifest) throws IOException {
    String name = manifest.ranksFile;
    try (IndexInput in = open(directory, name)) {
      return Beginning.read(in, name, manifest.workloadId).answered();
    }
  }

  /** What words tell by the rank functions of the latest file, for a program that only reads. */
  static WordEvidence evidence(Directory directory, Manifest manifest, Workload workload)
      throws IOException {
    Parts parts = Parts.read(directory, manifest, workload);
    QueriesByTerm queries = QueriesByTerm.of(workload, parts.statistics.documentFrequencies());
    return new WordEvidence(workload, queries, parts.table);
  }

  private static IndexInput open(Directory directory, String name) throws IOException {
    return StateFiles.openWhole(directory, name, CODEC, VERSION);
  }

  /** What stands before all that takes room. */
  private record Beginning(long pages, double answered) {
    static Beginning read(DataInput in, String name, long workloadId) throws IOException {
      long written = in.readLong();
      if (written != workloadId) {
        throw new IOException(
            "%s holds ranks of workload %x, not of %x".formatted(name, written, workloadId));
      }
      return new Beginning(in.readLong(), Double.longBitsToDouble(in.readLong()));
    }
  }

  /** What a file begins with; the standings come after it. */
  private record Parts(long pages, FrozenStatistics statistics, OffHeapRankTable table) {

    /** By the latest file. */
    static Parts read(Directory directory, Manifest manifest, Workload workload)
        throws IOException {
      String name = manifest.ranksFile;
      try (IndexInput in = open(directory, name)) {
        return read(in, name, manifest.workloadId, workload, manifest.scoredFields);
      }
    }

    static Parts read(
        DataInput in, String name, long workloadId, Workload workload, List<ScoredField> fields)
        throws IOException {
      long pages = Beginning.read(in, name, workloadId).pages();
      FrozenStatistics statistics = FrozenStatistics.read(in, fields, workload.termCount());
      return new Parts(pages, statistics, OffHeapRankTable.read(in, workload.queryCount()));
    }
  }

  static Ranks read(
      Directory directory,
      String name,
      long workloadId,
      DeltaConfig config,
      WorkloadTerms terms,
      Similarity similarity)
      throws IOException {
    try (IndexInput in = open(directory, name)) {
      Parts parts = Parts.read(in, name, workloadId, config.workload(), config.scoredFields());
      boolean standing = in.readByte() != 0;
      if (standing != config.ranksByImportance()) {
        throw new IOException(name + " holds ranks of pages scored in another way");
      }
      Standings standings = standing ? Standings.read(in, config) : null;
      TermScores scores =
          new TermScores(parts.statistics, similarity, terms, config.scoredFields().size());
      return new Ranks(parts.pages, parts.statistics, parts.table, scores, standings, config);
    }
  }
}
