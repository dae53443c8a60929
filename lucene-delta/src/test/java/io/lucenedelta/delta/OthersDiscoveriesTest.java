// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Discoveries} that were asked for elsewhere than the order they are put into. */
class OthersDiscoveriesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant AFTERWARDS = NOW.plus(Duration.ofDays(7));

  @TempDir Path folder;

  private void index(String name, String page, long seed) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 3).build())
            .keyField("url")
            .scoredField("body")
            .hashSeed(seed)
            .clock(() -> NOW)
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      Document document = new Document();
      document.add(new StringField("url", page, Field.Store.NO));
      document.add(new TextField("body", "alpha", Field.Store.NO));
      writer.updateDocument(new Term("url", page), document);
      writer.commit();
    }
  }

  private static Discoveries discoveries(DeltaState state, String page) throws IOException {
    Discoveries told = state.discoveries(new WhitespaceAnalyzer());
    told.add(page, "alpha", NOW);
    return told;
  }

  private List<String> remembered(String name) throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve(name))) {
      return pages(state, state.discoveries(new WhitespaceAnalyzer()));
    }
  }

  private static List<String> pages(DeltaState state, Discoveries told) {
    return state.nextPages(told, 9, AFTERWARDS).stream().map(PagePriority::page).toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void thoseOfAnotherIndexAreRefusedAndLoseNothing(long seedOfTheOther) throws IOException {
    index("shard1", "a", 1);
    index("shard2", "b", seedOfTheOther);
    try (DeltaState one = DeltaState.open(folder.resolve("shard1"));
        DeltaState other = DeltaState.open(folder.resolve("shard2"))) {
      Discoveries told = discoveries(one, "b"); // a page of the other
      assertThatIllegalArgumentException()
          .isThrownBy(() -> other.nextPages(told, 9, AFTERWARDS))
          .withMessageContaining("are of the measurements in " + real("shard1.delta"))
          .withMessageContaining("asked were those in " + real("shard2.delta"));
      told.save();
    }
    assertThat(remembered("shard1")).containsExactlyInAnyOrder("a", "b");
  }

  private Path real(String name) throws IOException {
    return folder.resolve(name).toRealPath();
  }

  @Test
  void thoseOfAnEarlierStateOfTheSameFolderAreTakenByWhateverNameItIsOpened() throws IOException {
    index("index", "a", 1);
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("index.delta"));
    try (DeltaState earlier = DeltaState.open(folder.resolve("index"), link)) {
      Discoveries told = discoveries(earlier, "b");
      index("index", "b", 2); // the folder keeps its seed
      try (DeltaState later = DeltaState.open(folder.resolve("index"))) {
        assertThat(pages(later, told)).containsExactlyInAnyOrder("a", "b");
        assertThat(told.indexed()).containsExactly("b");
      }
    }
  }

  @Test
  void thoseOfAFolderThatWasMovedAwayAreNotSavedIntoAnEmptyOne() throws IOException {
    index("index", "a", 1);
    Path measurements = folder.resolve("index.delta");
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = discoveries(state, "b");
      Files.move(measurements, folder.resolve("away"));
      assertThatThrownBy(told::save)
          .isInstanceOf(FileSystemException.class)
          .isNotInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("index.delta was moved or deleted since it was opened");
      assertThat(measurements).doesNotExist();
      Files.move(folder.resolve("away"), measurements);
      told.save();
    }
    assertThat(remembered("index")).containsExactlyInAnyOrder("a", "b");
  }

  /** It stays there afterwards. */
  @Test
  void whoSavesThemSaysSoInTheLockFileSoThatAWriterWaits() throws IOException {
    index("index", "a", 1);
    Path lock = folder.resolve("index.delta").resolve("writer.lock");
    assertThat(LockHolder.isSaving(Files.readString(lock))).as("the writer").isFalse();
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      discoveries(state, "b").save();
    }
    assertThat(LockHolder.isSaving(Files.readString(lock))).as("who saves").isTrue();
  }

  @Test
  void thoseFromBeforeTheFolderWasBegunAnewAreRefused() throws IOException {
    index("index", "a", 1);
    try (DeltaState earlier = DeltaState.open(folder.resolve("index"))) {
      Discoveries told = discoveries(earlier, "b");
      IOUtils.rm(folder.resolve("index.delta"));
      index("index", "a", 2);
      try (DeltaState later = DeltaState.open(folder.resolve("index"))) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> later.nextPages(told, 9, AFTERWARDS))
            .withMessageContaining("begun anew since these discoveries were asked for; ask for");
      }
    }
  }
}
