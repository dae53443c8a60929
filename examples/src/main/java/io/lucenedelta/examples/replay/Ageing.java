// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.replay.EstimateAudit.AgeRow;
import io.lucenedelta.scorer.quality.EstimateAgreement;
import io.lucenedelta.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What it costs to rebuild seldom. Two settings: rank functions alone grow old, exact changes being
 * computed with the same corpus statistics of week 0, as the replay does; and rank functions and
 * statistics grow old together, exact changes being computed with the statistics of the week before
 * the refresh, which nothing that is rebuilt seldom can know.
 */
final class Ageing {
  private static final int[] USUAL_WEEKS = {1, 4, 12, 24};

  private final EstimateAudit.Question question;
  private final Workload workload;
  private final int lastWeek;
  private final int[] every; // weeks between rebuilds; the last: built once
  private final int[] firstEvent; // by week, weeks + 1

  Ageing(EstimateAudit.Question question, Workload workload) {
    this.question = question;
    this.workload = workload;
    this.lastWeek = question.corpus().weeks() - 1;
    this.every =
        IntStream.concat(
                Arrays.stream(USUAL_WEEKS).filter(weeks -> weeks < lastWeek),
                IntStream.of(lastWeek))
            .toArray();
    this.firstEvent = new int[lastWeek + 2];
    ReplayCorpus corpus = question.corpus();
    for (int page = 0; page < corpus.pageCount(); page++) {
      for (int version = 1; version < corpus.versionCount(page); version++) {
        firstEvent[corpus.since(page, version) + 1]++;
      }
    }
    for (int week = 0; week <= lastWeek; week++) {
      firstEvent[week + 1] += firstEvent[week];
    }
  }

  List<AgeRow> rows(ReplayProgress progress) {
    List<AgeRow> rows = new ArrayList<>(age("rank functions", false, progress));
    if (question.scoring() != Scoring.IMPORTANCE) {
      rows.addAll(age("rank functions and statistics", true, progress));
    }
    return rows;
  }

  private List<AgeRow> age(String frozen, boolean statisticsMove, ReplayProgress progress) {
    progress.begin("ageing " + frozen, lastWeek);
    double[] exact = new double[firstEvent[lastWeek + 1]];
    double[][] estimates = new double[every.length][exact.length];
    Matches fixed = question.matches(workload, 0);
    for (int built = 0; built < lastWeek; built++) {
      Matches matches = statisticsMove ? question.matches(workload, built) : fixed;
      measureFrom(built, matches, exact, estimates);
      progress.step();
    }
    List<AgeRow> rows = new ArrayList<>();
    for (int i = 0; i < every.length; i++) {
      rows.add(
          new AgeRow(
              frozen, every[i], changed(every[i]), EstimateAgreement.of(estimates[i], exact)));
    }
    return rows;
  }

  /**
   * Fills in the exact changes of the next week and what a rebuild now estimates until the next.
   */
  private void measureFrom(int built, Matches matches, double[] exact, double[][] estimates) {
    EveryChange changes = new EveryChange(matches, question.views());
    Repository repository = changes.synchronised(built);
    GainFormula.Meter meter = question.product(matches).over(repository.rankings());
    changes.walk(repository, built + 1, built + 1, new Exact(exact, firstEvent[built + 1]));
    ReplayCorpus corpus = question.corpus();
    int longest = Arrays.stream(every).filter(weeks -> built % weeks == 0).max().orElseThrow();
    for (int week = built + 1; week <= Math.min(lastWeek, built + longest); week++) {
      int event = firstEvent[week];
      for (int page : changes.changed(week)) {
        int to = corpus.liveVersion(page, week);
        if (to == 0) {
          continue; // appears
        }
        double estimate = meter.gain(page, to - 1, to);
        for (int i = 0; i < every.length; i++) {
          if (built % every[i] == 0 && week <= built + every[i]) {
            estimates[i][event] = estimate;
          }
        }
        event++;
      }
    }
  }

  /** Page changes since the rebuild before a refresh, as a share of the pages, in the mean. */
  private double changed(int every) {
    double sum = 0;
    for (int week = 1; week <= lastWeek; week++) {
      int built = (week - 1) / every * every;
      double since = firstEvent[week] - firstEvent[built + 1];
      sum += since * (firstEvent[week + 1] - firstEvent[week]);
    }
    int events = Math.max(1, firstEvent[lastWeek + 1]);
    return sum / events / question.corpus().pageCount();
  }

  /** Notes the exact change of every refresh. */
  private static final class Exact implements EveryChange.Visitor {
    private final double[] exact;
    private int event;

    Exact(double[] exact, int firstEvent) {
      this.exact = exact;
      this.event = firstEvent;
    }

    @Override
    public void week(int week, Repository repository) {}

    @Override
    public void refresh(int page, int from, int to, Repository repository) {
      exact[event++] = repository.qualityGain(page);
    }
  }
}
