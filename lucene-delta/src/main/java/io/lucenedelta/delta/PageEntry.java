// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.PageHistory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Instant;

/**
 * What the store keeps of one page: sums over its refreshes and its latest vector. Reusable, for
 * one thread.
 *
 * <pre>
 * entry → flags (byte), last refresh (int64), usefulness (float32), [measured refreshes (int32),
 *         sum of rates, total gain, total days (float64), changes (int32), total root gain
 *         (float64)], vector
 * flags → 1 present in the index · 2 measured: the bracket follows
 *         · 4 unrecorded: no refresh is known, the time is the live document's
 * </pre>
 *
 * Little-endian. A page that left the index keeps its sums, its vector is empty.
 */
final class PageEntry implements PageHistory {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int PRESENT = 1;
  private static final int MEASURED = 2;
  private static final int UNRECORDED = 4;
  private static final int SHORT_HEAD = 13;
  private static final int LONG_HEAD = 53;
  private static final double MILLIS_A_DAY = 86_400_000.0;

  String page;
  boolean present;
  boolean unrecorded;
  long lastRefresh;
  int refreshes;
  double sumOfRates;
  double totalGain;
  double totalDays;
  int changes;
  double totalRootGain;
  float usefulness;
  final VectorBuffer vector = new VectorBuffer();

  void clear() {
    present = false;
    unrecorded = false;
    lastRefresh = SegmentNotes.NO_TIME;
    refreshes = 0;
    sumOfRates = 0;
    totalGain = 0;
    totalDays = 0;
    changes = 0;
    totalRootGain = 0;
    usefulness = -1;
    vector.clear();
  }

  /** Whether a fetch of the page is known. */
  boolean fetched() {
    return lastRefresh != SegmentNotes.NO_TIME;
  }

  /** Adds a refresh to the sums. */
  void add(Refresh refresh) {
    add(
        refresh.measured(),
        refresh.fetched(),
        refresh.interval(),
        refresh.change(),
        refresh.usefulness());
  }

  /** Adds a refresh to the sums; a negative usefulness leaves the one known before. */
  void add(boolean measured, long fetched, long interval, double change, float useful) {
    lastRefresh = fetched;
    usefulness = useful >= 0 ? useful : usefulness;
    unrecorded = false;
    if (measured) {
      double days = interval / MILLIS_A_DAY;
      refreshes++;
      sumOfRates += change / days;
      totalGain += change;
      totalDays += days;
      changes += change > 0 ? 1 : 0;
      totalRootGain += Math.sqrt(Math.max(0, change));
    }
  }

  byte[] encode() {
    int head = refreshes > 0 ? LONG_HEAD : SHORT_HEAD;
    byte[] bytes = new byte[head + vector.length()];
    bytes[0] =
        (byte)
            ((present ? PRESENT : 0)
                | (refreshes > 0 ? MEASURED : 0)
                | (unrecorded ? UNRECORDED : 0));
    LONG.set(bytes, 1, lastRefresh);
    INT.set(bytes, 9, Float.floatToRawIntBits(usefulness));
    if (refreshes > 0) {
      INT.set(bytes, 13, refreshes);
      LONG.set(bytes, 17, Double.doubleToRawLongBits(sumOfRates));
      LONG.set(bytes, 25, Double.doubleToRawLongBits(totalGain));
      LONG.set(bytes, 33, Double.doubleToRawLongBits(totalDays));
      INT.set(bytes, 41, changes);
      LONG.set(bytes, 45, Double.doubleToRawLongBits(totalRootGain));
    }
    System.arraycopy(vector.bytes(), 0, bytes, head, vector.length());
    return bytes;
  }

  void decode(byte[] bytes) {
    clear();
    present = (bytes[0] & PRESENT) != 0;
    unrecorded = (bytes[0] & UNRECORDED) != 0;
    lastRefresh = (long) LONG.get(bytes, 1);
    usefulness = Float.intBitsToFloat((int) INT.get(bytes, 9));
    int head = SHORT_HEAD;
    if ((bytes[0] & MEASURED) != 0) {
      refreshes = (int) INT.get(bytes, 13);
      sumOfRates = Double.longBitsToDouble((long) LONG.get(bytes, 17));
      totalGain = Double.longBitsToDouble((long) LONG.get(bytes, 25));
      totalDays = Double.longBitsToDouble((long) LONG.get(bytes, 33));
      changes = (int) INT.get(bytes, 41);
      totalRootGain = Double.longBitsToDouble((long) LONG.get(bytes, 45));
      head = LONG_HEAD;
    }
    vector.copyFrom(bytes, head, bytes.length - head);
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
    return totalDays;
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
