// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the store keeps of a page comes back as it was. */
class PageEntryTest {
  private static final long LIMIT = 1L << 47;
  private static final long[] TIMES = {
    0,
    1,
    -1,
    1_733_097_600_000L,
    LIMIT - 1,
    LIMIT,
    -LIMIT,
    -LIMIT - 1,
    Long.MAX_VALUE,
    FetchTimes.UNKNOWN
  };
  private static final int[] COUNTS = {1, 2, 127, 128, 16_383, 16_384, Integer.MAX_VALUE};

  private static void assertSame(PageEntry read, PageEntry written, String as) {
    assertThat(read.present).as(as).isEqualTo(written.present);
    assertThat(read.unrecorded).as(as).isEqualTo(written.unrecorded);
    assertThat(read.wentBack).as(as).isEqualTo(written.wentBack);
    assertThat(read.lastRefresh).as(as).isEqualTo(written.lastRefresh);
    assertThat(read.usefulness).as(as).isEqualTo(written.usefulness);
    assertThat(read.refreshes).as(as).isEqualTo(written.refreshes);
    assertThat(read.changes).as(as).isEqualTo(written.changes);
    assertThat(read.totalDays()).as(as).isEqualTo(written.totalDays());
    assertThat(read.sumOfRates()).as(as).isEqualTo(written.sumOfRates());
    assertThat(read.totalGain()).as(as).isEqualTo(written.totalGain());
    assertThat(read.totalRootGain()).as(as).isEqualTo(written.totalRootGain());
    assertThat(read.vector.sameAs(written.vector)).as(as).isTrue();
  }

  @Test
  void everyTimeAndCountComesBack() {
    PageEntry written = new PageEntry();
    PageEntry read = new PageEntry();
    for (long time : TIMES) {
      for (int count : COUNTS) {
        written.clear();
        written.add(true, time, 1 + (time >>> 2), 0.5, 0.25f);
        written.refreshes = count;
        written.changes = count - 1;
        written.vector.addField(0, 3, 1);
        written.vector.addTerm(7, 2);
        store(written, read);
        assertSame(read, written, "time " + time + ", count " + count);
      }
    }
  }

  @Test
  void sumsStayFiniteWhateverIsAdded() {
    PageEntry entry = new PageEntry();
    entry.clear();
    for (int refresh = 1; refresh <= 3; refresh++) {
      entry.add(true, refresh, 1, 1e300, Float.MAX_VALUE);
    }
    assertThat(entry.totalGain()).isEqualTo(Float.MAX_VALUE);
    assertThat(entry.totalRootGain()).isEqualTo(Float.MAX_VALUE);
    assertThat(entry.sumOfRates()).isEqualTo(Float.MAX_VALUE);
    assertThat(entry.usefulness()).isEqualTo(Float.MAX_VALUE);
  }

  @Test
  void aRefreshThatIsWorthLessThanNothingIsNoChangeAndItsRootCountsNothing() {
    PageEntry entry = new PageEntry();
    entry.clear();
    entry.add(true, 1_000, 10, 4, 1);
    entry.add(true, 2_000, 10, -1, 1);
    assertThat(entry.refreshes()).isEqualTo(2);
    assertThat(entry.changes()).isEqualTo(1);
    assertThat(entry.totalGain()).isEqualTo(3);
    assertThat(entry.totalRootGain()).isEqualTo(2);
  }

  @Test
  void aLateFetchThatComesTwiceWentBackBothTimesAndTheOneAfterItDidNot() {
    PageEntry entry = new PageEntry();
    entry.clear();
    for (long time : new long[] {2_000, 1_000, 1_000, 1_500, 1_500}) {
      entry.add(false, time, 0, 0, 1);
      assertThat(entry.wentBack).as("%d", time).isEqualTo(time == 1_000);
    }
  }

  @Test
  void aFetchBeforeATimeThatIsNoneDidNotGoBack() {
    PageEntry entry = new PageEntry();
    entry.clear();
    entry.unrecorded = true;
    entry.lastRefresh = 2_000;
    entry.add(false, 1_000, 0, 0, 1);
    assertThat(entry.wentBack).isFalse();
    assertThat(entry.unrecorded).isFalse();
  }

  @Test
  void aPageIsDatedFromTheFirstMillisecondOfTheWebOn() {
    PageEntry entry = new PageEntry();
    entry.clear();
    entry.add(false, FetchTimes.EARLIEST - 1, 0, 0, 1);
    assertThat(entry.isDated(0)).isFalse();
    entry.add(false, FetchTimes.EARLIEST, 0, 0, 1);
    assertThat(entry.isDated(0)).isTrue();
  }

  @Test
  void whatIsReadAndNotFiniteCountsAsNeverMeasured() {
    for (float bad : new float[] {Float.POSITIVE_INFINITY, Float.NaN}) {
      for (int sum = 0; sum < 3; sum++) {
        PageEntry written = new PageEntry();
        written.clear();
        written.present = true;
        written.add(true, 1_000, 10, 2, 3);
        written.totalGain = sum == 0 ? bad : 2;
        written.totalRootGain = sum == 1 ? bad : 2;
        written.sumOfRates = sum == 2 ? bad : 2;
        PageEntry read = new PageEntry();
        store(written, read);
        assertThat(read.refreshes()).isZero();
        assertThat(read.changes()).isZero();
        assertThat(read.totalDays() + read.totalGain() + read.totalRootGain()).isZero();
        assertThat(read.usefulness()).isEqualTo(3);
        assertThat(read.present).isTrue();
        assertThat(read.lastRefresh).isEqualTo(1_000);
      }
      PageEntry written = new PageEntry();
      written.clear();
      written.add(true, 1_000, 10, 2, 3);
      written.usefulness = bad;
      PageEntry read = new PageEntry();
      store(written, read);
      assertThat(read.usefulness()).isEqualTo(-1);
      assertThat(read.totalGain()).isEqualTo(2);
    }
  }

