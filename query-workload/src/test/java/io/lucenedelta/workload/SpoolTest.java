// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
  @TempDir Path temporary;

  @Test
  void fewBytesAreReadBackAsTheyWereWrittenAndTakeNoFile() throws IOException {
    assertThat(readBack(1_000)).isLessThan(1 << 20);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void manyBytesAreReadBackAsTheyWereWrittenAndTheirFileGoesWithTheSpool() throws IOException {
    assertThat(readBack(200_000)).isGreaterThan(2 << 20);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aSpoolThatIsClosedLeavesNoFileOpen() throws IOException {
    byte[] many = new byte[3 << 20];
    try (Spool spool = new Spool(temporary, "terms")) {
      spool.put(many, 0, many.length);
      assertThat(OpenFiles.in(temporary)).hasSize(1);
    }
    assertThat(OpenFiles.in(temporary)).isEmpty();
  }

  /** Numbers and bytes, some of them more than the heap may hold; returns how many bytes. */
  private int readBack(int puts) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ByteBuffer expected = ByteBuffer.allocate(8 << 20).order(ByteOrder.LITTLE_ENDIAN);
    try (Spool spool = new Spool(temporary, "terms")) {
      for (int put = 0; put < puts; put++) {
        boolean longest = put == puts / 2;
        switch (longest ? 2 : random.nextInt(3)) {
          case 0 -> {
            int value = random.nextInt();
            expected.putInt(value);
            spool.putInt(value);
          }
          case 1 -> {
            double value = random.nextGaussian();
            expected.putDouble(value);
            spool.putDouble(value);
          }
          default -> {
            byte[] bytes = new byte[longest ? 12 * puts : 20];
            random.nextBytes(bytes);
            expected.put(bytes, 3, bytes.length - 5);
            spool.put(bytes, 3, bytes.length - 5);
          }
        }
      }
      ByteBuffer found = spool.buffer();
      assertThat(found.order()).as("seed %d", seed).isEqualTo(ByteOrder.LITTLE_ENDIAN);
      assertThat(found.equals(expected.flip())).as("seed %d", seed).isTrue();
      return found.remaining();
    }
  }
}
