// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.UserCentric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.apache.lucene.util.ArrayUtil;

/**
 * The measured refreshes of all pages one by one, and the sums over them that {@link
 * io.lucenedelta.scorer.refresh.PageHistory} hands out. While refreshes are added, safe for several
 * threads only if each has pages of its own.
 */
final class RefreshSums {
  private static final double[] NONE = {};

  private final int[] refreshes;
  private final double[] rates;
  private final double[] gains;
  private final double[] days;
  private final int[] changes;
  private final double[] rootGains;
  private final VisitLog measuredWeeks;
  private final double[][] measuredRates;

  RefreshSums(int pages) {
    refreshes = new int[pages];
    rates = new double[pages];
    gains = new double[pages];
    days = new double[pages];
    changes = new int[pages];
    rootGains = new double[pages];
    measuredWeeks = new VisitLog(pages);
    measuredRates = new double[pages][];
    Arrays.fill(measuredRates, NONE);
  }

  /**
   * The sums of a crawler that refreshed every page at each of its changes (2005, section 6.2),
   * from week {@code first} (which it knew), or from where the page appears, to week {@code last}.
   *
   * <p>The time after a page's last change counts into {@link #days}: it was watched and earned
   * nothing. Every page is a step. All processors measure.
   *
   * @param unseen pages the crawler never visits
   */
  static RefreshSums atEveryChange(
      ReplayCorpus corpus,
      GainTable gains,
      int first,
      int last,
      BitSet unseen,
      ReplayProgress progress) {
    RefreshSums sums = new RefreshSums(corpus.pageCount());
    IntStream.range(0, corpus.pageCount())
        .parallel()
        .filter(page -> !unseen.get(page))
        .forEach(
            page -> {
              sums.addChanges(corpus, gains, page, first, last);
              progress.step();
            });
    return sums;
  }

  private void addChanges(ReplayCorpus corpus, GainTable gains, int page, int first, int last) {
    int refreshed = first;
    for (int week = first + 1; week <= last; week++) {
      int before = corpus.liveVersion(page, week - 1);
      int now = corpus.liveVersion(page, week);
      if (before == ReplayCorpus.ABSENT) {
        refreshed = week; // nobody can have watched it before it appeared
      } else if (before != now) {
        add(page, week, gains.gain(page, before, now), corpus.days(refreshed, week), true);
        refreshed = week;
      }
    }
    days[page] += corpus.days(refreshed, last);
  }

  /** Adds a measured refresh of a week, no earlier than the page's last. */
  void add(int page, int week, double gain, double interval, boolean changed) {
    int number = refreshes[page]++;
    double rate = UserCentric.rateOfRefresh(gain, interval);
    rates[page] += rate;
    measuredWeeks.add(page, week);
    measuredRates[page] = ArrayUtil.grow(measuredRates[page], number + 1);
    measuredRates[page][number] = rate;
    gains[page] += gain;
    days[page] += interval;
    changes[page] += changed ? 1 : 0;
    rootGains[page] += Math.sqrt(Math.max(0, gain));
  }

  /** δQ_A per day (2005, section 6.1.3), 0 without a measured refresh. */
  double meanRate(int page) {
    return refreshes[page] == 0 ? 0 : rates[page] / refreshes[page];
  }

  /** The week of one of the measured refreshes, numbered from 0, oldest first. */
  int week(int page, int refresh) {
    return measuredWeeks.week(page, refresh);
  }

  /** What it gained per day. */
  double rate(int page, int refresh) {
    return measuredRates[page][refresh];
  }

  int refreshes(int page) {
    return refreshes[page];
  }

  double rates(int page) {
    return rates[page];
  }

  double gains(int page) {
    return gains[page];
  }

  double days(int page) {
    return days[page];
  }

  int changes(int page) {
    return changes[page];
  }

  double rootGains(int page) {
    return rootGains[page];
  }
}
