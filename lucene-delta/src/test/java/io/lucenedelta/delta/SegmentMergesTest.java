// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
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
    assertThat(merges.restingPlaces(Set.of("old")).get("a")).isNull();
    assertThat(merges.restingPlaces(Set.of("new")).get("flushed meanwhile")).isEqualTo("new");
  }

  @Test
  void mergesOfMergesOfAFollowedSegmentAreKept() {
    merges.begins(merge("ab", "a", "b")).ends();
    merges.begins(merge("cd", "c", "d")).ends();
    merges.begins(merge("abe", "ab", "e")).ends();
    merges.forgetOthers(() -> Set.of("a"));
    assertThat(merges.size()).isEqualTo(2);
    assertThat(merges.restingPlaces(Set.of("abe")).get("a")).isEqualTo("abe");
    assertThat(merges.restingPlaces(Set.of("cd")).get("c")).isNull();
  }

  @Test
  void aMergeThatMakesNoSegmentLeadsNowhere() {
    MergePolicy.OneMerge failing = new MergePolicy.OneMerge(List.of(segment("a"), segment("b")));
    merges.begins(failing).ends();
    assertThat(merges.restingPlaces(Set.of("ab")).get("a")).isNull();
    assertThat(merges.restingPlaces(Set.of("a", "b")).get("a")).isEqualTo("a");
  }

  @Test
  void placesAreThoseThatFollowingEachSegmentThroughEveryMergeFinds() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      Merged merged = randomMerges(random);
      Map<String, String> expected = new HashMap<>();
      for (String segment : merged.segments()) {
        String place = follow(segment, merged);
        if (place != null) {
          expected.put(segment, place);
        }
      }
      assertThat(merged.merges().restingPlaces(merged.committed()))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(expected);
    }
  }

  /** Merges, in the order in which they began, of segments that are a commit's or are not. */
  private record Merged(
      SegmentMerges merges,
      List<String> results, // null of a merge that failed
      List<List<String>> sources,
      Set<String> segments,
      Set<String> committed) {}

  private static Merged randomMerges(Random random) {
    List<String> live = new ArrayList<>();
    Set<String> segments = new TreeSet<>();
    Set<String> earlier = new TreeSet<>(); // that an earlier commit may still have
    Merged merged =
        new Merged(
            new SegmentMerges(), new ArrayList<>(), new ArrayList<>(), segments, new TreeSet<>());
    for (int i = 0; i < 40; i++) {
      String made = "_" + i;
      if (live.size() < 2 || random.nextBoolean()) {
        live.add(made);
        segments.add(made);
        continue;
      }
      Collections.shuffle(live, random);
      List<String> sources = List.copyOf(live.subList(0, 1 + random.nextInt(live.size())));
      boolean fails = random.nextInt(4) == 0;
      merged.sources().add(sources);
      merged.results().add(fails ? null : made);
      SegmentMerges.Merge begun =
          merged.merges().begins(merge(fails ? null : made, sources.toArray(String[]::new)));
      if (random.nextBoolean()) {
        begun.ends();
      }
      if (!fails) {
        live.removeAll(sources);
        earlier.addAll(sources);
        live.add(made);
        segments.add(made);
      }
    }
    for (String segment : segments) {
      if (random.nextInt(earlier.contains(segment) ? 8 : 2) == 0) {
        merged.committed().add(segment);
      }
    }
    return merged;
  }

  private static String follow(String segment, Merged merged) {
    if (merged.committed().contains(segment)) {
      return segment;
    }
    for (int i = 0; i < merged.results().size(); i++) {
      String result = merged.results().get(i);
      if (result != null && merged.sources().get(i).contains(segment)) {
        String place = follow(result, merged);
        if (place != null) {
          return place;
        }
      }
    }
    return null;
  }

  @Test
  void ofAMergeThatIsOverOnlyNamesAreKept() throws InterruptedException {
    WeakReference<SegmentCommitInfo> merged = followed();
    for (int i = 0; i < 100 && merged.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(merged.get()).isNull();
    assertThat(merges.restingPlaces(Set.of("ab")).get("a")).isEqualTo("ab");
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
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    List<SegmentMerges.Merge> begun = new ArrayList<>();
    for (int i = 0; i <= SegmentMerges.MOST; i++) {
      begun.add(operations.mergeBegins(merge("to" + i, "from" + i)));
    }
    assertThat(begun.remove(SegmentMerges.MOST)).isNull();
    assertThat(begun).doesNotContainNull();
    assertThat(operations.merges().size()).isZero();
    assertThat(operations.any()).as("needs a commit").isTrue();
    assertThat(operations.take(Long.MAX_VALUE).imported()).isTrue();
    assertThat(operations.take(Long.MAX_VALUE).imported()).isTrue();
    assertThat(operations.take(Long.MAX_VALUE).imported()).isFalse();
  }

  private static MergePolicy.OneMerge merge(String result, String... sources) {
    List<SegmentCommitInfo> infos = Arrays.stream(sources).map(SegmentMergesTest::segment).toList();
    MergePolicy.OneMerge merge = new MergePolicy.OneMerge(infos);
    if (result != null) {
      merge.setMergeInfo(segment(result));
    }
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
