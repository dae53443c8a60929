// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
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
}
