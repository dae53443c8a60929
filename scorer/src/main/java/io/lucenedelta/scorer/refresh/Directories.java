// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * How the pages of a site and its directories differ from all pages: a factor for every directory,
 * shrunk towards that of the directory above it.
 *
 * <p>The factor at one level is (observed + weight · factor above) / (expected + weight), 1 above
 * the host: with nothing observed a directory is like its parent.
 *
 * <p>Bounded memory whatever the number of pages: one slot for each number that a {@link
 * DirectoryPath} can have; directories that meet in a slot share it. Sums do not show the order of
 * their addends. Not safe for use by several threads while records are added.
 */
final class Directories {
  /** What is kept of a directory: two sums, each with the rounding error carried along. */
  private static final int OBSERVED = 0;

  private static final int EXPOSURE = 2;
  private static final int SUMS = 4;
  private static final int FIRST = 64;

  private final double weight;
  private final int[] places = new int[DirectoryPath.NUMBERS]; // 1 + place by number; 0 for none
  private double[] sums = new double[FIRST * SUMS];
  private int used; // directories

  /**
   * No directory observed yet.
   *
   * @param weight observations after which a directory counts as much as its parent
   */
  Directories(double weight) {
    this.weight = weight;
  }

  /** The same, independent of this one. */
  Directories copy() {
    Directories copy = new Directories(weight);
    System.arraycopy(places, 0, copy.places, 0, places.length);
    copy.sums = Arrays.copyOf(sums, Math.max(FIRST, used) * SUMS);
    copy.used = used;
    return copy;
  }

  /** Writes the sums of every directory. */
  void write(DataOutput out) throws IOException {
    out.writeInt(used);
    for (int number = 0; number < places.length; number++) {
      if (places[number] != 0) {
        out.writeChar(number);
        for (int i = 0; i < SUMS; i++) {
          out.writeDouble(sums[at(number) + i]);
        }
      }
    }
  }

  /** Goes on with what was written. */
  void read(DataInput in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      int at = atOrNew(in.readChar());
      for (int i = 0; i < SUMS; i++) {
        sums[at + i] = in.readDouble();
      }
    }
  }

  /** Where the sums of a directory begin, negative if nothing was observed there. */
  private int at(int number) {
    return (places[number] - 1) * SUMS;
  }

  private int atOrNew(int number) {
    if (places[number] == 0) {
      if (used * SUMS == sums.length) {
        sums = Arrays.copyOf(sums, 2 * sums.length);
      }
      places[number] = ++used;
    }
    return at(number);
  }

  /**
   * Puts what is observed of a page in the place of what was, in each of its directories.
   *
   * @param observedBefore 0, as is the exposure before, of a page that comes; what is observed and
   *     its exposure are 0 of one that leaves
   */
  void replace(
      DirectoryPath page,
      double observedBefore,
      double exposureBefore,
      double observed,
      double exposure) {
    double more = observed - observedBefore;
    double moreLost = StableSum.lost(observed, -observedBefore, more);
    double longer = exposure - exposureBefore;
    double longerLost = StableSum.lost(exposure, -exposureBefore, longer);
    for (int level = 0, depth = page.depth(); level < depth; level++) {
      int at = atOrNew(page.number(level));
      StableSum.add(sums, at + OBSERVED, more, moreLost);
      StableSum.add(sums, at + EXPOSURE, longer, longerLost);
    }
  }

  /**
   * The factor of a page's deepest directory.
   *
   * @param unit observations expected per unit of exposure over all pages, so that factors are 1 on
   *     average
   * @param scale what one observation is worth: the weight counts in it
   */
  double factor(DirectoryPath page, double unit, double scale) {
    double factor = 1;
    for (int level = 0; level < page.depth(); level++) {
      int at = at(page.number(level));
      if (at >= 0) {
        factor = shrunk(at, factor, unit, scale);
      }
    }
    return factor;
  }

  /**
   * The factor of a page's deepest directory as if the page had not been {@linkplain #replace
   * added}: a directory where nothing else was observed is passed over, to the last bit if
   * exposures are whole numbers.
   *
   * @param observed what was added of the page, as was its exposure
   */
  double factorWithout(
      DirectoryPath page, double observed, double exposure, double unit, double scale) {
    double factor = 1;
    for (int level = 0; level < page.depth(); level++) {
      int at = at(page.number(level));
      if (at >= 0) {
        int times = timesAdded(page, level);
        double others = StableSum.valueWithout(sums, at + EXPOSURE, times * exposure);
        if (others > 0) {
          double theirs =
              Math.max(0, StableSum.valueWithout(sums, at + OBSERVED, times * observed));
          factor = shrunk(theirs, others, factor, unit, scale);
        }
      }
    }
    return factor;
  }

  /** Two directories of one page may meet in a slot, which then has the page twice. */
  private static int timesAdded(DirectoryPath page, int slotOfLevel) {
    int times = 0;
    for (int level = 0; level < page.depth(); level++) {
      times += page.number(level) == page.number(slotOfLevel) ? 1 : 0;
    }
    return times;
  }

  /** No page has a larger {@link #factor}, whatever its key. */
  double largestFactor(double unit, double scale) {
    double largest = 1;
    for (int depth = 0; depth < DirectoryPath.LONGEST; depth++) {
      double above = largest;
      for (int place = 0; place < used; place++) {
        largest = Math.max(largest, shrunk(place * SUMS, above, unit, scale));
      }
    }
    return largest;
  }

  private double shrunk(int at, double above, double unit, double scale) {
    double observed = StableSum.value(sums, at + OBSERVED);
    double exposure = StableSum.value(sums, at + EXPOSURE);
    return shrunk(observed, exposure, above, unit, scale);
  }

  private double shrunk(double observed, double exposure, double above, double unit, double scale) {
    double own = weight * scale;
    return (observed + own * above) / (exposure * unit + own);
  }
}
