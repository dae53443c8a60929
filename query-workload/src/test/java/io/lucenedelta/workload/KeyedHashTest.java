// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyedHashTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** Folders of measurements keep hashes: with others pages would not be found in them. */
  @Test
  void hashesAreThoseThatFilesHold() {
    byte[] key = "https://site.test/garden/pond".getBytes(StandardCharsets.UTF_8);
    assertThat(IntStream.of(0, 5, 8, 9, 16, 29).mapToLong(n -> KeyedHash.of(key, 0, n, 4711)))
        .containsExactly(
            0x55d29fb15b684c26L,
            0x125e949f896404f9L,
            0xaa2ebfc59f6af489L,
            0x5206dfd7f19ac344L,
            0xe142e9acfdde3ea4L,
            0xab366132c836cdf9L);
    assertThat(KeyedHash.of(key, 24, 5, 4711)).isEqualTo(0xec45feba121379b1L);
    assertThat(KeyedHash.of("garden pond", 4711)).isEqualTo(0x6d3690fb1b5669e5L);
  }

  @Test
  void everyBitOfBytesCountsAndSoDoesTheirNumberWhereverTheyLie() {
    for (int length = 0; length <= 40; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      Set<Long> hashes = new HashSet<>();
      hashes.add(KeyedHash.of(bytes, 0, length, seed));
      for (int bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        hashes.add(KeyedHash.of(bytes, 0, length, seed));
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
      }
      assertThat(hashes).as("length %d, seed %d", length, seed).hasSize(1 + 8 * length);
      for (int offset = 0; offset < 20; offset++) {
        byte[] among = new byte[offset + length + 9];
        random.nextBytes(among);
        System.arraycopy(bytes, 0, among, offset, length);
        assertThat(KeyedHash.of(among, offset, length, seed))
            .as("offset %d, length %d, seed %d", offset, length, seed)
            .isEqualTo(KeyedHash.of(bytes, 0, length, seed))
            .isNotEqualTo(KeyedHash.of(bytes, 0, length, seed + 1));
      }
    }
    Set<Long> zeros = new HashSet<>();
    for (int length = 0; length <= 40; length++) {
      zeros.add(KeyedHash.of(new byte[40], 0, length, seed));
    }
    assertThat(zeros).as("seed %d", seed).hasSize(41);
  }

  @Test
  void everyLetterOfATextCountsAndSoDoesTheirNumberAndTheSeed() {
    char[] text = new char[30];
    Set<Long> hashes = new HashSet<>();
    for (int length = 0; length <= text.length; length++) {
      hashes.add(KeyedHash.of(new String(text, 0, length), seed));
    }
    for (int at = 0; at < text.length; at++) {
      for (int bit = 0; bit < Character.SIZE; bit++) {
        text[at] = (char) (1 << bit);
        hashes.add(KeyedHash.of(new String(text), seed));
      }
      text[at] = 0;
    }
    hashes.add(KeyedHash.of(new String(text), seed + 1));
    assertThat(hashes)
        .as("seed %d", seed)
        .hasSize(text.length + 1 + Character.SIZE * text.length + 1);
  }

  /** Or a hash that meets others in a part of its bits could be found for it. */
  @Test
  void whichKeysShareAPartOfTheirHashHangsOnTheSeed() {
    int[] buckets = new int[256];
    int[] high = new int[256];
    for (int key = 0; key < 1 << 16; key++) {
      byte[] bytes = ("https://site.test/" + key).getBytes(StandardCharsets.UTF_8);
      if ((KeyedHash.of(bytes, 0, bytes.length, 1) & 0xff) == 0) {
        long hash = KeyedHash.of(bytes, 0, bytes.length, 2);
        buckets[(int) (hash & 0xff)]++;
        high[(int) (hash >>> 56)]++;
      }
    }
    for (int[] counts : new int[][] {buckets, high}) {
      assertThat(Arrays.stream(counts).sum()).isBetween(100, 500);
      assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(12);
    }
  }
}
