// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/** The names of the state's files, and how one is written and opened whole. */
final class StateFiles {
  // what the names begin with
  static final String REFRESHES = "refreshes_";
  static final String RANKS = "ranks_";
  static final String PAGES = "pages_";
  static final String BATCH = "batch_";
  static final String VISITS = "visits_";
  static final String INCOMPLETE = "incomplete_";

  /** What the names of damaged files begin with, which nobody deletes. */
  static final String DAMAGED = "damaged_";

  /**
   * What the names of empty files begin with, each of which says that a file was taken for lost.
   */
  static final String MISSED = "missed_";

  private StateFiles() {}

  /** A name that nobody deletes, and nobody has, for a file that is set aside. */
  static String aside(String file, Collection<String> there) {
    String aside = DAMAGED + file;
    while (there.contains(aside)) {
      aside = DAMAGED + aside; // one of the same name was set aside before
    }
    return aside;
  }

  /** A new name for a file of refreshes that happened. */
  static String newRefreshes(Manifest manifest) {
    return REFRESHES + manifest.nextFile++;
  }

  /** A new name for a file of rank functions. */
  static String newRanks(Manifest manifest) {
    return RANKS + manifest.nextFile++;
  }

  /** The file of a page store. */
  static String pages(long number) {
    return PAGES + number + ".map";
  }

  /** The file with what was measured before the commit of a generation. */
  static String batch(long generation) {
    return BATCH + generation;
  }

  /** The file with the visits of a generation that found nothing. */
  static String visits(long generation) {
    return VISITS + generation;
  }

  /** The file that says what the files of a generation lack. */
  static String incomplete(long generation) {
    return INCOMPLETE + generation;
  }

  /** What was measured of batches after one, up to another: files of each that is there. */
  static List<String> measured(Directory files, long after, long last) throws IOException {
    List<String> found = new ArrayList<>();
    for (String kind : List.of(BATCH, VISITS, INCOMPLETE)) {
      found.addAll(new NumberedFiles(kind).between(files, after, last + 1));
    }
    return found;
  }

  /** What a file holds between its header and its footer. */
  @FunctionalInterface
  interface Contents {
    void writeTo(IndexOutput out) throws IOException;
  }

  /**
   * Writes a file, durably, in place of what an attempt before has left; leaves none where that
   * fails.
   */
  static void write(Directory files, String name, String codec, int version, Contents contents)
      throws IOException {
    IOUtils.deleteFilesIgnoringExceptions(files, name);
    try {
      try (IndexOutput out = files.createOutput(name, IOContext.DEFAULT)) {
        CodecUtil.writeHeader(out, codec, version);
        contents.writeTo(out);
        CodecUtil.writeFooter(out);
      }
      files.sync(List.of(name));
    } catch (IOException e) {
      IOUtils.deleteFilesIgnoringExceptions(files, name); // or it would pass for a damaged one
      throw unwritten(files, name, e);
    } catch (RuntimeException | Error e) {
      IOUtils.deleteFilesIgnoringExceptions(files, name);
      throw e;
    }
  }

  /**
   * What the file system or the JDK says names neither file nor disk; an interrupt is neither's.
   */
  static IOException unwritten(Directory files, String name, IOException e) {
    if (e instanceof ClosedChannelException) {
      return e;
    }
    return new UnwrittenFile(path(files, name), remedy(e) + ": " + e, e);
  }

