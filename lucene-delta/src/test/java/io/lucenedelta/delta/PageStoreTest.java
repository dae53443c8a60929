// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.openhft.chronicle.core.OS;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page is written where it was found, or by the map: nobody who reads can tell. */
class PageStoreTest {
  private static final int KEYS = 4_000; // the store grows on the way

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final PageEntry entry = new PageEntry();
  private final Map<Integer, PageEntry> expected = new HashMap<>();
  private int inPlace;

  @Test
  void whatIsPutIsReadWhereverItIsWritten() throws IOException {
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE)) {
      FoundPages found = new FoundPages();
      for (int batch = 0; batch < 60; batch++) {
        int first = random.nextInt(KEYS);
        int count = 1 + random.nextInt(300);
        found.begin(store, count);
        for (int i = 0; i < count; i++) {
          store.get(key(first + i), entry);
          found.add(i, entry);
        }
        for (int i = 0; i < count; i++) {
          assertThat(found.get(i, store, entry)).as("seed %d", seed).isTrue();
          put(store, first + i);
        }
      }
      assertThat(store.number())
          .as("number of the file: the store grew, seed %d", seed)
          .isGreaterThan(1);
      checkAll(store);
    }
    assertThat(inPlace).as("seed %d: pages written where they were", seed).isGreaterThan(500);
  }

  @Test
  void aPageFoundInAStoreThatGrewSinceIsPutIntoTheNewOne() throws IOException {
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE)) {
      entry.clear();
      put(store, 0);
      PageEntry before = new PageEntry();
      store.get(key(0), before);
      long number = store.number();
      for (int page = 1; store.number() == number; page++) {
        entry.clear();
        put(store, page);
      }
      before.add(true, 7, 1, 0.5, 1);
      put(store, 0, before);
      assertThat(before.edition).as("it was not written to memory that is gone").isZero();
      checkAll(store);
    }
  }

  @Test
  void aPageOfAnotherStoreOrOfAnotherKeyIsNotWrittenWhereItWasFound() throws IOException {
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE);
        PageStore other = PageStore.create(folder, 1_000_000, 0, FaultPoints.NONE)) {
      entry.clear();
      fill(entry, 20);
      other.put(key(1), entry);
      other.get(key(1), entry);
      put(store, 1, entry);
      store.get(key(1), entry);
      put(store, 2, entry);
      store.get(key(1), entry);
      put(store, 12, entry); // "page 1" is how its key begins
      assertThat(entry.edition).isZero();
      checkAll(store);
      assertThat(other.size()).isOne();
    }
  }

  /** Of how many segments it is made, its header says in other words. */
  @Test
  void aStoreOfAnySizeIsOpenedAgain() throws IOException {
    for (int pages : new int[] {10, 1_500, 20_000, 30_000, 70_000}) {
      PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE);
      store.expect(pages);
      for (int page = 0; page < pages; page++) {
        entry.clear();
        store.put(key(page), entry);
      }
      store.close();
      store = PageStore.open(folder, store.number(), store.capacity(), FaultPoints.NONE);
      assertThat(store.size()).isEqualTo(pages);
      store.discard();
    }
  }

  /** As where histories are put first, and what the index holds after that. */
  @Test
  void aStoreThatIsBuiltAnewGrowsLittleMoreOftenThanThatOfAFirstOpening() throws IOException {
    int pages = 9_000;
    try (PageStore first = PageStore.create(folder, 1, pages, FaultPoints.NONE)) {
      putVectors(first, pages);
      assertThat(first.number()).isEqualTo(2);
      long bytes = first.bytes();
      long capacity = first.capacity();
      for (int time = 1; time <= 12; time++) { // each as after a kill, by what the one before took
        long number = 1_000L * time;
        try (PageStore anew = PageStore.create(folder, number, pages, FaultPoints.NONE)) {
          anew.expectAsMuchRoom(bytes, capacity);
          for (int page = 0; page < pages; page++) {
            entry.clear();
            entry.lastRefresh = page;
            anew.put(key(page), entry);
          }
          putVectors(anew, pages);
          assertThat(anew.number() - number).as("growths, seed %d", seed).isLessThanOrEqualTo(4);
          bytes = anew.bytes();
          capacity = anew.capacity();
        }
      }
      assertThat(bytes).as("of the last, seed %d", seed).isLessThan(first.bytes() * 5 / 4);
    }
  }

  @Test
  void aStoreThatNeverGrewSaysNothingOfTheRoomThatPagesTake() throws IOException {
    long bytes;
    long capacity;
    try (PageStore empty = PageStore.create(folder, 1, 0, FaultPoints.NONE)) {
      bytes = empty.bytes();
      capacity = empty.capacity();
    }
    int pages = 5_000;
    long[] taken = new long[2];
    for (int told = 0; told < 2; told++) {
      try (PageStore store =
          PageStore.create(folder, 1_000L * (1 + told), pages, FaultPoints.NONE)) {
        store.expectAsMuchRoom(told * bytes, told * capacity);
        for (int page = 0; page < pages; page++) {
          entry.clear();
          fill(entry, 2);
          store.put(key(page), entry);
        }
        taken[told] = store.bytes();
      }
    }
    assertThat(taken[1]).as("seed %d", seed).isEqualTo(taken[0]);
  }

  private void putVectors(PageStore store, int pages) throws IOException {
    for (int page = 0; page < pages; page++) {
      store.get(key(page), entry);
      fill(entry, 120);
      entry.present = true;
      store.put(key(page), entry);
    }
  }

  @Test
  void aPageThatMovedIsNotWrittenWhereItWas() throws IOException {
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE)) {
      for (int page = 0; page < 500; page++) {
        entry.clear();
        fill(entry, 20);
        put(store, page, entry);
      }
      PageEntry larger = new PageEntry();
      for (int page = 0; page < 500; page += 2) {
        store.get(key(page), entry);
        VectorBuffer before = PageEntryTest.copy(entry).vector;
        fill(entry, 200);
        put(store, page, entry);
        if (page % 4 == 0) {
          larger.clear();
          fill(larger, 20);
          put(store, 500 + page, larger); // where there is room, perhaps where the page was
        }
        entry.vector.copyFrom(before);
        put(store, page, entry);
      }
      checkAll(store);
    }
  }

  @Test
  void aPageOfTheSameVectorIsStoredByteByByteAlikePutByItsHeadOrWhole() throws IOException {
    try (PageStore byHead = PageStore.create(folder, 1, 0, FaultPoints.NONE);
        PageStore whole = PageStore.create(folder, 1_000_000, 0, FaultPoints.NONE)) {
      FoundPages found = new FoundPages();
      PageEntry read = new PageEntry();
      int heads = 0;
      int withRoom = 0;
      for (int i = 0; i < 20_000; i++) {
        int page = random.nextInt(500);
        BytesRef key = key(page);
        String as = "seed " + seed + ", step " + i;
        found.begin(byHead, 1);
        byHead.get(key, read);
        found.add(0, read);
        found.get(0, byHead, entry);
        whole.get(key, read);
        boolean other = read.stored == 0 || random.nextInt(4) == 0;
        if (other) {
          fill(read, 20 + random.nextInt(12));
        }
        change(read, 1_000L + i, new Random(seed + i));
        change(entry, 1_000L + i, new Random(seed + i));
        byte[] before = stored(byHead, key);
        boolean head = !other && byHead.putHead(key, entry);
        if (!head) {
          assertThat(stored(byHead, key)).as(as).isEqualTo(before);
          entry.vector.copyFrom(read.vector);
          byHead.put(key, entry);
        }
        whole.put(key, read);
        byte[] after = stored(byHead, key);
        assertThat(after).as(as).isEqualTo(stored(whole, key));
        heads += head ? 1 : 0;
        byHead.get(key, read);
        withRoom += head && read.storedHead + read.vector.length() < read.stored ? 1 : 0;
      }
      assertThat(heads).as("seed %d: pages put by their heads", seed).isGreaterThan(1_000);
      assertThat(withRoom).as("seed %d: of them with room left", seed).isGreaterThan(100);
    }
  }

  @Test
  void aPageIsNotPutByItsHeadWhereAnotherOneOrAnotherHeadMayBe() throws IOException {
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE);
        PageStore other = PageStore.create(folder, 1_000_000, 0, FaultPoints.NONE)) {
      entry.clear();
      fill(entry, 20);
      put(store, 1, entry);
      assertThat(store.putHead(key(1), entry)).as("a page that was not found").isFalse();
      store.get(key(1), entry);
      assertThat(store.putHead(key(2), entry)).as("another page").isFalse();
      assertThat(store.putHead(key(12), entry)).as("one whose key begins alike").isFalse();
      assertThat(other.putHead(key(1), entry)).as("the page of another store").isFalse();
      entry.add(true, 7, 1, 0.5, 1);
      assertThat(store.putHead(key(1), entry)).as("a page measured first").isFalse();
      checkAll(store);
      assertThat(other.size()).isZero();
    }
  }

  /** Changes what comes before the vector, seldom its length. */
  private static void change(PageEntry page, long time, Random random) {
    page.present = random.nextInt(10) > 0;
    boolean wide = random.nextInt(20) == 0;
    page.add(
        random.nextBoolean(),
        wide ? Long.MAX_VALUE : time,
        1,
        random.nextInt(3),
        random.nextInt(9));
  }

  /** What the store holds of a page, byte by byte. */
  private static byte[] stored(PageStore store, BytesRef key) {
    PageEntry found = new PageEntry();
    store.get(key, found);
    byte[] bytes = new byte[found.stored];
    if (bytes.length > 0) {
      OS.memory().readBytes(found.place, bytes, 0, bytes.length);
    }
    return bytes;
  }

  private static BytesRef key(int page) {
    return new BytesRef("page " + page);
  }

  /** Puts a page with another vector and one more refresh. */
  private void put(PageStore store, int page) throws IOException {
    int terms = 10 + page % 50;
    fill(entry, random.nextInt(3) == 0 ? terms + random.nextInt(3) : terms);
    entry.present = true;
    entry.add(random.nextInt(4) > 0, random.nextInt(1000), 1, random.nextDouble(), 1);
    put(store, page, entry);
  }

  private void put(PageStore store, int page, PageEntry put) throws IOException {
    long edition = put.edition;
    store.put(key(page), put);
    inPlace += edition != 0 && put.edition == edition ? 1 : 0;
    expected.put(page, PageEntryTest.copy(put));
  }

  private void fill(PageEntry target, int terms) {
    target.vector.clear();
    target.vector.addField(0, 5, terms);
    for (int term = 0; term < terms; term++) {
      target.vector.addTerm(100 * term + random.nextInt(100), 1 + random.nextInt(5));
    }
  }

  private void checkAll(PageStore store) {
    assertThat(store.size()).as("seed %d", seed).isEqualTo(expected.size());
    PageEntry read = new PageEntry();
    expected.forEach(
        (page, put) -> {
          String as = "seed " + seed + ", page " + page;
          assertThat(store.get(key(page), read)).as(as).isTrue();
          assertThat(read.vector.sameAs(put.vector)).as(as).isTrue();
          assertThat(read.lastRefresh).as(as).isEqualTo(put.lastRefresh);
          assertThat(read.refreshes).as(as).isEqualTo(put.refreshes);
          assertThat(read.totalGain).as(as).isEqualTo(put.totalGain);
          assertThat(read.present).as(as).isEqualTo(put.present);
        });
  }
}
