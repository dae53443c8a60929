// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** A batch goes through the pages of its segments in the order of their keys. */
class BatchTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void pagesComeInKeyOrderAndTheirCopiesInThatOfSegmentsAndDocuments() throws IOException {
    for (int round = 0; round < 200; round++) {
      Map<BytesRef, List<String>> slow = new TreeMap<>();
      Batch batch = new Batch(1, new Capture.Flushed(segments(slow), List.of()));
      Map<BytesRef, List<String>> found = new TreeMap<>();
      List<BytesRef> keys = new ArrayList<>();
      Batch.Pages pages = batch.pages();
      while (pages.next()) {
        keys.add(BytesRef.deepCopyOf(pages.key()));
        List<String> copies = new ArrayList<>();
        for (int copy = 0; copy < pages.count(); copy++) {
          CapturedSegment segment = pages.segment(copy);
          copies.add(segment.name() + " " + segment.doc(pages.entry(copy)));
        }
        found.put(keys.get(keys.size() - 1), copies);
      }
      assertThat(keys)
          .as("seed %d, round %d", seed, round)
          .containsExactlyElementsOf(slow.keySet());
      assertThat(found).as("seed %d, round %d", seed, round).isEqualTo(slow);
    }
  }

  /** Segments, some of them empty, that share most of their keys; copies of each key by the way. */
  private List<CapturedSegment> segments(Map<BytesRef, List<String>> copies) throws IOException {
    List<CapturedSegment> segments = new ArrayList<>();
    for (int number = random.nextInt(12); number >= 0; number--) {
      TreeSet<BytesRef> keys = new TreeSet<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        keys.add(new BytesRef("https://example.org/" + random.nextInt(30)));
      }
      CapturedSegment segment = new CapturedSegment("_" + segments.size(), 2 * keys.size());
      int doc = 0;
      for (BytesRef key : keys) {
        for (int copy = random.nextInt(4) == 0 ? 2 : 1; copy > 0; copy--) {
          segment.add(doc, key, FetchTimes.UNKNOWN, new VectorBuffer());
          copies.computeIfAbsent(key, k -> new ArrayList<>()).add(segment.name() + " " + doc++);
        }
      }
      segments.add(segment);
    }
    return segments;
  }
}
