// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;

/**
 * Cuts an input into blocks at line ends. Memory stays the same however long a line is: of one that
 * is too long the beginning is kept and the rest passed over.
 *
 * <p>An input that breaks off (a truncated or damaged archive) ends the blocks with what could be
 * read of it, and {@link #damage} tells why. An interrupt of the thread that reads is no damage.
 *
 * <p>To be closed: a decompressor may have memory outside the heap, up to 128 MB for a log that was
 * packed with a long window, which nothing else gives back soon.
 */
final class LogBlocks implements Closeable {
  /** Bytes that a line may have. */
  static final int LONGEST_LINE = 1 << 18;

  private static final int BLOCK = 2 * LONGEST_LINE;
  private static final int SAMPLE = 256;

  /** Small, because a decompressor that meets damage may lose what the same call had read. */
  private static final int READ = 1 << 13;

  private final InputStream in;
  private final Deque<byte[]> spare = new ArrayDeque<>();
  private final Deque<LogBlock> ahead = new ArrayDeque<>();
  private byte[] rest = {};
  private boolean atEnd;
  private boolean inTooLong;
  private String damage;

  LogBlocks(InputStream in) {
    this.in = in;
  }

  /**
   * The blocks of a packed or plain stream, which closing them leaves open; one whose very
   * beginning is damaged has none.
   *
   * @throws UnknownLogFormatException if it is packed in a way that is not read
   * @throws IOException if the thread is interrupted, or the library that reads zstd, which is
   *     machine code, cannot be loaded
   */
  static LogBlocks unpacked(String log, InputStream raw) throws IOException {
    try {
      return new LogBlocks(LogInput.unpack(log, raw));
    } catch (UnknownLogFormatException packed) {
      throw packed;
    } catch (IOException | RuntimeException broken) {
      requireUninterrupted(broken);
      LogBlocks none = new LogBlocks(InputStream.nullInputStream());
      none.damagedBy(broken);
      return none;
    } catch (LinkageError noLibrary) { // the second time without its reason, which stands behind
      Throwable why = noLibrary.getCause() == null ? noLibrary : noLibrary.getCause();
      throw new IOException(
          "%s is packed by zstd, and the library that reads it cannot be loaded (%s); if it was unpacked where nothing may be run, name another folder by the system property ZstdTempFolder or java.io.tmpdir, such as LUCENE_DELTA_JVM_OPTS=-DZstdTempFolder=DIR of the command line; or give what zstd -dc prints to workload --query-log -, or in a program to WorkloadIngest.read as a stream"
              .formatted(log, why),
          noLibrary);
    }
  }

  /** Why the input broke off, if it did. */
  Optional<String> damage() {
    return Optional.ofNullable(damage);
  }

  /**
   * The next block, or null at the end.
   *
   * @throws IOException if the thread is interrupted
   */
  LogBlock next() throws IOException {
    return ahead.isEmpty() ? read() : ahead.remove();
  }

  /** Takes back the blocks that were looked at, to be the next again. */
  void putBack(Collection<LogBlock> seen) {
    ahead.addAll(seen);
  }

  private LogBlock read() throws IOException {
    while (!atEnd || rest.length > 0) {
      requireUninterrupted(null);
      byte[] bytes = spare.isEmpty() ? new byte[BLOCK] : spare.pop();
      System.arraycopy(rest, 0, bytes, 0, rest.length);
      int length = fill(bytes, rest.length);
      int end = atEnd ? length : lineEnd(bytes, length);
      if (inTooLong) {
        int first = firstLineEnd(bytes, length);
        inTooLong = first == 0;
        rest = first == 0 ? halfEnd(bytes, length) : Arrays.copyOfRange(bytes, first, length);
      } else if (end == 0 && length > 0) {
        inTooLong = true;
        rest = halfEnd(bytes, length);
        return new LogBlock(Arrays.copyOf(bytes, SAMPLE), SAMPLE, true, false);
      } else if (length > 0) {
        rest = Arrays.copyOfRange(bytes, end, length);
        return new LogBlock(bytes, end, false, damage != null);
      }
    }
    return null;
  }

  /** Takes back a block that nobody reads any more, to use its memory again. */
  void release(LogBlock block) {
    if (block.bytes().length == BLOCK) {
      spare.push(block.bytes());
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private int fill(byte[] bytes, int from) throws IOException {
    int length = from;
    try {
      while (!atEnd && length < bytes.length) {
        int count = in.read(bytes, length, Math.min(READ, bytes.length - length));
        atEnd = count < 0;
        length += Math.max(count, 0);
      }
    } catch (IOException | RuntimeException broken) {
      // Decompressors answer damaged input with either.
      requireUninterrupted(broken);
      damagedBy(broken);
    }
    return length;
  }

  /**
   * Streams answer an interrupt as they like: some are closed, which looks like damage, and a file
   * does not notice.
   *
   * @param broken what the stream answered, null if it was not asked
   */
  private static void requireUninterrupted(Exception broken) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new IOException("interrupted while reading a query log", broken);
    }
  }

  private void damagedBy(Exception broken) {
    atEnd = true;
    damage = reason(broken);
  }

  /** Decompressors say in words what they find wrong, but nothing when bytes are missing. */
  private static String reason(Exception broken) {
    if (broken instanceof EOFException) {
      return "the archive is truncated";
    }
    return broken.getMessage() == null ? broken.toString() : broken.getMessage();
  }

  /**
   * Behind the last line end, 0 without one. A carriage return at the very end may be half of one.
   */
  private static int lineEnd(byte[] bytes, int length) {
    for (int end = length; end > 0; end--) {
      if (bytes[end - 1] == '\n' || (bytes[end - 1] == '\r' && end < length)) {
        return end;
      }
    }
    return 0;
  }

  /** Behind the first line end; 0 without one, or if what follows must be known to tell its end. */
  private int firstLineEnd(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
      if (bytes[i] == '\r' && (i + 1 < length || atEnd)) {
        return i + 1 < length && bytes[i + 1] == '\n' ? i + 2 : i + 1;
      }
    }
    return 0;
  }

  /** A carriage return at the very end, which may be half of a line end; else nothing. */
  private static byte[] halfEnd(byte[] bytes, int length) {
    return length > 0 && bytes[length - 1] == '\r' ? new byte[] {'\r'} : new byte[0];
  }
}
