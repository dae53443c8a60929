// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.LiveIndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredIndexTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  @TempDir Path folder;

  /** Or what is measured would depend on how far other threads are with merging. */
  @Test
  void segmentsAreMergedByTheThreadThatCommits() throws IOException {
    Set<Thread> merging = ConcurrentHashMap.newKeySet();
    Workload workload = Workload.builder().add(List.of("word"), 1).build();
    try (MeasuredIndex measured =
        MeasuredIndex.open(
            folder.resolve("index"), workload, new MeasuringOptions(), new DeltaListener() {})) {
      LiveIndexWriterConfig config = measured.writer().getConfig();
      config.setMergePolicy(
          new OneMergeWrappingMergePolicy(
              config.getMergePolicy(), merge -> new ToldMerge(merge, merging)));
      for (int day = 0; day < 40; day++) {
        Instant time = START.plus(Duration.ofDays(day));
        measured.update(new CrawledPage("https://a.example/" + day, time, "", "word " + day));
        measured.commit(time, pages -> {});
      }
    }
    assertThat(merging).containsExactly(Thread.currentThread());
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
