// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.UserCentric;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Arrays;

/**
 * What the store keeps of one page: sums over its refreshes and its latest vector. Reusable, for
 * one thread.
 *
 * <pre>
 * entry → flags (byte), last refresh, usefulness (float32), [measured refreshes, changes (variable
 *         length, seven bits a byte), total milliseconds, sum of rates, total gain, total root
 *         gain (float32)], vector, [room left, in bytes with this last one (byte)]
 * flags → 1 present in the index · 2 measured: the bracket follows · 4 unrecorded: no refresh is
 *         known, the time is the live document's · 8 times are int64, else their lower 48 bits
 *         · 16 room is left · 32 went back: the last refresh is dated before the one before it, or
 *         as one that was
 * </pre>
 *
 * Little-endian. A page that left the index keeps its sums, its vector is empty.
 *
 * <p>A page that needs little less than the store holds of it keeps the rest as room: pages grow
 * and shrink, and one that grows again would need another place in the store. A page without sums
 * that needs a new place gets room for them, since its next refresh brings them.
 *
 * <p>Sums are kept in single precision: a thousand refreshes round them by less than 1e-4, ten
 * years of hourly ones by less than 1e-3, far less than an estimate is uncertain; after five
 * million, ten years of one each minute, they are off by some hundredths. The refresh files hold
 * what they were made of. They stay finite; a page of which sums are read that are not counts as
 * never measured, and usefulness as not known.
 */
final class PageEntry implements PageHistory {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int PRESENT = 1;
  private static final int MEASURED = 2;
  private static final int UNRECORDED = 4;
  private static final int WIDE = 8;
  private static final int ROOM = 16;
  private static final int WENT_BACK = 32;

  /** More is given back to the store: an eighth of a page, or what a byte can tell. */
  private static final int ROOM_SHARE = 8;

  private static final int MOST_ROOM = 255;

  /** What sums take while their counts are below 128 and times are narrow. */
  private static final int SUMS = 1 + 1 + 6 + 3 * 4;

  /** With wide times and counts of five bytes. */
  static final int LONGEST_HEAD = 1 + 8 + 4 + 5 + 5 + 8 + 3 * 4;

  private static final double MILLIS_A_DAY = 86_400_000.0;

  String page;
  long hashSeed; // of the directories, where they are asked for; no part of the entry
  boolean present;
  boolean unrecorded;
  boolean wentBack;
  long lastRefresh;
  int refreshes;
  int changes;
  float sumOfRates;
  float totalGain;
  float totalRootGain;
  private long totalMillis;
  float usefulness;
  int stored; // bytes that the store holds of the page; 0 when not known
  int storedHead; // how many of them come before the vector
  long edition; // that of the store which holds the page; this and what follows 0 if not known
  long place; // the address of these bytes in memory
  long keyPlace; // the address of the key's bytes
  int keyLength;
  final VectorBuffer vector = new VectorBuffer();

  private byte[] bytes = new byte[512];
  private int at;

  void clear() {
    present = false;
    unrecorded = false;
    wentBack = false;
    lastRefresh = FetchTimes.UNKNOWN;
    refreshes = 0;
    changes = 0;
    sumOfRates = 0;
    totalGain = 0;
    totalRootGain = 0;
    totalMillis = 0;
    usefulness = -1;
    stored = 0;
    storedHead = 0;
    edition = 0;
    place = 0;
    keyPlace = 0;
    keyLength = 0;
    vector.clear();
  }

  /** Whether a fetch of the page is known. */
  boolean fetched() {
    return lastRefresh != FetchTimes.UNKNOWN;
  }

  /**
   * Whether it is known when the page was fetched last: of one that was there before anything was
   * measured, and whose document tells no time, it is only known that it was before that. Nor is it
   * known where the time is from before there was a Web, nor where the fetch recorded before has a
   * later one: this one came late, once or several times, or a clock was wrong. The latest time of
   * all is not kept: of late fetches that come in their order only the first is noticed.
   *
   * @param firstSeen see {@link #isUntimed}
   */
  boolean isDated(long firstSeen) {
    return lastRefresh >= FetchTimes.EARLIEST && !wentBack && !isUntimed(firstSeen);
  }

