// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The best B of any number of pages in one pass: memory for 2 B. Half of them are dropped when that
 * is full, by quickselect, so a page that enters costs the same whatever B is, in the mean; only
 * the best are sorted, in the end.
 *
 * <p>Higher priority first; ties by a hash of seed and key, so that a fixed preference for some
 * part of the alphabet cannot bias a comparison, then by key. Not safe for use by several threads.
 */
public final class TopPages {
  private final int limit;
  private final long seed;
  private final List<Ranked> kept = new ArrayList<>(); // the best are among them
  private final SplittableRandom pivots = new SplittableRandom(1); // no input is a bad one
  private Ranked worst; // the last of the best when selected last; null while there is room

  /**
   * Keeps the best pages.
   *
   * @param limit how many, 0 or more
   * @param seed of the order among ties
   * @throws IllegalArgumentException if the limit is negative
   */
  public TopPages(int limit, long seed) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative, was " + limit);
    }
    this.limit = limit;
    this.seed = seed;
  }

  /**
   * Offers a page.
   *
   * @throws IllegalArgumentException if the priority is not a number
   */
  public void offer(String page, double priority) {
    if (Double.isNaN(priority)) {
      throw new IllegalArgumentException("priority of " + page + " is not a number");
    }
    if (limit == 0 || (worst != null && priority < worst.priority)) {
      return;
    }
    Ranked candidate = new Ranked(page, priority + 0.0, hash(seed, page));
    if (worst == null || candidate.compareTo(worst) < 0) {
      kept.add(candidate);
      if (kept.size() == (worst == null ? limit : 2L * limit)) {
        select();
        worst = kept.get(limit - 1);
      }
    }
  }

  /** Forgets what is not among the best; the last of these is then behind the others. */
  private void select() {
    int from = 0;
    int to = kept.size() - 1;
    while (from < to) {
      Ranked pivot = kept.get(pivots.nextInt(from, to + 1));
      int left = from;
      int right = to;
      while (left <= right) {
        while (kept.get(left).compareTo(pivot) < 0) {
          left++;
        }
        while (kept.get(right).compareTo(pivot) > 0) {
          right--;
        }
        if (left <= right) {
          Collections.swap(kept, left++, right--);
        }
      }
      if (limit - 1 <= right) {
        to = right;
      } else if (limit - 1 >= left) {
        from = left;
      } else {
        break; // it is as good as the pivot
      }
    }
    kept.subList(limit, kept.size()).clear();
  }

  /**
   * A priority below which an offer is in vain: minus infinity while there is room, afterwards that
   * of the worst of the best as they were not long ago.
   */
  double leastKept() {
    if (limit == 0) {
      return Double.POSITIVE_INFINITY;
    }
    return worst == null ? Double.NEGATIVE_INFINITY : worst.priority;
  }

  /** What was kept, best first. */
  public List<RefreshCandidate> bestFirst() {
    if (kept.size() > limit) {
      select();
    }
    kept.sort(null);
    return kept.stream().map(r -> new RefreshCandidate(r.page, r.priority)).toList();
  }

  /** A well-mixed hash of a seed and a page key, the same on every machine. */
  public static long hash(long seed, String page) {
    long h = (seed + 1) * 0x9E3779B97F4A7C15L + page.hashCode();
    h = (h ^ (h >>> 30)) * 0xBF58476D1CE4E5B9L;
    h = (h ^ (h >>> 27)) * 0x94D049BB133111EBL;
    return h ^ (h >>> 31);
  }

  /** A hash of a seed and a page key as a number in [0, 1). */
  public static double fraction(long seed, String page) {
    return (hash(seed, page) >>> 11) * 0x1.0p-53;
  }

  /** Best first. */
  private record Ranked(String page, double priority, long tie) implements Comparable<Ranked> {
    @Override
    public int compareTo(Ranked other) {
      if (priority != other.priority) {
        return priority > other.priority ? -1 : 1;
      }
      return tie != other.tie ? Long.compare(tie, other.tie) : page.compareTo(other.page);
    }
  }
}
