// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.LiveIndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredIndexTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  @TempDir Path folder;

  /** Or what is measured would depend on how far other threads are with merging. */
  @Test
  void segmentsAreMergedByTheThreadThatCommits() throws IOException {
    Set<Thread> merging = ConcurrentHashMap.newKeySet();
    try (MeasuredIndex measured = open(folder.resolve("index"))) {
      LiveIndexWriterConfig config = measured.writer().getConfig();
      config.setMergePolicy(
          new OneMergeWrappingMergePolicy(
              config.getMergePolicy(), merge -> new ToldMerge(merge, merging)));
      for (int day = 0; day < 20; day++) { // Lucene merges when there are about ten segments
        Instant time = START.plus(Duration.ofDays(day));
        measured.update(new CrawledPage("https://a.example/" + day, time, "", "word " + day));
        measured.commit(time, pages -> {});
      }
    }
    assertThat(merging).containsExactly(Thread.currentThread());
  }

  /** Or the row of a snapshot that is in the index would never be printed. */
  @Test
  void aSnapshotIsCommittedWhateverFailsAfterItAndWhatFailedIsToldBeforeTheNext()
      throws IOException {
    Path index = folder.resolve("index");
    try (MeasuredIndex measured = open(index)) {
      LiveIndexWriterConfig config = measured.writer().getConfig();
      config.setMergePolicy(
          new OneMergeWrappingMergePolicy(config.getMergePolicy(), FailingMerge::new) {
            @Override
            public MergeSpecification findFullFlushMerges(
                MergeTrigger trigger, SegmentInfos infos, MergeContext context) {
              return null; // merging comes after the commit alone
            }
          });
      Instant committed = null;
      IOException failure = null;
      for (int day = 0; day < 40 && failure == null; day++) {
        Instant time = START.plus(Duration.ofDays(day));
        try {
          measured.requireWhole();
          measured.update(new CrawledPage("https://a.example/" + day, time, "", "word " + day));
        } catch (IOException e) {
          failure = e;
          continue;
        }
        measured.commit(time, pages -> {});
        committed = time;
      }
      assertThat(failure).hasStackTraceContaining("No space left on device");
      assertThat(MeasuredIndex.crawled(index)).hasValue(committed);
      assertThatThrownBy(measured::learnFromDiscovered).isSameAs(failure);
    }
  }

  /** As on a disk that is full once the index is written. */
  @Test
  void aSnapshotWhoseMeasurementsCannotBeSettledIsCommittedAndWhatFailedIsToldBeforeTheNext()
      throws IOException {
    Path index = folder.resolve("index");
    try (MeasuredIndex measured = open(index)) {
      measured.update(new CrawledPage("https://a.example/", START, "", "word"));
      measured.commit(START, pages -> {});
      measured.requireWhole();
      Path pending = folder.resolve("index.delta").resolve("pending_delta");
      Files.createDirectories(pending.resolve("in the way")); // no manifest can be written
      Instant next = START.plus(Duration.ofDays(1));
      measured.update(new CrawledPage("https://a.example/", next, "", "word word"));
      measured.commit(next, pages -> {});
      assertThat(MeasuredIndex.crawled(index)).hasValue(next);
      assertThatThrownBy(measured::requireWhole)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("pending_delta");
      Files.delete(pending.resolve("in the way"));
      Files.delete(pending);
    }
  }

  private static MeasuredIndex open(Path index) throws IOException {
    Workload workload = Workload.builder().add(List.of("word"), 1).build();
    return MeasuredIndex.open(index, workload, new MeasuringOptions(), new DeltaListener() {});
  }

  /** A merge on a full disk. */
  private static final class FailingMerge extends MergePolicy.OneMerge {
    FailingMerge(MergePolicy.OneMerge merge) {
      super(merge.segments);
    }

    @Override
    public CodecReader wrapForMerge(CodecReader reader) throws IOException {
      throw new IOException("No space left on device");
    }
  }

  /** A merge that tells which thread does it. */
  private static final class ToldMerge extends MergePolicy.OneMerge {
    private final Set<Thread> merging;

    ToldMerge(MergePolicy.OneMerge merge, Set<Thread> merging) {
      super(merge.segments);
      this.merging = merging;
    }

    @Override
    public CodecReader wrapForMerge(CodecReader reader) throws IOException {
      merging.add(Thread.currentThread());
      return super.wrapForMerge(reader);
    }
  }
}