  /**
   * Whether nothing tells when the page was fetched, neither a refresh nor its document: then the
   * time that it has is no fetch.
   *
   * @param firstSeen the time that such pages have
   */
  boolean isUntimed(long firstSeen) {
    return unrecorded && lastRefresh == firstSeen;
  }

  /**
   * Adds a refresh to the sums, or what is told of no visit. One counts as not measured whose
   * interval begins at a time that {@link #isDated nobody knows}, as such were recorded once.
   */
  void add(Refresh refresh) {
    if (!refresh.isVisit()) {
      usefulness = known(refresh.usefulness());
      return;
    }
    add(
        refresh.counts(),
        refresh.fetched(),
        refresh.interval(),
        refresh.qualityChange(),
        refresh.usefulness());
  }

  /**
   * Adds a refresh to the sums; a negative usefulness leaves the one known before, {@link
   * Refresh#FORGOTTEN} none.
   */
  void add(boolean measured, long fetched, long interval, double change, float useful) {
    boolean again = wentBack && fetched == lastRefresh; // the same late one, once more
    wentBack = !unrecorded && (fetched < lastRefresh || again);
    lastRefresh = fetched;
    if (!(useful < 0)) {
      usefulness = known(useful);
    }
    unrecorded = false;
    if (measured) {
      refreshes++;
      changes += change > 0 ? 1 : 0;
      sumOfRates = sum(sumOfRates, UserCentric.rateOfRefresh(change, interval / MILLIS_A_DAY));
      totalGain = sum(totalGain, change);
      totalRootGain = sum(totalRootGain, Math.sqrt(Math.max(0, change)));
      totalMillis += interval;
    }
  }

  private static float known(float useful) {
    return Float.isNaN(useful) ? -1 : useful;
  }

  /** A sum, finite whatever finite number is added. */
  private static float sum(float before, double addend) {
    return (float) Math.clamp(before + addend, -Float.MAX_VALUE, Float.MAX_VALUE);
  }

  @Override
  public DirectoryPath directories() {
    return DirectoryPath.of(page, hashSeed);
  }

  /** The array to copy an entry's bytes into before they are decoded. */
  byte[] buffer(int size) {
    if (bytes.length < size) {
      bytes = new byte[Math.max(size, 2 * bytes.length)];
    }
    return bytes;
  }

  /** The bytes encoded last; only as many as were encoded mean something. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Encodes the entry, with the room that is left when it is stored where it was, or that it needs
   * for its sums elsewhere, into {@link #bytes()}; returns the number of bytes.
   */
  int encode() {
    int size = encodeHead() + vector.length();
    int room = room(size);
    int length = size + room;
    if (bytes.length < length) {
      bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
    }
    System.arraycopy(vector.bytes(), 0, bytes, at, vector.length());
    if (room > 0) {
      bytes[0] |= ROOM;
      Arrays.fill(bytes, size, length - 1, (byte) 0);
      bytes[length - 1] = (byte) room;
    }
    return length;
  }

  private int room(int size) {
    int forSums = refreshes == 0 ? SUMS : 0;
    int left = stored - size;
    boolean fits = left >= 0 && left <= Math.min(MOST_ROOM, stored / ROOM_SHARE + forSums);
    if (fits) {
      return left;
    }
    return present ? forSums : 0;
  }

  /**
   * Encodes all but the vector into the first {@value #LONGEST_HEAD} bytes of {@link #bytes()}, the
   * last of which may mean nothing; returns the number of those that do.
   */
  int encodeHead() {
    boolean wide = !narrow(lastRefresh) || !narrow(totalMillis);
    at = 0;
    bytes[at++] =
        (byte)
            ((present ? PRESENT : 0)
                | (refreshes > 0 ? MEASURED : 0)
                | (unrecorded ? UNRECORDED : 0)
                | (wentBack ? WENT_BACK : 0)
                | (wide ? WIDE : 0));
    addTime(lastRefresh, wide);
    addFloat(usefulness);
    if (refreshes > 0) {
      addCount(refreshes);
      addCount(changes);
      addTime(totalMillis, wide);
      addFloat(sumOfRates);
      addFloat(totalGain);
      addFloat(totalRootGain);
    }
    return at;
  }

