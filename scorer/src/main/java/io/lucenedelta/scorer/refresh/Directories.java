// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

/**
 * How the pages of a site and its directories differ from all pages: a factor for every directory,
 * shrunk towards that of the directory above it.
 *
 * <p>The directories of a page are the prefixes of its key that end before a slash, the host first;
 * at most {@value #DEPTH} of them count. The factor at one level is (observed + weight · factor
 * above) / (expected + weight), 1 above the host: with nothing observed a directory is like its
 * parent.
 *
 * <p>Bounded memory whatever the number of pages: {@value #SLOTS} slots, by a hash of the prefix;
 * directories that meet in a slot share it. Sums do not show the order of their addends. Not safe
 * for use by several threads while records are added.
 */
final class Directories {
  /** Number of leading directories that count. */
  static final int DEPTH = 8;

  private static final int SLOTS = 1 << 16;

  private final Slot[] slots = new Slot[SLOTS];
  private final double weight;

  /** A slot's sums: what was observed and the exposure that makes something expected. */
  private static final class Slot {
    private final StableSum observed = new StableSum();
    private final StableSum exposure = new StableSum();
  }

  /**
   * No directory observed yet.
   *
   * @param weight observations after which a directory counts as much as its parent
   */
  Directories(double weight) {
    this.weight = weight;
  }

  /** Adds what was observed of a page to each of its directories. */
  void add(String page, double observed, double exposure) {
    int start = afterScheme(page);
    long hash = start;
    int depth = 0;
    for (int i = start; i < page.length() && depth < DEPTH; i++) {
      char c = page.charAt(i);
      if (c == '/') {
        Slot slot = slots[slot(hash)];
        if (slot == null) {
          slot = new Slot();
          slots[slot(hash)] = slot;
        }
        slot.observed.add(observed);
        slot.exposure.add(exposure);
        depth++;
      }
      hash = hash * 31 + c;
    }
  }

  /**
   * The factor of a page's deepest directory.
   *
   * @param unit observations expected per unit of exposure over all pages, so that factors are 1 on
   *     average
   * @param scale what one observation is worth: the weight counts in it
   */
  double factor(String page, double unit, double scale) {
    int start = afterScheme(page);
    long hash = start;
    int depth = 0;
    double factor = 1;
    for (int i = start; i < page.length() && depth < DEPTH; i++) {
      char c = page.charAt(i);
      if (c == '/') {
        Slot slot = slots[slot(hash)];
        if (slot != null) {
          factor = shrunk(slot, factor, unit, scale);
        }
        depth++;
      }
      hash = hash * 31 + c;
    }
    return factor;
  }

  /** No page has a larger {@link #factor}, whatever its key. */
  double largestFactor(double unit, double scale) {
    double largest = 1;
    for (int depth = 0; depth < DEPTH; depth++) {
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
    double own = weight * scale;
    return (slot.observed.value() + own * above) / (slot.exposure.value() * unit + own);
  }

  private static int afterScheme(String page) {
    int scheme = page.indexOf("://");
    return scheme < 0 ? 0 : scheme + 3;
  }

  private static int slot(long hash) {
    long mixed = hash * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 48);
  }
}
