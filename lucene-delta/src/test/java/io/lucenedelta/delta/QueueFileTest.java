// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.lucenedelta.scorer.queue.RefreshQueue.Hold;
import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.workload.Workload;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueFileTest {
  private static final int SITES = 5;
  private static final Instant NOW = Instant.parse("2024-01-01T00:00:00Z");

  private final Workload workload =
      Workload.builder().add(List.of("alpha"), 2).add(List.of("beta"), 1).build();
  private final Directory files = new ByteBuffersDirectory();

  /** What a file tells of pages, in a form that can be compared. */
  private static Map<String, String> contents(QueueFile file) {
    Map<String, String> contents = new HashMap<>();
    file.discovered()
        .forEach((page, d) -> contents.put(page, d.since() + Arrays.toString(d.terms())));
    file.told.byPage().forEach((page, times) -> contents.merge(page, "" + times, String::concat));
    file.told.publishers().forEach((hash, fetched) -> contents.put("#" + hash, "" + fetched));
    for (int site = 0; site < SITES; site++) {
      DirectoryPath directories = DirectoryPath.of(site + "/");
      contents.put(site + "/", "" + file.told.publishers().published(0, List.of(), directories));
    }
    return contents;
  }

  /** Pages of an index, one in eight of those that there are, fetched at a time. */
  private static PageHistories histories(Instant fetched, int changes) {
    return new PageHistories() {
      @Override
      public long size() {
        return 9_000;
      }

      @Override
      public Optional<PageHistory> of(String page) {
        PageEntry entry = new PageEntry();
        entry.page = page;
        entry.lastRefresh = fetched.toEpochMilli();
        entry.changes = changes;
        return page.hashCode() % 8 == 0 ? Optional.of(entry) : Optional.empty();
      }

      @Override
      public void forEach(Consumer<? super PageHistory> reader) {
        throw new AssertionError("there are fewer publishers than pages");
      }
    };
  }

  private List<String> names(String prefix) throws IOException {
    return Arrays.stream(files.listAll()).filter(name -> name.startsWith(prefix)).toList();
  }

  private static QueueFile read(Directory directory, Workload workload) throws IOException {
    return QueueFile.read(directory, workload, 0);
  }

  private QueueFile discovering(int pages) throws IOException {
    QueueFile file = read(files, workload);
    for (int i = 0; i < pages; i++) {
      file.discover("p" + i, NOW, null);
    }
    return file;
  }

  /** The first file of all names no base. */
  private void writeWithBase(QueueFile file) throws IOException {
    file.write(files, List.of(), workload);
    file.write(files, List.of(), workload);
    assertThat(names("told_")).hasSize(1);
  }

  /** A writer saves between listing and opening. */
  @Test
  void whoReadsWhileAWriterSavesReadsTheLaterFile() throws IOException {
    QueueFile file = read(files, workload);
    for (int page = 0; page < 2_000; page++) { // enough for a base
      file.discover("p" + page, NOW, null);
    }
    file.write(files, List.of(), workload);
    Directory saving =
        new FilterDirectory(files) {
          private int saves = 3;

          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            if (saves > 0) {
              saves--;
              for (int page = 0; page < 2_000; page++) {
                file.discover("more" + saves + page, NOW, null);
              }
              file.write(files, List.of(), workload);
            }
            return in.openInput(name, context);
          }
        };
    assertThat(QueueFile.readBesideWriter(saving, workload, 0).discovered()).hasSize(8_000);
    files.deleteFile(names("told_").get(0));
    assertThatThrownBy(() -> QueueFile.readBesideWriter(files, workload, 0))
        .isInstanceOfAny(NoSuchFileException.class, FileNotFoundException.class);
  }

  @Test
  void whatIsReadIsWhatWasWrittenWhateverWasToldAndForgottenBetween() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    QueueFile file = read(files, workload);
    int bases = 0;
    for (int round = 0; round < 60; round++) {
      for (int i = random.nextInt(900); i > 0; i--) {
        int number = random.nextInt(9_000);
        String page = number % SITES + "/p" + number;
        Instant time = NOW.plusSeconds(random.nextInt(99_999));
        switch (random.nextInt(7)) {
          case 0, 1 -> file.discover(page, time, null);
          case 2 -> file.discover(page, time, new int[] {random.nextInt(2)});
          case 3 -> file.modified(page, time, time.plusSeconds(1_000L * round));
          case 4 -> file.setBack(List.of(page), time);
          default -> file.forget(page);
        }
      }
      if (random.nextBoolean()) {
        Instant fetched = NOW.plusSeconds(random.nextInt(9_999) + 2_000L * round);
        file.catchUp(histories(fetched, round), Optional.empty(), fetched, true);
      }
      Instant refreshed = NOW.minusSeconds(1 + round);
      boolean leased = round % 2 == 0;
      Hold hold = new Hold("p" + round, NOW, Instant.MAX, round, leased, refreshed, round % 3 == 0);
      List<String> before = names("told_");
      file.write(files, List.of(hold), workload);
      bases += before.equals(names("told_")) ? 0 : 1;
      QueueFile read = read(files, workload);
      assertThat(contents(read)).as("seed %d, round %d", seed, round).isEqualTo(contents(file));
      assertThat(read.holds).as("seed %d, round %d", seed, round).containsExactly(hold);
      assertThat(names("told_")).as("seed %d, round %d", seed, round).hasSizeLessThan(2);
      assertThat(names("queue_")).as("seed %d, round %d", seed, round).hasSize(1);
      file = random.nextInt(3) == 0 ? read : file;
    }
    assertThat(file.told.publishers().size()).as("seed %d", seed).isPositive();
    assertThat(bases).as("seed %d: bases written in 60 rounds", seed).isBetween(4, 40);
  }

  private void copyTo(Directory copy) throws IOException {
    QueueFile.copy(files, QueueFile.names(files), copy, e -> fail("cannot be read", e));
  }

  @Test
  void aCopyTellsWhatTheFilesOfThatMomentTell() throws IOException {
    QueueFile file = read(files, workload);
    try (Directory copy = new ByteBuffersDirectory()) {
      copyTo(copy);
      assertThat(copy.listAll()).as("of a queue that there is none of").isEmpty();
      for (int page = 0; page < 2_000; page++) { // enough for a base
        file.discover("p" + page, NOW, null);
      }
      file.write(files, List.of(), workload);
      file.discover("since", NOW, null);
      Hold hold = new Hold("held", NOW, Instant.MAX, 1, true, NOW);
      file.write(files, List.of(hold), workload);
      copyTo(copy);
      QueueFile read = read(copy, workload);
      assertThat(contents(read)).isEqualTo(contents(file));
      assertThat(read.holds).containsExactly(hold);
    }
  }

  @Test
  void wordsAreReadAsTermsOfTheWorkloadThatThereIsThen() throws IOException {
    QueueFile file = read(files, workload);
    file.discover("p", NOW, new int[] {workload.termNumber("alpha"), workload.termNumber("beta")});
    file.write(files, List.of(), workload);
    Workload other = Workload.builder().add(List.of("a"), 2).add(List.of("beta"), 1).build();
    assertThat(other.termNumber("beta")).isNotEqualTo(workload.termNumber("alpha")).isPositive();
    assertThat(read(files, other).discovered().get("p").terms())
        .containsExactly(other.termNumber("beta"));
  }

  @Test
  void whatWordsPromiseIsKeptInTheUnitInWhichItWasBegun() throws IOException {
    QueueFile file = read(files, workload);
    file.wordFactor.add(1, 9, 1);
    double learned = file.wordFactor.of(1);
    assertThat(learned).isGreaterThan(1);
    file.countIn(new UsefulnessUnit(3, 10));
    for (UsefulnessUnit compares :
        List.of(new UsefulnessUnit(3, 10), new UsefulnessUnit(3, 18), UsefulnessUnit.UNKNOWN)) {
      file.write(files, List.of(), workload);
      file = read(files, workload);
      file.countIn(compares);
      assertThat(file.wordFactor.of(1)).as("%s", compares).isEqualTo(learned);
    }
    for (UsefulnessUnit other : List.of(new UsefulnessUnit(4, 10), new UsefulnessUnit(3, 30))) {
      QueueFile read = read(files, workload);
      read.countIn(other);
      assertThat(read.wordFactor.of(1)).as("%s", other).isEqualTo(1);
    }
  }

  /** Else pages would come last for good that a workload lacked the words of for a day. */
  @Test
  void aPageOfWhoseWordsTheWorkloadHasNoneAnyMoreIsOneOfWhichNoneAreKnown() throws IOException {
    QueueFile file = read(files, workload);
    file.discover("asked", NOW, new int[] {workload.termNumber("beta")});
    file.discover("never asked", NOW, new int[0]);
    file.write(files, List.of(), workload);
    Workload other = Workload.builder().add(List.of("a"), 2).build();
    for (Workload without : Arrays.asList(other, null)) {
      Map<String, Discovery> read = read(files, without).discovered();
      assertThat(read.get("asked").hasWords()).isFalse();
      assertThat(read.get("never asked").hasWords()).isTrue();
    }
    read(files, other).write(files, List.of(), other);
    assertThat(read(files, workload).discovered().get("asked").hasWords()).isFalse();
  }

  @Test
  void fetchesThatHistoriesLostAreForgottenInTheBaseToo() throws IOException {
    QueueFile file = read(files, workload);
    List<String> pages = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      pages.add("0/p" + i);
      file.modified("0/p" + i, NOW.plusSeconds(5), NOW.plusSeconds(20));
    }
    PageHistories all = known(pages, NOW.plusSeconds(10));
    file.catchUp(all, Optional.empty(), NOW.plusSeconds(20), true);
    writeWithBase(file);
    QueueFile later = read(files, workload);
    later.modified("0/p7", NOW.plusSeconds(5), NOW.plusSeconds(30));
    assertThat(later.told.byPage()).as("fetched").isEmpty();
    later.goBack(known(pages, NOW));
    later.write(files, List.of(), workload);
    QueueFile last = read(files, workload);
    last.modified("0/p7", NOW.plusSeconds(5), NOW.plusSeconds(40));
    assertThat(last.told.byPage()).containsOnlyKeys("0/p7");
    assertThat(last.told.publishers().size()).isEqualTo(3_000);
  }

  /** As the next reader would look for pages by the new seed that were written by the old. */
  @Test
  void whatWasHashedByAnotherSeedIsForgottenInTheBaseToo() throws IOException {
    QueueFile file = read(files, workload);
    List<String> pages = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      pages.add("0/p" + i);
      file.modified("0/p" + i, NOW, NOW);
    }
    file.catchUp(known(pages, NOW.plusSeconds(10)), Optional.empty(), NOW.plusSeconds(20), true);
    writeWithBase(file);
    QueueFile other = QueueFile.read(files, workload, 7);
    assertThat(other.told.publishers().size()).isZero();
    other.write(files, List.of(), workload);
    assertThat(QueueFile.read(files, workload, 7).told.publishers().size()).isZero();
  }

  @Test
  void pagesThatLeftTheIndexUnseenDoNotPublishAnyMoreNorForTheNextReader() throws IOException {
    QueueFile file = read(files, workload);
    List<String> pages = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      pages.add("0/p" + i);
      file.modified("0/p" + i, NOW.plusSeconds(5), NOW.plusSeconds(20));
    }
    file.catchUp(known(pages, NOW.plusSeconds(10)), Optional.empty(), NOW.plusSeconds(20), true);
    writeWithBase(file);
    List<String> left = pages.subList(1, 3_000);
    file.catchUp(
        known(left, NOW.plusSeconds(10)), Optional.of(Set.of()), NOW.plusSeconds(30), true);
    assertThat(file.told.publishers().size()).isEqualTo(2_999);
    assertThat(file.told.publishers().has("0/p0")).isFalse();
    file.write(files, List.of(), workload);
    assertThat(contents(read(files, workload))).isEqualTo(contents(file));
    List<String> base = names("told_");
    file.catchUp(
        known(left, NOW.plusSeconds(10)), Optional.of(Set.of()), NOW.plusSeconds(40), true);
    file.write(files, List.of(), workload);
    assertThat(names("told_")).as("all pages of the index publish").isEqualTo(base);
  }

  /** All of these pages, fetched at a time. */
  private static PageHistories known(List<String> pages, Instant fetched) {
    return new PageHistories() {
      @Override
      public long size() {
        return pages.size();
      }

      @Override
      public Optional<PageHistory> of(String page) {
        PageEntry entry = new PageEntry();
        entry.page = page;
        entry.lastRefresh = fetched.toEpochMilli();
        return Optional.of(entry);
      }

      @Override
      public void forEach(Consumer<? super PageHistory> reader) {
        pages.forEach(page -> reader.accept(of(page).orElseThrow()));
      }
    };
  }

  @Test
  void wordsOfAPageAddUpAndItsAddressIsKnownSinceItWasToldFirst() throws IOException {
    QueueFile file = read(files, workload);
    file.discover("p", NOW, new int[] {1});
    file.discover("p", NOW.plusSeconds(9), new int[] {0});
    assertThat(file.discovered().get("p").since()).isEqualTo(NOW);
    assertThat(file.discovered().get("p").terms()).containsExactly(0, 1);
  }

  @Test
  void aSiteIsHeardWhetherOrNotItIsNewsWhatItSays() throws IOException {
    QueueFile file = read(files, workload);
    DirectoryPath site = DirectoryPath.of("0/p");
    for (int second = 10; second < 13; second++) {
      file.modified("0/p", NOW, NOW.plusSeconds(second));
      assertThat(file.told.publishers().published(0, List.of(), site).heard())
          .isEqualTo(NOW.plusSeconds(second));
    }
  }

  /** Or no queue could be had for want of memory, and the file would stay where it is. */
  @Test
  void aLengthBeyondTheFileIsDamageAndNoReasonToAskForMemory() throws IOException {
    int length = Integer.MAX_VALUE - 8;
    Map<String, StateFiles.Contents> damages =
        Map.of(
            "page held",
            out -> {
              out.writeVInt(1);
              out.writeVInt(length);
            },
            "page told",
            out -> {
              out.writeBytes(new byte[] {0, 0, 1}, 3);
              out.writeVInt(length);
            },
            "words",
            out -> {
              out.writeBytes(new byte[] {0, 0, 1, 1, 'p', 1, 0}, 7);
              out.writeVInt(length);
            },
            "a word",
            out -> {
              out.writeBytes(new byte[] {0, 0, 1, 1, 'p', 1, 0, 2}, 8);
              out.writeVInt(length);
            },
            "what was learned",
            out -> {
              out.writeBytes(new byte[] {0, 0, 0, 0}, 4);
              out.writeVInt(length);
            });
    damages.forEach(
        (what, contents) ->
            assertThatThrownBy(
                    () -> {
                      StateFiles.write(files, "queue_1", "LuceneDeltaQueue", 5, contents);
                      read(files, workload);
                    })
                .as(what)
                .isInstanceOf(CorruptIndexException.class));
  }

  /** Killed between the base and the file that was to name it, as that was written. */
  @Test
  void whatAKilledWriterLeftIsNotInTheWayOfTheNext() throws IOException {
    read(files, workload).write(files, List.of(), workload);
    files.createOutput("told_2", IOContext.DEFAULT).close();
    files.createOutput("pending_queue", IOContext.DEFAULT).close();
    try (Directory copy = new ByteBuffersDirectory()) {
      copyTo(copy);
      assertThat(copy.listAll()).containsExactly("queue_1");
    }
    QueueFile file = read(files, workload);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 2_000; i++) { // enough for a base
        file.discover("p" + round + "/" + i, NOW, null);
      }
      file.write(files, List.of(), workload);
    }
    assertThat(names("told_")).hasSize(1);
    assertThat(read(files, workload).discovered()).hasSize(6_000);
  }

  /** By a stop of the process, a backup, or a reader that lists the files. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFirstWriteOfManyAddressesSeenAtAnyStepIsNotTakenForALoss(boolean pendingIsSeen)
      throws IOException {
    QueueFile file = discovering(3_000);
    List<Integer> seen = new ArrayList<>();
    Directory watched =
        new SteppedDirectory(files) {
          @Override
          void step() throws IOException {
            try (Directory copy = new ByteBuffersDirectory()) {
              for (String name : files.listAll()) {
                if (pendingIsSeen || !name.startsWith("pending_")) {
                  copy.copyFrom(files, name, name, IOContext.DEFAULT);
                }
              }
              seen.add(read(copy, workload).discovered().size());
            }
          }
        };
    file.write(watched, List.of(), workload);
    assertThat(seen).hasSizeGreaterThan(2).containsOnly(0, 3_000).isSorted();
    file.write(watched, List.of(), workload);
    assertThat(seen).hasSizeGreaterThan(8).isSorted();
    assertThat(names("told_")).as("its base came with the second").hasSize(1);
  }

  @Test
  void theLossOfTheFileThatNamesTheOtherIsFoundBesideWhatAWriterLeft() throws IOException {
    QueueFile file = discovering(3_000);
    writeWithBase(file);
    files.createOutput("pending_queue", IOContext.DEFAULT).close();
    files.deleteFile("queue_2");
    assertThatThrownBy(() -> read(files, workload))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("told_2 is there, but no queue_N that names it");
  }

  @Test
  void aWriteThatFailsAnywhereLosesNothingOfTheOneBefore() throws IOException {
    QueueFile file = discovering(3_000);
    file.write(files, List.of(), workload);
    Map<String, String> before = contents(file);
    for (int i = 2_000; i < 6_000; i++) {
      file.discover("p" + i, NOW, new int[] {0});
      file.forget("p" + (i - 2_000));
    }
    for (int step = 1; step <= 8; step++) {
      Directory failing = new FailingDirectory(files, step);
      assertThatThrownBy(() -> file.write(failing, List.of(), workload))
          .as("step %d", step)
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("no more");
      Map<String, String> now = contents(read(files, workload));
      assertThat(now).as("step %d", step).isIn(before, contents(file));
    }
    file.write(new FailingDirectory(files, 9), List.of(), workload);
    assertThat(contents(read(files, workload))).isEqualTo(contents(file));
    assertThat(names("told_")).hasSize(1);
  }

  /** On a full disk there is room for one of the two files, perhaps, as often as that is tried. */
  @Test
  void whatAFailedWriteLeftTakesNoRoom() throws IOException {
    QueueFile file = read(files, workload);
    for (int round = 0; round < 2; round++) { // nothing is there before; a base is
      List<String> before = List.of(files.listAll());
      for (int i = 0; i < 3_000; i++) {
        file.discover("p" + round + "/" + i, NOW, null);
      }
      int steps = round == 0 ? 3 : 7; // up to the renaming that lets the file count
      for (int step = 1; step <= steps; step++) {
        Directory failing = new FailingDirectory(files, step);
        assertThatThrownBy(() -> file.write(failing, List.of(), workload))
            .hasMessageEndingWith("no more");
        assertThat(files.listAll()).as("step %d", step).containsExactlyElementsOf(before);
      }
      Directory failing = new FailingDirectory(files, steps + 1);
      assertThatThrownBy(() -> file.write(failing, List.of(), workload))
          .hasMessageEndingWith("no more");
      assertThat(contents(read(files, workload))).isEqualTo(contents(file));
      file.write(files, List.of(), workload);
      assertThat(files.listAll()).hasSize(2);
    }
  }

  /** Fails at one of the steps. */
  private static final class FailingDirectory extends SteppedDirectory {
    private int left;

    FailingDirectory(Directory in, int step) {
      super(in);
      left = step;
    }

    @Override
    void step() throws IOException {
      if (--left == 0) {
        throw new IOException("no more");
      }
    }
  }

  /** Sees the steps in which files are written: create, sync, rename, sync again. */
  private abstract static class SteppedDirectory extends FilterDirectory {
    SteppedDirectory(Directory in) {
      super(in);
    }

    /** Before one of them. */
    abstract void step() throws IOException;

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      step();
      return super.createOutput(name, context);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      step();
      super.sync(names);
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      step();
      super.rename(source, dest);
    }

    @Override
    public void syncMetaData() throws IOException {
      step();
      super.syncMetaData();
    }
  }

  @Test
  void aSmallAdditionToManyPagesWritesLittle() throws IOException {
    QueueFile file = read(files, workload);
    for (int i = 0; i < 40_000; i++) {
      file.discover("https://example.org/some/page/" + i, NOW, null);
    }
    writeWithBase(file);
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      file.write(files, List.of(), workload);
      sizes.add(files.fileLength(names("queue_").get(0)));
      file.discover("https://example.org/another/page/" + i, NOW, null);
    }
    assertThat(sizes).allMatch(bytes -> bytes < 2_500);
    assertThat(names("told_")).containsExactly("told_2");
    assertThat(read(files, workload).discovered()).hasSize(40_005);
  }

  @Test
  void aFileOfLeasesIsNotTakenForOneOfWhatWasToldNorTheOtherWayRound() throws IOException {
    QueueFile file = discovering(2_000);
    writeWithBase(file);
    try (Directory leases = new ByteBuffersDirectory();
        Directory told = new ByteBuffersDirectory()) {
      for (String name : List.of("queue_2", "told_2")) {
        leases.copyFrom(files, "queue_2", name, IOContext.DEFAULT);
        told.copyFrom(files, "told_2", name, IOContext.DEFAULT);
      }
      for (Directory wrong : List.of(leases, told)) {
        assertThatThrownBy(() -> read(wrong, workload))
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining("codec mismatch");
      }
    }
  }

  @Test
  void whatWasToldBeforeIsWrittenAnewWhenASixteenthOfItChanged() throws IOException {
    QueueFile file = discovering(40_000);
    writeWithBase(file);
    for (int i = 0; i < 2_500; i++) {
      file.discover("p" + i, NOW, new int[] {0});
    }
    file.write(files, List.of(), workload);
    assertThat(names("told_")).containsExactly("told_2");
    file.discover("p" + 2_500, NOW, new int[] {0});
    file.write(files, List.of(), workload);
    assertThat(names("told_")).containsExactly("told_4");
  }

  /**
   * As a crawler of an index whose pages all publish takes hundreds of times before a sixteenth.
   */
  @Test
  void itIsWrittenAnewWhenWhatChangedHasTakenMoreBytesSinceButNotForLittle() throws IOException {
    QueueFile file = discovering(40_000);
    writeWithBase(file);
    long all = files.fileLength("told_2");
    long others = files.fileLength("queue_2"); // bytes beside what was told of pages
    for (int i = 0; i < 1_001; i++) { // a sixteenth is 2,500
      file.discover("p" + i, NOW, new int[] {0});
    }
    long written = 0;
    while (written <= all) {
      assertThat(names("told_")).containsExactly("told_2");
      file.write(files, List.of(), workload);
      written += files.fileLength(names("queue_").get(0)) - others;
    }
    file.write(files, List.of(), workload);
    List<String> later = names("told_");
    assertThat(later).hasSize(1).doesNotContain("told_2");
    for (int i = 0; i < 1_000; i++) {
      file.discover("p" + i, NOW, new int[] {1});
    }
    for (int write = 0; write < 100; write++) {
      file.write(files, List.of(), workload);
    }
    assertThat(names("told_")).as("no more than a thousand changed since").isEqualTo(later);
  }

  @Test
  void pagesWithChangesAndThoseThatPublishAreOfWhatWasTold() throws IOException {
    QueueFile file = read(files, workload);
    List<String> pages = new ArrayList<>();
    for (int i = 0; i < 21_200; i++) {
      if (i == 20_000) {
        writeWithBase(file);
      }
      pages.add("0/p" + i);
      file.modified("0/p" + i, NOW.plusSeconds(5), NOW.plusSeconds(20));
    }
    file.write(files, List.of(), workload);
    assertThat(names("told_")).containsExactly("told_2");
    file.catchUp(known(pages, NOW.plusSeconds(10)), Optional.empty(), NOW.plusSeconds(20), true);
    assertThat(file.told.byPage()).as("all were fetched").isEmpty();
    file.write(files, List.of(), workload);
    assertThat(names("told_")).containsExactly("told_4");
    for (int i = 0; i < 1_200; i++) {
      file.modified("0/p" + i, NOW.plusSeconds(15), NOW.plusSeconds(20));
    }
    file.write(files, List.of(), workload);
    assertThat(names("told_")).containsExactly("told_4");
  }

  @Test
  void whoReadsWhatAFailedWriteLeftCanWriteAgain() throws IOException {
    QueueFile file = read(files, workload);
    file.write(files, List.of(), workload);
    for (int step = 1; step <= 8; step++) {
      for (int i = 0; i < 3_000; i++) {
        file.discover("p" + step + "/" + i, NOW, null);
      }
      QueueFile failing = file;
      Directory upTo = new FailingDirectory(files, step);
      assertThatThrownBy(() -> failing.write(upTo, List.of(), workload))
          .hasMessageEndingWith("no more");
      file = read(files, workload);
      for (int i = 0; i < 3_000; i++) {
        file.discover("after " + step + "/" + i, NOW, null);
      }
      file.write(files, List.of(), workload);
      Map<String, String> read = contents(read(files, workload));
      assertThat(read).as("step %d", step).isEqualTo(contents(file));
      assertThat(names("told_")).as("step %d", step).hasSize(1);
    }
  }

  /** Or the queue would start empty, or with leases of old, and nobody would hear of it. */
  @Test
  void filesThatCouldNotAllBeSetAsideAreFoundUnreadableOnceMore() throws IOException {
    for (String damaged : List.of("queue_10", "told_10")) {
      for (int step = 1; step <= 3; step++) {
        try (Directory directory = new ByteBuffersDirectory()) {
          read(directory, workload).write(directory, List.of(), workload);
          directory.rename("queue_1", "queue_9"); // could not be deleted
          QueueFile file = read(directory, workload);
          for (int i = 0; i < 2_000; i++) { // enough for a base
            file.discover("p" + i, NOW, null);
          }
          Directory keeping =
              new FilterDirectory(directory) {
                @Override
                public void deleteFile(String name) throws IOException {
                  throw new IOException("in use: " + name);
                }
              };
          file.write(keeping, List.of(), workload);
          directory.deleteFile(damaged);
          directory.createOutput(damaged, IOContext.DEFAULT).close();
          Directory failing = new FailingDirectory(directory, step);
          assertThatThrownBy(() -> QueueFile.setAside(failing)).hasMessage("no more");
          assertThatThrownBy(() -> read(directory, workload))
              .as("%s, step %d", damaged, step)
              .isInstanceOfAny(
                  CorruptIndexException.class,
                  NoSuchFileException.class,
                  FileNotFoundException.class);
          QueueFile.setAside(directory);
          assertThat(directory.listAll())
              .containsExactlyInAnyOrder("damaged_queue_9", "damaged_queue_10", "damaged_told_10");
        }
      }
    }
  }

  @Test
  void theFileThatNamesALostOneIsKeptDurablyAndOnce() throws IOException {
    try (SyncedFiles directory = new SyncedFiles()) {
      QueueFile file = read(directory, workload);
      for (int i = 0; i < 2_000; i++) {
        file.discover("p" + i, NOW, null);
      }
      file.write(directory, List.of(), workload);
      file.write(directory, List.of(), workload);
      for (int opening = 0; opening < 2; opening++) { // the first ended before it wrote anything
        QueueFile.setBaseAside(directory);
        assertThat(directory.synced).contains("damaged_queue_2");
        assertThat(directory.listAll())
            .containsExactlyInAnyOrder("queue_2", "damaged_queue_2", "damaged_told_2");
      }
    }
  }
}
