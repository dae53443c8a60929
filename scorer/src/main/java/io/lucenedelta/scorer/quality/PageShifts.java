// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import java.util.Arrays;

/**
 * The score shifts of one page while they are measured. Each has a query and the page's score for
 * it before (s1) and after (s2), 0 meaning that it is not in the result. Once measured, each also
 * has what it changes times the frequency of its query, and there are sums over all of them.
 *
 * <p>Scores are in single precision, as Lucene's are. Numbers of one kind lie together, so that a
 * page is measured by loops over arrays. Filled and emptied page by page; stays as large as the
 * page with the most shifts made it. For one thread. Only meters of this package can measure some
 * of the shifts and leave the others: to all others {@linkplain #setAllNear all are near}.
 */
public final class PageShifts {
  private final double[] frequencies;
  private int[] query = new int[256];
  private float[] before = new float[query.length];
  private float[] after = new float[query.length];
  private float[] change = new float[query.length];
  private int size;
  private double sum;
  private double entriesBefore;
  private double entriesAfter;

  // numbers of shifts
  private int[] near = new int[query.length];
  private int[] moving = new int[query.length];
  private int[] staying = new int[query.length];
  private int nearCount;
  private int movingCount;

  /**
   * No shifts yet.
   *
   * @param frequencies by query, not copied
   */
  public PageShifts(double[] frequencies) {
    this.frequencies = frequencies;
  }

  /** Forgets all shifts. */
  public void clear() {
    size = 0;
    sum = 0;
    entriesBefore = 0;
    entriesAfter = 0;
    setNear(0, 0);
  }

  /** Number of shifts. */
  public int size() {
    return size;
  }

  /** Adds a shift: a query and the page's score before and after, 0 or more. */
  public void add(int queryNumber, double scoreBefore, double scoreAfter) {
    int at = size;
    if (at == query.length) {
      grow();
    }
    query[at] = queryNumber;
    before[at] = (float) scoreBefore;
    after[at] = (float) scoreAfter;
    size = at + 1;
  }

  private void grow() {
    int longer = Math.multiplyExact(2, query.length);
    query = Arrays.copyOf(query, longer);
    before = Arrays.copyOf(before, longer);
    after = Arrays.copyOf(after, longer);
    change = Arrays.copyOf(change, longer);
    near = new int[longer];
    moving = new int[longer];
    staying = new int[longer];
  }

  /** The query of a shift. */
  public int query(int shift) {
    return query[shift];
  }

  /** The score before. */
  public float before(int shift) {
    return before[shift];
  }

  /** The score after. */
  public float after(int shift) {
    return after[shift];
  }

  /**
   * Tells what was measured of a shift: its change and the entries at both scores, for its query
   * asked once.
   */
  public void measured(int shift, double itsChange, double entryBefore, double entryAfter) {
    double frequency = frequencies[query[shift]];
    change[shift] = (float) (frequency * itsChange);
    sum += frequency * itsChange;
    entriesBefore += frequency * entryBefore;
    entriesAfter += frequency * entryAfter;
  }

  /**
   * Tells the change of a shift that was measured less exactly before; {@link #addUp} must follow.
   */
  public void corrected(int shift, double itsChange) {
    change[shift] = (float) (frequencies[query[shift]] * itsChange);
  }

  /** Adds all changes up anew: to correct a sum would leave what was rounded, below 0 perhaps. */
  public void addUp() {
    double all = 0;
    for (int shift = 0; shift < size; shift++) {
      all += change[shift];
    }
    sum = all;
  }

  /** What a shift that was measured changes, times the frequency of its query. */
  public float change(int shift) {
    return change[shift];
  }

  /** The sum of these: ΔQ_A of the page. */
  public double sum() {
    return sum;
  }

  /** What the page gets at the scores before: the sum of entries times frequencies. */
  public double entriesBefore() {
    return entriesBefore;
  }

  /** What the page gets at the scores after. */
  public double entriesAfter() {
    return entriesAfter;
  }

  /**
   * How many shifts are near: {@link ShiftMeter#measureDistant} leaves them to be measured singly.
   */
  public int nearCount() {
    return nearCount;
  }

  /** The near shifts, ascending: the first, at place 0, and so on. */
  public int near(int place) {
    return near[place];
  }

  /** Whether a shift is near. */
  public boolean isNear(int shift) {
    return Arrays.binarySearch(near, 0, nearCount, shift) >= 0;
  }

  /**
   * Number of shifts that rank functions which follow shifts have to be told of: the others leave
   * them as they are.
   */
  public int movingCount() {
    return movingCount;
  }

  /** These shifts, in any order: the first, at place 0, and so on. */
  public int moving(int place) {
    return moving[place];
  }

  /** All shifts are near; rank functions are to be told of all. */
  public void setAllNear() {
    for (int shift = 0; shift < size; shift++) {
      near[shift] = shift;
      moving[shift] = shift;
    }
    setNear(size, size);
  }

  // What follows is for meters that measure many shifts at once.

  int[] queries() {
    return query;
  }

  double frequency(int shift) {
    return frequencies[query[shift]];
  }

  /** Gets changes times frequencies, which {@link #measured(double, double, double)} adds up. */
  float[] changes() {
    return change;
  }

  /** Tells what some shifts add to the sums. */
  void measured(double itsSum, double itsEntriesBefore, double itsEntriesAfter) {
    sum += itsSum;
    entriesBefore += itsEntriesBefore;
    entriesAfter += itsEntriesAfter;
  }

  float[] scoresBefore() {
    return before;
  }

  float[] scoresAfter() {
    return after;
  }

  /** Gets the near shifts. */
  int[] near() {
    return near;
  }

  /** Gets the shifts that rank functions are to be told of. */
  int[] moving() {
    return moving;
  }

  /** Room for numbers of shifts. */
  int[] staying() {
    return staying;
  }

  /** So many are near, and rank functions are to be told of so many. */
  void setNear(int newNearCount, int newMovingCount) {
    nearCount = newNearCount;
    movingCount = newMovingCount;
  }
}
