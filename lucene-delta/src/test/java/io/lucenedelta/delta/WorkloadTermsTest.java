// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** A join of the workload's terms with a segment's finds what looking each one up finds. */
class WorkloadTermsTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void joiningFindsEveryTermAndNoOther() {
    for (int round = 0; round < 400; round++) {
      String[] asked = words(1 + random.nextInt(400), 0.2 + random.nextDouble());
      WorkloadTerms terms = WorkloadTerms.of(workload(asked));
      int from = 0;
      for (String word : words(random.nextInt(400), 0.2 + random.nextDouble())) {
        BytesRef text = inABlock(word);
        int slow = Arrays.binarySearch(asked, word);
        assertThat(terms.seek(text, from)).as("seed %d, '%s'", seed, word).isEqualTo(slow);
        assertThat(terms.seek(text, 0)).as("seed %d, '%s'", seed, word).isEqualTo(slow);
        from = slow < 0 ? -1 - slow : slow + 1;
      }
    }
  }

  private static Workload workload(String[] words) {
    WorkloadBuilder builder = Workload.builder();
    for (String word : words) {
      builder.add(List.of(word), 1);
    }
    return builder.build();
  }

  /** Words in the order of their bytes, many with the same first eight, some shorter than that. */
  private String[] words(int most, double variety) {
    TreeSet<String> words = new TreeSet<>();
    for (int i = 0; i < most; i++) {
      int length = 1 + random.nextInt(12);
      StringBuilder word = new StringBuilder();
      while (word.length() < length) {
        word.append((char) ('a' + (int) (variety * 3 * random.nextDouble())));
      }
      words.add(word.toString());
    }
    return words.toArray(String[]::new);
  }

  /** The bytes of a word between others', or at the end of all. */
  private BytesRef inABlock(String word) {
    byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
    byte[] block = new byte[3 + utf8.length + random.nextInt(9)];
    random.nextBytes(block);
    System.arraycopy(utf8, 0, block, 3, utf8.length);
    return new BytesRef(block, 3, utf8.length);
  }
}
