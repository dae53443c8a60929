// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory outside the heap, in blocks of a file that nobody trusts later: deleted when closed, and
 * at the next opening if the process died.
 */
final class MappedBlocks implements Closeable {
  private final Path path;
  private final FileChannel channel;
  private long size;

  MappedBlocks(Path path) throws IOException {
    this.path = path;
    this.channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
  }

  /** A new block of zeros; lives as long as it is referred to. */
  ByteBuffer add(int bytes) throws IOException {
    ByteBuffer block = channel.map(FileChannel.MapMode.READ_WRITE, size, bytes);
    size += bytes;
    return block.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes of all blocks. */
  long size() {
    return size;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }
}
