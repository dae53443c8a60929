// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFilesTest {
  @TempDir Path folder;

  @Test
  void aFileThatCannotBeWrittenWholeIsNotLeft() throws IOException {
    try (Directory files = FSDirectory.open(folder)) {
      assertThatThrownBy(() -> write(files, StateFilesTest::failForWantOfRoom))
          .hasMessageStartingWith(folder.resolve("check_7") + " cannot be written; ");
      assertThat(files.listAll()).isEmpty();
      assertThatThrownBy(() -> write(files, StateFilesTest::failForWantOfMemory))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(files.listAll()).isEmpty();
    }
  }

  @Test
  void aFolderThatIsGoneIsToldAsSuch() throws IOException {
    Path gone = folder.resolve("gone");
    try (Directory files = FSDirectory.open(gone)) {
      Files.delete(gone);
      assertThatThrownBy(() -> write(files, out -> {}))
          .hasMessageStartingWith(
              gone.resolve("check_7")
                  + " cannot be written; its folder was removed, which the next writer makes anew: ")
          .hasCauseInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void theRemedyIsThatOfWhatFailed() throws IOException {
    try (Directory files = FSDirectory.open(folder)) {
      String start = folder.resolve("check_7") + " cannot be written; ";
      assertThat(StateFiles.unwritten(files, "check_7", new AccessDeniedException("check_7")))
          .hasMessageStartingWith(start + "give this process the right to: ");
      assertThat(StateFiles.unwritten(files, "check_7", new IOException("No space left on device")))
          .hasMessageStartingWith(start + "see whether its disk has room: ");
      IOException closed = new ClosedByInterruptException();
      assertThat(StateFiles.unwritten(files, "check_7", closed)).isSameAs(closed);
    }
  }

  /** Whose checksum is right. */
  @Test
  void aFileWhoseHeaderHasANameOfAnyLengthTakesNoMemory() throws IOException {
    try (Directory files = FSDirectory.open(folder)) {
      try (IndexOutput out = files.createOutput("check_7", IOContext.DEFAULT)) {
        CodecUtil.writeBEInt(out, CodecUtil.CODEC_MAGIC);
        out.writeVInt(Integer.MAX_VALUE);
        CodecUtil.writeFooter(out);
      }
      assertThatThrownBy(() -> StateFiles.openWhole(files, "check_7", "Codec", 1))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("a name of 2147483647 bytes")
          .hasMessageContaining("check_7");
    }
  }

  private static void write(Directory files, StateFiles.Contents contents) throws IOException {
    StateFiles.write(files, "check_7", "Codec", 1, contents);
  }

  private static void failForWantOfRoom(IndexOutput out) throws IOException {
    throw new IOException("No space left on device");
  }

  private static void failForWantOfMemory(IndexOutput out) {
    throw new OutOfMemoryError("injected");
  }
}
