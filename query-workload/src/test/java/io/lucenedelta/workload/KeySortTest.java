// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class KeySortTest {
  private static final byte[] ALPHABET = {0, 1, 'a', 'b', 127, -128, -1};

  @Test
  void keysComeInTheOrderOfTheirUnsignedBytes() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      TreeSet<byte[]> expected = new TreeSet<>(Arrays::compareUnsigned);
      SumTable table = new SumTable(1 << 24);
      int prefixes = 1 + random.nextInt(5);
      int letters = 2 + random.nextInt(ALPHABET.length - 1); // few: many keys agree, in many ways
      for (int i = random.nextInt(3_000); i >= 0; i--) {
        byte[] key = key(random, prefixes, letters);
        expected.add(key);
        // the sum lies before the key: reading there shows
        table.add(table.hash(key, 0, key.length), key, 0, key.length, random.nextDouble());
      }
      List<byte[]> found = new ArrayList<>();
      table.forEachSorted((key, length, sum) -> found.add(Arrays.copyOf(key, length)));

      assertThat(found).as("seed %d, round %d", seed, round).hasSameSizeAs(expected);
      int at = 0;
      for (byte[] key : expected) {
        assertThat(found.get(at++)).as("seed %d, round %d", seed, round).isEqualTo(key);
      }
    }
  }

  @Test
  void keysOfTheSameBytesAndOtherLengthsStandShorterFirst() throws IOException {
    SumTable table = new SumTable(1 << 20);
    for (int length = 300; length >= 0; length--) {
      byte[] zeros = new byte[length];
      table.add(table.hash(zeros, 0, length), zeros, 0, length, 1);
    }
    List<Integer> lengths = new ArrayList<>();
    table.forEachSorted((key, length, sum) -> lengths.add(length));

    assertThat(lengths).hasSize(301).isSorted();
  }

  @Test
  void manyKeysMayAgreeForHundredThousandBytes() throws IOException {
    SumTable table = new SumTable(1 << 24);
    byte[] key = new byte[100_000];
    for (int last = 99; last >= 0; last--) {
      key[key.length - 1 - last % 3] = (byte) last;
      table.add(table.hash(key, 0, key.length), key, 0, key.length, 1);
    }
    List<byte[]> found = new ArrayList<>();
    table.forEachSorted((sorted, length, sum) -> found.add(Arrays.copyOf(sorted, length)));

    assertThat(found).hasSize(100).isSortedAccordingTo(Arrays::compareUnsigned);
  }

  /** Few letters and long common prefixes, so that many keys agree for long. */
  private static byte[] key(Random random, int prefixes, int letters) {
    int common = 7 * random.nextInt(prefixes);
    byte[] key = new byte[common + random.nextInt(9)];
    for (int i = common; i < key.length; i++) {
      key[i] = ALPHABET[random.nextInt(letters)];
    }
    return key;
  }
}
