// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongFunction;
import org.apache.lucene.util.IOUtils;

/**
 * Memory outside the heap, in blocks of a file: deleted when closed unless it is {@linkplain #keep
 * kept}. Whoever opens it again must know, and check, what it holds.
 *
 * <p>Windows deletes no file that is mapped, and blocks are mapped until they are collected. There
 * a file outlives its closing; whoever needs a new one takes {@linkplain #free a name} that is
 * free, and the next opening deletes what is left.
 */
final class MappedBlocks implements Closeable {
  /**
   * On the heap, and no more than Lucene writes at once: a batch may have taken all the memory
   * outside the heap when its pages must be read back, and a class whose first use fails for that
   * would be lost to the process.
   */
  private static final byte[] ZEROS = new byte[1 << 13];

  private static final int MOST_LEFT = 10; // files that cannot be deleted

  private final Path path;
  private final FileChannel channel;
  private final FileChannel.MapMode mode;
  private long size;

  private MappedBlocks(Path path, FileChannel channel, FileChannel.MapMode mode) {
    this.path = path;
    this.channel = channel;
    this.mode = mode;
  }

  /** A new file, in place of whatever has its name. */
  static MappedBlocks create(Path path) throws IOException {
    Files.deleteIfExists(path); // never cut short: someone may be reading it
    FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    return new MappedBlocks(path, channel, FileChannel.MapMode.READ_WRITE);
  }

  /**
   * The first number, from one on, whose file is not there or can be deleted. After {@value
   * #MOST_LEFT} files that stay it is the next one, free or not: where nothing is ever deleted, the
   * disk is not filled, and {@link #create} says what is wrong.
   *
   * @param names the file of a number
   */
  static long free(LongFunction<Path> names, long first) {
    long number = first;
    while (number < first + MOST_LEFT && !isFree(names.apply(number))) {
      number++;
    }
    return number;
  }

  private static boolean isFree(Path path) {
    IOUtils.deleteFilesIgnoringExceptions(path);
    return !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** A file that was kept, to be asked for its blocks and then for more. */
  static MappedBlocks open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    return new MappedBlocks(path, channel, FileChannel.MapMode.READ_WRITE);
  }

  /** A file that was kept, to be looked at; it stays when closed. */
  static MappedBlocks openToRead(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    return new MappedBlocks(path, channel, FileChannel.MapMode.READ_ONLY);
  }

  /**
   * A new block of zeros; lives as long as it is referred to. They are written before the block is
   * mapped: a disk that is full is an exception then and no fault of memory later on.
   */
  ByteBuffer add(int count) throws IOException {
    fill(count);
    return map(count);
  }

  private void fill(int count) throws IOException {
    ByteBuffer zeros = ByteBuffer.wrap(ZEROS);
    for (int done = 0; done < count; ) {
      zeros.clear().limit(Math.min(zeros.capacity(), count - done));
      done += write(zeros, size + done, count);
    }
  }

  private int write(ByteBuffer zeros, long at, int count) throws IOException {
    try {
      return channel.write(zeros, at);
    } catch (ClosedChannelException e) { // is none of the disk's
      throw e;
    } catch (IOException e) { // the JDK's message names neither the disk nor the size
      throw new IOException(
          "%s cannot grow to %d bytes; see whether there are %d bytes free: %s"
              .formatted(path, size + count, count, e.getMessage()),
          e);
    }
  }

  private ByteBuffer map(int count) throws IOException {
    ByteBuffer block = channel.map(mode, size, count).order(ByteOrder.LITTLE_ENDIAN);
    skip(count);
    return block;
  }

  /**
   * The next block of a file that was kept.
   *
   * @throws IOException if the file ends before
   */
  ByteBuffer next(int count) throws IOException {
    if (size + count > channel.size()) {
      throw new IOException(
          "%s ends at %d, where a block of %d bytes at %d was expected"
              .formatted(path, channel.size(), count, size));
    }
    return map(count);
  }

  /**
   * Begins at the start of the file again, which keeps its length: the next blocks take the place
   * of those before, which must be used no more.
   */
  void startOver() {
    size = 0;
  }

  /** Passes over a block. */
  void skip(int count) {
    size += count;
  }

  /** Closes the file and leaves it. */
  void keep() throws IOException {
    try (channel) {
      touch(channel);
    }
  }

  /**
   * Writes what is there once more, which moves the time of the last change. Writing to mapped
   * memory does not everywhere, not on tmpfs; and whoever copies what has changed goes by it.
   */
  static void touch(FileChannel channel) throws IOException {
    ByteBuffer first = ByteBuffer.allocate(1);
    if (channel.read(first, 0) == 1) {
      channel.write(first.flip(), 0);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (mode.equals(FileChannel.MapMode.READ_WRITE)) {
      IOUtils.deleteFilesIgnoringExceptions(path);
    }
  }
}
