// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOConsumer;
import org.junit.jupiter.api.Test;

/** What a manifest says on disk. */
class ManifestTest {
  private final Directory files = new ByteBuffersDirectory();

  /** All that is written, whatever may be added to it; its own number is in the file's name. */
  private static List<Field> written() {
    return List.of(Manifest.class.getDeclaredFields()).stream()
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .filter(field -> !List.of("number", "tentative", "countedOnDisk").contains(field.getName()))
        .toList();
  }

  private static Object value(Field field, int seed) {
    String type = field.getGenericType().getTypeName();
    if (field.getType() == long.class) {
      return 1000L + seed;
    } else if (field.getType() == double.class) {
      return 1.0 / seed;
    } else if (field.getType() == String.class) {
      return "text " + seed;
    } else if (type.endsWith("ScoredField>")) {
      return List.of(new ScoredField("a", seed), new ScoredField("b", 1f / seed));
    } else if (type.endsWith("Branch>")) {
      return List.of(new Manifest.Branch(seed, 1), new Manifest.Branch(seed + 1, 2));
    }
    return type.endsWith("Integer>") ? List.of(seed, seed + 1) : List.of("file", "file " + seed);
  }

  private static Map<String, Object> values(Manifest manifest) throws IllegalAccessException {
    Map<String, Object> values = new TreeMap<>();
    for (Field field : written()) {
      values.put(field.getName(), field.get(manifest));
    }
    return values;
  }

  /** A manifest that says something else in each of its fields. */
  private static Manifest filled() throws IllegalAccessException {
    Manifest manifest = new Manifest();
    int seed = 2;
    for (Field field : written()) {
      field.set(manifest, value(field, seed++));
    }
    return manifest;
  }

  @Test
  void whatIsWrittenIsReadBackEachUnderItsName() throws Exception {
    Manifest manifest = filled();
    manifest.write(files);
    Manifest read = Manifest.read(files);
    assertThat(values(read)).isEqualTo(values(manifest)).hasSizeGreaterThan(30);
    assertThat(read.number).isEqualTo(manifest.number);
  }

  /**
   * It tells one branch at most, and knows neither what estimates ΔQ_A, nor when what users get
   * from pages was found, nor which commit was settled last.
   */
  @Test
  void aManifestOfVersionNineIsReadAsFarAsItGoes() throws Exception {
    Manifest manifest = filled();
    manifest.branches = new ArrayList<>();
    int settled = 1 + manifest.settledCommit.length() + 8; // the numbers are below 128 and 16,384
    settled += 1 + manifest.ranksFailure.length();
    int more = 1 + (1 + manifest.estimator.length()) + 2 + settled;
    writeAs(9, manifest, more, out -> out.writeBytes(new byte[] {7, 5}, 2));
    manifest.branches = List.of(new Manifest.Branch(7, 5));
    manifest.estimator = "";
    manifest.usefulPages = 0;
    manifest.settledCommit = "";
    manifest.hashSeed = 0;
    manifest.ranksFailure = "";
    assertThat(values(Manifest.read(files))).isEqualTo(values(manifest));
  }

  @Test
  void aManifestOfVersionTenDoesNotTellWhichCommitWasSettledLast() throws Exception {
    Manifest manifest = filled();
    int failure = 1 + manifest.ranksFailure.length();
    writeAs(10, manifest, 1 + manifest.settledCommit.length() + 8 + failure, out -> {});
    manifest.settledCommit = "";
    manifest.hashSeed = 0;
    manifest.ranksFailure = "";
    assertThat(values(Manifest.read(files))).isEqualTo(values(manifest));
  }

  /** What its folder keeps by hashes was hashed without one. */
  @Test
  void aManifestOfVersionElevenHasTheSeedZero() throws Exception {
    Manifest manifest = filled();
    writeAs(11, manifest, 8 + 1 + manifest.ranksFailure.length(), out -> {});
    manifest.hashSeed = 0;
    manifest.ranksFailure = "";
    assertThat(values(Manifest.read(files))).isEqualTo(values(manifest));
  }

  @Test
  void aManifestOfVersionTwelveTellsOfNoFailureOfRankFunctions() throws Exception {
    Manifest manifest = filled();
    writeAs(12, manifest, 1 + manifest.ranksFailure.length(), out -> {});
    manifest.ranksFailure = "";
    assertThat(values(Manifest.read(files))).isEqualTo(values(manifest));
  }

  @Test
  void aLengthBeyondTheManifestIsDamageAndNoReasonToAskForMemory() throws IOException {
    StateFiles.write(
        files, "delta_1", "LuceneDeltaManifest", 11, out -> out.writeVInt(Integer.MAX_VALUE - 8));
    assertThatThrownBy(() -> Manifest.read(files)).isInstanceOf(CorruptIndexException.class);
  }

