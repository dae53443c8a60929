// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import io.lucenedelta.workload.WorkloadFileException.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A workload on disk, version 2. Little-endian throughout; the sections are the arrays of {@link
 * WorkloadSections}, laid out to be mapped and used as they lie.
 *
 * <pre>
 * offset  bytes       content
 *      0      8       magic: 89 'L' 'D' 'W' 'K' 'L' 0D 0A
 *      8      4       version, an int
 *     12      4       T, number of terms
 *     16      4       Q, number of queries
 *     20      4       P, number of (query, term) pairs
 *     24      4       B, bytes of all terms
 *     28      4       CRC32C of everything after the header
 *     32      8       total frequency, a double
 *     40     20       zero
 *     60      4       CRC32C of the 60 bytes before
 *     64    8 Q       frequency of each query, doubles, descending
 *          4 T + 4    start of each term in the term bytes, ints, and their end
 *          4 Q + 4    start of each query in the pairs, ints, and their end
 *            4 P      term numbers of the queries, ints, ascending within a query
 *              B      the terms in UTF-8, ascending, without separators
 *              P      the order in which each query's terms were asked, bytes
 * </pre>
 *
 * The magic holds a byte beyond ASCII and a line end, so that a transfer in text mode shows. A file
 * is complete or absent: it is written under another name, forced to disk and moved into place; one
 * that replaces another gets its permissions, and its group and owner where the system lets it have
 * them. Nothing in it names a user, a session or a time.
 */
final class WorkloadFile {
  private static final int VERSION = 2;
  private static final byte[] MAGIC = {(byte) 0x89, 'L', 'D', 'W', 'K', 'L', '\r', '\n'};
  private static final int VERSION_AT = 8;
  private static final int TERMS_AT = 12;
  private static final int QUERIES_AT = 16;
  private static final int PAIRS_AT = 20;
  private static final int TERM_BYTES_AT = 24;
  private static final int BODY_CHECKSUM_AT = 28;
  private static final int TOTAL_AT = 32;
  private static final int HEADER_CHECKSUM_AT = 60;
  private static final int HEADER_BYTES = 64;

  private static final int MOST_LINKS = 40; // Linux follows as many

  private WorkloadFile() {}

  static void write(WorkloadSections sections, Path file) throws IOException {
    Path whole = destination(file);
    Path temporary = whole.resolveSibling(whole.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      try (FileChannel channel = create(temporary, whole, file)) {
        channel.position(HEADER_BYTES);
        CRC32C checksum = new CRC32C();
        new SectionWriter(channel, checksum).write(sections);
        channel.write(header(sections, (int) checksum.getValue()), 0);
        channel.force(true);
      }
      replace(whole, temporary, file);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Makes the file that is written first; what fails is told of the one that was asked for. */
  private static FileChannel create(Path temporary, Path whole, Path file) throws IOException {
    Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      return FileChannel.open(temporary, options, FileAccess.of(whole).whileWritten());
    } catch (FileSystemException e) {
      String why = e.getReason() == null ? "" : " (" + e.getReason() + ")";
      throw unwritable(
          file, "no file can be made in " + temporary.getParent() + why + "; name another folder");
    }
  }

  private static void replace(Path whole, Path temporary, Path file) throws IOException {
    FileAccess.of(whole).giveTo(temporary);
    try {
      Files.move(
          temporary, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AccessDeniedException e) {
      IOException told =
          unwritable(
              file,
              "the file that is there cannot be replaced; on Windows none can while a workload that was opened from it is in use; name another file");
      told.initCause(e);
      throw told;
    }
  }

  /** Where a file really goes: links are followed, so that they stay. */
  private static Path destination(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MOST_LINKS) {
        throw unwritable(file, "it is a link that leads in a circle; name a file");
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    if (Files.isDirectory(target)) {
      throw unwritable(file, "it is a folder; name a file in it");
    }
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      throw unwritable(file, "it is a device or a pipe; name a file");
    }
    Path folder = target.getParent();
    if (!Files.isDirectory(folder)) {
      throw unwritable(file, "there is no folder " + folder + "; make it, or name another");
    }
    return target;
  }

  private static IOException unwritable(Path file, String why) {
    return new IOException("no workload can be written to " + file + ": " + why);
  }

  private static ByteBuffer header(WorkloadSections sections, int bodyChecksum) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.put(0, MAGIC);
    header.putInt(VERSION_AT, VERSION);
    header.putInt(TERMS_AT, sections.terms().count());
    header.putInt(QUERIES_AT, sections.queryCount());
    header.putInt(PAIRS_AT, sections.queryTerms().limit());
    header.putInt(TERM_BYTES_AT, sections.terms().bytes().limit());
    header.putInt(BODY_CHECKSUM_AT, bodyChecksum);
    header.putDouble(TOTAL_AT, sections.totalFrequency());
    header.putInt(HEADER_CHECKSUM_AT, checksum(header.duplicate().limit(HEADER_CHECKSUM_AT)));
    return header;
  }

