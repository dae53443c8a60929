// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class PackedTermsTest {
  private static PackedTerms packed(Map<Integer, Integer> terms) {
    long[] ascending =
        terms.entrySet().stream()
            .mapToLong(term -> (long) term.getKey() << Integer.SIZE | term.getValue())
            .toArray();
    return PackedTerms.of(ascending, ascending.length);
  }

  private static List<List<Integer>> read(PackedTerms terms) {
    List<List<Integer>> read = new ArrayList<>();
    terms.forEach((i, term, frequency) -> read.add(List.of(i, term, frequency)));
    return read;
  }

  @RepeatedTest(20)
  void whatIsReadIsWhatWasPacked() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    TreeMap<Integer, Integer> terms = new TreeMap<>();
    int count = random.nextInt(300);
    for (int i = 0; i < count; i++) {
      terms.put(
          random.nextInt(1 << random.nextInt(31)), 1 + random.nextInt(1 << random.nextInt(31)));
    }
    List<List<Integer>> expected = new ArrayList<>();
    terms.forEach((term, frequency) -> expected.add(List.of(expected.size(), term, frequency)));

    PackedTerms packed = packed(terms);

    assertThat(read(packed)).as("seed %s", seed).isEqualTo(expected);
    assertThat(packed.size()).as("seed %s", seed).isEqualTo(terms.size());
    assertThat(packed.numbers())
        .as("seed %s", seed)
        .isEqualTo(terms.keySet().stream().mapToInt(Integer::intValue).toArray());
  }

  @Test
  void theFirstTermTheLastOneAndTheHighestFrequencyArePackedToo() {
    int last = Integer.MAX_VALUE;
    assertThat(read(packed(new TreeMap<>(Map.of(0, Integer.MAX_VALUE, last, 1)))))
        .containsExactly(List.of(0, 0, Integer.MAX_VALUE), List.of(1, last, 1));
  }

  @Test
  void aTextWithoutTermsOfTheWorkloadHasNone() {
    assertThat(read(packed(new TreeMap<>()))).isEmpty();
  }
}
