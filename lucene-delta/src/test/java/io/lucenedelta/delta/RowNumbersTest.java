// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowNumbersTest {
  private static final int LARGEST = 1 << 30;

  @TempDir Path folder;

  @Test
  void theLargestBlockTakes201MillionPagesAndBeyondThemASentenceSaysSo() throws IOException {
    try (FileChannel file = // never written, so that it takes no room
        FileChannel.open(
            folder.resolve("numbers"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      ByteBuffer block = file.map(FileChannel.MapMode.READ_WRITE, 0, LARGEST);
      RowNumbers numbers = new RowNumbers(null, null, 0);
      numbers.take(block);
      assertThat(numbers.isFull(150_000_000)).isFalse();
      assertThat(numbers.isFull(201_326_591)).isFalse();
      assertThat(numbers.isFull(201_326_592)).isTrue();
      assertThatThrownBy(() -> numbers.grow(201_326_592))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("more than 201326592 pages")
          .hasMessageContaining("divide them among several indexes");
    }
  }

  /** Or all of them would be copied first, by every question anew, while commits wait. */
  @Test
  void morePagesThanThatAreRefusedBeforeAnyIsLookedAt() {
    RowNumbers numbers = new RowNumbers(null, null, 0);
    assertThatThrownBy(() -> numbers.begin(201_326_593))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 201326592 pages");
  }

  @Test
  void aSmallerBlockIsHalfFull() {
    RowNumbers numbers = new RowNumbers(null, null, 0);
    numbers.take(ByteBuffer.allocate(LARGEST >> 16));
    assertThat(numbers.isFull((LARGEST >> 19) - 1)).isFalse();
    assertThat(numbers.isFull(LARGEST >> 19)).isTrue();
  }
}
