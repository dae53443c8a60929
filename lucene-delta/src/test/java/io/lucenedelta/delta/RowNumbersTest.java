// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.lucene.util.BytesRef;
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

  /** The first slot comes behind the last one, for keys that are not there, too. */
  @Test
  void everyKeyIsFoundByItselfAndByItsHashWhereverTheSlotsEnd() {
    int rows = 31;
    for (long seed = 0; seed < 100; seed++) {
      RowNumbers numbers = new RowNumbers(null, new Pages(), seed);
      numbers.take(ByteBuffer.allocate(64 * Integer.BYTES));
      for (int row = 0; row < rows; row++) {
        numbers.add(numbers.hash(page(row)), row);
      }
      for (int row = 0; row < 2 * rows; row++) {
        int expected = row < rows ? row : -1;
        assertThat(numbers.find(page(row))).as("seed %d", seed).isEqualTo(expected);
        assertThat(numbers.find(NumberByKey.hash(page(row), seed)))
            .as("by its hash, seed %d", seed)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void numbersThatAreReplacedByTwiceAsManyAreUsedNoMore() throws IOException {
    ByteArrayOutputStream description = new ByteArrayOutputStream();
    try (ColumnBlocks blocks =
        new ColumnBlocks(MappedBlocks.create(folder.resolve("columns.map")))) {
      RowNumbers numbers = new RowNumbers(blocks, new Pages(), 0);
      numbers.begin(0);
      numbers.grow(0);
      blocks.describe(new DataOutputStream(description));
    }
    ByteBuffer described = ByteBuffer.wrap(description.toByteArray());
    assertThat(described.getInt()).as("blocks").isEqualTo(2);
    assertThat(described.getChar()).as("kind of the first").isEqualTo('u');
  }

  private static BytesRef page(int row) {
    return new BytesRef("page" + row);
  }

  private static final class Pages implements RowNumbers.Keys {
    @Override
    public byte[] key(int row) {
      return ("page" + row).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isKey(int row, BytesRef key) {
      return key.bytesEquals(page(row));
    }
  }
}
