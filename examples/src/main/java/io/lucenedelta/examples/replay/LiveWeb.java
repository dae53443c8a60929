// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.ViewingLikelihood;
import java.util.ArrayList;
import java.util.List;

/**
 * What the live Web does, the same for every run: which pages change in which week, and the quality
 * a synchronised repository would have (2005, equation 4). Immutable.
 */
final class LiveWeb {
  private final int[][] changed; // by week, pages ascending
  private final double[] ideal; // by week, numerator of equation 5 when synchronised
  private final double[] views; // I by rank counted from 0

  private LiveWeb(int[][] changed, double[] ideal, double[] views) {
    this.changed = changed;
    this.ideal = ideal;
    this.views = views;
  }

  /** Follows the pages through all weeks, each of which is a step. */
  static LiveWeb of(Matches matches, ViewingLikelihood viewingLikelihood, ReplayProgress progress) {
    ReplayCorpus corpus = matches.corpus();
    int[][] changed = changes(corpus);
    double[] views = new double[matches.longestResult() + 2];
    for (int rank = 0; rank < views.length - 1; rank++) {
      views[rank] = viewingLikelihood.at(rank + 1);
    }
    double[] ideal = new double[corpus.weeks()];
    LiveWeb web = new LiveWeb(changed, ideal, views);
    Repository mirror = Repository.empty(matches, web);
    for (int week = 0; week < corpus.weeks(); week++) {
      mirror.advance(week);
      mirror.refreshAll(changed[week]);
      ideal[week] = mirror.usefulness();
      progress.step();
    }
    return web;
  }

  private static int[][] changes(ReplayCorpus corpus) {
    List<List<Integer>> byWeek = new ArrayList<>();
    for (int week = 0; week < corpus.weeks(); week++) {
      byWeek.add(new ArrayList<>());
    }
    for (int page = 0; page < corpus.pageCount(); page++) {
      for (int version = 0; version < corpus.versionCount(page); version++) {
        byWeek.get(corpus.since(page, version)).add(page);
      }
    }
    return byWeek.stream()
        .map(pages -> pages.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /** The pages that get a new version in a week; in week 0 those that exist from the start. */
  int[] changed(int week) {
    return changed[week];
  }

  /** The most a repository's usefulness can be in a week. */
  double ideal(int week) {
    return ideal[week];
  }

  /** I(rank + 1): ranks are counted from 0 here. */
  double[] views() {
    return views;
  }
}
