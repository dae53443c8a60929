// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.delta.ColumnBlocks.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColumnBlocksTest {
  @TempDir Path folder;

  private Path file;
  private byte[] description;

  private static void fill(ByteBuffer block, int with) {
    block.clear();
    while (block.hasRemaining()) { // and stay at its end
      block.put((byte) (with + block.position()));
    }
  }

  /** Leaves a file in which numbers were doubled. */
  @BeforeEach
  void leave() throws IOException {
    file = folder.resolve("columns.map");
    ColumnBlocks blocks = new ColumnBlocks(MappedBlocks.create(file));
    fill(blocks.add(Kind.SUMS, 16), 1);
    fill(blocks.add(Kind.NUMBERS, 32), 2);
    fill(blocks.add(Kind.KEYS, 24), 3);
    blocks.forget(Kind.NUMBERS);
    fill(blocks.add(Kind.NUMBERS, 64), 4);
    description = described(blocks);
    blocks.keep();
  }

  private static byte[] described(ColumnBlocks blocks) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    blocks.describe(new DataOutputStream(out));
    return out.toByteArray();
  }

  /** Goes on with the file; returns what each block is and begins with. */
  private List<String> read(ColumnBlocks blocks) throws IOException {
    List<String> taken = new ArrayList<>();
    blocks.read(
        new DataInputStream(new ByteArrayInputStream(description)),
        (kind, bytes) -> taken.add(kind + " " + bytes.capacity() + " from " + bytes.get(0)));
    return taken;
  }

  @Test
  void whoGoesOnWithAFileFindsTheBlocksInUseAndAddsBehindAllOfThem() throws IOException {
    List<String> expected =
        new ArrayList<>(List.of("SUMS 16 from 1", "KEYS 24 from 3", "NUMBERS 64 from 4"));
    ColumnBlocks blocks = new ColumnBlocks(MappedBlocks.open(file));
    assertThat(read(blocks)).isEqualTo(expected);
    assertThat(described(blocks)).as("nothing changed").isEqualTo(description);
    ByteBuffer added = blocks.add(Kind.REST, 40);
    assertThat(added).isEqualTo(ByteBuffer.allocate(40));
    fill(added, 5);
    description = described(blocks);
    blocks.keep();
    expected.add("REST 40 from 5");
    blocks = new ColumnBlocks(MappedBlocks.open(file));
    assertThat(read(blocks)).isEqualTo(expected);
    blocks.forget(Kind.KEYS);
    description = described(blocks);
    blocks.keep();
    expected.remove("KEYS 24 from 3");
    blocks = new ColumnBlocks(MappedBlocks.open(file));
    assertThat(read(blocks)).isEqualTo(expected);
    blocks.close();
    assertThat(file).as("not kept").doesNotExist();
  }

  @Test
  void anyByteOfABlockInUseThatChangedIsSeen() throws IOException {
    byte[] right = Files.readAllBytes(file);
    for (int at = 0; at < right.length; at++) {
      byte[] wrong = right.clone();
      wrong[at]++;
      Files.write(file, wrong);
      try (ColumnBlocks blocks = new ColumnBlocks(MappedBlocks.openToRead(file))) {
        int block = at < 16 ? 0 : at < 48 ? 1 : at < 72 ? 2 : 3;
        if (block == 1) {
          assertThat(read(blocks)).as("byte %d of numbers until they were doubled", at).hasSize(3);
        } else {
          assertThatThrownBy(() -> read(blocks))
              .as("byte %d", at)
              .isInstanceOf(IOException.class)
              .hasMessageStartingWith("block " + block + " of the columns has the checksum ");
        }
      }
    }
  }

  @Test
  void aKindThatIsNoneIsRefused() throws IOException {
    description[5] = 'x';
    try (ColumnBlocks blocks = new ColumnBlocks(MappedBlocks.openToRead(file))) {
      assertThatThrownBy(() -> read(blocks))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("unknown kind of block 'x': ");
    }
  }

  /** Whoever copies what has changed goes by it. */
  @Test
  void aFileThatIsLeftHasANewTimeThoughNothingWasWritten() throws IOException {
    MappedBlocks blocks = MappedBlocks.open(file);
    FileTime longAgo = FileTime.fromMillis(0);
    Files.setLastModifiedTime(file, longAgo);
    blocks.keep();
    assertThat(Files.getLastModifiedTime(file)).isGreaterThan(longAgo);
  }

  @Test
  void keysThatTakeSeveralBlocksAreReadFromEach() throws IOException {
    try (ColumnBlocks blocks = new ColumnBlocks(MappedBlocks.create(file))) {
      KeyColumn keys = new KeyColumn(blocks);
      List<BytesRef> added = new ArrayList<>();
      List<Long> addresses = new ArrayList<>();
      for (int key = 0; key < 6; key++) { // three fit into a block of 4 MB
        byte[] bytes = new byte[1 << 20];
        Arrays.fill(bytes, (byte) key);
        added.add(new BytesRef(bytes));
        addresses.add(keys.append(added.get(key)));
      }
      assertThat(keys.used()).as("in the second block").isEqualTo(3 * (Integer.BYTES + (1 << 20)));
      for (int key = 0; key < 6; key++) {
        long address = addresses.get(key);
        assertThat(keys.key(address)).isEqualTo(added.get(key).bytes);
        assertThat(keys.isKey(address, added.get(key))).isTrue();
        assertThat(keys.isKey(address, added.get(5 - key))).isFalse();
      }
    }
  }

  /** Or it would stay mapped, and on the disk, until the writer is closed. */
  @Test
  void aFileWhoseDescriptionIsGoneIsDeleted() throws IOException {
    MappedBlocks memory = MappedBlocks.open(file);
    try (Directory files = new ByteBuffersDirectory()) {
      assertThatThrownBy(() -> OrderFile.read(files, 1, memory, 0)).isInstanceOf(IOException.class);
    }
    assertThat(file).doesNotExist();
  }
}
