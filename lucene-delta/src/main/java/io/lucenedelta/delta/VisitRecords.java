// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.MeasuredRefreshes;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.UserCentric;
import io.lucenedelta.scorer.refresh.Visits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.packed.PackedInts;
import org.apache.lucene.util.packed.PackedLongValues;

/**
 * The measured refreshes of all pages in the index one by one, for strategies to which their sums
 * are not enough: read back from the refresh files, all at once, when they are first asked for, and
 * kept for one question.
 *
 * <p>An interval and a rate are kept of each, on the heap: 8 to 10 bytes where intervals are of
 * days or weeks, 13 at most; and 21 to 45 bytes of each page that has one. A refresh that is not
 * measured is left out with its interval, as it is from the sums of its page: so there is one visit
 * more than there are measured refreshes, they cover the days that these cover, and as many found a
 * change.
 *
 * <p>Not safe for use by several threads.
 */
final class VisitRecords {
  private static final double MILLIS_A_DAY = 86_400_000.0;

  /** Visits are a second apart, or more. */
  private static final long SHORTEST = 1_000;

  /** A thousand years, so that intervals can be added up, whatever clocks have told. */
  private static final long LONGEST = 31_557_600_000_000L;

  private final Directory files;
  private final List<String> names;
  private final long hashSeed;
  private final Predicate<BytesRef> present;
  private NumberByKey pages; // null until the files were read
  private PackedLongValues first; // of a page's refreshes, by its number; and where the last ends
  private PackedLongValues intervals; // milliseconds · 2, 1 more if a change was found; by refresh
  private PackedLongValues rates; // bits of float32; by refresh

  /** The files of refreshes cannot be read. */
  static final class UnreadableException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    UnreadableException(IOException cause) {
      super(cause);
    }
  }

  /**
   * Nothing is read yet.
   *
   * @param names of refresh files, oldest first
   * @param hashSeed by which keys are hashed
   * @param present whether a key is that of a page in the index, which alone is asked for; told the
   *     keys of the files in their order, once each
   */
  VisitRecords(Directory files, List<String> names, long hashSeed, Predicate<BytesRef> present) {
    this.files = files;
    this.names = List.copyOf(names);
    this.hashSeed = hashSeed;
    this.present = present;
  }

  /**
   * One page's record, which stays as it is.
   *
   * @throws UnreadableException if the files cannot be read
   */
  PageVisits of(PageHistory page) {
    if (pages == null) {
      try {
        read();
      } catch (IOException e) {
        throw new UnreadableException(e);
      }
    }
    long number = pages.get(NumberByKey.hash(page.page(), hashSeed), -1);
    return new PageVisits(
        page, number < 0 ? 0 : first.get(number), number < 0 ? 0 : first.get(number + 1));
  }

  private void read() throws IOException {
    NumberByKey numbers = new NumberByKey();
    PackedLongValues.Builder begins = PackedLongValues.monotonicBuilder(PackedInts.DEFAULT);
    PackedLongValues.Builder times = PackedLongValues.deltaPackedBuilder(PackedInts.DEFAULT);
    PackedLongValues.Builder worths = PackedLongValues.packedBuilder(PackedInts.DEFAULT);
    try (RefreshFiles history = new RefreshFiles(files, names)) {
      while (history.next()) {
        if (!present.test(history.key())) {
          continue; // files keep what was measured of all pages that ever were
        }
        long before = times.size();
        for (Refresh refresh : history.refreshes()) {
          if (refresh.counts()) {
            times.add(interval(refresh) << 1 | (refresh.qualityChange() > 0 ? 1 : 0));
            worths.add(Float.floatToRawIntBits(rate(refresh)) & 0xFFFFFFFFL);
          }
        }
        if (times.size() > before) {
          numbers.put(NumberByKey.hash(history.key(), hashSeed), begins.size());
          begins.add(before);
        }
      }
    }
    begins.add(times.size());
    first = begins.build();
    intervals = times.build();
    rates = worths.build();
    pages = numbers;
  }

  private static long interval(Refresh refresh) {
    return Math.clamp(refresh.interval(), SHORTEST, LONGEST);
  }

  private static float rate(Refresh refresh) {
    double rate =
        UserCentric.rateOfRefresh(refresh.qualityChange(), refresh.interval() / MILLIS_A_DAY);
    return (float) Math.clamp(rate, -Float.MAX_VALUE, Float.MAX_VALUE);
  }

  /**
   * The visits to one page: that which its first measured refresh is measured from, and these.
   *
   * <p>A visit found a change where its ΔQ_A is above 0, as {@link PageHistory#changes} counts; how
   * much of the contents changed is not kept, so divergence is holistic (2008, section 2.1): 1
   * where a visit between the two found a change, else 0. If the page was picked since, and nothing
   * is known of what that found, the last visit is that, and found none.
   */
  final class PageVisits implements Visits {
    private final long[] times; // by visit
    private final int[] changes; // visits up to this one that found a change; by visit
    private final long from; // number of the first refresh
    private final int refreshes;

    private PageVisits(PageHistory page, long from, long to) {
      this.from = from;
      refreshes = Math.toIntExact(to - from);
      long last = page.recordedRefresh().toEpochMilli();
      long now = page.lastRefresh().toEpochMilli();
      boolean picked = now > last && now - last >= SHORTEST; // a long time can be less than 0
      times = new long[1 + refreshes + (picked ? 1 : 0)];
      changes = new int[times.length];
      times[refreshes] = last;
      for (int refresh = refreshes - 1; refresh >= 0; refresh--) {
        times[refresh] = times[refresh + 1] - (intervals.get(from + refresh) >> 1);
      }
      for (int refresh = 0; refresh < refreshes; refresh++) {
        changes[refresh + 1] = changes[refresh] + (int) (intervals.get(from + refresh) & 1);
      }
      if (picked) {
        times[refreshes + 1] = now;
        changes[refreshes + 1] = changes[refreshes];
      }
    }

    @Override
    public int size() {
      return times.length;
    }

    @Override
    public Instant time(int visit) {
      return Instant.ofEpochMilli(times[visit]);
    }

    @Override
    public boolean changed(int visit) {
      return changes[visit] > (visit == 0 ? 0 : changes[visit - 1]);
    }

    @Override
    public double divergence(int a, int b) {
      return changes[a] == changes[b] ? 0 : 1;
    }

    @Override
    public double days(int a, int b) {
      return (times[b] - times[a]) / MILLIS_A_DAY;
    }

    /** The refreshes with what they were worth. */
    MeasuredRefreshes measured() {
      return new MeasuredRefreshes() {
        @Override
        public int size() {
          return refreshes;
        }

        @Override
        public Instant time(int refresh) {
          return PageVisits.this.time(refresh + 1);
        }

        @Override
        public double rate(int refresh) {
          return Float.intBitsToFloat((int) rates.get(from + refresh));
        }
      };
    }
  }

  // What follows is for tests.

  /** How many pages something is kept of. */
  int size() {
    return pages.size();
  }
}
