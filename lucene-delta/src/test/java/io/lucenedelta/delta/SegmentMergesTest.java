// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;

/** Documents are found again in whatever their segments were merged into. */
class SegmentMergesTest {
  private final SegmentMerges merges = new SegmentMerges();

  @Test
  void aCommitIsMadeOfKnownSegmentsIfEachIsOneOrAMergeOfThem() {
    merges.begins(merge("bc", "b", "c")).ends();
    merges.begins(merge("abc", "a", "bc"));
    merges.begins(merge("dx", "d", "x")).ends();
    Set<String> known = Set.of("a", "b", "c", "d");
    assertThat(merges.leadFrom(known, Set.of())).isTrue();
    assertThat(merges.leadFrom(known, Set.of("a", "d"))).isTrue();
    assertThat(merges.leadFrom(known, Set.of("abc", "d"))).isTrue();
    assertThat(merges.leadFrom(known, Set.of("a", "x"))).isFalse();
    assertThat(merges.leadFrom(known, Set.of("abc", "dx"))).isFalse();
  }

  @Test
  void aMergeThatBeginsWhileOthersAreForgottenIsKept() {
    merges.begins(merge("old", "a"));
    merges.forgetOthers(
        () -> {
          merges.begins(merge("new", "flushed meanwhile"));
          return Set.of();
        });
    assertThat(merges.restingPlace("a", Set.of("old"))).isNull();
    assertThat(merges.restingPlace("flushed meanwhile", Set.of("new"))).isEqualTo("new");
  }

  @Test
  void mergesOfMergesOfAFollowedSegmentAreKept() {
    merges.begins(merge("ab", "a", "b")).ends();
    merges.begins(merge("cd", "c", "d")).ends();
    merges.begins(merge("abe", "ab", "e")).ends();
    merges.forgetOthers(() -> Set.of("a"));
    assertThat(merges.size()).isEqualTo(2);
    assertThat(merges.restingPlace("a", Set.of("abe"))).isEqualTo("abe");
    assertThat(merges.restingPlace("c", Set.of("cd"))).isNull();
  }

  @Test
  void aMergeThatMakesNoSegmentLeadsNowhere() {
    MergePolicy.OneMerge failing = new MergePolicy.OneMerge(List.of(segment("a"), segment("b")));
    merges.begins(failing).ends();
    assertThat(merges.restingPlace("a", Set.of("ab"))).isNull();
    assertThat(merges.restingPlace("a", Set.of("a", "b"))).isEqualTo("a");
  }

  @Test
  void ofAMergeThatIsOverOnlyNamesAreKept() throws InterruptedException {
    WeakReference<SegmentCommitInfo> merged = followed();
    for (int i = 0; i < 100 && merged.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(merged.get()).isNull();
    assertThat(merges.restingPlace("a", Set.of("ab"))).isEqualTo("ab");
  }

  private WeakReference<SegmentCommitInfo> followed() {
    SegmentCommitInfo a = segment("a");
    MergePolicy.OneMerge merge = new MergePolicy.OneMerge(List.of(a, segment("b")));
    SegmentMerges.Merge begun = merges.begins(merge);
    merge.setMergeInfo(segment("ab"));
    begun.ends();
    return new WeakReference<>(a);
  }

  @Test
  void whenThereAreTooManyAllAreForgottenAndTheNextBatchesAreReadFromTheIndex() {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    List<SegmentMerges.Merge> begun = new ArrayList<>();
    for (int i = 0; i <= SegmentMerges.MOST; i++) {
      begun.add(changes.mergeBegins(merge("to" + i, "from" + i)));
    }
    assertThat(begun.remove(SegmentMerges.MOST)).isNull();
    assertThat(begun).doesNotContainNull();
    assertThat(changes.merges().size()).isZero();
    assertThat(changes.any()).as("needs a commit").isTrue();
    assertThat(changes.take(Long.MAX_VALUE).imported()).isTrue();
    assertThat(changes.take(Long.MAX_VALUE).imported()).isTrue();
    assertThat(changes.take(Long.MAX_VALUE).imported()).isFalse();
  }

  private static MergePolicy.OneMerge merge(String result, String... sources) {
    List<SegmentCommitInfo> infos = Arrays.stream(sources).map(SegmentMergesTest::segment).toList();
    MergePolicy.OneMerge merge = new MergePolicy.OneMerge(infos);
    merge.setMergeInfo(segment(result));
    return merge;
  }

  private static SegmentCommitInfo segment(String name) {
    byte[] id = StringHelper.randomId();
    SegmentInfo info =
        new SegmentInfo(
            new ByteBuffersDirectory(),
            Version.LATEST,
            Version.LATEST,
            name,
            1,
            false,
            false,
            Codec.getDefault(),
            Map.of(),
            id,
            Map.of(),
            null);
    return new SegmentCommitInfo(info, 0, 0, -1, -1, -1, id);
  }
}
