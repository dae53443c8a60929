// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeardVisitsTest {
  private static final long ANY = Long.MAX_VALUE; // time may be that of a visit

  @TempDir Path folder;

  private record Visit(long time, long number) {}

  @ParameterizedTest
  @ValueSource(longs = {0, 10_000, Long.MAX_VALUE})
  void ofEveryPageTheLatestVisitIsHeardInTheOrderOfKeys(long mostHeap) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Map<BytesRef, Visit> expected = new HashMap<>();
    try (HeardVisits visits = new HeardVisits(mostHeap, folder.resolve("heard_7.map"))) {
      for (int number = 1; number <= 20_000; number++) {
        BytesRef page = new BytesRef("k".repeat(random.nextInt(400)) + random.nextInt(20));
        long time = random.nextLong();
        assertThat(visits.hear(page, time, number, ANY)).as("seed %d", seed).isTrue();
        assertThat(visits.heapBytes()).as("seed %d", seed).isBetween(0L, mostHeap);
        Visit before = expected.getOrDefault(page, new Visit(Long.MIN_VALUE, 0));
        expected.put(page, new Visit(Math.max(time, before.time()), number));
      }
      int all = visits.end(15_000);
      assertThat(all).as("seed %d", seed).isEqualTo(expected.size());
      Map<BytesRef, Visit> later = new HashMap<>();
      for (int i = visits.size(); i < all; i++) {
        visits.read(i);
        later.put(BytesRef.deepCopyOf(visits.page()), new Visit(visits.time(), visits.number()));
      }
      visits.sort();
      TreeMap<BytesRef, Visit> now = new TreeMap<>();
      for (int i = 0; i < visits.size(); i++) {
        visits.read(i);
        assertThat(i == 0 || now.lastKey().compareTo(visits.page()) < 0)
            .as("seed %d", seed)
            .isTrue();
        now.put(BytesRef.deepCopyOf(visits.page()), new Visit(visits.time(), visits.number()));
      }
      assertThat(now.values()).as("seed %d", seed).allMatch(visit -> visit.number() <= 15_000);
      assertThat(later.values())
          .as("seed %d", seed)
          .isNotEmpty()
          .allMatch(visit -> visit.number() > 15_000);
      now.putAll(later);
      assertThat(now).as("seed %d", seed).isEqualTo(expected);
    }
    assertThat(folder).as("seed %d", seed).isEmptyDirectory();
  }

  @Test
  void aKeyOfAnyLengthIsReadAsTheFirstOne() {
    for (int length = 1; length < 600; length++) {
      BytesRef page = new BytesRef("k".repeat(length));
      HeardVisits visits = new HeardVisits(Long.MAX_VALUE, null);
      visits.hear(page, 1, 1, ANY);
      assertThat(visits.end(1)).isEqualTo(1);
      visits.read(0);
      assertThat(visits.page()).isEqualTo(page);
    }
  }

  /** The first of the slots, too. */
  @Test
  void aPageIsFoundAgainWhicheverItsSlotIs() {
    for (int page = 0; page < 1_000; page++) {
      HeardVisits visits = new HeardVisits(Long.MAX_VALUE, null);
      BytesRef key = new BytesRef("page" + page);
      visits.hear(key, 2, 1, ANY);
      visits.hear(key, 1, 2, ANY);
      assertThat(visits.size()).as("page %d", page).isEqualTo(1);
    }
  }

  @Test
  void whatTheHeapHasNoRoomForIsInOneFile() throws Exception {
    Path file = folder.resolve("heard_0.map");
    try (HeardVisits visits = new HeardVisits(0, file)) {
      for (int page = 0; page < 3_000; page++) {
        visits.hear(new BytesRef("k".repeat(1_000) + page), 1, page, ANY);
      }
      assertThat(Files.size(file)).isGreaterThan(3_000_000);
    }
  }

  @Test
  void aVisitTakesLittleMoreThanItsKey() {
    int pages = 100_000;
    int keys = 0;
    try (HeardVisits visits = new HeardVisits(Long.MAX_VALUE, null)) {
      for (int page = 0; page < pages; page++) {
        BytesRef key = new BytesRef("https://example.org/page/" + page);
        keys += key.length;
        visits.hear(key, page, page, ANY);
      }
      assertThat(visits.size()).isEqualTo(pages);
      assertThat((visits.heapBytes() - keys) / (double) pages).isBetween(20.0, 60.0);
    }
  }

  @Test
  void withoutRoomForMorePagesThoseThatAreThereAreStillHeardOf() throws Exception {
    Path inTheWay = Files.createDirectories(folder.resolve("heard_0.map/full")).getParent();
    try (HeardVisits visits = new HeardVisits(20_000, inTheWay)) {
      int heard = 0;
      while (visits.hear(new BytesRef("page" + heard), 1, heard + 1, ANY)) {
        heard++;
      }
      assertThat(visits.trouble()).hasMessageContaining("heard_0.map");
      assertThat(visits.hear(new BytesRef("another"), 1, heard + 1, ANY)).isFalse();
      assertThat(visits.hear(new BytesRef("page0"), 5, heard + 2, ANY)).isTrue();
      assertThat(visits.end(Long.MAX_VALUE)).isEqualTo(heard);
      visits.sort();
      visits.read(0);
      assertThat(visits.page()).isEqualTo(new BytesRef("page0"));
      assertThat(visits.time()).isEqualTo(5);
    }
  }

  @Test
  void withoutAnyRoomNoPageIsHeardOf() {
    HeardVisits visits = new HeardVisits(0, null);
    assertThat(visits.hear(new BytesRef("page"), 1, 1, ANY)).isFalse();
    assertThat(visits.hear(new BytesRef("page"), 2, 2, ANY)).isFalse();
    assertThat(visits.trouble()).hasMessageContaining("no more than 0 bytes");
    assertThat(visits.isEmpty()).isTrue();
    assertThat(visits.end(Long.MAX_VALUE)).isZero();
  }

  /** A hundred million, but for tests: three quarters of the slots there can be. */
  @Test
  void beyondAsManyPagesAsThereAreSlotsForThoseThatAreThereAreStillHeardOf() {
    HeardVisits visits = new HeardVisits(Long.MAX_VALUE, null, 128);
    for (int page = 0; page < 96; page++) {
      assertThat(visits.hear(new BytesRef("page" + page), 1, page + 1, ANY)).isTrue();
    }
    assertThat(visits.trouble()).isNull();
    for (int more = 0; more < 100; more++) {
      assertThat(visits.hear(new BytesRef("more" + more), 1, 97, ANY)).isFalse();
    }
    assertThat(visits.trouble()).hasMessage("96 pages are as many as one batch can hold");
    assertThat(visits.hear(new BytesRef("page7"), 5, 98, ANY)).isTrue();
    assertThat(visits.size()).isEqualTo(96);
    assertThat(visits.end(96)).isEqualTo(96);
    assertThat(visits.size()).as("but for the one heard of again").isEqualTo(95);
    visits.read(95);
    assertThat(visits.page()).isEqualTo(new BytesRef("page7"));
    assertThat(visits.time()).isEqualTo(5);
  }

  /** Or a look-up would pass all others, and a batch of them take the square of their number. */
  @Test
  void keysThatShareTheHashOfABytesRefWhateverItsSeedIsDoNotShareASlot() {
    HeardVisits visits = new HeardVisits(Long.MAX_VALUE, null);
    List<BytesRef> pages = new ArrayList<>();
    for (int page = 0; page < 1 << 10; page++) {
      ByteBuffer key = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN);
      for (int pair = 0; pair < 10; pair++) { // the second block undoes what the first one does
        key.putInt(unmixed((page >>> pair & 1) << 18)).putInt(unmixed((page >>> pair & 1) << 31));
      }
      pages.add(new BytesRef(key.array()));
      visits.hear(pages.get(page), 1, 1, ANY);
    }
    assertThat(visits.size()).isEqualTo(pages.size());
    assertThat(pages.stream().map(BytesRef::hashCode).distinct()).hasSize(1);
    assertThat(pages.stream().map(visits::firstSlot).distinct()).hasSizeGreaterThan(500);
  }

  /** The four bytes that MurmurHash3 makes a number of before it mixes it with those before. */
  private static int unmixed(int number) {
    return Integer.rotateRight(number * inverse(0x1b873593), 15) * inverse(0xcc9e2d51);
  }

  private static int inverse(int odd) {
    int inverse = odd;
    for (int bits = 3; bits < 32; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  /** Which closes a file that is being mapped. */
  @Test
  void anInterruptHidesNoVisitAndIsStillThereAfterwards() {
    try (HeardVisits visits = new HeardVisits(0, folder.resolve("heard_0.map"))) {
      for (int page = 0; page < 3_000; page++) {
        Thread.currentThread().interrupt();
        boolean heard = visits.hear(new BytesRef("k".repeat(1_000) + page), 1, page, ANY);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(heard).isTrue();
      }
      assertThat(visits.end(Long.MAX_VALUE)).isEqualTo(3_000);
    }
  }

  /** It closes the file, which has to be another one from then on. */
  @Test
  void anInterruptWhileTheFileGrowsHidesNoVisitAndIsStillThereAfterwards() {
    AtomicInteger writes = new AtomicInteger();
    FilterFileSystemProvider interrupting =
        new FilterFileSystemProvider("interrupting", folder.getFileSystem()) {
          @Override
          public FileChannel newFileChannel(
              Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
              throws IOException {
            return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
              @Override
              public int write(ByteBuffer bytes, long at) throws IOException {
                if (writes.incrementAndGet() % 200 == 0) { // blocks take 128
                  Thread.currentThread().interrupt();
                }
                return super.write(bytes, at);
              }
            };
          }
        };
    Path file = interrupting.wrapPath(folder).resolve("heard_0.map");
    int interrupts = 0;
    try (HeardVisits visits = new HeardVisits(0, file)) {
      for (int page = 0; page < 6_000; page++) {
        assertThat(visits.hear(new BytesRef("k".repeat(1_000) + page), page, 1, ANY)).isTrue();
        interrupts += Thread.interrupted() ? 1 : 0;
      }
      assertThat(interrupts).isGreaterThan(2);
      assertThat(visits.trouble()).isNull();
      assertThat(visits.end(ANY)).isEqualTo(6_000);
      visits.sort();
      for (int visit = 0; visit < 6_000; visit++) {
        visits.read(visit);
        assertThat(visits.page()).isEqualTo(new BytesRef("k".repeat(1_000) + visits.time()));
      }
    }
    assertThat(folder).isEmptyDirectory();
  }

  /** For the slots or for the visits. */
  @Test
  void whoLacksRoomForAPageHearsOfNoLaterOne() {
    for (int mostHeap = 0; mostHeap < 30_000; mostHeap += 700) {
      HeardVisits visits = new HeardVisits(mostHeap, null);
      int heard = 0;
      while (visits.hear(new BytesRef("page" + heard), 1, 1, ANY)) {
        heard++;
      }
      assertThat(visits.trouble()).as("%d bytes", mostHeap).isNotNull();
      for (int later = 0; later < 100; later++) {
        assertThat(visits.hear(new BytesRef("later" + later), 1, 1, ANY)).isFalse();
      }
      assertThat(visits.end(Long.MAX_VALUE)).isEqualTo(heard);
    }
  }

  @Test
  void ofTimesToComeNoneCountsBesideAnotherAndThoseLeftOutAreCounted() {
    HeardVisits visits = new HeardVisits(Long.MAX_VALUE, null);
    long number = 0;
    for (long time : new long[] {50, 10, 7, 11}) {
      visits.hear(new BytesRef("page"), time, ++number, 10);
    }
    visits.hear(new BytesRef("other"), 70, 5, 10);
    visits.hear(new BytesRef("other"), 20, 6, 20);
    visits.hear(new BytesRef("to come"), 60, 7, 10);
    visits.hear(new BytesRef("to come"), 40, 8, 10); // it may be right when it is recorded
    assertThat(visits.ahead()).isEqualTo(4);
    assertThat(visits.firstAhead()).isEqualTo(new BytesRef("page"));
    assertThat(visits.end(ANY)).isEqualTo(3);
    visits.sort();
    List<Visit> heard = new ArrayList<>();
    for (int visit = 0; visit < 3; visit++) {
      visits.read(visit);
      heard.add(new Visit(visits.time(), visits.number()));
    }
    assertThat(heard).containsExactly(new Visit(20, 6), new Visit(10, 4), new Visit(40, 8));
  }

  @Test
  void whatIsLeftOutIsCountedOnWhereVisitsGoOn() {
    HeardVisits before = new HeardVisits(Long.MAX_VALUE, null);
    BytesRef page = new BytesRef("page");
    before.hear(page, 50, 1, 10);
    before.hear(page, 10, 2, 10);
    page.bytes[0] = 'r'; // used for another page
    HeardVisits visits = new HeardVisits(Long.MAX_VALUE, null);
    visits.hear(new BytesRef("other"), 5, 1, 10);
    visits.hear(new BytesRef("other"), 15, 2, 10);
    visits.goOnAfter(HeardVisits.NONE);
    assertThat(visits.firstAhead()).isEqualTo(new BytesRef("other"));
    visits.goOnAfter(before);
    assertThat(visits.ahead()).isEqualTo(2);
    assertThat(visits.firstAhead()).isEqualTo(new BytesRef("page"));
  }

  @Test
  void ofVisitsThatAreHeardInAnyOrderTheLatestTimeAndNumberCount() {
    byte[] keys = "a page, another page".getBytes(StandardCharsets.UTF_8);
    HeardVisits visits = new HeardVisits(Long.MAX_VALUE, null);
    visits.hear(new BytesRef(keys, 8, 12), 5, 3, ANY);
    visits.hear(new BytesRef(keys, 8, 12), 2, 7, ANY);
    visits.hear(new BytesRef("another page"), 4, 6, ANY);
    visits.hear(new BytesRef("later"), 1, 8, ANY);
    assertThat(visits.end(7)).isEqualTo(2);
    assertThat(visits.size()).isEqualTo(1);
    visits.read(0);
    assertThat(visits.page()).isEqualTo(new BytesRef("another page"));
    assertThat(visits.time()).isEqualTo(5);
    assertThat(visits.number()).isEqualTo(7);
  }
}
