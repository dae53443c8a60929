// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SumTableTest {
  private static byte[] key(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private static boolean add(SumTable table, String key, double value) {
    byte[] bytes = key(key);
    return table.add(table.hash(bytes, 0, bytes.length), bytes, 0, bytes.length, value);
  }

  private static Map<String, Double> sums(SumTable table) throws IOException {
    Map<String, Double> sums = new LinkedHashMap<>();
    table.forEach(
        (key, length, sum) -> sums.put(new String(key, 0, length, StandardCharsets.UTF_8), sum));
    return sums;
  }

  /** Which a log may hold by chance, and its other keys after them, whatever they begin with. */
  @Test
  void keysOfTheSameHashAreToldApart() throws IOException {
    SumTable table = new SumTable(1 << 20);
    for (int round = 0; round < 2; round++) {
      int value = 1;
      for (String key : new String[] {"pond", "pon", "bond", "ponds", ""}) {
        assertThat(table.add(4711, key(key), 0, key.length(), value++)).isTrue();
      }
    }
    assertThat(sums(table))
        .isEqualTo(Map.of("pond", 2.0, "pon", 4.0, "bond", 6.0, "ponds", 8.0, "", 10.0));
    assertThat(table.size()).isEqualTo(5);
  }

  @Test
  void whoKnowsTheHashesOfOneTableKnowsNoneOfAnother() {
    byte[] key = key("garden pond");
    int first = new SumTable(1 << 20).hash(key, 0, key.length);
    int same = 0;
    for (int i = 0; i < 10; i++) {
      same += new SumTable(1 << 20).hash(key, 0, key.length) == first ? 1 : 0;
    }
    assertThat(same).isLessThan(3);
  }

  /** The highest bits of one block, and of the next, cancel in the lower half of a product. */
  @Test
  void keysThatDifferInTheHighestBitsOfNeighbouringBlocksHaveOtherHashes() {
    SumTable table = new SumTable(1 << 20);
    Set<Integer> hashes = new HashSet<>();
    for (int key = 0; key < 1 << 12; key++) {
      StringBuilder text = new StringBuilder();
      for (int bit = 0; bit < 12; bit++) {
        text.append("aaaaaaa").append((key >> bit & 1) == 0 ? 'a' : '!');
        text.append((key >> bit & 1) == 0 ? "aaaaaaaa" : "aaaacaa!");
      }
      byte[] bytes = key(text.append("end").toString());
      hashes.add(table.hash(bytes, 0, bytes.length));
    }
    assertThat(hashes).hasSizeGreaterThan(4_000);
  }

  /** Or the table is a list: keys of a log differ little. */
  @Test
  void keysThatDifferInOneByteOrInLengthHaveOtherHashes() {
    SumTable table = new SumTable(1 << 20);
    Set<Integer> hashes = new HashSet<>();
    byte[] key = new byte[20];
    int keys = 0;
    for (int at = 0; at < key.length; at++) {
      for (int other = 1; other < 256; other++, keys++) {
        key[at] = (byte) other;
        hashes.add(table.hash(key, 0, key.length));
      }
      key[at] = 0;
    }
    for (int length = 0; length < 20; length++, keys++) {
      hashes.add(table.hash(key, 0, length));
    }
    assertThat(hashes).hasSizeGreaterThan(keys - 6);
  }

  @Test
  void keysThatLieFarBehindTheFirstAreFound() throws IOException {
    SumTable table = new SumTable(1 << 26);
    byte[] key = new byte[1 << 20];
    for (int round = 0; round < 2; round++) {
      for (byte number = 0; number < 20; number++) {
        key[key.length / 2] = number;
        table.add(table.hash(key, 0, key.length), key, 0, key.length, number);
      }
    }
    assertThat(table.size()).isEqualTo(20);
    table.forEach((found, length, sum) -> assertThat(sum).isEqualTo(2.0 * found[length / 2]));
  }

  @Test
  void aKeyLongerThanTheBudgetIsTakenAlone() throws IOException {
    SumTable table = new SumTable(5_000);
    String longer = "x".repeat(20_000);
    for (Runnable forget : List.<Runnable>of(table::clear, table::release)) {
      assertThat(add(table, longer, 1)).isTrue();
      assertThat(add(table, "pond", 1)).as("no room beside it").isFalse();
      assertThat(add(table, longer, 2)).as("no new key").isTrue();
      assertThat(sums(table)).isEqualTo(Map.of(longer, 3.0));
      forget.run();
    }
    assertThat(add(table, "pond", 1)).isTrue();
    assertThat(add(table, longer, 1)).as("no room beside the other").isFalse();
    assertThat(sums(table)).isEqualTo(Map.of("pond", 1.0));
  }

  @Test
  void aKeyLongerThanTheBudgetCostsThoseAfterItNoRoom() {
    SumTable table = new SumTable(5_000);
    add(table, "x".repeat(20_000), 1);
    table.clear();
    for (String key : List.of("garden", "pond", "bond")) {
      assertThat(add(table, key, 1)).as(key).isTrue();
    }
  }

  @Test
  void aTableStaysWithinItsBudgetAndUsesMostOfIt() {
    for (int budget = 5_000; budget < 500_000; budget = budget * 5 / 4) {
      for (int length : new int[] {0, 1, 30, 1_000}) {
        SumTable table = new SumTable(budget);
        String rest = "x".repeat(length);
        int keys = 0;
        while (add(table, keys + rest, 1)) {
          assertThat(table.heapBytes()).isLessThanOrEqualTo(budget);
          keys++;
        }
        assertThat(table.heapBytes()).isLessThanOrEqualTo(budget);
        assertThat(keys).as("budget %d, length %d", budget, length).isGreaterThan(0);
        if (length < 100) {
          assertThat(table.heapBytes()).as("budget %d", budget).isGreaterThan(budget / 2);
        }
      }
    }
  }
}
