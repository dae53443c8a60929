// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshCompactionTest {
  private static final BytesRef PAGE = new BytesRef("a");

  private final Directory files = new ByteBuffersDirectory();
  private final Manifest manifest = new Manifest();

  private void batch(long generation, boolean explained) throws IOException {
    RefreshDetails details = explained ? new RefreshDetails() : null;
    String name = StateFiles.batch(generation);
    try (RefreshFile.Writer writer = new RefreshFile.Writer(files, name)) {
      writer.page(
          PAGE, List.of(new Refresh(generation, generation, true, 1, 0.5, 1, null, 0, 0, details)));
      writer.finish();
    }
    manifest.addRefreshFile(name);
  }

  private boolean compact() throws IOException {
    return new RefreshCompaction(files, manifest).compact();
  }

  private List<Refresh> refreshes() throws IOException {
    List<Refresh> found = new ArrayList<>();
    for (String name : manifest.refreshFiles) {
      found.addAll(RefreshFile.find(files, name, PAGE));
    }
    return found;
  }

  @Test
  void eightFilesOfALevelBecomeOneOfTheNext() throws IOException {
    for (int batches = 1; batches <= 512; batches++) {
      batch(batches, true);
      assertThat(compact()).as("after %d", batches).isEqualTo(batches % 8 == 0);
      int digits = Integer.toOctalString(batches).chars().map(digit -> digit - '0').sum();
      assertThat(manifest.refreshFiles).as("after %d", batches).hasSize(digits);
    }
    assertThat(manifest.refreshLevels).containsExactly(3);
    assertThat(refreshes()).hasSize(512);
  }

  @Test
  void batchesThatBringSeveralFilesLeaveAsFew() throws IOException {
    int files = 0;
    for (int batches = 1; batches <= 512; batches++) {
      for (int file = 0; file <= batches % 3; file++) { // one with visits, say, and of usefulness
        batch(++files, true);
      }
      compact();
      assertThat(manifest.refreshFiles).as("after %d", batches).hasSizeLessThan(4 * 8);
      assertThat(manifest.refreshLevels).isSortedAccordingTo(Comparator.reverseOrder());
    }
    assertThat(refreshes()).extracting(Refresh::generation).doesNotHaveDuplicates().hasSize(files);
  }

  @Test
  void filesThatWereLeftBetweenLargerOnesAreMergedWithThem() throws IOException {
    for (int batch = 1; batch <= 20; batch++) {
      batch(batch, true);
      manifest.refreshLevels.set(batch - 1, batch % 2);
    }
    batch(21, true);
    assertThat(compact()).as("one file is the last of its level").isFalse();
    manifest.refreshLevels.set(20, 1);
    assertThat(compact()).isTrue();
    assertThat(manifest.refreshLevels).containsExactly(2);
    assertThat(refreshes()).hasSize(21);
  }

  @Test
  void contributionsStayForTheLatestThreeRefreshesThatHaveThem() throws IOException {
    for (int batch = 1; batch <= 8; batch++) {
      batch(batch, batch != 7);
    }
    assertThat(compact()).isTrue();
    List<Refresh> kept = refreshes();
    assertThat(kept)
        .extracting(Refresh::generation)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(kept).extracting(Refresh::qualityChange).containsOnly(0.5);
    assertThat(kept)
        .filteredOn(refresh -> refresh.details() != null)
        .extracting(Refresh::generation)
        .containsExactly(5L, 6L, 8L);
  }

  @Test
  void usefulnessFoundAgainAndAgainIsKeptOnceAndAsItWasToldLast() throws IOException {
    batch(1, true); // a visit, which tells it, too
    for (int found = 2; found <= 7; found++) {
      tell(Refresh.useful(1, found));
    }
    tell(new Refresh(8, 8, false, 0, 0, -1, null, 0, 0, null)); // a visit that leaves it
    assertThat(compact()).isTrue();
    assertThat(refreshes()).extracting(Refresh::usefulness).containsExactly(1f, 7f, -1f);
    for (int i = 0; i < 7; i++) {
      tell(Refresh.useful(8, Refresh.FORGOTTEN));
    }
    assertThat(compact()).as("seven, and one of a higher level").isFalse();
    tell(new Refresh(9, 9, false, 0, 0, 4, null, 0, 0, null));
    assertThat(compact()).isTrue();
    assertThat(refreshes()).extracting(Refresh::usefulness).containsExactly(1f, 7f, -1f, 4f);
  }

  private void tell(Refresh refresh) throws IOException {
    String name = "told_" + manifest.refreshFiles.size() + "_" + refresh.usefulness();
    try (RefreshFile.Writer writer = new RefreshFile.Writer(files, name)) {
      writer.page(PAGE, List.of(refresh));
      writer.finish();
    }
    manifest.addRefreshFile(name);
  }

  /** On a full disk Lucene, which flushes and merges meanwhile, would give up its writer. */
  @Test
  void filesAreMergedOnlyWhereTheDiskHasRoomForAsMuchAgain(@TempDir Path folder)
      throws IOException {
    SmallDisk disk = new SmallDisk(folder, Long.MAX_VALUE);
    List<String> troubles = new ArrayList<>();
    try (Directory small = new NIOFSDirectory(disk.wrapPath(folder))) {
      long bytes = 0;
      for (int batch = 1; batch <= 8; batch++) {
        batch(batch, true);
        String name = StateFiles.batch(batch);
        small.copyFrom(files, name, name, IOContext.DEFAULT);
        bytes += small.fileLength(name);
      }
      Set<String> before = Set.of(small.listAll());
      disk.usable = 2 * bytes - 1;
      assertThatThrownBy(() -> new RefreshCompaction(small, manifest).compact())
          .hasMessage(
              "%s cannot be written; see whether its disk has room for %d bytes: it may take %d, and only %d are free",
              disk.wrapPath(folder).resolve("refreshes_0"), 2 * bytes, bytes, 2 * bytes - 1);
      recorded(small, troubles).compact();
      assertThat(troubles)
          .containsExactly("the files of refreshes cannot be merged and stay as they are");
      assertThat(small.listAll()).containsExactlyInAnyOrderElementsOf(before);
      assertThat(manifest.refreshFiles).hasSize(8);
      disk.usable = 2 * bytes;
      recorded(small, troubles).compact();
      assertThat(manifest.refreshFiles).hasSize(1);
      assertThat(troubles).hasSize(1);
    }
  }

  private RecordedBatches recorded(Directory state, List<String> troubles) {
    DeltaListener listener = new Troubles(troubles);
    return new RecordedBatches(
        state, manifest, new StateUpkeep(state, listener), null, null, listener);
  }

  /** Which takes long, as it reads all; and would be done with every batch until there is room. */
  @Test
  void whereAMergedFileCannotBeWrittenNoneOfTheOthersIsLookedAt() throws IOException {
    for (int batch = 1; batch <= 8; batch++) {
      batch(batch, true);
    }
    AtomicInteger opened = new AtomicInteger();
    Directory full =
        new FilterDirectory(files) {
          @Override
          public void sync(Collection<String> names) throws IOException {
            throw new IOException("no space left on device");
          }

          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            opened.incrementAndGet();
            return super.openInput(name, context);
          }
        };
    List<String> troubles = new ArrayList<>();
    recorded(full, troubles).compact();
    assertThat(troubles).hasSize(1);
    assertThat(manifest.refreshFiles).hasSize(8);
    assertThat(opened.get()).as("openings, by the merge alone").isEqualTo(8);
  }

  @Test
  void everyPageKeepsItsOwnRefreshesAndNoOthers() throws IOException {
    for (int batch = 1; batch <= 8; batch++) {
      String name = StateFiles.batch(batch);
      try (RefreshFile.Writer writer = new RefreshFile.Writer(files, name)) {
        for (String page : batch % 2 == 0 ? List.of("a", "b", "c") : List.of("b")) {
          float useful = page.charAt(0);
          writer.page(
              new BytesRef(page),
              List.of(new Refresh(batch, batch, false, 0, 0, useful, null, 0, 0, null)));
        }
        writer.finish();
      }
      manifest.addRefreshFile(name);
    }
    assertThat(compact()).isTrue();
    for (String page : List.of("a", "b", "c")) {
      List<Refresh> found =
          RefreshFile.find(files, manifest.refreshFiles.get(0), new BytesRef(page));
      assertThat(found).as(page).hasSize(page.equals("b") ? 8 : 4);
      assertThat(found).extracting(Refresh::usefulness).containsOnly((float) page.charAt(0));
    }
  }

  @Test
  void whatCameAfterTheBatchThatAnIndexWentBackToIsForgottenAndNoMore() throws IOException {
    RefreshCompaction compaction = new RefreshCompaction(files, manifest);
    compaction.forgetAfter(3);
    assertThat(manifest.refreshFiles).isEmpty();
    for (int batch = 1; batch <= 5; batch++) {
      batch(batch, true);
    }
    compaction.forgetAfter(3);
    assertThat(refreshes()).extracting(Refresh::generation).containsExactly(1L, 2L, 3L);
    assertThat(manifest.refreshFiles).hasSize(1);
    compaction.forgetAfter(0);
    assertThat(manifest.refreshFiles).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whatIsCopiedIsWhatReadingAndWritingEveryRefreshWouldMake(long seed) throws IOException {
    Random random = new Random(seed);
    SortedMap<BytesRef, List<Refresh>> all = new TreeMap<>();
    for (int batch = 1; batch <= 12; batch++) {
      SortedMap<BytesRef, List<Refresh>> pages = new TreeMap<>();
      int most = seed == 1 ? 0 : random.nextInt(400);
      for (int page = 0; page < most; page++) {
        BytesRef key = new BytesRef("page" + random.nextInt(500));
        int refreshes = page == 7 ? 200 : 1 + page % 3; // more than go into a file at once
        pages.put(key, Stream.generate(new Anything(random, batch)).limit(refreshes).toList());
      }
      pages.forEach((key, told) -> all.computeIfAbsent(key, k -> new ArrayList<>()).addAll(told));
      String name = StateFiles.batch(batch);
      write(name, pages);
      manifest.addRefreshFile(name);
    }
    long last = seed % 2 == 0 ? Long.MAX_VALUE : 9;
    if (last == 9) {
      new RefreshCompaction(files, manifest).forgetAfter(last);
    } else {
      assertThat(compact()).isTrue();
    }
    all.replaceAll((key, told) -> slowly(told, last));
    all.values().removeIf(List::isEmpty);
    assertThat(manifest.refreshFiles).as("seed %d", seed).hasSize(all.isEmpty() ? 0 : 1);
    if (!all.isEmpty()) {
      write("slowly", all);
      assertThat(bytes(manifest.refreshFiles.get(0)))
          .as("seed %d", seed)
          .isEqualTo(bytes("slowly"));
    }
  }

  /** Refreshes of every kind, some of which no writer makes. */
  private record Anything(Random random, long generation) implements Supplier<Refresh> {
    @Override
    public Refresh get() {
      if (random.nextInt(4) == 0) {
        return Refresh.useful(generation, usefulness());
      }
      boolean measured = random.nextInt(3) > 0;
      boolean candidate = random.nextBoolean();
      return new Refresh(
          generation,
          random.nextLong() >> random.nextInt(64),
          measured,
          measured ? random.nextLong() >>> 1 + random.nextInt(63) : 0,
          measured ? random.nextInt(5) == 0 ? Double.NaN : random.nextGaussian() : 0,
          usefulness(),
          candidate ? "_" + "x".repeat(random.nextInt(200)) : null,
          candidate ? random.nextInt(1 << 30) : 0,
          candidate ? random.nextLong() : 0,
          random.nextBoolean() ? details() : null);
    }

    private float usefulness() {
      int kind = random.nextInt(4);
      return kind == 0 ? -1 : kind == 1 ? Refresh.FORGOTTEN : random.nextFloat();
    }

    private RefreshDetails details() {
      RefreshDetails details = new RefreshDetails();
      details.clear(random.nextLong());
      details.shown = random.nextInt(RefreshDetails.SHOWN + 1);
      details.further = random.nextInt(1 << random.nextInt(31));
      for (int query = 0; query < details.shown; query++) {
        details.query[query] = random.nextInt(1 << random.nextInt(31));
        for (int number = 0; number < details.numbers[query].length; number++) {
          details.numbers[query][number] = random.nextFloat();
        }
      }
      return details;
    }
  }

  /** What is kept of a page, by the words of the class. */
  private static List<Refresh> slowly(List<Refresh> told, long last) {
    List<Refresh> visits = new ArrayList<>(told);
    visits.removeIf(refresh -> refresh.generation() > last);
    List<Refresh> kept = new ArrayList<>();
    for (int i = 0; i < visits.size(); i++) {
      List<Refresh> later = visits.subList(i + 1, visits.size());
      Refresh refresh = visits.get(i);
      if (refresh.isVisit() || later.stream().noneMatch(Refresh::tellsUsefulness)) {
        boolean shows = shows(refresh) && later.stream().filter(r -> shows(r)).count() < 3;
        boolean measured = refresh.measured() && Double.isFinite(refresh.qualityChange());
        kept.add(
            new Refresh(
                refresh.generation(),
                refresh.fetched(),
                measured,
                measured ? refresh.interval() : 0,
                measured ? refresh.qualityChange() : 0,
                refresh.usefulness(),
                null,
                0,
                0,
                shows ? refresh.details() : null));
      }
    }
    return kept;
  }

  private static boolean shows(Refresh refresh) {
    return refresh.measured()
        && Double.isFinite(refresh.qualityChange())
        && refresh.details() != null;
  }

  private void write(String name, Map<BytesRef, List<Refresh>> pages) throws IOException {
    try (RefreshFile.Writer writer = new RefreshFile.Writer(files, name)) {
      for (Map.Entry<BytesRef, List<Refresh>> page : pages.entrySet()) {
        writer.page(page.getKey(), page.getValue());
      }
      writer.finish();
    }
  }

  private byte[] bytes(String name) throws IOException {
    try (IndexInput in = files.openInput(name, IOContext.DEFAULT)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }
}
