// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;

/**
 * What of a page store's file must be right before it is opened: {@code check_K} for {@code
 * pages_K.map}, written at a clean close.
 *
 * <pre>
 * file → header, commit and workload (string), CRC-32C of all parts (int32), parts (vint),
 *        (begin, length (vlong)) ^ parts, footer
 * </pre>
 *
 * <p>The parts are all but the entries: locks, counters, where entries lie and where room is left,
 * some ten bytes a page. The map follows them without a look: a wrong number of a part of it ends
 * the process, a lock that nobody holds is waited for. One of them holds a random number that is
 * another one each time the map is opened ({@link PageStore}), so entries that a later writer left
 * do not pass for those of this close. Maps that former versions left have none, and stand.
 */
final class PagesCheck {
  /** How the names of these files begin. */
  static final String PREFIX = "check_";

  private static final String CODEC = "LuceneDeltaPagesCheck";
  private static final int VERSION = 1;
  private static final int READ_TOGETHER = 1 << 16;

  private record Part(long begin, long length) {}

  private final List<Part> parts = new ArrayList<>();

  /** A part that must stay as it is once the store is closed. */
  void add(long begin, long length) {
    parts.add(new Part(begin, length));
  }

  static String name(long number) {
    return PREFIX + number;
  }

  /**
   * Writes down, durably, how the map is now that it is closed.
   *
   * @param standsFor the commit and the workload of what it holds
   */
  void write(Directory files, long number, Path map, String standsFor) throws IOException {
    StateFiles.write(
        files,
        name(number),
        CODEC,
        VERSION,
        out -> {
          out.writeString(standsFor);
          out.writeInt(checksum(map));
          out.writeVInt(parts.size());
          for (Part part : parts) {
            out.writeVLong(part.begin());
            out.writeVLong(part.length());
          }
        });
  }

  /**
   * Looks whether a map is as it was when it was closed.
   *
   * @throws IOException if it is not, or nobody knows
   */
  static void require(Directory files, long number, Path map, String standsFor) throws IOException {
    PagesCheck check = new PagesCheck();
    try (IndexInput in = StateFiles.openWhole(files, name(number), CODEC, VERSION)) {
      String found = StateFiles.readString(in);
      if (!found.equals(standsFor)) {
        throw new CorruptIndexException(
            "the page store is of commit and workload %s, not %s: perhaps from a backup"
                .formatted(found, standsFor),
            map.toString());
      }
      int expected = in.readInt();
      for (int left = in.readVInt(); left > 0; left--) {
        check.add(in.readVLong(), in.readVLong());
      }
      int checksum = check.checksum(map);
      if (checksum != expected) {
        throw new CorruptIndexException(
            "the page store has the checksum %08x, not %08x: damaged, or left by another writer"
                .formatted(checksum, expected),
            map.toString());
      }
    }
  }

  private int checksum(Path map) throws IOException {
    CRC32C checksum = new CRC32C();
    ByteBuffer bytes = ByteBuffer.allocate(READ_TOGETHER);
    try (FileChannel channel = FileChannel.open(map, StandardOpenOption.READ)) {
      for (Part part : parts) {
        long end = part.begin() + part.length();
        for (long at = part.begin(); at < end; at += bytes.limit()) {
          bytes.clear().limit((int) Math.min(READ_TOGETHER, end - at));
          int read = channel.read(bytes, at);
          if (read <= 0) {
            throw new EOFException("page store " + map + " ends at " + at);
          }
          checksum.update(bytes.flip());
        }
      }
    }
    return (int) checksum.getValue();
  }
}