  /** A file mapped; its body is not checked yet. */
  record Mapped(WorkloadSections sections, ByteBuffer[] parts, int checksum, Path file) {
    /** Reads every byte and compares the checksum. */
    void checkIntegrity() throws WorkloadFileException {
      CRC32C found = new CRC32C();
      for (ByteBuffer part : parts) {
        found.update(part.duplicate());
      }
      checkChecksum("body", checksum, (int) found.getValue(), file);
    }
  }

  static Mapped open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new WorkloadFileException(
          Problem.NOT_A_WORKLOAD, file, "a folder is no workload; name a workload file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      while (header.hasRemaining() && channel.read(header, header.position()) > 0) {}
      checkHeader(header.flip(), file);
      return map(header, channel, file);
    }
  }

  private static void checkHeader(ByteBuffer header, Path file) throws IOException {
    byte[] magic = new byte[Math.min(MAGIC.length, header.limit())];
    header.get(0, magic);
    if (magic.length == 0 || !Arrays.equals(magic, Arrays.copyOf(MAGIC, magic.length))) {
      throw new WorkloadFileException(
          Problem.NOT_A_WORKLOAD, file, "not a workload file; build one from query logs");
    }
    if (header.limit() < TERMS_AT) {
      throw truncated(file, header.limit(), HEADER_BYTES);
    }
    int version = header.getInt(VERSION_AT);
    if (version != VERSION) {
      throw new WorkloadFileException(
          Problem.OTHER_VERSION,
          file,
          "workload of version " + version + ", this software reads " + VERSION + "; rebuild it");
    }
    if (header.limit() < HEADER_BYTES) {
      throw truncated(file, header.limit(), HEADER_BYTES);
    }
    checkChecksum(
        "header",
        header.getInt(HEADER_CHECKSUM_AT),
        checksum(header.duplicate().limit(HEADER_CHECKSUM_AT)),
        file);
  }

  private static Mapped map(ByteBuffer header, FileChannel channel, Path file) throws IOException {
    long terms = header.getInt(TERMS_AT);
    long queries = header.getInt(QUERIES_AT);
    long[] lengths = {
      8 * queries,
      4 * (terms + 1),
      4 * (queries + 1),
      4L * header.getInt(PAIRS_AT),
      header.getInt(TERM_BYTES_AT),
      header.getInt(PAIRS_AT)
    };
    long expected = HEADER_BYTES + Arrays.stream(lengths).sum();
    if (channel.size() < expected) {
      throw truncated(file, channel.size(), expected);
    }
    if (channel.size() > expected) {
      throw corrupt(file, "has " + channel.size() + " bytes where " + expected + " were written");
    }
    ByteBuffer[] parts = new ByteBuffer[lengths.length];
    long at = HEADER_BYTES;
    for (int i = 0; i < parts.length; i++) {
      parts[i] = channel.map(MapMode.READ_ONLY, at, lengths[i]).order(ByteOrder.LITTLE_ENDIAN);
      at += lengths[i];
    }
    WorkloadSections sections =
        new WorkloadSections(
            parts[0].asDoubleBuffer(),
            new SortedTerms(parts[1].asIntBuffer(), parts[4]),
            parts[2].asIntBuffer(),
            parts[3].asIntBuffer(),
            parts[5],
            header.getDouble(TOTAL_AT));
    return new Mapped(sections, parts, header.getInt(BODY_CHECKSUM_AT), file);
  }

  private static void checkChecksum(String part, int stored, int found, Path file)
      throws WorkloadFileException {
    if (stored != found) {
      throw corrupt(file, String.format("%s checksum %08x, stored %08x", part, found, stored));
    }
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.position(0));
    return (int) checksum.getValue();
  }

  private static WorkloadFileException truncated(Path file, long size, long expected) {
    return new WorkloadFileException(
        Problem.TRUNCATED,
        file,
        "workload ends after " + size + " of " + expected + " bytes; copy or build it again");
  }

  private static WorkloadFileException corrupt(Path file, String what) {
    return new WorkloadFileException(
        Problem.CORRUPT, file, "corrupt workload, " + what + "; copy or build it again");
  }
}
