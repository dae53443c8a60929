// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * What a later opening has to know of the columns that a writer left behind: {@code order_K} for
 * {@code columns_K.map}.
 *
 * <pre>
 * file        → header, length (vint), description, footer
 * description → rows, bytes used of the last block of keys, blocks (int32), block^blocks,
 *               learned (boolean), [LearnedGains]
 * block       → kind (a letter, uint16), bytes (int32), [CRC-32C (int32) unless unused]
 * </pre>
 *
 * The description is big-endian, as {@link java.io.DataOutput} writes.
 *
 * <p>Written when a writer closes cleanly, before the manifest that names it; believed only if that
 * manifest says that the page store stands for the index's latest commit. The checksums cover the
 * whole file of columns, which nobody forces to the disk: what a failure of the machine tore is
 * found, and the columns are made anew.
 */
final class OrderFile {
  /** How the names of these files begin. */
  static final String PREFIX = "order_";

  /** How the files begin that hold columns. */
  static final String COLUMNS = "columns_";

  private static final NumberedFiles MAPPED = new NumberedFiles(COLUMNS, ".map");
  private static final NumberedFiles DESCRIPTIONS = new NumberedFiles(PREFIX);

  private static final String CODEC = "LuceneDeltaOrder";

  /** Another one when columns, what is learned, or the numbers of directories change. */
  private static final int VERSION = 5;

  private OrderFile() {}

  static Path columns(Path folder, long number) {
    return folder.resolve(COLUMNS + number + ".map");
  }

  /** Bytes of the files from which the order of pages is found; 0 when nobody asked for it. */
  static long bytesOf(Directory files) throws IOException {
    long bytes = 0;
    for (String file : files.listAll()) {
      if (MAPPED.names(file) || DESCRIPTIONS.names(file)) { // and no copies that somebody keeps
        bytes += lengthOf(files, file);
      }
    }
    return bytes;
  }

  /** 0 of what a writer has deleted since it was listed. */
  private static long lengthOf(Directory files, String file) throws IOException {
    try {
      return files.fileLength(file);
    } catch (NoSuchFileException | FileNotFoundException e) {
      return 0;
    }
  }

  /** Describes columns, in place of an earlier description. */
  static void write(Directory files, long number, PageColumns columns) throws IOException {
    ByteArrayOutputStream description = new ByteArrayOutputStream();
    columns.describe(new DataOutputStream(description));
    StateFiles.write(
        files,
        PREFIX + number,
        CODEC,
        VERSION,
        out -> {
          out.writeVInt(description.size());
          out.writeBytes(description.toByteArray(), description.size());
        });
  }

  /** Goes on with the columns described; closes {@code memory} if that is not possible. */
  static PageColumns read(Directory files, long number, MappedBlocks memory, long hashSeed)
      throws IOException {
    try (IndexInput in = StateFiles.openWhole(files, PREFIX + number, CODEC, VERSION)) {
      byte[] description = StateFiles.readBytes(in);
      return PageColumns.read(
          new DataInputStream(new ByteArrayInputStream(description)), memory, hashSeed);
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(memory);
      throw t;
    }
  }
}
