// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.Directory;

/**
 * The ranks in use, and when they are built anew: when there are none, after a number of measured
 * batches, when a share of the pages has changed, and on request. For one thread at a time.
 */
final class RankSchedule {
  /** Statistics are read anew when there are so many times more pages than there were. */
  private static final double GROWN = 1.1;

  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final long workloadId;
  private final Similarity similarity;
  private final CommittedIndex index;
  private final Directory files;
  private final Manifest manifest;
  private final Costs costs;
  private Ranks ranks;

  RankSchedule(
      DeltaConfig config,
      WorkloadTerms terms,
      long workloadId,
      Similarity similarity,
      CommittedIndex index,
      Directory files,
      Manifest manifest,
      Costs costs) {
    this.config = config;
    this.terms = terms;
    this.workloadId = workloadId;
    this.similarity = similarity;
    this.index = index;
    this.files = files;
    this.manifest = manifest;
    this.costs = costs;
  }

  /** The ranks in use, null before the first are built. */
  Ranks ranks() {
    return ranks;
  }

  /** Reads the manifest's ranks, or forgets them when they answer other questions. */
  void open(boolean sameScores) {
    if (sameScores && !manifest.ranksFile.isEmpty()) {
      try {
        ranks = Ranks.read(files, manifest.ranksFile, workloadId, config, terms, similarity);
        return;
      } catch (IOException | RuntimeException e) {
        config.listener().trouble("rank functions could not be read and are built anew", e);
      }
    }
    manifest.ranksFile = "";
  }

  /** Builds them anew if that is due; statistics only when there are many more pages. */
  void renew() throws IOException {
    boolean grown = ranks == null || manifest.present > ranks.pages() * GROWN;
    if (grown
        || manifest.batchesMeasured - manifest.ranksBatch >= config.rebuildEvery()
        || manifest.changedSinceRanks >= config.rebuildShare() * ranks.pages()) {
      build(grown);
    }
  }

  /** Builds them anew from the latest commit, if that has pages. */
  void build() throws IOException {
    build(true);
  }

  private void build(boolean statisticsToo) throws IOException {
    if (manifest.present == 0) {
      return;
    }
    config.faults().at(FaultPoints.RANKS);
    long begin = costs.begin();
    try (DirectoryReader reader = index.openLatest()) {
      if (reader == null) {
        return;
      }
      Ranks built =
          statisticsToo || ranks == null
              ? Ranks.build(reader, config, terms, similarity)
              : ranks.renewed(reader, config, terms);
      String name = "ranks_" + manifest.nextFile++;
      built.write(files, name, workloadId);
      ranks = built;
      manifest.ranksFile = name;
      manifest.ranksBatch = manifest.batchesMeasured;
      manifest.changedSinceRanks = 0;
      manifest.ranksTime = config.clock().instant().toEpochMilli();
    } finally {
      costs.end(Costs.Step.RANKS, begin);
    }
  }
}
