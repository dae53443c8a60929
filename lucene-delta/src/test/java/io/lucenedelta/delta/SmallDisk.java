// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileStore;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;

/** A disk on which no file has more than so many bytes, and that remembers the latest. */
final class SmallDisk extends FilterFileSystemProvider {
  /** Held by test classes that use one: who lacks room takes what files leave that were closed. */
  static final String LACKS_ROOM = "room on a disk";

  long room;
  long usable; // as it says; 0 if it does not know
  int refused; // writes for which there was no room
  int refusedBeforeThereIsRoom = Integer.MAX_VALUE;

  private FileChannel latest;

  SmallDisk(Path folder, long room) {
    super("small", folder.getFileSystem());
    this.room = room;
  }

  /** Bytes of the file opened last, deleted or not. */
  long taken() throws IOException {
    return latest.size();
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return new FilterFileStore(super.getFileStore(path), "small") {
      @Override
      public long getUsableSpace() {
        return usable;
      }
    };
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    FileChannel channel = super.newFileChannel(path, options, attributes);
    latest = super.newFileChannel(path, Set.of(StandardOpenOption.READ));
    return new FilterFileChannel(channel) {
      @Override
      public int write(ByteBuffer bytes, long at) throws IOException {
        if (at + bytes.remaining() > room && refused < refusedBeforeThereIsRoom) {
          refused++;
          throw new IOException("No space left on device");
        }
        return super.write(bytes, at);
      }
    };
  }
}
