// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.workload.KeyedHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The order of all pages by importance, for scoring by importance alone: a page scores its
 * importance for every query it matches.
 *
 * <p>Such scores do not suit F_q. Most pages share the least importance, so that a result is a few
 * steps of ties, of which a curve through {@value RankTable#KNOTS} knots knows next to nothing; and
 * a page that leaves gives its views to all that stood behind it among its equals, which depends on
 * its place there. But the order of every result is one and the same: that of all pages, by
 * importance and among equals by key. So ranks are estimated from a page's <em>standing</em>,
 * 1/place in that order: two pages never share one, and in a result that is a fair sample of all
 * pages rank and standing lie on a straight line in logarithms. What the page at a rank is worth
 * follows from its standing.
 *
 * <p>Use: give {@code standing} in place of importance to {@code KnotSample} and to the meter of
 * {@link #over}. Keeps a sample of at most 65,536 pages, chosen by a hash of the key: up to that
 * many pages the order is exact, beyond it places are estimates. Immutable, safe for several
 * threads.
 */
public final class ImportanceOrder {
  /** The order of importance, then key. */
  private static final Comparator<Page> ORDER =
      Comparator.comparingDouble((Page page) -> -page.importance()).thenComparing(Page::key);

  /** Two places that differ by less than this ratio may share a level. */
  private static final double LEVEL_RATIO = 1.1;

  private final long pages;
  private final Page[] sample;
  private final double pagesPerSample;
  private final double[] levelEnd; // half a place after the last of a level, ascending
  private final double[] levelImportance;

  private record Page(String key, double importance) {}

  private ImportanceOrder(Page[] sample, long pages) {
    this.pages = pages;
    this.sample = sample;
    this.pagesPerSample = sample.length == 0 ? 1 : (double) pages / sample.length;
    List<double[]> levels = group();
    this.levelEnd = levels.stream().mapToDouble(level -> level[0]).toArray();
    this.levelImportance = levels.stream().mapToDouble(level -> level[1]).toArray();
  }

  /**
   * Pages of equal importance, or nearly equal place, together: where they end, half-way between
   * two places, and mean importance. Without pages one level of the least importance, 1, for those
   * that enter.
   */
  private List<double[]> group() {
    List<double[]> levels = new ArrayList<>();
    if (sample.length == 0) {
      levels.add(new double[] {1, 1});
    }
    int first = 0;
    double mean = 0; // no sum, which may be more than a number holds
    for (int i = 0; i < sample.length; i++) {
      mean += (sample[i].importance() - mean) / (i + 1 - first);
      boolean last = i + 1 == sample.length;
      if (last
          || (sample[i + 1].importance() < sample[i].importance()
              && placeOf(i + 1) > LEVEL_RATIO * placeOf(first))) {
        levels.add(new double[] {placeOf(i) + pagesPerSample / 2, mean});
        first = i + 1;
        mean = 0;
      }
    }
    return levels;
  }

  private double placeOf(int index) {
    return 1 + index * pagesPerSample;
  }

  /**
   * An order that was taken apart: what {@link #pages}, {@link #sampledKey} and {@link
   * #sampledImportance} told of it.
   *
   * @throws IllegalArgumentException if there are not as many keys as importances
   */
  public static ImportanceOrder of(long pages, String[] keys, double[] importances) {
    if (keys.length != importances.length) {
      throw new IllegalArgumentException(
          "every page needs an importance, got %d pages and %d importances"
              .formatted(keys.length, importances.length));
    }
    Page[] sample = new Page[keys.length];
    Arrays.setAll(sample, i -> new Page(keys[i], importances[i]));
    Arrays.sort(sample, ORDER);
    return new ImportanceOrder(sample, pages);
  }

  /** Number of pages that were added. */
  public long pages() {
    return pages;
  }

  /** Number of pages that are kept. */
  public int sampled() {
    return sample.length;
  }

  /** The key of a page that is kept, {@code 0 <= index < sampled()}, in order. */
  public String sampledKey(int index) {
    return sample[index].key();
  }

  /** The importance of a page that is kept. */
  public double sampledImportance(int index) {
    return sample[index].importance();
  }

  /** An empty builder. */
  public static Builder builder() {
    return new Builder(0);
  }

  /**
   * An empty builder.
   *
   * @param seed by which pages are sampled: who knows it, as everybody knows the seed 0, can choose
   *     keys that are all in the sample
   */
  public static Builder builder(long seed) {
    return new Builder(seed);
  }

  /**
   * 1/place of a page in the order, the first place being 1. A page that the order does not know
   * shares the place it would take.
   */
  public float standing(String key, double importance) {
    int index = Arrays.binarySearch(sample, new Page(key, importance), ORDER);
    return (float) (1 / placeOf(index < 0 ? -index - 1 : index));
  }

  /** Number of levels. */
  int levels() {
    return levelEnd.length;
  }

  /** The level of a place, which 1 / {@link #standing} gives but for rounding. */
  int levelAt(double place) {
    int found = Arrays.binarySearch(levelEnd, place);
    return Math.min(levelEnd.length - 1, found < 0 ? -found - 1 : found);
  }

  /** The importance that pages of a level have, in the mean. */
  double importance(int level) {
    return levelImportance[level];
  }

  /** The standing at which a level ends, halfway between two places. */
  double standingAtEnd(int level) {
    return 1 / levelEnd[level];
  }

  /**
   * The estimate {@link PassedPages} for shifts between 0 and a page's standing, over rank
   * functions of standings.
   *
   * @param views I(r)
   */
  public ShiftMeter over(RankTable table, ViewingLikelihood views) {
    return new ImportanceMeter(this, table, views);
  }

  /** Collects pages. Not safe for use by several threads. */
  public static final class Builder {
    private static final int MOST = 1 << 16;

    private List<Page> sample = new ArrayList<>();
    private long pages;
    private int skippedBits; // pages are kept whose mixed hash begins with so many zeros
    private final long seed;

    private Builder(long seed) {
      this.seed = seed;
    }

    /**
     * Adds a page, once.
     *
     * @throws IllegalArgumentException if the importance is not positive and finite
     */
    public Builder add(String key, double importance) {
      if (!(importance > 0 && importance <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "importance must be positive and finite, was " + importance + " for page " + key);
      }
      pages++;
      Page page = new Page(key, importance);
      if (kept(page)) {
        sample.add(page);
        while (sample.size() > MOST) {
          skippedBits++;
          sample = new ArrayList<>(sample.stream().filter(this::kept).toList());
        }
      }
      return this;
    }

    private boolean kept(Page page) {
      return seed == 0
          ? Integer.numberOfLeadingZeros(page.key().hashCode() * 0x9E3779B9) >= skippedBits
          : Long.numberOfLeadingZeros(KeyedHash.of(page.key(), seed)) >= skippedBits;
    }

    /** The order of the pages added so far. */
    public ImportanceOrder build() {
      Page[] ordered = sample.toArray(Page[]::new);
      Arrays.sort(ordered, ORDER);
      return new ImportanceOrder(ordered, pages);
    }
  }
}
