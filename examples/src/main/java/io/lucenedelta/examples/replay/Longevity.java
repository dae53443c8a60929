// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.divergence.Fragments;
import io.lucenedelta.scorer.divergence.MinHashes;
import io.lucenedelta.scorer.divergence.SampledCurve;
import io.lucenedelta.scorer.divergence.ScrollCurve;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How long contents last in a crawl (Olston and Pandey 2008, section 3): the data of its figures 1,
 * 2, 3 and 5, and the measured error of min-hash summaries (section 5.2).
 *
 * @param lifelines figure 1: the stays of fragments on two telling pages, {@link #MOST_LIFELINES}
 *     of each at most
 * @param drifts figure 2: how these pages drift from their first version
 * @param pages figure 3: every page with a fragment whose whole life was seen
 * @param lifetimes figure 5: how many fragments are gone after so many weeks
 * @param summaries the error of divergences estimated from summaries
 */
public record Longevity(
    List<Lifeline> lifelines,
    List<Drift> drifts,
    List<PageLongevity> pages,
    List<Lifetime> lifetimes,
    List<SummaryError> summaries) {
  /** Lifelines of a page: of more, so many, spread evenly over all. */
  public static final int MOST_LIFELINES = 300;

  private static final int FEWEST_PAGES = 10;

  /**
   * A fragment's stay on a page.
   *
   * @param page the page's key
   * @param fragment the stay's number on the page, in order of appearance
   * @param firstWeek the first week it was there
   * @param lastWeek the last week it was there without a break
   */
  public record Lifeline(String page, int fragment, int firstWeek, int lastWeek) {}

  /**
   * How far a page has drifted from its first version.
   *
   * @param page the page's key
   * @param week weeks since the first version
   * @param divergence fragment staleness against the first version
   * @param utility of a refresh then, in divergence × days
   */
  public record Drift(String page, int week, double divergence, double utility) {}

  /**
   * A page's change frequency and longevity.
   *
   * @param page the page's key
   * @param changeFrequency share of the weeks in which it changed
   * @param weeks mean length of the stays of its fragments whose first and last week were both seen
   * @param fragments how many such stays there are
   */
  public record PageLongevity(String page, double changeFrequency, double weeks, int fragments) {}

  /**
   * A point of a lifetime distribution.
   *
   * <p>As in the paper, the rate of the Poisson model is the changes seen a week, of which a
   * snapshot shows one at most. The mean life of K updates, K ÷ rate, is right by that, since K
   * counts updates seen, too; but weeks with a change, each as likely as the other, make other
   * shares than a Poisson process. Where a quarter of the weeks has one, the model lies lower
   * throughout for K = 1, by .05 at most, and for larger K by up to .03 higher and then by up to
   * .04 lower; more where more weeks have one. The rate that sees a change in so many weeks, −ln(1
   * − share), would make K = 1 exact, and put K = 2 up to .06 too high and K = 10 up to .18.
   *
   * @param group {@code K=1} for pages whose fragments mostly last one update, {@code K=2}, {@code
   *     K>2}
   * @param weeks lifetime
   * @param measured share of the group's fragments that lived at most so long
   * @param modelled the same by the model, with the group's own mix of K and mean share of weeks
   *     with a change as rate
   */
  public record Lifetime(String group, int weeks, double measured, double modelled) {}

  /**
   * The error of divergences estimated from summaries.
   *
   * @param hashes m
   * @param pairs number of pairs of versions compared
   * @param mean mean of estimate less truth
   * @param rootMeanSquare root of the mean squared error
   */
  public record SummaryError(int hashes, int pairs, double mean, double rootMeanSquare) {}

  /** Copies the lists. */
  public Longevity {
    lifelines = List.copyOf(lifelines);
    drifts = List.copyOf(drifts);
    pages = List.copyOf(pages);
    lifetimes = List.copyOf(lifetimes);
    summaries = List.copyOf(summaries);
  }

  /** Measures a crawl; every page is two steps. */
  static Longevity of(ReplayCorpus corpus, ReplayProgress progress) {
    List<FragmentLives> lives =
        IntStream.range(0, corpus.pageCount())
            .parallel()
            .peek(page -> progress.step())
            .filter(page -> corpus.versionCount(page) > 1)
            .mapToObj(page -> FragmentLives.of(corpus, page))
            .filter(page -> page.completed() > 0)
            .toList();
    List<Lifeline> lines = new ArrayList<>();
    List<Drift> drifts = new ArrayList<>();
    for (FragmentLives page : telling(lives)) {
      lines.addAll(page.lifelines(MOST_LIFELINES));
      drifts.addAll(drift(corpus, page.page()));
    }
    return new Longevity(
        lines,
        drifts,
        lives.stream().map(FragmentLives::longevity).toList(),
        lifetimes(corpus, lives),
        summaryErrors(corpus, progress));
  }

  /**
   * The page that changes most often among those whose most common K is 1, and among those where it
   * is above 2.
   */
  private static List<FragmentLives> telling(List<FragmentLives> lives) {
    List<FragmentLives> chosen = new ArrayList<>();
    for (int group : new int[] {1, 3}) {
      Optional<FragmentLives> best =
          lives.stream()
              .filter(page -> page.dominant() == group)
              .max(
                  Comparator.comparingDouble(FragmentLives::changeFrequency)
                      .thenComparingInt(FragmentLives::completed)
                      .thenComparing(Comparator.comparingInt(FragmentLives::page).reversed()));
      best.ifPresent(chosen::add);
    }
    return chosen;
  }

  private static List<Drift> drift(ReplayCorpus corpus, int page) {
    int first = corpus.since(page, 0);
    int n = corpus.weeks() - 1 - first;
    double[] days = new double[n];
    double[] divergence = new double[n];
    Fragments[] fragments = corpus.fragments(page);
    for (int i = 0; i < n; i++) {
      days[i] = corpus.days(first, first + i + 1);
      int version = corpus.liveVersion(page, first + i + 1);
      divergence[i] = fragments[0].divergence(fragments[version]);
    }
    SampledCurve curve = SampledCurve.of(days, divergence);
    List<Drift> drift = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      drift.add(new Drift(corpus.page(page), i + 1, divergence[i], curve.utility(days[i])));
    }
    return drift;
  }

  /**
   * As in the paper for pages of one change frequency, a quarter; where fewer than ten pages come
   * near it, for all.
   */
  private static List<Lifetime> lifetimes(ReplayCorpus corpus, List<FragmentLives> lives) {
    List<FragmentLives> alike =
        lives.stream()
            .filter(page -> page.changeFrequency() >= 0.15 && page.changeFrequency() <= 0.35)
            .toList();
    List<FragmentLives> chosen = alike.size() < FEWEST_PAGES ? lives : alike;
    List<Lifetime> points = new ArrayList<>();
    for (int group = 1; group <= 3; group++) {
      int wanted = group;
      List<FragmentLives> members =
          chosen.stream().filter(page -> page.dominant() == wanted).toList();
      if (!members.isEmpty()) {
        points.addAll(distribution(corpus, group < 3 ? "K=" + group : "K>2", members));
      }
    }
    return points;
  }

  private static List<Lifetime> distribution(
      ReplayCorpus corpus, String group, List<FragmentLives> members) {
    int weeks = corpus.weeks();
    double[] byWeeks = new double[weeks + 1];
    double[] byUpdates = new double[weeks + 1];
    double all = 0;
    double rate = 0;
    for (FragmentLives page : members) {
      page.count(byWeeks, byUpdates);
      rate += page.changeFrequency() / members.size();
      all += page.completed();
    }
    List<Lifetime> points = new ArrayList<>();
    double gone = 0;
    for (int week = 1; week < weeks; week++) {
      gone += byWeeks[week] / all;
      double modelled = 0;
      for (int k = 1; k <= weeks; k++) {
        if (byUpdates[k] > 0) {
          modelled += byUpdates[k] / all * ScrollCurve.goneWithin(week, rate, k);
        }
      }
      points.add(new Lifetime(group, week, gone, modelled));
    }
    return points;
  }

  /** How far summaries are off, over all versions of a page beside its first. */
  private static List<SummaryError> summaryErrors(ReplayCorpus corpus, ReplayProgress progress) {
    int[] hashes = {4, 8, 16, 32, 64};
    double[] sum = new double[hashes.length];
    double[] squares = new double[hashes.length];
    for (int page = 0; page < corpus.pageCount(); page++) {
      Fragments[] fragments = corpus.fragments(page);
      Fragments first = fragments[0];
      for (int version = 1; version < fragments.length; version++) {
        Fragments later = fragments[version];
        double exact = (float) later.divergence(first); // as replays keep it
        for (int m = 0; m < hashes.length; m++) {
          MinHashes summary = later.smallest(hashes[m]);
          double error = (float) summary.divergence(first.smallest(hashes[m])) - exact;
          sum[m] += error;
          squares[m] += error * error;
        }
      }
      progress.step();
    }
    int pairs = corpus.versionCount() - corpus.pageCount();
    int n = Math.max(1, pairs);
    List<SummaryError> errors = new ArrayList<>();
    for (int m = 0; m < hashes.length; m++) {
      errors.add(new SummaryError(hashes[m], pairs, sum[m] / n, Math.sqrt(squares[m] / n)));
    }
    return errors;
  }
}