  @Test
  void bytesBehindTheLastFieldAreDamage() throws Exception {
    writeAs(13, filled(), 0, out -> out.writeByte((byte) 0));
    assertThatThrownBy(() -> Manifest.read(files))
        .isInstanceOf(CorruptIndexException.class)
        .hasStackTraceContaining("1 bytes stand before the footer");
  }

  /** Writes it with another end, under the next number. */
  private void writeAs(int version, Manifest manifest, int less, IOConsumer<IndexOutput> end)
      throws IOException {
    manifest.write(files);
    byte[] bytes;
    try (IndexInput in = files.openInput("delta_" + manifest.number, IOContext.READONCE)) {
      bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
    }
    manifest.number++;
    bytes[CodecUtil.headerLength("LuceneDeltaManifest") - 1] = (byte) version;
    try (IndexOutput out = files.createOutput("delta_" + manifest.number, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length - CodecUtil.footerLength() - less);
      end.accept(out);
      CodecUtil.writeFooter(out);
    }
  }

  @Test
  void aCopyForAnotherFolderLacksTheStoreAndTheColumnsAlone() throws Exception {
    Map<String, Object> expected = values(filled());
    expected.put("cleanCommit", "");
    expected.put("columnsNumber", 0L);
    assertThat(values(filled().forCopy())).isEqualTo(expected);
  }

  @Test
  void aRefreshFileThatIsForgottenTakesItsOwnLevelAlone() {
    Manifest manifest = new Manifest();
    for (String file : List.of("first", "second", "third")) {
      manifest.addRefreshFile(file);
    }
    manifest.refreshLevels.set(1, 5);
    manifest.refreshLevels.set(2, 7);
    manifest.removeRefreshFile("second");
    assertThat(manifest.refreshFiles).containsExactly("first", "third");
    assertThat(manifest.refreshLevels).containsExactly(0, 7);
  }

  @Test
  void usefulnessIsOldWhereThereAreHalfAsManyMorePagesThanItWasFoundOfOrAThirdFewer() {
    Manifest manifest = new Manifest();
    manifest.usefulPages = 300;
    for (long pages : new long[] {199, 200, 300, 450, 451}) {
      manifest.pages = pages;
      assertThat(manifest.isUsefulnessOld())
          .as("%d pages", pages)
          .isEqualTo(pages == 199 || pages == 451);
    }
  }

  /** What is outdated is found anew of all pages, and written where it differs; lost, of all. */
  @Test
  void usefulnessThatIsLostIsNotOutdatedAlone() {
    Manifest manifest = new Manifest();
    manifest.loseUsefulness();
    manifest.outdateUsefulness();
    assertThat(manifest.isUsefulnessLost()).isTrue();
    assertThat(manifest.isUsefulnessOld()).isTrue();
  }

  @Test
  void whereThereIsNoneTheOneThatAnnouncesABatchNamesNoRankFunctions() throws IOException {
    Manifest manifest = new Manifest();
    manifest.ranksFile = "ranks_3";
    manifest.makeTentative();
    manifest.announce(files, 4);
    Manifest first = Manifest.read(files);
    assertThat(first.branches).containsExactly(new Manifest.Branch(4, 0));
    assertThat(first.ranksFile).isEmpty();
    assertThat(manifest.ranksFile).isEqualTo("ranks_3");
  }

  /** Each may have been committed, though it is not settled yet: the index may name it. */
  @Test
  void ofBatchesOnEarlierCommitsThoseCountThatLeadToTheBatchOfTheIndex() throws Exception {
    Manifest latest = new Manifest();
    latest.generation = 5;
    latest.write(files);
    Manifest earlier = Manifest.read(files);
    earlier.generation = 3;
    earlier.makeTentative();
    earlier.announce(files, 6);
    earlier.announce(files, 7);
    earlier.generation = 1;
    earlier.announce(files, 8);
    earlier.generation = 6;
    earlier.announce(files, 10);
    Manifest announced = Manifest.read(files);
    assertThat(announced.generation).as("stays as it is otherwise").isEqualTo(5);
    assertThat(announced.lastNamed()).isEqualTo(10);
    Manifest.Branch sixth = new Manifest.Branch(6, 3);
    assertThat(announced.branchesTo(5)).isEmpty();
    assertThat(announced.branchesTo(6)).containsExactly(sixth);
    assertThat(announced.branchesTo(7)).containsExactly(new Manifest.Branch(7, 3));
    assertThat(announced.branchesTo(9)).containsExactly(new Manifest.Branch(8, 1));
    assertThat(announced.branchesTo(11)).containsExactly(new Manifest.Branch(10, 6), sixth);
    earlier.confirm();
    earlier.generation = 10;
    earlier.write(files);
    assertThat(Manifest.read(files).generation).isEqualTo(10);
    assertThat(Manifest.read(files).number).isGreaterThan(announced.number);
  }
}
