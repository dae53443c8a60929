// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Optional;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.tests.util.TestUtil;

/** What the index writer of a {@link RandomRun} is told, the same at every opening. */
final class RandomSettings {
  final Similarity similarity;
  final String softField;
  final boolean threads;
  final boolean commitOnClose;
  final Optional<Importance> importance;
  private final Analyzer analyzer;
  private final Codec codec;
  private final boolean sorted;
  private final boolean smallBuffer;
  private final boolean compound;
  private final int bufferedDocs;
  private final int mergeKind;
  private final boolean concurrentMerges;
  private final long mergeWait;

  RandomSettings(long seed, Random random, Analyzer analyzer) {
    this.analyzer = analyzer;
    this.codec = codec(seed);
    this.importance = importance(seed);
    this.similarity =
        switch (random.nextInt(3)) {
          case 0 -> new ClassicSimilarity();
          case 1 -> new LMDirichletSimilarity();
          default -> new BM25Similarity();
        };
    this.sorted = random.nextInt(3) == 0;
    this.softField = random.nextInt(3) == 0 ? "soft" : null;
    this.threads = random.nextInt(3) == 0;
    this.commitOnClose = random.nextInt(6) > 0;
    this.smallBuffer = random.nextInt(4) == 0;
    this.compound = random.nextBoolean();
    this.bufferedDocs = 2 + random.nextInt(10);
    this.mergeKind = random.nextInt(3);
    this.concurrentMerges = random.nextBoolean();
    this.mergeWait = random.nextBoolean() ? 0 : 500;
  }

  /** Mostly none. Pages that importance alone scores rank by their standing, in no table. */
  private static Optional<Importance> importance(long seed) {
    return switch ((int) (seed % 5)) {
      case 2 -> Optional.of(new Importance(RandomSettings::links, Importance.Role.FACTOR));
      case 3 -> Optional.of(new Importance(RandomSettings::links, Importance.Role.SUMMAND));
      default -> Optional.empty();
    };
  }

  private static double links(String page) {
    return 1 + Math.floorMod(page.hashCode(), 7) / 4.0;
  }

  /** Mostly Lucene's own; others ask for no norms, or not for those of each term. */
  private static Codec codec(long seed) {
    Codec codec = TestUtil.getDefaultCodec();
    return switch ((int) (seed % 8)) {
      case 3 -> new NormsCodec(codec, (term, document) -> false);
      case 6 -> new NormsCodec(codec, (term, document) -> (term + seed) % 3 > 0);
      default -> codec;
    };
  }

  /**
   * An index sort allows no blocks without a parent field, and with one plain Lucene 10.5.1 fails
   * in merges under operations like these.
   */
  boolean blocksForbidden() {
    return sorted;
  }

  IndexWriterConfig writerConfig(boolean keepCommits) {
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer)
            .setSimilarity(similarity)
            .setCodec(codec)
            .setUseCompoundFile(compound)
            .setCommitOnClose(commitOnClose || !keepCommits)
            .setMaxFullFlushMergeWaitMillis(mergeWait)
            .setMergeScheduler(
                concurrentMerges ? new ConcurrentMergeScheduler() : new SerialMergeScheduler());
    if (smallBuffer) {
      config.setRAMBufferSizeMB(0.01);
    } else {
      config
          .setMaxBufferedDocs(bufferedDocs)
          .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
    }
    setMerges(config);
    if (keepCommits) {
      config.setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    }
    if (sorted) {
      config.setIndexSort(new Sort(new SortField("sort", SortField.Type.LONG)));
    }
    if (softField != null) {
      config.setSoftDeletesField(softField);
    }
    return config;
  }

  /** For the message of a failure. */
  @Override
  public String toString() {
    return "sorted %s, soft deletes %s, threads %s, small buffer %s"
            .formatted(sorted, softField, threads, smallBuffer)
        + ", merge kind %d, commit on close %s".formatted(mergeKind, commitOnClose)
        + ", importance "
        + importance.map(i -> i.role().toString()).orElse("none");
  }

  private void setMerges(IndexWriterConfig config) {
    if (mergeKind == 0) {
      config.setMergePolicy(NoMergePolicy.INSTANCE);
    } else if (mergeKind == 1) {
      LogDocMergePolicy policy = new LogDocMergePolicy();
      policy.setMergeFactor(2 + bufferedDocs % 3);
      config.setMergePolicy(policy);
    } else {
      config.setMergePolicy(new TieredMergePolicy().setSegmentsPerTier(2));
    }
  }
}