  /**
   * Says of the head that was encoded whether room is left, as the store does.
   *
   * @param first the first byte that the store holds of the page
   */
  void keepRoom(byte first) {
    bytes[0] |= (byte) (first & ROOM);
  }

  /** Decodes the entry that was copied into {@linkplain #buffer its bytes}. */
  void decode(int size) {
    decodeHead();
    stored = size;
    storedHead = at;
    int left = (bytes[0] & ROOM) != 0 ? bytes[size - 1] & 0xFF : 0;
    vector.copyFrom(bytes, at, size - left - at);
  }

  /**
   * All but the vector, which is empty afterwards, from {@linkplain #buffer its bytes}; what
   * follows the head does not matter.
   */
  void decodeHead() {
    clear();
    present = (bytes[0] & PRESENT) != 0;
    unrecorded = (bytes[0] & UNRECORDED) != 0;
    wentBack = (bytes[0] & WENT_BACK) != 0;
    boolean wide = (bytes[0] & WIDE) != 0;
    at = 1;
    lastRefresh = time(wide);
    usefulness = readFloat();
    if ((bytes[0] & MEASURED) != 0) {
      refreshes = count();
      changes = count();
      totalMillis = time(wide);
      sumOfRates = readFloat();
      totalGain = readFloat();
      totalRootGain = readFloat();
    }
    forgetWhatIsNotFinite();
  }

  private void forgetWhatIsNotFinite() {
    usefulness = Float.isFinite(usefulness) ? usefulness : -1;
    if (!isFinite(sumOfRates, totalGain, totalRootGain, 0)) {
      refreshes = 0;
      changes = 0;
      totalMillis = 0;
      sumOfRates = 0;
      totalGain = 0;
      totalRootGain = 0;
    }
  }

  /** Whether four numbers are all finite. */
  static boolean isFinite(float a, float b, float c, float d) {
    return Double.isFinite((double) a + b + c + d);
  }

  private static boolean narrow(long time) {
    return lower48(time) == time;
  }

  private static long lower48(long time) {
    return (time << 16) >> 16;
  }

  private void addTime(long time, boolean wide) {
    LONG.set(bytes, at, time); // what is too much is written over
    at += wide ? 8 : 6;
  }

  private long time(boolean wide) {
    long time = (long) LONG.get(bytes, at); // a number of four bytes or more follows
    at += wide ? 8 : 6;
    return wide ? time : lower48(time);
  }

  private void addFloat(float value) {
    INT.set(bytes, at, Float.floatToRawIntBits(value));
    at += Float.BYTES;
  }

  private float readFloat() {
    float value = Float.intBitsToFloat((int) INT.get(bytes, at));
    at += Float.BYTES;
    return value;
  }

  private void addCount(int count) {
    int rest = count;
    while (rest > 0x7f) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
  }

  private int count() {
    int count = 0;
    int shift = 0;
    byte next;
    do {
      next = bytes[at++];
      count |= (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return count;
  }

  @Override
  public String page() {
    return page;
  }

  @Override
  public Instant lastRefresh() {
    return Instant.ofEpochMilli(lastRefresh);
  }

  @Override
  public int refreshes() {
    return refreshes;
  }

  @Override
  public double sumOfRates() {
    return sumOfRates;
  }

  @Override
  public double totalGain() {
    return totalGain;
  }

  @Override
  public double totalDays() {
    return totalMillis / MILLIS_A_DAY;
  }

  @Override
  public int changes() {
    return changes;
  }

  @Override
  public double totalRootGain() {
    return totalRootGain;
  }

  @Override
  public double usefulness() {
    return usefulness;
  }
}
