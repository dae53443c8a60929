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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.apache.lucene.util.IOUtils;

/**
 * Memory outside the heap, in blocks of a file: deleted when closed unless it is {@linkplain #keep
 * kept}. Whoever opens it again must know, and check, what it holds.
 *
 * <p>A file that is deleted takes room on the disk as long as blocks of it are mapped, that is,
 * until they are collected. One that nobody can use any more is {@linkplain #discard discarded},
 * which gives the room back at once: on a disk that is full, Lucene needs it. Where room lacks for
 * a block, memory is collected once for all other files that were closed, and the block tried anew.
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

  private static final long CLEANERS_TAKE = 100_000_000; // nanoseconds, as the JDK waits for them

  /** Whether files were closed, since memory was last collected, whose blocks take room still. */
  private static final AtomicBoolean LEFT_MAPPED = new AtomicBoolean();

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
   *
   * @throws IOException if there is no room; the file is as long as before then
   */
  ByteBuffer add(int count) throws IOException {
    fill(count);
    return map(count);
  }

  private void fill(int count) throws IOException {
    long length = channel.size();
    try {
      requireRoom(size + count - length, count);
      writeZeros(count);
    } catch (ClosedChannelException e) { // is none of the disk's
      throw e;
    } catch (IOException e) {
      cutTo(length); // no block reaches further
      if (!collectLeftMapped()) {
        throw e;
      }
      fill(count);
    }
  }

  /** Looks first: to find out by writing would take all the room from others for a while. */
  private void requireRoom(long missing, int count) throws IOException {
    long usable = usable(path);
    if (0 < usable && usable < missing) { // some file systems say 0 for what they do not know
      throw noRoom(count, "only %d are".formatted(usable), null);
    }
  }

  /** Bytes that the disk of a file or folder has room for, 0 if that is not known. */
  static long usable(Path path) {
    try {
      return Files.getFileStore(path).getUsableSpace();
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  private void writeZeros(int count) throws IOException {
    ByteBuffer zeros = ByteBuffer.wrap(ZEROS);
    for (int done = 0; done < count; ) {
      zeros.clear().limit(Math.min(zeros.capacity(), count - done));
      done += write(zeros, size + done, count);
    }
  }

  private int write(ByteBuffer zeros, long at, int count) throws IOException {
    try {
      return channel.write(zeros, at);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw noRoom(count, e.getMessage(), e);
    }
  }

  /** The JDK's message names neither the disk nor the size. */
  private IOException noRoom(int count, String why, IOException e) {
    return new IOException(
        "%s cannot grow to %d bytes; see whether there are %d bytes free: %s"
            .formatted(path, size + count, count, why),
        e);
  }

  /** Gives room back, if the system lets go of it. */
  private boolean cutTo(long length) {
    try {
      channel.truncate(length);
      return true;
    } catch (IOException e) { // the thread was interrupted; or Windows, and there are blocks
      return false;
    }
  }

  /**
   * Has memory collected, and with it the blocks of files that were closed: a long pause, once
   * after files were closed and only where room lacks.
   *
   * @return false, and nothing done, if no file was closed since the last time
   */
  private static boolean collectLeftMapped() {
    boolean left = LEFT_MAPPED.getAndSet(false);
    if (left) {
      System.gc();
      LockSupport.parkNanos(CLEANERS_TAKE);
    }
    return left;
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

  /**
   * Closes and deletes a file that nobody else can have opened, and gives its room back at once. To
   * touch one of its blocks afterwards is a fault of memory: nobody may have one any more.
   */
  void discard() throws IOException {
    if (cutTo(0)) {
      size = 0;
    }
    close();
  }

  /** Closes the file and deletes it, unless it was opened to be looked at; blocks stay mapped. */
  @Override
  public void close() throws IOException {
    channel.close();
    if (mode.equals(FileChannel.MapMode.READ_WRITE)) {
      IOUtils.deleteFilesIgnoringExceptions(path);
      if (size > 0) {
        LEFT_MAPPED.set(true);
      }
    }
  }
}
