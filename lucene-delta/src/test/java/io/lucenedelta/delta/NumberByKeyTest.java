// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class NumberByKeyTest {
  private static Map<Long, Long> contents(NumberByKey table) {
    Map<Long, Long> contents = new HashMap<>();
    table.forEach((hash, number) -> contents.put(hash, number));
    return contents;
  }

  @Test
  void whateverIsPutAndRemovedItHoldsWhatAMapHolds() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      int keys = 1 + random.nextInt(600);
      boolean crowded = random.nextBoolean(); // many keys that want the same places
      Map<Long, Long> expected = new HashMap<>();
      NumberByKey table = new NumberByKey();
      for (int step = 0; step < 3_000; step++) {
        int key = random.nextInt(keys);
        long hash =
            crowded
                ? (key % 3 + 14L) << 32 | (key + 1)
                : NumberByKey.hash("https://example.org/" + key, 0);
        if (random.nextInt(5) < 2) {
          table.remove(hash);
          expected.remove(hash);
        } else {
          long number = random.nextLong();
          table.put(hash, number);
          expected.put(hash, number);
        }
        long asked = NumberByKey.hash("https://example.org/" + random.nextInt(keys), 0);
        assertThat(table.has(asked))
            .as("seed %d, round %d", seed, round)
            .isEqualTo(expected.containsKey(asked));
        assertThat(table.get(asked, -7))
            .as("seed %d, round %d", seed, round)
            .isEqualTo(expected.getOrDefault(asked, -7L));
      }
      assertThat(table.size()).as("seed %d, round %d", seed, round).isEqualTo(expected.size());
      assertThat(contents(table)).as("seed %d, round %d", seed, round).isEqualTo(expected);
    }
  }

  @Test
  void severalKeysAreFoundTogetherAsOneByOne() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    NumberByKey table = new NumberByKey();
    long[] keys = new long[2_000];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (long) random.nextInt(700) << 32 | (i + 1); // many want the same places
      if (random.nextBoolean()) {
        table.put(keys[i], i);
      }
    }
    long[] numbers = keys.clone();
    int count = 1 + random.nextInt(keys.length);
    table.get(numbers, count, -7);
    for (int i = 0; i < keys.length; i++) {
      long expected = i < count ? table.get(keys[i], -7) : keys[i];
      assertThat(numbers[i]).as("seed %d, key %d of %d", seed, i, count).isEqualTo(expected);
    }
  }

  @Test
  void aHashIsThatOfTheBytesAndDiffersInBothHalves() {
    BytesRef part = new BytesRef(new byte[] {1, 'a', 'b', 2}, 1, 2);
    assertThat(NumberByKey.hash(part, 0)).isEqualTo(NumberByKey.hash("ab", 0));
    assertThat((int) NumberByKey.hash("ab", 0)).isEqualTo(NumberByKey.lower(part, 0));
    assertThat(NumberByKey.lower(part, 0)).isNotEqualTo(NumberByKey.lower(new BytesRef("ac"), 0));
    assertThat(NumberByKey.hash("ab", 0) >>> 32)
        .isNotEqualTo(NumberByKey.hash("ab", 0) & 0xFFFFFFFFL);
  }

  /** Whoever knows the seed can choose as many keys as he likes that share a hash. */
  @Test
  void keysThatShareHalfAHashByOneSeedDoNotByAnother() {
    Map<Integer, String> first = new HashMap<>();
    int shared = 0;
    int sharedByAnother = 0;
    for (int i = 0; i < 400_000; i++) {
      String key = "https://a.test/" + i;
      String other = first.put(NumberByKey.lower(new BytesRef(key), 0), key);
      if (other != null) {
        shared++;
        boolean same =
            NumberByKey.lower(new BytesRef(other), 7) == NumberByKey.lower(new BytesRef(key), 7);
        sharedByAnother += same ? 1 : 0;
        assertThat(NumberByKey.hash(key, 7)).isNotEqualTo(NumberByKey.hash(other, 7));
      }
    }
    assertThat(shared).isGreaterThan(5);
    assertThat(sharedByAnother).isZero();
    assertThat((int) NumberByKey.hash("ab", 7)).isEqualTo(NumberByKey.lower(new BytesRef("ab"), 7));
    assertThat(NumberByKey.hash("ab", 7)).isNotEqualTo(NumberByKey.hash("ab", 8));
  }
}
