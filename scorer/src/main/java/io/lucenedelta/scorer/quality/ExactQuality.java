// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import java.util.List;
import java.util.Objects;

/**
 * Quality over complete rankings: equations 3 to 7 of the 2005 paper, slow and obvious. The
 * yardstick for every estimate and for replays; nothing on the indexing path may call it.
 *
 * @param views I(r)
 */
public record ExactQuality(ViewingLikelihood views) {
  /**
   * Checks the argument.
   *
   * @throws NullPointerException if there is no I(r)
   */
  public ExactQuality {
    Objects.requireNonNull(views, PowerLawViews.NONE_GIVEN);
  }

  /**
   * One query with the scores of every page; element p of both arrays belongs to page p, 0 standing
   * for not in the result. Pages are numbered in the order that breaks ties. The arrays are not
   * copied: two of these are equal if they hold the very same arrays.
   *
   * @param frequency f_q, 0 or more
   * @param repository scores of the copies in the repository: they decide the ranks
   * @param live scores of the live pages, 0 or more: what a view is worth
   */
  public record QueryScores(double frequency, double[] repository, double[] live) {
    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if the frequency is negative or not finite, or the arrays
     *     differ in length
     */
    public QueryScores {
      if (!(frequency >= 0 && frequency < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "the frequency of a query must be finite and 0 or more, was " + frequency);
      }
      requireSamePages(repository, live);
    }
  }

  private static void requireSamePages(double[] repository, double[] live) {
    if (repository.length != live.length) {
      throw new IllegalArgumentException(
          "every page needs a score in the repository and a live one, got %d and %d"
              .formatted(repository.length, live.length));
    }
  }

  /**
   * Equation 3 for one query asked once: the views of every page times its live score.
   *
   * @throws IllegalArgumentException if the arrays differ in length
   */
  public double usefulness(double[] repository, double[] live) {
    requireSamePages(repository, live);
    RankedResults results = RankedResults.of(repository);
    double sum = 0;
    for (int rank = 1; rank <= results.size(); rank++) {
      sum += views.at(rank) * live[results.pageAt(rank)];
    }
    return sum;
  }

  /** Equation 3: usefulness over the workload. */
  public double usefulness(List<QueryScores> queries) {
    return queries.stream()
        .mapToDouble(q -> q.frequency() * usefulness(q.repository(), q.live()))
        .sum();
  }

  /** Equation 4: what a synchronised repository would reach; no repository exceeds it. */
  public double ideal(List<QueryScores> queries) {
    return queries.stream().mapToDouble(q -> q.frequency() * usefulness(q.live(), q.live())).sum();
  }

  /** Equation 5: usefulness over the ideal, from 0 to 1; 1 when no query has a live result. */
  public double quality(List<QueryScores> queries) {
    double ideal = ideal(queries);
    return ideal == 0 ? 1 : usefulness(queries) / ideal;
  }

  /**
   * The numerator of equation 6 for one query asked once, by equation 7: the change of every page's
   * views times its live score, when the repository's scores become {@code after}.
   *
   * @throws IllegalArgumentException if the arrays differ in length
   */
  public double change(double[] before, double[] after, double[] live) {
    requireSamePages(before, live);
    requireSamePages(after, live);
    RankedResults old = RankedResults.of(before);
    RankedResults now = RankedResults.of(after);
    double sum = 0;
    for (int page = 0; page < live.length; page++) {
      sum += (views.at(now.rankOf(page)) - views.at(old.rankOf(page))) * live[page];
    }
    return sum;
  }
}
