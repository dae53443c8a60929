// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VisitLogTest {
  @Test
  void aPageIsVisitedFromTheWeekInWhichItAppearsUnlessItIsNotSeen() {
    ReplayCorpus corpus = new RandomCrawl(3, 20, 8).whosePagesComeLater().corpus();
    BitSet unseen = new BitSet();
    unseen.set(0);
    unseen.set(19);
    VisitLog log = VisitLog.everyWeek(corpus, 2, 6, unseen);
    for (int page = 0; page < corpus.pageCount(); page++) {
      int from = Math.max(2, corpus.since(page, 0));
      List<Integer> expected =
          unseen.get(page) ? List.of() : IntStream.rangeClosed(from, 6).boxed().toList();
      assertThat(weeks(log, page)).as(corpus.page(page)).isEqualTo(expected);
      assertThat(log.last(page)).isEqualTo(expected.isEmpty() ? -1 : 6);
    }
  }

  @Test
  void visitsAreKeptInTheirOrderHoweverMany() {
    VisitLog log = new VisitLog(2);
    for (int week = 0; week < 1000; week++) {
      log.add(1, week * 3);
    }
    assertThat(weeks(log, 1)).isEqualTo(IntStream.range(0, 1000).map(w -> w * 3).boxed().toList());
    assertThat(log.last(1)).isEqualTo(2997);
    assertThat(log.size(0)).isZero();
    assertThat(log.last(0)).isEqualTo(-1);
  }

  @Test
  void aVisitThatWasNotMadeIsNone() {
    VisitLog log = new VisitLog(1);
    log.add(0, 5); // there is room for more
    for (int visit : new int[] {-1, 1, 2}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> log.week(0, visit))
          .withMessage("visit %s of a page whose number of visits is 1", visit);
    }
  }

  private static List<Integer> weeks(VisitLog log, int page) {
    return IntStream.range(0, log.size(page)).mapToObj(visit -> log.week(page, visit)).toList();
  }
}
