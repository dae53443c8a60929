// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Bytes written once and then read as a buffer, little-endian: on the heap while they are few,
 * mapped from a temporary file when they are many.
 */
final class Spool implements AutoCloseable {
  private static final int HEAP_BYTES = 1 << 20;

  private final Path directory;
  private final String name;
  private final ByteBuffer heap = ByteBuffer.allocate(HEAP_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private Path file; // once one is needed
  private FileChannel channel;
  private long size;

  /**
   * @param directory where the temporary file goes, should one be needed
   * @param name how its name begins
   */
  Spool(Path directory, String name) {
    this.directory = directory;
    this.name = name;
  }

  void putInt(int value) throws IOException {
    room(Integer.BYTES).putInt(value);
  }

  void putDouble(double value) throws IOException {
    room(Double.BYTES).putDouble(value);
  }

  void put(byte[] bytes, int from, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, HEAP_BYTES);
      room(part).put(bytes, from + done, part);
      done += part;
    }
  }

  private ByteBuffer room(int bytes) throws IOException {
    if (heap.remaining() < bytes) {
      drain();
    }
    size += bytes;
    if (size > Integer.MAX_VALUE) {
      throw new IOException(
          "the "
              + name
              + " of the workload take more than the 2147483647 bytes that fit; leave out rare"
              + " queries or split the log");
    }
    return heap;
  }

  private void drain() throws IOException {
    if (channel == null) {
      file = TemporaryFiles.file(directory, name);
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
    heap.flip();
    while (heap.hasRemaining()) {
      channel.write(heap);
    }
    heap.clear();
  }

  /** What was written; nothing can be written any more. The file is deleted with the spool. */
  ByteBuffer buffer() throws IOException {
    if (channel == null) {
      ByteBuffer exact = ByteBuffer.allocate(heap.position()).order(ByteOrder.LITTLE_ENDIAN);
      exact.put(0, heap, 0, heap.position());
      return exact;
    }
    drain();
    return channel.map(MapMode.READ_ONLY, 0, size).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      TemporaryFiles.delete(file);
    }
  }
}
