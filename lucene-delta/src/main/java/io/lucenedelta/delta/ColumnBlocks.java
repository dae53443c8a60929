// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The blocks of the file of {@link PageColumns}, each of one kind, in the order in which they were
 * needed; described with a checksum each for whoever goes on with the file.
 *
 * <pre>
 * description → number of blocks (int32), block ^ number
 * block       → code of its kind (uint16), size (int32), checksum (int32, unless unused)
 * </pre>
 *
 * Big-endian, as {@link DataOutput} writes; the blocks themselves are little-endian.
 */
final class ColumnBlocks implements Closeable {
  /** What a block holds. */
  enum Kind {
    SUMS('s'),
    REST('r'),
    KEYS('k'),
    NUMBERS('n'),
    /** Numbers before there were twice as many. */
    UNUSED('u');

    private final char code;

    Kind(char code) {
      this.code = code;
    }

    private static Kind of(char code) throws IOException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IOException(
          "unknown kind of block '%c': the columns are damaged, or of another version"
              .formatted(code));
    }
  }

  /** Takes a block of a file that was described. */
  @FunctionalInterface
  interface Taker {
    void take(Kind kind, ByteBuffer bytes);
  }

  /** A part of the file; what it held is gone when it is unused. */
  private record Block(Kind kind, int size, ByteBuffer bytes) {
    Block unused() {
      return new Block(Kind.UNUSED, size, null);
    }

    int checksum() {
      CRC32C checksum = new CRC32C();
      checksum.update(bytes.duplicate().clear());
      return (int) checksum.getValue();
    }
  }

  private final MappedBlocks memory;
  private final List<Block> blocks = new ArrayList<>();

  ColumnBlocks(MappedBlocks memory) {
    this.memory = memory;
  }

  /** A new block of zeros. */
  ByteBuffer add(Kind kind, int size) throws IOException {
    ByteBuffer bytes = memory.add(size);
    blocks.add(new Block(kind, size, bytes));
    return bytes;
  }

  /** What the blocks of a kind hold is not needed any more; their place in the file stays. */
  void forget(Kind kind) {
    blocks.replaceAll(block -> block.kind == kind ? block.unused() : block);
  }

  void describe(DataOutput out) throws IOException {
    out.writeInt(blocks.size());
    for (Block block : blocks) {
      out.writeChar(block.kind.code);
      out.writeInt(block.size);
      if (block.kind != Kind.UNUSED) {
        out.writeInt(block.checksum());
      }
    }
  }

  /**
   * Goes on with a file that was described.
   *
   * @param taker gets the blocks that are in use, in their order
   * @throws IOException if the file is not as it was then
   */
  void read(DataInput in, Taker taker) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      Kind kind = Kind.of(in.readChar());
      int size = in.readInt();
      if (kind == Kind.UNUSED) {
        blocks.add(new Block(kind, size, null));
        memory.skip(size);
      } else {
        blocks.add(checked(new Block(kind, size, memory.next(size)), in.readInt()));
        taker.take(kind, blocks.get(blocks.size() - 1).bytes);
      }
    }
  }

  private Block checked(Block block, int expected) throws IOException {
    if (block.checksum() != expected) {
      throw new IOException(
          "block %d of the columns has the checksum %08x, not %08x"
              .formatted(blocks.size(), block.checksum(), expected));
    }
    return block;
  }

  /** Closes the file and leaves it for a later opening. */
  void keep() throws IOException {
    memory.keep();
  }

  /** See {@link MappedBlocks#discard}. */
  void discard() throws IOException {
    memory.discard();
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
