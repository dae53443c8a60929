// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

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
  private final Slot[] slots = new Slot[DirectoryPath.NUMBERS];
  private final double weight;

  /** A slot's sums: what was observed and the exposure that makes something expected. */
  private static final class Slot {
    private final StableSum observed;
    private final StableSum exposure;

    Slot() {
      this(new StableSum(), new StableSum());
    }

    private Slot(StableSum observed, StableSum exposure) {
      this.observed = observed;
      this.exposure = exposure;
    }

    Slot copy() {
      return new Slot(observed.copy(), exposure.copy());
    }
  }

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
    Arrays.setAll(copy.slots, number -> slots[number] == null ? null : slots[number].copy());
    return copy;
  }

  /** Writes the sums of every directory. */
  void write(DataOutput out) throws IOException {
    out.writeInt((int) Arrays.stream(slots).filter(Objects::nonNull).count());
    for (int number = 0; number < slots.length; number++) {
      if (slots[number] != null) {
        out.writeChar(number);
        slots[number].observed.write(out);
        slots[number].exposure.write(out);
      }
    }
  }

  /** Goes on with what was written. */
  void read(DataInput in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      Slot slot = new Slot();
      slots[in.readChar()] = slot;
      slot.observed.read(in);
      slot.exposure.read(in);
    }
  }

  /** Adds what was observed of a page to each of its directories. */
  void add(DirectoryPath page, double observed, double exposure) {
    for (int level = 0; level < page.depth(); level++) {
      int number = page.number(level);
      Slot slot = slots[number];
      if (slot == null) {
        slot = new Slot();
        slots[number] = slot;
      }
      slot.observed.add(observed);
      slot.exposure.add(exposure);
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
      Slot slot = slots[page.number(level)];
      if (slot != null) {
        factor = shrunk(slot, factor, unit, scale);
      }
    }
    return factor;
  }

  /**
   * The factor of a page's deepest directory as if the page had not been {@linkplain #add added}: a
   * directory where nothing else was observed is passed over, to the last bit if exposures are
   * whole numbers.
   *
   * @param observed what was added of the page, as was its exposure
   */
  double factorWithout(
      DirectoryPath page, double observed, double exposure, double unit, double scale) {
    double factor = 1;
    for (int level = 0; level < page.depth(); level++) {
      Slot slot = slots[page.number(level)];
      if (slot != null) {
        int times = timesAdded(page, level);
        double others = slot.exposure.valueWithout(times * exposure);
        if (others > 0) {
          double theirs = Math.max(0, slot.observed.valueWithout(times * observed));
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
      for (Slot slot : slots) {
        if (slot != null) {
          largest = Math.max(largest, shrunk(slot, above, unit, scale));
        }
      }
    }
    return largest;
  }

  private double shrunk(Slot slot, double above, double unit, double scale) {
    return shrunk(slot.observed.value(), slot.exposure.value(), above, unit, scale);
  }

  private double shrunk(double observed, double exposure, double above, double unit, double scale) {
    double own = weight * scale;
    return (observed + own * above) / (exposure * unit + own);
  }
}