  @Test
  void randomHistoriesComeBackAndTheirSumsAreThoseOfTheRefreshes() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    PageEntry written = new PageEntry();
    PageEntry read = new PageEntry();
    for (int i = 0; i < 1_000; i++) {
      written.clear();
      written.present = random.nextBoolean();
      double gain = 0;
      double root = 0;
      double rates = 0;
      long millis = 0;
      int measured = random.nextInt(50);
      for (int j = 0; j < measured; j++) {
        long interval = 1L + random.nextInt(random.nextBoolean() ? 100_000 : 1_000_000_000);
        double change = random.nextInt(3) == 0 ? 0 : Math.exp(6 * random.nextGaussian());
        millis += interval;
        written.add(true, millis, interval, change, random.nextFloat() - 0.5f);
        gain += change;
        root += Math.sqrt(change);
        rates += change / (Math.max(60_000, interval) / 86_400_000.0);
      }
      String as = "seed " + seed + ", entry " + i;
      store(written, read);
      assertSame(read, written, as);
      assertThat(read.refreshes()).as(as).isEqualTo(measured);
      assertThat(read.totalDays()).as(as).isEqualTo(millis / 86_400_000.0);
      assertClose(read.totalGain(), gain, as);
      assertClose(read.totalRootGain(), root, as);
      assertClose(read.sumOfRates(), rates, as);
    }
  }

  @Test
  void aPageThatShrinksALittleKeepsItsRoomAndComesBackAsItIs() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    PageEntry stored = new PageEntry();
    stored.clear();
    stored.add(true, 1_000, 1_000, 0.5, 0.25f);
    int before = 0;
    int kept = 0;
    for (int i = 0; i < 2_000; i++) {
      PageEntry written = copy(stored);
      written.stored = before;
      fillVector(written.vector, 1 + random.nextInt(random.nextInt(20) == 0 ? 2_000 : 200), random);
      int needed = withoutRoom(written);
      int size = store(written, stored);
      boolean little = needed < before && before - needed <= Math.min(255, before / 8);
      String as = "seed " + seed + ", step " + i + ": " + before + " to " + needed;
      assertThat(size).as(as).isEqualTo(little ? before : needed);
      assertSame(stored, written, as);
      assertThat(stored.stored).as(as).isEqualTo(size);
      before = size;
      kept += little ? 1 : 0;
    }
    assertThat(kept).as("seed %d: pages that kept their room", seed).isGreaterThan(50);
  }

  @Test
  void aLargePageThatShrinksByMoreThanAByteCanTellGivesItsRoomBack() {
    PageEntry large = new PageEntry();
    large.clear();
    large.add(true, 1_000, 1_000, 0.5, 0.25f);
    fillVector(large.vector, 3_000, new Random(42));
    int needed = withoutRoom(large);
    for (int room : new int[] {255, 256, 400}) {
      large.stored = needed + room; // less than an eighth more
      PageEntry read = new PageEntry();
      String as = "room of " + room;
      assertThat(store(large, read)).as(as).isEqualTo(room == 255 ? needed + room : needed);
      assertSame(read, large, as);
    }
  }

  @Test
  void aPageInTheIndexHasRoomForItsSumsBeforeItHasAny() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      String as = "seed " + seed + ", page " + i;
      PageEntry written = new PageEntry();
      written.clear();
      written.present = true;
      written.add(false, 1_733_097_600_000L, 0, 0, 0.25f);
      fillVector(written.vector, 1 + random.nextInt(200), random);
      PageEntry stored = new PageEntry();
      int first = store(written, stored);
      assertSame(stored, written, as);

      stored.add(false, 1_733_097_700_000L, 0, 0, 0.25f);
      PageEntry again = new PageEntry();
      assertThat(store(stored, again)).as(as + ", without sums again").isEqualTo(first);

      again.add(true, 1_733_184_000_000L, 86_300_000, 0.5, 0.25f);
      PageEntry measured = new PageEntry();
      assertThat(store(again, measured)).as(as + ", with sums").isEqualTo(first);
      assertSame(measured, again, as);
      assertThat(measured.storedHead + measured.vector.length()).as(as).isEqualTo(first);
    }
  }

  @Test
  void aPageThatIsNotInTheIndexHasNoRoomForSums() {
    PageEntry left = new PageEntry();
    left.clear();
    left.add(false, 1_733_097_600_000L, 0, 0, 0.25f);
    assertThat(left.encode()).isEqualTo(left.encodeHead() + left.vector.length());
  }

  private static void fillVector(VectorBuffer vector, int terms, Random random) {
    vector.clear();
    vector.addField(0, 3, terms);
    for (int term = 0; term < terms; term++) {
      vector.addTerm(200 * term + random.nextInt(200), 1 + random.nextInt(6));
    }
  }

  private static int withoutRoom(PageEntry entry) {
    PageEntry copy = copy(entry);
    copy.stored = 0;
    return copy.encode();
  }

  /** Encodes an entry and decodes it into another; returns the number of bytes. */
  private static int store(PageEntry written, PageEntry read) {
    int size = written.encode();
    System.arraycopy(written.bytes(), 0, read.buffer(size), 0, size);
    read.decode(size);
    return size;
  }

  /** What the store keeps of an entry, in one of its own. */
  static PageEntry copy(PageEntry entry) {
    PageEntry copy = new PageEntry();
    store(entry, copy);
    return copy;
  }

  private static void assertClose(double read, double exact, String as) {
    assertThat(Math.abs(read - exact)).as(as).isLessThanOrEqualTo(1e-5 * exact);
  }
}
