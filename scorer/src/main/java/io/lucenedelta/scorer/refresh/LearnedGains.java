// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * What {@link UserUtility} learns from all pages, kept up to date page by page, so that a plan for
 * many pages needs no pass over them.
 *
 * <p>Storage that holds it says how each history changes: puts a page in, takes it out, or replaces
 * what was known of it. All sums are then those of a strategy that starts anew, unless what was
 * taken out is some 1e24 times as large as what is left. Four things need every page at once and
 * stay as they were when {@linkplain #of all was learned}: the usual usefulness, the weight of
 * usefulness, the expectation by which large gains are tempered, and how widely rates of change
 * spread. {@link #due} says when they have gone too far from what they would be now.
 *
 * <p>Only pages that publish nothing of their changes are put in and taken out; what was learned in
 * passes may come from others too. Learns with {@link GainParameters#LEARNING}, in memory that does
 * not grow with the number of pages. Not safe for use by several threads; a plan made from it is.
 */
public final class LearnedGains {
  /** How far what stays may go from what it would be before all is learned again. */
  static final double MOVED = 0.05;

  /** Learned again at the earliest after refreshes of one page in so many, or a day. */
  private static final int REFRESHED = 100;

  private static final Duration DAY = Duration.ofDays(1);

  /**
   * Another number whenever {@link GainModel} learns something else, which changes what is written.
   */
  private static final int VERSION = 4;

  private final GainModel model;
  private final Instant learned;
  private long added;

  private LearnedGains(GainModel model, Instant learned, long added) {
    this.model = model;
    this.learned = learned;
    this.added = added;
  }

  /**
   * Learns from all pages, in three passes.
   *
   * @throws IllegalArgumentException if a page has a sum that is not finite
   */
  public static LearnedGains of(KnownPages known, Instant now) {
    return new LearnedGains(GainModel.learn(known, GainParameters.LEARNING, now), now, 0);
  }

  /**
   * A page whose history has become what it is.
   *
   * @throws IllegalArgumentException if it has a sum that is not finite; then it is not added
   */
  public void add(PageHistory page) {
    model.count(new KnownPages.SummedPage(page));
    added++;
  }

  /** A page whose history will change, as it was when it was last added or learned from. */
  public void remove(PageHistory page) {
    model.discount(new KnownPages.SummedPage(page));
  }

  /**
   * The same as to remove a page as it was and to add it as it is, in one step.
   *
   * @param before as it was when it was last added or learned from
   * @param after the same page; in the same directories, which it is not asked for
   * @throws IllegalArgumentException if it has a sum that is not finite; then nothing changes
   */
  public void replace(PageHistory before, PageHistory after) {
    model.recount(new KnownPages.SummedPage(before), new KnownPages.SummedPage(after));
    added++;
  }

  /**
   * Whether all should be learned again: a day after it was learned or when a hundredth of the
   * pages came anew, but not unless it would make a difference of a twentieth, or changes or
   * refreshes have become half as many again, or two thirds.
   *
   * @param pages how many there are
   */
  public boolean due(Instant now, long pages) {
    boolean old = now.isBefore(learned) || !now.isBefore(learned.plus(DAY));
    return (old || added > pages / REFRESHED) && model.moved(MOVED);
  }

  /**
   * The usefulness that is usual in the directory of a page by all others alone: what could be
   * expected of it before its fetch.
   *
   * @param page that was fetched, as it was when it was last added or learned from
   * @return in units of query frequency × score; empty where no other page is known to be of any
   *     use, so that nothing can be expected
   */
  public OptionalDouble usualUsefulnessWithout(PageHistory page) {
    return model.usualUsefulnessWithout(page);
  }

  /** What is known by now, for a plan. */
  GainModel at(Instant now) {
    return model.at(now);
  }

  /**
   * Writes everything, to be read by the same version.
   *
   * @throws IOException if it cannot be written
   */
  public void write(DataOutput out) throws IOException {
    out.writeInt(VERSION);
    out.writeLong(learned.toEpochMilli());
    out.writeLong(added);
    model.write(out);
  }

  /**
   * Goes on with what was written.
   *
   * @throws IOException if another version has written it
   */
  public static LearnedGains read(DataInput in) throws IOException {
    int version = in.readInt();
    if (version != VERSION) {
      throw new IOException(
          "what was learned is of version " + version + ", not " + VERSION + "; learn again");
    }
    Instant learned = Instant.ofEpochMilli(in.readLong());
    long added = in.readLong();
    return new LearnedGains(GainModel.read(in, GainParameters.LEARNING, learned), learned, added);
  }
}
