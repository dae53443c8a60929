// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.ViewingLikelihood;
import java.util.BitSet;

/**
 * Walks through a crawl refreshing every page in the week it changes, week by week and page by
 * page: the setting in which estimates are compared. Events are numbered in this order, which is
 * the same for every workload and scoring of a crawl.
 */
final class EveryChange {
  private final Matches matches;
  private final LiveWeb web;

  /** Sees the events of a walk. */
  interface Visitor {
    /** A week begins: the live pages have changed, no page is refreshed yet. */
    void week(int week, Repository repository);

    /** A page is about to be refreshed from one version to the next. */
    void refresh(int page, int from, int to, Repository repository);
  }

  EveryChange(Matches matches, ViewingLikelihood views) {
    this.matches = matches;
    this.web = LiveWeb.of(matches, views, ReplayProgress.NONE);
  }

  /** A repository that is synchronised in a week. */
  Repository synchronised(int week) {
    return Repository.synchronised(matches, web, week, new BitSet());
  }

  /** The events of the weeks {@code first} to {@code last} in a repository of the week before. */
  void walk(Repository repository, int first, int last, Visitor visitor) {
    for (int week = first; week <= last; week++) {
      repository.advance(week);
      visitor.week(week, repository);
      for (int page : web.changed(week)) {
        if (repository.held(page) != ReplayCorpus.ABSENT) {
          visitor.refresh(page, repository.held(page), repository.live(page), repository);
        }
        repository.refresh(page);
      }
    }
  }

  /** The pages that change in a week. */
  int[] changed(int week) {
    return web.changed(week);
  }
}
