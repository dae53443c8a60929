// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillingSumsTest {
  private static final int[] LENGTHS = {
    3, 64, 65, 300, 9_000
  }; // the last does not wait with others

  @TempDir Path temporary;

  @Test
  void onTheHeapSumsAreThoseOfTheOrderOfArrival() throws IOException {
    keysOfAnyLengthKeepTheirSums(1 << 24, 0);
  }

  @Test
  void onDiskKeysOfAnyLengthKeepTheirSums() throws IOException {
    keysOfAnyLengthKeepTheirSums(1 << 15, 1e-12);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void whatWaitedWhenNoRunCouldBeWrittenCountsOnceWhenItCan() throws IOException {
    Path later = Files.createFile(temporary.resolve("later")); // where runs are to go
    try (SpillingSums sums = new SpillingSums(later, "sums", 1 << 12)) {
      int added = 0;
      int failed = 0;
      for (int i = 0; i < 3_000; i++) {
        byte[] key = ("key " + i).getBytes(StandardCharsets.UTF_8);
        try {
          sums.add(key, 0, key.length, 1);
          added++;
        } catch (IOException e) {
          failed++;
          if (failed == 3) {
            Files.delete(later);
          }
        }
      }
      double[] sum = new double[1];
      sums.forEach(
          (key, length, value) -> {
            assertThat(value).as(new String(key, 0, length, StandardCharsets.UTF_8)).isEqualTo(1);
            sum[0] += value;
          });
      assertThat(failed).isEqualTo(3);
      assertThat(sum[0]).isEqualTo(added);
    }
  }

  private void keysOfAnyLengthKeepTheirSums(long budgetBytes, double rounding) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    TreeMap<byte[], Double> expected = new TreeMap<>(Arrays::compareUnsigned);
    try (SpillingSums sums = new SpillingSums(temporary, "sums", budgetBytes)) {
      for (int i = 0; i < 6_000; i++) {
        int kind = random.nextInt(100);
        byte[] key = new byte[LENGTHS[kind < 4 ? kind + 1 : 0]];
        key[key.length - 1] = (byte) random.nextInt(20);
        key[0] = (byte) random.nextInt(8);
        double value = random.nextDouble();
        expected.merge(key, value, Double::sum);
        sums.add(key, 0, key.length, value);
      }
      Iterator<Map.Entry<byte[], Double>> next = expected.entrySet().iterator();
      sums.forEach(
          (key, length, sum) -> {
            Map.Entry<byte[], Double> entry = next.next();
            assertThat(Arrays.copyOf(key, length)).as("seed %d", seed).isEqualTo(entry.getKey());
            assertThat(sum)
                .as("seed %d", seed)
                .isCloseTo(entry.getValue(), within(rounding * entry.getValue()));
          });
      assertThat(next.hasNext()).as("seed %d", seed).isFalse();
    }
  }

  /** Keys too long to wait with others, of which the heap holds three. */
  @Test
  void noKeyIsLostHoweverManyAreLeftOnTheHeap() throws IOException {
    for (int keys : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 200}) {
      try (SpillingSums sums = new SpillingSums(temporary, "sums", 1 << 15)) {
        for (int round = 0; round < 2; round++) {
          for (int number = 0; number < keys; number++) {
            byte[] key = new byte[9_000];
            key[0] = (byte) number;
            sums.add(key, 0, key.length, number);
          }
          assertThat(temporary.toFile().list()).hasSizeLessThanOrEqualTo(64);
        }
        int[] next = {0};
        sums.forEach(
            (key, length, sum) -> {
              assertThat(key[0]).isEqualTo((byte) next[0]);
              assertThat(sum).isEqualTo(2.0 * next[0]++);
            });
        assertThat(next[0]).isEqualTo(keys);
      }
      assertThat(temporary).isEmptyDirectory();
    }
  }

  @Test
  void inAnyOrderMeansInThatOfArrivalWhileTheHeapHoldsAll() throws IOException {
    for (long budgetBytes : new long[] {1 << 20, 1 << 15}) {
      StringBuilder order = new StringBuilder();
      try (SpillingSums sums = new SpillingSums(temporary, "sums", budgetBytes)) {
        for (char letter : "gardenpond".toCharArray()) {
          byte[] key = new byte[9_000];
          key[0] = (byte) letter;
          sums.add(key, 0, key.length, 1);
        }
        sums.add(new byte[] {'x'}, 0, 1, 1); // waits
        sums.forEachInAnyOrder((key, length, sum) -> order.append((char) key[0]).append((int) sum));
      }
      assertThat(order.toString())
          .isEqualTo(budgetBytes == 1 << 20 ? "g1a1r1d2e1n2p1o1x1" : "a1d2e1g1n2o1p1r1x1");
    }
  }

  /**
   * As many runs as are merged into one on the way, each with the key once: the heap holds three.
   */
  @Test
  void theSumsOfAKeyAreAddedInTheOrderOfArrivalHoweverManyRunsThereAre() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    double expected = 0;
    byte[] key = new byte[9_000];
    byte[] other = new byte[9_000];
    List<Double> found = new ArrayList<>();
    try (SpillingSums sums = new SpillingSums(temporary, "sums", 1 << 15)) {
      for (int round = 0; round < 66; round++) {
        double value = random.nextGaussian() * Math.pow(10, random.nextInt(17));
        expected += value;
        sums.add(key, 0, key.length, value);
        for (int i = 1; i <= 3; i++) {
          other[0] = (byte) i;
          sums.add(other, 0, other.length, 1);
        }
      }
      sums.forEach((each, length, sum) -> found.add(sum));
    }
    assertThat(found).as("seed %d", seed).containsExactly(expected, 66.0, 66.0, 66.0);
  }
}
