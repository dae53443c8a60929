// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Files that are mapped when the JVM has no memory outside the heap left. */
@ResourceLock(SmallDisk.LACKS_ROOM)
class MappedBlocksTest {
  private static final int NOT_STARVED = 10;
  private static final int NOT_SETTLED = 11;

  @Test
  void pagesOfABatchThatTookAllMemoryOutsideTheHeapAreReadBack(@TempDir Path folder)
      throws IOException, InterruptedException {
    List<String> little = List.of("-XX:MaxDirectMemorySize=250k");
    assertThat(Child.run(Program.class, little, folder.resolve("index"))).isZero();
  }

  @Test
  void aDiskThatIsFullIsToldWithTheFileAndTheRoomItNeeds(@TempDir Path folder) throws IOException {
    Path device = Path.of("/dev/full"); // Linux: what is written there finds no room
    assumeThat(device).exists();
    Path file = Files.createSymbolicLink(folder.resolve("columns"), device); // for close deletes it
    try (MappedBlocks blocks = MappedBlocks.open(file)) {
      assertThatThrownBy(() -> blocks.add(20_000))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              file + " cannot grow to 20000 bytes; see whether there are 20000 bytes free: ");
    }
    assertThat(device).exists();
  }

  @Test
  void aBlockForWhichThereIsNoRoomTakesNone(@TempDir Path folder) throws IOException {
    SmallDisk disk = new SmallDisk(folder, 20_000);
    try (MappedBlocks blocks = MappedBlocks.create(disk.wrapPath(folder.resolve("columns")))) {
      ByteBuffer first = blocks.add(4_096).putInt(4_092, 7);
      assertThatThrownBy(() -> blocks.add(20_000)).hasMessageContaining("No space left");
      assertThat(disk.taken()).isEqualTo(4_096);
      assertThat(first.getInt(4_092)).isEqualTo(7);
      blocks.startOver();
      assertThatThrownBy(() -> blocks.add(24_000)).hasMessageContaining("No space left");
      assertThat(disk.taken()).as("no less than blocks reach").isEqualTo(4_096);
    }
  }

  @Test
  void aDiskThatSaysItHasTooLittleRoomIsNotFilledFirst(@TempDir Path folder) throws IOException {
    SmallDisk disk = new SmallDisk(folder, 20_000);
    disk.usable = 24_095;
    Path file = disk.wrapPath(folder.resolve("columns"));
    try (MappedBlocks blocks = MappedBlocks.create(file)) {
      assertThatThrownBy(() -> blocks.add(24_096))
          .hasMessage(
              file
                  + " cannot grow to 24096 bytes; see whether there are 24096 bytes free:"
                  + " only 24095 are");
      assertThat(disk.refused).as("writes").isZero();
      disk.usable = 4_096;
      blocks.add(4_096);
      disk.usable = 1;
      blocks.startOver();
      assertThatCode(() -> blocks.add(4_096)).as("has its room").doesNotThrowAnyException();
    }
  }

  @Test
  void aFileThatIsDiscardedTakesNoRoomThoughItWasMapped(@TempDir Path folder) throws IOException {
    SmallDisk disk = new SmallDisk(folder, 20_000);
    MappedBlocks blocks = MappedBlocks.create(disk.wrapPath(folder.resolve("columns")));
    ByteBuffer block = blocks.add(4_096);
    blocks.discard();
    assertThat(disk.taken()).isZero();
    assertThat(folder).isEmptyDirectory();
    assertThat(block.capacity()).as("of one that is mapped still").isEqualTo(4_096);
  }

  @Test
  void whereRoomLacksMemoryIsCollectedForFilesThatWereClosed(@TempDir Path folder)
      throws IOException {
    MappedBlocks closed = MappedBlocks.create(folder.resolve("closed"));
    closed.add(4_096);
    closed.close();
    SmallDisk disk = new SmallDisk(folder, 4_096);
    disk.refusedBeforeThereIsRoom = 1;
    try (MappedBlocks blocks = MappedBlocks.create(disk.wrapPath(folder.resolve("columns")))) {
      assertThatCode(() -> blocks.add(8_192)).doesNotThrowAnyException();
      assertThat(disk.refused).isOne();
    }
  }

  /** As on Windows, where a file stays that is mapped: here a folder that is full has its name. */
  @Test
  void aFileThatCannotBeDeletedIsLeftWhenItIsClosed(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("reading");
    MappedBlocks blocks = MappedBlocks.create(file);
    Files.delete(file);
    Files.createDirectories(file.resolve("full"));
    assertThatCode(blocks::close).doesNotThrowAnyException();
    assertThat(file).exists();
  }

  /** Commits a batch of more flushes than there are blocks outside the heap for. */
  static final class Program {
    private static final int FLUSHES = 75;

    private Program() {}

    public static void main(String[] arguments) throws IOException {
      List<String> troubles = Collections.synchronizedList(new ArrayList<>());
      DeltaConfig config =
          DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
              .keyField("url")
              .scoredField("body")
              .listener(new Troubles(troubles))
              .build();
      IndexWriterConfig writerConfig =
          new IndexWriterConfig(new WhitespaceAnalyzer())
              .setMergeScheduler(new SerialMergeScheduler());
      try (Directory directory = FSDirectory.open(Path.of(arguments[0]));
          DeltaIndexWriter writer = new DeltaIndexWriter(directory, writerConfig, config)) {
        for (int page = 0; page < FLUSHES; page++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + page, Field.Store.NO));
          document.add(new TextField("body", "alpha", Field.Store.NO));
          writer.updateDocument(new Term("url", "p" + page), document);
          writer.flush();
        }
        writer.commit();
        if (troubles.stream().noneMatch(sentence -> sentence.contains("OutOfMemoryError"))) {
          System.exit(NOT_STARVED);
        }
        boolean settled = writer.status().pages() == FLUSHES && writer.nextPages(9).size() == 9;
        System.exit(settled ? 0 : NOT_SETTLED);
      }
    }
  }
}
