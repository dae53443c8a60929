// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Matches of all weeks, beside those of every version looked at query by query. */
class MatchesTest {
  private final long seed = System.nanoTime();
  private final RandomCrawl crawl = new RandomCrawl(seed, 200, 6);
  private final Matches matches = crawl.matches();
  private final ReplayCorpus corpus = matches.corpus();
  private final TermScores scores = new TermScores(corpus, Scoring.BM25.similarity(), 0);

  private final Map<PageVersion, float[]> known = new IdentityHashMap<>(); // scores by query

  /** The score of a version for a query, 0 when it lacks one of its terms. */
  private float score(int page, int version, int query) {
    return version == ReplayCorpus.ABSENT
        ? 0
        : known.computeIfAbsent(corpus.version(page, version), this::queryByQuery)[query];
  }

  private float[] queryByQuery(PageVersion version) {
    Map<Integer, Float> byTerm = new HashMap<>();
    long norm = scores.norm(version);
    version.terms().forEach((i, term, count) -> byTerm.put(term, scores.score(term, count, norm)));
    float[] sums = new float[crawl.workload.queryCount()];
    for (int query = 0; query < sums.length; query++) {
      double sum = 0;
      boolean all = true;
      for (int i = 0; i < crawl.workload.queryLength(query); i++) {
        Float score = byTerm.get(crawl.workload.queryTerm(query, i));
        all &= score != null;
        sum += score == null ? 0 : score;
      }
      sums[query] = all ? (float) sum : 0;
    }
    return sums;
  }

  private boolean everMatches(int page, int query) {
    boolean ever = false;
    for (int version = 0; version < corpus.versionCount(page); version++) {
      ever |= score(page, version, query) > 0;
    }
    return ever;
  }

  @RepeatedTest(3)
  void aQueryHasASlotForEveryPageThatEverMatchesItInTheOrderOfPages() {
    int slots = 0;
    int matching = 0;
    int longest = 0;
    for (int query = 0; query < crawl.workload.queryCount(); query++) {
      List<Integer> expected = new ArrayList<>();
      for (int page = 0; page < corpus.pageCount(); page++) {
        if (everMatches(page, query)) {
          expected.add(page);
        }
      }
      List<Integer> pages = new ArrayList<>();
      for (int slot = matches.firstSlot(query); slot < matches.firstSlot(query + 1); slot++) {
        pages.add(matches.page(slot));
        assertThat(matches.query(slot)).as("seed %s", seed).isEqualTo(query);
      }
      assertThat(pages).as("query %s, seed %s", query, seed).isEqualTo(expected);
      slots += pages.size();
      matching += pages.isEmpty() ? 0 : 1;
      longest = Math.max(longest, pages.size());
    }
    assertThat(matches.slotCount()).as("seed %s", seed).isEqualTo(slots);
    assertThat(matches.matchingQueries()).as("seed %s", seed).isEqualTo(matching);
    assertThat(matches.longestResult()).as("seed %s", seed).isEqualTo(longest);
  }

  @RepeatedTest(3)
  void betweenTwoVersionsThoseQueriesShiftWhoseScoreDiffers() {
    for (int page = 0; page < corpus.pageCount(); page++) {
      for (int from = ReplayCorpus.ABSENT; from < corpus.versionCount(page); from++) {
        for (int to = ReplayCorpus.ABSENT; to < corpus.versionCount(page); to++) {
          assertThat(shifts(page, from, to))
              .as("page %s from version %s to %s, seed %s", page, from, to, seed)
              .isEqualTo(shiftsQueryByQuery(page, from, to));
        }
      }
    }
  }

  private List<String> shifts(int page, int from, int to) {
    List<String> shifts = new ArrayList<>();
    matches.shifts(
        page,
        from,
        to,
        (slot, before, after) -> {
          assertThat(matches.page(slot)).as("seed %s", seed).isEqualTo(page);
          shifts.add(matches.query(slot) + ": " + before + " " + after);
        });
    return shifts;
  }

  private List<String> shiftsQueryByQuery(int page, int from, int to) {
    List<String> shifts = new ArrayList<>();
    for (int query = 0; query < crawl.workload.queryCount(); query++) {
      float before = score(page, from, query);
      float after = score(page, to, query);
      if (before != after) {
        shifts.add(query + ": " + before + " " + after);
      }
    }
    return shifts;
  }

  @Test
  void moreResultsThanAReplayCanHoldAreRefusedAndOneLessIsNot() {
    int most = Integer.MAX_VALUE - 8;
    assertThat(Matches.firstSlots(new int[] {0, most - 1, 1}))
        .containsExactly(0, 0, most - 1, most);
    assertThatThrownBy(() -> Matches.firstSlots(new int[] {most, 0, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "3 queries with 2,147,483,640 results are more than a replay can hold, 2,147,483,639"
                + " results; take fewer queries, or a part of the pages");
  }
}