  private static String remedy(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "give this process the right to";
    }
    return e instanceof NoSuchFileException
        ? "its folder was removed, which the next writer makes anew"
        : "see whether its disk has room";
  }

  /** Where a file lies, for sentences; its name alone if it is in no folder. */
  static String path(Directory files, String name) {
    Directory folder = FilterDirectory.unwrap(files);
    return folder instanceof FSDirectory disk ? disk.getDirectory().resolve(name).toString() : name;
  }

  /** Bytes that the disk of a folder has room for; 0 if it is in none, or that is not known. */
  static long usable(Directory files) {
    Directory folder = FilterDirectory.unwrap(files);
    return folder instanceof FSDirectory disk ? MappedBlocks.usable(disk.getDirectory()) : 0;
  }

  /**
   * Writes a file, durably, that has its name only when it is whole.
   *
   * @param pending its name until then
   */
  static void write(
      Directory files, String pending, String name, String codec, int version, Contents contents)
      throws IOException {
    write(files, pending, codec, version, contents);
    files.rename(pending, name);
    files.syncMetaData();
  }

  /**
   * Opens a file after its header.
   *
   * @throws IOException if it is damaged or of another kind or version
   */
  static IndexInput openWhole(Directory files, String name, String codec, int version)
      throws IOException {
    IndexInput in = files.openInput(name, IOContext.READONCE);
    try {
      CodecUtil.checksumEntireFile(in); // first, or damage may look like another version
      requireVersion(in, path(files, name), codec, version);
      return in;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(in);
      throw t;
    }
  }

  /**
   * Whether what could not be read is lost: damaged, of another version, or gone. Else, after an
   * interrupt or for too many open files say, it may be read the next time.
   */
  static boolean isLost(Exception e) {
    return !(e instanceof IOException)
        || e instanceof CorruptIndexException
        || e instanceof IndexFormatTooOldException
        || e instanceof IndexFormatTooNewException
        || e instanceof EOFException
        || e instanceof FileNotFoundException
        || e instanceof NoSuchFileException;
  }

  /**
   * Reads a header.
   *
   * @param file for the sentence that refuses it
   * @throws IndexFormatTooNewException if the file is of a later version
   * @throws IndexFormatTooOldException if it is of an earlier one
   */
  static void requireVersion(DataInput in, String file, String codec, int version)
      throws IOException {
    try {
      checkHeader(in, codec, version, version);
    } catch (IndexFormatTooNewException e) {
      throw OtherVersion.later(file, e, "a later version of lucene-delta wrote it");
    } catch (IndexFormatTooOldException e) {
      throw OtherVersion.earlier(file, e, "an earlier version of lucene-delta wrote it");
    }
  }

  /** As that of {@link CodecUtil}, which would believe any length of the name. */
  static int checkHeader(DataInput in, String codec, int oldest, int latest) throws IOException {
    return CodecUtil.checkHeader(new Header(in), codec, oldest, latest);
  }

  /** Reads a header from another input. */
  private static final class Header extends DataInput {
    private static final int LONGEST_NAME = 127; // that Lucene writes

    private final DataInput in;

    Header(DataInput in) {
      this.in = in;
    }

    @Override
    public byte readByte() throws IOException {
      return in.readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      in.readBytes(bytes, offset, length);
    }

    @Override
    public void skipBytes(long count) throws IOException {
      in.skipBytes(count);
    }

    @Override
    public String readString() throws IOException {
      int length = in.readVInt();
      if (length < 0 || length > LONGEST_NAME) {
        throw new CorruptIndexException(
            "a header with a name of %d bytes, where 0 to %d are possible: the file is damaged"
                .formatted(length, LONGEST_NAME),
            in);
      }
      byte[] name = new byte[length];
      in.readBytes(name, 0, length);
      return new String(name, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return in.toString(); // names the file in what is thrown
    }
  }

  /**
   * How many things follow, none of which takes less than a byte. A checksum only tells that a file
   * is what somebody wrote: no memory is asked for by a number that the file itself disproves.
   *
   * @throws CorruptIndexException if there cannot be so many
   */
  static int readCount(IndexInput in) throws IOException {
    int count = in.readVInt();
    long left = in.length() - in.getFilePointer();
    if (count < 0 || count > left) {
      throw new CorruptIndexException(
          "a count of %d cannot be right where %d bytes are left: the file is damaged"
              .formatted(count, left),
          in);
    }
    return count;
  }

  /** Reads bytes that stand behind their number. */
  static byte[] readBytes(IndexInput in) throws IOException {
    byte[] bytes = new byte[readCount(in)];
    in.readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  /** As {@link IndexInput#readString}, which would believe any length. */
  static String readString(IndexInput in) throws IOException {
    return new String(readBytes(in), StandardCharsets.UTF_8);
  }
}
