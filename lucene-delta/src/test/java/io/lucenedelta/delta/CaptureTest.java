// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.InfoStream;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;

class CaptureTest {
  private static final DeltaConfig CONFIG =
      DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
          .keyField("url")
          .scoredField("body")
          .build();

  private final Capture capture =
      new Capture(CONFIG, WorkloadTerms.of(CONFIG.workload()), new Costs(false), any -> true);

  @Test
  void twoQuestionsAtATimeDoNotWaitForEachOtherForEver() throws Exception {
    List<Thread> askers =
        Stream.<Runnable>of(capture::isEmpty, capture::flushed).map(CaptureTest::asker).toList();
    for (Thread asker : askers) {
      assertThat(asker.join(Duration.ofSeconds(60))).as("%s has ended", asker).isTrue();
    }
  }

  @Test
  void theArraysOfAnOrdinaryFlushServeTheNext() {
    Capture.Scratch first = flush(20_000);
    assertThat(flush(10_000)).isSameAs(first);
  }

  @Test
  void theArraysOfALargeFlushAreNotKept() {
    Capture.Scratch large = flush(1_000_000);
    assertThat(flush(1)).isNotSameAs(large);
  }

  @Test
  void allFlushesOfABatchUseTheSameArraysHoweverManyThereAre() {
    Set<Capture.Scratch> used = new HashSet<>();
    for (int time = 0; time < 50; time++) {
      used.add(flush(400_000));
    }
    assertThat(used).as("allocated").hasSize(1);
  }

  @Test
  void theArraysOfManyPagesAreTheJvmsToTakeWhenTheirBatchIsDone() {
    Capture.Scratch large = flush(400_000);
    assertThat(capture.keepsLargeArrays()).as("in the batch").isTrue();
    capture.release(capture.segments());
    assertThat(capture.keepsLargeArrays()).as("after it").isFalse();
    assertThat(flush(400_000)).as("that the JVM has not taken").isSameAs(large);
    capture.release(List.of());
    assertThat(capture.keepsLargeArrays()).as("after one that captured nothing").isFalse();
  }

  @Test
  void theArraysOfFewPagesServeBatchAfterBatch() {
    Capture.Scratch first = flush(20_000);
    capture.release(capture.segments());
    assertThat(flush(20_000)).isSameAs(first);
  }

  @Test
  void noArraysAreKeptOnceNothingIsCapturedAnyMore() throws Exception {
    List<WeakReference<Capture.Scratch>> kept = flushedBeforeAndAfterTheEnd();
    for (int time = 0; time < 100 && !areGone(kept); time++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(areGone(kept)).isTrue();
  }

  /** Where memory ran out some may have grown, and others that grow with them may not. */
  @Test
  void theArraysOfAFlushThatFailedServeNoOther() {
    SegmentWriteState state = segment(10);
    Capture.Scratch failed = capture.beginSegment(state, null);
    failed.notes().fail(new IllegalStateException("injected"));
    capture.endSegment(failed, state, true);
    assertThat(capture.flushed().segments()).isEmpty();
    capture.forget(capture.flushed().troubles());
    assertThat(flush(10)).isNotSameAs(failed);
  }

  @Test
  void whatIsReleasedTwiceMakesRoomOnce() {
    DeltaConfig config =
        DeltaConfig.builder(CONFIG.workload())
            .keyField("url")
            .scoredField("body")
            .batchHeap(1_000) // for two segments without pages
            .build();
    Capture small =
        new Capture(config, WorkloadTerms.of(config.workload()), new Costs(false), any -> true);
    flush(small, 2);
    List<CapturedSegment> batch = small.segments();
    small.release(batch);
    small.release(batch);
    flush(small, 3);
    assertThat(small.segments()).hasSize(2);
    assertThat(small.flushed().troubles())
        .singleElement()
        .asString()
        .contains("would take 1200 bytes of heap, more than 1000");
  }

  private static void flush(Capture target, int times) {
    for (int time = 0; time < times; time++) {
      SegmentWriteState state = segment(10);
      target.endSegment(target.beginSegment(state, null), state, true);
    }
  }

  private List<WeakReference<Capture.Scratch>> flushedBeforeAndAfterTheEnd() {
    SegmentWriteState state = segment(10);
    Capture.Scratch underWay = capture.beginSegment(state, null);
    Capture.Scratch before = flush(10);
    capture.disable();
    capture.endSegment(underWay, state, true);
    return List.of(new WeakReference<>(before), new WeakReference<>(underWay));
  }

  private static boolean areGone(List<WeakReference<Capture.Scratch>> all) {
    return all.stream().allMatch(reference -> reference.refersTo(null));
  }

  private Capture.Scratch flush(int documents) {
    SegmentWriteState state = segment(documents);
    Capture.Scratch used = capture.beginSegment(state, null);
    capture.endSegment(used, state, true);
    assertThat(capture.flushed().troubles()).isEmpty();
    return used;
  }

  private static SegmentWriteState segment(int documents) {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    SegmentInfo info =
        new SegmentInfo(
            directory,
            Version.LATEST,
            Version.LATEST,
            "_0",
            documents,
            false,
            false,
            Codec.getDefault(),
            Map.of(),
            StringHelper.randomId(),
            Map.of(),
            null);
    return new SegmentWriteState(
        InfoStream.NO_OUTPUT, directory, info, FieldInfos.EMPTY, null, IOContext.DEFAULT);
  }

  private static Thread asker(Runnable question) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              for (int time = 0; time < 500_000; time++) {
                question.run();
              }
            });
  }
}
